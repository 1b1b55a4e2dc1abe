// The transcripts of docs/examples: node scripts/transcripts.mjs [german|catalogue]
// Two tables that nobody measured, made here by formulas with noise, go through `check`, `design`, a second round with
// "measured" values from the same formulas, and `reproduce`. Every line below a command is what it printed. Seed 0.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rootKey, Stream } from '../dist/numeric/index.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const command = join(root, 'dist/cli/main.js');

/** @param {string} message @returns {never} */
function stop(message) {
  process.stderr.write(`transcripts: ${message}\n`);
  process.exit(1);
}

/** @param {string} word */
const quoted = (word) => (/^[\w./:+=-]+$/.test(word) ? word : word.includes('"') ? `'${word}'` : `"${word}"`);

/** What a terminal without colours shows of a command. @param {string} folder @param {string[]} words */
function nemokit(folder, words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  // 3: the data do not support the question, which is an answer too
  if (status !== 0 && status !== 3)
    stop(`nemokit ${words.join(' ')} ended with ${status}\n${stdout}${stderr}`);
  const clean = stdout
    .trimEnd()
    .replace(/^\n+/, '')
    .split('\n')
    .map((line) => line.trimEnd());
  return ['```console', `$ nemokit ${words.map(quoted).join(' ')}`, '', ...clean, '```', ''].join('\n');
}

/** Lines of a file of the example. @param {string} text @param {number} [most] */
function listing(text, most = 40) {
  const lines = text.trimEnd().split('\n');
  const more = lines.length > most ? ['...'] : [];
  return ['```text', ...lines.slice(0, most), ...more, '```', ''].join('\n');
}

/** Cells of a line without quotes around them; the tables here have no delimiter inside a cell. @param {string} line */
const cellsOf = (line, delimiter = ';') =>
  line.split(delimiter).map((cell) => cell.replace(/^"(.*)"$/, '$1').replaceAll('""', '"'));

/**
 * `candidates.csv` with measured values written into the column of the goal, as somebody at the bench would.
 * @param {string} text @param {string} delimiter @param {string} goal @param {(row: Map<string, string>) => string} measure
 */
function filledIn(text, delimiter, goal, measure) {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const names = cellsOf(head, delimiter);
  const at = names.indexOf(goal);
  const rows = lines.map((line) => {
    const cells = line.split(delimiter);
    cells[at] = measure(new Map(names.map((name, j) => [name, cellsOf(line, delimiter)[j] ?? ''])));
    return cells.join(delimiter);
  });
  return `${[head, ...rows].join('\n')}\n`;
}

/** @param {number} value @param {number} [digits] */
const comma = (value, digits = 1) => value.toFixed(digits).replace('.', ',');

/** Yield of a made-up coupling; its maximum, about 95, lies at 84 °C, 3.4 h and 2.6 mol% of catalyst B. */
function germanTruth(temp = 0, hours = 0, mol = 0, catalyst = '', water = 0) {
  const base = { A: 74, B: 95, C: 60 }[catalyst] ?? 0;
  const x = (temp - 84) / 22;
  const t = (hours - 3.4) / 2.4;
  const m = (mol - 2.6) / 1.7;
  return base * Math.exp(-0.5 * (x * x + 0.7 * t * t + 0.8 * m * m + 0.3 * x * t)) - 0.04 * water;
}

function german(folder = '') {
  const stream = new Stream(rootKey(21));
  const noise = () => 1.2 * stream.normal();
  /** @type {{ temp: number, hours: number, mol: number, catalyst: string, water: number, value: number }[]} */
  const rows = [];
  for (let i = 0; i < 44; i++) {
    const repeated = i === 20 || i === 33 ? rows[i - 6] : undefined;
    const temp = repeated?.temp ?? 40 + 5 * stream.integer(12);
    const hours = repeated?.hours ?? 1 + 0.5 * stream.integer(11);
    const mol = repeated?.mol ?? 0.5 + 0.25 * stream.integer(16);
    const catalyst = repeated?.catalyst ?? ['A', 'B', 'C'][stream.integer(3)] ?? 'A';
    const water = repeated?.water ?? 20 + 10 * stream.integer(9);
    const value = Math.max(0, Math.min(99.5, germanTruth(temp, hours, mol, catalyst, water) + noise()));
    rows.push({ temp, hours, mol, catalyst, water, value });
  }
  const people = ['Krüger', 'Yildiz', 'Krüger', 'Böhm'];
  const remarks = ['', '', 'leicht gelb', '', 'Rührer kurz aus', '', ''];
  const lines = [
    'Suzuki-Kupplung, Laborbuch 7;;;;;;;;',
    'Stand: 12.03.2026;;;;;;;;',
    ';;;;;;;;',
    'Lfd. Nr.;Datum;Temperatur [°C];Zeit [h];Kat. (mol%);Katalysator;Wasser (ppm);Ausbeute [%];Bearbeiter;Bemerkung',
    ...rows.map(({ temp, hours, mol, catalyst, water, value }, i) => {
      const day = `${String(3 + Math.floor(i / 2)).padStart(2, '0')}.${i < 40 ? '02' : '03'}.2026`;
      const seen =
        i === 11 || i === 29 ? 'n.d.' : value < 2 ? '< 2' : i === 17 ? `~${comma(value)}` : comma(value);
      return [
        ...[i + 1, day, temp, comma(hours), comma(mol, 2), catalyst, water, seen],
        ...[people[i % 4], remarks[i % 7]],
      ].join(';');
    }),
    `Mittelwert;;;;;;;${comma(rows.reduce((sum, { value }) => sum + value, 0) / rows.length)};;`,
  ];
  // as Excel saves it in Germany
  writeFileSync(join(folder, 'versuche.csv'), Buffer.from(`${lines.join('\n')}\n`, 'latin1'));
  return lines;
}

