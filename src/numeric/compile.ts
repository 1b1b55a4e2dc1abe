/**
 * From nodes to instructions: orders the work, fuses what belongs together, and lays the temporary buffers out so
 * that they are few and warm. The instructions are plain data that any backend can run.
 */
import { type Draft, type DraftOperand, layOut, newBuffer } from './buffers.js';
import { ArgumentError } from './errors.js';
import { dependencies, functionCodes, meeting, operationCodes, slope, type Tensor } from './graph.js';
import type { CompiledProgram, Effect, GroupSum } from './instruction.js';
import * as code from './kernels/opcodes.js';
import { matmulRoom, outerRoom, transposedRoom } from './packing.js';
import { storedSize, type Variable } from './variable.js';

const GROUPS = 8;

export interface Allocator {
  allocate(argument: string, count: number): number;
}

/** Compiles stages: within one, every value is computed from the variables as they were when the stage began. */
export function compile(
  name: string,
  stages: readonly (readonly Effect[])[],
  memory: Allocator,
  threads: number,
): CompiledProgram {
  return new Compilation(name, memory, threads).compile(stages);
}

class Compilation {
  private readonly drafts: Draft[] = [];
  private readonly blocks: number[] = [];
  private readonly sums: GroupSum[] = [];
  private readonly tables: { pool: Variable; table: Variable }[] = [];
  private operands = new Map<Tensor, DraftOperand>();
  private uses = new Map<Tensor, number>();
  private models = 0;
  private groups = 1;

  constructor(
    private readonly name: string,
    private readonly memory: Allocator,
    private readonly threads: number,
  ) {}

  compile(stages: readonly (readonly Effect[])[]): CompiledProgram {
    for (const stage of stages) for (const effect of stage) this.countModels(effect);
    this.models = Math.max(this.models, 1);
    this.groups = Math.min(GROUPS, this.models);
    for (const stage of stages) {
      this.operands = new Map();
      this.uses = countUses(stage);
      for (const effect of stage) this.prepare(effect);
      for (const effect of stage) this.finish(effect);
    }
    return {
      instructions: layOut(this.drafts, (size) =>
        this.keepBlock(this.memory.allocate(`${this.name}: temporary buffers`, size * this.threads)),
      ),
      models: this.models,
      groups: this.groups,
      sums: this.sums,
      tables: this.tables,
      blocks: this.blocks,
    };
  }

  /** Notes a block that is freed with the program. */
  private keepBlock(block: number): number {
    this.blocks.push(block);
    return block;
  }

  private countModels(effect: Effect): void {
    const variables: Variable[] = [];
    const seen = new Set<Tensor>();
    const visit = (t: Tensor) => {
      if (seen.has(t)) return;
      seen.add(t);
      if (t.op.kind === 'variable') variables.push(t.op.variable);
      if (t.op.kind === 'rows') variables.push(t.op.table);
      for (const d of dependencies(t)) visit(d);
    };
    if (effect.kind === 'adam') {
      visit(effect.gradient);
      variables.push(effect.parameter);
    } else {
      visit(effect.from);
      if (effect.kind === 'store') variables.push(effect.to);
    }
    for (const variable of variables) {
      if (variable.models === 0) continue;
      if (this.models === 0) this.models = variable.models;
      if (variable.models !== this.models) {
        throw new ArgumentError(
          variable.name,
          `${variable.name} has ${variable.models} models, but the program ${this.name} has ${this.models}`,
        );
      }
    }
  }

  /** Computes all that an effect needs, before any effect of the stage changes a variable. */
  private prepare(effect: Effect): void {
    if (effect.kind === 'adam' && this.isFused(effect)) {
      for (const input of effect.gradient.inputs) this.operand(input);
      return;
    }
    if (effect.kind === 'sum') {
      this.addModels(effect.to, effect.from);
      return;
    }
    this.emit(effect.kind === 'adam' ? effect.gradient : effect.from);
  }

  /** A weight gradient that nobody else reads goes straight into Adam. */
  private isFused(effect: Effect & { kind: 'adam' }): boolean {
    return effect.gradient.op.kind === 'outer' && this.uses.get(effect.gradient) === 1;
  }

  /** A product whose only reader is a sum over models is added up where it is made. */
  private isGroupProduct(from: Tensor): boolean {
    return from.op.kind === 'matmulTransposed' && this.uses.get(from) === 1;
  }

  /** Partial sums per group; `to` gets their total when the program has run. */
  private addModels(to: Variable, from: Tensor): void {
    requireShape(to, from);
    const count = storedSize(to.layout, to.rows, to.columns);
    const partial = this.keepBlock(this.memory.allocate(`${this.name}: sum ${to.name}`, count * this.groups));
    this.sums.push({ from: partial, to: to.offset, count });
    const groupSums: DraftOperand = { at: { base: partial, model: 0, group: count, thread: 0 } };
    if (this.isGroupProduct(from)) this.product(from, groupSums, code.ACCUMULATE_GROUP);
    else this.draft(code.ADD_MODELS, [count], [], [groupSums, this.emit(from)]);
  }

