// `nemokit design` from its options to its exit codes. What kills and crowds it is in killDesign.slow.test.ts.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { least, smallTable, Workplace } from './smallRun.js';

const place = new Workplace();

describe('nemokit design', () => {
  it('prints one document with --json, and keeps the run in runs/', () => {
    const { status, stdout, stderr } = place.nemokit(['design', 'past.csv', ...least, '--json']);
    expect([[0, 3].includes(status!), stderr]).toEqual([true, '']);
    const document = JSON.parse(stdout);
    expect(Object.keys(document)).toEqual(
      expect.arrayContaining(['run', 'goal', 'bestKnown', 'candidates', 'verdict', 'constraints']),
    );
    expect(document.candidates).toHaveLength(3);
    for (const candidate of document.candidates)
      expect(Object.keys(candidate)).toEqual(
        expect.arrayContaining(['row', 'expected', 'lo80', 'hi80', 'trust', 'gamma', 'novelty', 'nearest']),
      );
    expect(document.constraints).toEqual(['a + b = 1']);
    const [name] = readdirSync(join(place.folder, 'runs'));
    expect(name).toBe(document.run.id);
    expect(name).toMatch(/^\d{4}-\d\d-\d\d-yield-[0-9a-f]{4}$/);
    expect(place.json('runs', name!, 'candidates.json')).toEqual(document);
  });

  it('streams with --jsonl one document per line, and knows --effort by its earlier name', () => {
    const older = least.map((word) => (word === '--effort' ? '--preset' : word));
    const { status, stdout } = place.nemokit(['design', 'past.csv', ...older, '--jsonl', '--out', 'lines']);
    expect([0, 3]).toContain(status);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events[0]).toEqual({ event: 'started', eventsVersion: 1, run: 'lines' });
    expect(events.at(-1)).toMatchObject({
      event: 'done',
      run: 'lines',
      document: { documentVersion: 2, run: { effort: 'fast' } },
    });
    const progress = events.slice(1, -1);
    expect(progress.length).toBeGreaterThan(10);
    expect(progress.every(({ event }) => event === 'progress')).toBe(true);
    const shares = progress.map(({ fraction }) => fraction);
    expect(shares).toEqual(shares.toSorted((a: number, b: number) => a - b));
    expect(new Set(progress.map(({ stage }) => stage))).toEqual(
      new Set(['validate', 'train', 'search', 'assess']),
    );
  });

  it('takes new measurements below the old rows with --add', () => {
    writeFileSync(
      join(place.folder, 'new.csv'),
      'line,temp,a,b,yield,trust\n"\'=A",50,0.5,0.5,,Guess\n"\'-B",52,0.25,0.75,12.5,Guess\n',
    );
    const args = ['check', 'past.csv', '--add', 'new.csv', '--goal', 'max yield', '--json'];
    const { status, stdout } = place.nemokit(args);
    const report = JSON.parse(stdout);
    expect([status, report.rows]).toEqual([0, 42]);
    expect(report.notes).toContain('2 rows of new.csv are added below those of past.csv');
    const line = report.columns.find(({ name }: { name: string }) => name === 'line');
    expect(line.levels.map(({ text }: { text: string }) => text).toSorted()).toEqual(['-B', '=A']);
    const both = place.nemokit(['check', '-', '--add', '-', '--goal', 'max yield'], {}, smallTable());
    expect([both.status, both.stderr]).toEqual([
      2,
      'nemokit: --add: standard input is read for something else already; give a file\n',
    ]);
  });

  it.each([
    [
      'a typo in a column',
      ['--goal', 'max yeild'],
      2,
      'nemokit: goal: no column is called "yeild"; did you mean "yield"?\n\n    max yeild\n        ^\n',
    ],
    [
      'a typo in an option of the method',
      ['--goal', 'max yield', '--set', 'stpes=3'],
      2,
      'nemokit: --set "stpes=3": nemo has no option "stpes"; did you mean "steps"?\n',
    ],
    [
      'a fraction of a step',
      ['--goal', 'max yield', '--set', 'steps=1.5'],
      2,
      'nemokit: --set "steps=1.5": nemo: steps is 1.5; expected a positive integer\n',
    ],
    [
      'an unknown word',
      ['--goal', 'max yield', '--method', 'forward', '--set', 'head=softmax'],
      2,
      `nemokit: --set "head=softmax": forward: head is "softmax"; expected 'mean' or 'gaussian'\n`,
    ],
    [
      'demands that exclude each other',
      ['--goal', 'max yield', '--bounds', 'a=0.6..1', '--bounds', 'b=0.7..1'],
      4,
      /^nemokit: no design satisfies all of these together:\n(?: {2}- .*\n){3}Loosen one of them/,
    ],
    [
      'a batch of none',
      ['--goal', 'max yield', '--batch', '0'],
      2,
      /^nemokit: --batch is "0"; expected a whole/,
    ],
    [
      'a time that is none',
      ['--goal', 'max yield', '--time', 'soon'],
      2,
      /^nemokit: --time is "soon"; expected a/,
    ],
    ['no goal', [], 2, "nemokit: no goal is given; say what you want, such as --goal 'max yield'\n"],
    [
      'nothing to resume',
      ['--goal', 'min yield', '--resume'],
      2,
      /^nemokit: --resume: no unfinished run of past.csv with the goal "min yield" is in runs\//,
    ],
  ])('ends with a message and leaves no folder for %s', (_, args, code, message) => {
    const before = existsSync(join(place.folder, 'runs')) ? readdirSync(join(place.folder, 'runs')) : [];
    const { status, stdout, stderr } = place.nemokit(['design', 'past.csv', ...args]);
    expect([status, stdout]).toEqual([code, '']);
    if (typeof message === 'string') expect(stderr).toBe(message);
    else expect(stderr).toMatch(message);
    const after = existsSync(join(place.folder, 'runs')) ? readdirSync(join(place.folder, 'runs')) : [];
    expect(after).toEqual(before);
  });

  it('names the place of a wrong option in a problem file, and leaves no folder', () => {
    const text = 'version: 1\ndata: past.csv\ngoals: [max yield]\noptions: {startFrom: Best}\n';
    writeFileSync(join(place.folder, 'odd.yaml'), text);
    const wrong = place.nemokit(['design', 'odd.yaml', '--out', 'odd']);
    expect([wrong.status, wrong.stderr]).toEqual([
      2,
      `nemokit: odd.yaml:4:22: options.startFrom: nemo: startFrom is "Best"; expected 'best' or 'worst'; did you mean 'best'?\n`,
    ]);
    const other = place.nemokit(['design', 'odd.yaml', '--method', 'mins', '--out', 'odd']);
    expect([other.status, other.stderr]).toEqual([
      2,
      `nemokit: mins: startFrom is "Best"; expected 'best' or 'worst'; did you mean 'best'?\n`,
    ]);
    expect(existsSync(join(place.folder, 'odd'))).toBe(false);
  });

  it('spreads a plan for nine rows, with code 3, and its README leads on from its folder', () => {
    writeFileSync(join(place.folder, 'nine.csv'), smallTable(9));
    const args = ['design', 'nine.csv', '--goal', 'max yield', '--batch', '4', '--out', 'nine'];
    const { status, stdout } = place.nemokit([...args, '--quiet']);
    expect(status).toBe(3);
    expect(stdout).toContain('PLAN ONLY. Too few to model: a plan that spreads over the space.');
    const folder = join(place.folder, 'nine');
    const csv = readFileSync(join(folder, 'candidates.csv'), 'utf8').trimEnd().split('\n');
    expect(csv).toHaveLength(5);
    expect(csv[0]).toBe('temp,line,a,b,yield,nearest_row');
    // measured, and on with the commands that README.txt names, typed in the folder of README.txt
    const measured = csv.map((line, i) => (i === 0 ? line : line.replace(/,,(\d+)$/, `,${10 + i},$1`)));
    writeFileSync(join(folder, 'candidates.csv'), `${measured.join('\n')}\n`);
    const commands = readFileSync(join(folder, 'README.txt'), 'utf8').match(/^ {3}nemokit .*$/gm)!;
    expect(commands.map((line) => line.trim())).toEqual([
      'nemokit design problem.yaml --add candidates.csv --out ../nine-next',
      'nemokit reproduce .',
    ]);
    const [next, again] = commands.map((line) => line.trim().split(' ').slice(1));
    const reproduced = place.nemokit([...again!, '--quiet'], {}, '', folder);
    expect([reproduced.stdout, reproduced.status]).toEqual(['the same bits: .\n', 0]);
    const second = place.nemokit(
      [...next!, '--quiet', '--effort', 'fast', '--set', 'steps=6'],
      {},
      '',
      folder,
    );
    expect([0, 3]).toContain(second.status);
    expect(place.json('nine-next', 'candidates.json').data.used).toBe(13);
  });

  it('does not go on with what was begun otherwise', () => {
    const args = ['design', 'past.csv', ...least, '--seed', '4', '--out', 'lines', '--resume'];
    const { status, stderr } = place.nemokit(args);
    expect([status, stderr]).toEqual([
      2,
      'nemokit: lines was started with another seed; go on with it by "nemokit runs resume lines", or start a new run\n',
    ]);
    const again = place.nemokit(['design', 'past.csv', ...least, '--out', 'lines']);
    expect([again.status, again.stderr]).toEqual([
      2,
      'nemokit: lines holds a run already; resume it, or choose another folder\n',
    ]);
  });
});
