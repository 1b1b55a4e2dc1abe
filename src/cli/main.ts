#!/usr/bin/env node
import { call } from './call.js';
import { exitCodes } from './exitCodes.js';

for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // `nemokit ... | head` has read enough
    process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.internal);
  });

await call(process.argv.slice(2));
