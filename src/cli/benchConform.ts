/** `nemokit bench conform`: the suite that nemokit's own algorithms and tasks pass, asked of those of a plug-in. */
import type { Command } from 'commander';
import { type CheckResult, PluginUnderTest, type Thing } from '../conformance/conform.js';
import { ArgumentError } from '../numeric/errors.js';
import { count } from '../report/index.js';
import { listenForInterrupts } from '../runs/interrupts.js';
import { exitCodes } from './exitCodes.js';
import { secondsOf } from './optionValues.js';
import { palette } from './palette.js';
import { Progress } from './progress.js';
import { hang, oneLineOf } from './textLayout.js';

interface ConformFlags {
  readonly json?: boolean;
  readonly only?: string;
  readonly timeout: string;
}

interface CheckedThing {
  readonly file: string;
  readonly kind: Thing['kind'];
  readonly id: string;
  readonly isProgram: boolean;
  /** Whether all that it must do holds. */
  readonly isConforming: boolean;
  readonly checks: readonly CheckResult[];
}

export function addConform(bench: Command): void {
  bench
    .command('conform')
    .description('check algorithms and tasks of your own by the suite that those of nemokit pass')
    .argument('<path...>', 'plug-ins: modules (.mjs) or programs')
    .option('--only <name>', 'one algorithm or task by its id, or checks by a part of their name')
    .option('--timeout <seconds>', 'time limit of each check', '120')
    .option('--json', 'print one JSON document')
    .action(async (paths: readonly string[], flags: ConformFlags) => {
      await conform(paths, flags);
    });
}

/** Sets the exit code: 1 where something that must hold does not, 130 after Ctrl-C. */
async function conform(paths: readonly string[], flags: ConformFlags): Promise<void> {
  const { only, json = false } = flags;
  const limit = secondsOf('--timeout', flags.timeout);
  using interrupts = listenForInterrupts();
  const checked: CheckedThing[] = [];
  const seen: string[] = [];
  try {
    for (const file of paths) {
      await using plugin = await PluginUnderTest.open(file, { limit, signal: interrupts.signal });
      seen.push(...plugin.things.map(({ id }) => id));
      for (const thing of plugin.things) {
        const wants = wantedOf(thing, only);
        if (thing.checks.some(({ name }) => wants(name)))
          checked.push(await checkThing(plugin, { file, thing, wants, json }));
      }
    }
  } catch (error) {
    if (!interrupts.signal.aborted) throw error;
    process.stderr.write('stopped\n');
    process.exitCode = interrupts.exitCode;
    return;
  }
  if (checked.length === 0)
    throw new ArgumentError(
      '--only',
      `--only "${only}" is neither an algorithm or task of these (${seen.join(', ')}) nor a part of the name of a check`,
    );
  const isConforming = checked.every((own) => own.isConforming);
  if (json)
    process.stdout.write(`${JSON.stringify({ conformVersion: 1, isConforming, checked }, null, 2)}\n`);
  else if (checked.length > 1) {
    const conforming = checked.filter((own) => own.isConforming).length;
    process.stdout.write(`${conforming} of ${checked.length} conform\n`);
  }
  process.exitCode = isConforming ? exitCodes.ok : exitCodes.internal;
}

/** Which checks of a thing are asked: all of the one that is named, else those whose name has the words. */
function wantedOf({ id }: Thing, only: string | undefined): (name: string) => boolean {
  if (only === undefined || only === id) return () => true;
  return (name) => name.includes(only);
}

interface Asked {
  readonly file: string;
  readonly thing: Thing;
  readonly wants: (name: string) => boolean;
  readonly json: boolean;
}

async function checkThing(
  plugin: PluginUnderTest,
  { file, thing, wants, json }: Asked,
): Promise<CheckedThing> {
  const { kind, id, isProgram } = thing;
  const paint = palette(process.stdout);
  const print = (text: string) => {
    if (!json) process.stdout.write(`${text}\n`);
  };
  // Elsewhere than on a terminal, the lines of the checks are progress enough.
  using progress = new Progress({ quiet: !process.stderr.isTTY });
  const names = thing.checks.map(({ name }) => name).filter(wants);
  print(`${paint.bold(id)}  ${kind}${isProgram ? ', a program,' : ''} of ${file}`);
  const checks: CheckResult[] = [];
  progress.update(id, 0, names[0]);
  for await (const result of plugin.check(thing, wants)) {
    progress.finish();
    const isSaid = checks.some(({ reason }) => reason !== null && reason === result.reason);
    print(linesOf(result, { width: process.stdout.columns ?? 100, isSaid }));
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
  { width, isSaid }: { readonly width: number; readonly isSaid: boolean },
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
  if (reason !== null) lines.push(hang(' '.repeat(10), isSaid ? 'as above' : oneLineOf(reason), width));
  return lines.join('\n');
}

function summary(checks: readonly CheckResult[]): string {
  const having = (outcome: CheckResult['outcome'], level?: CheckResult['level']) =>
    checks.filter((own) => own.outcome === outcome && (level === undefined || own.level === level)).length;
  const parts: readonly (readonly [number, string])[] = [
    [having('fails', 'must'), 'failed'],
    [having('fails', 'should'), 'should be better'],
    [having('not asked'), 'not asked'],
  ];
  return [
    `${having('holds')} of ${count(checks.length, 'check')} hold`,
    ...parts.filter(([n]) => n > 0).map(([n, words]) => `${n} ${words}`),
  ].join(', ');
}
