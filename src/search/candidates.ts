/** Candidate designs sampled around the data, among which a search chooses its starting points. */
import { foldKey, type Key } from '../numeric/key.js';
import { Stream } from '../numeric/random.js';
import type { Space } from '../space/space.js';
import type { SearchSpace } from './searchSpace.js';

/** Logit of a drawn class over the others; the data's are 1.9 for four classes and 3.4 for twenty. */
const LEAD = 3;

/** Parameters (n x P) of n = `candidates` designs, half visible rows, half drawn evenly from the box, inside the space. */
export function drawCandidates(
  search: SearchSpace,
  options: { readonly candidates: number; readonly startFrom: 'best' | 'worst' },
  key: Key,
): Float64Array {
  const { lower, upper, parameters: P } = search.encoding;
  const drawn = Math.floor(options.candidates / 2);
  const visible = search.start(
    { batchSize: options.candidates - drawn, startFrom: options.startFrom },
    foldKey(key, 'visible'),
  );
  const stream = new Stream(foldKey(key, 'drawn'));
  const N = search.parameters.length / P;
  const draws = new Float64Array(drawn * P);
  for (let row = 0; row < draws.length; row += P) {
    let at = 0;
    for (const column of search.space.columns) {
      if (column.kind === 'categorical') {
        draws[row + at + stream.integer(column.classes)] = LEAD;
        at += column.classes;
        continue;
      }
      const width = upper[at]! - lower[at]!;
      const u = stream.uniform();
      // without bounds: as it is in some row
      const value = Number.isFinite(width)
        ? lower[at]! + width * u
        : search.parameters[Math.floor(u * N) * P + at]!;
      draws[row + at] = value;
      at += 1;
    }
  }
  search.hold(draws);
  return concatenate(visible, draws);
}

/** `count` designs (n x d) like one of them, but for one class, or two, or three, each half as likely as the one before. */
export function changeClasses(space: Space, design: Float64Array, count: number, key: Key): Float64Array {
  const stream = new Stream(key);
  const d = space.columns.length;
  const free = Array.from(space.columns.keys()).filter((j) => space.columns[j]!.kind === 'categorical');
  const variants = new Float64Array(count * d);
  for (let row = 0; row < variants.length; row += d) {
    variants.set(design, row);
    do {
      const j = free[stream.integer(free.length)]!;
      const column = space.columns[j]!;
      if (column.kind === 'categorical') variants[row + j] = stream.integer(column.classes);
    } while (stream.boolean());
  }
  return variants;
}

/** One array behind the other. */
export function concatenate(a: Float64Array, b: Float64Array): Float64Array {
  const both = new Float64Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
