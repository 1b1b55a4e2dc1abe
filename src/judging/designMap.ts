/** Past rows and candidates in the plane of the two directions in which past rows differ most. */
import { evenly } from '../search/rowSubset.js';

/** Past rows on the map. */
const SHOWN = 1000;
const ITERATIONS = 60;

export interface Plane {
  readonly center: Float64Array;
  readonly axes: readonly Float64Array[];
  /** Share of the variance in the plane. */
  readonly kept: number;
}

/** Principal axes of points (n x P) by power iteration from a fixed start; signs are such that the largest part is positive. */
export function fitPlane(points: Float64Array, P: number): Plane {
  const rows = evenly(points.length / P, SHOWN);
  const center = new Float64Array(P);
  for (const row of rows) for (let j = 0; j < P; j++) center[j]! += points[row * P + j]! / rows.length;
  const centred = new Float64Array(rows.length * P);
  let total = 0;
  rows.forEach((row, i) => {
    for (let j = 0; j < P; j++) {
      const v = points[row * P + j]! - center[j]!;
      centred[i * P + j] = v;
      total += v * v;
    }
  });
  const axes: Float64Array[] = [];
  let kept = 0;
  for (let a = 0; a < Math.min(2, P); a++) {
    let axis: Float64Array = Float64Array.from({ length: P }, (_, j) => 1 + ((j * 7 + a * 3) % 5) / 5);
    let length = 0;
    for (let iteration = 0; iteration < ITERATIONS; iteration++) {
      const image = new Float64Array(P);
      for (let at = 0; at < centred.length; at += P) {
        let dot = 0;
        for (let j = 0; j < P; j++) dot += centred[at + j]! * axis[j]!;
        for (let j = 0; j < P; j++) image[j]! += dot * centred[at + j]!;
      }
      for (const other of axes) removePart(image, other);
      length = lengthOf(image);
      if (!(length > 0)) break;
      axis = image.map((v) => v / length);
    }
    if (!(length > 0)) axis = new Float64Array(P);
    const largest = axis.reduce((best, v) => (Math.abs(v) > Math.abs(best) ? v : best), 0);
    axes.push(largest < 0 ? axis.map((v) => -v) : axis);
    kept += length;
  }
  while (axes.length < 2) axes.push(new Float64Array(P));
  return { center, axes, kept: total > 0 ? Math.min(1, kept / total) : 1 };
}

/** Euclidean length; divided by the largest number first, so that no square over- or underflows. */
function lengthOf(vector: Float64Array): number {
  const largest = vector.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  if (!(largest > 0)) return largest;
  return largest * Math.sqrt(vector.reduce((sum, v) => sum + (v / largest) * (v / largest), 0));
}

function removePart(vector: Float64Array, axis: Float64Array): void {
  let dot = 0;
  for (let j = 0; j < axis.length; j++) dot += vector[j]! * axis[j]!;
  for (let j = 0; j < axis.length; j++) vector[j]! -= dot * axis[j]!;
}

/** Where points (n x P) fall on the plane. */
export function onPlane({ center, axes }: Plane, points: Float64Array): { x: number; y: number }[] {
  const P = center.length;
  return Array.from({ length: points.length / P }, (_, i) => {
    const [x, y] = axes.map((axis) => {
      let dot = 0;
      for (let j = 0; j < P; j++) dot += (points[i * P + j]! - center[j]!) * axis[j]!;
      return dot;
    });
    return { x: x!, y: y! };
  });
}
