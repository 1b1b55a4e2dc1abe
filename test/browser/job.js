// A small training run whose every bit is reported: the same file runs in Node and in the browser.

/**
 * @param {typeof import('../../dist/numeric/index.js')} numeric
 * @param {import('../../dist/numeric/index.js').KernelChoice} kernel
 * @param {number} threads
 */
export async function job(numeric, kernel, threads) {
  const { gradient, NetworkStack, openEngine, rootKey, rows, Stream, thermometer, value } = numeric;
  const engine = await openEngine({ kernel, threads });
  const [K, d, N, B] = [11, 5, 64, 33];
  const stack = new NetworkStack(engine, { models: K, inputs: d, hidden: [24, 24], targets: true });
  stack.initialize(rootKey(7));
  const stream = new Stream(rootKey(8));
  const pool = engine.variable('pool', { rows: N, columns: d });
  const values = new Float32Array(N * d);
  stream.fillNormal(values, 0, 1);
  pool.write(values);
  const table = engine.variable('table', { rows: B, columns: 1, models: K, index: true });
  const labels = engine.variable('labels', { rows: B, columns: 2, models: K });
  const total = engine.variable('total', { rows: N, columns: d });
  const loss = thermometer(stack.output(rows(pool, table)), value(labels), 16, 1 / 16);
  const [dx] = gradient(stack.output(value(pool), 'targets'), [value(pool)]);
  if (!dx) throw new Error('no gradient');
  const program = engine.compile('train', [
    stack.update(gradient(loss, stack.parameters().map(value))),
    [{ kind: 'sum', to: total, from: dx }],
  ]);
  for (let step = 0; step < 20; step++) {
    table.write(Array.from({ length: K * B }, () => stream.integer(N)));
    labels.write(Array.from({ length: K * B }, () => stream.integer(16)).flatMap((bin) => [bin, bin]));
    stack.advance({ rate: 0.01, targetRate: 0.1 });
    await program.run();
  }
  const arrays = [...stack.parameters('targets').map((p) => p.read()), total.read()];
  const bits = arrays.flatMap((array) => [...new Uint32Array(array.slice().buffer)]);
  const report = { kernel: engine.kernel, threads: engine.threads, count: bits.length, bits: bits.join(' ') };
  await engine.close();
  return report;
}
