/**
 * Variational autoencoder (Kingma & Welling 2014) over designs, with a weight for every row:
 *
 *   ELBO(x) = E_e(z|x) log p(x | z) - beta KL(e(z|x) || N(0, I)),   e(z|x) = N(mu(x), sigma(x)^2),  z = mu + sigma eps
 *
 * eps is written into a variable by a seeded stream before each step, so sampling is inside the gradient. sigma is
 * exp(log-std); the public version of CbAS has softplus(log-std), with which the prior's own code (0, 0) is not N(0, I).
 * The copy that a stack keeps as targets is here the prior: the model as it was when `keepPrior` was called.
 */
import type { Engine, Program } from '../numeric/engine.js';
import { requireCount, requireOption } from '../numeric/errors.js';
import { gradient } from '../numeric/gradient.js';
import {
  add,
  apply,
  columns,
  multiply,
  rows,
  scale,
  subtract,
  sumColumns,
  type Tensor,
  value,
} from '../numeric/graph.js';
import { foldKey, type Key } from '../numeric/key.js';
import { portableLog } from '../numeric/portable.js';
import type { Stream } from '../numeric/random.js';
import { logSumExp } from '../numeric/special.js';
import { type Copy, NetworkStack, type StackState } from '../numeric/stack.js';
import type { Variable } from '../numeric/variable.js';
import type { Block } from '../search/encoding.js';
import { ColumnLikelihood } from './columnLikelihood.js';

export interface VaeSpec {
  /** Kinds of columns; a design is a row of P numbers as in columnLikelihood.ts. */
  readonly blocks: readonly Block[];
  /** Designs that have a place in the engine's memory; all methods speak of them by number. */
  readonly places: number;
  /** Columns of z. */
  readonly latent: number;
  /** Widths of the encoder's hidden layers, and of the decoder's in reverse. */
  readonly hidden: readonly number[];
  /** Rows per step of training. */
  readonly minibatch: number;
  /** Weight of the divergence from the prior; 1 is the ELBO. */
  readonly beta: number;
  /** Least and greatest standard deviation of a continuous column given z. */
  readonly deviation: readonly [number, number];
}

export interface VaeState {
  readonly encoder: StackState;
  readonly decoder: StackState;
}

/** The two parts of the ELBO, row by row. */
export interface Elbo {
  /** log p(x | z), at the z of the noise that was given. */
  readonly logDensity: Float64Array;
  /** KL(e(z|x) || N(0, I)). */
  readonly divergence: Float64Array;
}

/** Designs that are asked about at a time. */
const CHUNK = 128;

interface Asked {
  readonly table: Variable;
  readonly latents: Variable;
  readonly noise: Variable;
  readonly code: Variable;
  readonly moments: Variable;
  readonly density: Variable;
  readonly divergence: Variable;
}

type Question = 'encode' | 'decode' | 'density' | 'elbo' | 'weigh';

export class Vae {
  private readonly encoder: NetworkStack;
  private readonly decoder: NetworkStack;
  private readonly likelihood: ColumnLikelihood;
  private readonly pool: Variable;
  private readonly batch: Readonly<Record<'table' | 'noise' | 'weights', Variable>>;
  private readonly asked: Asked;
  private readonly training: Program;
  private readonly questions = new Map<string, Program>();

  constructor(
    private readonly engine: Engine,
    readonly spec: VaeSpec,
  ) {
    const { latent: L, hidden, minibatch: B, beta, places, blocks, deviation } = spec;
    requireCount('latent', L);
    requireOption('beta', beta, beta >= 0, 'a number >= 0');
    this.likelihood = new ColumnLikelihood({ blocks, deviation });
    const { parameters: P, outputs } = this.likelihood;
    const alike = { models: 1, activation: 'leakyRelu', alpha: 0.3, targets: true } as const;
    this.encoder = new NetworkStack(engine, { ...alike, inputs: P, hidden, outputs: 2 * L });
    this.decoder = new NetworkStack(engine, { ...alike, inputs: L, hidden: [...hidden].reverse(), outputs });
    const column = (name: string, n: number, width: number, index = false) =>
      engine.variable(name, { rows: n, columns: width, index });
    this.pool = column('designs', places, P);
    this.batch = {
      table: column('batch', B, 1, true),
      noise: column('batchNoise', B, L),
      weights: column('batchWeights', B, 1),
    };
    this.asked = {
      table: column('asked', CHUNK, 1, true),
      latents: column('latents', CHUNK, L),
      noise: column('noise', CHUNK, L),
      code: column('code', CHUNK, 2 * L),
      moments: column('moments', CHUNK, outputs),
      density: column('density', CHUNK, 1),
      divergence: column('divergence', CHUNK, 1),
    };
    const { table, noise, weights } = this.batch;
    const x = rows(this.pool, table);
    const { logDensity, divergence } = this.elboOf(x, this.encoder.output(x), value(noise), 'models');
    const loss = subtract(scale(divergence, beta), logDensity);
    const parameters = [...this.encoder.parameters(), ...this.decoder.parameters()];
    const slopes = gradient(loss, parameters.map(value), value(weights));
    const encoderCount = this.encoder.parameters().length;
    this.training = engine.compile('autoencode', [
      [
        ...this.encoder.update(slopes.slice(0, encoderCount)),
        ...this.decoder.update(slopes.slice(encoderCount)),
      ],
    ]);
  }