  /** A variable that all models share cannot be set by each of them. */
  private requireOwned(variable: Variable): void {
    if (variable.models === 0 && this.models > 1) {
      throw new ArgumentError(
        variable.name,
        `${variable.name} is shared by ${this.models} models; sum over them instead`,
      );
    }
  }

  private finish(effect: Effect): void {
    switch (effect.kind) {
      case 'sum':
        return;
      case 'store': {
        const { to, from } = effect;
        requireShape(to, from);
        this.requireOwned(to);
        const count = storedSize(to.layout, to.rows, to.columns);
        this.draft(code.COPY_COLUMNS, [1, count, count, 0, count, 0], [], [at(to), this.emit(from)]);
        return;
      }
      case 'adam': {
        const { parameter, gradient, first, second, target, control } = effect;
        requireShape(parameter, gradient);
        this.requireOwned(parameter);
        const average = target ? at(target) : null;
        if (this.isFused(effect)) {
          const [a, b] = gradient.inputs as [Tensor, Tensor];
          const [matrix, table] = this.rowsOf(a);
          const sizes = [a.rows, a.columns, b.columns, control.offset];
          this.draft(
            code.OUTER_ADAM,
            sizes,
            [],
            [at(parameter), matrix, table, this.emit(b), at(first), at(second), average],
            { room: outerRoom(a.rows, a.columns, b.columns, table !== null) },
          );
          return;
        }
        const count = storedSize(parameter.layout, parameter.rows, parameter.columns);
        this.draft(
          code.ADAM,
          [count],
          [],
          [at(parameter), this.emit(gradient), at(first), at(second), average, at(control)],
        );
      }
    }
  }

  /** Where a node's value lies, computing it first if need be. */
  private emit(t: Tensor): DraftOperand {
    const known = this.operands.get(t);
    if (known !== undefined) return known;
    const operand = this.compute(t);
    this.operands.set(t, operand);
    return operand;
  }

  private operand(t: Tensor): void {
    if (t.op.kind !== 'rows') this.emit(t);
  }

  private temporary(t: Tensor) {
    return newBuffer(storedSize(t.layout, t.rows, t.columns));
  }

  private draft(
    op: number,
    integers: readonly number[],
    floats: readonly number[],
    operands: DraftOperand[],
    more: { reuse?: number; room?: number } = {},
  ): void {
    this.drafts.push({ op, integers, floats, operands, room: 0, ...more });
  }

  /** The matrix and row table of a left operand that may be picked rows. */
  private rowsOf(a: Tensor): [DraftOperand, DraftOperand] {
    if (a.op.kind !== 'rows') return [this.emit(a), null];
    this.tables.push({ pool: a.op.pool, table: a.op.table });
    return [at(a.op.pool), at(a.op.table)];
  }

  private product(t: Tensor, to: DraftOperand, store: number, times: DraftOperand = null): void {
    const [a, b] = t.inputs as [Tensor, Tensor];
    if (t.op.kind === 'matmul') {
      const [matrix, table] = this.rowsOf(a);
      this.draft(
        code.MATMUL,
        [a.rows, a.columns, b.columns, 0, 0, 0, store],
        [],
        [to, matrix, table, this.emit(b)],
        { room: matmulRoom(a.rows, a.columns, table !== null) },
      );
    } else if (t.op.kind === 'matmulTransposed') {
      const sizes = [a.rows, b.rows, a.columns, 0, 0, 0, store];
      this.draft(code.MATMUL_TRANSPOSED, sizes, [], [to, this.emit(a), this.emit(b), times], {
        room: transposedRoom(a.rows, a.columns),
      });
    } else {
      const [matrix, table] = this.rowsOf(a);
      const sizes = [a.rows, a.columns, b.columns, 0, 0, 0, store];
      this.draft(code.OUTER, sizes, [], [to, matrix, table, this.emit(b)], {
        room: outerRoom(a.rows, a.columns, b.columns, table !== null),
      });
    }
  }

