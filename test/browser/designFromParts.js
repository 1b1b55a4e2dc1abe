// `design` from the parts below it, in a page as in Node.
import { DesignRun } from '../../dist/design/designRun.js';
import { openEngine } from '../../dist/numeric/index.js';
import { stateProblem } from '../../dist/problem/index.js';

export { readTable } from '../../dist/table/index.js';

/** @param {any} table @param {any} ask */
export async function design(table, ask) {
  const { goal, batch, seed = 0, effort = 'balanced', method = 'nemo', options = {}, threads, kernel } = ask;
  const { columns, constraints, mixtures, onProgress } = ask;
  const spec = { goals: [goal].flat(), columns, constraints, mixtures };
  const problem = stateProblem(table, spec);
  const engine = await openEngine({ kernel, threads });
  const run = DesignRun.open({ problem, batch, seed, method, effort, options }, engine);
  let state = await run.start();
  while (!run.isDone(state)) {
    onProgress?.(run.progress(state));
    await new Promise((resolve) => setTimeout(resolve));
    state = await run.advance(state);
  }
  const { findings } = await run.finish(state);
  run.dispose();
  const document = { ...findings, run: { ...findings.run, kernel: engine.kernel, threads: engine.threads } };
  await engine.close();
  return document;
}
