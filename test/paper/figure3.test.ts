import { describe, expect, it } from 'vitest';
import { AmortizedCnml } from '../../src/models/amortizedCnml.js';
import { binOf, fitQuantizer } from '../../src/models/quantizer.js';
import { foldKey, mean, openEngine, rootKey, Stream } from '../../src/numeric/index.js';
import { encode, fitEncoding, modelInputs } from '../../src/search/encoding.js';

const line = { columns: [{ kind: 'continuous' as const, lower: -4, upper: 4 }] };

describe('networks that are told every score everywhere (Fig. 3)', () => {
  it('agree on the data and fan out in the gap and beyond, as the regret does', async () => {
    const xs = Float64Array.from({ length: 28 }, (_, i) =>
      i < 14 ? -2.6 + (1.5 * i) / 13 : 0.7 + (1.5 * (i - 14)) / 13,
    );
    const ys = xs.map((x) => Math.sin(2 * x));
    const K = 20;
    // the axis as it is: standardised, these small networks could not bend within the gap
    const encoding = {
      ...fitEncoding({ x: xs, y: ys }, line, { box: null }),
      mean: new Float64Array(1),
      scale: Float64Array.of(1),
    };
    const quantizer = fitQuantizer([-1.25, 1.25], { bins: K, headroom: 0 });
    const grid = Float64Array.from({ length: 73 }, (_, i) => -3.6 + i / 10);
    await using engine = await openEngine({ kernel: 'wasm', threads: 2 });
    const models = new AmortizedCnml(engine, {
      encoding,
      quantizer,
      head: { kind: 'logistic', bins: K, scale: 1 / K },
      hidden: [32, 32],
      objective: 'mu',
      parameters: encode(encoding, xs),
      labels: [...ys].flatMap((y) => Array<number>(2).fill(binOf(quantizer, y))),
      minibatch: 28,
      batchSize: grid.length,
      queryWeight: 0.08,
    });
    models.initialize(rootKey(0));
    models.startFrom(encode(encoding, grid));
    const stream = new Stream(foldKey(rootKey(0), 'batches'));
    const everyRow = Array.from({ length: 28 }, (_, i) => i);
    for (let step = 0; step < 4000; step++) {
      await models.train(everyRow, stream.sampleWithReplacement(grid.length, K), {
        rate: 3e-3,
        targetRate: 0.05,
      });
    }
    const { gamma, spread } = await models.read(modelInputs(encoding, encode(encoding, grid)));
    const over = (values: Float64Array, from: number, to: number) =>
      mean(values.filter((_, i) => grid[i]! >= from - 1e-9 && grid[i]! <= to + 1e-9));
    const onData = [over(gamma, -2.5, -1.2), over(gamma, 0.8, 2.1)];
    const offData = [over(gamma, -0.7, 0.3), over(gamma, 2.9, 3.6), over(gamma, -3.6, -3.2)];
    // log 20 = 3.0 is "anything goes"
    expect(Math.max(...onData)).toBeLessThan(0.5);
    expect(Math.min(...offData)).toBeGreaterThan(1.5);
    const spreadOn = Math.max(over(spread, -2.5, -1.2), over(spread, 0.8, 2.1));
    const spreadOff = Math.min(over(spread, -0.7, 0.3), over(spread, 2.9, 3.6), over(spread, -3.6, -3.2));
    expect(spreadOff).toBeGreaterThan(5 * spreadOn);
  });
});
