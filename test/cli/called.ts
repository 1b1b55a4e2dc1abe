// A call of `nemokit` in this process: what it prints and how it ends, without the time a new process takes.
import { vi } from 'vitest';
import { call } from '../../src/cli/call.js';
import { buildProgram } from '../../src/cli/program.js';

export interface Called {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function called(...args: readonly string[]): Promise<Called> {
  let [stdout, stderr] = ['', ''];
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      stdout += String(text);
      return true;
    }),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      stderr += String(text);
      return true;
    }),
  ];
  // threads of several test files would wait for each other
  vi.stubEnv('NEMOKIT_THREADS', '1');
  try {
    process.exitCode = 0;
    await call(args);
    return { code: Number(process.exitCode), stdout, stderr };
  } finally {
    process.exitCode = 0;
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
  }
}

/** The names of all commands that have `--json`, such as "runs list". */
export async function jsonCommands(): Promise<string[]> {
  return (await buildProgram()).commands
    .flatMap((command) =>
      command.commands.length > 0
        ? command.commands.map((part) => ({
            name: `${command.name()} ${part.name()}`,
            options: part.options,
          }))
        : { name: command.name(), options: command.options },
    )
    .filter(({ options }) => options.some(({ long }) => long === '--json'))
    .map(({ name }) => name);
}
