/**
 * A conditional Wasserstein GAN with gradient penalty (Gulrajani et al. 2017): a generator x = G(z, y) of designs that
 * score y, and a critic D(x, y), both told the score at every layer. Per row, with weight w(y):
 *
 *   critic      D(G(z, y), y) - D(x, y) + 10 (1 - |dD(x^, y)/dx^|)^2,  x^ between x and G(z, y)
 *   generator   - D(G(z, y), y)
 *
 * Classes are relaxed one-hots, softmax((logits + Gumbel noise) / temperature) (Jang et al. 2017), of data as well, so
 * that the critic cannot tell them by their corners.
 */
import type { Engine, Program } from '../numeric/engine.js';
import { gradient } from '../numeric/gradient.js';
import {
  add,
  apply,
  columns,
  concat,
  multiply,
  scale,
  softmax,
  subtract,
  sumColumns,
  type Tensor,
  value,
} from '../numeric/graph.js';
import { foldKey, type Key } from '../numeric/key.js';
import { portableLog } from '../numeric/portable.js';
import type { Stream } from '../numeric/random.js';
import type { StackState } from '../numeric/stack.js';
import type { Variable } from '../numeric/variable.js';
import { type Encoding, modelInputs, modelInputsOf, oneHots } from '../search/encoding.js';
import { ConditionalNetwork } from './conditionalNetwork.js';

export interface ConditionalGanSpec {
  readonly encoding: Encoding;
  readonly hidden: readonly number[];
  /** Numbers of noise that the generator is given. */
  readonly latent: number;
  /** Rows per step. */
  readonly minibatch: number;
  /** M, designs that are drawn together. */
  readonly batchSize: number;
}

export interface GanState {
  readonly generator: StackState;
  readonly critic: StackState;
}

/** Weight of the gradient penalty. */
const PENALTY = 10;
/** Share of a real one-hot that is the class itself, before noise. */
const KEPT = 0.99;

/** Loss of every row, r x 1. */
export function criticLoss(
  critic: ConditionalNetwork,
  real: Tensor,
  fake: Tensor,
  y: Tensor,
  mix: Tensor,
): Tensor {
  const between = add(fake, multiply(subtract(real, fake), mix));
  const [slopes] = gradient(critic.output(between, y), [between]);
  const norm = apply('sqrt', scale(sumColumns(apply('square', slopes!)), 1, 1e-12)); // a slope at 0 too
  const penalty = apply('square', scale(norm, -1, 1));
  return add(subtract(critic.output(fake, y), critic.output(real, y)), scale(penalty, PENALTY));
}

/** Relaxed one-hots of the generator's logits; numbers as they are. `coldness`: 1 / temperature. */
function relaxed({ blocks }: Encoding, output: Tensor, gumbel: Tensor, coldness: Tensor): Tensor {
  if (blocks.every(({ classes }) => classes === 0)) return output;
  const parts = blocks.map(({ from, count, classes }) => {
    const part = columns(output, from, count);
    if (classes === 0) return part;
    return softmax(multiply(add(part, columns(gumbel, from, count)), coldness), classes);
  });
  return parts.length === 1 ? parts[0]! : concat(parts);
}

export class ConditionalGan {
  readonly generator: ConditionalNetwork;
  readonly critic: ConditionalNetwork;
  private readonly hasClasses: boolean;
  private readonly variables: Record<
    'real' | 'y' | 'weights' | 'z' | 'mix' | 'gumbel' | 'coldness' | 'losses' | 'drawnZ' | 'drawnY' | 'drawn',
    Variable
  >;
  private readonly programs: Record<'critic' | 'generator' | 'draw', Program>;

  constructor(
    engine: Engine,
    readonly spec: ConditionalGanSpec,
  ) {
    const { encoding, hidden, latent, minibatch: B, batchSize: M } = spec;
    const P = encoding.parameters;
    this.hasClasses = encoding.blocks.some(({ classes }) => classes > 0);
    const options = { beta1: 0, beta2: 0.9 };
    this.generator = new ConditionalNetwork(engine, { inputs: latent, hidden, outputs: P, adam: options });
    this.critic = new ConditionalNetwork(engine, { inputs: P, hidden, outputs: 1, adam: options });
    const shared = (name: string, rows: number, width: number) =>
      engine.variable(name, { rows, columns: width });
    this.variables = {
      real: shared('real', B, P),
      y: shared('y', B, 1),
      weights: shared('weights', B, 1),
      z: shared('z', B, latent),
      mix: shared('mix', B, 1),
      gumbel: shared('gumbel', B, P),
      coldness: shared('coldness', 1, 1),
      losses: engine.variable('losses', { rows: B, columns: 1, models: 1 }),
      drawnZ: shared('drawnZ', M, latent),
      drawnY: shared('drawnY', M, 1),
      drawn: engine.variable('drawn', { rows: M, columns: P, models: 1 }),
    };
    const { real, y, weights, z, mix, gumbel, coldness, losses, drawnZ, drawnY, drawn } = this.variables;
    const fake = relaxed(encoding, this.generator.output(value(z), value(y)), value(gumbel), value(coldness));
    const loss = criticLoss(this.critic, value(real), fake, value(y), value(mix));
    const descend = (network: ConditionalNetwork, of: Tensor) =>
      network.update(gradient(of, network.parameters().map(value), value(weights)));
    const fooled = scale(this.critic.output(fake, value(y)), -1);
    this.programs = {
      critic: engine.compile('critic', [
        [...descend(this.critic, loss), { kind: 'store', to: losses, from: loss }],
      ]),
      generator: engine.compile('generator', [descend(this.generator, fooled)]),
      draw: engine.compile('draw', [
        [{ kind: 'store', to: drawn, from: this.generator.output(value(drawnZ), value(drawnY)) }],
      ]),
    };
  }

