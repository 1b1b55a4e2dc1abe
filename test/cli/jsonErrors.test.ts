// With --json or --jsonl an error is JSON on standard output; people still read it on standard error.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { outputAsked } from '../../src/cli/errorDocument.js';
import { acquireLock } from '../../src/runs/lock.js';
import { faultsOf } from '../schemas/validator.js';
import { called, jsonCommands } from './called.js';
import { least, smallTable, Workplace } from './smallRun.js';

const fault = vi.hoisted(() => ({ isPlanted: false }));

vi.mock('../../src/data/dataFolder.js', async (original) => {
  const folder = await original<typeof import('../../src/data/dataFolder.js')>();
  const dataFolderPath: typeof folder.dataFolderPath = (...args) => {
    if (fault.isPlanted) throw new TypeError('x is undefined');
    return folder.dataFolderPath(...args);
  };
  return { ...folder, dataFolderPath };
});

const place = new Workplace();
const at = (...path: string[]) => join(place.folder, ...path);
const past = at('past.csv');
const goal = ['--goal', 'max yield'];

writeFileSync(
  at('same.csv'),
  smallTable().replace(/,[^,\n]*$/gm, (cell) => (cell === ',yield' ? cell : ',5')),
);
writeFileSync(at('ragged.csv'), 'a,b\n1,2\n3\n');
writeFileSync(at('odd.yaml'), `version: 1\ndata: past.csv\ngoals: [max yield]\nbatsh: 3\nseed: -1\n`);
mkdirSync(at('empty'));

/** The error of a call with --json. Its message is on standard error as well. */
async function errorOf(...args: readonly string[]) {
  const { code, stdout, stderr } = await called(...args, '--json');
  const document = JSON.parse(stdout);
  expect(faultsOf('error', document)).toEqual([]);
  expect(document.error.exitCode).toBe(code);
  expect(stderr).not.toBe('');
  return document.error;
}

