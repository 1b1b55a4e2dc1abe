// Whole sheets of strangers: from the bytes to columns, roles, types, steps, recipe, limits and rows, as a person would
// read them.
import { describe, expect, it } from 'vitest';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { readTable } from '../../src/table/readTable.js';
import { cellAt } from '../../src/table/table.js';
import { type SheetCell, utf8, workbook } from '../table/reading.js';
import { on, readingOfTable, shares } from './roleTables.js';

interface WholeSheet {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly goals: readonly string[];
  /** What `check` says of the columns, in words. */
  readonly reading: readonly string[];
  readonly rows: number;
  readonly first: readonly (number | string | null)[];
  readonly last: readonly (number | string | null)[];
  /** Parts of what the reader says, one per note. */
  readonly notes: readonly string[];
}

const comma = (value: number, digits: number) => value.toFixed(digits).replace('.', ',');
const point = (value: number, digits: number) => value.toFixed(digits);

function rowsOf(count: number, seed: number, make: (i: number, s: Stream) => SheetCell[]): SheetCell[][] {
  const stream = new Stream(rootKey(seed));
  return Array.from({ length: count }, (_, i) => make(i, stream));
}

const text = (delimiter: string, lines: readonly (readonly SheetCell[] | string)[]) =>
  utf8(`${lines.map((line) => (typeof line === 'string' ? line : line.join(delimiter))).join('\n')}\n`);

