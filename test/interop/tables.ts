// Tables with every kind of column that the model file describes, and rows to score.
import { rootKey, Stream } from '../../src/numeric/index.js';

/** Numbers, one over five decades; levels that look like formulas; empty cells of both kinds; a mixture of three. */
export function mixedTable(rows: number): string {
  const stream = new Stream(rootKey(5));
  const pick = (texts: readonly string[]) => texts[stream.integer(texts.length)]!;
  const lines = Array.from({ length: rows }, () => {
    const temp = 20 + 60 * stream.uniform();
    const dose = 10 ** (5 * stream.uniform() - 3);
    const metal = pick(['Pd', 'Ni', '=Cu']);
    const a = Math.round(50 * stream.uniform());
    const b = Math.round(50 * stream.uniform());
    const ph = stream.uniform() < 0.15 ? '' : (3 + 6 * stream.uniform()).toFixed(2);
    const lot = stream.uniform() < 0.1 ? '' : pick(['x', 'y']);
    const y =
      10 -
      ((temp - 55) / 15) ** 2 +
      Math.log10(dose) +
      a / 25 +
      (metal === 'Ni' ? 1 : 0) +
      0.3 * stream.uniform();
    const mixture = [a, b, 100 - a - b].map((part) => (part / 100).toFixed(2));
    return [temp.toFixed(1), dose.toPrecision(4), metal, ...mixture, ph, lot, y.toFixed(3)].join();
  });
  return `temp,dose,metal,a,b,c,ph,lot,yield\n${lines.join('\n')}\n`;
}

/** Sequences, a yes or no, whole numbers; two goals, of which one has values below what could be measured. */
export function sequenceTable(rows: number): string {
  const stream = new Stream(rootKey(6));
  const lines = Array.from({ length: rows }, () => {
    const temp = 20 + 60 * stream.uniform();
    const letters = Array.from({ length: 6 }, () => 'ACGT'[stream.integer(4)]!);
    const isOpen = stream.uniform() < 0.5;
    const n = 1 + stream.integer(9);
    const y =
      10 - ((temp - 55) / 15) ** 2 + letters.filter((l) => l === 'A').length + n / 3 + stream.uniform();
    const cost = 5 + n + (isOpen ? 2 : 0) + temp / 20;
    return [
      temp.toFixed(1),
      letters.join(''),
      isOpen ? 'yes' : 'no',
      n,
      y < 4 ? '<4' : y.toFixed(3),
      cost.toFixed(3),
    ].join();
  });
  return `temp,sequence,open,n,yield,cost\n${lines.join('\n')}\n`;
}

/** The header and the first rows. */
export function firstRows(csv: string, count: number): string {
  return `${csv.split('\n', count + 1).join('\n')}\n`;
}
