/**
 * Likelihood of designs given a decoder's outputs: p(x | outputs), columns independent. Continuous columns are Gaussian, with a
 * standard deviation squashed between two bounds; columns of classes are categorical. A design is a row of P numbers,
 * its continuous columns standardised, its classes as one-hots.
 *
 *   log sigma = log lo + (log hi - log lo) sigmoid(s)      p_c = (1 - FLOOR) softmax(l)_c + FLOOR / C
 */
import { requireOption } from '../numeric/errors.js';
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
} from '../numeric/graph.js';
import { portableLog } from '../numeric/portable.js';
import type { Stream } from '../numeric/random.js';
import type { Block } from '../search/encoding.js';

export interface ColumnLikelihoodSpec {
  readonly blocks: readonly Block[];
  /** Least and greatest standard deviation of a continuous column. */
  readonly deviation: readonly [number, number];
}

/** Probability shared by all classes of a column, so that none has probability 0 and no ratio of two is infinite. */
export const FLOOR = 1e-6;

const HALF_LOG_2PI = 0.5 * portableLog(2 * Math.PI);

/** Columns of a block in the decoder's outputs: means and deviations, or logits. */
const widthOf = ({ count, classes }: Block): number => (classes === 0 ? 2 * count : count);

export class ColumnLikelihood {
  /** P, numbers per design. */
  readonly parameters: number;
  /** Outputs that a decoder has. */
  readonly outputs: number;

  constructor(private readonly spec: ColumnLikelihoodSpec) {
    const [lo, hi] = spec.deviation;
    requireOption('deviation', `${lo} to ${hi}`, lo > 0 && hi >= lo, 'two numbers above 0, the lower first');
    this.parameters = spec.blocks.reduce((sum, { count }) => sum + count, 0);
    this.outputs = spec.blocks.reduce((sum, block) => sum + widthOf(block), 0);
  }

  /** log p(x | outputs), r x 1; x r x P. */
  logDensity(x: Tensor, outputs: Tensor): Tensor {
    let at = 0;
    const terms = this.spec.blocks.map((block) => {
      const { from, count, classes } = block;
      const part = columns(x, from, count);
      const said = columns(outputs, at, widthOf(block));
      at += widthOf(block);
      if (classes > 0) return sumColumns(multiply(part, apply('log', this.probabilities(said, classes))));
      const logSigma = this.logSigma(columns(said, count, count));
      const error = multiply(subtract(part, columns(said, 0, count)), apply('exp', scale(logSigma, -1)));
      // log N(x; mu, sigma) = -e^2 / 2 - log sigma - log(2 pi) / 2
      const squares = scale(apply('square', error), -0.5, -HALF_LOG_2PI);
      return sumColumns(subtract(squares, logSigma));
    });
    return terms.reduce(add);
  }

  /** What `sample` draws from, r x outputs: means and standard deviations, or probabilities. */
  moments(outputs: Tensor): Tensor {
    let at = 0;
    const parts = this.spec.blocks.flatMap((block) => {
      const { count, classes } = block;
      const said = columns(outputs, at, widthOf(block));
      at += widthOf(block);
      if (classes > 0) return [this.probabilities(said, classes)];
      return [columns(said, 0, count), apply('exp', this.logSigma(columns(said, count, count)))];
    });
    return parts.length === 1 ? parts[0]! : concat(parts);
  }

  /**
   * Outputs that say of classes what their shares are, of designs n x P; null where they say nothing of classes, at
   * continuous columns. A class that was never seen has half a design.
   */
  shares(designs: ArrayLike<number>): (number | null)[] {
    const { parameters: P } = this;
    const n = designs.length / P;
    const counts = new Float64Array(P);
    for (let i = 0; i < designs.length; i++) counts[i % P]! += designs[i]!;
    return this.spec.blocks.flatMap((block) => {
      const { from, count, classes } = block;
      if (classes === 0) return Array<null>(widthOf(block)).fill(null);
      return Array.from(counts.subarray(from, from + count), (c) =>
        portableLog((c + 0.5) / (n + 0.5 * classes)),
      );
    });
  }

  /** One design per row of moments, n x P. */
  sample(moments: ArrayLike<number>, stream: Stream): Float64Array {
    const { outputs, parameters: P } = this;
    const n = moments.length / outputs;
    const x = new Float64Array(n * P);
    for (let i = 0; i < n; i++) {
      let at = i * outputs;
      for (const { from, count, classes } of this.spec.blocks) {
        const to = i * P + from;
        if (classes === 0) {
          for (let j = 0; j < count; j++)
            x[to + j] = moments[at + j]! + moments[at + count + j]! * stream.normal();
          at += 2 * count;
          continue;
        }
        for (let j = 0; j < count; j += classes) x[to + j + drawClass(moments, at + j, classes, stream)] = 1;
        at += count;
      }
    }
    return x;
  }

  private logSigma(raw: Tensor): Tensor {
    const [lo, hi] = this.spec.deviation.map(portableLog) as [number, number];
    return scale(apply('sigmoid', raw), hi - lo, lo);
  }

  private probabilities(logits: Tensor, classes: number): Tensor {
    return scale(softmax(logits, classes), 1 - FLOOR, FLOOR / classes);
  }
}

/** A class with its probability of p[at], p[at + 1], ...; what rounding leaves over goes to the last. */
function drawClass(p: ArrayLike<number>, at: number, classes: number, stream: Stream): number {
  const u = stream.uniform();
  let sum = 0;
  for (let c = 0; c < classes - 1; c++) {
    sum += p[at + c]!;
    if (u < sum) return c;
  }
  return classes - 1;
}
