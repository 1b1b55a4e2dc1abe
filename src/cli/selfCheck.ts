import {
  type Engine,
  gradient,
  type Kernel,
  NetworkStack,
  openEngine,
  rootKey,
  Stream,
  thermometer,
  value,
} from '../numeric/index.js';

/** One training program of K networks on rows made up from a seed. */
async function training(engine: Engine, K: number, d: number, h: number, rows: number) {
  const stack = new NetworkStack(engine, { models: K, inputs: d, hidden: [h, h] });
  stack.initialize(rootKey(0));
  const stream = new Stream(rootKey(1));
  const x = engine.variable('x', { rows, columns: d });
  const labels = engine.variable('labels', { rows, columns: 2 });
  const values = new Float32Array(rows * d);
  stream.fillUniform(values, -1, 1);
  x.write(values);
  labels.write(Array.from({ length: rows }, () => stream.integer(20)).flatMap((bin) => [bin, bin]));
  const loss = thermometer(stack.output(value(x)), value(labels), 20, 0.05);
  const parameters = stack.parameters();
  const gradients = gradient(loss, parameters.map(value));
  const kept = parameters.map(({ name, rows, columns, layout, models }) =>
    engine.variable(`gradient ${name}`, { rows, columns, layout, models }),
  );
  const differentiate = engine.compile('differentiate', [
    gradients.map((from, i) => ({ kind: 'store', to: kept[i]!, from })),
  ]);
  const update = engine.compile('update', [stack.update(gradients)]);
  return { stack, kept, differentiate, update };
}

/** Gradients of small networks, all in one list. */
async function smallGradients(kernel: Kernel, threads: number): Promise<number[]> {
  await using engine = await openEngine({ kernel, threads });
  const { kept, differentiate } = await training(engine, 9, 11, 13, 21);
  await differentiate.run();
  return kept.flatMap((variable) => [...variable.read()]);
}

/** Speed at the size of the paper's largest networks, and the error of a gradient against the float64 reference. */
export async function selfCheck(
  engine: Engine,
): Promise<{ gigaflopPerSecond: number; networks: string; error: number }> {
  const actual = await smallGradients(engine.kernel, engine.threads);
  const exact = await smallGradients('reference', 1);
  const largest = Math.max(...exact.map(Math.abs));
  const error = Math.max(...exact.map((v, i) => Math.abs(v - actual[i]!))) / largest;
  // the reference would take minutes at full size
  const [K, d, h, rows] = engine.kernel === 'reference' ? [2, 11, 13, 21] : [40, 81, 256, 128];
  const { stack, update } = await training(engine, K, d, h, rows);
  let seconds = 0;
  let steps = 0;
  while (seconds < 0.5) {
    stack.advance({ rate: 1e-3 });
    const start = performance.now();
    await update.run();
    if (steps > 0 || engine.kernel === 'reference') seconds += (performance.now() - start) / 1000;
    steps += 1;
  }
  const upper = h * h + h;
  const operations = K * 2 * rows * (2 * (d * h + upper) + upper);
  const counted = engine.kernel === 'reference' ? steps : steps - 1;
  return {
    gigaflopPerSecond: (operations * counted) / seconds / 1e9,
    networks: `${K} networks of ${d}-${h}-${h}-1`,
    error,
  };
}
