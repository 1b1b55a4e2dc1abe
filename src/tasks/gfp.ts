/**
 * Green fluorescent protein: 237 amino acids, scored by the paper's own oracle, a Gaussian process on 1000 measured
 * sequences. docs/tasks/gfp.md
 */
import { ArgumentError } from '../numeric/errors.js';
import { foldKey, rootKey } from '../numeric/key.js';
import { Stream } from '../numeric/random.js';
import { extent } from '../numeric/stats.js';
import type { Space } from '../space/space.js';
import { DataTable } from './dataTable.js';
import { GfpOracle } from './gfpOracle.js';
import { requireDesigns } from './requireDesigns.js';
import type { DataSource, TaskDefinition } from './task.js';

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
    rows.forEach((row, i) => x.set(variants.subarray(row * d, (row + 1) * d), i * d));
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
    const row = x.subarray(n * d, (n + 1) * d);
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
