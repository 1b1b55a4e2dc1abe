import type { Setup } from '../../src/algorithm.js';
import type { NemoOptions } from '../../src/algorithms/nemo.js';
import { decode, encode, fitEncoding, project } from '../../src/models/encoding.js';
import { binOf, fitQuantizer } from '../../src/models/quantizer.js';
import {
  adam,
  argsort,
  constant,
  foldKey,
  gradient,
  type Key,
  NetworkStack,
  rows,
  Stream,
  thermometer,
  value,
} from '../../src/numeric/index.js';

/** Gradient ascent on one network of NEMO's kind, trained, started, stepped and boxed as NEMO is. Columns are numbers. */
export async function plainAscent(setup: Setup<NemoOptions>, key: Key): Promise<Float64Array> {
  const { data, space, options, engine } = setup;
  const { bins: K, batchSize: M, hidden, minibatch: B, pretrainSteps, pretrainRate, steps } = options;
  const designRate = options.designRate === 'auto' ? 0.02 : options.designRate;
  const encoding = fitEncoding(data, space, options);
  const P = encoding.parameters;
  const quantizer = fitQuantizer(data.y, options);
  const stack = new NetworkStack(engine, { models: 1, inputs: P, hidden });
  stack.initialize(foldKey(key, 'weights'));
  const pool = engine.variable('pool', { rows: data.y.length, columns: P });
  const labels = engine.variable('labels', { rows: data.y.length, columns: 2 });
  const table = engine.variable('table', { rows: B, columns: 1, index: true });
  pool.write(encode(encoding, data.x));
  labels.write([...data.y].flatMap((y) => Array<number>(2).fill(binOf(quantizer, y))));
  const scale = options.scale === 'bin' ? 1 / K : options.scale;
  const loss = thermometer(stack.output(rows(pool, table)), rows(labels, table), K, scale);
  const train = engine.compile('train', [
    stack.update(gradient(loss, stack.parameters().map(value), constant(1 / B, B, 1))),
  ]);
  const stream = new Stream(foldKey(key, 'minibatches'));
  for (let step = 0; step < pretrainSteps; step++) {
    table.write(stream.sampleWithReplacement(data.y.length, B));
    stack.advance({ rate: pretrainRate });
    await train.run();
  }
  const designs = engine.variable('designs', { rows: M, columns: P });
  const slopes = engine.variable('slopes', { rows: M, columns: P });
  const best = argsort(data.y, 'descending').subarray(0, M);
  const d = space.columns.length;
  const start = encode(
    encoding,
    Float64Array.from([...best].flatMap((i) => [...data.x.subarray(i * d, (i + 1) * d)])),
  );
  project(encoding, start);
  designs.write(start);
  const [dx] = gradient(stack.output(value(designs)), [value(designs)]);
  const differentiate = engine.compile('differentiate', [[{ kind: 'sum', to: slopes, from: dx! }]]);
  const ascent = adam({ ascend: true });
  const moments = ascent.init(engine, [designs]);
  const ascend = engine.compile('ascend', [ascent.update([designs], [value(slopes)], moments)]);
  for (let step = 0; step < steps; step++) {
    await differentiate.run();
    ascent.advance(moments, { rate: designRate });
    await ascend.run();
    const moved = designs.read();
    project(encoding, moved);
    designs.write(moved);
  }
  return decode(encoding, designs.read());
}
