/**
 * Trees as bytes: a safetensors file of `number` (thresholds and leaves, float64), `column` (16 bits if that is enough,
 * -1 for a leaf), `sizes` (nodes of each tree) and `form` (base, divisor, d). 10 bytes a node; right children follow
 * from the preorder.
 */
import { ArgumentError } from '../numeric/errors.js';
import { decodeTensors, encodeTensors, type TensorData } from '../numeric/tensorFile.js';
import type { Trees } from './trees.js';

const FORMAT = 'nemokit trees 1';

/** Trees as bytes, which `decodeTrees` reads. */
export function encodeTrees({ columns, base, divisor, first, column, number }: Trees): Uint8Array {
  const sizes = Int32Array.from({ length: first.length - 1 }, (_, t) => first[t + 1]! - first[t]!);
  const vector = (data: TensorData['data']): TensorData => ({ shape: [data.length], data });
  return encodeTensors({
    tensors: {
      form: vector(Float64Array.of(base, divisor, columns)),
      number: vector(number),
      sizes: vector(sizes),
      column: vector(columns <= 2 ** 15 ? Int16Array.from(column) : column),
    },
    metadata: { format: FORMAT },
  });
}

/** Throws `ArgumentError` if `bytes` are not what `encodeTrees` makes. */
export function decodeTrees(bytes: Uint8Array): Trees {
  const { tensors, metadata } = decodeTensors(bytes);
  const broken = (why: string) => new ArgumentError('bytes', `not a file of trees: ${why}`);
  if (metadata.format !== FORMAT) throw broken(`its format is ${metadata.format}, not ${FORMAT}`);
  const form = tensors.form?.data;
  const number = tensors.number?.data;
  const sizes = tensors.sizes?.data;
  const codes = tensors.column?.data;
  if (!(form instanceof Float64Array && number instanceof Float64Array && sizes instanceof Int32Array)) {
    throw broken('form, number or sizes are missing or of another type');
  }
  if (!(codes instanceof Int16Array || codes instanceof Int32Array)) {
    throw broken('column is missing or of another type');
  }
  const [base, divisor, columns] = form;
  if (base === undefined || divisor === undefined || columns === undefined)
    throw broken('form has 3 numbers');
  if (!(Number.isFinite(base) && divisor >= 1 && Number.isSafeInteger(columns) && columns >= 1)) {
    throw broken(`form is ${[...form].join(', ')}`);
  }
  const column = Int32Array.from(codes);
  if (column.length !== number.length) throw broken(`${column.length} columns, ${number.length} numbers`);
  for (let node = 0; node < column.length; node++) {
    if (column[node]! < -1 || column[node]! >= columns || !Number.isFinite(number[node])) {
      throw broken(`node ${node} has column ${column[node]} of ${columns} and number ${number[node]}`);
    }
  }
  const first = new Int32Array(sizes.length + 1);
  sizes.forEach((size, t) => {
    first[t + 1] = first[t]! + size;
  });
  if (first[sizes.length] !== column.length) throw broken(`its trees have not ${column.length} nodes`);
  const skip = new Int32Array(column.length);
  for (let t = 0; t < sizes.length; t++) {
    if (!countLeft(column, skip, first[t]!, first[t + 1]!)) throw broken(`tree ${t} is no tree`);
  }
  return { columns, base, divisor, first, column, number, skip };
}

/** In preorder, the node after a leaf is the right child of the last split that has none yet. */
function countLeft(column: Int32Array, skip: Int32Array, from: number, to: number): boolean {
  const open: number[] = [];
  for (let node = from; node < to; node++) {
    if (column[node]! >= 0) {
      open.push(node);
      continue;
    }
    const parent = open.pop();
    if (parent === undefined) return node === to - 1;
    skip[parent] = node - parent;
  }
  return false;
}
