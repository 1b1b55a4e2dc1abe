import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { completionScript, shells } from '../../src/cli/completion.js';
import { buildProgram } from '../../src/cli/program.js';

const hasBash = spawnSync('bash', ['--version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'nemokit-completion-'));
writeFileSync(join(folder, 'past runs.csv'), '');
writeFileSync(join(folder, 'past.csv'), '');

const everything = await buildProgram();

/** What bash would offer after the last word of `words`. */
function offered(words: readonly string[], program: Command = everything): string[] {
  const script = `${completionScript(program, 'bash')}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_nemokit; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' });
  expect([stderr, status]).toEqual(['', 0]);
  return stdout.split('\n').filter((line) => line !== '');
}

describe.runIf(hasBash)('completion in bash', () => {
  it('offers commands', () => {
    expect(offered(['nemokit', 'c'])).toEqual(['check', 'completion']);
    expect(offered(['nemokit', ''])).toEqual(expect.arrayContaining(['init', 'doctor', '--help']));
    expect(offered(['nemokit', '--no-color', 'do'])).toEqual(['doctor']);
  });

  it('offers options of the command', () => {
    expect(offered(['nemokit', 'check', 'a.csv', '--at'])).toEqual(['--at-most', '--at-least']);
    expect(offered(['nemokit', 'doctor', '--j'])).toEqual(['--json']);
    expect(offered(['nemokit', 'init', '--fo'])).toEqual(['--force']);
  });

  it('offers files where a file is wanted, and nothing where words are', () => {
    expect(offered(['nemokit', 'check', 'past.'])).toEqual(['past.csv']);
    expect(offered(['nemokit', 'check', 'x.csv', '--from', 'past.'])).toEqual(['past.csv']);
    expect(offered(['nemokit', 'check', 'x.csv', '--goal', ''])).toEqual([]);
    expect(offered(['nemokit', 'doctor', ''])).toEqual([]);
  });

  it('offers the commands of a command, then files and their options', () => {
    expect(offered(['nemokit', 'runs', ''])).toEqual(['list', 'show', 'resume', 'rm']);
    expect(offered(['nemokit', 'runs', 're'])).toEqual(['resume']);
    expect(offered(['nemokit', 'runs', 'show', 'past.'])).toEqual(['past.csv']);
    expect(offered(['nemokit', 'runs', 'rm', 'x', '--y'])).toEqual(['--yes']);
    expect(offered(['nemokit', 'design', 'x.csv', '--add', 'past.'])).toEqual(['past.csv']);
  });

  it('offers choices', () => {
    expect(offered(['nemokit', 'completion', ''])).toEqual(['bash', 'zsh', 'fish']);
    const program = new Command('nemokit');
    program
      .command('design')
      .argument('<table>')
      .addOption(new Option('--preset <name>').choices(['quick', 'paper']));
    expect(offered(['nemokit', 'design', '--preset', ''], program)).toEqual(['quick', 'paper']);
    expect(offered(['nemokit', 'design', '--preset', 'p'], program)).toEqual(['paper']);
  });
});

describe.each(shells)('completion in %s', (shell) => {
  it('knows every command and every option', () => {
    const script = completionScript(everything, shell);
    for (const command of everything.commands) {
      expect(script).toContain(command.name());
      for (const { long, hidden } of command.options)
        if (!hidden) expect(script).toContain(shell === 'fish' ? `-l ${long!.slice(2)}` : long);
    }
  });
});
