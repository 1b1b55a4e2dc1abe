import { describe, expect, it } from 'vitest';
import { AmortizedCnml } from '../../src/models/amortizedCnml.js';
import { exactCnml, fitLinear } from '../../src/models/cnml.js';
import { mean as meanOf } from '../../src/models/discretizedLogistic.js';
import { openEngine, openLinearAlgebra, rootKey, Stream, spearman } from '../../src/numeric/index.js';
import { type Encoding, fitEncoding } from '../../src/search/encoding.js';
import { gap, interactions, type Problem, quadratic } from './problems.js';

/** Features go into the model as they are. */
function plainEncoding(columns: number): Encoding {
  const infinite = Number.POSITIVE_INFINITY;
  const space = {
    columns: Array.from({ length: columns }, () => ({
      kind: 'continuous' as const,
      lower: -infinite,
      upper: infinite,
    })),
  };
  const fitted = fitEncoding({ x: new Float64Array(columns), y: new Float64Array(1) }, space, { box: null });
  return { ...fitted, mean: new Float64Array(columns), scale: new Float64Array(columns).fill(1) };
}

/** K linear models trained in lockstep, told every label at the queries, beside the exact fits of the same models. */
async function compare({ head, ridge, rows, columns, phi, labels, queries }: Problem) {
  const linalg = await openLinearAlgebra();
  const fit = fitLinear(linalg, phi, rows, columns, labels, { head, ridge });
  const exact = queries.map((query) => exactCnml(linalg, fit, query));

  await using engine = await openEngine({ kernel: 'wasm', threads: 2 });
  const models = new AmortizedCnml(engine, {
    encoding: plainEncoding(columns),
    quantizer: { bins: head.bins, low: 0, high: 1 },
    head: { kind: 'logistic', ...head },
    hidden: [],
    objective: 'mu',
    parameters: phi,
    labels: labels.flatMap((bin) => [bin, bin]),
    minibatch: rows,
    batchSize: queries.length,
    queryWeight: 1 / rows,
  });
  const at = queries.flatMap((query) => [...query]);
  models.initialize(rootKey(0));
  models.startFrom(at);
  const stream = new Stream(rootKey(1));
  const everyRow = Array.from({ length: rows }, (_, i) => i);
  for (let step = 0; step < 3000; step++) {
    const told = stream.sampleWithReplacement(queries.length, head.bins);
    await models.train(everyRow, told, { rate: 0.01, targetRate: 0.02 });
  }
  const read = await models.read(at);
  const exactMean = exact.map(({ mu }) => mu.reduce((sum, m) => sum + meanOf(head, m), 0) / head.bins);
  // the read-out's mean is a score, half a bin below the head's mean
  const error = exactMean.map((m, i) => Math.abs(read.mean[i]! + 0.5 / head.bins - m));
  return {
    rank: spearman(
      exact.map(({ gamma }) => gamma),
      read.gamma,
    ),
    meanError: error.reduce((sum, e) => sum + e, 0) / error.length,
    exact: exact.map(({ gamma }) => gamma),
    amortized: [...read.gamma],
  };
}

describe('amortised beside exact CNML of the same linear models', () => {
  it.each([
    // flexible features: a model can be talked into something at one place without losing the others
    { name: 'gap', make: gap, rank: 0.88, meanError: 0.1 },
    { name: 'interactions', make: interactions, rank: 0.6, meanError: 0.12 },
  ])('orders designs much as the exact one on $name', async ({ make, rank, meanError }) => {
    const compared = await compare(make());
    expect(compared.rank).toBeGreaterThan(rank);
    expect(compared.meanError).toBeLessThan(meanError);
  });

  it('sees regret that is not there where the model is stiff', async () => {
    // three coefficients, told about all designs at once, cannot follow each alone
    const { exact, amortized, rank } = await compare(quadratic());
    expect(Math.max(...exact)).toBeLessThan(0.2);
    expect(Math.max(...amortized)).toBeGreaterThan(0.5);
    expect(rank).toBeLessThan(0.5);
  });
});
