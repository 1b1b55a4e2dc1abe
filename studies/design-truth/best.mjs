// The best value of every truth in its domain, by enumeration or by a long search that may ask the truth.
//   node studies/design-truth/best.mjs
import { writeFileSync } from 'node:fs';
import { foldKey, rootKey, Stream } from '../../dist/numeric/index.js';
import { fifthTruths } from './fifthTruths.mjs';
import { fourthTruths } from './fourthTruths.mjs';
import { secondTruths } from './secondTruths.mjs';
import { combinations, drawDesign, rounded } from './tables.mjs';
import { thirdTruths } from './thirdTruths.mjs';
import { truths } from './truths.mjs';

/** @type {Record<string, number>} */
const best = {};
for (const truth of [...truths, ...secondTruths, ...thirdTruths, ...fourthTruths, ...fifthTruths]) {
  if (truth.second) continue;
  const sign = truth.wanted === 'max' ? 1 : -1;
  const score = (/** @type {Record<string, any>} */ cells) => sign * truth.value(cells);
  const all = combinations(truth);
  best[truth.name] = sign * (all ? all.map(score).reduce((a, b) => Math.max(a, b)) : search(truth, score));
}
writeFileSync(new URL('best.json', import.meta.url), `${JSON.stringify(best, null, 2)}\n`);

/** @param {import('./truths.mjs').Truth} truth @param {(cells: Record<string, any>) => number} score */
function search(truth, score) {
  const stream = new Stream(foldKey(rootKey(2), `design-truth best ${truth.name}`));
  let pool = Array.from({ length: 20000 }, () => drawDesign(truth, stream)).map((cells) => ({
    cells,
    score: score(cells),
  }));
  pool.sort((a, b) => b.score - a.score);
  pool = pool.slice(0, 30);
  for (let round = 0; round < 400; round++) {
    const width = 0.3 * 0.98 ** round;
    for (const [i, parent] of pool.entries()) {
      for (let child = 0; child < 5; child++) {
        const cells = moved(truth, parent.cells, width, stream);
        const found = score(cells);
        if (found > pool[i].score) pool[i] = { cells, score: found };
      }
    }
  }
  return pool.reduce((most, one) => Math.max(most, one.score), Number.NEGATIVE_INFINITY);
}

/** @param {import('./truths.mjs').Truth} truth @param {Record<string, any>} cells @param {number} width @param {Stream} stream */
function moved(truth, cells, width, stream) {
  const next = { ...cells };
  for (const column of truth.columns) {
    if (truth.mixture?.includes(column.name) || stream.uniform() < 0.5) continue;
    if ('levels' in column) {
      if (stream.uniform() < 0.2)
        next[column.name] = column.levels[Math.floor(stream.uniform() * column.levels.length)];
    } else
      next[column.name] = rounded(
        column,
        cells[column.name] + width * (column.upper - column.lower) * stream.normal(),
      );
  }
  if (truth.mixture) {
    const from = truth.mixture[Math.floor(stream.uniform() * truth.mixture.length)];
    const to = truth.mixture[Math.floor(stream.uniform() * truth.mixture.length)];
    const part = Math.round(100 * Math.min(next[from], Math.abs(width * stream.normal()))) / 100;
    next[from] = Math.round(100 * (next[from] - part)) / 100;
    next[to] = Math.round(100 * (next[to] + part)) / 100;
  }
  return next;
}
