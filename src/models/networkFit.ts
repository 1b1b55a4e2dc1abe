/**
 * Fitting networks to the rows of a table by minibatches: the part that all network models here share. Inputs and labels
 * of the data are kept once in the engine's memory. A minibatch is a table of row numbers into them, either one table
 * for all networks or one per network.
 */
import type { Engine, Program } from '../numeric/engine.js';
import { gradient } from '../numeric/gradient.js';
import { constant, rows, type Tensor, value } from '../numeric/graph.js';
import type { Effect } from '../numeric/instruction.js';
import { rowOf } from '../numeric/rows.js';
import { type Copy, NetworkStack, type StackSpec } from '../numeric/stack.js';
import type { Variable } from '../numeric/variable.js';
import { centringShift, type Encoding, modelInputs } from '../search/encoding.js';

/** Rows of data that a mean loss is taken over, at most. */
export const ROWS_JUDGED = 512;

export interface NetworkFitSpec {
  readonly encoding: Encoding;
  /** Parameters of the data's designs, N x P. */
  readonly parameters: Float64Array;
  /** N x c: standardised scores (c = 1), or the lowest and highest bin of each score (c = 2). */
  readonly labels: ArrayLike<number>;
  readonly labelColumns: number;
  readonly networks: Omit<StackSpec, 'inputs' | 'shift'>;
  /** M, input rows kept free behind the data, for designs. Default 0. */
  readonly designRows?: number;
}

/** B rows of data: `output` and `label` are those of the rows that the tables number. */
export interface Minibatch {
  /** Row numbers, B x 1; one table per network if asked for. */
  readonly table: Variable;
  /** Row numbers of the labels: `table` itself, unless asked for apart. */
  readonly labelTable: Variable;
  readonly output: Tensor;
  readonly label: Tensor;
}

export class NetworkFit {
  readonly stack: NetworkStack;
  /** What the networks see of the data, N x P. */
  readonly inputs: Float64Array;
  /** N. */
  readonly rowCount: number;
  /** `inputs`, then the rows for designs. */
  readonly pool: Variable;
  private readonly labelPool: Variable;
  private readonly variables: Variable[];
  private readonly programs: Program[] = [];

  constructor(
    private readonly engine: Engine,
    spec: NetworkFitSpec,
  ) {
    const { encoding, labels, labelColumns, networks, designRows = 0 } = spec;
    const P = encoding.parameters;
    this.inputs = modelInputs(encoding, spec.parameters);
    this.rowCount = this.inputs.length / P;
    const shift = centringShift(encoding, this.inputs);
    this.stack = new NetworkStack(engine, { ...networks, inputs: P, shift });
    this.pool = engine.variable('pool', { rows: this.rowCount + designRows, columns: P });
    this.pool.writeRows(0, this.inputs);
    const labelRows = labels.length / labelColumns;
    this.labelPool = engine.variable('labels', { rows: labelRows, columns: labelColumns });
    this.labelPool.write(labels);
    this.variables = [this.pool, this.labelPool];
  }

  /** `perNetwork`: every network has its own row numbers. `labelsApart`: labels have their own row numbers. */
  minibatch(
    size: number,
    { perNetwork = false, labelsApart = false }: { perNetwork?: boolean; labelsApart?: boolean } = {},
  ): Minibatch {
    const models = perNetwork ? this.stack.spec.models : 0;
    const shape = { rows: size, columns: 1, index: true, ...(perNetwork && { models }) };
    const table = this.variable('table', shape);
    const labelTable = labelsApart ? this.variable('labelTable', shape) : table;
    const output = this.stack.output(rows(this.pool, table));
    return { table, labelTable, output, label: rows(this.labelPool, labelTable) };
  }

  /**
   * Effects of one Adam step on the sum of weight times loss; default weights are 1/B. `further` variables are trained
   * too; their gradients are returned.
   */
  descend(
    loss: Tensor,
    weights: Tensor = constant(1 / loss.rows, loss.rows, 1),
    further: readonly Variable[] = [],
  ): { readonly effects: Effect[]; readonly gradients: readonly Tensor[] } {
    const parameters = this.stack.parameters();
    const all = gradient(loss, [...parameters, ...further].map(value), weights);
    return {
      effects: this.stack.update(all.slice(0, parameters.length)),
      gradients: all.slice(parameters.length),
    };
  }

