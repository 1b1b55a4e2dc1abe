/**
 * A few networks whose last layers answer with conditional NML of m phantom rows (leverageCnml.ts), and the gradient of
 * that answer in the designs: no network is trained while designs move. Some networks never see the hidden rows, the best
 * of the data and a few others; these say how long to train, and how many phantom rows it takes.
 */
import type { Engine, Program } from '../numeric/engine.js';
import { thermometer } from '../numeric/graph.js';
import { foldKey, type Key } from '../numeric/key.js';
import type { LinearAlgebra } from '../numeric/linalg.js';
import type { Stream } from '../numeric/random.js';
import { dot, rowOf, takeRows } from '../numeric/rows.js';
import type { NetworkStack, StackState } from '../numeric/stack.js';
import { spearman } from '../numeric/stats.js';
import type { Variable } from '../numeric/variable.js';
import { type Encoding, modelInputsOf, roundToGrid } from '../search/encoding.js';
import { evenly } from '../search/rowSubset.js';
import { type Head, quantileOf } from './discretizedLogistic.js';
import { LeverageCnml } from './leverageCnml.js';
import { DesignGradient, type Minibatch, NetworkFit } from './networkFit.js';

export interface LastLayerSpec {
  readonly encoding: Encoding;
  readonly head: Head;
  readonly hidden: readonly number[];
  /** Parameters of the data's designs, N x P. */
  readonly parameters: Float64Array;
  /** Lowest and highest bin of each score, N x 2. */
  readonly labels: Int32Array;
  readonly minibatch: number;
  /** M, designs. */
  readonly batchSize: number;
  /** R, networks that are climbed. */
  readonly networks: number;
  /** Rows that the rehearsing networks never see. */
  readonly hiddenRows: Int32Array;
}

/** Networks that never see the hidden rows. */
const REHEARSING = 2;
/** Rows that a Hessian is summed over at most. */
const CURVED = 2048;
/** Ridge on the last layer, which makes leverage finite where outputs are saturated. */
const RIDGE = 1e-3;
/** m that are tried, and the share of hidden rows that intervals of that share should hold. */
export const PHANTOM_ROWS = [0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10000] as const;
const COVERAGE = 0.8;
/** Hidden rows that are asked about. */
const ASKED = 128;

interface Layer {
  /** h + 1, the bias last. */
  readonly theta: Float64Array;
  /** Cholesky factor of H, (h + 1) x (h + 1). */
  readonly factor: Float64Array;
}

export interface DesignEstimates {
  /** Expected score of each design, 0 to 1 over the range of scores. */
  readonly mean: Float64Array;
  /** Its gradient, M x P. */
  readonly slopes: Float32Array | Float64Array;
}

export class LastLayerNetworks {
  private readonly fit: NetworkFit;
  private readonly stack: NetworkStack;
  private readonly batch: Minibatch;
  private readonly program: Program;
  private readonly designs: Variable;
  private readonly gradient: DesignGradient;
  private readonly cnml: LeverageCnml;
  private readonly seen: Int32Array;
  private layers: readonly Layer[] | null = null;
  /** Minus the log-likelihood of the data's labels per threshold: mean over all networks and at most 512 rows. */
  readonly dataLoss: () => Promise<number>;

  constructor(
    engine: Engine,
    private readonly spec: LastLayerSpec,
  ) {
    const { encoding, head, hidden, labels, minibatch: B, batchSize: M, hiddenRows } = spec;
    const models = spec.networks + REHEARSING;
    this.fit = new NetworkFit(engine, {
      encoding,
      parameters: spec.parameters,
      labels,
      labelColumns: 2,
      networks: { models, hidden, targets: true },
    });
    this.stack = this.fit.stack;
    this.batch = this.fit.minibatch(B, { perNetwork: true });
    const loss = thermometer(this.batch.output, this.batch.label, head.bins, head.scale);
    this.dataLoss = this.fit.meanLoss('judge', this.batch, loss);
    this.program = this.fit.compile('train last layers', this.fit.descend(loss).effects);
    this.designs = engine.variable('designs', { rows: M, columns: encoding.parameters });
    this.gradient = new DesignGradient(
      engine,
      this.designs,
      models,
      (x) => this.stack.features(modelInputsOf(encoding, x), 'targets'),
      'given',
    );
    this.cnml = new LeverageCnml(head);
    const isHidden = new Set(hiddenRows);
    this.seen = Int32Array.from({ length: this.fit.rowCount }, (_, i) => i).filter((i) => !isHidden.has(i));
  }