function germanTranscript(folder = '') {
  const lines = german(folder);
  const goal = 'max "Ausbeute [%]"';
  const parts = [
    '# A German spreadsheet, from `check` to the second round\n',
    'The table is made up: `node scripts/transcripts.mjs german` computes the yields by a formula and adds noise of 1.2',
    '(standard deviation). Its best settings, about 95 %, lie near 84 °C, 3.4 h and 2.6 mol% of catalyst B; no row has them.',
    'It is written as people write tables: a title, a date, an empty line, Latin-1, semicolons and decimal commas, units',
    'in the names, `n.d.`, `< 2`, `~`, a column of remarks and a mean at the end.\n',
    listing(lines.slice(0, 12).join('\n')),
    '## Look first\n',
    nemokit(folder, ['check', 'versuche.csv', '--goal', goal]),
    '## First round\n',
    nemokit(folder, [
      'design',
      'versuche.csv',
      '--goal',
      goal,
      '--batch',
      '6',
      '--seed',
      '0',
      '--out',
      'runs/runde-1',
    ]),
    'The file to fill in has the semicolons, decimal commas and digits of the table:\n',
  ];
  const proposed = readFileSync(join(folder, 'runs/runde-1/candidates.csv'), 'utf8');
  parts.push(listing(proposed));
  const stream = new Stream(rootKey(22));
  /** @param {Map<string, string>} row @param {string} name */
  const number = (row, name) => Number((row.get(name) ?? '').replace(',', '.'));
  const measured = filledIn(proposed, ';', 'Ausbeute [%]', (row) =>
    comma(
      germanTruth(
        number(row, 'Temperatur [°C]'),
        number(row, 'Zeit [h]'),
        number(row, 'Kat. (mol%)'),
        row.get('Katalysator'),
        number(row, 'Wasser (ppm)'),
      ) +
        1.2 * stream.normal(),
    ),
  );
  writeFileSync(join(folder, 'gemessen-1.csv'), measured);
  parts.push(
    '## Second round\n',
    'The yields are measured (here: computed by the formula, with noise) and written into the empty column. The file is saved as `gemessen-1.csv`:\n',
    listing(measured),
    nemokit(folder, [
      ...['design', 'versuche.csv', '--add', 'gemessen-1.csv', '--goal', goal],
      ...['--batch', '6', '--seed', '0', '--out', 'runs/runde-2'],
    ]),
    '## The same again\n',
    nemokit(folder, ['reproduce', 'runs/runde-2', '--quiet']),
  );
  keep(folder, 'german', parts, ['versuche.csv', 'gemessen-1.csv'], 'runs/runde-2/report.html');
}

/** Fragments of made-up esters and amides: R-C(=O)-X-R'. */
const acids = [
  'CCCC',
  'C1CC1',
  'c1ccc(C)cc1',
  'c1cccc(Cl)c1',
  'C',
  'CC',
  'CCC',
  'CC(C)',
  'c1ccccc1',
  'c1ccc(Cl)cc1',
  'c1ccc(OC)cc1',
  'c1ccncc1',
  'C1CCCCC1',
  'c1ccc(F)cc1',
];
const links = ['O', 'N'];
const ends = ['CCC', 'CCF', 'C', 'CC', 'CCO', 'CC(C)C', 'c1ccccc1', 'Cc1ccccc1', 'CCN(C)C', 'C1CCCC1'];

/** Made-up activity of such a molecule, from its parts. @param {string} smiles */
function activity(smiles) {
  const aromatic = (smiles.match(/c1/g) ?? []).length / 2;
  const score =
    3.2 +
    0.9 * aromatic +
    (smiles.includes('Cl') ? 0.8 : 0) +
    (smiles.includes('ncc') ? 1.1 : 0) +
    (smiles.includes('C(=O)N') ? 0.6 : 0) +
    (smiles.includes('N(C)C') ? 0.9 : 0) -
    0.03 * smiles.length;
  return score;
}

