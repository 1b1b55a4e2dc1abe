// `design` with every method of the registry, on a table with a recipe, a category and numbers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { algorithms } from '../../src/algorithms/index.js';
import { type DesignRequest, optionsFor } from '../../src/design/designRequest.js';
import { DesignRun, type DesignState } from '../../src/design/designRun.js';
import { planFor } from '../../src/judging/plan.js';
import { type Engine, openEngine } from '../../src/numeric/index.js';
import { stateProblem } from '../../src/problem/index.js';
import { readTable, type Table } from '../../src/table/index.js';
import { smallTable } from '../cli/smallRun.js';

let engine: Engine;
let table: Table;
/** Before the search: what is found out by leaving rows out is the same for every method. */
let validated: DesignState;
beforeAll(async () => {
  engine = await openEngine({ kernel: 'wasm', threads: 1 });
  table = await readTable(new TextEncoder().encode(smallTable()), { name: 'past.csv' });
  const run = DesignRun.open(requestFor('nemo', {}), engine);
  validated = await run.start();
  while (run.progress(validated).stage === 'validate') validated = await run.advance(validated);
  run.dispose();
});
afterAll(() => engine.close());

/** What keeps a run short, for whichever method has it. */
const short: Record<string, unknown> = {
  steps: 6,
  trainSteps: 20,
  hidden: [8],
  networks: 2,
  adversarySteps: 2,
  vaeSteps: 20,
  vaeHidden: [8],
  samples: 60,
  refitSteps: 4,
  focusSteps: 4,
  rows: 60,
  fitRows: 40,
  candidates: 16,
  restarts: 2,
  ascentSteps: 4,
  functions: 2,
  pairs: 20,
  climbSteps: 4,
};

function requestFor(method: string, options: DesignRequest['options']): DesignRequest {
  const spec = { goals: ['max yield'], mixtures: [{ columns: ['a', 'b'], sum: 1 }] };
  const problem = stateProblem(table, spec);
  return { problem, batch: 3, seed: 0, method, effort: 'fast', options };
}

describe.each(Object.keys(algorithms))('design --method %s', (method) => {
  const defaults = algorithms[method as keyof typeof algorithms].defaults as unknown as Record<
    string,
    unknown
  >;

  it('proposes a batch of a table', async () => {
    const options = Object.fromEntries(
      Object.entries(short).filter(([name]) => Object.hasOwn(defaults, name)),
    );
    const run = DesignRun.open(requestFor(method, options), engine);
    let state = validated;
    let last = 0;
    while (!run.isDone(state)) {
      state = await run.advance(state);
      const { fraction } = run.progress(state);
      expect(fraction).toBeGreaterThanOrEqual(last);
      last = fraction;
    }
    expect(last).toBeLessThan(1);
    const { findings } = await run.finish(state);
    expect(findings.candidates).toHaveLength(3);
    for (const { cells, expected, lo80, hi80 } of findings.candidates) {
      expect(Number(cells.a) + Number(cells.b)).toBeCloseTo(1, 6);
      expect([expected, lo80, hi80].every(Number.isFinite)).toBe(true);
    }
    run.dispose();
  });

  it('gets its own defaults where the data say nothing else', () => {
    const plan = planFor('balanced', 100);
    const options = optionsFor({ method, batch: 8, options: {} }, plan, 250);
    expect(Object.keys(options).sort()).toEqual(Object.keys(defaults).sort());
    expect(options.batchSize).toBe(128);
    const trained = options.pretrainSteps ?? options.trainSteps;
    const isPredictor = ['nemo', 'forward', 'ensemble', 'coms', 'cma-es', 'reinforce'].includes(method);
    if (isPredictor) expect(trained).toBe(250);
    else expect(trained).toBe(defaults.trainSteps);
  });
});

describe('options of methods', () => {
  const plan = planFor('fast', 100);
  const of = (method: string, options: Record<string, unknown>) => () =>
    optionsFor({ method, batch: 8, options }, plan, 250);

  it('are of the kind of their defaults', () => {
    expect(of('forward', { bootstrap: true })()).toMatchObject({ bootstrap: true });
    expect(of('forward', { bootstrap: 1 })).toThrow('forward: bootstrap is 1; expected true or false');
    expect(of('forward', { designRate: 0.1, box: null })()).toMatchObject({ designRate: 0.1, box: null });
    expect(of('coms', { tau: 0.3, steps: 20 })()).toMatchObject({ tau: 0.3, steps: 20 });
    expect(of('cma-es', { steps: 'many' })).toThrow('cma-es: steps is "many"; expected a positive integer');
    expect(of('ensemble', { steps: null })).toThrow('ensemble: steps is null; expected a positive integer');
    expect(of('ensemble', { bins: 3 })).toThrow('ensemble has no option "bins"');
  });
});