  initialize(key: Key): void {
    this.stack.initialize(foldKey(key, 'weights'));
    this.layers = null;
  }

  /** One step of maximum likelihood, each network on rows of its own. */
  async train(stream: Stream, rate: number): Promise<void> {
    const { minibatch: B, networks: R } = this.spec;
    const { models } = this.stack.spec;
    const numbers = new Int32Array(models * B);
    for (let network = 0; network < models; network++) {
      const isAll = network < R;
      const drawn = stream.sampleWithReplacement(isAll ? this.fit.rowCount : this.seen.length, B);
      for (let i = 0; i < B; i++) numbers[network * B + i] = isAll ? drawn[i]! : this.seen[drawn[i]!]!;
    }
    this.batch.table.write(numbers);
    this.stack.advance({ rate, targetRate: 0 });
    await this.program.run();
  }

  /** How well the networks that never saw the hidden rows rank these: Spearman's correlation. */
  async rank(scores: ArrayLike<number>): Promise<number> {
    const rows = this.asked();
    if (rows.length < 3) return 0;
    const { networks: R, encoding } = this.spec;
    const mu = await this.stack.evaluate(takeRows(this.fit.inputs, encoding.parameters, rows));
    const n = rows.length;
    const mean = Float64Array.from(rows, (_, i) => {
      let sum = 0;
      for (let r = R; r < R + REHEARSING; r++) sum += mu[r * n + i]!;
      return sum;
    });
    const asked = Float64Array.from(rows, (row) => scores[row]!);
    const isConstant = [mean, asked].some((values) => values.every((value) => value === values[0]));
    return isConstant ? 0 : spearman(mean, asked);
  }

  private asked(): Int32Array {
    const { hiddenRows } = this.spec;
    return evenly(hiddenRows.length, ASKED).map((i) => hiddenRows[i]!);
  }

  /** What is climbed and asked from now on is the networks as they are. */
  keep(): void {
    this.stack.copyToTargets();
    this.layers = null;
  }

  /** Fits what the last layers need; to be called before `calibrate` and `estimate`. */
  async open(linalg: LinearAlgebra): Promise<void> {
    if (this.layers) return;
    const { networks: R, encoding, labels, head } = this.spec;
    const [weight, bias] = this.stack.parameters('targets').slice(-2);
    const [weights, biases] = [weight!.read(), bias!.read()];
    const h = weights.length / (R + REHEARSING);
    const layersOf = async (rows: Int32Array, networks: readonly number[]): Promise<Layer[]> => {
      const chosen = evenly(rows.length, CURVED).map((i) => rows[i]!);
      const inputs = takeRows(this.fit.inputs, encoding.parameters, chosen);
      const phis = await this.fit.features(inputs, networks, 'targets');
      const stands = rows.length / chosen.length;
      return networks.map((network, at) => {
        const phi = phis[at]!;
        const p = h + 1;
        const theta = Float64Array.from({ length: p }, (_, j) =>
          j < h ? weights[network * h + j]! : biases[network]!,
        );
        const scaled = new Float64Array(p * chosen.length);
        chosen.forEach((row, i) => {
          const mu = dot(phi, theta, p, i * p);
          const isKnown = labels[2 * row] === labels[2 * row + 1];
          const root = isKnown ? Math.sqrt(stands * this.cnml.curvature(mu)) : 0;
          for (let j = 0; j < p; j++) scaled[j * chosen.length + i] = root * phi[i * p + j]!;
        });
        const hessian = linalg.multiplyTransposed(scaled, scaled, p, p, chosen.length);
        const ridge = RIDGE / (head.scale * head.scale);
        for (let j = 0; j < p; j++) hessian[j * p + j]! += ridge;
        return { theta, factor: linalg.cholesky(hessian, p) };
      });
    };
    const all = Int32Array.from({ length: this.fit.rowCount }, (_, i) => i);
    const climbed = Array.from({ length: R }, (_, r) => r);
    const rehearsing = Array.from({ length: REHEARSING }, (_, r) => R + r);
    this.layers = [...(await layersOf(all, climbed)), ...(await layersOf(this.seen, rehearsing))];
  }