  private elboOf(x: Tensor, code: Tensor, eps: Tensor, of: Copy): { logDensity: Tensor; divergence: Tensor } {
    const { mu, logSigma, z } = this.latentOf(code, eps);
    const squares = add(apply('square', mu), apply('exp', scale(logSigma, 2)));
    // KL = sum_l (mu^2 + sigma^2 - 1) / 2 - log sigma
    const divergence = sumColumns(subtract(scale(squares, 0.5, -0.5), logSigma));
    return { logDensity: this.likelihood.logDensity(x, this.decoder.output(z, of)), divergence };
  }

  private latentOf(code: Tensor, eps: Tensor): { mu: Tensor; logSigma: Tensor; z: Tensor } {
    const { latent: L } = this.spec;
    const mu = columns(code, 0, L);
    const logSigma = columns(code, L, L);
    return { mu, logSigma, z: add(mu, multiply(apply('exp', logSigma), eps)) };
  }

  /**
   * Fresh networks. The decoder begins with the shares of the classes in `designs` (n x P) as its last bias: where they
   * are far from even, as in families of one sequence, codes would else be used to say what is common to all, far from
   * N(0, I), and draws of z would decode to nothing like the data.
   */
  initialize(key: Key, designs: ArrayLike<number>): void {
    this.encoder.initialize(foldKey(key, 'encoder'));
    this.decoder.initialize(foldKey(key, 'decoder'));
    const bias = this.decoder.parameters().at(-1)!;
    const drawn = bias.read();
    bias.write(this.likelihood.shares(designs).map((share, i) => share ?? drawn[i]!));
    this.decoder.copyToTargets();
  }

  /** Designs `first`, `first + 1`, ... from now on; n x P. */
  place(first: number, designs: ArrayLike<number>): void {
    this.pool.writeRows(first, designs);
  }

  /** One step of Adam up the sum of weights times ELBOs of some designs; without weights, their mean. */
  async train(
    batch: ArrayLike<number>,
    weights: ArrayLike<number> | null,
    stream: Stream,
    rate: number,
  ): Promise<void> {
    const { minibatch: B, latent: L } = this.spec;
    const noise = new Float64Array(B * L);
    stream.fillNormal(noise, 0, 1);
    this.batch.table.write(batch);
    this.batch.noise.write(noise);
    this.batch.weights.write(weights ?? new Float64Array(B).fill(1 / B));
    this.encoder.advance({ rate });
    this.decoder.advance({ rate });
    await this.training.run();
  }

  /** From now on the prior is the model as it is, and Adam begins anew. */
  keepPrior(): void {
    for (const stack of [this.encoder, this.decoder]) stack.loadWeights(stack.weights());
  }

  /** Parts of the ELBO of designs, z by the noise that is given (n x L). */
  async elbo(designs: ArrayLike<number>, noise: ArrayLike<number>, of: Copy = 'models'): Promise<Elbo> {
    const { table, noise: eps, density, divergence } = this.asked;
    const [logDensity, kl] = [new Float64Array(designs.length), new Float64Array(designs.length)];
    for (const { from, count } of chunks(designs.length)) {
      fill(table, designs, from, count);
      fill(eps, noise, from, count);
      await this.ask('elbo', of);
      logDensity.set(density.read().subarray(0, count), from);
      kl.set(divergence.read().subarray(0, count), from);
    }
    return { logDensity, divergence: kl };
  }

