// What every registered task promises: the suite of `nemokit bench conform`, of which ours keep every "should" as well,
// and what only ours can promise: pages, records, order. Tasks on data run where the data are; oracles that take minutes
// are reduced.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NotAsked } from '../../src/conformance/check.js';
import { openOnce, type TaskContext, taskChecks } from '../../src/conformance/taskChecks.js';
import { argsort, extent, median } from '../../src/numeric/index.js';
import { datasetOf } from '../../src/tasks/datasets.js';
import { taskOf, tasks } from '../../src/tasks/index.js';
import {
  moleculeActivity,
  moleculeActivityDefaults,
  openMoleculeActivity,
} from '../../src/tasks/moleculeActivity.js';
import { superconductorComposition, superconductorGbdt } from '../../src/tasks/superconductor.js';
import type { TaskDefinition } from '../../src/tasks/task.js';
import { isThere, realFolder, realSource } from './sources.js';

/** Same task, oracle of seconds: what is said of data and space does not depend on it. */
const reducedOracle = { trees: 4, rate: 0.3, depth: 10 };
const reduced: Readonly<Record<string, TaskDefinition>> = {
  'molecule-activity-forest-v1': {
    ...moleculeActivity,
    open: (source) => openMoleculeActivity(source, { ...moleculeActivityDefaults, trees: 5 }),
  },
  'superconductor-composition-v1': superconductorComposition(reducedOracle),
  'superconductor-gbdt-v1': superconductorGbdt(reducedOracle),
};

/** What `node studies/tasks/run.mjs` wrote. */
const recorded: Readonly<
  Record<string, { startBest: number; startMedian: number; range: { worst: number; best: number } }>
> = JSON.parse(readFileSync(new URL('../../studies/tasks/results.json', import.meta.url), 'utf8')).tasks;

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

describe('the list of tasks', () => {
  it('is in order', () => {
    const ids = tasks.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('says which tasks there are', () => {
    expect(taskOf('superconductor-gbdt-v1').paper).toBe('Superconductor');
    expect(() => taskOf('superconductor')).toThrow('there is no task "superconductor"; there are ');
  });
});

const source = realSource();

const checks = taskChecks.map(({ name, check, needsData }) => ({ needsData, row: [name, check] as const }));
const withData = checks.filter(({ needsData }) => needsData).map(({ row }) => row);
const withoutData = checks.filter(({ needsData }) => !needsData).map(({ row }) => row);

describe.each(tasks.map((task) => [task.id, task] as const))('%s', (id, definition) => {
  const missing = definition.datasets.filter((dataset) => !isThere(dataset));
  if (missing.length > 0)
    process.stderr.write(`${id} skipped: no ${missing.join(', ')} in ${realFolder} (set NEMOKIT_DATA)\n`);
  const isReduced = id in reduced;
  // A tenth of a second for a design.
  const isSimulated = definition.datasets.some((dataset) => datasetOf(dataset).ships);
  const context: TaskContext = {
    definition: { ...definition, open: (reduced[id] ?? definition).open },
    taken: tasks.map((task) => task.id).filter((other) => other !== id),
    source,
    rows: isSimulated ? { few: 4, many: 12 } : { few: 40, many: 1000 },
  };
  const open = () => openOnce(context);
  const page = pageTexts.find((text) => text.includes(id));

  it.each(withoutData)('%s', async (_, check) => {
    await check(context);
  });

  it('has a page', () => {
    expect(page).toBeDefined();
  });

  describe.skipIf(missing.length > 0)('with its data', () => {
    it.each(withData)('%s', async (name, check) => {
      await check(context).catch((error: unknown) => {
        // Every task has one kind of labels, and the check of the other kind is not for it.
        const { labels } = definition.provenance;
        const other = labels === 'scored' ? 'where they were measured' : 'where they were scored';
        if (!(error instanceof NotAsked && name.endsWith(other))) throw error;
      });
    });

    it('has a visible part as its page says', async () => {
      const { data } = await open();
      const best = data.y.reduce((most, y) => Math.max(most, y));
      expect(isWritten(data.y.length, page ?? ''), `${data.y.length} rows`).toBe(true);
      expect(isWritten(best, page ?? ''), `visible maximum ${best}`).toBe(true);
    });

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
    });
  });
});
