/**
 * Conditional NML with m phantom rows that designs climb themselves, with no networks trained on the way: that of last
 * layers (lastLayerNetworks.ts), that of a Gaussian process (gaussianCnml.ts), or half of the designs by each. Designs
 * take turns in four strengths, 0, m/10, m and 10 m: which one is right is said by judges, of the designs that they lead to.
 */
import type { Engine } from '../numeric/engine.js';
import { foldKey, type Key } from '../numeric/key.js';
import { type LinearAlgebra, openLinearAlgebra } from '../numeric/linalg.js';
import type { Stream } from '../numeric/random.js';
import { takeRows } from '../numeric/rows.js';
import type { StackState } from '../numeric/stack.js';
import { argsort, median } from '../numeric/stats.js';
import { type AscentState, ascend, copyAscent, startAscent } from '../search/ascent.js';
import type { SearchSpace } from '../search/searchSpace.js';
import type { Head } from './discretizedLogistic.js';
import { GaussianCnml } from './gaussianCnml.js';
import { LastLayerNetworks } from './lastLayerNetworks.js';

export interface ExactNmlSpec {
  readonly estimator: 'last-layer' | 'gp' | 'both';
  readonly search: SearchSpace;
  readonly head: Head;
  readonly hidden: readonly number[];
  /** Lowest and highest bin of each score, N x 2. */
  readonly labels: Int32Array;
  readonly minibatch: number;
  /** M, designs. */
  readonly batchSize: number;
  /** R, networks. */
  readonly networks: number;
  readonly phantomRows: number | 'auto';
}

/** All that training and climbing change, as plain data. */
export interface ExactNmlState extends AscentState {
  readonly networks: StackState;
  /** How well hidden rows were ranked by the networks that are kept; -1 before that. */
  readonly rank: number;
  readonly climbs: number;
}

/** Share of the rows, the best ones, that are hidden from some networks and from a process. */
const HIDDEN = 0.2;
/** Shares of the training after which the networks may be kept. */
const KEPT_AT = [1 / 8, 1 / 4, 1 / 2, 3 / 4, 1];
const STRENGTHS = [0, 0.1, 1, 10];
/** m at least, so that strengths differ. */
const LEAST = { networks: 1, process: 0.1 };

export class ExactNml {
  private readonly hiddenRows: Int32Array;
  private readonly networks: LastLayerNetworks | null;
  private process: GaussianCnml | null = null;
  private linalg: LinearAlgebra | null = null;
  private ascent: AscentState;
  private rank = -1;
  private climbs = 0;
  /** Designs that climb the networks, and those that climb the process. */
  private readonly places: Record<'networks' | 'process', Int32Array>;
  private calibrated: { networks: number; process: number } | null = null;
  /** Estimates of the designs when they last climbed, of 0 to 1 over the scores' range. */
  private said: readonly Float64Array[] = [];

  constructor(
    engine: Engine,
    private readonly spec: ExactNmlSpec,
  ) {
    const { search, estimator, batchSize: M } = spec;
    const { y } = search.data;
    const order = argsort(y, 'descending');
    this.hiddenRows = Int32Array.from(order.subarray(0, Math.floor(HIDDEN * y.length)));
    const all = Int32Array.from({ length: M }, (_, i) => i);
    this.places = {
      networks: all.filter((i) => estimator === 'last-layer' || (estimator === 'both' && i % 2 === 0)),
      process: all.filter((i) => estimator === 'gp' || (estimator === 'both' && i % 2 === 1)),
    };
    this.networks =
      this.places.networks.length === 0
        ? null
        : new LastLayerNetworks(engine, {
            ...spec,
            encoding: search.encoding,
            parameters: search.parameters,
            batchSize: this.places.networks.length,
            hiddenRows: this.hiddenRows,
          });
    this.ascent = startAscent(new Float64Array(M * search.encoding.parameters));
  }

  initialize(key: Key): void {
    this.networks?.initialize(key);
    this.rank = -1;
    this.forget();
  }

  private forget(): void {
    this.process = null;
    this.calibrated = null;
  }

  /** Whether there is anything to train. */
  get isTrained(): boolean {
    return this.networks !== null;
  }

