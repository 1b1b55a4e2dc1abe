import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataDistance } from '../../src/bench/dataDistance.js';
import { compareWithNulls, matchedDistance, matchedTrials } from '../../src/bench/nullComparison.js';
import { nullRows, nulls } from '../../src/bench/nulls/index.js';
import { nullTables } from '../../src/bench/nullTables.js';
import type { AnyAlgorithm } from '../../src/bench/registry.js';
import { summarize } from '../../src/bench/summary.js';
import { resultTables } from '../../src/bench/tables.js';
import { algorithmChecks } from '../../src/conformance/algorithmChecks.js';
import { type Engine, openEngine, rootKey } from '../../src/numeric/index.js';
import { takeRows } from '../../src/numeric/rows.js';
import { run } from '../../src/run.js';
import { violations } from '../../src/space/index.js';
import { taskOf } from '../../src/tasks/index.js';
import { memorySource } from '../tasks/sources.js';
import { sampleRecord } from './sampleRecord.js';

let engines: [Engine, Engine];
beforeAll(async () => {
  engines = [
    await openEngine({ kernel: 'wasm', threads: 1 }),
    await openEngine({ kernel: 'wasm', threads: 2 }),
  ];
});
afterAll(async () => {
  for (const engine of engines) await engine.close();
});

/** `every`: every how many-th row is taken; distances to all of them take long. */
async function drawn(row: string, task: string, changes: object = {}, every = 1) {
  const { data: all, space, score } = await taskOf(task).open(memorySource({}));
  const d = space.columns.length;
  const rows = Array.from(all.y.keys()).filter((i) => i % every === 0);
  const data = { x: takeRows(all.x, d, rows), y: Float64Array.from(rows, (i) => all.y[i]!) };
  const [id = '', preset] = row.split('@');
  const algorithm = (nulls as unknown as Record<string, AnyAlgorithm>)[id]!;
  const options = {
    ...algorithm.defaults,
    ...(preset ? algorithm.presets[preset]!.options : {}),
    ...changes,
  };
  const setup = { data, space, options, engine: engines[0] };
  const state = await run(algorithm, setup, rootKey(0));
  return { data, space, score, designs: algorithm.propose(state, setup) };
}

describe('rows without a model', () => {
  it('are algorithms like others', async () => {
    const unmet: Record<string, string[]> = {};
    for (const [id, typed] of Object.entries(nulls)) {
      const algorithm = typed as unknown as AnyAlgorithm;
      expect(algorithm.id).toBe(id);
      unmet[id] = [];
      const context = { algorithm, taken: [], engines };
      for (const { name, level, check } of algorithmChecks) {
        const fault = await check(context).then(
          () => null,
          (error: Error) => (error.name === 'NotAsked' ? null : `${id}: ${name}: ${error.message}`),
        );
        if (level === 'must') expect(fault).toBeNull();
        else if (fault !== null) unmet[id].push(name);
      }
    }
    // the start draws nothing and is the visible designs
    expect(unmet).toEqual({
      start: ['is another run for another seed', 'beats the best visible design on a quadratic'],
      noise: [],
      random: [],
      sobol: [],
    });
  });

  it('start: the best rows as they are, with the scores that were visible', async () => {
    const { data, designs, score } = await drawn('start', 'hartmann6-v1');
    const best = Array.from(data.y).sort((a, b) => b - a);
    expect(Array.from(await score(designs))).toEqual(best.slice(0, 128));
  });

  it.each(['hartmann6-v1', 'ehrlich-like-v1'])(
    'noise on %s is as far from the data as asked',
    async (task) => {
      for (const wanted of [0.1, 0.2]) {
        const { data, space, designs } = await drawn('noise', task, { distance: wanted }, 20);
        const reached = new DataDistance(data, space).medianOf(designs);
        expect(reached).toBeGreaterThanOrEqual(0.99 * wanted);
        // a class more or less is one step of the distance
        expect(reached).toBeLessThanOrEqual(task === 'ehrlich-like-v1' ? wanted + 0.03 : 1.01 * wanted);
      }
    },
  );

  it('noise of no distance is the start', async () => {
    const start = await drawn('start', 'branin-v1');
    expect((await drawn('noise', 'branin-v1', { distance: 0 })).designs).toEqual(start.designs);
  });

  it.each(['random', 'sobol'])('%s fills the box', async (row) => {
    const { space, designs } = await drawn(row, 'branin-v1');
    const d = space.columns.length;
    for (let at = 0; at < designs.length; at += d)
      expect(violations(space, designs.subarray(at, at + d))).toEqual([]);
    const [first] = space.columns;
    if (first?.kind !== 'continuous') throw new Error('Branin has numbers');
    const shares = Array.from(
      { length: 128 },
      (_, i) => (designs[i * d]! - first.lower) / (first.upper - first.lower),
    );
    const mean = shares.reduce((sum, share) => sum + share) / 128;
    // of 128 uniform numbers the mean has deviation 0.0255; a Sobol sequence has a point in each 128th
    expect(Math.abs(mean - 0.5)).toBeLessThan(row === 'sobol' ? 1 / 128 : 0.1);
    if (row === 'sobol') expect(new Set(shares.map((share) => Math.floor(share * 128))).size).toBe(128);
  });

  it('are named by `--algorithm nulls`', () => {
    expect(nullRows).toEqual(['start', 'noise@0.03', 'noise@0.1', 'noise@0.3', 'random', 'sobol']);
  });
});

