/**
 * The best visible rows with noise, at a given distance from the data. Numbers move by t times a standard deviation of
 * their column; classes become another class with probability t² / (1 + t²). Of all t, the least is taken with which the
 * median design is as far from its nearest visible row as asked. Nothing but the data is looked at.
 */
import { foldKey } from '../../numeric/key.js';
import { Stream } from '../../numeric/random.js';
import { number } from '../../options/option.js';
import { batchSize, startFrom } from '../../options/searchOptions.js';
import { encode } from '../../search/encoding.js';
import type { Space } from '../../space/space.js';
import { nullAlgorithm } from './nullAlgorithm.js';

/** Distances of the rows of every table. */
export const noiseDistances = ['0.03', '0.1', '0.3'] as const;

/** A median distance counts as reached when it lacks no more than this share. */
const TOLERANCE = 0.01;
/** Beyond, designs are as far away as the space lets them. */
const MOST_NOISE = 1e3;
const TRIES = 12;

export const noise = nullAlgorithm({
  id: 'noise',
  options: {
    batchSize: batchSize('M, rows that get noise'),
    startFrom: startFrom('Which rows'),
    distance: number(
      0.1,
      'Median distance to the nearest visible row: root mean square over standardised parameters',
      { least: 0 },
    ),
  },
  presets: Object.fromEntries(
    noiseDistances.map((text) => [
      text,
      { help: `${text} from the data`, options: { distance: Number(text) } },
    ]),
  ),
  async draw({ space, options }, key, start, { search, distance }) {
    const { encoding } = search;
    const kicks = drawKicks(space, options.batchSize, new Stream(foldKey(key, 'noise')));
    const moved = (t: number) => {
      const designs = encode(encoding, moveClasses(space, start, kicks, t));
      const { numbers, normals } = kicks;
      for (let at = 0; at < normals.length; at++) {
        const row = Math.floor(at / numbers.length);
        designs[row * encoding.parameters + numbers[at % numbers.length]!]! += t * normals[at]!;
      }
      search.hold(designs);
      return search.settle(designs);
    };
    const goal = options.distance * (1 - TOLERANCE);
    if (goal === 0) return start.slice();
    // [low, high]: not far enough, far enough
    let [low, high] = [0, options.distance];
    let [near, far] = [0, 0];
    let designs = start;
    for (; high <= MOST_NOISE; high *= 2) {
      designs = moved(high);
      far = distance.medianOf(designs);
      if (far >= goal) break;
      [low, near] = [high, far];
    }
    for (let i = 0; i < TRIES && far > options.distance * (1 + TOLERANCE); i++) {
      // where the distance would be a straight line, kept off the ends
      const share = (options.distance - near) / (far - near);
      const t = low + (high - low) * Math.max(0.1, Math.min(0.9, share));
      const tried = moved(t);
      const reached = distance.medianOf(tried);
      if (reached < goal) [low, near] = [t, reached];
      else [high, far, designs] = [t, reached, tried];
    }
    return designs;
  },
});

/** What is drawn once, whatever t: so that more noise moves every design the same way, further. */
interface Kicks {
  /** Parameters of the columns that are numbers. */
  readonly numbers: readonly number[];
  /** M x numbers. */
  readonly normals: Float64Array;
  /** M x d; of a class, what decides when it changes. */
  readonly uniforms: Float64Array;
  /** M x d: how far the class moves on, 1 to C - 1. */
  readonly turns: Uint32Array;
}

function drawKicks({ columns }: Space, M: number, stream: Stream): Kicks {
  const d = columns.length;
  const numbers: number[] = [];
  let parameter = 0;
  columns.forEach((column) => {
    if (column.kind === 'continuous') numbers.push(parameter);
    parameter += column.kind === 'continuous' ? 1 : column.classes;
  });
  const normals = new Float64Array(M * numbers.length);
  const uniforms = new Float64Array(M * d);
  const turns = new Uint32Array(M * d);
  for (let m = 0; m < M; m++) {
    for (let k = 0; k < numbers.length; k++) normals[m * numbers.length + k] = stream.normal();
    columns.forEach((column, j) => {
      if (column.kind !== 'categorical') return;
      uniforms[m * d + j] = stream.uniform();
      turns[m * d + j] = column.classes < 2 ? 0 : 1 + stream.integer(column.classes - 1);
    });
  }
  return { numbers, normals, uniforms, turns };
}

/** The rows with other classes, M x d. */
function moveClasses({ columns }: Space, start: Float64Array, { uniforms, turns }: Kicks, t: number) {
  const d = columns.length;
  const share = (t * t) / (1 + t * t);
  return start.map((value, at) => {
    const column = columns[at % d]!;
    if (column.kind !== 'categorical' || !(uniforms[at]! < share)) return value;
    return (value + turns[at]!) % column.classes;
  });
}
