#!/usr/bin/env node
import { writeSync } from 'node:fs';
import module from 'node:module';
import { version } from '../version.js';
import { exitCodes } from './exitCodes.js';

for (const [name, stream] of [
  ['standard output', process.stdout],
  ['standard error', process.stderr],
] as const)
  stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // `nemokit ... | head` has read enough
    if (code === 'EPIPE') process.exit(exitCodes.ok);
    const reason = code === 'ENOSPC' ? 'the disk is full; free some space, then try again' : message;
    try {
      // at once: the process ends with the next statement
      writeSync(2, `nemokit: ${name} cannot be written: ${reason}\n`);
    } catch {
      // there is nobody to tell
    }
    process.exit(exitCodes.internal);
  });

const [word, ...others] = process.argv.slice(2);
if (others.length === 0 && (word === '--version' || word === '-V')) process.stdout.write(`${version}\n`);
else {
  // Node 22.1 and later keeps compiled code in a folder of its own, below the system's for temporary files.
  (module as { enableCompileCache?(): unknown }).enableCompileCache?.();
  const { call } = await import('./call.js');
  await call(process.argv.slice(2));
}
