/**
 * Binding of the transcription factor SIX6 to every DNA sequence of eight letters: an exact score by look-up.
 * docs/tasks/tfbind8.md
 */
import { extent, quantile } from '../numeric/stats.js';
import type { Space } from '../space/space.js';
import { DataTable } from './dataTable.js';
import type { TaskDefinition } from './task.js';
import { requireDesigns } from './task.js';

/** Letters in the order of their class numbers. */
export const nucleotides = 'ACGT';

const LENGTH = 8;
const VISIBLE_SHARE = 0.5;

const space: Space = {
  columns: Array.from({ length: LENGTH }, (_, j) => ({
    kind: 'categorical',
    name: `letter ${j + 1}`,
    classes: nucleotides.length,
  })),
};

export const tfbind8Exact: TaskDefinition = {
  id: 'tfbind8-exact-v1',
  title: 'TFBind8',
  summary:
    'A design is a DNA sequence of 8 letters. Its score is how strongly the human transcription factor SIX6 was ' +
    'measured to bind it, from 0 to 1: every sequence was measured, so the score is a look-up.',
  paper: null,
  datasets: ['tfbind8'],
  provenance: {
    data: 'all sequences, measured by L. Barrera et al. 2016',
    scorer: 'the measurements themselves',
    labels: 'scored',
  },
  isForTuning: true,

  async open(source) {
    const table = await DataTable.read(source, 'tfbind8', 'tfbind8_SIX6_REF_R1.csv.gz', ['seq']);
    const sequences = table.texts('seq');
    const y = table.numbers('y');
    const scores = new Float64Array(1 << (2 * LENGTH)).fill(Number.NaN);
    const places = Uint32Array.from(sequences, (sequence, row) => {
      const place = placeOf(sequence);
      if (place === undefined) throw table.fault(`"${sequence}" is not 8 letters of ${nucleotides}`, row);
      // A palindrome is its own reverse complement, and the file has each sequence once per strand.
      if (!Number.isNaN(scores[place]!) && scores[place] !== y[row])
        throw table.fault(`${sequence} has a second score, ${y[row]} beside ${scores[place]}`, row);
      scores[place] = y[row]!;
      return place;
    });
    const missing = scores.findIndex(Number.isNaN);
    if (missing >= 0) throw table.fault(`there is no ${sequenceAt(missing)}`);

    const cut = quantile(y, VISIBLE_SHARE);
    const rows = Uint32Array.from(y.keys()).filter((row) => y[row]! <= cut);
    const { min: worst, max: best } = extent(y);
    return {
      data: {
        x: Float64Array.from({ length: rows.length * LENGTH }, (_, at) =>
          letterAt(places[rows[Math.floor(at / LENGTH)]!]!, at % LENGTH),
        ),
        y: Float64Array.from(rows, (row) => y[row]!),
      },
      space,
      async score(x) {
        const n = requireDesigns(space, x);
        return Float64Array.from({ length: n }, (_, i) => {
          let place = 0;
          for (let j = 0; j < LENGTH; j++) place = place * nucleotides.length + x[i * LENGTH + j]!;
          return scores[place]!;
        });
      },
      range: { worst, best },
    };
  },
};

/** A sequence as a number to base 4, its first letter leading. */
function placeOf(sequence: string): number | undefined {
  if (sequence.length !== LENGTH) return undefined;
  let place = 0;
  for (const letter of sequence) {
    const number = nucleotides.indexOf(letter);
    if (number < 0) return undefined;
    place = place * nucleotides.length + number;
  }
  return place;
}

function letterAt(place: number, j: number): number {
  return (place >> (2 * (LENGTH - 1 - j))) & 3; // two bits per letter
}

function sequenceAt(place: number): string {
  return Array.from({ length: LENGTH }, (_, j) => nucleotides[letterAt(place, j)]).join('');
}
