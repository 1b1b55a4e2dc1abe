/** Lines of equal value over a grid: marching squares, values between grid points by straight lines. */

export type Segment = readonly [x0: number, y0: number, x1: number, y1: number];

/**
 * `values` row by row, `width` each; null where there is none, and no line passes there. Places are in steps of the grid, from 0.
 */
export function isoLine(values: readonly (number | null)[], width: number, level: number): Segment[] {
  const segments: Segment[] = [];
  const height = Math.floor(values.length / width);
  for (let j = 0; j + 1 < height; j++) {
    for (let i = 0; i + 1 < width; i++) {
      const at = j * width + i;
      const corners = [values[at], values[at + 1], values[at + width + 1], values[at + width]];
      if (corners.some((value) => value === null || value === undefined)) continue;
      const [a, b, c, d] = corners as [number, number, number, number];
      const crossed: (readonly [number, number])[] = [];
      const cross = (from: number, to: number, place: (share: number) => readonly [number, number]) => {
        if (from < level !== to < level) crossed.push(place((level - from) / (to - from)));
      };
      cross(a, b, (s) => [i + s, j]);
      cross(b, c, (s) => [i + 1, j + s]);
      cross(d, c, (s) => [i + s, j + 1]);
      cross(a, d, (s) => [i, j + s]);
      const middle = (a + b + c + d) / 4;
      // a saddle has two lines; the middle says which corners they cut off
      if (crossed.length === 4 && middle < level !== a < level) crossed.splice(1, 0, crossed.pop()!);
      for (let k = 0; k + 1 < crossed.length; k += 2)
        segments.push([...crossed[k]!, ...crossed[k + 1]!] as unknown as Segment);
    }
  }
  return segments;
}
