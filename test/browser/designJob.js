// A small design with a mixture and a rule that needs the solver: the same table and question in Node and in pages.
import { design, readTable } from '../../dist/index.js';

/** Scores of a smooth function of a mixture and a temperature, to three digits. */
export function pastCsv() {
  const lines = ['a,b,c,temp,yield'];
  for (let i = 0; i < 40; i++) {
    // whole percents that sum to 100; steps prime to 101 and 15 leave no pattern
    const a = (i * 37) % 101;
    const b = ((i * 61 + 13) % 101) % (101 - a);
    const temp = 20 + 5 * ((i * 7) % 15);
    const [x, y] = [a / 100, b / 100];
    const score = 10 * x * y + 3 * x * (1 - x - y) - ((temp - 60) / 20) ** 2;
    lines.push([x, y, (100 - a - b) / 100, temp, score.toFixed(3)].join(','));
  }
  return `${lines.join('\n')}\n`;
}

/**
 * @param {'wasm' | 'auto'} kernel @param {number} threads
 * @returns {import('../../dist/index.js').DesignOptions}
 */
export const question = (kernel, threads) => ({
  goal: 'max yield',
  batch: 8,
  seed: 0,
  effort: 'fast',
  columns: { temp: { bounds: [20, 90], step: 5 }, a: { step: 0.05 } },
  constraints: ['at most 2 of a, b, c'],
  mixtures: [{ columns: ['a', 'b', 'c'], sum: 1 }],
  options: { steps: 6, pretrainSteps: 20 },
  kernel,
  threads,
});

/** @param {'wasm' | 'auto'} kernel @param {number} threads */
export async function designJob(kernel, threads) {
  const table = await readTable(new TextEncoder().encode(pastCsv()), { name: 'past.csv' });
  const run = await design(table, question(kernel, threads));
  return { candidates: run.candidates, kernel: run.run.kernel, threads: run.run.threads };
}