  /** Designs drawn from p(x | z), n x P; z n x L. */
  async sample(latents: ArrayLike<number>, stream: Stream, of: Copy = 'models'): Promise<Float64Array> {
    const { latent: L } = this.spec;
    const { parameters: P, outputs } = this.likelihood;
    const n = latents.length / L;
    const x = new Float64Array(n * P);
    for (const { from, count } of chunks(n)) {
      fill(this.asked.latents, latents, from, count);
      await this.ask('decode', of);
      const moments = this.asked.moments.read().subarray(0, count * outputs);
      x.set(this.likelihood.sample(moments, stream), from * P);
    }
    return x;
  }

  /** log p(x | z) of designs at latents n x L. */
  async logDensity(
    designs: ArrayLike<number>,
    latents: ArrayLike<number>,
    of: Copy = 'models',
  ): Promise<Float64Array> {
    const { table, latents: z, density } = this.asked;
    const answers = new Float64Array(designs.length);
    for (const { from, count } of chunks(designs.length)) {
      fill(table, designs, from, count);
      fill(z, latents, from, count);
      await this.ask('density', of);
      answers.set(density.read().subarray(0, count), from);
    }
    return answers;
  }

  /**
   * Importance-weighted lower bound of log p(x) (Burda et al. 2016): log of the mean over draws z ~ e(z|x) of
   * p(x | z) p(z) / e(z|x). It rises to log p(x) with the draws.
   */
  async logEvidence(
    designs: ArrayLike<number>,
    draws: number,
    stream: Stream,
    of: Copy = 'models',
  ): Promise<Float64Array> {
    const { latent: L } = this.spec;
    const { table, noise, density } = this.asked;
    const bound = new Float64Array(designs.length);
    const eps = new Float64Array(CHUNK * L);
    for (const { from, count } of chunks(designs.length)) {
      fill(table, designs, from, count);
      await this.ask('encode', of);
      const logs: Float64Array[] = Array.from({ length: count }, () => new Float64Array(draws));
      for (let k = 0; k < draws; k++) {
        stream.fillNormal(eps, 0, 1);
        noise.write(eps);
        await this.ask('weigh', of);
        const answers = density.read();
        logs.forEach((log, i) => {
          log[k] = answers[i]!;
        });
      }
      logs.forEach((log, i) => {
        bound[from + i] = logSumExp(log) - portableLog(draws);
      });
    }
    return bound;
  }

  /** Runs a question about what stands in `asked`; its program is made when it is first asked. */
  private async ask(question: Question, of: Copy): Promise<void> {
    const name = `${question} ${of}`;
    const program = this.questions.get(name) ?? this.engine.compile(name, [this.answers(question, of)]);
    this.questions.set(name, program);
    await program.run();
  }

  private answers(question: Question, of: Copy) {
    const { table, latents, noise, code, moments, density, divergence } = this.asked;
    const store = (to: Variable, from: Tensor) => ({ kind: 'store' as const, to, from });
    const x = rows(this.pool, table);
    const decode = (z: Tensor) => this.decoder.output(z, of);
    switch (question) {
      case 'encode':
        return [store(code, this.encoder.output(x, of))];
      case 'decode':
        return [store(moments, this.likelihood.moments(decode(value(latents))))];
      case 'density':
        return [store(density, this.likelihood.logDensity(x, decode(value(latents))))];
      case 'elbo': {
        const parts = this.elboOf(x, this.encoder.output(x, of), value(noise), of);
        return [store(density, parts.logDensity), store(divergence, parts.divergence)];
      }
      case 'weigh': {
        const { logSigma, z } = this.latentOf(value(code), value(noise));
        // log p(z) - log e(z|x) = sum_l (eps^2 - z^2) / 2 + log sigma
        const squares = subtract(apply('square', value(noise)), apply('square', z));
        const ratio = sumColumns(add(scale(squares, 0.5), logSigma));
        return [store(density, add(this.likelihood.logDensity(x, decode(z)), ratio))];
      }
    }
  }

  state(): VaeState {
    return { encoder: this.encoder.state(), decoder: this.decoder.state() };
  }

  restore({ encoder, decoder }: VaeState): void {
    this.encoder.restore(encoder);
    this.decoder.restore(decoder);
  }
}

function* chunks(n: number): Generator<{ from: number; count: number }> {
  for (let from = 0; from < n; from += CHUNK) yield { from, count: Math.min(CHUNK, n - from) };
}

/** Rows `from` to `from + count - 1` of `values` into a variable; the rest is 0 and not looked at. */
function fill(to: Variable, values: ArrayLike<number>, from: number, count: number): void {
  const block = new Float64Array(to.size);
  for (let i = 0; i < count * to.columns; i++) block[i] = values[from * to.columns + i]!;
  to.write(block);
}
