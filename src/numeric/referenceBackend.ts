/**
 * The same instructions in float64 TypeScript, one model after the other, every formula written out: slow, and what
 * the kernels are tested against.
 */
import type { Backend, LoadedProgram } from './backend.js';
import { BlockAllocator } from './blockAllocator.js';
import { ArgumentError, EngineError, OutOfMemoryError } from './errors.js';
import type { CompiledProgram, Instruction, Operand } from './instruction.js';
import * as code from './kernels/opcodes.js';
import { logSumExp, sigmoid, softplus } from './special.js';
import { weightIndex } from './variable.js';

/** 2^28 float64 are 2 GiB. */
const LIMIT = 2 ** 28;

export class ReferenceBackend implements Backend {
  readonly kernel = 'reference';
  readonly threads = 1;
  readonly places = 1;
  private readonly space = new BlockAllocator(4, LIMIT);
  private memory = new Float64Array(1024);
  private closed = false;

  allocate(argument: string, count: number): number {
    const used = this.space.extent;
    const offset = this.space.allocate(argument, count);
    if (this.space.extent > this.memory.length) {
      try {
        const grown = new Float64Array(Math.max(this.space.extent, this.memory.length * 2));
        grown.set(this.memory);
        this.memory = grown;
      } catch {
        this.space.free(offset);
        throw new OutOfMemoryError(
          argument,
          `${argument} needs ${count} more float64, which this machine does not give`,
        );
      }
    }
    if (offset < used) this.memory.fill(0, offset, offset + count);
    return offset;
  }

  free(offset: number): void {
    this.space.free(offset);
  }

  floats(offset: number, count: number): Float64Array {
    return this.memory.subarray(offset, offset + count);
  }

  integers(offset: number, count: number): Float64Array {
    return this.floats(offset, count);
  }

  load(compiled: CompiledProgram): LoadedProgram {
    return { compiled, offset: 0 };
  }

