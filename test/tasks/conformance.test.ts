// What every registered task promises. Tasks on data run where the data are; oracles that take minutes are reduced.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { argsort, extent, median } from '../../src/numeric/index.js';
import { requireSpace, violations } from '../../src/space/index.js';
import { datasetOf, datasets, taskOf, tasks } from '../../src/tasks/index.js';
import {
  moleculeActivity,
  moleculeActivityDefaults,
  openMoleculeActivity,
} from '../../src/tasks/moleculeActivity.js';
import { superconductorComposition, superconductorGbdt } from '../../src/tasks/superconductor.js';
import type { Task, TaskDefinition } from '../../src/tasks/task.js';
import { isThere, realFolder, realSource } from './sources.js';

/** Same task, oracle of seconds: what is said of data and space does not depend on it. */
const reducedOracle = { trees: 12, rate: 0.3, depth: 10 };
const reduced: Readonly<Record<string, TaskDefinition>> = {
  'molecule-activity-forest-v1': {
    ...moleculeActivity,
    open: (source) => openMoleculeActivity(source, { ...moleculeActivityDefaults, trees: 20 }),
  },
  'superconductor-composition-v1': superconductorComposition(reducedOracle),
  'superconductor-gbdt-v1': superconductorGbdt(reducedOracle),
};

/** What `node benchmarks/tasks.mjs` wrote. */
const recorded: Readonly<
  Record<string, { startBest: number; startMedian: number; range: { worst: number; best: number } }>
> = JSON.parse(readFileSync(new URL('../../benchmarks/results/tasks.json', import.meta.url), 'utf8')).tasks;

const pages = new URL('../../docs/tasks/', import.meta.url);
const pageTexts = readdirSync(pages)
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .map((name) => readFileSync(new URL(name, pages), 'utf8'));

/** Numbers of a page, at the precision in which they are written: 17,014 and 0.439. */
function isWritten(value: number, page: string): boolean {
  return [...page.matchAll(/-?\d[\d,]*(?:\.\d+)?/g)].some(([text]) => {
    const plain = text.replaceAll(',', '').replace(/\.$/, '');
    const digits = plain.split('.')[1]?.length ?? 0;
    return plain.replace(/\D/g, '').length >= 2 && Number(plain) === Number(value.toFixed(digits));
  });
}

function someRows(task: Task, most: number): { x: Float64Array; y: Float64Array; d: number } {
  const d = task.space.columns.length;
  const N = task.data.y.length;
  const rows = Array.from({ length: Math.min(most, N) }, (_, i) => Math.floor((i * N) / Math.min(most, N)));
  return {
    x: Float64Array.from(rows.flatMap((row) => [...task.data.x.subarray(row * d, (row + 1) * d)])),
    y: Float64Array.from(rows, (row) => task.data.y[row]!),
    d,
  };
}

function correlation(a: Float64Array, b: Float64Array): number {
  const center = (v: Float64Array) => v.map((value) => value - v.reduce((s, own) => s + own, 0) / v.length);
  const [u, v] = [center(a), center(b)];
  const dot = (s: Float64Array, t: Float64Array) => s.reduce((sum, value, i) => sum + value * t[i]!, 0);
  return dot(u, v) / Math.sqrt(dot(u, u) * dot(v, v));
}

describe('the list of tasks', () => {
  it('is in order, with ids that carry a version', () => {
    const ids = tasks.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*-v[1-9]\d*$/);
  });

  it('needs datasets that are in the catalogue', () => {
    const known = datasets.map(({ id }) => id);
    for (const task of tasks) expect(known).toEqual(expect.arrayContaining([...task.datasets]));
  });

  it('says which tasks there are', () => {
    expect(taskOf('superconductor-gbdt-v1').paper).toBe('Superconductor');
    expect(() => taskOf('superconductor')).toThrow('there is no task "superconductor"; there are ');
  });
});

const source = realSource();

