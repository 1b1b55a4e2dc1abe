#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import pc from 'picocolors';
import { version } from '../version.js';
import { doctor } from './doctor.js';

/** What a command ends with; docs/cli.md lists the same. */
const exitCodes = { ok: 0, internal: 1, usage: 2 } as const;

function build(): Command {
  const program = new Command('nemokit')
    .description(
      'Offline model-based optimisation: from a table of past experiments to a batch of better designs.',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .showSuggestionAfterError()
    .exitOverride();
  program
    .command('doctor')
    .description('say what nemokit runs on here: version, kernel, SIMD, threads, and whether they work')
    .option('--json', 'print one JSON document')
    .action(doctor);
  return program;
}

try {
  await build().parseAsync(process.argv);
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  } else {
    const isTyped = error instanceof Error && 'argument' in error;
    process.stderr.write(`${pc.red('nemokit:')} ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = isTyped ? exitCodes.usage : exitCodes.internal;
  }
}