  /** Step 1 to `of` of maximum likelihood; the networks that rank hidden better rows best on the way are kept. */
  async pretrain(stream: Stream, rate: number, step: number, of: number): Promise<void> {
    if (!this.networks) return;
    // the last quarter at a third of the rate, so that outputs come to rest
    await this.networks.train(stream, step > 0.75 * of ? rate / 3 : rate);
    const isLast = step === of;
    if (!KEPT_AT.some((share) => step === Math.round(share * of))) return;
    const rank = await this.networks.rank(this.spec.search.data.y);
    if (!(rank > this.rank) && !(isLast && this.rank === -1)) return;
    this.rank = Math.max(rank, -0.999);
    this.networks.keep();
    this.forget();
  }

  dataLoss(): Promise<number> {
    return this.networks?.dataLoss() ?? Promise.resolve(0);
  }

  /** Fits what is climbed; `scores`: on the scale that a process explains best. */
  async open(engine: Engine, scores: Float64Array, key: Key): Promise<void> {
    if (this.calibrated) return;
    const { search, phantomRows } = this.spec;
    this.linalg ??= await openLinearAlgebra({ kernel: engine.kernel });
    await this.networks?.open(this.linalg);
    if (this.places.process.length > 0)
      this.process ??= new GaussianCnml(
        this.linalg,
        {
          encoding: search.encoding,
          parameters: search.parameters,
          scores,
          hiddenRows: this.hiddenRows,
        },
        foldKey(key, 'process'),
      );
    this.calibrated =
      phantomRows === 'auto'
        ? {
            networks: Math.max(LEAST.networks, (await this.networks?.calibrate(this.linalg)) ?? 0),
            process: Math.max(LEAST.process, this.process?.calibrated ?? 0),
          }
        : { networks: phantomRows, process: phantomRows };
  }

  /** m of the networks and of the process; only after `open`. */
  get phantomRows(): { readonly networks: number; readonly process: number } {
    return this.calibrated!;
  }

  private strengths(places: Int32Array, m: number): Float64Array {
    if (this.spec.phantomRows !== 'auto') return new Float64Array(places.length).fill(m);
    return Float64Array.from(places, (_, i) => m * STRENGTHS[i % STRENGTHS.length]!);
  }

  /** One step of Adam up the estimates, for all designs. */
  async climb(rate: number): Promise<void> {
    const { encoding } = this.spec.search;
    const P = encoding.parameters;
    const gradient = new Float64Array(this.ascent.designs.length);
    const { networks, process } = this.places;
    const said: Float64Array[] = [];
    const put = (places: Int32Array, mean: Float64Array, slopes: ArrayLike<number>) => {
      said.push(mean);
      places.forEach((place, i) => {
        for (let j = 0; j < P; j++) gradient[place * P + j] = slopes[i * P + j]!;
      });
    };
    if (this.networks) {
      const designs = takeRows(this.ascent.designs, P, networks);
      const m = this.strengths(networks, this.calibrated!.networks);
      const { mean, slopes } = await this.networks.estimate(this.linalg!, designs, m);
      put(networks, mean, slopes);
    }
    if (this.process) {
      const designs = takeRows(this.ascent.designs, P, process);
      const { mean, slopes } = this.process.estimate(
        designs,
        this.strengths(process, this.calibrated!.process),
      );
      put(process, mean, slopes);
    }
    this.said = said;
    this.climbs++;
    const rates = new Float64Array(P).fill(rate);
    ascend(this.ascent, gradient, this.climbs, { ascent: 'adam', rates });
  }

  /** Medians of the last estimates, one per estimator. */
  estimates(): number[] {
    return this.said.map((mean) => median(mean));
  }

  /** M x P. */
  designs(): Float64Array {
    return this.ascent.designs.slice();
  }

  /** Puts the designs somewhere else, and leaves Adam's moments as they are. */
  placeDesigns(designs: Float64Array): void {
    this.ascent.designs.set(designs);
  }

  startFrom(designs: Float64Array): void {
    this.ascent = startAscent(designs);
    this.climbs = 0;
  }

  state(): ExactNmlState {
    const networks = this.networks?.state() ?? { step: 0, tensors: {} };
    return { networks, ...copyAscent(this.ascent), rank: this.rank, climbs: this.climbs };
  }

  restore({ networks, rank, climbs, ...ascent }: ExactNmlState): void {
    this.networks?.restore(networks);
    this.forget();
    this.ascent = copyAscent(ascent);
    this.rank = rank;
    this.climbs = climbs;
  }
}
