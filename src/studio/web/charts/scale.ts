/** From values to places on a drawing, and round numbers for its axis. */

export interface Scale {
  readonly min: number;
  readonly max: number;
  at(value: number): number;
  back(place: number): number;
}

/** `from` and `to`: where the ends lie, in units of the drawing. */
export function scaleOf(min: number, max: number, from: number, to: number): Scale {
  const width = max > min ? max - min : 1;
  return {
    min,
    max,
    at: (value) => from + ((value - min) / width) * (to - from),
    back: (place) => min + ((place - from) / (to - from)) * width,
  };
}

/** The smallest and the largest; of nothing, infinities. */
export function endsOf(values: readonly number[]): readonly [number, number] {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return [min, max];
}

/** The range of values with some room on both sides. */
export function roomFor(values: readonly number[], room = 0.06): readonly [number, number] {
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0) return [0, 1];
  const [min, max] = endsOf(finite);
  const width = max - min || Math.abs(max) || 1;
  return [min - room * width, max + room * width];
}

/** About `count` round numbers from min to max: 1, 2 or 5 times a power of ten apart. */
export function ticksOf(min: number, max: number, count = 4): number[] {
  const rough = (max - min) / count;
  if (!(rough > 0)) return [min];
  const power = 10 ** Math.floor(Math.log10(rough));
  // a little more of them rather than one alone
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= 0.7 * rough) ?? 10 * power;
  const first = Math.ceil(min / step - 1e-9);
  const last = Math.floor(max / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}
