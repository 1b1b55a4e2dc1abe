// Element-by-element work, sums, copies.
import { ADD, COLUMN, DIVIDE, MULTIPLY, ROW, SAME, SCALAR, SUBTRACT } from '../src/numeric/kernels/opcodes';
import { laneSum, loadTail, splat, storeTail } from './vector';

// @ts-ignore: decorator
@inline function operate(op: i32, a: v128, b: v128): v128 {
  switch (op) {
    case ADD: return f32x4.add(a, b);
    case SUBTRACT: return f32x4.sub(a, b);
    case MULTIPLY: return f32x4.mul(a, b);
    case DIVIDE: default: return f32x4.div(a, b);
  }
}

/** to = a op b; b is of a's shape, or one row, one column or one number that is repeated. */
export function combine(op: i32, how: i32, rows: i32, columns: i32, a: usize, b: usize, to: usize): void {
  if (how == SAME || how == SCALAR) {
    columns *= rows;
    rows = 1;
  }
  const repeated = how == COLUMN || how == SCALAR;
  for (let r = 0; r < rows; r++) {
    const one = repeated ? v128.load32_splat(b) : splat(0);
    for (let j = 0; j < columns; j += 4) {
      const at = <usize>j << 2;
      const left = columns - j;
      if (left >= 4) {
        v128.store(to + at, operate(op, v128.load(a + at), repeated ? one : v128.load(b + at)));
      } else {
        storeTail(to + at, operate(op, loadTail(a + at, left), repeated ? one : loadTail(b + at, left)), left);
      }
    }
    const step = <usize>columns << 2;
    a += step;
    to += step;
    if (how == COLUMN) b += 4;
  }
}

/** to = factor * a + offset. */
export function scale(count: i32, factor: f32, offset: f32, a: usize, to: usize): void {
  const f = splat(factor);
  const o = splat(offset);
  let i = 0;
  for (; i + 4 <= count; i += 4) {
    const at = <usize>i << 2;
    v128.store(to + at, f32x4.add(f32x4.mul(f, v128.load(a + at)), o));
  }
  for (; i < count; i++) store<f32>(to + (<usize>i << 2), factor * load<f32>(a + (<usize>i << 2)) + offset);
}

export function fill(count: i32, value: f32, to: usize): void {
  const v = splat(value);
  let i = 0;
  for (; i + 4 <= count; i += 4) v128.store(to + (<usize>i << 2), v);
  for (; i < count; i++) store<f32>(to + (<usize>i << 2), value);
}

/** to (count) += from (count). */
export function addTo(count: i32, to: usize, from: usize): void {
  combine(ADD, SAME, 1, count, to, from, to);
}

/** to (1 x columns) = sum of the rows, first to last. */
export function sumRows(rows: i32, columns: i32, a: usize, to: usize): void {
  const step = <usize>columns << 2;
  memory.copy(to, a, step);
  for (let r = 1; r < rows; r++) addTo(columns, to, a + <usize>r * step);
}

/** to (rows x 1) = sum of the columns. */
export function sumColumns(rows: i32, columns: i32, a: usize, to: usize): void {
  for (let r = 0; r < rows; r++) {
    let s = splat(0);
    let j = 0;
    for (; j + 4 <= columns; j += 4) s = f32x4.add(s, v128.load(a + (<usize>j << 2)));
    let sum = laneSum(s);
    for (; j < columns; j++) sum += load<f32>(a + (<usize>j << 2));
    store<f32>(to, sum);
    to += 4;
    a += <usize>columns << 2;
  }
}

/** to (rows x columns): one row, one column or one number repeated. */
export function broadcast(how: i32, rows: i32, columns: i32, a: usize, to: usize): void {
  if (how == SCALAR) {
    fill(rows * columns, load<f32>(a), to);
    return;
  }
  const step = <usize>columns << 2;
  for (let r = 0; r < rows; r++) {
    if (how == ROW) memory.copy(to, a, step);
    else fill(columns, load<f32>(a + (<usize>r << 2)), to);
    to += step;
  }
}

/** Columns [fromColumn, fromColumn + count) of `a` into `to` from column `toColumn` on; the others untouched. */
export function copyColumns(
  rows: i32, count: i32, aColumns: i32, fromColumn: i32, toColumns: i32, toColumn: i32, a: usize, to: usize,
): void {
  a += <usize>fromColumn << 2;
  to += <usize>toColumn << 2;
  for (let r = 0; r < rows; r++) {
    memory.copy(to, a, <usize>count << 2);
    a += <usize>aColumns << 2;
    to += <usize>toColumns << 2;
  }
}

export function gather(rows: i32, columns: i32, pool: usize, table: usize, to: usize): void {
  const step = <usize>columns << 2;
  for (let r = 0; r < rows; r++) {
    memory.copy(to, pool + <usize>load<i32>(table + (<usize>r << 2)) * step, step);
    to += step;
  }
}
