// CMA-ES: (mu/mu_w, lambda) with rank-one and rank-mu updates (Hansen 2016, "The CMA Evolution Strategy: A Tutorial",
// arXiv:1604.00772, defaults of table 1). For experimenters who may ask the truth; no method of nemokit uses it.
import { rootKey, Stream } from '../../dist/numeric/index.js';

/**
 * Maximises. Everything follows from the seed and the scores, so that a run is resumed by giving it the scores again.
 * @param {{ start: ArrayLike<number>, scale: ArrayLike<number>, sigma: number, population: number, seed: number }} options
 *   `scale`: spread of each number; `sigma` of it is the first step
 * @returns {Generator<Float64Array[], never, ArrayLike<number>>} populations; takes their scores
 */
export function* cmaes({ start, scale, sigma, population, seed }) {
  const n = start.length;
  const stream = new Stream(rootKey(seed));
  const parents = Math.floor(population / 2);
  const raw = Array.from({ length: parents }, (_, i) => Math.log((population + 1) / 2) - Math.log(i + 1));
  const total = raw.reduce((a, b) => a + b);
  const weights = raw.map((w) => w / total);
  const effective = 1 / weights.reduce((a, w) => a + w * w, 0);
  const cc = (4 + effective / n) / (n + 4 + (2 * effective) / n);
  const cs = (effective + 2) / (n + effective + 5);
  const c1 = 2 / ((n + 1.3) ** 2 + effective);
  const cmu = Math.min(1 - c1, (2 * (effective - 2 + 1 / effective)) / ((n + 2) ** 2 + effective));
  const damps = 1 + 2 * Math.max(0, Math.sqrt((effective - 1) / (n + 1)) - 1) + cs;
  const expected = Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
  const mean = new Float64Array(n);
  const covariance = Array.from({ length: n }, (_, i) =>
    Float64Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)),
  );
  const pathC = new Float64Array(n);
  const pathS = new Float64Array(n);
  let { vectors, values } = eigen(covariance);
  for (let generation = 1; ; generation++) {
    const steps = Array.from({ length: population }, () => {
      const z = Float64Array.from({ length: n }, () => stream.normal());
      return times(
        vectors,
        z.map((v, i) => v * Math.sqrt(at(values, i))),
      );
    });
    const designs = steps.map((y) =>
      mean.map((m, i) => at(start, i) + at(scale, i) * (m + sigma * at(y, i))),
    );
    const scores = yield designs;
    const order = steps.map((_, i) => i).sort((a, b) => at(scores, b) - at(scores, a) || a - b);
    const best = order.slice(0, parents).map((i) => row(steps, i));
    const move = new Float64Array(n);
    best.forEach((y, k) => {
      y.forEach((v, i) => {
        move[i] = at(move, i) + at(weights, k) * v;
      });
    });
    const white = times(
      vectors,
      timesTransposed(vectors, move).map((v, i) => v / Math.sqrt(at(values, i))),
    );
    for (let i = 0; i < n; i++) {
      mean[i] = at(mean, i) + sigma * at(move, i);
      pathS[i] = (1 - cs) * at(pathS, i) + Math.sqrt(cs * (2 - cs) * effective) * at(white, i);
    }
    const length = Math.sqrt(pathS.reduce((a, v) => a + v * v, 0));
    const isShort = length / Math.sqrt(1 - (1 - cs) ** (2 * generation)) < (1.4 + 2 / (n + 1)) * expected;
    for (let i = 0; i < n; i++)
      pathC[i] = (1 - cc) * at(pathC, i) + (isShort ? Math.sqrt(cc * (2 - cc) * effective) * at(move, i) : 0);
    covariance.forEach((line, i) => {
      for (let j = 0; j < n; j++) {
        let rank = 0;
        best.forEach((y, k) => {
          rank += at(weights, k) * at(y, i) * at(y, j);
        });
        line[j] =
          (1 - c1 - cmu + (isShort ? 0 : c1 * cc * (2 - cc))) * at(line, j) +
          c1 * at(pathC, i) * at(pathC, j) +
          cmu * rank;
      }
    });
    sigma *= Math.exp((cs / damps) * (length / expected - 1));
    ({ vectors, values } = eigen(covariance));
  }
}

/** @param {ArrayLike<number>} v @param {number} i */
function at(v, i) {
  return /** @type {number} */ (v[i]);
}

/** @param {T[]} v @param {number} i @template T */
function row(v, i) {
  return /** @type {T} */ (v[i]);
}

/** @param {Float64Array[]} m @param {Float64Array} v */
function times(m, v) {
  return v.map((_, i) => v.reduce((sum, value, j) => sum + at(row(m, i), j) * value, 0));
}

/** @param {Float64Array[]} m @param {Float64Array} v */
function timesTransposed(m, v) {
  return v.map((_, i) => v.reduce((sum, value, j) => sum + at(row(m, j), i) * value, 0));
}

/**
 * Of a symmetric matrix, by Jacobi's rotations; columns of `vectors` are the eigenvectors.
 * @param {Float64Array[]} matrix
 */
function eigen(matrix) {
  const n = matrix.length;
  const a = matrix.map((v) => Float64Array.from(v));
  const vectors = matrix.map((_, i) => Float64Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < 30; sweep++) {
    let off = 0;
    a.forEach((v, i) => {
      for (let j = 0; j < i; j++) off += at(v, j) ** 2;
    });
    if (off < 1e-20) break;
    for (let p = 0; p < n; p++)
      for (let q = p + 1; q < n; q++) {
        const apq = at(row(a, p), q);
        if (Math.abs(apq) < 1e-300) continue;
        const theta = (at(row(a, q), q) - at(row(a, p), p)) / (2 * apq);
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        const s = t * c;
        for (const v of a) rotate(v, p, q, c, s);
        const [rp, rq] = [row(a, p), row(a, q)];
        for (let j = 0; j < n; j++) {
          const [u, w] = [at(rp, j), at(rq, j)];
          rp[j] = c * u - s * w;
          rq[j] = s * u + c * w;
        }
        for (const v of vectors) rotate(v, p, q, c, s);
      }
  }
  return { vectors, values: Float64Array.from(a, (v, i) => Math.max(1e-20, at(v, i))) };
}

/** @param {Float64Array} v @param {number} p @param {number} q @param {number} c @param {number} s */
function rotate(v, p, q, c, s) {
  const [u, w] = [at(v, p), at(v, q)];
  v[p] = c * u - s * w;
  v[q] = s * u + c * w;
}
