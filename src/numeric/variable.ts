import type { Backend } from './backend.js';
import { ArgumentError, requireFinite, ShapeError } from './errors.js';
import { rowOf } from './rows.js';

/**
 * `dense`: row-major. `weight`: the right operand of a matrix product, kept in panels of 8 columns, [n/8][k][8], the
 * last one filled up with zeros; a weight of one column is a plain vector. Outside this file nobody sees the panels.
 */
export type Layout = 'dense' | 'weight';

/** Columns of a panel. */
export const PANEL = 8;

/** Elements that a rows x columns matrix takes in memory. */
export function storedSize(layout: Layout, rows: number, columns: number): number {
  if (layout === 'dense' || columns === 1) return rows * columns;
  return Math.ceil(columns / PANEL) * PANEL * rows;
}

/** Where element (i, j) of a weight of `rows` rows lies. */
export function weightIndex(rows: number, columns: number, i: number, j: number): number {
  return columns === 1 ? i : ((j >> 3) * rows + i) * PANEL + (j & 7);
}

export interface VariableShape {
  readonly rows: number;
  readonly columns: number;
  /** One matrix for each of this many models; 0, the default: one that all models share. */
  readonly models?: number;
  /** Default `dense`. */
  readonly layout?: Layout;
  /** Whole numbers that pick rows of another variable, rather than floats. Default false. */
  readonly index?: boolean;
}

/** A matrix, or one per model, that lives in an engine's memory from one run of a program to the next. */
export class Variable {
  readonly rows: number;
  readonly columns: number;
  readonly models: number;
  readonly layout: Layout;
  readonly index: boolean;
  /** Elements in memory per model. */
  readonly stride: number;
  readonly offset: number;
  /** Whether its memory belongs to another variable. */
  readonly isWindow: boolean;

  constructor(
    private readonly backend: Backend,
    readonly name: string,
    shape: VariableShape,
    /** Where it lies, if the memory belongs to another variable. */
    offset?: number,
  ) {
    this.rows = shape.rows;
    this.columns = shape.columns;
    this.models = shape.models ?? 0;
    this.layout = shape.layout ?? 'dense';
    this.index = shape.index ?? false;
    this.stride = storedSize(this.layout, this.rows, this.columns);
    this.isWindow = offset !== undefined;
    this.offset = offset ?? backend.allocate(name, this.stride * this.copies);
  }

  /** Elements of one matrix. */
  get size(): number {
    return this.rows * this.columns;
  }

  private get copies(): number {
    return Math.max(this.models, 1);
  }

  /** Sets all matrices, `[model][row][column]`; or, with `model`, one of them. */
  write(values: ArrayLike<number>, model?: number): void {
    const copies = model === undefined ? this.copies : 1;
    if (values.length !== this.size * copies) {
      throw new ShapeError(
        this.name,
        `${this.name} holds ${copies} x ${this.rows} x ${this.columns} numbers, but ${values.length} were given`,
      );
    }
    requireFinite(this.name, values);
    for (let copy = 0; copy < copies; copy++) {
      this.put(values, copy * this.size, this.matrix(model ?? copy));
    }
  }

  /** Rows `first` to `first + count - 1` of a dense shared matrix as a variable of their own, on the same memory. */
  window(name: string, first: number, count: number): Variable {
    if (this.layout !== 'dense' || this.models !== 0) {
      throw new ArgumentError(this.name, `${this.name} is not a dense matrix that all models share`);
    }
    if (
      !(
        Number.isInteger(first) &&
        Number.isInteger(count) &&
        first >= 0 &&
        count > 0 &&
        first + count <= this.rows
      )
    ) {
      throw new ShapeError(
        name,
        `${name}: rows ${first} to ${first + count - 1} are not in ${this.name}, which has ${this.rows}`,
      );
    }
    const shape = { rows: count, columns: this.columns, index: this.index };
    return new Variable(this.backend, name, shape, this.offset + first * this.columns);
  }

  /** Sets everything to 0. */
  clear(): void {
    this.view().fill(0);
  }

  /** Takes the values of a variable of the same shape. */
  copy(from: Variable): void {
    const isAlike =
      from.rows === this.rows &&
      from.columns === this.columns &&
      from.models === this.models &&
      from.layout === this.layout &&
      from.index === this.index;
    if (!isAlike) throw new ShapeError(from.name, `${from.name} is of another shape than ${this.name}`);
    this.view().set(from.view());
  }

  /** Sets rows `first`, `first + 1`, ... of a dense shared matrix. */
  writeRows(first: number, values: ArrayLike<number>): void {
    const count = values.length / this.columns;
    if (this.layout !== 'dense' || this.models !== 0) {
      throw new ArgumentError(this.name, `${this.name} is not a dense matrix that all models share`);
    }
    if (!Number.isInteger(count) || first < 0 || first + count > this.rows) {
      throw new ShapeError(
        this.name,
        `${this.name} has ${this.rows} rows of ${this.columns}; ${values.length} numbers from row ${first} do not fit`,
      );
    }
    requireFinite(this.name, values);
    this.matrix(0).set(values, first * this.columns);
  }

  /** A copy of all matrices, `[model][row][column]`; or, with `model`, of one. */
  read(model?: number): Float32Array | Float64Array {
    const copies = model === undefined ? this.copies : 1;
    const Numbers = this.backend.kernel === 'reference' ? Float64Array : Float32Array;
    const values = new Numbers(this.size * copies);
    for (let copy = 0; copy < copies; copy++) {
      const stored = this.matrix(model ?? copy);
      if (this.layout === 'dense') {
        values.set(stored.subarray(0, this.size), copy * this.size);
        continue;
      }
      for (let i = 0, to = copy * this.size; i < this.rows; i++) {
        for (let j = 0; j < this.columns; j++) {
          values[to++] = stored[weightIndex(this.rows, this.columns, i, j)]!;
        }
      }
    }
    return values;
  }

  private put(
    values: ArrayLike<number>,
    from: number,
    stored: Float32Array | Float64Array | Int32Array,
  ): void {
    if (this.layout === 'dense') {
      for (let i = 0; i < this.size; i++) stored[i] = values[from + i]!;
      return;
    }
    if (this.columns === 1) {
      for (let i = 0; i < this.rows; i++) stored[i] = values[from + i]!;
      return;
    }
    for (let j = 0, to = 0; j < this.columns; j += PANEL) {
      const width = Math.min(PANEL, this.columns - j);
      for (let i = 0, at = from + j; i < this.rows; i++, at += this.columns, to += PANEL) {
        for (let q = 0; q < width; q++) stored[to + q] = values[at + q]!;
      }
    }
  }

  private matrix(model: number): Float32Array | Float64Array | Int32Array {
    if (model < 0 || model >= this.copies) {
      throw new ArgumentError(
        'model',
        `${this.name} has ${this.copies} matrices, there is no number ${model}`,
      );
    }
    return rowOf(this.view(), this.stride, model);
  }

  private view(): Float32Array | Float64Array | Int32Array {
    const count = this.stride * this.copies;
    return this.index ? this.backend.integers(this.offset, count) : this.backend.floats(this.offset, count);
  }
}