  initialize(key: Key): void {
    this.generator.initialize(foldKey(key, 'generator'));
    this.critic.initialize(foldKey(key, 'critic'));
  }

  /** What a model sees of G(z, y), classes as the softmax of their logits. */
  inputs(z: Tensor, y: Tensor): Tensor {
    return modelInputsOf(this.spec.encoding, this.generator.output(z, y));
  }

  /**
   * One step of the critic on rows of data, then, if asked, one of the generator with fresh noise. `parameters` B x P of
   * the rows, `y` their scores, standardised, `weights` w(y). Returns the critic's loss, weighted.
   */
  async train(
    batch: { readonly parameters: Float64Array; readonly y: Float64Array; readonly weights: Float64Array },
    stream: Stream,
    settings: { readonly rate: number; readonly temperature: number; readonly isGeneratorTrained: boolean },
  ): Promise<number> {
    const { minibatch: B } = this.spec;
    const { variables, programs } = this;
    variables.y.write(batch.y);
    variables.weights.write(batch.weights.map((w) => w / B));
    variables.coldness.write([1 / settings.temperature]);
    variables.real.write(this.soften(batch.parameters, stream, settings.temperature));
    const mix = new Float64Array(B);
    stream.fillUniform(mix, 0, 1);
    variables.mix.write(mix);
    this.writeNoise(stream);
    this.critic.advance(settings.rate);
    await programs.critic.run();
    const losses = variables.losses.read();
    if (settings.isGeneratorTrained) {
      this.writeNoise(stream);
      this.generator.advance(settings.rate);
      await programs.generator.run();
    }
    let loss = 0;
    for (let i = 0; i < B; i++) loss += (losses[i]! * batch.weights[i]!) / B;
    return loss;
  }

  private writeNoise(stream: Stream): void {
    const { z, gumbel } = this.variables;
    const normal = new Float64Array(z.size);
    stream.fillNormal(normal, 0, 1);
    z.write(normal);
    if (this.hasClasses) gumbel.write(this.gumbels(gumbel.rows, stream));
  }

  /** Gumbel noise for the logits of n designs, 0 for their numbers. */
  private gumbels(n: number, stream: Stream): Float64Array {
    const { blocks, parameters: P } = this.spec.encoding;
    const noise = new Float64Array(n * P);
    for (let row = 0; row < noise.length; row += P) {
      for (const { from, count, classes } of blocks) {
        if (classes === 0) continue;
        for (let at = row + from; at < row + from + count; at++) noise[at] = stream.gumbel();
      }
    }
    return noise;
  }

  /** What the critic is shown of real designs. */
  private soften(parameters: Float64Array, stream: Stream, temperature: number): Float64Array {
    if (!this.hasClasses) return parameters;
    const { encoding } = this.spec;
    const noise = this.gumbels(parameters.length / encoding.parameters, stream);
    const logits = oneHots(encoding, parameters);
    for (const { from, count, classes } of encoding.blocks) {
      if (classes === 0) continue;
      const rest = portableLog((1 - KEPT) / classes);
      const kept = portableLog((1 - KEPT) / classes + KEPT);
      for (let row = 0; row < logits.length; row += encoding.parameters) {
        for (let at = row + from; at < row + from + count; at++) {
          logits[at] = ((logits[at] === 1 ? kept : rest) + noise[at]!) / temperature;
        }
      }
    }
    return modelInputs(encoding, logits);
  }

  /**
   * Parameters of M designs, M x P, for noise `z` (M x latent) and scores `y` (M). Logits carry `noise` (M x P, from
   * `classNoise`): their greatest is a draw of the class.
   */
  async draw(z: Float64Array, y: Float64Array, noise: Float64Array): Promise<Float64Array> {
    const { drawnZ, drawnY, drawn } = this.variables;
    drawnZ.write(z);
    drawnY.write(y);
    await this.programs.draw.run();
    return Float64Array.from(drawn.read(), (v, i) => v + noise[i]!);
  }

  classNoise(stream: Stream): Float64Array {
    return this.gumbels(this.spec.batchSize, stream);
  }

  state(): GanState {
    return { generator: this.generator.state(), critic: this.critic.state() };
  }

  restore({ generator, critic }: GanState): void {
    this.generator.restore(generator);
    this.critic.restore(critic);
  }
}
