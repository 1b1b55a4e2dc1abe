import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { CommandError, exitCodes } from '../../src/cli/exitCodes.js';
import { describeFailure, InterruptedError } from '../../src/cli/failure.js';
import { ArgumentError, NotFiniteError } from '../../src/numeric/errors.js';
import { parseConstraint, parseGoal, parseProblemFile } from '../../src/problem/index.js';
import { CheckpointError } from '../../src/runs/checkpoint.js';
import { InfeasibleError } from '../../src/space/index.js';
import { TableError } from '../../src/table/index.js';
import { faultsOf } from '../schemas/validator.js';

function thrown(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

const system = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: something, open`), { code, ...(path && { path }) });

describe('an error becomes a message and a code', () => {
  it('puts a caret under the place in a goal', () => {
    const error = thrown(() => parseGoal('max yeild', ['yield', 'cost']));
    expect(describeFailure(error)).toMatchObject({
      code: 2,
      message: 'goal: no column is called "yeild"; did you mean "yield"?\n\n    max yeild\n        ^',
    });
  });

  it('puts a caret under the place in a constraint', () => {
    const { message } = describeFailure(thrown(() => parseConstraint('a + b < 3')));
    expect(message).toBe(
      'constraint: strict inequalities are not supported; write <=\n\n    a + b < 3\n          ^',
    );
  });

  it('lists every fault of a problem file with its place', () => {
    const text =
      'version: 1\ndata: a.csv\ngoals: [max y]\ncolumns:\n  a: {bounds: [9, 2]}\n  b: {stepp: 1}\n';
    const { message, code } = describeFailure(thrown(() => parseProblemFile(text, 'p.yaml')));
    expect(code).toBe(2);
    expect(message.split('\n')).toEqual([
      'p.yaml:5:15: columns.a.bounds: got [9,2], expected two numbers, the smaller one first',
      'p.yaml:6:7: columns.b: unknown key "stepp"; did you mean "step"?',
    ]);
  });

  it('says which demands exclude each other, with code 4', () => {
    expect(describeFailure(new InfeasibleError(['a >= 2', 'a in 0..1']))).toMatchObject({
      code: 4,
      message:
        'no design satisfies all of these together:\n  - a >= 2\n  - a in 0..1\n' +
        'Loosen one of them or leave one out; then the others can hold.',
    });
  });

  it.each([
    [
      'a fault of a table',
      new TableError('a.csv:3: ragged', { file: 'a.csv', line: 3 }),
      'a.csv:3: ragged',
      2,
    ],
    ['a wrong argument', new ArgumentError('x', 'x is -1; expected more'), 'x is -1; expected more', 2],
    ['a number that is none', new NotFiniteError('y', 'y[0] is NaN'), 'y[0] is NaN', 2],
    ['a missing file', system('ENOENT', 'no.yaml'), 'no.yaml: there is no such file or folder', 2],
    ['a folder', system('EISDIR', 'runs'), 'runs: is a folder; give a file', 2],
    [
      'no permission',
      system('EACCES', 'x'),
      'x: you have no access to it; change its permissions, or choose another place',
      2,
    ],
    ['a full disk', system('ENOSPC'), 'the disk is full; nothing half-written was left behind', 2],
    ['an end of its own', new CommandError(exitCodes.unsupported, 'too little data'), 'too little data', 3],
    ['Ctrl-C', new InterruptedError(), 'stopped', 130],
    ['an abort', Object.assign(new Error('x'), { name: 'AbortError' }), 'stopped', 130],
    ['what commander has said', new CommanderError(1, 'commander.unknownOption', 'x'), '', 2],
    ['help', new CommanderError(0, 'commander.help', 'x'), '', 0],
  ])('%s', (_, error, message, code) => {
    const { error: details, ...rest } = describeFailure(error);
    expect(rest).toEqual({ message, code });
    if (code !== 0) expect(faultsOf('error', { errorVersion: 1, error: details })).toEqual([]);
  });

  it.each([
    ['a wrong argument', new ArgumentError('--x', 'x'), { code: 'usage', argument: '--x' }],
    ['a missing file', system('ENOENT', 'no.yaml'), { code: 'file', file: 'no.yaml' }],
    ['a state of another run', new CheckpointError('other'), { code: 'file', message: 'other' }],
    ['trials that failed', new CommandError(exitCodes.partial, 'x'), { code: 'partial', exitCode: 5 }],
    ['Ctrl-C', new InterruptedError(), { code: 'interrupted', exitCode: 130 }],
    [
      'no command',
      new CommanderError(1, 'commander.help', '(outputHelp)'),
      { message: 'a command is missing' },
    ],
    ['a text', 'odd', { code: 'internal', exitCode: 1, message: 'this is a bug in nemokit: odd' }],
  ])('has a code for programs: %s', (_, error, expected) => {
    const { error: details } = describeFailure(error);
    expect(details).toMatchObject(expected);
    expect(faultsOf('error', { errorVersion: 1, error: details })).toEqual([]);
  });

  it('calls everything else a bug, and says how to report it', () => {
    for (const error of [new TypeError('x is undefined'), 'a text', undefined, new Error('')]) {
      const { message, code } = describeFailure(error);
      expect(code).toBe(1);
      expect(message).toMatch(/^this is a bug in nemokit: .+\nPlease report it .*NEMOKIT_DEBUG=1/);
      expect(message).not.toMatch(/^ {4}at /m);
    }
  });
});