describe.each(tasks.map((task) => [task.id, task] as const))('%s', (id, definition) => {
  const missing = definition.datasets.filter((dataset) => !isThere(dataset));
  if (missing.length > 0)
    process.stderr.write(`${id} skipped: no ${missing.join(', ')} in ${realFolder} (set NEMOKIT_DATA)\n`);
  const opened = (reduced[id] ?? definition).open;
  let first: Promise<Task> | undefined;
  const open = () => {
    first ??= opened(source);
    return first;
  };
  const isReduced = id in reduced;
  // A tenth of a second for a design.
  const isSimulated = definition.datasets.some((dataset) => datasetOf(dataset).ships);
  const page = pageTexts.find((text) => text.includes(id));

  it('has a page', () => {
    expect(page).toBeDefined();
  });

  describe.skipIf(missing.length > 0)('with its data', () => {
    it('has data of the shape of its space, all numbers within its range', async () => {
      const { data, space, range } = await open();
      requireSpace(space);
      expect(data.x).toHaveLength(data.y.length * space.columns.length);
      expect(data.x.every(Number.isFinite) && data.y.every(Number.isFinite)).toBe(true);
      expect(range.worst).toBeLessThan(range.best);
      expect(data.y.every((y) => y >= range.worst && y <= range.best)).toBe(true);
    }, 120_000);

    it('has a visible part as its page says', async () => {
      const { data } = await open();
      const best = data.y.reduce((most, y) => Math.max(most, y));
      expect(isWritten(data.y.length, page ?? ''), `${data.y.length} rows`).toBe(true);
      expect(isWritten(best, page ?? ''), `visible maximum ${best}`).toBe(true);
    }, 120_000);

    it('has visible rows that are feasible designs', async () => {
      const task = await open();
      const { x, d } = someRows(task, 1000);
      for (let i = 0; i < x.length; i += d) expect(violations(task.space, x.subarray(i, i + d))).toEqual([]);
    }, 120_000);

    it('scores the same designs the same, alone or together', async () => {
      const task = await open();
      const { x, y, d } = someRows(task, isSimulated ? 8 : 40);
      const scores = await task.score(x);
      expect(scores).toHaveLength(y.length);
      expect(scores.every(Number.isFinite)).toBe(true);
      expect(await task.score(x)).toEqual(scores);
      expect(await task.score(x.subarray(3 * d, 4 * d))).toEqual(scores.subarray(3, 4));
      const again = await opened(source);
      expect(await again.score(x)).toEqual(scores);
      expect(again.data.y).toEqual(task.data.y);
    }, 120_000);

    it('scores visible rows as they were measured, as far as the oracle goes', async () => {
      const task = await open();
      const { x, y } = someRows(task, isSimulated ? 30 : 1000);
      const scores = await task.score(x);
      if (definition.provenance.labels === 'scored')
        scores.forEach((score, i) => {
          expect(score).toBeCloseTo(y[i]!, 9);
        });
      // Fitted oracles, reduced ones included, explain most of the measurements.
      else expect(correlation(scores, y)).toBeGreaterThan(0.9);
    }, 120_000);

    it(`has the range ${isReduced ? '' : 'and scores its best visible rows '}as recorded`, async () => {
      const task = await open();
      const d = task.space.columns.length;
      const best = argsort(task.data.y, 'descending').slice(0, 128);
      const designs = [...best].flatMap((row) => [...task.data.x.subarray(row * d, (row + 1) * d)]);
      // Where labels are scores, the test above has compared the two: simulations take their time.
      const isLabelled = definition.provenance.labels === 'scored';
      const scores = isLabelled
        ? Float64Array.from(best, (row) => task.data.y[row]!)
        : await task.score(Float64Array.from(designs));
      expect(scores.every(Number.isFinite)).toBe(true);
      const { startBest, startMedian, range } = recorded[id]!;
      expect(task.range.worst).toBeCloseTo(range.worst, 9);
      expect(task.range.best).toBeCloseTo(range.best, 9);
      if (isReduced) return;
      // A version whose scores change has to get another number.
      expect(extent(scores).max).toBeCloseTo(startBest, 9);
      expect(median(scores)).toBeCloseTo(startMedian, 9);
      expect(task.range.worst).toBeCloseTo(range.worst, 9);
      expect(task.range.best).toBeCloseTo(range.best, 9);
    }, 120_000);

    it('rejects what is no design', async () => {
      const task = await open();
      const { x, d } = someRows(task, 2);
      const broken = Float64Array.from(x);
      broken[d] = Number.NaN;
      await expect(task.score(broken)).rejects.toThrow(/NaN/);
      await expect(task.score(x.subarray(0, d - 1))).rejects.toThrow(/\b(?:numbers|length|columns)\b/);
    }, 120_000);
  });
});
