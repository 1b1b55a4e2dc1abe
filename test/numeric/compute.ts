import { capabilities, type Kernel, openEngine, type Tensor, value } from '../../src/numeric/index.js';
import type { Layout } from '../../src/numeric/variable.js';

/** Kernels that compute in float32 and can run here; test/numeric/native.test.ts says why if `native` is not among them. */
export const compiledKernels: readonly Exclude<Kernel, 'reference'>[] = capabilities().native
  ? ['native', 'wasm', 'wasm-relaxed']
  : ['wasm', 'wasm-relaxed'];

export interface Input {
  readonly rows: number;
  readonly columns: number;
  readonly layout?: Layout;
  /** One matrix for all models rather than one each. */
  readonly shared?: boolean;
  /** `[model][row][column]`. */
  readonly values: ArrayLike<number>;
}

export interface Job<Names extends string> {
  readonly kernel: Kernel;
  readonly models?: number;
  readonly threads?: number;
  readonly inputs: Readonly<Record<Names, Input>>;
  readonly build: (inputs: Readonly<Record<Names, Tensor>>) => readonly Tensor[];
}

/** Values of the tensors that `build` makes, each `[model][row][column]`. */
export async function compute<Names extends string>(job: Job<Names>): Promise<Float64Array[]> {
  const { kernel, models = 1, threads = 1, inputs, build } = job;
  await using engine = await openEngine({ kernel, threads });
  const tensors = {} as Record<Names, Tensor>;
  for (const name of Object.keys(inputs) as Names[]) {
    const { rows, columns, layout, shared, values } = inputs[name];
    const shape = { rows, columns, models: shared ? 0 : models, ...(layout ? { layout } : {}) };
    const variable = engine.variable(name, shape);
    variable.write(values);
    tensors[name] = value(variable);
  }
  const results = build(tensors);
  const outputs = results.map(({ rows, columns, layout }, i) =>
    engine.variable(`output ${i}`, { rows, columns, layout, models }),
  );
  const program = engine.compile('test', [
    outputs.map((to, i) => ({ kind: 'store', to, from: results[i]! })),
  ]);
  await program.run();
  return outputs.map((output) => Float64Array.from(output.read()));
}

/** Numbers a float32 can hold, so that all kernels see the same input. */
export function floats(values: Iterable<number>): Float64Array {
  return Float64Array.from(Float32Array.from(values));
}
