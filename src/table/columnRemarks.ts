/** What a column of numbers held besides plain numbers, counted while it is read and told in sentences. */
import type { NumberCell } from './numberCell.js';
import { quoted } from './quoted.js';

type Kind = 'approximate' | 'marked' | 'spread' | 'missing' | 'limit' | 'stray' | 'bare';

interface Remark {
  count: number;
  readonly text: string;
  readonly row: number;
  least: number;
  most: number;
}

/** How to write the name of a column behind an option. */
function argument(text: string): string {
  return /^[\p{L}\p{N}_.-]+$/u.test(text) ? text : `"${text.replaceAll('"', '')}"`;
}

export class ColumnRemarks {
  readonly #remarks = new Map<Kind, Remark>();
  /** Texts that are no numbers, for the option that names them. */
  readonly #strays = new Set<string>();

  add(kind: Kind, text: string, row: number, size = 0): void {
    if (kind === 'stray' && this.#strays.size < 5) this.#strays.add(text);
    const known = this.#remarks.get(kind);
    if (!known) {
      // A copy: a slice of the chunk it was read in would keep the whole chunk in memory.
      this.#remarks.set(kind, { count: 1, text: (' ' + text).slice(1), row, least: size, most: size });
      return;
    }
    known.count++;
    known.least = Math.min(known.least, size);
    known.most = Math.max(known.most, size);
  }

  /** Of a cell that was read as a number. */
  addCell({ isApproximate, isMarked, spread }: NumberCell, text: string, row: number): void {
    if (isApproximate) this.add('approximate', text, row);
    if (isMarked) this.add('marked', text, row);
    if (spread !== undefined) this.add('spread', text, row, spread);
  }

  /** `place` says where a row is: "line 12". */
  sentences(name: string, unit: string | undefined, place: (row: number) => string): string[] {
    return [...this.#remarks].map(([kind, { count, text, row, least, most }]) => {
      const first = `${quoted(text)} (${place(row)})`;
      const cells = count === 1 ? first : `${count} cells such as ${first}`;
      const verb = count === 1 ? 'is' : 'are';
      const start = `Column "${name}": ${cells}`;
      const asText = `--text ${argument(name)} keeps the texts`;
      switch (kind) {
        case 'approximate':
          return `${start} ${verb} read as the number; that ${count === 1 ? 'it is' : 'they are'} approximate is not used.`;
        case 'marked':
          return `${start} ${verb} read without the mark behind the number; ${asText}.`;
        case 'spread':
          return `${start} ${verb} read as the value; the spread${least === most ? ` of ${least}` : `s of ${least} to ${most}`} ${verb} not used.`;
        case 'missing':
          return `${start} ${verb} read as missing; ${asText}.`;
        case 'limit':
          return `${start} ${verb} beyond a limit that is not written, and read as missing; write the limit, as in "<0.5", to have it used.`;
        case 'stray':
          return `${start} ${verb} no number and read as missing; --missing ${argument([...this.#strays].join(','))} says the same, ${asText}.`;
        case 'bare':
          return `${start} ${verb} without a unit; ${unit} is assumed, as in the other cells; ${asText}.`;
      }
    });
  }

  /** `--missing failed`, for a column that stays text. */
  static missingOption(texts: readonly string[]): string {
    return `--missing ${argument(texts.join(','))}`;
  }

  static textOption(name: string): string {
    return `--text ${argument(name)}`;
  }
}