  async run({ compiled }: LoadedProgram): Promise<void> {
    if (this.closed) throw new EngineError('closed', 'the engine is closed');
    const { models, groups, instructions, sums } = compiled;
    for (let group = 0; group < groups; group++) {
      const first = Math.floor((group * models) / groups);
      const last = Math.floor(((group + 1) * models) / groups);
      for (let model = first; model < last; model++) {
        for (const instruction of instructions)
          execute(this.memory, instruction, model, group, model === first);
      }
    }
    for (const { from, to, count } of sums) {
      for (let i = 0; i < count; i++) {
        let total = 0;
        for (let group = 0; group < groups; group++) total += this.memory[from + group * count + i]!;
        this.memory[to + i] = total;
      }
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    this.memory = new Float64Array(0);
  }
}

function execute(
  x: Float64Array,
  instruction: Instruction,
  model: number,
  group: number,
  isFirst: boolean,
): void {
  const place = (i: number): number => {
    const o: Operand | null | undefined = instruction.operands[i];
    return o ? o.base + model * o.model + group * o.group : -1;
  };
  const [i0 = 0, i1 = 0, i2 = 0, i3 = 0, i4 = 0, i5 = 0, store = 0] = instruction.integers;
  const [f0 = 0, f1 = 0] = instruction.floats;
  const [p0, p1, p2, p3] = [place(0), place(1), place(2), place(3)];
  const keeps = store === code.ACCUMULATE || (store === code.ACCUMULATE_GROUP && !isFirst);
  const put = (at: number, value: number) => {
    x[at] = keeps ? x[at]! + value : value;
  };
  const rowOf = (r: number) => (p2 < 0 ? r : x[p2 + r]!);

  switch (instruction.op) {
    case code.MATMUL: {
      for (let r = 0; r < i0; r++) {
        for (let j = 0; j < i2; j++) {
          let sum = 0;
          for (let i = 0; i < i1; i++) sum += x[p1 + rowOf(r) * i1 + i]! * x[p3 + weightIndex(i1, i2, i, j)]!;
          put(p0 + r * i2 + j, sum);
        }
      }
      return;
    }
    case code.MATMUL_TRANSPOSED: {
      for (let r = 0; r < i0; r++) {
        for (let i = 0; i < i1; i++) {
          let sum = 0;
          for (let j = 0; j < i2; j++) sum += x[p1 + r * i2 + j]! * x[p2 + weightIndex(i1, i2, i, j)]!;
          put(p0 + r * i1 + i, p3 < 0 ? sum : sum * x[p3 + r * i1 + i]!);
        }
      }
      return;
    }
    case code.OUTER:
    case code.OUTER_ADAM: {
      for (let i = 0; i < i1; i++) {
        for (let j = 0; j < i2; j++) {
          let sum = 0;
          for (let r = 0; r < i0; r++) sum += x[p1 + rowOf(r) * i1 + i]! * x[p3 + r * i2 + j]!;
          const at = weightIndex(i1, i2, i, j);
          if (instruction.op === code.OUTER) put(p0 + at, sum);
          else adam(x, i3, sum, p0 + at, place(4) + at, place(5) + at, place(6) < 0 ? -1 : place(6) + at);
        }
      }
      return;
    }
    case code.ADAM:
      for (let i = 0; i < i0; i++) {
        adam(x, place(5), x[p1 + i]!, p0 + i, p2 + i, p3 + i, place(4) < 0 ? -1 : place(4) + i);
      }
      return;
    case code.ACTIVATE:
      for (let r = 0; r < i1; r++) {
        for (let j = 0; j < i2; j++) {
          const at = r * i2 + j;
          const z = x[p1 + at]! + (p2 < 0 ? 0 : x[p2 + j]!);
          const [value, slope] = evaluate(i0, f0, z);
          x[p0 + at] = value;
          if (p3 >= 0) x[p3 + at] = slope;
        }
      }
      return;
    case code.CURVATURE:
      for (let i = 0; i < i1; i++) x[p0 + i] = curvature(i0, x[p1 + i]!, x[p2 + i]!);
      return;
    case code.COMBINE:
      for (let r = 0; r < i2; r++) {
        for (let j = 0; j < i3; j++) {
          const other = i1 === code.SAME ? r * i3 + j : i1 === code.ROW ? j : i1 === code.COLUMN ? r : 0;
          x[p0 + r * i3 + j] = combine(i0, x[p1 + r * i3 + j]!, x[p2 + other]!);
        }
      }
      return;
    case code.SCALE:
      for (let i = 0; i < i0; i++) x[p0 + i] = f0 * x[p1 + i]! + f1;
      return;
    case code.FILL:
      x.fill(f0, p0, p0 + i0);
      return;
    case code.SUM_ROWS:
      for (let j = 0; j < i1; j++) {
        let sum = 0;
        for (let r = 0; r < i0; r++) sum += x[p1 + r * i1 + j]!;
        x[p0 + j] = sum;
      }
      return;
    case code.SUM_COLUMNS:
      for (let r = 0; r < i0; r++) {
        let sum = 0;
        for (let j = 0; j < i1; j++) sum += x[p1 + r * i1 + j]!;
        x[p0 + r] = sum;
      }
      return;
    case code.BROADCAST:
      for (let r = 0; r < i1; r++) {
        for (let j = 0; j < i2; j++) {
          x[p0 + r * i2 + j] = x[p1 + (i0 === code.ROW ? j : i0 === code.COLUMN ? r : 0)]!;
        }
      }
      return;
    case code.COPY_COLUMNS:
      for (let r = 0; r < i0; r++) {
        for (let j = 0; j < i1; j++) x[p0 + r * i4 + i5 + j] = x[p1 + r * i2 + i3 + j]!;
      }
      return;
    case code.GATHER:
      for (let r = 0; r < i0; r++) {
        for (let j = 0; j < i1; j++) x[p0 + r * i1 + j] = x[p1 + rowOf(r) * i1 + j]!;
      }
      return;
    case code.SOFTMAX:
      for (let from = 0; from < i0; from += i1) {
        const total = logSumExp(x.subarray(p1 + from, p1 + from + i1));
        for (let i = from; i < from + i1; i++) x[p0 + i] = Math.exp(x[p1 + i]! - total);
      }
      return;
    case code.SOFTMAX_BACKWARD:
      for (let from = 0; from < i0; from += i1) {
        let sum = 0;
        for (let i = from; i < from + i1; i++) sum += x[p1 + i]! * x[p2 + i]!;
        for (let i = from; i < from + i1; i++) x[p0 + i] = x[p1 + i]! * (x[p2 + i]! - sum);
      }
      return;
    case code.THERMOMETER:
      for (let r = 0; r < i0; r++) {
        const [lo, hi] = [x[p3 + 2 * r]!, x[p3 + 2 * r + 1]!];
        let loss = 0;
        let slope = 0;
        for (let j = 0; j < i1; j++) {
          const t = (x[p2 + r]! - j / i1) / f0;
          if (j <= lo) {
            loss += softplus(-t);
            slope -= sigmoid(-t);
          } else if (j > hi) {
            loss += softplus(t);
            slope += sigmoid(t);
          }
        }
        x[p0 + r] = loss / i1;
        x[p1 + r] = slope / (i1 * f0);
      }
      return;
    case code.CATEGORICAL:
      for (let r = 0; r < i0; r++) {
        const [lo, hi] = [x[p3 + 2 * r]!, x[p3 + 2 * r + 1]!];
        const row = x.subarray(p2 + r * i1, p2 + (r + 1) * i1);
        const all = logSumExp(row);
        const inside = logSumExp(row.subarray(lo, hi + 1));
        x[p0 + r] = all - inside;
        for (let j = 0; j < i1; j++) {
          const within = j >= lo && j <= hi ? Math.exp(row[j]! - inside) : 0;
          x[p1 + r * i1 + j] = Math.exp(row[j]! - all) - within;
        }
      }
      return;
    case code.ADD_MODELS:
      for (let i = 0; i < i0; i++) x[p0 + i] = (isFirst ? 0 : x[p0 + i]!) + x[p1 + i]!;
      return;
    default:
      throw new ArgumentError('instruction', `there is no instruction ${instruction.op}`);
  }
}

/** Kingma & Ba 2015, Alg. 1; `control` as in adam.ts. */
function adam(
  x: Float64Array,
  control: number,
  g: number,
  theta: number,
  m: number,
  v: number,
  target: number,
): void {
  const [rate, correction, beta1, rest1, beta2, rest2, eps, tau] = x.subarray(control, control + 8);
  x[m] = beta1! * x[m]! + rest1! * g;
  x[v] = beta2! * x[v]! + rest2! * g * g;
  x[theta] = x[theta]! - (rate! * x[m]!) / (Math.sqrt(x[v]!) * correction! + eps!);
  if (target >= 0) x[target] = x[target]! + tau! * (x[theta]! - x[target]!);
}

function combine(operation: number, a: number, b: number): number {
  switch (operation) {
    case code.ADD:
      return a + b;
    case code.SUBTRACT:
      return a - b;
    case code.MULTIPLY:
      return a * b;
    default:
      return a / b;
  }
}

/** [f(z), f'(z)]. */
function evaluate(kind: number, alpha: number, z: number): [number, number] {
  switch (kind) {
    case code.RELU:
      return z > 0 ? [z, 1] : [0, 0];
    case code.LEAKY_RELU:
      return z > 0 ? [z, 1] : [alpha * z, alpha];
    case code.ELU:
      return z > 0 ? [z, 1] : [alpha * Math.expm1(z), alpha * Math.exp(z)];
    case code.TANH: {
      const e = Math.exp(-2 * Math.abs(z));
      return [Math.tanh(z), (4 * e) / ((1 + e) * (1 + e))];
    }
    case code.SOFTPLUS:
      return [softplus(z), sigmoid(z)];
    case code.SIGMOID:
      return [sigmoid(z), sigmoid(z) * sigmoid(-z)];
    case code.EXP:
      return [Math.exp(z), Math.exp(z)];
    case code.LOG:
      return [Math.log(z), 1 / z];
    case code.SQUARE:
      return [z * z, 2 * z];
    case code.SQRT:
      return [Math.sqrt(z), 0.5 / Math.sqrt(z)];
    case code.RECIPROCAL:
      return [1 / z, -1 / (z * z)];
    default:
      return [z, 1];
  }
}

/** f'' from f and f'. */
function curvature(kind: number, f: number, s: number): number {
  switch (kind) {
    case code.SOFTPLUS:
      return s * Math.exp(-f);
    case code.ELU:
      return f < 0 ? s : 0;
    case code.TANH:
    case code.RECIPROCAL:
      return -2 * f * s;
    case code.SIGMOID:
      return s * (1 - 2 * f);
    case code.EXP:
      return f;
    case code.LOG:
      return -s * s;
    case code.SQUARE:
      return 2;
    case code.SQRT:
      return -2 * s ** 3;
    default:
      return 0;
  }
}
