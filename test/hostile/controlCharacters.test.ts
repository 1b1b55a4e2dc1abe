import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatTables } from '../../src/bench/tableFormats.js';
import { screenText } from '../../src/cli/screen.js';
import { sampleRecord } from '../bench/sampleRecord.js';
import { called } from '../cli/called.js';

const folder = mkdtempSync(join(tmpdir(), 'nemokit-control-'));
const evil = '\u001b]0;title\u0007\u001b[2J\u009b31m\u202ename\u007f';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const raw = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

describe('text on a terminal', () => {
  it('keeps line breaks, tabs and the colours of the palette, and nothing else that a terminal obeys', () => {
    expect(screenText(`a\tb\n${evil}`, false)).toBe('a\tb\n·]0;title··[2J·31m·name·');
    expect(screenText('\u001b[31mred\u001b[39m\u001b[2Jx\r', true)).toBe('\u001b[31mred\u001b[39m·[2Jx·');
    expect(screenText('ä 日本 🧪 γ ≥ −', false)).toBe('ä 日本 🧪 γ ≥ −');
  });

  it('is written by one function only', () => {
    const cli = new URL('../../src/cli/', import.meta.url);
    const writers = readdirSync(cli).filter((name) =>
      /process\.(stdout|stderr)\.write|console\./.test(readFileSync(new URL(name, cli), 'utf8')),
    );
    // heartbeat.ts writes the stage of a command by itself, through visibleText
    expect(writers.toSorted()).toEqual(['heartbeat.ts', 'main.ts', 'printJson.ts', 'screen.ts']);
  });

  const rows = Array.from({ length: 30 }, (_, i) => `${i},${i % 2 ? 'b' : `"a${evil}"`},${(i * 7) % 11}`);
  const table = join(folder, 'past.csv');
  writeFileSync(table, `"x${evil}",kind,y\n${rows.join('\n')}\n`);
  const problem = join(folder, 'problem.yaml');
  writeFileSync(problem, `version: 1\ndata: past.csv\ngoal: "max y \\e[2J"\ncolumns:\n  "q\\e[2J": {}\n`);

  it.each([
    ['check', table, '--goal', 'max y'],
    ['check', table, '--goal', 'max y', '--json'],
    ['check', table, '--goal', `max ${evil}`],
    ['check', problem],
    ['design', problem, '--out', join(folder, 'never')],
    ['check', join(folder, `no${evil}.csv`), '--goal', 'max y'],
    ['bench', 'table', join(folder, 'records')],
    ['bench', 'table', join(folder, 'records'), '--format', 'md'],
    ['runs', 'show', `a${evil}`],
  ])('%s %j: no raw control character', async (...args) => {
    mkdirSync(join(folder, 'records'), { recursive: true });
    const record = { ...sampleRecord({ seed: 0 }), variant: `v${evil}` };
    writeFileSync(join(folder, 'records', 'records.jsonl'), `${JSON.stringify(record)}\n{"torn\u001b[2J\n`);
    const { stdout, stderr } = await called(...args);
    expect(stdout + stderr).not.toMatch(raw);
    expect(stdout + stderr).not.toBe('');
  });
});

describe('tables for other programs', () => {
  const signs = '\\ ~ ^ # $ % & _ { } < > | " ±';
  const table = {
    title: `T ${signs}`,
    notes: [`N ${signs}`],
    head: ['h_1', `a & b\nc`],
    rows: [
      {
        cells: [
          { text: '[x]', isBest: false },
          { text: '*', isBest: true },
        ],
      },
    ],
  } as unknown as Parameters<typeof formatTables>[0][number];

  it('LaTeX: every sign is text, and no row begins with a bracket', () => {
    const latex = formatTables([table], 'latex');
    const text =
      '\\textbackslash{} \\textasciitilde{} \\textasciicircum{} \\# \\$ \\% \\& \\_ \\{ \\} \\textless{} \\textgreater{} \\textbar{} \\textquotedbl{} $\\pm$';
    expect(latex).toContain(`\\caption{T ${text}. N ${text}}`);
    expect(latex).toContain('h\\_1 & a \\& b c \\\\');
    expect(latex).toContain('{}[x] & \\textbf{{}*} \\\\');
  });

  it('Markdown: a name cannot end its cell, its row or the text', () => {
    const markdown = formatTables([{ ...table, head: ['a|b\nc', '<img src=x>'] }], 'md');
    expect(markdown).toContain('a\\|b c');
    expect(markdown).toContain('\\<img src=x>');
  });
});