describe('an error with --json', () => {
  it.each([
    [
      'a file that is not there',
      ['check', at('none.csv')],
      { code: 'file', exitCode: 2, file: 'none.csv', message: `${at('none.csv')}: there is no such file` },
    ],
    ['a problem file that is not there', ['check', at('none.yaml')], { code: 'file', file: 'none.yaml' }],
    ['a folder without records', ['bench', 'table', at('empty')], { code: 'file', exitCode: 2 }],
    ['a folder that is no run', ['score', at('empty'), past], { code: 'file', file: at('empty') }],
    [
      'a broken table',
      ['check', at('ragged.csv')],
      { code: 'table', file: 'ragged.csv', line: 3, columnName: 'b' },
    ],
    [
      'a typo in a goal',
      ['design', past, '--goal', 'max yeild'],
      {
        code: 'problem',
        exitCode: 2,
        argument: 'goal',
        text: 'max yeild',
        column: 5,
        message: 'goal "max yeild", character 5: no column is called "yeild"; did you mean "yield"?',
      },
    ],
    [
      'faults of a problem file',
      ['check', at('odd.yaml')],
      {
        code: 'problem',
        file: 'odd.yaml',
        line: 5,
        column: 7,
        faults: [{ path: 'seed' }, { line: 4, column: 1 }],
      },
    ],
    [
      'a goal that never changes',
      ['design', at('same.csv'), ...goal],
      { code: 'unsupported', exitCode: 3, message: expect.stringMatching(/^every row has the same score/) },
    ],
    [
      'constraints that exclude each other',
      ['design', past, ...goal, '--bounds', 'a=0.6..1', '--bounds', 'b=0.7..1'],
      {
        code: 'infeasible',
        exitCode: 4,
        conflict: ['a in 0.6..1', 'b in 0.7..1', 'a + b = 1'],
        hint: 'Loosen one of them or leave one out; then the others can hold.',
      },
    ],
    [
      'a wrong value',
      ['design', past, ...goal, '--batch', '0'],
      { code: 'usage', exitCode: 2, argument: '--batch' },
    ],
    ['a wrong share', ['rehearse', past, ...goal, '--top', '2'], { code: 'usage', exitCode: 2 }],
    ['an unknown run', ['explain', 'nothing'], { code: 'usage', exitCode: 2 }],
    [
      'an unknown option',
      ['check', past, '--gaol', 'x'],
      { code: 'usage', exitCode: 2, message: "unknown option '--gaol'", hint: 'Did you mean --goal?' },
    ],
    ['a missing argument', ['check'], { code: 'usage', message: "missing required argument 'table'" }],
    ['an unknown command', ['doktor'], { code: 'usage', hint: 'Did you mean doctor?' }],
    [
      'an option that a command does not have',
      ['init', past],
      { code: 'usage', message: "unknown option '--json'" },
    ],
    ['a dataset nobody knows', ['data', 'verify', 'nothing'], { code: 'usage', exitCode: 2 }],
  ])('tells of %s', async (_, args, expected) => {
    expect(await errorOf(...args)).toMatchObject(expected);
  });

  it('tells of a folder that another process writes to', async () => {
    const folder = at('begun');
    await called('design', past, ...least, '--time', '0.001s', '--out', folder, '--quiet');
    const lock = await acquireLock(folder);
    const error = await errorOf('runs', 'resume', folder).finally(() => lock.release());
    expect(error).toMatchObject({ code: 'locked', exitCode: 2, file: folder });
  });

  it('tells of a bug, and how to report it', async () => {
    fault.isPlanted = true;
    const error = await errorOf('doctor').finally(() => {
      fault.isPlanted = false;
    });
    expect(error).toMatchObject({
      code: 'internal',
      exitCode: 1,
      message: 'this is a bug in nemokit: x is undefined',
      hint: expect.stringContaining('NEMOKIT_DEBUG=1'),
    });
  });

  it('comes from every command that has --json', async () => {
    const commands = await jsonCommands();
    expect(commands.length).toBeGreaterThan(14);
    for (const command of commands) {
      const error = await errorOf(...command.split(' '), '--nonsense');
      expect([command, error]).toMatchObject([command, { code: 'usage', exitCode: 2 }]);
    }
  });

  it('is not printed where help was asked for, or a document says the same', async () => {
    const help = await called('check', '--help', '--json');
    expect([help.code, help.stdout.startsWith('Usage: ')]).toEqual([0, true]);
    const bounds = ['--bounds', 'a=0.6..1', '--bounds', 'b=0.7..1'];
    const report = await called('check', past, ...goal, ...bounds, '--json');
    expect([report.code, JSON.parse(report.stdout).conflict.length]).toEqual([4, 3]);
  });

  it('is printed by the program too, after Ctrl-C', async () => {
    const args = ['design', 'past.csv', ...goal, '--effort', 'thorough', '--json', '--out', 'stopped'];
    const run = place.start(args);
    while (
      !existsSync(at('stopped', 'events.jsonl')) ||
      readFileSync(at('stopped', 'events.jsonl')).length < 200
    )
      await new Promise((resolve) => setTimeout(resolve, 20));
    run.child.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
    const document = JSON.parse(run.stdout);
    expect(faultsOf('error', document)).toEqual([]);
    expect(document.error).toMatchObject({ code: 'interrupted', exitCode: 130, run: 'stopped' });
    expect(run.stderr).toBe('stopped; go on with: nemokit runs resume stopped\n');
  });
});

describe('an error with --jsonl', () => {
  it.each([
    ['before the run', ['design', past, '--goal', 'max yeild'], 'problem'],
    ['of the command line', ['design', past, '--gaol', 'x'], 'usage'],
    ['of a run that is not there', ['runs', 'resume', 'nothing'], 'usage'],
  ])('%s is an event', async (_, args, code) => {
    const { stdout } = await called(...args, '--jsonl');
    expect(stdout.split('\n')).toHaveLength(2);
    const event = JSON.parse(stdout);
    expect(faultsOf('design-events', event)).toEqual([]);
    expect(event).toMatchObject({ event: 'error', errorVersion: 1, error: { code, exitCode: 2 } });
    expect(faultsOf('design-events', { ...event, error: { ...event.error, code: 'other' } })).not.toEqual([]);
  });
});

describe('what a command line asks for', () => {
  it.each([
    [['check', 'a.csv'], 'text'],
    [['check', 'a.csv', '--json'], 'json'],
    [['design', '--json', '--jsonl', 'a.csv'], 'jsonl'],
    [['check', '--', '--json'], 'text'],
    [['check', '--jsonlines'], 'text'],
  ] as const)('%j: %s', (args, output) => {
    expect(outputAsked(args)).toBe(output);
  });
});