function catalogueTranscript(folder = '') {
  const molecules = acids.flatMap((acid) =>
    links.flatMap((link) => ends.map((end) => `${acid}C(=O)${link}${end}`)),
  );
  const stream = new Stream(rootKey(23));
  const order = stream.permutation(molecules.length);
  const known = Array.from(order.slice(0, 180), (i) => molecules[i] ?? '');
  const offered = Array.from(order.slice(180), (i) => molecules[i] ?? '');
  const past = [
    'smiles,dose_uM,pIC50',
    ...known.map((smiles) => {
      const dose = [1, 5, 10][stream.integer(3)] ?? 1;
      return `${smiles},${dose},${(activity(smiles) + 0.05 * dose + 0.12 * stream.normal()).toFixed(2)}`;
    }),
  ];
  const makers = ['Nordchem', 'Alba Fine', 'Kestrel'];
  const list = [
    'catalogue_no,name,smiles,dose_uM,price_eur',
    ...offered.map((smiles, i) =>
      [
        `K-${String(1040 + 7 * i)}`,
        `${makers[i % 3]} ${100 + i}`,
        smiles,
        [1, 5, 10][stream.integer(3)],
        (12 + 3 * smiles.length + stream.integer(20)).toFixed(2),
      ].join(','),
    ),
  ];
  writeFileSync(join(folder, 'assay.csv'), `${past.join('\n')}\n`);
  writeFileSync(join(folder, 'catalogue.csv'), `${list.join('\n')}\n`);
  const goal = 'max pIC50';
  const common = ['--goal', goal, '--from', 'catalogue.csv'];
  const parts = [
    '# A catalogue of molecules, from `check` to the second round\n',
    'Both tables are made up: `node scripts/transcripts.mjs catalogue` computes the activities by a formula of the molecules',
    'and adds noise of 0.12 (standard deviation). Names, numbers and prices of the catalogue are invented too. 180 molecules',
    `were measured; ${offered.length} others can be bought, and designs are rows of that list only. RDKit is installed.\n`,
    listing(past.slice(0, 6).join('\n')),
    listing(list.slice(0, 6).join('\n')),
    '## Look first\n',
    nemokit(folder, ['check', 'assay.csv', ...common]),
    '## First round\n',
    nemokit(folder, [
      'design',
      'assay.csv',
      ...common,
      '--batch',
      '6',
      '--seed',
      '0',
      '--out',
      'runs/round-1',
    ]),
    'Name, number and price of the catalogue come back with each row:\n',
  ];
  const proposed = readFileSync(join(folder, 'runs/round-1/candidates.csv'), 'utf8');
  parts.push(listing(proposed));
  const noise = new Stream(rootKey(24));
  const measured = filledIn(proposed, ',', 'pIC50', (row) =>
    (activity(row.get('smiles') ?? '') + 0.05 * Number(row.get('dose_uM')) + 0.12 * noise.normal()).toFixed(
      2,
    ),
  );
  writeFileSync(join(folder, 'measured-1.csv'), measured);
  parts.push(
    '## Second round\n',
    'The molecules are bought and measured (here: computed by the formula, with noise). Rows of the list that were measured are not proposed again.\n',
    nemokit(folder, [
      ...['design', 'assay.csv', '--add', 'measured-1.csv', ...common],
      ...['--batch', '6', '--seed', '0', '--out', 'runs/round-2'],
    ]),
    '## The same again\n',
    nemokit(folder, ['reproduce', 'runs/round-2', '--quiet']),
    'The [report](catalogue/report.html) of the second round draws the molecules; download it to open it.\n',
  );
  keep(
    folder,
    'catalogue',
    parts,
    ['assay.csv', 'catalogue.csv', 'measured-1.csv'],
    'runs/round-2/report.html',
  );
}

/** @param {string} folder @param {string} name @param {string[]} parts @param {string[]} files @param {string} report */
function keep(folder, name, parts, files, report) {
  const examples = join(root, 'docs/examples');
  mkdirSync(join(examples, name), { recursive: true });
  writeFileSync(join(examples, `${name}.md`), `${parts.join('\n').trimEnd()}\n`);
  for (const file of files) copyFileSync(join(folder, file), join(examples, name, file));
  copyFileSync(join(folder, report), join(examples, name, 'report.html'));
}

const made = { german: germanTranscript, catalogue: catalogueTranscript };
const [only] = process.argv.slice(2);
if (only !== undefined && !Object.hasOwn(made, only)) stop(`expected one of ${Object.keys(made).join(', ')}`);
for (const [name, make] of Object.entries(made)) {
  if (only !== undefined && only !== name) continue;
  const folder = mkdtempSync(join(tmpdir(), 'nemokit-transcript-'));
  try {
    make(folder);
    process.stdout.write(`docs/examples/${name}.md\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
