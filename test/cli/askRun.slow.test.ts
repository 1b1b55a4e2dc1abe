// What can be asked of a finished run: score, explain, runs, reproduce.
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { textWidth } from '../../src/cli/textLayout.js';
import type { RunDocument } from '../../src/design/runDocument.js';
import { printManifest } from '../../src/runs/manifest.js';
import { sha256Of } from '../../src/runs/runFiles.js';
import { readTable } from '../../src/table/index.js';
import { least, smallTable, Workplace } from './smallRun.js';

const place = new Workplace();
const run = 'runs/first';
let document: RunDocument;

beforeAll(() => {
  const { status, stderr } = place.nemokit(['design', 'past.csv', ...least, '--out', run, '--quiet']);
  expect([[0, 3].includes(status!), stderr]).toEqual([true, '']);
  document = place.json(run, 'candidates.json');
});

function fails(args: readonly string[], message: string | RegExp, code = 2): void {
  const { status, stdout, stderr } = place.nemokit(args);
  expect([args.join(' '), status, stdout]).toEqual([args.join(' '), code, '']);
  if (typeof message === 'string') expect(stderr).toBe(`nemokit: ${message}\n`);
  else expect(stderr).toMatch(message);
}

describe('nemokit score', () => {
  it('says of the run’s own candidates what the run said', () => {
    const { status, stdout } = place.nemokit(['score', 'first', `${run}/candidates.csv`, '--json']);
    expect(status).toBe(0);
    const scored = JSON.parse(stdout);
    expect(scored).toMatchObject({ scoreVersion: 1, run, file: 'candidates.csv', goal: document.goal });
    expect(scored.rows).toHaveLength(document.candidates.length);
    document.candidates.forEach((candidate, i) => {
      const row = scored.rows[i];
      expect([row.row, row.trust, row.breaks]).toEqual([candidate.row, candidate.trust, []]);
      expect([row.nearest.row, row.cells.line]).toEqual([candidate.nearest.row, candidate.cells.line]);
      // candidates.csv keeps 12 digits of a setting.
      for (const name of ['expected', 'lo80', 'hi80', 'gamma', 'better'] as const)
        expect(row[name] / candidate[name]).toBeCloseTo(1, 6);
    });
  });

  it('appends what is expected to the rows, whose texts stay safe', async () => {
    const rows = 'id,line,temp,b,a\n+1+2,=A,50,0.5,0.5\nx,-B,95,0.5,0.6\n';
    const args = ['score', run, '-', '--out', 'scored.csv'];
    const first = place.nemokit(args, {}, rows);
    expect([first.status, first.stderr]).toEqual([0, 'Wrote scored.csv.\n']);
    expect(first.stdout).toMatch(/\n {2}# .* expected +80 % range +chance +trust +closest/);
    expect(first.stdout).toContain('Row 2 breaks constraints of this run: ');
    expect(first.stdout).toContain('a + b = 1: the sum is 1.1');
    const bytes = place.read('scored.csv');
    const [head, one, two] = bytes.toString('utf8').split('\n');
    expect(head).toBe(
      'id,line,temp,b,a,expected,lo80,hi80,better,trust,gamma,novelty,nearest_row,nearest_value,nearest_mean_of,breaks',
    );
    expect(one).toMatch(/^"'\+1\+2","'=A",50,0\.5,0\.5,[\d.]+,/);
    expect(two).toContain('a + b = 1');
    expect((await readTable(bytes)).rows).toBe(2);
    fails(args, 'scored.csv exists already; --force replaces it, --out names another');
    expect(place.nemokit(['score', run, 'scored.csv', '--out', 'scored.csv', '--force']).status).toBe(0);
    expect(place.read('scored.csv').toString('utf8')).toContain('breaks,nemokit_expected,nemokit_lo80,');
    expect(readdirSync(place.folder).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('knows rows that were measured before, and counts those that are too many to print', () => {
    const { stdout, stderr } = place.nemokit(['score', run, '-'], {}, smallTable(60));
    expect(stdout, stderr).toContain('  and 10 rows more; --json, or --out with a file, has all rows\n');
    expect(stdout).toMatch(/\n +40 .* row \d+ \([\d.]+\), the same\n/);
  });

  it.each([
    ['no rows', 'temp,line,a,b\n', /^nemokit: standard input.*row/],
    [
      'no such column',
      'tmep,line,a,b\n50,=A,1,0\n',
      /has no column "temp", which every design sets; did you mean "tmep"\?/,
    ],
    [
      'an unknown level',
      'temp,line,a,b\n50,=C,1,0\n',
      /:2, column "line": "=C" is no level that the problem knows/,
    ],
    [
      'an empty cell',
      'temp,line,a,b\n,=A,1,0\n60,=A,1,0\n',
      /:2, column "temp": is empty; fill it in, or leave/,
    ],
    [
      'text among numbers',
      'temp,line,a,b\nhot,=A,1,0\n60,=A,1,0\n',
      /:2, column "temp": "hot" is text in a column/,
    ],
  ])('refuses %s', (_, rows, message) => {
    const { status, stdout, stderr } = place.nemokit(['score', run, '-'], {}, rows);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('nemokit explain', () => {
  it('has contributions that make the whole difference, and profiles of every column', () => {
    const { status, stdout } = place.nemokit(['explain', run, '--row', '2', '--nearest', '4', '--json']);
    expect(status).toBe(0);
    const { candidate, nearest, explanation, profiles } = JSON.parse(stdout);
    expect(candidate).toEqual(document.candidates[1]);
    expect(nearest).toHaveLength(4);
    expect(nearest[0]).toEqual(candidate.nearest);
    const sum = explanation.contributions.reduce(
      (total: number, { change }: { change: number }) => total + change,
      0,
    );
    expect(sum).toBeCloseTo(explanation.after - explanation.before, 9);
    expect(explanation.after).toBeCloseTo(candidate.expected, 9);
    expect(profiles.map(({ column }: { column: string }) => column).toSorted()).toEqual([
      'a',
      'b',
      'line',
      'temp',
    ]);
  });

  it('draws on a terminal and in SVG files', () => {
    const { status, stdout, stderr } = place.nemokit(['explain', 'first', '--svg', 'charts']);
    expect([status, stderr]).toEqual([0, 'Wrote 4 charts to charts.\n']);
    expect(stdout).toMatch(/^Row 1 {4}yield expected /);
    expect(stdout).toContain('Experiments near it\n  row  measured  what row 1 has otherwise\n');
    expect(stdout).toMatch(/\n {2}temp +[-\d.]+ [▁▂▃▄▅▆▇█│[\]]{27,29} +[\d.]+ +best [\d.]+: [\d.]+\n/);
    expect(stdout).toMatch(/\n {2}line +(?:\[?(?:=A|-B) [▁▂▃▄▅▆▇█]\]? *){2}\n/);
    for (const line of stdout.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(100);
    expect(readdirSync(join(place.folder, 'charts')).toSorted()).toEqual([
      'row-1-a.svg',
      'row-1-b.svg',
      'row-1-line.svg',
      'row-1-temp.svg',
    ]);
    const svg = place.read('charts', 'row-1-temp.svg').toString('utf8');
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(svg).toContain('candidate 1');
    expect(svg).not.toContain('var(--');
  });

  it('says how many rows there are', () => {
    fails(['explain', run, '--row', '9'], 'there is no row 9: runs/first proposed 3 rows');
    fails(['explain', run, '--row', 'x'], '--row is "x"; expected a whole number, 1 or more');
  });
});

describe('a run folder of 0.1, which called its effort a preset', () => {
  it('is listed, shown and explained', () => {
    const older = join(place.folder, 'older', 'first');
    mkdirSync(older, { recursive: true });
    for (const name of readdirSync(join(place.folder, run)))
      copyFileSync(join(place.folder, run, name), join(older, name));
    const { effort, checksum: _, ...rest } = place.json(run, 'manifest.json');
    const inDocument = { ...document.run, preset: document.run.effort, effort: undefined };
    const files: Record<string, string> = {
      'problem.yaml': place.read(run, 'problem.yaml').toString('utf8').replace('effort:', 'preset:'),
      'candidates.json': JSON.stringify({ ...document, documentVersion: 1, run: inDocument }),
    };
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(older, name), text);
      rest.files[name] = { bytes: text.length, sha256: sha256Of(text) };
    }
    rest.problem = { sha256: rest.files['problem.yaml'].sha256 };
    writeFileSync(
      join(older, 'manifest.json'),
      JSON.stringify({ ...rest, manifestVersion: 1, preset: effort }),
    );
    expect(place.nemokit(['runs', 'list', 'older']).stdout).toMatch(/first +done +.* fast /);
    expect(JSON.parse(place.nemokit(['runs', 'show', 'older/first', '--json']).stdout)).toEqual(document);
    expect(place.nemokit(['explain', 'older/first', '--row', '1']).status).toBe(0);
  });
});

describe('nemokit runs', () => {
  it('lists, and shows again', () => {
    mkdirSync(join(place.folder, 'runs', 'other'), { recursive: true });
    const { status, stdout } = place.nemokit(['runs', 'list']);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^run +status +goal +table +rows +effort +took\nfirst +done +max yield +past.csv +40 +fast +[\d.]+ s\n/,
    );
    expect(stdout).toContain('runs/other is not a run folder: it has no manifest.json\n');
    expect(place.nemokit(['runs', 'list', 'nowhere']).stdout).toBe('there are no runs in nowhere\n');
    const listed = JSON.parse(place.nemokit(['runs', 'list', '--json']).stdout);
    expect(listed.runs[0]).toMatchObject({ name: 'first', path: run, status: 'done' });
    expect(JSON.parse(place.nemokit(['runs', 'show', 'first', '--json']).stdout)).toEqual(document);
    expect(place.nemokit(['runs', 'show', run]).stdout).toContain('Saved    runs/first/ (candidates.csv');
  });

  it('finds a run by path or name, and knows what was meant', () => {
    fails(['runs', 'show', 'frist'], 'there is no run "frist"; did you mean first?');
    fails(['runs', 'show', 'runs/fist'], 'there is no run "runs/fist"; did you mean first?');
    fails(
      ['explain', 'something-else'],
      'there is no run "something-else"; "nemokit runs list" shows those that are there',
    );
    fails(['explain', 'other'], 'runs/other is not a run folder: it has no manifest.json');
  });

  it('removes a run when told so, and nothing of anybody else’s', () => {
    for (const name of ['old', 'mine']) {
      mkdirSync(join(place.folder, 'runs', name));
      for (const file of readdirSync(join(place.folder, run)))
        copyFileSync(join(place.folder, run, file), join(place.folder, 'runs', name, file));
    }
    writeFileSync(join(place.folder, 'runs', 'mine', 'notes.txt'), 'mine');
    fails(
      ['runs', 'rm', 'old'],
      'this is not a terminal, so nothing can be confirmed; --yes removes without asking',
    );
    fails(
      ['runs', 'rm', 'mine', '--yes'],
      /^nemokit: runs\/mine is not removed, because it holds .*: notes.txt/,
    );
    const { status, stderr } = place.nemokit(['runs', 'rm', 'old', '--yes']);
    expect([status, stderr, existsSync(join(place.folder, 'runs', 'old'))]).toEqual([
      0,
      'Removed runs/old.\n',
      false,
    ]);
    expect(existsSync(join(place.folder, 'runs', 'mine', 'candidates.csv'))).toBe(true);
  });
});

describe('nemokit reproduce', () => {
  it('finds the same bits, on another number of threads', () => {
    const { status, stdout, stderr } = place.nemokit(['reproduce', 'first', '--threads', '2', '--quiet']);
    expect([status, stdout, stderr]).toEqual([0, 'the same bits: runs/first\n', '']);
  });

  it('says first that version and kernel are others, then what differs', () => {
    const copy = join(place.folder, 'runs', 'told');
    mkdirSync(copy);
    for (const file of readdirSync(join(place.folder, run)))
      copyFileSync(join(place.folder, run, file), join(copy, file));
    const text = JSON.stringify({
      ...document,
      run: { ...document.run, kernel: 'abacus', version: '0.0.9' },
      validation: {
        ...document.validation,
        pairs: document.validation.pairs.map((pair) => ({ ...pair, measured: pair.measured + 1 })),
      },
    });
    const manifest = place.json(run, 'manifest.json');
    manifest.files['candidates.json'] = { bytes: text.length, sha256: sha256Of(text) };
    writeFileSync(join(copy, 'candidates.json'), text);
    const { checksum: _, ...rest } = manifest;
    writeFileSync(join(copy, 'manifest.json'), printManifest(rest));
    const { status, stdout } = place.nemokit(['reproduce', 'told', '--quiet']);
    expect(status).toBe(1);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toBe(`made by nemokit 0.0.9; this is ${document.run.version}`);
    expect(lines[1]).toMatch(
      /^made by the kernel abacus; this is .*, which rounds differently: expect other/,
    );
    expect(lines[2]).toBe('not the same: 40 values of runs/told differ, then → now');
    expect(lines[3]).toMatch(/^ {2}validation\.pairs\[0\]\.measured: [\d.]+ → [\d.]+$/);
    expect(lines).toHaveLength(24);
    expect(lines.at(-1)).toBe('  and 20 more; --json lists all');
  });

  it('stops at Ctrl-C', async () => {
    const started = place.start(['reproduce', run]);
    await new Promise((resolve) => started.child.stderr?.once('data', resolve));
    started.child.kill('SIGINT');
    expect(await started.ended).toEqual({ code: 130, signal: null });
    expect(started.stderr).toMatch(/stopped; nothing was compared\n$/);
  });
});