  /** The least m whose 80 % intervals hold 80 % of the hidden rows. */
  async calibrate(linalg: LinearAlgebra): Promise<number> {
    const { networks: R, encoding, labels } = this.spec;
    const rows = this.asked();
    if (rows.length === 0) return 1;
    const networks = Array.from({ length: REHEARSING }, (_, r) => R + r);
    const inputs = takeRows(this.fit.inputs, encoding.parameters, rows);
    const phis = await this.fit.features(inputs, networks, 'targets');
    const places = networks.map((network, at) => this.place(linalg, phis[at]!, this.layers![network]!));
    for (const m of PHANTOM_ROWS) {
      let held = 0;
      rows.forEach((row, i) => {
        const p = new Float64Array(this.spec.head.bins);
        for (const { mu, lambda } of places)
          this.cnml.probabilities(mu[i]!, lambda[i]!, m).forEach((value, k) => {
            p[k]! += value;
          });
        const isAbove = quantileOf(p, (1 - COVERAGE) / 2) <= labels[2 * row + 1]! + 1;
        if (isAbove && quantileOf(p, (1 + COVERAGE) / 2) >= labels[2 * row]!) held++;
      });
      if (held >= COVERAGE * rows.length) return m;
    }
    return PHANTOM_ROWS.at(-1)!;
  }

  /** mu0, H^-1 phi and lambda of features, n x (h + 1). */
  private place(linalg: LinearAlgebra, phi: Float64Array, { theta, factor }: Layer) {
    const p = theta.length;
    const n = phi.length / p;
    const columns = new Float64Array(phi.length);
    for (let i = 0; i < n; i++) for (let j = 0; j < p; j++) columns[j * n + i] = phi[i * p + j]!;
    const solved = linalg.solveCholesky(factor, p, columns, n);
    const direction = new Float64Array(phi.length);
    for (let i = 0; i < n; i++) for (let j = 0; j < p; j++) direction[i * p + j] = solved[j * n + i]!;
    return {
      direction,
      mu: Float64Array.from({ length: n }, (_, i) => dot(phi, theta, p, i * p)),
      lambda: Float64Array.from({ length: n }, (_, i) => dot(phi, direction, p, i * p, i * p)),
    };
  }

  /** What designs (M x P parameters) are expected to score with `m` phantom rows each, and which way is up. */
  async estimate(
    linalg: LinearAlgebra,
    parameters: Float32Array | Float64Array,
    m: ArrayLike<number>,
  ): Promise<DesignEstimates> {
    const { networks: R, encoding, batchSize: M } = this.spec;
    this.designs.write(roundToGrid(encoding, parameters));
    const features = await this.gradient.evaluate();
    const models = R + REHEARSING;
    const h = features.length / (models * M);
    const seeds = new Float64Array(features.length);
    const mean = new Float64Array(M);
    for (let r = 0; r < R; r++) {
      const layer = this.layers![r]!;
      const phi = new Float64Array(M * (h + 1)).fill(1);
      for (let i = 0; i < M; i++) phi.set(rowOf(features, h, r * M + i), i * (h + 1));
      const { direction, mu, lambda } = this.place(linalg, phi, layer);
      for (let i = 0; i < M; i++) {
        const { mean: value, byOutput, byLeverage } = this.cnml.at(mu[i]!, lambda[i]!, m[i]!);
        mean[i]! += value / R;
        for (let j = 0; j < h; j++)
          seeds[(r * M + i) * h + j] =
            (byOutput * layer.theta[j]! + 2 * byLeverage * direction[i * (h + 1) + j]!) / R;
      }
    }
    await this.gradient.differentiate(seeds);
    return { mean, slopes: this.gradient.slopes.read() };
  }

  state(): StackState {
    return this.stack.state();
  }

  restore(state: StackState): void {
    this.stack.restore(state);
    this.layers = null;
  }
}
