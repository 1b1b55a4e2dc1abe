/** A fitted last layer as named arrays: all that `readout` needs (docs/model-file.md). */
import { rowOf } from '../numeric/rows.js';
import type { TensorData } from '../numeric/tensorFile.js';
import type { LastLayer } from './lastLayer.js';

export function lastLayerTensors(layer: LastLayer): Record<string, TensorData> {
  const { fit, chosen, weights } = layer;
  const p = fit.columns;
  const m = chosen.length;
  // the last feature is the bias, 1 in every row
  const phi = new Float64Array(m * (p - 1));
  chosen.forEach((row, i) => {
    phi.set(rowOf(fit.phi, p, row).subarray(0, p - 1), i * (p - 1));
  });
  const labels = Int32Array.from({ length: 2 * m }, (_, at) => {
    const row = chosen[at >> 1]!;
    return (at % 2 === 0 ? fit.lows : fit.highs)[row]!;
  });
  return {
    theta: { shape: [p], data: fit.theta },
    factor: lowerTriangle(layer.factor, p),
    middleFactor: lowerTriangle(layer.middleFactor, p),
    weights: { shape: [m], data: weights },
    features: { shape: [m, p - 1], data: inSinglePrecision(phi) },
    labels: { shape: [m, 2], data: labels },
  };
}

/** Row by row, p (p + 1) / 2 numbers. */
function lowerTriangle(a: Float64Array, p: number): TensorData {
  const packed = new Float64Array((p * (p + 1)) / 2);
  for (let i = 0, at = 0; i < p; at += ++i) packed.set(a.subarray(i * p, i * p + i + 1), at);
  return { shape: [packed.length], data: packed };
}

/** The fast kernels compute features in single precision; those of the reference kernel stay as they are. */
function inSinglePrecision(values: Float64Array): Float32Array | Float64Array {
  const single = Float32Array.from(values);
  return values.every((v, i) => v === single[i]) ? single : values;
}
