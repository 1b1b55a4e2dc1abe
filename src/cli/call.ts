import { outputAsked, printError } from './errorDocument.js';
import { exitCodes } from './exitCodes.js';
import { describeFailure } from './failure.js';
import { pauseHeartbeat, sayStage } from './heartbeat.js';
import { palette } from './palette.js';
import { buildProgram } from './program.js';
import { writeErr } from './screen.js';

/** One call of `nemokit`, as typed behind its name. Sets the exit code; never throws. */
export async function call(args: readonly string[]): Promise<void> {
  try {
    const program = await buildProgram(args);
    // a worker says what it does, and waits for most of its time
    program.hook('preAction', (_, command) => {
      if (command.name() !== 'worker') sayStage('working');
    });
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    const { message, code, error: details } = describeFailure(error);
    if (message !== '') writeErr(`${palette(process.stderr).red('nemokit:')} ${message}\n`);
    if (process.env.NEMOKIT_DEBUG === '1' && message !== '' && error instanceof Error)
      writeErr(`\n${error.stack}\n`);
    if (code !== exitCodes.ok) printError(details, outputAsked(args));
    process.exitCode = code;
  } finally {
    pauseHeartbeat();
  }
}
