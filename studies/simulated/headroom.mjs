// What each simulated process could give: the best visible run beside the best design that a search finds WHICH MAY ASK
// THE TRUTH. No method under test sees any of this.
//
//     node studies/simulated/headroom.mjs          all, table of seed 0
//     node studies/simulated/headroom.mjs steel    one, nothing is written
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { quantile, rootKey, Stream } from '../../dist/numeric/index.js';
import { anywhere, near } from './draw.mjs';
import { demoProcess, simulatedProblems } from './index.mjs';
import { numbersOf, textsOf } from './settings.mjs';

/** @typedef {import('./settings.mjs').Cells} Cells */

const file = fileURLToPath(new URL('headroom.json', import.meta.url));
const random = 6000;
const starts = 10;
const steps = 5000;

/**
 * Random search, then from each of the best a local search whose steps shrink and which takes what is no worse.
 * @param {import('./index.mjs').SimulatedProblem} problem
 */
function bestByTruth({ definition, wanted }) {
  const stream = new Stream(rootKey(1));
  const sign = wanted === 'max' ? 1 : -1;
  const { context, points, settings, response } = definition;
  const held = settings.find(({ name }) => name === context);
  const usual = held && 'levels' in held ? { [held.name]: held.levels[0] ?? '' } : {};
  /** @param {Cells} drawn */
  const scored = (drawn) => {
    const cells = { ...drawn, ...usual };
    return { cells, score: sign * response(numbersOf(cells), textsOf(cells)) };
  };
  const first = points[0] ?? {};
  const tried = [
    ...points.map(scored),
    ...Array.from({ length: random }, () => scored(anywhere(definition, first, stream))),
  ].sort((a, b) => b.score - a.score);
  const ends = tried.slice(0, starts).map((start) => {
    let at = start;
    for (let i = 0; i < steps; i++) {
      const size = 0.3 * 0.004 ** (i / steps);
      const rate = Math.max(1.5 / settings.length, 0.5 * stream.uniform());
      const next = scored(near(definition, at.cells, { size, rate, levelRate: rate / 3 }, stream));
      if (next.score >= at.score) at = next;
    }
    return at;
  });
  return ends.reduce((a, b) => (b.score > a.score ? b : a)).cells;
}

const only = process.argv[2];
const results = [...simulatedProblems, demoProcess]
  .filter(({ name }) => only === undefined || name === only)
  .map((problem) => {
    const { definition, wanted, truth } = problem;
    const table = problem.makeTable(0);
    const names = problem.columns.map(({ name }) => name);
    const truths = table.rows
      .filter((row) => names.every((name) => row[name] !== null))
      .map((row) => truth(Object.fromEntries(names.map((name) => [name, row[name]]))))
      .toSorted((a, b) => a - b);
    const range = (truths.at(-1) ?? 0) - (truths[0] ?? 0);
    const design = bestByTruth(problem);
    const found = truth(design);
    const gain = (wanted === 'max' ? 1 : -1) * (found - table.truthOfBestVisible);
    const spread = quantile(truths, 0.95) - quantile(truths, 0.05);
    const result = {
      name: problem.name,
      goal: `${problem.words.goals[0]}${definition.goal.unit && ` (${definition.goal.unit})`}`,
      rows: table.rows.length,
      columns: problem.columns.length,
      bestVisibleTruth: table.truthOfBestVisible,
      visibleRange: [truths[0], truths.at(-1)],
      withheldAbove: table.withheldAbove,
      bestFoundAskingTheTruth: found,
      headroomInVisibleRanges: gain / range,
      noiseInVisibleSpreads: table.noise / spread,
      design,
    };
    console.log(
      `${result.name.padEnd(12)} ${result.goal.padEnd(34)} ${String(result.rows).padStart(5)} rows ` +
        `${String(result.columns).padStart(3)} columns   best visible ${result.bestVisibleTruth.toPrecision(5)}` +
        `   found asking the truth ${found.toPrecision(5)}   headroom ${(100 * result.headroomInVisibleRanges).toFixed(0)} %` +
        ` of the visible range   noise ${(100 * result.noiseInVisibleSpreads).toFixed(1)} % of q05..q95`,
    );
    return result;
  });
if (results.length === 0) throw new Error(`no process is called "${only}"`);
if (only === undefined) {
  const command = 'node studies/simulated/headroom.mjs';
  writeFileSync(
    file,
    `${JSON.stringify({ command, tableSeed: 0, searchSeed: 1, random, starts, steps, results }, null, 2)}\n`,
  );
}
