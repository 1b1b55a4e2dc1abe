/** `nemokit bench conform`: runs the conformance checks on the algorithms and tasks of a plug-in. */
import type { Command } from 'commander';
import { type CheckResult, type PluginPart, PluginUnderTest } from '../conformance/conform.js';
import { ArgumentError } from '../numeric/errors.js';
import { count } from '../report/index.js';
import { listenForInterrupts } from '../runs/interrupts.js';
import { printError } from './errorDocument.js';
import { exitCodes } from './exitCodes.js';
import { secondsOf } from './optionValues.js';
import { palette } from './palette.js';
import { printJson } from './printJson.js';
import { Progress } from './progress.js';
import { writeErr, writeOut } from './screen.js';
import { hang, oneLineOf } from './textLayout.js';

interface ConformFlags {
  readonly json?: boolean;
  readonly only?: string;
  readonly timeout: string;
}

interface CheckedPart {
  readonly file: string;
  readonly kind: PluginPart['kind'];
  readonly id: string;
  readonly isProgram: boolean;
  /** Whether every check of level `must` holds. */
  readonly isConforming: boolean;
  readonly checks: readonly CheckResult[];
}

/** What `--json` prints. */
export interface ConformDocument {
  readonly conformVersion: 1;
  /** Whether every part conforms. */
  readonly isConforming: boolean;
  readonly checked: readonly CheckedPart[];
}

export function addConform(bench: Command): void {
  bench
    .command('conform')
    .description('run the conformance checks on your own algorithms and tasks')
    .argument('<path...>', 'plug-ins: modules (.mjs) or programs')
    .option('--only <name>', 'one algorithm or task by its id, or checks by a part of their name')
    .option('--timeout <seconds>', 'time limit of each check', '120')
    .option('--json', 'print one JSON document')
    .action(async (paths: readonly string[], flags: ConformFlags) => {
      await conform(paths, flags);
    });
}

/** Sets the exit code: 1 if a check of level `must` fails, 130 after Ctrl-C. */
async function conform(paths: readonly string[], flags: ConformFlags): Promise<void> {
  const { only, json = false } = flags;
  const limit = secondsOf('--timeout', flags.timeout);
  using interrupts = listenForInterrupts();
  const checked: CheckedPart[] = [];
  const seen: string[] = [];
  try {
    for (const file of paths) {
      await using plugin = await PluginUnderTest.open(file, { limit, signal: interrupts.signal });
      for (const { id } of plugin.parts) seen.push(id);
      for (const part of plugin.parts) {
        const wants = wantedOf(part, only);
        if (part.checks.some(({ name }) => wants(name)))
          checked.push(await checkPart(plugin, { file, part, wants, json }));
      }
    }
  } catch (error) {
    if (!interrupts.signal.aborted) throw error;
    writeErr('stopped\n');
    const exitCode = interrupts.exitCode ?? exitCodes.interrupted;
    if (json) printError({ code: 'interrupted', exitCode, message: 'stopped' }, 'json');
    process.exitCode = exitCode;
    return;
  }
  if (checked.length === 0)
    throw new ArgumentError(
      '--only',
      `--only "${only}" is neither an algorithm or task of these (${seen.join(', ')}) nor a part of the name of a check`,
    );
  const isConforming = checked.every((part) => part.isConforming);
  if (json) printJson({ conformVersion: 1, isConforming, checked } satisfies ConformDocument);
  else if (checked.length > 1) {
    const conforming = checked.filter((part) => part.isConforming).length;
    writeOut(`${conforming} of ${checked.length} conform\n`);
  }
  process.exitCode = isConforming ? exitCodes.ok : exitCodes.internal;
}

/** Which checks to run: all of the part that `only` names, else those whose name contains it. */
function wantedOf({ id }: PluginPart, only: string | undefined): (name: string) => boolean {
  if (only === undefined || only === id) return () => true;
  return (name) => name.includes(only);
}

interface PartRequest {
  readonly file: string;
  readonly part: PluginPart;
  readonly wants: (name: string) => boolean;
  readonly json: boolean;
}

async function checkPart(
  plugin: PluginUnderTest,
  { file, part, wants, json }: PartRequest,
): Promise<CheckedPart> {
  const { kind, id, isProgram } = part;
  const paint = palette(process.stdout);
  const print = (text: string) => {
    if (!json) writeOut(`${text}\n`);
  };
  // Without a terminal, the lines of the checks show the progress.
  using progress = new Progress({ quiet: !process.stderr.isTTY });
  const names = part.checks.map(({ name }) => name).filter(wants);
  print(`${paint.bold(id)}  ${kind}${isProgram ? ', a program,' : ''} of ${file}`);
  const checks: CheckResult[] = [];
  progress.update(id, 0, names[0]);
  for await (const result of plugin.check(part, wants)) {
    progress.finish();
    const isRepeated = checks.some(({ reason }) => reason !== null && reason === result.reason);
    print(linesOf(result, { width: process.stdout.columns ?? 100, isRepeated }));
    checks.push(result);
    progress.update(id, checks.length / names.length, names[checks.length]);
  }
  progress.finish();
  const failed = checks.filter(({ outcome, level }) => outcome === 'fails' && level === 'must').length;
  print(
    `${failed === 0 ? paint.green(`${id} conforms`) : paint.red(`${id} does not conform`)}: ${summary(checks)}\n`,
  );
  return { file, kind, id, isProgram, isConforming: failed === 0, checks };
}

function linesOf(
  { name, level, outcome, reason }: CheckResult,
  { width, isRepeated }: { readonly width: number; readonly isRepeated: boolean },
): string {
  const { green, red, yellow, dim } = palette(process.stdout);
  const mark =
    outcome === 'holds'
      ? green('ok    ')
      : outcome === 'not asked'
        ? dim('-     ')
        : level === 'must'
          ? red('fails ')
          : yellow('should');
  if (outcome === 'not asked') return hang(`  ${mark}  `, `${name} (${oneLineOf(reason ?? '')})`, width);
  const lines = [hang(`  ${mark}  `, name, width)];
  if (reason !== null) lines.push(hang(' '.repeat(10), isRepeated ? 'as above' : oneLineOf(reason), width));
  return lines.join('\n');
}

function summary(checks: readonly CheckResult[]): string {
  const having = (outcome: CheckResult['outcome'], level?: CheckResult['level']) =>
    checks.filter((check) => check.outcome === outcome && (level === undefined || check.level === level))
      .length;
  const parts: readonly (readonly [number, string])[] = [
    [having('fails', 'must'), 'failed'],
    [having('fails', 'should'), 'should be better'],
    [having('not asked'), 'not asked'],
  ];
  return [
    `${having('holds')} of ${count(checks.length, 'check')} hold`,
    ...parts.filter(([n]) => n > 0).map(([n, label]) => `${n} ${label}`),
  ].join(', ');
}