  private compute(t: Tensor): DraftOperand {
    const op = t.op;
    if (op.kind === 'variable') return at(op.variable);
    if (op.kind === 'slope' || op.kind === 'lossSlope') {
      this.emit(op.of);
      return this.operands.get(t)!;
    }
    const to = this.temporary(t);
    const [a, b] = t.inputs as [Tensor, Tensor];
    switch (op.kind) {
      case 'rows':
        this.tables.push({ pool: op.pool, table: op.table });
        this.draft(code.GATHER, [t.rows, t.columns], [], [to, at(op.pool), at(op.table)]);
        return to;
      case 'constant':
        this.draft(code.FILL, [t.rows * t.columns], [op.value], [to]);
        return to;
      case 'matmul':
      case 'matmulTransposed':
      case 'outer':
        for (const input of t.inputs) this.operand(input);
        this.product(t, to, code.WRITE);
        return to;
      case 'apply': {
        const wanted = slope(t);
        const slopes = this.uses.has(wanted) ? this.temporary(wanted) : null;
        if (slopes) this.operands.set(wanted, slopes);
        const operands = [to, this.emit(a), b ? this.emit(b) : null, slopes];
        this.draft(code.ACTIVATE, [functionCodes[op.name], t.rows, t.columns], [op.alpha], operands, {
          reuse: 1,
        });
        return to;
      }
      case 'curvature': {
        const applied = op.of;
        const name = applied.op.kind === 'apply' ? applied.op.name : 'identity';
        this.draft(
          code.CURVATURE,
          [functionCodes[name], t.rows * t.columns],
          [],
          [to, this.emit(applied), this.emit(slope(applied))],
        );
        return to;
      }
      case 'combine': {
        // dA W' times the slopes of the layer below, in one pass
        if (
          op.operation === 'multiply' &&
          a.op.kind === 'matmulTransposed' &&
          this.uses.get(a) === 1 &&
          meeting(a, b) === code.SAME
        ) {
          const times = this.emit(b);
          for (const input of a.inputs) this.emit(input);
          this.product(a, to, code.WRITE, times);
          return to;
        }
        const how = meeting(a, b);
        const [rows, columns] = t.layout === 'dense' ? [t.rows, t.columns] : [1, to.buffer.size];
        this.draft(
          code.COMBINE,
          [operationCodes[op.operation], how, rows, columns],
          [],
          [to, this.emit(a), this.emit(b)],
          { reuse: 1 },
        );
        return to;
      }
      case 'scale':
        this.draft(code.SCALE, [to.buffer.size], [op.factor, op.offset], [to, this.emit(a)], { reuse: 1 });
        return to;
      case 'sumRows':
      case 'sumColumns':
        this.draft(
          op.kind === 'sumRows' ? code.SUM_ROWS : code.SUM_COLUMNS,
          [a.rows, a.columns],
          [],
          [to, this.emit(a)],
        );
        return to;
      case 'broadcast':
        this.draft(code.BROADCAST, [meeting(t, a), t.rows, t.columns], [], [to, this.emit(a)]);
        return to;
      case 'columns':
        this.draft(
          code.COPY_COLUMNS,
          [t.rows, t.columns, a.columns, op.from, t.columns, 0],
          [],
          [to, this.emit(a)],
        );
        return to;
      case 'place': {
        const parts = t.inputs.map((input) => this.emit(input));
        if (t.inputs.length === 1) this.draft(code.FILL, [t.rows * t.columns], [0], [to]);
        let column = op.at;
        t.inputs.forEach((input, i) => {
          this.draft(
            code.COPY_COLUMNS,
            [t.rows, input.columns, input.columns, 0, t.columns, column],
            [],
            [to, parts[i]!],
          );
          column += input.columns;
        });
        return to;
      }
      case 'softmax':
        this.draft(code.SOFTMAX, [t.rows * t.columns, op.group], [], [to, this.emit(a)], { reuse: 1 });
        return to;
      case 'softmaxBackward':
        this.draft(
          code.SOFTMAX_BACKWARD,
          [t.rows * t.columns, op.group],
          [],
          [to, this.emit(a), this.emit(b)],
          { reuse: 2 },
        );
        return to;
      case 'thermometer':
      case 'categorical': {
        const slopes = newBuffer(a.rows * a.columns);
        const derived = dependentSlope(t, this.uses);
        if (derived) this.operands.set(derived, slopes);
        const operands = [to, slopes, this.emit(a), this.emit(b)];
        if (op.kind === 'thermometer') this.draft(code.THERMOMETER, [a.rows, op.bins], [op.scale], operands);
        else this.draft(code.CATEGORICAL, [a.rows, a.columns], [], operands);
        return to;
      }
    }
  }
}

function at(variable: Variable): DraftOperand {
  return {
    at: { base: variable.offset, model: variable.models === 0 ? 0 : variable.stride, group: 0, thread: 0 },
  };
}

function requireShape(to: Variable, from: Tensor): void {
  if (to.rows !== from.rows || to.columns !== from.columns || to.layout !== from.layout) {
    throw new ArgumentError(
      to.name,
      `${to.name} is ${to.rows} x ${to.columns} (${to.layout}), the value for it ${from.rows} x ${from.columns} (${from.layout})`,
    );
  }
}

/** How often each node is read within a stage. */
function countUses(stage: readonly Effect[]): Map<Tensor, number> {
  const uses = new Map<Tensor, number>();
  const use = (t: Tensor) => {
    const count = uses.get(t) ?? 0;
    uses.set(t, count + 1);
    if (count === 0) for (const d of dependencies(t)) use(d);
  };
  for (const effect of stage) use(effect.kind === 'adam' ? effect.gradient : effect.from);
  return uses;
}

function dependentSlope(loss: Tensor, uses: ReadonlyMap<Tensor, number>): Tensor | undefined {
  for (const t of uses.keys()) if (t.op.kind === 'lossSlope' && t.op.of === loss) return t;
  return undefined;
}
