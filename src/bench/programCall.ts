/**
 * One call of a program: a line in, lines out. The program leads a process group of its own, and ends with all that it
 * started once it has answered: asked first, killed if it goes on. What it says on standard error is shown as text.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { ArgumentError } from '../numeric/errors.js';
import { visibleText } from '../visibleText.js';

/** Bytes of a line at most: ten thousand designs of a few hundred numbers. */
const LONGEST = 64 * 2 ** 20;
/** Milliseconds between the request to end and the kill. */
const GRACE = 2000;

/** Sends one line, then reads lines until `read` returns a value. */
export function callProgram<T>(
  path: string,
  request: object,
  read: (line: unknown) => T | undefined,
  { longest = LONGEST, grace = GRACE } = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, [], {
      stdio: ['pipe', 'pipe', 'pipe'],
      // a group of its own; Windows opens a window instead
      detached: process.platform !== 'win32',
    });
    const stop = stopper(child, grace);
    const fail = (fault: string) => {
      stop();
      reject(new ArgumentError('plugin', `${path}: ${fault}`));
    };
    child.on('error', (error) =>
      fail(`cannot be started (${error.message}); a program has to be executable, a module ends in .mjs`),
    );
    // It may answer and end before it has read everything.
    child.stdin.on('error', () => {});
    child.stdin.end(`${JSON.stringify(request)}\n`);
    child.stderr.on('data', (chunk: Buffer) => process.stderr.write(visibleText(chunk.toString('utf8'))));
    let isOver = false;
    const take = (line: string) => {
      if (line.trim() === '' || isOver) return;
      try {
        const result = read(JSON.parse(line));
        if (result === undefined) return;
        isOver = true;
        resolve(result);
        stop();
      } catch (error) {
        isOver = true;
        if (error instanceof ArgumentError) {
          reject(error);
          stop();
        } else fail(`gave an unexpected answer: ${line.slice(0, 200)}`);
      }
    };
    readLines(child.stdout, longest, take, () => {
      isOver = true;
      fail(`gave a line of more than ${longest} bytes; an answer is one line of JSON`);
    });
    child.stdout.once('close', () => {
      if (!isOver) fail('ended without an answer');
    });
  });
}

/** Lines of a stream. One that is longer than `longest` ends the reading. */
function readLines(
  stream: NodeJS.ReadableStream,
  longest: number,
  take: (line: string) => void,
  onTooLong: () => void,
): void {
  let begun: Buffer[] = [];
  let bytes = 0;
  const onData = (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, from)) {
      begun.push(chunk.subarray(from, at));
      take(Buffer.concat(begun).toString('utf8'));
      begun = [];
      bytes = 0;
      from = at + 1;
    }
    begun.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes <= longest) return;
    stream.off('data', onData);
    begun = [];
    onTooLong();
  };
  stream.on('data', onData);
  // a last line without an end
  stream.on('end', () => {
    if (bytes > 0) take(Buffer.concat(begun).toString('utf8'));
  });
}

/** Ends a program and its group: SIGTERM, and SIGKILL after the grace, or when this process ends. */
function stopper(child: ChildProcess, grace: number): () => void {
  const signal = (name: NodeJS.Signals) => {
    if (child.pid === undefined) return;
    try {
      if (process.platform === 'win32') child.kill(name);
      else process.kill(-child.pid, name);
    } catch {
      // nobody of the group is left
    }
  };
  const kill = () => signal('SIGKILL');
  let timer: NodeJS.Timeout | undefined;
  const stop = (name?: NodeJS.Signals) => {
    if (timer) return;
    if (name) signal(name);
    timer = setTimeout(kill, grace);
  };
  process.once('exit', kill);
  // A program that has ended may have left others that hold its pipes open.
  child.once('exit', () => stop());
  child.once('close', () => {
    clearTimeout(timer);
    process.off('exit', kill);
    kill();
  });
  return () => {
    stop('SIGTERM');
    child.stdout?.resume();
  };
}
