/** Runs the command of a call, and turns what it throws into a message and an exit code. */
import { describeFailure } from './failure.js';
import { palette } from './palette.js';
import { buildProgram } from './program.js';

export async function runCommand(argv: readonly string[]): Promise<void> {
  try {
    const program = await buildProgram(argv.slice(2));
    await program.parseAsync(argv);
  } catch (error) {
    const { message, code } = describeFailure(error);
    if (message !== '') process.stderr.write(`${palette(process.stderr).red('nemokit:')} ${message}\n`);
    if (process.env.NEMOKIT_DEBUG === '1' && message !== '' && error instanceof Error)
      process.stderr.write(`\n${error.stack}\n`);
    process.exitCode = code;
  }
}
