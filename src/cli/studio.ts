/** `nemokit studio`: the whole job in a browser, computed on this machine. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { count } from '../report/index.js';
import { STUDIO_PORT } from '../report/studioLink.js';
import { listenForInterrupts } from '../runs/interrupts.js';
import { type Served, serveStudio } from '../studio/server/serve.js';
import { CommandError, exitCodes } from './exitCodes.js';
import { numberOf } from './optionValues.js';
import { palette } from './palette.js';
import { runPath } from './runArgument.js';
import { writeErr, writeOut } from './screen.js';

interface StudioFlags {
  readonly port?: string;
  readonly jobs?: string;
  readonly static?: boolean;
  readonly open?: boolean;
}

/** Browsers keep runs by address, so the pages alone have the same one every time. */
const STATIC_PORT = 4747;

/** The built pages. */
const web = fileURLToPath(new URL('../studio/web/', import.meta.url));

export function addStudio(program: Command): void {
  program
    .command('studio')
    .description('open the studio: the whole job in a browser, on this machine')
    .argument('[folder]', 'folder with tables and runs, or a run; default: this folder')
    .option(
      '--port <number>',
      `port of 127.0.0.1; default: ${STUDIO_PORT} or a free one, with --static ${STATIC_PORT}`,
    )
    .option('--jobs <count>', 'how many runs to compute at once; default 2')
    .option('--static', 'serve the pages alone: they compute in the browser and keep runs there')
    .option('--open', 'open the link in the default browser')
    .action(async (folder: string | undefined, flags: StudioFlags) => {
      if (flags.static && folder !== undefined)
        throw new CommandError(
          exitCodes.usage,
          '--static keeps runs in the browser and opens no folder; leave one of the two out',
        );
      const port =
        flags.port === undefined
          ? flags.static
            ? STATIC_PORT
            : STUDIO_PORT
          : numberOf('--port', flags.port, { least: 0, most: 65535 });
      const jobs = flags.jobs === undefined ? 2 : numberOf('--jobs', flags.jobs, { least: 1, most: 64 });
      const served = await serveStudio({
        web,
        port,
        orAnyPort: flags.port === undefined && !flags.static,
        ...(!flags.static && { host: { folder: await folderOf(folder), jobs } }),
      });
      using interrupts = listenForInterrupts({ onInterrupt: () => sayClosing(served) });
      writeOut(`${served.link}\n`);
      const paint = palette(process.stderr);
      writeErr(`${paint.dim('The studio is at this link, on this machine only. Ctrl-C closes it.')}\n`);
      for (const name of (await served.host?.goOn()) ?? []) writeErr(`going on with ${name}\n`);
      await using _ = flags.open ? await openBrowser(served.link) : undefined;
      await new Promise<void>((resolve) => {
        if (interrupts.signal.aborted) resolve();
        interrupts.signal.addEventListener('abort', () => resolve());
      });
      await served.close();
    });
}

/** A folder, or a run by its name in runs/. */
async function folderOf(text: string | undefined): Promise<string> {
  if (text === undefined) return '.';
  return (await stat(text).catch(() => undefined)) ? text : runPath(text);
}

function sayClosing({ host }: Served): void {
  const busy = host?.busy ?? 0;
  writeErr(
    busy === 0
      ? 'closing\n'
      : `closing; ${count(busy, 'run')} ${busy === 1 ? 'is' : 'are'} saved, and ${busy === 1 ? 'goes' : 'go'} on when the studio is opened again\n`,
  );
}

/**
 * By the program that the system has for it; the link is printed in any case. Other users of the machine see the
 * arguments of programs, so the link with its token goes through a file that they cannot read.
 */
async function openBrowser(link: string): Promise<AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'nemokit-link-'));
  const file = join(folder, 'studio.html');
  const page = `<!doctype html><meta charset="utf-8"><title>nemokit studio</title><meta http-equiv="refresh" content="0; url=${link}">`;
  await writeFile(file, page, { mode: 0o600 });
  const openers: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer.exe' };
  const opener = openers[process.platform] ?? 'xdg-open';
  const child = spawn(opener, [file], { stdio: 'ignore', detached: true });
  child.once('error', () => writeErr(`no browser could be started (${opener}); open the link above\n`));
  child.unref();
  return { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
