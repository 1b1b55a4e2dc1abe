/**
 * One network f that scores designs, as an ascent uses it: its values and its slopes. What it is trained by is the
 * business of whoever holds it (`rankingNetwork.ts`, `gradientMatching.ts`).
 */
import type { Engine } from '../numeric/engine.js';
import { type Activation, constant } from '../numeric/graph.js';
import type { Key } from '../numeric/key.js';
import type { StackState } from '../numeric/stack.js';
import { fitStandardization, type Standardization, standardize } from '../numeric/stats.js';
import type { Variable } from '../numeric/variable.js';
import { type Encoding, modelInputs, modelInputsOf, roundToGrid } from '../search/encoding.js';
import { DesignGradient, NetworkFit } from './networkFit.js';

export interface ScoreNetworkSpec {
  readonly encoding: Encoding;
  /** Widths of the hidden layers. */
  readonly hidden: readonly number[];
  readonly activation: Activation;
  /** Parameters of the data's designs, N x P. */
  readonly parameters: Float64Array;
  /** N. */
  readonly y: ArrayLike<number>;
  /** M, designs whose gradient is taken together. */
  readonly batchSize: number;
}

export class ScoreNetwork {
  readonly scores: Standardization;
  /** y, standardised, N. */
  readonly targets: Float64Array;
  readonly fit: NetworkFit;
  private readonly designs: Variable;
  private readonly designGradient: DesignGradient;

  constructor(
    engine: Engine,
    private readonly spec: ScoreNetworkSpec,
  ) {
    const { encoding, hidden, activation, parameters, y, batchSize: M } = spec;
    this.scores = fitStandardization(y, 1);
    this.targets = standardize(y, this.scores);
    this.fit = new NetworkFit(engine, {
      encoding,
      parameters,
      labels: this.targets,
      labelColumns: 1,
      networks: { models: 1, hidden, activation },
    });
    this.designs = engine.variable('designs', { rows: M, columns: encoding.parameters });
    this.designGradient = new DesignGradient(
      engine,
      this.designs,
      1,
      (x) => this.fit.stack.output(modelInputsOf(encoding, x)),
      constant(1, M, 1),
    );
  }

  initialize(key: Key): void {
    this.fit.stack.initialize(key);
  }

  /** Slopes of f at M designs (M x P parameters); on fine grids at the nearest point. */
  async gradientAt(parameters: Float64Array): Promise<ArrayLike<number>> {
    this.designs.write(roundToGrid(this.spec.encoding, parameters));
    await this.designGradient.differentiate();
    return this.designGradient.slopes.read();
  }

  /** f at designs, n x P parameters. */
  async valuesAt(parameters: Float64Array): Promise<Float64Array> {
    const { encoding } = this.spec;
    return Float64Array.from(
      await this.fit.stack.evaluate(modelInputs(encoding, roundToGrid(encoding, parameters))),
    );
  }

  /** f at all rows of the data, N. */
  async valuesAtData(): Promise<Float64Array> {
    return Float64Array.from(await this.fit.stack.evaluate(this.fit.inputs));
  }

  state(): StackState {
    return this.fit.stack.state();
  }

  restore(state: StackState): void {
    this.fit.stack.restore(state);
  }
}
