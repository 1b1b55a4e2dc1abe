/**
 * Green fluorescent protein: 237 amino acids, scored by the paper's own oracle, a Gaussian process on 1000 measured
 * sequences. docs/tasks/gfp.md
 */
import { ArgumentError } from '../numeric/errors.js';
import { foldKey, rootKey } from '../numeric/key.js';
import { openLinearAlgebra } from '../numeric/linalg.js';
import { portableExp, portableLog } from '../numeric/portable.js';
import { Stream } from '../numeric/random.js';
import { rowOf } from '../numeric/rows.js';
import { extent } from '../numeric/stats.js';
import type { Space } from '../space/space.js';
import { DataTable } from './dataTable.js';
import { type DataSource, requireDesigns, type TaskDefinition } from './task.js';

/** Amino acids in the order of their class numbers. */
export const aminoAcids = 'ARNDCQEGHILKMFPSTWYV';

/** avGFP F64L without the initial methionine (Sarkisyan et al. 2016). */
export const wildType =
  'SKGEELFTGVVPILVELDGDVNGHKFSVSGEGEGDATYGKLTLKFICTTGKLPVPWPTLVTTLSYGVQCFSRYPDHMKQHDFFKSAMPEGYVQERTIFFKDDGN' +
  'YKTRAEVKFEGDTLVNRIELKGIDFKEDGNILGHKLEYNYNSHNVYIMADKQKNGIKVNFKIRHNIEDGSVQLADHYQQNTPIGDGPVLLPDNHYLSTQSALSK' +
  'DPNEKRDHMVLLEFVTAAGITHGMDELYK';

/** The paper's Dataset Max: sequences below it may be seen. */
const VISIBLE_BELOW = 3.15227;
const VISIBLE_ROWS = 5000;

const d = wildType.length;
const space: Space = {
  columns: Array.from(wildType, (letter, j) => ({
    kind: 'categorical',
    name: `${letter}${j}`,
    classes: aminoAcids.length,
  })),
};

export const gfpGp: TaskDefinition = {
  id: 'gfp-gp-v1',
  title: 'GFP',
  summary:
    'A design is a protein of 237 amino acids near green fluorescent protein. Its score is the brightness that the ' +
    "paper's Gaussian process, fitted to 1000 measured sequences, predicts for it.",
  paper: 'GFP',
  datasets: ['gfp'],
  provenance: {
    data: 'variants measured by K. Sarkisyan et al. 2016',
    scorer: 'the Gaussian process of D. Brookes et al. 2019 (CbAS), as Design-Bench v0 has it',
    labels: 'scored',
  },
  isForTuning: false,

  async open(source) {
    const oracle = await openOracle(source);
    const { variants, table } = await readVariants(source);
    const scores = oracle.scores(variants);
    const { min: worst, max: best } = extent(scores);

    const below = Uint32Array.from(scores.keys()).filter((i) => scores[i]! < VISIBLE_BELOW);
    if (below.length < VISIBLE_ROWS)
      throw table.fault(`${below.length} of ${scores.length} variants score below ${VISIBLE_BELOW}, too few`);
    const stream = new Stream(foldKey(rootKey(0), gfpGp.id));
    // in the order of the file
    const rows = stream
      .choose(below.length, VISIBLE_ROWS)
      .map((i) => below[i]!)
      .sort();
    const x = new Float64Array(VISIBLE_ROWS * d);
    rows.forEach((row, i) => x.set(rowOf(variants, d, row), i * d));
    return {
      data: { x, y: Float64Array.from(rows, (row) => scores[row]!) },
      space,
      async score(designs) {
        requireDesigns(space, designs);
        return oracle.scores(designs);
      },
      range: { worst, best },
    };
  },
};

/** A sequence of 237 letters as a row of designs: amino acids by number. */
export function encodeProtein(sequence: string): Uint8Array {
  const wrong = wrongProtein(sequence);
  if (wrong) throw new ArgumentError('sequence', wrong);
  return Uint8Array.from(sequence, (letter) => aminoAcids.indexOf(letter));
}

function wrongProtein(sequence: string): string | undefined {
  if (sequence.length !== d)
    return `the sequence has ${sequence.length} letters; expected ${d}, without the initial methionine`;
  const odd = Array.from(sequence).find((letter) => !aminoAcids.includes(letter));
  return odd && `the sequence has the letter ${odd}; expected ${aminoAcids}`;
}

async function openOracle(source: DataSource): Promise<GfpOracle> {
  const c = aminoAcids.length;
  const similar = await DataTable.read(source, 'gfp', 'gp_similarity.csv');
  const columns = Array.from(aminoAcids, (letter) => similar.numbers(letter));
  if (similar.rows !== c || columns.some((column) => column.some((value) => value <= 0)))
    throw similar.fault(`expected a positive number for each pair of ${aminoAcids}`);
  const similarity = Float64Array.from({ length: c * c }, (_, ab) => columns[ab % c]![Math.floor(ab / c)]!);

  const train = await DataTable.read(source, 'gfp', 'gp_train.csv', ['sequence']);
  const sequences = new Uint8Array(train.rows * d);
  train.texts('sequence').forEach((sequence, i) => {
    const wrong = wrongProtein(sequence);
    if (wrong) throw train.fault(wrong, i);
    sequences.set(encodeProtein(sequence), i * d);
  });
  return GfpOracle.fit(similarity, sequences, train.numbers('y'), encodeProtein(wildType));
}

/** Measured genotypes without a stop, n x d by number. "SA108D" is D instead of A at position 108, from 0. */
async function readVariants(source: DataSource): Promise<{ variants: Uint8Array; table: DataTable }> {
  const file = 'amino_acid_genotypes_to_brightness.tsv';
  const table = await DataTable.read(source, 'gfp', file, ['aaMutations']);
  const unchanged = encodeProtein(wildType);
  const x = new Uint8Array(table.rows * d);
  let n = 0;
  table.texts('aaMutations').forEach((mutations, i) => {
    if (mutations.includes('*')) return;
    const row = rowOf(x, d, n);
    n += 1;
    row.set(unchanged);
    for (const mutation of mutations.split(':').filter(Boolean)) {
      const [, from, position, to] = /^S([A-Z])(\d+)([A-Z])$/.exec(mutation) ?? [];
      const letter = aminoAcids.indexOf(to ?? '?');
      if (letter < 0 || wildType[Number(position)] !== from)
        throw table.fault(`"${mutation}" is no change of one letter of green fluorescent protein`, i);
      row[Number(position)] = letter;
    }
  });
  return { variants: x.subarray(0, n * d), table };
}

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
      const row = rowOf(gram, n, i);
      oracle.correlations(rowOf(train, d, i), row);
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
