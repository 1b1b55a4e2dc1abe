#!/usr/bin/env node
import { outputAsked, printError } from './errorDocument.js';
import { exitCodes } from './exitCodes.js';
import { describeFailure } from './failure.js';
import { palette } from './palette.js';
import { buildProgram } from './program.js';

for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // `nemokit ... | head` has read enough
    process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.internal);
  });

try {
  const program = await buildProgram(process.argv.slice(2));
  await program.parseAsync(process.argv);
} catch (error) {
  const { message, code, error: details } = describeFailure(error);
  if (message !== '') process.stderr.write(`${palette(process.stderr).red('nemokit:')} ${message}\n`);
  if (process.env.NEMOKIT_DEBUG === '1' && message !== '' && error instanceof Error)
    process.stderr.write(`\n${error.stack}\n`);
  if (code !== exitCodes.ok) printError(details, outputAsked(process.argv.slice(2)));
  process.exitCode = code;
}
