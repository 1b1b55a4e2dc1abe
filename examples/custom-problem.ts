/**
 * From a table to a batch of designs, with the library alone: a recipe of three parts that sum to 1, a temperature in
 * steps of 5, a catalyst. The measurements are made up here by a formula that NEMO is never shown.
 *
 *     npm run example custom-problem
 */
import { assessDesigns, nemo, openEngine, rootKey, run, Stream } from 'nemokit';
import { examine, stateProblem, toCells, valueAt } from 'nemokit/problem';
import { violations } from 'nemokit/space';
import { readTable } from 'nemokit/table';

const truth = (a: number, b: number, temp: number, catalyst: string): number =>
  60 + 90 * a * b - 40 * (a - 0.5) ** 2 - ((temp - 70) / 12) ** 2 + (catalyst === 'B' ? 6 : 0);

/** 150 past runs as CSV, the best fifth withheld. */
function pastRuns(): string {
  const stream = new Stream(rootKey(7));
  const runs = Array.from({ length: 190 }, () => {
    const parts = [stream.exponential(), stream.exponential(), stream.exponential()];
    const total = parts.reduce((sum, v) => sum + v, 0);
    const [a, b] = parts.map((v) => Math.round((100 * v) / total) / 100) as [number, number];
    const temp = 20 + 5 * stream.integer(13);
    const catalyst = 'ABC'[stream.integer(3)]!;
    const result = truth(a, b, temp, catalyst) + stream.normal();
    return { a, b, c: Number((1 - a - b).toFixed(2)), temp, catalyst, result };
  });
  const kept = runs.sort((p, q) => p.result - q.result).slice(0, 152);
  stream.shuffle(kept);
  const lines = kept.map((r) => `${r.a},${r.b},${r.c},${r.temp},${r.catalyst},${r.result.toFixed(2)}`);
  return ['a,b,c,temp,catalyst,yield', ...lines].join('\n');
}

export async function main(): Promise<void> {
  const table = await readTable(new TextEncoder().encode(pastRuns()), { name: 'past-runs.csv' });
  const { data, space, rule, columns } = stateProblem(table, {
    goals: ['max yield'],
    mixtures: [{ columns: ['a', 'b', 'c'], sum: 1 }],
    constraints: ['temp = 20..90 step 5', 'c <= 0.6'],
  });
  for (const { severity, message } of examine(table, {
    goal: 'yield',
    inputs: columns.map(({ name }) => name),
  })) {
    console.log(`${severity}: ${message}`);
  }

  const engine = await openEngine();
  const setup = { data, space, options: { ...nemo.defaults, batchSize: 8 }, engine };
  const state = await run(nemo, setup, rootKey(0));
  const designs = nemo.propose(state, setup);
  const { mean, gamma } = await assessDesigns(state, setup, designs);
  await engine.close();

  const d = space.columns.length;
  const best = Math.max(...data.y);
  const rows = toCells({ columns }, designs);
  console.log(`best past run ${best.toFixed(1)}`);
  rows.forEach(({ a, b, c, temp, catalyst }, i) => {
    const broken = violations(space, designs.subarray(i * d, (i + 1) * d));
    const real = truth(Number(a), Number(b), Number(temp), String(catalyst));
    const recipe = [a, b, c].map((v) => Number(v).toFixed(2)).join(' ');
    console.log(
      `${recipe}  ${temp} °C  ${catalyst}   expected ${valueAt(rule, mean[i]!)!.toFixed(1)}   regret ${gamma[i]!.toFixed(2)}` +
        `   truth ${real.toFixed(1)}   ${broken.length === 0 ? 'all constraints hold' : broken.join('; ')}`,
    );
  });
}
