/** A column's own numbers, and those in which it is modelled and its distances are counted. */
import { portableExp, portableLog } from '../numeric/special.js';
import type { SpaceColumn } from './space.js';

export function isLog(column: SpaceColumn): boolean {
  return column.kind === 'continuous' && column.scale === 'log';
}

/** log(value) for a logarithmic column, which has positive numbers only; others are left as they are. */
export function toScale(column: SpaceColumn, value: number): number {
  return isLog(column) ? portableLog(value) : value;
}

/** Back to the column's own numbers. */
export function fromScale(column: SpaceColumn, value: number): number {
  return isLog(column) ? portableExp(value) : value;
}
