/** How far designs are from the visible rows: root mean square over standardised parameters. */
import { nearestRows, rowOf } from '../numeric/rows.js';
import { median } from '../numeric/stats.js';
import { type Encoding, encode, fitEncoding, modelInputs } from '../search/encoding.js';
import type { Dataset, Space } from '../space/space.js';

/** Measures designs against the same rows many times. */
export class DataDistance {
  private readonly encoding: Encoding;
  /** N x P. */
  private readonly rows: Float64Array;

  constructor(data: Dataset, space: Space) {
    this.encoding = fitEncoding(data, space, { box: null });
    this.rows = modelInputs(this.encoding, encode(this.encoding, data.x));
  }

  /** Per design, to the nearest visible row. */
  of(designs: Float64Array): Float64Array {
    const { parameters: P } = this.encoding;
    const proposed = modelInputs(this.encoding, encode(this.encoding, designs));
    return Float64Array.from({ length: proposed.length / P }, (_, m) => {
      const [nearest] = nearestRows(this.rows, rowOf(proposed, P, m), 1);
      return Math.sqrt((nearest?.squared ?? Number.POSITIVE_INFINITY) / P);
    });
  }

  medianOf(designs: Float64Array): number {
    return median(this.of(designs));
  }
}
