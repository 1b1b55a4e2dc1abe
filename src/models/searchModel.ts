/**
 * The search model q of adaptive sampling, a variational autoencoder. It is trained on the data, a copy is kept as the
 * prior p0, and then it is refitted to weighted draws from itself. Designs are drawn as z ~ N(0, I), x ~ q(x | z).
 */
import type { Engine } from '../numeric/engine.js';
import type { Key } from '../numeric/key.js';
import { Stream } from '../numeric/random.js';
import type { Copy } from '../numeric/stack.js';
import { type DivergenceAdvice, requireConverging } from '../search/divergence.js';
import { decode, encode, oneHots } from '../search/encoding.js';
import { evenly } from '../search/rowSubset.js';
import type { SearchSpace } from '../search/searchSpace.js';
import { ROWS_JUDGED } from './networkFit.js';
import { Vae, type VaeState } from './vae.js';

export interface SearchModelSpec {
  /** Columns of z. */
  readonly latent: number;
  readonly hidden: readonly number[];
  readonly beta: number;
  readonly deviation: readonly [number, number];
  readonly minibatch: number;
  /** S, draws per iteration. */
  readonly samples: number;
  /** What to change where the model diverges. */
  readonly advice: DivergenceAdvice;
}

export interface Draws {
  /** S x P parameters, inside the space's box and constraints. */
  readonly designs: Float64Array;
  /** log p0(x | z) - log q(x | z), S. As both models have the same prior of z it is that of the pairs (x, z). */
  readonly logRatios: Float64Array;
}

export class SearchModel {
  private readonly vae: Vae;
  private readonly N: number;
  /** The data as the autoencoder sees them, N x P. */
  private readonly rows: Float64Array;

  constructor(
    engine: Engine,
    private readonly search: SearchSpace,
    private readonly spec: SearchModelSpec,
  ) {
    const { encoding, parameters, data } = search;
    this.N = data.y.length;
    this.vae = new Vae(engine, { ...spec, blocks: encoding.blocks, places: this.N + spec.samples });
    this.rows = oneHots(encoding, parameters);
    this.vae.place(0, this.rows);
  }

  initialize(key: Key): void {
    this.vae.initialize(key, this.rows);
  }

  /** One step on rows of the data. */
  async learnData(stream: Stream, rate: number): Promise<void> {
    const batch = stream.sampleWithReplacement(this.N, this.spec.minibatch);
    await this.vae.train(batch, null, stream, rate);
  }

  /** The prior is the model as it is now. */
  keepPrior(): void {
    this.vae.keepPrior();
  }

  /** S designs of the model, which stay in its memory until the next are drawn. `iteration`: of the algorithm. */
  async draw(stream: Stream, iteration: number): Promise<Draws> {
    const { samples: S, latent: L } = this.spec;
    const z = new Float64Array(S * L);
    stream.fillNormal(z, 0, 1);
    const x = await this.vae.sample(z, stream);
    requireConverging(x, iteration, this.spec.advice);
    this.vae.place(this.N, x);
    const numbers = Uint32Array.from({ length: S }, (_, i) => this.N + i);
    const q = await this.vae.logDensity(numbers, z);
    const p0 = await this.vae.logDensity(numbers, z, 'targets');
    return { designs: this.held(x), logRatios: p0.map((p, i) => p - q[i]!) };
  }

  /** Steps up the ELBO of the last draws, each times its weight; weights sum to 1. */
  async refit(weights: Float64Array, steps: number, stream: Stream, rate: number): Promise<void> {
    const { samples: S, minibatch: B } = this.spec;
    for (let step = 0; step < steps; step++) {
      const batch = stream.sampleWithReplacement(S, B);
      const numbers = batch.map((i) => this.N + i);
      await this.vae.train(
        numbers,
        Float64Array.from(batch, (i) => (weights[i]! * S) / B),
        stream,
        rate,
      );
    }
  }

  /** n designs of the model, n x P parameters inside the space's box and constraints. */
  async propose(n: number, key: Key, iteration: number): Promise<Float64Array> {
    const stream = new Stream(key);
    const z = new Float64Array(n * this.spec.latent);
    stream.fillNormal(z, 0, 1);
    const x = await this.vae.sample(z, stream);
    requireConverging(x, iteration, this.spec.advice);
    return this.held(x);
  }

  /** A draw's continuous columns and one-hots as parameters the search may have. */
  private held(x: Float64Array): Float64Array {
    const { encoding } = this.search;
    const designs = encode(encoding, decode(encoding, x));
    this.search.hold(designs);
    return designs;
  }

  /** Lower bounds of log q(x), or of log p0(x), of all rows of the data; the same draws for the same key. */
  logEvidence(draws: number, key: Key, of: Copy): Promise<Float64Array> {
    const numbers = Uint32Array.from({ length: this.N }, (_, i) => i);
    return this.vae.logEvidence(numbers, draws, new Stream(key), of);
  }

  /** Mean over at most 512 rows of the data, taken evenly, of minus the ELBO; the same noise for the same key. */
  async dataLoss(key: Key): Promise<number> {
    const numbers = evenly(this.N, ROWS_JUDGED);
    const n = numbers.length;
    const noise = new Float64Array(n * this.spec.latent);
    new Stream(key).fillNormal(noise, 0, 1);
    const { logDensity, divergence } = await this.vae.elbo(numbers, noise);
    return logDensity.reduce((sum, v, i) => sum + (this.spec.beta * divergence[i]! - v) / n, 0);
  }

  state(): VaeState {
    return this.vae.state();
  }

  restore(state: VaeState): void {
    this.vae.restore(state);
  }
}
