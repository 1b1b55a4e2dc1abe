#!/usr/bin/env node
import module from 'node:module';
import { version } from '../version.js';
import { exitCodes } from './exitCodes.js';

for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // `nemokit ... | head` has read enough
    process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.internal);
  });

const [word, ...others] = process.argv.slice(2);
if (others.length === 0 && (word === '--version' || word === '-V')) process.stdout.write(`${version}\n`);
else {
  // Node 22.1 and later keeps compiled code in a folder of its own, below the system's for temporary files.
  (module as { enableCompileCache?(): unknown }).enableCompileCache?.();
  const { call } = await import('./call.js');
  await call(process.argv.slice(2));
}
