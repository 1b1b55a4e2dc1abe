/**
 * From a table to a batch of designs, with the library alone: a recipe of three parts that sum to 1, a temperature in
 * steps of 5, a catalyst. The measurements are made up here by a formula that nemokit is never shown.
 *
 *     npm run example custom-problem
 */
import { check, design, explain, readTable, score } from 'nemokit';
import { writeRun } from 'nemokit/node';
import { rootKey, Stream } from 'nemokit/research';

const truth = (a: number, b: number, temp: number, catalyst: string): number =>
  60 + 90 * a * b - 40 * (a - 0.5) ** 2 - ((temp - 70) / 12) ** 2 + (catalyst === 'B' ? 6 : 0);

/** 150 past runs, the best fifth withheld. */
function pastRuns() {
  const stream = new Stream(rootKey(7));
  const runs = Array.from({ length: 190 }, () => {
    const parts = [stream.exponential(), stream.exponential(), stream.exponential()];
    const total = parts.reduce((sum, v) => sum + v, 0);
    const [a, b] = parts.map((v) => Math.round((100 * v) / total) / 100) as [number, number];
    const temp = 20 + 5 * stream.integer(13);
    const catalyst = 'ABC'[stream.integer(3)]!;
    const result = truth(a, b, temp, catalyst) + stream.normal();
    return { a, b, c: Number((1 - a - b).toFixed(2)), temp, catalyst, yield: Number(result.toFixed(2)) };
  });
  const kept = runs.sort((p, q) => p.yield - q.yield).slice(0, 152);
  stream.shuffle(kept);
  return kept;
}

/** With the name of a folder, the run is kept there as `nemokit design` would. */
export async function main([folder]: readonly string[] = []): Promise<void> {
  const table = await readTable(pastRuns(), { name: 'past runs' });
  const question = {
    goal: 'max yield',
    columns: { temp: { bounds: [20, 90], step: 5 } },
    constraints: ['c <= 0.6'],
  } as const;

  const { mixtures, findings, support } = await check(table, question);
  console.log(mixtures.map(({ columns, sum }) => `${columns.join(' + ')} = ${sum}`).join('; '));
  for (const { severity, message } of findings) console.log(`${severity}: ${message}`);
  console.log(support?.sentence);

  const run = await design(table, { ...question, batch: 8, seed: 0 });
  console.log(`\n${run.verdict.sentence} Best past run: ${run.bestKnown.value}.`);
  for (const { cells, expected, lo80, hi80, trust } of run.candidates) {
    const { a, b, c, temp, catalyst } = cells;
    const recipe = [a, b, c].map((part) => Number(part).toFixed(2)).join(' ');
    const real = truth(Number(a), Number(b), Number(temp), String(catalyst));
    console.log(
      `${recipe}  ${temp} °C  ${catalyst}   expected ${expected.toFixed(1)} (${lo80.toFixed(1)} to ${hi80.toFixed(1)})   ${trust.padEnd(7)}   truth ${real.toFixed(1)}`,
    );
  }

  const { nearest, explanation } = await explain(run, { row: 1 });
  const [first] = explanation.contributions;
  console.log(`\nRow 1 is nearest to past run ${nearest[0]?.row}.`);
  if (first)
    console.log(
      `Most comes from ${first.column}, ${first.from} to ${first.to}: ${first.change.toFixed(1)} of ${(explanation.after - explanation.before).toFixed(1)}.`,
    );
  const own = await readTable([{ a: 0.5, b: 0.4, c: 0.1, temp: 70, catalyst: 'B' }]);
  const { rows } = await score(run, own);
  console.log(
    `A row of your own: expected ${rows[0]?.expected.toFixed(1)}, better with ${((rows[0]?.better ?? 0) * 100).toFixed(0)} %.`,
  );
  if (folder !== undefined) await writeRun(folder, run);
}
