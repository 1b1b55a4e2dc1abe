// The queue of passes asks for trials that there are, and in the end for all of them.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { nullRows } from '../../src/bench/nulls/index.js';
import { trialId } from '../../src/bench/trial.js';
import {
  narrow,
  parseSeeds,
  parseSpec,
  parseTasks,
  parseVariant,
  planTrials,
} from '../../src/bench/trialPlan.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const commands = execFileSync(process.execPath, ['studies/passes.mjs', '--list'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .map((line) => line.split(' '));

/** Ids of the trials that a command asks for; none of a spec that rehearsals are to write. */
function asked(command: readonly string[]): string[] {
  const flag = (name: string) => {
    const at = command.indexOf(name);
    return at < 0 ? undefined : command[at + 1];
  };
  const tasks = parseTasks(flag('--task')!);
  const seeds = parseSeeds(flag('--seeds')!);
  const rows = flag('--algorithm')?.split(',');
  const file = flag('--spec');
  if (file?.startsWith('studies/blind/')) return [];
  if (file) {
    const spec = parseSpec(readFileSync(root + file, 'utf8'), file);
    return planTrials(narrow(spec, { tasks, seeds, ...(rows && { rows }) })).map(trialId);
  }
  // noise at the distances of a study's rows, which is not listed here
  if (!rows) return [];
  const variants = rows
    .flatMap((row) => (row === 'nulls' ? nullRows : [row]))
    .map((text) => parseVariant(text));
  return planTrials({ tasks, seeds, variants, curve: { every: 50, withScores: false } }).map(trialId);
}

const runs = commands.filter((command) => command.slice(0, 3).join(' ') === 'nemokit bench run');
const trials = new Set(runs.flatMap(asked));

it('begins with what no model reaches', () => {
  expect(runs[0]).toContain('--algorithm');
  expect(runs[0]!.join(' ')).toContain('noise@0.03');
});

it.each([
  ['as-published/spec.json', '0-7'],
  ['paper-ablations/effect-of-nml.json', '0-1'],
  ['paper-ablations/architecture.json', '0-3'],
  ['paper-ablations/steps-ratio.json', '0-3'],
])('comes to all of %s, seeds %s', (name, seeds) => {
  const spec = parseSpec(readFileSync(`${root}studies/${name}`, 'utf8'), name);
  const all = planTrials({ ...spec, seeds: parseSeeds(seeds) }).map(trialId);
  expect(all.filter((id) => !trials.has(id))).toEqual([]);
});

it('comes to 16 seeds of every row without a model', () => {
  const variants = nullRows.map((text) => parseVariant(text));
  const curve = { every: 50, withScores: false };
  const all = planTrials({ tasks: parseTasks('paper'), seeds: parseSeeds('0-15'), variants, curve });
  expect(all.map(trialId).filter((id) => !trials.has(id))).toEqual([]);
});

it('keeps hand-picked presets out of tables that compare', () => {
  const spec = parseSpec(readFileSync(`${root}studies/as-published/spec.json`, 'utf8'), 'spec.json');
  expect(
    spec.variants.map(({ variant }) => variant).filter((name) => !/^(published|reduced)$/.test(name)),
  ).toEqual([]);
  expect(new Set(spec.variants.map(({ preset }) => preset))).toEqual(new Set(['paper', 'designBench']));
});
