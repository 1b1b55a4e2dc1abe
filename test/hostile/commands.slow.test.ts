// Three thousand hostile inputs, seeded, through the commands in this process: tables, problem files and options. Each
// ends in a documented exit code with one message, within ten seconds of the processor, without a stack, a NaN or a
// half-written file.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/exitCodes.js';
import { foldKey, rootKey, Stream } from '../../src/numeric/index.js';
import { type Called, called } from '../cli/called.js';
import { secondsSince } from '../processorTime.js';

const folder = mkdtempSync(join(tmpdir(), 'nemokit-hostile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Design is only asked of what ends before a run begins; runs themselves are tested elsewhere. */
const documented = new Set<number>(Object.values(exitCodes));
const SECONDS = 10;

const pick = <T>(stream: Stream, items: readonly T[]): T => items[stream.integer(items.length)]!;

/** Numbers as hostile people, instruments and spreadsheets write them. */
const oddCells = [
  '1e400',
  '-1e400',
  '1e308',
  '-1.7e308',
  '1e300',
  '1e-320',
  '5e-324',
  '1e15',
  '9007199254740993',
  '-0',
  '0x1F',
  'Infinity',
  '-inf',
  '∞',
  'NaN',
  'nan',
  '#DIV/0!',
  '#REF!',
  '',
  ' ',
  '\u00a0',
  '-',
  '?',
  'n.d.',
  '<0.5',
  '>1e300',
  '≤3',
  '1,5',
  '1.234,5',
  "1'000",
  '1 000',
  '12 ± 2',
  '12 (3)',
  '50%',
  '3 mg',
  '~7',
  '1e',
  'e5',
  '--1',
  '+-2',
  '1e+',
  '..',
  '1..2',
  'true',
  'false',
  '2024-02-30',
  '1/0',
  '٣',
  '１２',
  '½',
  '\u202e1',
  '\u0000',
  '\u001b[31mred',
  '"',
  '""',
  'a"b',
  "'",
  '=1+1',
  '@x',
  '💥',
  'é'.repeat(50),
  'x'.repeat(2000),
  '__proto__',
  'constructor',
  '1_000',
  '1e1_0',
  'null',
  'undefined',
] as const;
const oddNames = [
  '',
  ' ',
  'a',
  'A',
  'a ',
  '__proto__',
  'constructor',
  'toString',
  'yield',
  'Yield (%)',
  'a,b',
  'a"b',
  '1',
  '-1',
  '=x',
  'x'.repeat(300),
  'µ',
  '\u200b',
  'max',
  'if',
  'step',
  'at most',
  '💥',
  '\u001b[2J',
  'a\tb',
  'mean',
  'id',
  'note',
  'date',
  'a (missing)',
  '[1]',
  '..',
  'none',
] as const;
const oddNumbers = [
  '0',
  '-1',
  '1e300',
  '1e400',
  '-1e308',
  '5e-324',
  '1e99',
  '3',
  '0.1',
  '1e15',
  'NaN',
  'Infinity',
  '',
  '٣',
  '1e5',
] as const;

function hostileTable(stream: Stream): string {
  const columns = 1 + stream.integer(6);
  const rows = stream.integer(24);
  const delimiter = pick(stream, [',', ',', ',', ';', '\t', '|', ' ']);
  const newline = pick(stream, ['\n', '\n', '\r\n', '\r']);
  const rate = pick(stream, [0, 0.02, 0.2, 1]);
  const names = Array.from({ length: columns }, (_, j) =>
    stream.boolean(0.3) ? pick(stream, oddNames) : j === columns - 1 ? 'y' : `x${j}`,
  );
  const offset = pick(stream, [0, 0, 0, 1e15, 1e300, -1e9]);
  const size = pick(stream, [1, 1, 1, 1e-310, 1e99, 1e-99]);
  const lines = Array.from({ length: rows }, () => {
    const width = stream.boolean(0.03) ? stream.integer(9) : columns;
    return Array.from({ length: width }, () =>
      stream.boolean(rate)
        ? pick(stream, oddCells)
        : String(offset + size * Math.round(1e3 * stream.uniform())),
    ).join(delimiter);
  });
  let text = [names.join(delimiter), ...lines].join(newline);
  if (stream.boolean(0.1)) text = text.slice(0, stream.integer(text.length + 1));
  if (stream.boolean(0.05)) text = `\ufeff${text}`;
  if (stream.boolean(0.05)) text = `# remark${newline}${text}`;
  return text;
}

/** A table that is fine, for what is said about it. */
const fine = join(folder, 'fine.csv');
{
  const stream = new Stream(rootKey(1));
  const lines = Array.from({ length: 30 }, (_, i) => {
    const [a, b, c] = [stream.uniform(), stream.uniform(), stream.uniform()];
    return [a.toFixed(3), b.toFixed(3), 'ABC'[i % 3], (a + b * c).toFixed(3)].join();
  });
  writeFileSync(fine, ['a,b,kind,y', ...lines].join('\n'));
}

const columnsOf = ['a', 'b', 'kind', 'y', 'z', '"a"', '', '__proto__'] as const;

function hostileFlag(stream: Stream): string[] {
  const column = pick(stream, columnsOf);
  const other = pick(stream, columnsOf);
  const [n, m] = [pick(stream, oddNumbers), pick(stream, oddNumbers)];
  const verb = pick(stream, ['max', 'min', 'target', 'keep', 'maximise', 'MAX', '']);
  return pick(stream, [
    () => ['--goal', `${verb} ${column}`],
    () => ['--goal', `target ${column} ${n}`],
    () => ['--goal', `keep ${column} in ${n}..${m}`],
    () => ['--goal', `max ${column} over ${n}..${m} weight ${n}`],
    () => ['--bounds', `${column}=${n}..${m}`],
    () => ['--bounds', `${column}=${n}..${m} step ${n}`],
    () => ['--fix', `${column}=${n}`],
    () => ['--constraint', `${n}*${column} + ${other} <= ${m}`],
    () => ['--constraint', `${column}/${other} >= ${n}`],
    () => ['--constraint', `${column}^${n} = ${m}`],
    () => ['--constraint', `if kind = A then ${column} <= ${n}`],
    () => ['--constraint', '('.repeat(stream.integer(5000)) + column],
    () => ['--at-most', `${n} of ${column},${other}`],
    () => ['--at-least', `${n} of a,b`],
    () => ['--mixture', `${column},${other}=${n}`],
    () => ['--limits', `${column}=${n}..${m}`],
    () => [
      '--type',
      `${column}=${pick(stream, ['number', 'integer', 'category', 'date', 'sequence', 'smiles', 'x'])}`,
    ],
    () => ['--log', column],
    () => ['--ignore', `${column},${other}`],
    () => ['--context', column],
    () => ['--skip', n],
    () => ['--end', m],
    () => ['--delimiter', pick(stream, [',', ';', 'xx', '', '\n', '"'])],
    () => ['--decimal', pick(stream, ['.', ',', 'x', ''])],
    () => ['--encoding', pick(stream, ['utf-8', 'utf-16le', 'latin1', 'ebcdic'])],
    () => ['--missing', pick(stream, oddCells)],
    () => ['--names', `${column},${other}`],
    () => ['--from', pick(stream, [fine, folder, join(folder, 'nothing.csv')])],
    () => [`--${pick(stream, ['gaol', 'help ', '', 'batch'])}`, n],
  ])();
}

/** Options of a run that are wrong: checked before a folder exists. */
function wrongRun(stream: Stream): string[] {
  const n = pick(stream, ['0', '-1', '1e300', '10001', '100000', 'NaN', '', '1.5', '٣', '9007199254740993']);
  return pick(stream, [
    ['--batch', n],
    ['--seed', pick(stream, ['-1', '1.5', 'NaN', '', '1e300'])],
    ['--method', pick(stream, ['nmo', '', '__proto__', 'constructor'])],
    ['--effort', pick(stream, ['quick', '', '__proto__'])],
    ['--time', pick(stream, ['0', '-1s', 'x', '', '5d'])],
    [
      '--set',
      pick(stream, [
        'steps=0',
        'steps=-1',
        'steps=1e400',
        'bins=x',
        'x=1',
        '__proto__=1',
        'hidden=',
        'hidden=0',
        'hidden=1e12',
        'batchSize=1e12',
        'box=0.7',
        'steps',
        '=',
        '',
      ]),
    ],
  ]);
}

const yamlValues = [
  '~',
  'true',
  '[]',
  '{}',
  '"x"',
  '1e400',
  '.inf',
  '.nan',
  '-1',
  '[1, 2, 3]',
  '[[1]]',
  '"\\u0000"',
  '!!binary aGk=',
  '*x',
  '&x [*x]',
  '2024-01-01',
  '[1e300, 1e301]',
  '{a: {b: c}}',
  '|\n  text',
  '"/nowhere/x.csv"',
  '"../../x.csv"',
  fine,
  '100000',
  '10001',
  '0',
] as const;
const yamlKeys = [
  'version',
  'data',
  'goals',
  'columns',
  'mixtures',
  'constraints',
  'limits',
  'batch',
  'seed',
  'effort',
  'method',
  'options',
  'read',
  'choices',
  'assume',
  'allowRepeats',
  'x',
  '__proto__',
] as const;

function hostileFile(stream: Stream): string {
  const lines = ['version: 1', `data: ${fine}`, 'goals: [max y]'];
  for (let i = 0; i <= stream.integer(3); i++) {
    const key = pick(stream, yamlKeys);
    const line = `${key}: ${pick(stream, yamlValues)}`;
    const at = lines.findIndex((known) => known.startsWith(`${key}:`));
    if (at >= 0 && stream.boolean(0.8)) lines[at] = line;
    else lines.push(line);
  }
  let text = `${lines.join('\n')}\n`;
  if (stream.boolean(0.1)) text = text.slice(0, stream.integer(text.length));
  if (stream.boolean(0.05)) text = text.replaceAll(' ', '\t');
  return text;
}

interface Case {
  readonly name: string;
  readonly args: readonly string[];
  readonly text?: readonly [path: string, text: string];
}

function caseOf(i: number): Case {
  const stream = new Stream(foldKey(rootKey(2026), `hostile ${i}`));
  const table = join(folder, `t${i}.csv`);
  const json = stream.boolean(0.2) ? ['--json'] : [];
  switch (i % 4) {
    case 0:
      return { name: 'table', args: ['check', table, ...json], text: [table, hostileTable(stream)] };
    case 1: {
      const flags = Array.from({ length: 1 + stream.integer(3) }, () => hostileFlag(stream)).flat();
      return { name: 'options', args: ['check', fine, ...flags, ...json] };
    }
    case 2: {
      const path = join(folder, `p${i}.yaml`);
      return { name: 'file', args: ['check', path, ...json], text: [path, hostileFile(stream)] };
    }
    default: {
      const goal = stream.boolean(0.9) ? ['--goal', 'max y'] : [];
      const flags = [...goal, ...wrongRun(stream)];
      return { name: 'run', args: ['design', fine, '--out', join(folder, `run${i}`), ...flags] };
    }
  }
}

/** What is wrong with an end; empty if nothing is. */
function faultOf({ name, args }: Case, { code, stdout, stderr }: Called, seconds: number): string {
  const said = stdout + stderr;
  if (!documented.has(code)) return `exit code ${code}`;
  if (code === exitCodes.internal) return `called a bug: ${stderr.slice(0, 300)}`;
  if (seconds > SECONDS) return `took ${seconds.toFixed(0)} s`;
  if (/^\s+at .*(?:\.[jt]s|node:)/m.test(said)) return `a stack: ${said.slice(0, 300)}`;
  if (/\[\d+\] is (?:NaN|-?Infinity)|every value must be finite/.test(said))
    return `internal: ${said.slice(0, 200)}`;
  if (
    /\b(?:undefined|\[object Object\])\b/.test(stderr.replaceAll(/"[^"]*"/g, '')) &&
    !args.some((arg) => arg.includes('undefined'))
  )
    return `unfinished words: ${stderr.slice(0, 200)}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(stderr)) return 'raw control characters';
  if (code !== exitCodes.ok && code !== exitCodes.unsupported && code !== exitCodes.infeasible) {
    const messages = stderr.split('\n').filter((line) => /^(?:nemokit:|error:)/.test(line)).length;
    if (messages !== 1) return `${messages} messages: ${stderr.slice(0, 300)}`;
  }
  // after `--` nothing is an option any more
  const dashes = args.indexOf('--');
  const options = dashes < 0 ? args : args.slice(0, dashes);
  if (options.includes('--json') && !args.includes('--help ')) {
    try {
      const document = JSON.stringify(JSON.parse(stdout));
      if (/:null,"max"|"noise":null/.test(document)) return 'a NaN became null';
    } catch {
      return `no JSON document: ${stdout.slice(0, 100)}`;
    }
  }
  if (name === 'run' && code === exitCodes.ok) return 'a wrong option was taken';
  return '';
}

const COUNT = 3200;
const PARTS = 8;

describe('hostile inputs', () => {
  /** Exit codes of all inputs. */
  const ends = new Set<number>();

  // the first call of each command loads what it needs
  beforeAll(async () => {
    await called('check', fine, '--goal', 'max y');
    await called('check', join(folder, 'nothing.yaml'));
    await called('design', fine, '--batch', '0');
  });

  it.each(Array.from({ length: PARTS }, (_, part) => part))(
    `end as documented, part %i of ${PARTS}`,
    async (part) => {
      const faults: string[] = [];
      for (let i = part; i < COUNT; i += PARTS) {
        const one = caseOf(i);
        if (one.text) writeFileSync(one.text[0], one.text[1]);
        const start = process.cpuUsage();
        const end = await called(...one.args);
        const fault = faultOf(one, end, secondsSince(start));
        ends.add(end.code);
        if (fault !== '')
          faults.push(`${i} (${one.name}) ${one.args.slice(2).join(' ').slice(0, 120)}: ${fault}`);
      }
      expect(faults).toEqual([]);
    },
  );

  it('meet what works and what does not', () => {
    expect([...ends].sort()).toEqual(expect.arrayContaining([0, 2]));
  });

  it('leave no folder of a run, and no file half-written', () => {
    const left = readdirSync(folder).filter((name) => !/^(?:t\d+\.csv|p\d+\.yaml|fine\.csv)$/.test(name));
    expect(left).toEqual([]);
  });
});