describe('what rows add to doing nothing', () => {
  const noisy = (seed: number, distance: number, scores: number[], variant = 'matched') => ({
    ...sampleRecord({ algorithm: 'noise', variant, seed, scores, options: { distance } }),
    id: `noise ${distance} ${seed}`,
  });
  const records = [
    ...[0, 1, 2].map((seed) => sampleRecord({ algorithm: 'nemo', seed, scores: [5 + seed, 1, 0] })),
    sampleRecord({ algorithm: 'start', seed: 0, scores: [4, 3, 0], options: { startFrom: 'best' } }),
    ...[0, 1, 2].map((seed) => noisy(seed, 0.5, [6, 0.5, 0])),
    noisy(0, 0.3, [9, 9, 9], '0.3'),
  ];

  it('is the mean difference by seed, to the start and to noise as far away', () => {
    const [start, noise] = compareWithNulls(records);
    // designs of the sample records are 0.5 from the data
    expect(start).toMatchObject({
      against: 'start',
      distance: null,
      differences: { 100: { mean: 2, pairs: 3 } },
    });
    expect(start!.differences![50]).toMatchObject({ mean: -2, low: -2, high: -2 });
    expect(noise).toMatchObject({ against: 'noise', distance: 0.5, differences: { 100: { mean: 0 } } });
    expect(noise!.differences![50]).toMatchObject({ mean: 0.5, wins: 3 });
  });

  it('is not said of a batch of another size, whose best is better by chance', () => {
    const larger = records.map((record) =>
      record.algorithm === 'start'
        ? { ...record, result: { ...record.result, scores: [4, 3, 0, 0] } }
        : record,
    );
    const [start, noise] = compareWithNulls(larger);
    expect(start!.differences).toBeNull();
    expect(noise!.differences).not.toBeNull();
  });

  it('is said in tables, whose last rows are the nulls', () => {
    const [best, , , better] = [
      ...resultTables(summarize(records), { scale: 'raw' }),
      ...nullTables(compareWithNulls(records)),
    ];
    expect(best!.rows.map(({ cells, isApart }) => [cells[0]!.text, isApart ?? false])).toEqual([
      ['nemo', false],
      ['start', true],
      ['noise (0.3)', false],
    ]);
    expect(better!.title).toBe('100th percentile: better than noise at the same distance?');
    expect(better!.rows[0]!.cells[1]!.text).toBe('0.000, -1.000 to +1.000 [0.5]');
    expect(better!.notes.at(-1)).toBe(
      '1 of these intervals is of 3 pairs, and too narrow: without any difference one of 8 lies above 0 by chance',
    );
  });

  it('says which null a cell lacks', () => {
    const [, better] = nullTables(compareWithNulls(records.filter(({ variant }) => variant !== 'matched')));
    expect(better!.rows[0]!.cells[1]!.text).toBe('null not run [0.5]');
  });

  it('says where nothing was run beside it', () => {
    const alone = [sampleRecord({ algorithm: 'nemo', seed: 0, scores: [1] })];
    expect(nullTables(compareWithNulls(alone))).toEqual([]);
    const [best] = resultTables(summarize(alone), { scale: 'raw' });
    expect(best!.rows.at(-1)!.cells.map(({ text }) => text)).toEqual(['start', 'not run']);
  });

  it('asks for one batch of noise per task and distance', () => {
    expect([0.0276, 0.0123, 0.15, 1.354, 0, 0.1].map(matchedDistance)).toEqual([
      0.027, 0.012, 0.15, 1.3, 0, 0.1,
    ]);
    const trials = matchedTrials(records, { tasks: null, seeds: [0, 1] });
    expect(trials.map(({ options, seed, variant }) => [options.distance, seed, variant])).toEqual([
      [0.5, 0, 'matched'],
      [0.5, 1, 'matched'],
    ]);
  });
});
