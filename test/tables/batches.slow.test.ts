// Random rules over random messy tables: batches are put together with made-up promises, and checked cell by cell.
import { expect, it } from 'vitest';
import { batchPool } from '../../src/design/batchPool.js';
import { batchRulesOf, requestOf } from '../../src/design/designRequest.js';
import { composeBatch, tierCounts } from '../../src/judging/composeBatch.js';
import { PastRows } from '../../src/judging/novelty.js';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { joinRows, rowOf } from '../../src/numeric/rows.js';
import { specFrom, stateFor, toCells } from '../../src/problem/index.js';
import { fitEncoding } from '../../src/search/encoding.js';
import { sample, violations } from '../../src/space/index.js';
import { read } from '../table/reading.js';
import { messyTable } from './messyTables.js';

it('hold in 40 tables', async () => {
  const wrong: string[] = [];
  let designs = 0;
  for (let seed = 0; seed < 40; seed++) {
    const messy = messyTable(seed);
    const { goal, constraint } = messy;
    const stream = new Stream(rootKey(5000 + seed));
    const spec = specFrom({ goal, ...(constraint && { constraints: [constraint.text] }) });
    const problem = await stateFor(await read(messy.csv), spec);
    const d = problem.space.columns.length;
    const [first, second] = Object.keys(messy.numbers) as [string, string];
    const quoted = (name: string) => `"${name}"`;
    const met = await sample(problem.space, stream, 200);
    const most = 1 + stream.integer(3);
    const usual = problem.columns.find(({ name }) => name === second);
    if (usual?.kind !== 'number' && usual?.kind !== 'integer') throw new Error('expected a number');
    // a little more than half of the usual cost
    const budget = 6 * (0.45 * usual.min + 0.45 * usual.max + 1);
    const texts = Object.entries(messy.texts).find(([, levels]) => levels.length > 1);
    const avoided = texts && { column: texts[0], level: texts[1][0]! };
    const request = requestOf(
      problem,
      {
        batch: 6,
        same: [`${most} values of ${first}`],
        cost: quoted(second),
        budget,
        ...(seed % 2 === 0 && { tiers: [3, 2, 1] }),
      },
      avoided && {
        avoid: await read(`${quoted(avoided.column)}\n${avoided.level}\n`, { text: [avoided.column] }),
      },
    );
    const { rules, kept } = batchRulesOf(request);
    const promise = async (x: Float64Array) =>
      Array.from({ length: x.length / d }, (_, i) =>
        Math.sin(17 * rowOf(x, d, i).reduce((a, b) => a + b, 0)),
      );
    const pool = await batchPool(problem, [met], { rules, kept, seed, isFront: false, promise });
    const x = joinRows(pool);
    const past = new PastRows(fitEncoding(problem.data, problem.space, { box: null }), problem.data.x);
    const expected = await promise(x);
    const picked = composeBatch(
      {
        designs: pool,
        kept: 0,
        judged: expected.map((value) => ({
          expected: value,
          low: value - 1,
          high: value + 1,
          promise: value,
          doubt: 1,
          goals: [],
        })),
        points: past.place(x),
        toPast: expected.map(() => Number.POSITIVE_INFINITY),
      },
      { rules, tiers: tierCounts(request.tiers, 6), front: null, measured: [] },
      past,
    );
    const chosen = picked.map(({ design }) => pool[design]!);
    const cells = chosen.flatMap((row) => toCells(problem, row));
    designs += chosen.length;
    const blame = (what: string) => wrong.push(`table ${seed}: ${what}`);
    if (new Set(cells.map((row) => row[first])).size > most) blame(`more than ${most} values of ${first}`);
    const total = cells.reduce((sum, row) => sum + Number(row[second]), 0);
    if (total > budget * (1 + 1e-9)) blame(`costs ${total} of ${budget}`);
    if (avoided && cells.some((row) => row[avoided.column] === avoided.level)) blame(`has ${avoided.level}`);
    if (new Set(cells.map((row) => JSON.stringify(row))).size < cells.length) blame('has a design twice');
    for (const row of chosen) for (const broken of violations(problem.space, row)) blame(broken);
    if (chosen.length < 6) blame(`has ${chosen.length} designs`);
  }
  expect(wrong).toEqual([]);
  expect(designs).toBe(240);
});