const sheets: readonly WholeSheet[] = [
  {
    name: 'German: title, units in names, n.d., "< 0,5", "~", mean at the end',
    bytes: text(';', [
      'Versuchsreihe Kupplung;;;;;;',
      ';;;;;;',
      'Lfd. Nr.;Datum;Temperatur [°C];Zeit [h];Ausbeute [%];Bearbeiter;Bemerkung',
      ...rowsOf(24, 1, (i, s) => [
        ...[i + 1, `${String((i % 28) + 1).padStart(2, '0')}.03.2026`],
        ...[on(s, 40, 90, 5), comma(on(s, 1, 6, 0.5), 1)],
        i === 3 ? 'n.d.' : i === 5 ? '< 0,5' : i === 8 ? '~41,5' : comma(30 + 40 * s.uniform(), 1),
        ...[['Krüger', 'Böhm'][i % 2]!, i % 6 === 2 ? 'leicht gelb' : ''],
      ]),
      'Mittelwert;;;;51,2;;',
    ]),
    goals: ['max "Ausbeute [%]"'],
    reading: [
      'Lfd. Nr.: identifier left out',
      'Datum: date left out',
      'Temperatur [°C]: integer step 5',
      'Zeit [h]: number step 0.5',
      'Ausbeute [%]: number goal',
      'Bearbeiter: category context (context)',
      'Bemerkung: constant left out',
      'Ausbeute [%] in 0..100',
    ],
    rows: 24,
    first: [1, '01.03.2026', 70, 1.5, 52.7, 'Krüger', null],
    last: [24, '24.03.2026', 85, 3, 59.4, 'Böhm', null],
    notes: [
      'Line 1 above the table is left out ("Versuchsreihe Kupplung")',
      'Left out below the table, as no experiments: line 28 ("Mittelwert")',
      'Numbers have a decimal comma: 1,5 is one and a half.',
      'Column "Ausbeute [%]": "n.d." (line 7) is read as missing',
      'Column "Ausbeute [%]": "~41,5" (line 12) is read as the number; that it is approximate is not used.',
    ],
  },
  {
    name: 'German: a recipe in percent with "1.234,5" and a line of units',
    bytes: text(';', [
      'Wasser;Zucker;Säure;Temperatur;Viskosität;Kosten',
      '%;%;%;°C;mPas;€',
      ...rowsOf(22, 2, (_, s) => {
        const p = shares(s, 3, 100, 1);
        return [
          ...p.map((part) => comma(part, 1)),
          on(s, 20, 80, 10),
          `1.${String(100 + s.integer(899))},${s.integer(10)}`,
          comma(2 + s.uniform(), 2),
        ];
      }),
    ]),
    goals: ['min Viskosität'],
    reading: [
      'Wasser: number step 0.1',
      'Zucker: number step 0.1',
      'Säure: number step 0.1',
      'Temperatur: integer step 10',
      'Viskosität: number goal',
      'Kosten: number left out (outcome)',
      'Wasser + Zucker + Säure = 100',
      'Viskosität in 0..',
    ],
    rows: 22,
    first: [34.1, 16.1, 49.8, 80, 1352.9, 2.71],
    last: [43.7, 22.5, 33.7, 30, 1119.1, 2.02],
    notes: [
      'Line 2 holds units and is not read as data',
      'Numbers have a decimal comma: 1,5 is one and a half.',
    ],
  },
  {
    name: 'French: decimal commas, an operator, a remark, a total',
    bytes: text(';', [
      'essai;température (°C);durée (h);catalyseur;opérateur;rendement (%);remarque',
      ...rowsOf(20, 3, (i, s) => [
        ...[i + 1, on(s, 50, 90, 10), comma(on(s, 0.5, 4, 0.25), 2), ['Pd', 'Ni', 'Cu'][s.integer(3)]!],
        ...[['Anne', 'Luc'][i % 2]!, i === 7 ? 'non mesuré' : comma(40 + 50 * s.uniform(), 1)],
        i === 4 ? 'couleur foncée' : '',
      ]),
      'Moyenne;;;;;66,1;',
    ]),
    goals: ['max "rendement (%)"'],
    reading: [
      'essai: identifier left out',
      'température (°C): integer step 10',
      'durée (h): number step 0.25',
      'catalyseur: category',
      'opérateur: category context (context)',
      'rendement (%): number goal',
      'remarque: constant left out',
      'rendement (%) in 0..100',
    ],
    rows: 20,
    first: [1, 80, 2.5, 'Pd', 'Anne', 50.2, null],
    last: [20, 70, 1.5, 'Ni', 'Luc', 84, null],
    notes: [
      'Left out below the table, as no experiments: line 22 ("Moyenne")',
      'Numbers have a decimal comma: 1,5 is one and a half.',
      'Column "rendement (%)": "non mesuré" (line 9) is read as missing',
    ],
  },
  {
    name: 'Spanish: a line of units, a batch, an outcome beside the goal',
    bytes: text(';', [
      'muestra;temperatura;tiempo;lote;pureza;rendimiento;observaciones',
      ';°C;min;;%;%;',
      ...rowsOf(21, 4, (i, s) => [
        ...[`M-${100 + i}`, on(s, 30, 70, 5), on(s, 10, 60, 10), ['L1', 'L2', 'L3'][i % 3]!],
        ...[comma(90 + 9 * s.uniform(), 1), comma(50 + 40 * s.uniform(), 1), i % 9 === 0 ? 'turbio' : ''],
      ]),
    ]),
    goals: ['max rendimiento'],
    reading: [
      'muestra: identifier left out',
      'temperatura: integer step 5',
      'tiempo: integer step 10',
      'lote: category context (context)',
      'pureza: number left out (outcome)',
      'rendimiento: number goal',
      'observaciones: constant left out',
      'rendimiento in 0..100',
    ],
    rows: 21,
    first: ['M-100', 60, 30, 'L1', 95.5, 50.8, 'turbio'],
    last: ['M-120', 30, 50, 'L3', 92.1, 58, null],
    notes: [
      'Line 2 holds units and is not read as data',
      'Numbers have a decimal comma: 1,5 is one and a half.',
    ],
  },
  {
    name: 'English: comments above, percent signs, "12 ± 2", a footnote',
    bytes: text(',', [
      '# plate reader 4, exported by hand',
      '# do not distribute',
      'run,conc (mM),pH,dilution,response',
      ...rowsOf(18, 5, (i, s) => [
        ...[i + 1, point(on(s, 0.5, 5, 0.5), 1), point(on(s, 5, 8, 0.2), 1), `${on(s, 10, 90, 10)}%`],
        `${point(10 + 40 * s.uniform(), 1)} ± ${1 + s.integer(3)}`,
      ]),
      '',
      '* mean of three wells',
    ]),
    goals: ['max response'],
    reading: [
      'run: identifier left out',
      'conc (mM): number step 0.5',
      'pH: number step 0.2',
      'dilution: integer step 10',
      'response: number goal',
    ],
    rows: 18,
    first: [1, 2.5, 6.6, 30, 37.4],
    last: [18, 2.5, 6, 50, 44.4],
    notes: [
      '2 comment lines before the header skipped.',
      'Left out below the table, as no rows of the table: line 23 ("* mean of three wells")',
      'Column "dilution" is in percent: 12% is read as 12.',
      'Column "response": 18 cells such as "37.4 ± 1" (line 4) are read as the value; the spreads of 1 to 3 are not used.',
    ],
  },
  {
    name: 'a workbook with merged group names, names merged over two rows, and merged group cells',
    bytes: workbook(
      {
        Reihe: [
          ['Messreihe 4', null, null, null, null],
          ['Katalysator', 'Reaktion', null, 'Produkt', null],
          [null, 'Temperatur', 'Zeit', 'Ausbeute', 'Reinheit'],
          ...rowsOf(18, 6, (i, s) => [
            i % 3 === 0 ? ['A', 'B', 'C'][(i / 3) % 3]! : null,
            ...[on(s, 40, 90, 5), on(s, 1, 6, 0.5)],
            ...[Number((40 + 50 * s.uniform()).toFixed(1)), Number((90 + 9 * s.uniform()).toFixed(1))],
          ]),
        ],
      },
      {
        Reihe: [
          ...['A1:E1', 'A2:A3', 'B2:C2', 'D2:E2'],
          ...Array.from({ length: 6 }, (_, i) => `A${4 + 3 * i}:A${6 + 3 * i}`),
        ],
      },
    ),
    goals: ['max "Produkt Ausbeute"'],
    reading: [
      'Katalysator: category',
      'Reaktion Temperatur: integer step 5',
      'Reaktion Zeit: number step 0.5',
      'Produkt Ausbeute: number goal',
      'Produkt Reinheit: number left out (outcome)',
      'Produkt Ausbeute in 0..100',
    ],
    rows: 18,
    first: ['A', 60, 2, 46.4, 95.9],
    last: ['C', 90, 2.5, 87.2, 98.5],
    notes: [
      'Line 1 above the table is left out ("Messreihe 4")',
      'The header has two lines, 2 and 3, which are joined as in "Reaktion Temperatur"',
      'Merged cells of column "Katalysator" count for each of their rows.',
    ],
  },
  {
    name: 'a workbook with a group beside a column without one',
    bytes: workbook(
      {
        Data: [
          ['settings', null, null, 'found', null],
          ['temp', 'time', 'line', 'yield', 'colour'],
          ...rowsOf(12, 7, (i, s) => [
            ...[on(s, 20, 60, 10), on(s, 1, 5, 1), 'AB'[i % 2]!],
            ...[Number((50 + 30 * s.uniform()).toFixed(1)), ['pale', 'dark'][s.integer(2)]!],
          ]),
        ],
        Notes: [['nothing here']],
      },
      { Data: ['A1:B1', 'D1:E1'] },
    ),
    goals: ['max "found yield"'],
    reading: [
      'settings temp: integer step 10',
      'settings time: integer step 1',
      'line: category',
      'found yield: number goal',
      'found colour: category left out (outcome)',
      'found yield in 0..100',
    ],
    rows: 12,
    first: [50, 3, 'A', 56.7, 'pale'],
    last: [40, 2, 'B', 73.7, 'dark'],
    notes: [
      'Read from sheet "Data", the first that holds a table',
      'The header has two lines, 1 and 2, which are joined as in "settings temp"',
    ],
  },
  {
    name: 'numbers without a header, an id in front',
    bytes: text(
      ',',
      rowsOf(15, 8, (i, s) => [
        i + 1,
        on(s, 20, 60, 10),
        point(on(s, 0.1, 0.9, 0.1), 1),
        point(9 * s.uniform(), 2),
      ]),
    ),
    goals: ['max c4'],
    reading: ['c1: identifier left out', 'c2: integer step 10', 'c3: number step 0.1', 'c4: number goal'],
    rows: 15,
    first: [1, 20, 0.1, 4.98],
    last: [15, 40, 0.4, 7.48],
    notes: ['There is no header: line 1 is read as data, and the columns are called c1 to c4'],
  },
  {
    name: 'tabs, a time stamp, a machine, a sum of three parts',
    bytes: text('\t', [
      'timestamp\tmachine\tA (wt%)\tB (wt%)\tC (wt%)\tspeed (rpm)\tstrength (MPa)',
      ...rowsOf(25, 9, (i, s) => {
        const p = shares(s, 3, 100, 0);
        return [
          ...[`2026-02-${String((i % 27) + 1).padStart(2, '0')} 08:${10 + i}`, ['M1', 'M2'][i % 2]!],
          ...[...p, on(s, 200, 800, 50), point(20 + 30 * s.uniform(), 1)],
        ];
      }),
      'Total\t\t\t\t\t\t',
    ]),
    goals: ['max "strength (MPa)"'],
    reading: [
      'timestamp: date left out',
      'machine: category context (context)',
      'A (wt%): integer step 1',
      'B (wt%): integer step 1',
      'C (wt%): integer step 1',
      'speed (rpm): integer step 50',
      'strength (MPa): number goal',
      'A (wt%) + B (wt%) + C (wt%) = 100',
      'strength (MPa) in 0..',
    ],
    rows: 25,
    first: ['2026-02-01 08:10', 'M1', 47, 8, 45, 200, 43.3],
    last: ['2026-02-25 08:34', 'M1', 24, 33, 43, 300, 48.5],
    notes: ['Left out below the table, as no experiments: line 27 ("Total")'],
  },
  {
    name: 'Swiss: apostrophes between thousands, CHF, a censored goal',
    bytes: text(';', [
      'Druck [bar];Menge [g];Preis;Keimzahl',
      ...rowsOf(16, 10, (i, s) => [
        on(s, 2, 10, 2),
        on(s, 100, 500, 50),
        `CHF ${(10 + 5 * s.uniform()).toFixed(2)}`,
        i % 5 === 0 ? '<100' : `1'${String(100 + s.integer(899))}`,
      ]),
    ]),
    goals: ['min Keimzahl'],
    reading: [
      'Druck [bar]: integer step 2',
      'Menge [g]: integer step 50',
      'Preis: number left out (outcome)',
      'Keimzahl: integer goal',
      'Keimzahl in 0..',
    ],
    rows: 16,
    first: [8, 100, 14.56, 100],
    last: [10, 400, 14.92, 100],
    notes: [],
  },
];

describe('a whole sheet is read as a person would read it', () => {
  it.each(sheets.map((sheet) => [sheet.name, sheet] as const))('%s', async (_, sheet) => {
    const table = await readTable(sheet.bytes, { name: 'past' });
    const row = (i: number) => table.columns.map((column) => cellAt(column, i));
    const notes = table.notes.filter((note) => !note.startsWith('Cells are separated by'));
    expect({
      reading: await readingOfTable(table, { goals: sheet.goals }),
      rows: table.rows,
      first: row(0),
      last: row(table.rows - 1),
      notes: notes.map((note, i) => (note.includes(sheet.notes[i] ?? '\0') ? sheet.notes[i] : note)),
    }).toEqual({
      reading: sheet.reading,
      rows: sheet.rows,
      first: sheet.first,
      last: sheet.last,
      notes: sheet.notes,
    });
  });
});
