// Gradient ascent on one network of NEMO's kind, trained, started, stepped and boxed as NEMO is. Columns are numbers.

/**
 * @param {{ numeric: typeof import('../dist/numeric/index.js'), models: typeof import('../dist/models/index.js') }} api
 * @param {import('../dist/algorithm.js').Setup<import('../dist/algorithms/index.js').NemoOptions>} setup
 * @param {import('../dist/numeric/index.js').Key} key
 * @returns {Promise<Float64Array>} designs, M x d
 */
export async function plainAscent({ numeric, models }, { data, space, options, engine }, key) {
  const { adam, argsort, constant, foldKey, gradient, NetworkStack, rows, Stream, thermometer, value } =
    numeric;
  const { binOf, decode, encode, fitEncoding, fitQuantizer, project } = models;
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
  const best = argsort(data.y, 'descending').subarray(0, M);
  const start = encode(
    encoding,
    [...best].flatMap((i) => [...data.x.subarray(i * d, (i + 1) * d)]),
  );
  project(encoding, start);
  designs.write(start);
  const [dx] = gradient(stack.output(value(designs)), [value(designs)]);
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
    designs.write(moved);
  }
  return decode(encoding, designs.read());
}
