import { describe, expect, it } from 'vitest';
import { climbJudges, climbs } from '../../src/design/climb.js';
import { repeatsOf } from '../../src/design/doableDesigns.js';
import { Panel } from '../../src/judging/panel.js';
import { ProcessJudge } from '../../src/models/processJudge.js';
import { openLinearAlgebra, rootKey } from '../../src/numeric/index.js';
import { specFrom, stateFor } from '../../src/problem/index.js';
import { fitEncoding } from '../../src/search/encoding.js';
import { violations } from '../../src/space/index.js';
import { read } from '../table/reading.js';
import { csvOf } from '../tables/roleTables.js';

/** A recipe of three parts at some temperature; best with much of b, hot. */
async function recipe() {
  const text = csvOf(30, (_, s) => {
    const a = Math.round(50 * s.uniform());
    const b = Math.round(50 * s.uniform());
    const temp = 20 + Math.round(60 * s.uniform());
    return {
      a: (a / 100).toFixed(2),
      b: (b / 100).toFixed(2),
      c: ((100 - a - b) / 100).toFixed(2),
      temp,
      yield: (b + temp / 4 + s.uniform()).toFixed(2),
    };
  });
  return stateFor(await read(text), specFrom({ goal: 'max yield' }), {});
}

async function panelOf({ data, space }: Awaited<ReturnType<typeof recipe>>): Promise<Panel> {
  const linalg = await openLinearAlgebra({ kernel: 'wasm' });
  const encoding = fitEncoding(data, space, { box: null });
  const judge = ProcessJudge.fit(linalg, { encoding, x: data.x, y: data.y, noise: null }, rootKey(0));
  return new Panel(judge, null, { weight: 1, shift: 0, reach: 1.3, rise: 1.3, sample: 30 });
}

describe('a climb of the judges', () => {
  it('finds better designs, all of them new and feasible', async () => {
    const problem = await recipe();
    const panel = await panelOf(problem);
    const d = problem.space.columns.length;
    const isRepeat = repeatsOf(problem);
    const past = (await panel.read(problem.data.x)).mean.reduce((most, m) => Math.max(most, m));
    const options = { population: 16, generations: 6, key: rootKey(1), others: [] };
    for (const climb of climbs) {
      const designs = await climbJudges(problem, panel, climb, options);
      expect(designs.length / d).toBeGreaterThan(0);
      for (let at = 0; at < designs.length; at += d) {
        const design = designs.subarray(at, at + d);
        expect(violations(problem.space, design, 1e-6)).toEqual([]);
        expect(isRepeat(design)).toBe(false);
      }
      const { mean } = await panel.read(designs);
      if (climb === 'mean') expect(mean.reduce((most, m) => Math.max(most, m))).toBeGreaterThan(past);
    }
    const again = await climbJudges(problem, panel, 'mean', options);
    expect([...again]).toEqual([...(await climbJudges(problem, panel, 'mean', options))]);
  });
});