  compile(name: string, effects: readonly Effect[]): Program {
    const program = this.engine.compile(name, [effects]);
    this.programs.push(program);
    return program;
  }

  /** A function that computes the mean of `loss` over networks and at most 512 rows of data, spread evenly. */
  meanLoss(name: string, { table }: Minibatch, loss: Tensor): () => Promise<number> {
    const { models } = this.stack.spec;
    const N = this.rowCount;
    const B = table.rows;
    const losses = this.variable('losses', { rows: B, columns: 1, models });
    const program = this.compile(name, [{ kind: 'store', to: losses, from: loss }]);
    const tables = Math.max(1, table.models);
    return async () => {
      const n = Math.min(N, ROWS_JUDGED);
      let sum = 0;
      for (let from = 0; from < n; from += B) {
        const count = Math.min(B, n - from);
        // the last table is filled up with rows that are not counted
        const row = (i: number) => Math.floor((((from + (i % B)) % n) * N) / n);
        table.write(Int32Array.from({ length: tables * B }, (_, i) => row(i)));
        await program.run();
        const found = losses.read();
        for (let k = 0; k < models; k++) for (let i = 0; i < count; i++) sum += found[k * B + i]!;
      }
      return sum / (n * models);
    };
  }

  /** Last-layer features of inputs (n x P) with a 1 for the bias, n x (h + 1), of each network asked for. */
  async features(
    inputs: ArrayLike<number>,
    networks: readonly number[],
    of: Copy = 'models',
  ): Promise<Float64Array[]> {
    const { models, inputs: P } = this.stack.spec;
    const n = inputs.length / P;
    const all = await this.stack.evaluateFeatures(inputs, of);
    const h = all.length / (n * models);
    return networks.map((k) => {
      const phi = new Float64Array(n * (h + 1)).fill(1);
      for (let i = 0; i < n; i++) phi.set(rowOf(all, h, k * n + i), i * (h + 1));
      return phi;
    });
  }

  private variable(name: string, shape: Parameters<Engine['variable']>[1]): Variable {
    const variable = this.engine.variable(name, shape);
    this.variables.push(variable);
    return variable;
  }

  /** Frees the networks, the data and everything made by this fit. */
  dispose(): void {
    for (const program of this.programs) program.dispose();
    this.stack.dispose();
    for (const variable of this.variables) this.engine.free(variable);
  }
}

/** Outputs of networks at M designs, and the gradient of their weighted sum in the designs. */
export class DesignGradient {
  private readonly outputs: Variable;
  private readonly weights: Variable | null;
  /** Where `differentiate` leaves the gradient, M x P. */
  readonly slopes: Variable;
  private readonly programs: Record<'evaluate' | 'differentiate', Program>;

  /**
   * `designs`: M x P. `output`: of networks `models`, as an expression in the designs. `weights`: what each output is
   * multiplied by; 'given': by the numbers passed to `differentiate`.
   */
  constructor(
    engine: Engine,
    designs: Variable,
    models: number,
    output: (x: Tensor) => Tensor,
    weights: Tensor | 'given',
  ) {
    const { rows: M, columns: P } = designs;
    const x = value(designs);
    const f = output(x);
    const shape = { rows: M, columns: f.columns, models };
    this.outputs = engine.variable('outputs', shape);
    this.weights = weights === 'given' ? engine.variable('outputWeights', shape) : null;
    this.slopes = engine.variable('slopes', { rows: M, columns: P });
    const [dx] = gradient(f, [x], this.weights ? value(this.weights) : (weights as Tensor));
    this.programs = {
      evaluate: engine.compile('evaluate designs', [[{ kind: 'store', to: this.outputs, from: f }]]),
      differentiate: engine.compile('differentiate', [[{ kind: 'sum', to: this.slopes, from: dx! }]]),
    };
  }

  /** `[network][design][output]`. */
  async evaluate(): Promise<Float32Array | Float64Array> {
    await this.programs.evaluate.run();
    return this.outputs.read();
  }

  /** `weights` of the outputs, if they are given anew each time. */
  async differentiate(weights?: ArrayLike<number>): Promise<void> {
    if (weights) this.weights?.write(weights);
    await this.programs.differentiate.run();
  }
}
