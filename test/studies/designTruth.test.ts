// The study of designs against exact truth: its sets, and the result that its page shows.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { foldKey, rootKey, Stream, standardDeviation } from '../../dist/numeric/index.js';
import { specFrom, stateFor } from '../../dist/problem/index.js';
import { readTable } from '../../dist/table/index.js';
import { exactTruth } from '../../studies/design-truth/exactTruth.mjs';
import { fifthTruths } from '../../studies/design-truth/fifthTruths.mjs';
import { fourthTruths } from '../../studies/design-truth/fourthTruths.mjs';
import { secondTruths } from '../../studies/design-truth/secondTruths.mjs';
import { drawDesign, halves, tables } from '../../studies/design-truth/tables.mjs';
import { latest, targetsOf, withResult } from '../../studies/design-truth/targets.mjs';
import { thirdTruths } from '../../studies/design-truth/thirdTruths.mjs';
import { truths } from '../../studies/design-truth/truths.mjs';

const folder = new URL('../../studies/design-truth/', import.meta.url);
const all = [...truths, ...secondTruths, ...thirdTruths, ...fourthTruths, ...fifthTruths];

describe('the truths', () => {
  it('have names of their own, and a best value where the goal is single', () => {
    const best = JSON.parse(readFileSync(new URL('best.json', folder), 'utf8'));
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(Object.keys(best).sort()).toEqual(
      all
        .filter(({ second }) => !second)
        .map(({ name }) => name)
        .sort(),
    );
  });

  it.each([...fourthTruths, ...fifthTruths].map((truth) => [truth.name, truth] as const))(
    '%s has a value everywhere',
    (_, truth) => {
      const stream = new Stream(foldKey(rootKey(0), 'designs of a test'));
      for (let draw = 0; draw < 200; draw++) {
        const cells = drawDesign(truth, stream);
        expect(truth.value(cells)).toSatisfy(Number.isFinite);
        if (truth.second) expect(truth.second.value(cells)).toSatisfy(Number.isFinite);
      }
    },
  );

  // sources stand beside the formulas
  it.each([
    ['tubularColumn', { diameter: 5.4513, wall: 0.29196 }, 26.5, 0.001],
    ['steppedBeam', { step1: 6.016, step2: 5.309, step3: 4.494, step4: 3.502, step5: 2.153 }, 1.33996, 1e-4],
    ['bulkhead', { width: 57.6923, depth: 34.1476, length: 57.6923, plate: 1.05 }, 6.84296, 1e-4],
    ['williamsOtto', { feedA: 1.8275, feedB: 4.787, celsius: 89.7 }, 190.98, 0.01],
    ['clutch', { inner: 70, outer: 90, disc: 1, force: 810, surfaces: 3 }, 0.313656, 1e-6],
    ['kowalik4', { x1: 0.192807, x2: 0.191282, x3: 0.123056, x4: 0.136062 }, Math.log10(3.0749e-4), 1e-4],
    ['hosaki', { x1: 4, x2: 2 }, -2.3458, 1e-4],
    ['mccormick', { x1: -0.54719, x2: -1.54719 }, -1.9132, 1e-4],
    ['rosenSuzuki4', { x1: 0, x2: 1, x3: 2, x4: -1 }, -44, 1e-9],
    ['schwefel2', { x1: 420.9687, x2: 420.9687 }, 0, 1e-3],
    [
      'thrustBearing',
      { recess: 5.389013052, land: 0.56676745, viscosity: 5.358697267, flow: 2.26965598 },
      16.254428,
      1e-5,
    ],
    [
      'heatNetwork',
      {
        ...{ area1: 579.30669, area2: 1359.97068, area3: 5109.97066 },
        ...{ cold1: 182.0177, cold2: 295.60117, hot1: 217.9823, hot2: 286.41653, hot3: 395.60117 },
      },
      7049.248,
      0.01,
    ],
    [
      'sallenKey',
      { kohm1: 15.9155, kohm2: 15.9155, kohm3: 15.9155, nano1: 20, nano2: 5, nano3: 10 },
      0,
      1e-4,
    ],
    ['eggholder', { x1: 512, x2: 404.2319 }, -959.6407, 1e-4],
    ['bird', { x1: 4.70104, x2: 3.15294 }, -106.7645, 1e-4],
    ['bard3', { x1: 0.08241, x2: 1.133036, x3: 2.343695 }, Math.log10(8.21487e-3), 1e-4],
    ['powerSum4', { x1: 1, x2: 2, x3: 2, x4: 3 }, 0, 1e-9],
    ['brownDennis4', { x1: -11.594, x2: 13.2036, x3: -0.403439, x4: 0.236779 }, Math.log10(85822.2), 1e-5],
    ['crescent', { x1: 14.0950001, x2: 0.842961 }, -6961.81388, 1e-2],
    ['xanthakis', { x1: 1.2279713, x2: 4.2453733 }, 95.825, 1e-3],
    ['nesterov4', { x1: 1, x2: 1, x3: 1, x4: 1 }, 0, 1e-9],
    ['yarn3', { PE: 0.3, PS: 0, PP: 0.7 }, 17.384, 1e-3],
  ])('%s has its published value', (name, cells, value, within) => {
    const found = all.find((truth) => truth.name === name)!.value(cells);
    expect(Math.abs(found - value)).toBeLessThan(within);
  });
});

describe('the tables', () => {
  it('have names of their own, and are on a half', () => {
    expect(new Set(tables.map(({ name }) => name)).size).toBe(tables.length);
    for (const { half } of tables) expect(Object.keys(halves)).toContain(half);
    expect(tables.filter(({ half }) => half === 'fourth')).toHaveLength(83);
    expect(tables.filter(({ half }) => half === 'fifth')).toHaveLength(85);
  });

  const several = tables.filter((table) => table.half === 'fifth' && table.best === null);
  it.each(several.map((table) => [table.name, table] as const))(
    '%s leaves a quarter of the deviation of its scores to find',
    async (name, table) => {
      const rows = table.make();
      const problem = await stateFor(await readTable(rows, { name }), specFrom(table.words));
      const { best, bestVisible, truthOf } = exactTruth(table, problem, rows);
      const scores = rows.map((cells) => truthOf(cells)!);
      expect(best - bestVisible).toBeGreaterThan(standardDeviation(scores) / 4);
    },
  );
});

describe('the page', () => {
  it('shows what the records say of the latest version', () => {
    const { text, made } = withResult();
    expect(text).toBe(made);
  });

  it('counts every target, with words where nothing was run', () => {
    const { half, version } = latest();
    const targets = targetsOf(half, version);
    expect(targets).toHaveLength(11);
    for (const { reached, isEnough } of targets) expect(reached === 'not run').toBe(isEnough === null);
  });
});
