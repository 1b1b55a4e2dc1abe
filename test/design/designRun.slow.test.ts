import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DesignResult } from '../../src/design/describe.js';
import type { DesignRequest } from '../../src/design/designRequest.js';
import { DesignRun, type DesignState } from '../../src/design/designRun.js';
import { openAdvisor } from '../../src/design/savedModel.js';
import { type Engine, openEngine, rootKey, Stream } from '../../src/numeric/index.js';
import { type ProblemSpec, stateProblem } from '../../src/problem/index.js';
import { readTable, type Table } from '../../src/table/index.js';

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine({ kernel: 'wasm', threads: 1 });
});
afterAll(() => engine.close());

/** Strength rises with a and falls with b; cost rises with both; kind B adds to strength. */
function rows(count: number) {
  const stream = new Stream(rootKey(4));
  return Array.from({ length: count }, () => {
    const a = Math.round(100 * stream.uniform()) / 10;
    const b = Math.round(100 * stream.uniform()) / 10;
    const kind = stream.uniform() < 0.5 ? 'A' : 'B';
    return { a, b, kind, strength: 2 * a - b + (kind === 'B' ? 3 : 0) + 0.2 * stream.normal(), cost: a + b };
  });
}

async function requestFor(
  spec: ProblemSpec,
  { choices, ...more }: Partial<DesignRequest> & { readonly choices?: Table } = {},
): Promise<DesignRequest> {
  const table = await readTable(rows(60), { name: 'past' });
  const problem = stateProblem(table, spec, choices ? { choices } : {});
  return { problem, batch: 4, seed: 0, method: 'nemo', effort: 'fast', options: { steps: 12 }, ...more };
}

async function finish(
  run: DesignRun,
  from?: DesignState,
): Promise<{ state: DesignState; result: DesignResult }> {
  let state = from ?? (await run.start());
  while (!run.isDone(state)) state = await run.advance(state);
  return { state, result: await run.finish(state) };
}

describe('a run', () => {
  it('finds the same from any of its states', async () => {
    const request = await requestFor({ goals: ['max strength'], columns: { cost: { role: 'ignore' } } });
    const run = DesignRun.open(request, engine);
    const kept: DesignState[] = [];
    let state = await run.start();
    let last = 0;
    while (!run.isDone(state)) {
      state = await run.advance(state);
      const { fraction } = run.progress(state);
      expect(fraction).toBeGreaterThanOrEqual(last);
      last = fraction;
      kept.push(state);
    }
    const { findings } = await run.finish(state);
    for (const share of [0.4]) {
      const other = DesignRun.open(request, engine);
      const from = structuredClone(kept[Math.floor(share * kept.length)]!);
      expect((await finish(other, from)).result.findings).toEqual(findings);
      other.dispose();
    }
    expect(findings.goal).toMatchObject({ name: 'strength', direction: 'max' });
    expect(findings.candidates).toHaveLength(4);
    expect(findings.validation.rankCorrelation).toBeGreaterThan(0.8);
    for (const { cells, expected, lo80, hi80, goals } of findings.candidates) {
      expect(Object.keys(cells)).toEqual(['a', 'b', 'kind']);
      expect(lo80).toBeLessThanOrEqual(expected);
      expect(expected).toBeLessThanOrEqual(hi80);
      expect(goals).toEqual([{ expected, lo80, hi80 }]);
    }
    expect(findings.verdict.level).not.toBe('unsupported');
    run.dispose();
  });

  it('keeps a prediction of each goal, and says the same from its saved networks', async () => {
    const request = await requestFor({ goals: ['max strength', 'min cost'] });
    const run = DesignRun.open(request, engine);
    const { result } = await finish(run);
    const { goal, candidates, bestKnown } = result.findings;
    expect(goal).toMatchObject({
      name: 'desirability',
      direction: 'max',
      labels: ['max strength', 'min cost'],
    });
    expect(bestKnown.value).toBeGreaterThan(0);
    expect(bestKnown.value).toBeLessThanOrEqual(1);
    for (const { cells, goals, expected } of candidates) {
      const [strength, cost] = goals;
      const truth = 2 * Number(cells.a) - Number(cells.b) + (cells.kind === 'B' ? 3 : 0);
      // values span -10 to 23 and 0 to 20
      expect(Math.abs(strength!.expected - truth)).toBeLessThan(8);
      expect(Math.abs(cost!.expected - Number(cells.a) - Number(cells.b))).toBeLessThan(5);
      expect(expected).toBeLessThanOrEqual(1);
    }
    const advisor = await openAdvisor(engine, request.problem, result.model);
    const x = request.problem.data.x.subarray(0, request.problem.space.columns.length);
    const again = await openAdvisor(engine, request.problem, structuredClone(result.model));
    expect(await again.assess(x)).toEqual(await advisor.assess(x));
    run.dispose();
  });

  it('chooses from a list, and turns the direction for min', async () => {
    const list = [
      { a: 0, b: 0.5, kind: 'A' },
      { a: 1, b: 1, kind: 'B' },
      { a: 9, b: 9, kind: 'A' },
      { a: 5, b: 5, kind: 'B' },
    ];
    const choices = await readTable(list, { name: 'list' });
    const spec = { goals: ['min cost'], columns: { strength: { role: 'ignore' as const } } };
    const run = DesignRun.open(await requestFor(spec, { choices, batch: 2 }), engine);
    const { findings } = (await finish(run)).result;
    expect(findings.goal.direction).toBe('min');
    expect(findings.candidates.map(({ cells }) => cells.a).sort()).toEqual([0, 1]);
    for (const { cells, expected } of findings.candidates) {
      expect(list).toContainEqual(cells);
      expect(Math.abs(expected - Number(cells.a) - Number(cells.b))).toBeLessThan(4);
    }
    run.dispose();
  });

  it('refuses what data cannot support, and options that do not exist', async () => {
    const table = await readTable(rows(9), { name: 'past' });
    const spec = { goals: ['max strength'] };
    const open = async (more: Partial<DesignRequest>) => DesignRun.open(await requestFor(spec, more), engine);
    await expect(open({ problem: stateProblem(table, spec) })).rejects.toThrow('at least 10 are needed');
    await expect(open({ options: { stepz: 3 } })).rejects.toThrow('did you mean "steps"?');
    await expect(open({ options: { hidden: 'big' } })).rejects.toThrow(
      'nemo: hidden is "big"; expected a list of positive integers',
    );
    await expect(open({ method: 'nemu' })).rejects.toThrow(
      'no method is called "nemu"; did you mean "nemo"?',
    );
  });
});
