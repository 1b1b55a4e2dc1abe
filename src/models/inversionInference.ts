/**
 * Approximate inference over scores and noise (Kumar & Levine 2020, §3.2): which y and z make designs that a forward
 * model f of the scores thinks best, agrees with, and that the noise makes likely. Per design, x = G(z, y):
 *
 *   f(x) - a (y - f(x))^2 + b log p(z)
 *
 * The paper writes the last two as constraints; here they are penalties of fixed weight.
 */
import type { Engine, Program } from '../numeric/engine.js';
import { gradient } from '../numeric/gradient.js';
import { apply, constant, scale, subtract, sumColumns, type Tensor, value } from '../numeric/graph.js';
import type { Key } from '../numeric/key.js';
import { NetworkStack, type StackState } from '../numeric/stack.js';
import type { Variable } from '../numeric/variable.js';
import { type AscentState, ascend } from '../search/ascent.js';
import { modelInputs } from '../search/encoding.js';
import type { ConditionalGan } from './conditionalGan.js';

/** a and b, of standardised scores. */
const AGREEMENT = 1;
const LIKELIHOOD = 0.1;

/** Noise, scores and Adam's moments of M designs: `designs` is M x (latent + 1), the score last. */
export type InferenceState = AscentState;

export class InversionInference {
  private readonly forward: NetworkStack;
  private readonly variables: Record<'x' | 'y' | 'z' | 'told' | 'byZ' | 'byTold' | 'answers', Variable>;
  private readonly programs: Record<'train' | 'climb', Program>;
  private readonly latent: number;

  /** `hidden`: widths of the forward model. */
  constructor(
    engine: Engine,
    private readonly gan: ConditionalGan,
    hidden: readonly number[],
  ) {
    const { encoding, latent, minibatch: B, batchSize: M } = gan.spec;
    const P = encoding.parameters;
    this.latent = latent;
    this.forward = new NetworkStack(engine, { models: 1, inputs: P, hidden });
    const shared = (name: string, rows: number, columns: number) => engine.variable(name, { rows, columns });
    this.variables = {
      x: shared('x', B, P),
      y: shared('y', B, 1),
      z: shared('z', M, latent),
      told: shared('told', M, 1),
      byZ: shared('byZ', M, latent),
      byTold: shared('byTold', M, 1),
      answers: shared('answers', M, 1),
    };
    const { x, y, z, told, byZ, byTold, answers } = this.variables;
    const error = apply('square', subtract(this.forward.output(value(x)), value(y)));
    const slopes = gradient(error, this.forward.parameters().map(value), constant(1 / B, B, 1));
    const f = this.forward.output(gan.inputs(value(z), value(told)));
    const objective: Tensor = subtract(
      subtract(f, scale(apply('square', subtract(f, value(told))), AGREEMENT)),
      scale(sumColumns(apply('square', value(z))), LIKELIHOOD / 2),
    );
    const [dz, dy] = gradient(objective, [value(z), value(told)]);
    this.programs = {
      train: engine.compile('forward', [this.forward.update(slopes)]),
      climb: engine.compile('infer', [
        [
          { kind: 'sum', to: byZ, from: dz! },
          { kind: 'sum', to: byTold, from: dy! },
          { kind: 'sum', to: answers, from: f },
        ],
      ]),
    };
  }

  initialize(key: Key): void {
    this.forward.initialize(key);
  }

  /** One step of least squares on rows of data: B x P parameters, B standardised scores. */
  async train(parameters: Float64Array, y: Float64Array, rate: number): Promise<void> {
    this.variables.x.write(modelInputs(this.gan.spec.encoding, parameters));
    this.variables.y.write(y);
    this.forward.advance({ rate });
    await this.programs.train.run();
  }

  /** Step `t`, from 1, of Adam on noise and scores, in place. Returns what the forward model said before it. */
  async climb(state: InferenceState, t: number, rate: number): Promise<Float64Array> {
    const { z, told, byZ, byTold, answers } = this.variables;
    const { latent } = this;
    const width = latent + 1;
    const M = told.rows;
    const parts = split(state.designs, M, latent);
    z.write(parts.z);
    told.write(parts.y);
    await this.programs.climb.run();
    const [slopesZ, slopesY] = [byZ.read(), byTold.read()];
    const slopes = Float64Array.from({ length: M * width }, (_, i) => {
      const [m, j] = [Math.floor(i / width), i % width];
      return j < latent ? slopesZ[m * latent + j]! : slopesY[m]!;
    });
    ascend(state, slopes, t, { ascent: 'adam', rates: new Float64Array(width).fill(rate) });
    return Float64Array.from(answers.read());
  }

  state(): StackState {
    return this.forward.state();
  }

  restore(state: StackState): void {
    this.forward.restore(state);
  }
}

/** Noise (M x latent) and scores (M) of an `InferenceState`'s designs. */
export function split(
  designs: Float64Array,
  M: number,
  latent: number,
): { z: Float64Array; y: Float64Array } {
  const z = new Float64Array(M * latent);
  const y = new Float64Array(M);
  for (let m = 0; m < M; m++) {
    const from = m * (latent + 1);
    z.set(designs.subarray(from, from + latent), m * latent);
    y[m] = designs[from + latent]!;
  }
  return { z, y };
}
