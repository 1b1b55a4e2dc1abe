// Gradient ascent on one network of NEMO's kind, trained, started, stepped, boxed and constrained as NEMO is.
import { constraintsOf, modelInputsOf } from '../dist/search/encoding.js';

/**
 * @param {{ numeric: typeof import('../dist/numeric/index.js'), models: typeof import('../dist/models/index.js') }} api
 * @param {import('../dist/algorithm.js').Setup<import('../dist/algorithms/index.js').NemoOptions>} setup
 * @param {import('../dist/numeric/index.js').Key} key
 * @returns {Promise<Float64Array>} designs, M x d
 */
export async function plainAscent(api, setup, key) {
  return (await climb(api, setup, key)).x;
}

/**
 * The `count` designs that promise most, none twice and none a row of the data: what plain ascent would propose.
 * @param {Parameters<typeof plainAscent>[0]} api @param {Parameters<typeof plainAscent>[1]} setup
 * @param {Parameters<typeof plainAscent>[2]} key @param {number} count
 * @returns {Promise<{ x: Float64Array, promised: number[] }>} designs, and the scores that the network promises
 */
export async function plainBatch(api, setup, key, count) {
  const { x, promise, quantizer } = await climb(api, setup, key);
  const d = setup.space.columns.length;
  const rowAt = (/** @type {Float64Array} */ from, /** @type {number} */ i) =>
    from.subarray(i * d, (i + 1) * d);
  const taken = new Set(Array.from(setup.data.y, (_, i) => rowAt(setup.data.x, i).join()));
  const chosen = Array.from(api.numeric.argsort(promise, 'descending')).filter((i) => {
    const name = rowAt(x, i).join();
    if (taken.has(name)) return false;
    taken.add(name);
    return true;
  });
  const batch = chosen.slice(0, count);
  // y_mean of the head is about mu + 1/(2K)
  const scoreAt = (/** @type {number} */ mu) =>
    api.models.scoreOfMean(quantizer, mu + 0.5 / setup.options.bins);
  return {
    x: Float64Array.from(batch.flatMap((i) => [...rowAt(x, i)])),
    promised: batch.map((i) => scoreAt(promise[i] ?? 0)),
  };
}

/**
 * @param {Parameters<typeof plainAscent>[0]} api @param {Parameters<typeof plainAscent>[1]} setup
 * @param {Parameters<typeof plainAscent>[2]} key
 */
async function climb({ numeric, models }, { data, space, options, engine }, key) {
  const { adam, argsort, constant, foldKey, gradient, NetworkStack, rows, Stream, thermometer, value } =
    numeric;
  const { binOf, centringShift, decode, encode, fitEncoding, fitQuantizer, modelInputs, project } = models;
  const { bins: K, batchSize: M, hidden, minibatch: B, pretrainRate, steps } = options;
  const pretrainSteps = options.pretrainSteps === 'auto' ? 2000 : options.pretrainSteps;
  const isDiscrete = space.columns.every(({ kind }) => kind === 'categorical');
  const designRate = options.designRate === 'auto' ? (isDiscrete ? 0.05 : 0.02) : options.designRate;
  const encoding = fitEncoding(data, space, options);
  const P = encoding.parameters;
  const quantizer = fitQuantizer(data.y, options);
  const inputs = modelInputs(encoding, encode(encoding, data.x));
  const shift = centringShift(encoding, inputs);
  const stack = new NetworkStack(engine, { models: 1, inputs: P, shift, hidden });
  stack.initialize(foldKey(key, 'weights'));
  const pool = engine.variable('pool', { rows: data.y.length, columns: P });
  const labels = engine.variable('labels', { rows: data.y.length, columns: 2 });
  const table = engine.variable('table', { rows: B, columns: 1, index: true });
  pool.write(inputs);
  labels.write([...data.y].flatMap((y) => Array(2).fill(binOf(quantizer, y))));
  const scale = options.scale === 'bin' ? 1 / K : options.scale;
  const loss = thermometer(stack.output(rows(pool, table)), rows(labels, table), K, scale);
  const gradients = gradient(loss, stack.parameters().map(value), constant(1 / B, B, 1));
  const train = engine.compile('train', [stack.update(gradients)]);
  const stream = new Stream(foldKey(key, 'minibatches'));
  for (let step = 0; step < pretrainSteps; step++) {
    table.write(stream.sampleWithReplacement(data.y.length, B));
    stack.advance({ rate: pretrainRate });
    await train.run();
  }

  const designs = engine.variable('designs', { rows: M, columns: P });
  const slopes = engine.variable('slopes', { rows: M, columns: P });
  const d = space.columns.length;
  const order = argsort(data.y, 'descending');
  const best = Array.from({ length: M }, (_, m) => order[m % order.length] ?? 0);
  const start = encode(
    encoding,
    [...best].flatMap((i) => [...data.x.subarray(i * d, (i + 1) * d)]),
  );
  const constraints = await constraintsOf(encoding);
  project(encoding, start);
  constraints?.hold(start);
  designs.write(start);
  const answer = stack.output(modelInputsOf(encoding, value(designs)));
  const [dx] = gradient(answer, [value(designs)]);
  if (!dx) throw new Error('the network does not depend on the designs');
  const differentiate = engine.compile('differentiate', [[{ kind: 'sum', to: slopes, from: dx }]]);
  const ascent = adam({ ascend: true });
  const moments = ascent.init(engine, [designs]);
  const ascend = engine.compile('ascend', [ascent.update([designs], [value(slopes)], moments)]);
  for (let step = 0; step < steps; step++) {
    await differentiate.run();
    ascent.advance(moments, { rate: designRate });
    await ascend.run();
    const moved = designs.read();
    project(encoding, moved);
    constraints?.hold(moved);
    designs.write(moved);
  }
  const x = constraints ? constraints.settle(designs.read()) : decode(encoding, designs.read());
  return { x, quantizer, promise: await stack.evaluate(modelInputs(encoding, encode(encoding, x))) };
}
