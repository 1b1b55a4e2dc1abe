import { describe, expect, it } from 'vitest';
import { adam } from '../../src/numeric/adam.js';
import { openEngine } from '../../src/numeric/engine.js';
import { gradient } from '../../src/numeric/gradient.js';
import { constant, rows, thermometer, value } from '../../src/numeric/graph.js';
import { NetworkStack } from '../../src/numeric/stack.js';
import { compiledKernels } from './compute.js';
import { flat, golden, parameterNames } from './goldenSteps.js';

const cases = [
  // the golden numbers are float64 themselves
  { kernel: 'reference', tolerance: { rtol: 1e-10, atol: 1e-12 } },
  ...compiledKernels.map((kernel) => ({ kernel, tolerance: { rtol: 1e-4, atol: 1e-7 } })),
] as const;

describe.each(cases)('NEMO iterations of PyTorch on $kernel', ({ kernel, tolerance }) => {
  it('match in losses, gradients, parameters, targets and designs, step by step', async () => {
    const { K, d, h, s, w, tau, modelRate, designRate, X, bins, init, designs0, steps } = golden;
    const batchSize = steps[0]!.batch.length;
    const M = designs0.length;
    await using engine = await openEngine({ kernel, threads: 2 });

    const stack = new NetworkStack(engine, { models: K, inputs: d, hidden: [h, h], targets: true });
    stack.parameters().forEach((parameter, i) => parameter.write(flat(init[parameterNames[i]!])));
    stack.copyToTargets();

    // rows 0..N-1 are data, row N + k is the query of model k
    const N = X.length;
    const pool = engine.variable('pool', { rows: N + K, columns: d });
    const table = engine.variable('table', { rows: batchSize + 1, columns: 1, models: K, index: true });
    const labels = engine.variable('labels', { rows: batchSize + 1, columns: 2, models: K });
    const weights = engine.variable('weights', { rows: batchSize + 1, columns: 1 });
    const designs = engine.variable('designs', { rows: M, columns: d });
    const designGradient = engine.variable('designGradient', { rows: M, columns: d });
    const muOut = engine.variable('mu', { rows: batchSize + 1, columns: 1, models: K });
    const lossOut = engine.variable('loss', { rows: batchSize + 1, columns: 1, models: K });
    pool.writeRows(0, flat(X));
    designs.write(flat(designs0));
    weights.write([...Array<number>(batchSize).fill(1 / batchSize), w]);

    const mu = stack.output(rows(pool, table));
    const loss = thermometer(mu, value(labels), K, s);
    const parameters = stack.parameters().map(value);
    const gradients = gradient(loss, parameters, value(weights));
    const targetMu = stack.output(value(designs), 'targets');
    const [dx] = gradient(targetMu, [value(designs)], constant(1 / K, M, 1));
    const iterate = engine.compile('iterate', [
      [
        { kind: 'store', to: muOut, from: mu },
        { kind: 'store', to: lossOut, from: loss },
        ...stack.update(gradients),
      ],
      [{ kind: 'sum', to: designGradient, from: dx! }],
    ]);
    const gradientOut = stack
      .parameters()
      .map(({ name, rows: r, columns, models, layout }) =>
        engine.variable(`d ${name}`, { rows: r, columns, models, layout }),
      );
    const differentiate = engine.compile('differentiate', [
      gradients.map((from, i) => ({ kind: 'store', to: gradientOut[i]!, from })),
    ]);
    const ascent = adam({ ascend: true });
    const ascentState = ascent.init(engine, [designs]);
    const ascend = engine.compile('ascend', [ascent.update([designs], [value(designGradient)], ascentState)]);

    for (const step of steps) {
      const current = designs.read();
      table.write(Array.from({ length: K }, (_, k) => [...step.batch, N + k]).flat());
      labels.write(
        Array.from({ length: K }, (_, k) =>
          [...step.batch.map((i) => bins[i]!), k].flatMap((b) => [b, b]),
        ).flat(),
      );
      step.query.forEach((m, k) => pool.writeRows(N + k, current.subarray(m * d, (m + 1) * d)));

      await differentiate.run();
      if (step === steps[0])
        gradientOut.forEach((variable, i) => {
          expect(variable.read()).toBeAllClose(flat(step.grad![parameterNames[i]!]), tolerance);
        });

      stack.advance({ rate: modelRate, targetRate: tau });
      await iterate.run();
      const muRead = muOut.read();
      const lossRead = lossOut.read();
      for (let k = 0; k < K; k++) {
        const from = k * (batchSize + 1);
        expect(muRead.subarray(from, from + batchSize)).toBeAllClose(step.mu[k]!, tolerance);
        const batchLoss =
          [...lossRead.subarray(from, from + batchSize)].reduce((a, b) => a + b, 0) / batchSize;
        expect([batchLoss, lossRead[from + batchSize]!]).toBeAllClose(
          [step.batchLoss[k]!, step.queryLoss[k]!],
          tolerance,
        );
      }
      expect(designGradient.read()).toBeAllClose(flat(step.designGrad), tolerance);
      stack.parameters().forEach((variable, i) => {
        expect(variable.read()).toBeAllClose(flat(step.params[parameterNames[i]!]), tolerance);
      });
      stack.parameters('targets').forEach((variable, i) => {
        expect(variable.read()).toBeAllClose(flat(step.targets[parameterNames[i]!]), tolerance);
      });

      ascent.advance(ascentState, { rate: designRate });
      await ascend.run();
      expect(designs.read()).toBeAllClose(flat(step.designs), tolerance);
    }
  });
});
