import type { Engine } from './engine.js';
import { ArgumentError, requireCount, ShapeError } from './errors.js';
import { scale, type Tensor } from './graph.js';
import type { Effect } from './instruction.js';
import { portablePower } from './portable.js';
import type { Variable } from './variable.js';

/** Kingma & Ba 2015, Alg. 1: decay of both moments, and what is added to the root of the second. */
const [BETA1, BETA2, EPS] = [0.9, 0.999, 1e-8];

/** What the moments of step `t`, from 1, are divided by: 1 - beta^t. */
export interface AdamCorrection {
  readonly first: number;
  readonly second: number;
}

export function adamCorrection(t: number): AdamCorrection {
  return { first: 1 - portablePower(BETA1, t), second: 1 - portablePower(BETA2, t) };
}

/** Adam in float64, of one number: its move. Updates both moments at `i`. Subtract it to descend, add it to ascend. */
export function adamMove(
  { firstMoment, secondMoment }: { readonly firstMoment: Float64Array; readonly secondMoment: Float64Array },
  i: number,
  gradient: number,
  correction: AdamCorrection,
  rate: number,
): number {
  const m = BETA1 * firstMoment[i]! + (1 - BETA1) * gradient;
  const v = BETA2 * secondMoment[i]! + (1 - BETA2) * gradient * gradient;
  firstMoment[i] = m;
  secondMoment[i] = v;
  return (rate * (m / correction.first)) / (Math.sqrt(v / correction.second) + EPS);
}

export interface AdamOptions {
  /** Decay of the first moment. Default 0.9. */
  readonly beta1?: number;
  /** Decay of the second moment. Default 0.999. */
  readonly beta2?: number;
  /** Added to the root of the second moment. Default 1e-8. */
  readonly eps?: number;
  /** Step uphill instead of downhill. Default false. */
  readonly ascend?: boolean;
}

/** Moments of a set of parameters, in the engine's memory. */
export interface AdamState {
  /** Steps taken, t. */
  step: number;
  readonly first: readonly Variable[];
  readonly second: readonly Variable[];
  /** rate / (1 - beta1^t), 1 / sqrt(1 - beta2^t), beta1, 1 - beta1, beta2, 1 - beta2, eps, tau: for the kernels. */
  readonly control: Variable;
}

export interface StepSettings {
  readonly rate: number;
  /** tau of the running averages: target += tau (theta - target). Default 0: they stay. */
  readonly targetRate?: number;
}

/** Adam (Kingma & Ba 2015, Alg. 1) as a pair of functions, and what has to be said before each step. */
export interface Adam {
  init(engine: Engine, parameters: readonly Variable[]): AdamState;
  /** The effects that take one step; `targets` are running averages of the parameters. */
  update(
    parameters: readonly Variable[],
    gradients: readonly Tensor[],
    state: AdamState,
    targets?: readonly Variable[],
  ): Effect[];
  /** Counts a step and sets its numbers; call it before the program that holds `update`'s effects is run. */
  advance(state: AdamState, settings: StepSettings): void;
}

export function adam(options: AdamOptions = {}): Adam {
  const { beta1 = BETA1, beta2 = BETA2, eps = EPS, ascend = false } = options;
  for (const [name, beta] of Object.entries({ beta1, beta2 })) {
    if (!(beta >= 0 && beta < 1))
      throw new ArgumentError(name, `${name} is ${beta}; expected 0 <= ${name} < 1`);
  }
  if (!(eps > 0)) throw new ArgumentError('eps', `eps is ${eps}; expected a positive number`);

  return {
    init(engine, parameters) {
      const like = (suffix: string) =>
        parameters.map(({ name, rows, columns, models, layout }) =>
          engine.variable(`${name}.${suffix}`, { rows, columns, models, layout }),
        );
      return {
        step: 0,
        first: like('first'),
        second: like('second'),
        control: engine.variable('adam', { rows: 1, columns: 8 }),
      };
    },

    update(parameters, gradients, state, targets) {
      if (gradients.length !== parameters.length) {
        throw new ShapeError(
          'gradients',
          `${parameters.length} parameters, but ${gradients.length} gradients`,
        );
      }
      return parameters.map((parameter, i) => ({
        kind: 'adam',
        parameter,
        gradient: ascend ? scale(gradients[i]!, -1) : gradients[i]!,
        first: state.first[i]!,
        second: state.second[i]!,
        target: targets?.[i],
        control: state.control,
      }));
    },

    advance(state, { rate, targetRate = 0 }) {
      if (!(rate >= 0)) throw new ArgumentError('rate', `rate is ${rate}; expected a number >= 0`);
      if (!(targetRate >= 0 && targetRate <= 1)) {
        throw new ArgumentError('targetRate', `targetRate is ${targetRate}; expected a number from 0 to 1`);
      }
      state.step += 1;
      requireCount('step', state.step);
      const t = state.step;
      state.control.write([
        rate / (1 - portablePower(beta1, t)),
        1 / Math.sqrt(1 - portablePower(beta2, t)),
        beta1,
        1 - beta1,
        beta2,
        1 - beta2,
        eps,
        targetRate,
      ]);
    },
  };
}
