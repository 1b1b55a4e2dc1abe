// Past runs of a simulated process, collected the way people do: mostly around the points they work at, one factor at
// a time, some wider screening, some repeats. The best fifth by truth is withheld.
import { rootKey, Stream } from '../../dist/numeric/index.js';
import { near, oneAtATime, pick, towardsAnywhere } from './draw.mjs';
import { numbersOf, textsOf } from './settings.mjs';

/** @typedef {import('./settings.mjs').Definition} Definition */
/** @typedef {import('./settings.mjs').Cells} Cells */
/** @typedef {import('./process.mjs').SimulatedTable} SimulatedTable */
/** @typedef {{ cells: Cells, truth: number }} Run */

const withheldShare = 0.2;
/** More is collected than shown, so that whole designs can be withheld and the number of rows is still met. */
const surplus = 0.08;

/** @param {Definition} definition @param {Stream} stream @returns {Cells[]} */
function campaigns(definition, stream) {
  const { points, rows } = definition;
  const count = Math.ceil((rows * (1 + surplus)) / (1 - withheldShare));
  // Where people stand differs a little from plant to plant.
  const bases = points.map((point) =>
    near(definition, point, { size: 0.04, rate: 0.7, levelRate: 0 }, stream),
  );
  const designs = [...bases];
  while (designs.length < count) {
    const base = pick(bases, stream);
    const what = stream.uniform();
    if (what < 0.5) designs.push(near(definition, base, { size: 0.1, rate: 0.5, levelRate: 0.15 }, stream));
    else if (what < 0.6) for (const design of oneAtATime(definition, base, stream)) designs.push(design);
    else if (what < 0.88) designs.push(towardsAnywhere(definition, base, 0.65, stream));
    else designs.push({ ...pick(designs, stream) });
  }
  const { context, settings } = definition;
  const setting = settings.find(({ name }) => name === context);
  if (setting && 'levels' in setting) {
    const usual = setting.levels[0] ?? '';
    for (const design of designs)
      design[setting.name] = stream.boolean(0.55) ? usual : pick(setting.levels.slice(1), stream);
  }
  return designs.slice(0, count);
}

/** @param {Definition} definition @param {number} truth @param {Stream} stream @returns {number | string} */
function measured({ goal, noise }, truth, stream) {
  const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY, decimals, detectable } = goal;
  const value = Math.min(most, Math.max(least, truth + noise * stream.normal()));
  const isSeen = detectable === undefined || value >= detectable;
  return isSeen ? Number(value.toFixed(decimals)) : `<${detectable}`;
}

/** @param {Definition} definition @param {number} seed @returns {SimulatedTable} */
export function collect(definition, seed) {
  const { goal, noise, patchy, response, rows } = definition;
  const stream = new Stream(rootKey(seed));
  const sign = goal.wanted === 'max' ? 1 : -1;
  /** @type {Run[]} */
  const runs = campaigns(definition, stream).map((cells) => ({
    cells,
    truth: response(numbersOf(cells), textsOf(cells)),
  }));
  const scores = runs.map(({ truth }) => sign * truth).toSorted((a, b) => a - b);
  // A repeated design has one truth, so all of its runs lie on one side.
  const cut = scores[Math.floor(runs.length * (1 - withheldShare))] ?? 0;
  const visible = runs.filter(({ truth }) => sign * truth < cut);
  const kept = new Set(stream.permutation(visible.length).slice(0, rows));
  const shown = visible.filter((_, i) => kept.has(i));
  return {
    rows: shown.map(({ cells, truth }) => ({
      ...cells,
      ...(patchy && stream.boolean(0.12) && { [patchy]: null }),
      [goal.name]: measured(definition, truth, stream),
    })),
    truthOfBestVisible: sign * shown.map(({ truth }) => sign * truth).reduce((a, b) => Math.max(a, b)),
    noise,
    withheldAbove: sign * cut,
  };
}
