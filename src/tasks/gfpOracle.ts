/**
 * The Gaussian process that stands for brightness in the paper's GFP task: D. Brookes, H. Park & J. Listgarten, ICML
 * 2019 (CbAS), as used by Design-Bench in 2020. With B the similarity of amino acids,
 *
 *     R(x, x') = prod_j (B[x_j, x'_j] / sqrt(B[x_j, x_j] B[x'_j, x'_j]))^0.1
 *     a = ((R + 1)^2 + 0.1 I)^-1 y         over the training sequences
 *     f(x) = sum_i a_i exp(R(x, x_i))
 *
 * Two different kernels, of the training matrix and of the prediction: that is how the published values were made.
 */
import { openLinearAlgebra } from '../numeric/linalg.js';
import { portableExp, portableLog } from '../numeric/special.js';

const POWER = 0.1;
const NOISE = 0.1;

/** 1 / n! for n = 0 ... 15; for |z| <= 1/2 the next term of exp(z) is below 1e-18. */
const inverseFactorials = Float64Array.from({ length: 16 }, (_, n) => {
  let product = 1;
  for (let k = 2; k <= n; k++) product *= k;
  return 1 / product;
});
const ROOT_E = portableExp(0.5);

export class GfpOracle {
  /** a_i. */
  private readonly weights: Float64Array;
  /** `factors[(j c + a) c + b]`: by how much R(x, x') grows if x_j is a instead of the centre's letter and x'_j is b. */
  private readonly factors: Float64Array;
  /** R(centre, x_i). */
  private readonly toCentre: Float64Array;
  /** Letters of the training sequences by position: `letters[j n + i]`. */
  private readonly letters: Uint8Array;
  private readonly n: number;

  private constructor(
    similarity: Float64Array,
    train: Uint8Array,
    private readonly centre: Uint8Array,
    private readonly c: number,
  ) {
    const d = centre.length;
    this.n = train.length / d;
    this.weights = new Float64Array(this.n);
    const normed = normedSimilarity(similarity, c);
    this.factors = new Float64Array(d * c * c);
    for (let j = 0; j < d; j++) {
      for (let ab = 0; ab < c * c; ab++) {
        this.factors[j * c * c + ab] = normed[ab]! / normed[centre[j]! * c + (ab % c)]!;
      }
    }
    this.letters = new Uint8Array(train.length);
    this.toCentre = new Float64Array(this.n).fill(1);
    for (let j = 0; j < d; j++) {
      for (let i = 0; i < this.n; i++) {
        const b = train[i * d + j]!;
        this.letters[j * this.n + i] = b;
        this.toCentre[i]! *= normed[centre[j]! * c + b]!;
      }
    }
  }

  /**
   * `similarity` c x c, `train` n x d letters by number, `y` n. Sequences near `centre` (d letters) are scored fast;
   * which one it is does not matter otherwise, but for rounding.
   */
  static async fit(
    similarity: Float64Array,
    train: Uint8Array,
    y: Float64Array,
    centre: Uint8Array,
  ): Promise<GfpOracle> {
    const oracle = new GfpOracle(similarity, train, centre, Math.sqrt(similarity.length));
    const n = y.length;
    const d = centre.length;
    const gram = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      const row = gram.subarray(i * n, (i + 1) * n);
      oracle.correlations(train.subarray(i * d, (i + 1) * d), row);
      for (let k = 0; k < n; k++) row[k] = (row[k]! + 1) * (row[k]! + 1);
      row[i]! += NOISE;
    }
    // The kernel that is the same everywhere: a score has the same bits on every machine.
    const linalg = await openLinearAlgebra({ kernel: 'reference' });
    oracle.weights.set(linalg.solveCholesky(linalg.cholesky(gram, n), n, y));
    return oracle;
  }

  /** f of sequences, m x d letters by number. */
  scores(x: ArrayLike<number>): Float64Array {
    const d = this.centre.length;
    const R = new Float64Array(this.n);
    const sequence = new Uint8Array(d);
    return Float64Array.from({ length: x.length / d }, (_, m) => {
      for (let j = 0; j < d; j++) sequence[j] = x[m * d + j]!;
      this.correlations(sequence, R);
      let sum = 0;
      for (let i = 0; i < this.n; i++) sum += this.weights[i]! * exp01(R[i]!);
      return sum;
    });
  }

  /** R(x, x_i) for all i: only positions that differ from the centre change anything. */
  private correlations(x: Uint8Array, R: Float64Array): void {
    const { n, c, centre, letters, factors } = this;
    R.set(this.toCentre);
    for (let j = 0; j < x.length; j++) {
      if (x[j] === centre[j]) continue;
      const at = (j * c + x[j]!) * c;
      for (let i = 0; i < n; i++) R[i]! *= factors[at + letters[j * n + i]!]!;
    }
  }
}

/** (B[a, b] / sqrt(B[a, a] B[b, b]))^0.1. */
function normedSimilarity(B: Float64Array, c: number): Float64Array {
  return B.map((_, ab) => {
    const [a, b] = [Math.floor(ab / c), ab % c];
    if (a === b) return 1;
    const halves = (portableLog(B[a * c + a]!) + portableLog(B[b * c + b]!)) / 2;
    return portableExp(POWER * (portableLog(B[ab]!) - halves));
  });
}

/** exp(r) for r in [0, 1] by its series at 1/2: the same bits everywhere, and faster than `portableExp`. */
function exp01(r: number): number {
  const z = r - 0.5;
  let sum = inverseFactorials[15]!;
  for (let n = 14; n >= 0; n--) sum = sum * z + inverseFactorials[n]!;
  return ROOT_E * sum;
}
