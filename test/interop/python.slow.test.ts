import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { readRecords } from '../../src/bench/records.js';
import { Workplace } from '../cli/smallRun.js';
import { codeBlocks, jsonLines, predictScript, python, runPython } from './python.js';
import { firstRows, mixedTable } from './tables.js';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** Cells of a CSV text without quotes, by column. */
function rowsOf(csv: string): Record<string, string>[] {
  const [head, ...lines] = csv.trimEnd().split('\n');
  const names = head!.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, j) => [names[j]!, cell])));
}

interface Forecast {
  readonly expected: number;
  readonly lo80: number;
  readonly hi80: number;
}

describe.skipIf(!python)('the Python of docs/interop.md', () => {
  const place = new Workplace();
  const run = (...args: string[]) => runPython(place.folder, args);
  let designed: ReturnType<typeof run>;

  beforeAll(() => {
    const [design, records] = codeBlocks('interop.md', 'python');
    const command = '["npx", "nemokit"]';
    expect(design!.split(command)).toHaveLength(2);
    const here = JSON.stringify([process.execPath, main]);
    writeFileSync(
      join(place.folder, 'design.py'),
      design!.replace(command, () => here),
    );
    writeFileSync(join(place.folder, 'records.py'), records!);
    const table = mixedTable(60);
    writeFileSync(join(place.folder, 'mixed.csv'), table);
    writeFileSync(join(place.folder, 'few.csv'), firstRows(table, 7));
    writeFileSync(join(place.folder, 'rows.csv'), firstRows(table, 20));
    const effort = ['--effort', 'fast', '--set', 'steps=6', '--batch', '3'];
    designed = run('design.py', 'mixed.csv', 'max yield', 'runs/first', ...effort);
  });

  it('reads the verdict and the candidates of a run', () => {
    const document = place.json('runs', 'first', 'candidates.json');
    expect(designed.status).toBe(document.verdict.level === 'unsupported' ? 3 : 0);
    expect(designed.stderr).toContain(`${document.verdict.level} ${document.verdict.sentence}`);
    const rows = rowsOf(designed.stdout);
    expect(rows.map(({ expected }) => Number(expected))).toEqual(
      document.candidates.map(({ expected }: { expected: number }) => expected),
    );
    expect(rows[0]!.metal).toBe(document.candidates[0].cells.metal);
    expect(Number(rows[2]!.dose)).toBe(document.candidates[2].cells.dose);
  });

  it('knows what exit codes mean', () => {
    const few = run('design.py', 'few.csv', 'max yield', 'runs/few');
    // a plan, without anything that could be expected
    expect([few.status, rowsOf(few.stdout)]).toEqual([3, []]);
    expect(few.stderr).toContain('unsupported ');
    const none = run('design.py', 'none.csv', 'max yield', 'runs/none');
    expect(none.status).toBe(1);
    expect(none.stderr).toContain(
      'RuntimeError: nemokit ended with 2: nemokit: none.csv: there is no such file',
    );
  });

  it('reads the records of a benchmark', async () => {
    const folder = fileURLToPath(new URL('../../studies/paper-tasks', import.meta.url));
    const { status, stdout, stderr } = run('records.py', folder);
    expect([status, stderr]).toEqual([0, '']);
    const { records } = await readRecords(folder);
    const rows = rowsOf(stdout);
    expect(rows.map(({ task, algorithm, seed }) => [task, algorithm, Number(seed)])).toEqual(
      records.map(({ task, algorithm, seed }) => [task, algorithm, seed]),
    );
    expect(rows.map(({ p100 }) => Number(p100))).toEqual(
      records.map(({ result }) => result.scores.reduce((a, b) => Math.max(a, b))),
    );
  });

  it('leaves out a line that a killed writer left half done', () => {
    const lines = readFileSync(
      new URL('../../studies/paper-tasks/records.jsonl', import.meta.url),
      'utf8',
    ).split('\n', 2);
    writeFileSync(
      join(place.folder, 'records.jsonl'),
      `${lines[0]}\n${lines[0]}\n${lines[1]!.slice(0, 300)}`,
    );
    expect(rowsOf(run('records.py', '.').stdout)).toHaveLength(1);
  });

  it('predicts rows from the model file as `nemokit score` does', () => {
    const scored = place.nemokit(['score', 'runs/first', 'rows.csv', '--json']);
    expect(scored.status).toBe(0);
    const { rows } = JSON.parse(scored.stdout) as { rows: Forecast[] };
    const { status, stdout, stderr } = run(predictScript, 'runs/first', 'rows.csv');
    expect([status, stderr]).toEqual([0, '']);
    const { columns } = place.json('runs', 'first', 'model.json').reading;
    expect(
      columns.map(({ kind, log }: { kind: string; log?: boolean }) => (log ? 'logarithm' : kind)),
    ).toEqual([
      ...['number', 'logarithm', 'category', 'number', 'number', 'number'],
      ...['number', 'missing', 'category', 'missing'],
    ]);
    const predicted = jsonLines<Forecast>(stdout);
    for (const name of ['expected', 'lo80', 'hi80'] as const)
      expect(predicted.map((row) => row[name])).toBeAllClose(
        rows.map((row) => row[name]),
        { rtol: 1e-6, atol: 1e-6 },
      );
  });
});
