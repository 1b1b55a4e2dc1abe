import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { callProgram } from '../../src/bench/programCall.js';

const folder = mkdtempSync(join(tmpdir(), 'nemokit-programs-'));

function program(name: string, code: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!${process.execPath}\n${code}\n`);
  chmodSync(path, 0o755);
  return path;
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    // a process that has ended and was not asked for yet is still listed
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

const goneWithin = async (pid: number, milliseconds: number) => {
  const end = performance.now() + milliseconds;
  while (isAlive(pid) && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  return !isAlive(pid);
};

describe('a program that is called', () => {
  it('gets no further than the longest line', async () => {
    const path = program(
      'endless',
      `const block = 'x'.repeat(1 << 16);
       const more = () => { while (process.stdout.write(block)); process.stdout.once('drain', more); };
       require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'endless.pid'))}, String(process.pid));
       more();`,
    );
    await expect(callProgram(path, {}, (line) => line, { longest: 1 << 20 })).rejects.toThrow(
      `${path}: gave a line of more than 1048576 bytes; an answer is one line of JSON`,
    );
    expect(await goneWithin(Number(readFileSync(join(folder, 'endless.pid'), 'utf8')), 60_000)).toBe(true);
  });

  it('may answer in lines that come in pieces, the last one without an end', async () => {
    const path = program(
      'pieces',
      `process.stdout.write('{"progress"');
       setTimeout(() => process.stdout.write(':0.5}\\n\\n{"a":'), 50);
       setTimeout(() => process.stdout.write('"é"}'), 100);`,
    );
    const seen: unknown[] = [];
    const answer = await callProgram(path, {}, (line) => {
      seen.push(line);
      return (line as { a?: string }).a;
    });
    expect(answer).toBe('é');
    expect(seen).toEqual([{ progress: 0.5 }, { a: 'é' }]);
  });

  it('is killed after the grace if it ignores SIGTERM, with what it started', async () => {
    const pids = join(folder, 'stubborn.pids');
    const path = program(
      'stubborn',
      `process.on('SIGTERM', () => {});
       const stay = "process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); setInterval(() => {}, 1000)";
       const child = require('node:child_process').spawn(process.execPath, ['-e', stay], { stdio: 'inherit' });
       require('node:fs').writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + child.pid);
       console.log('{"done":1}');
       setInterval(() => {}, 1000);`,
    );
    expect(await callProgram(path, {}, (line) => line, { grace: 300 })).toEqual({ done: 1 });
    expect(existsSync(pids)).toBe(true);
    const started = readFileSync(pids, 'utf8').split(' ').map(Number);
    for (const pid of started) expect(await goneWithin(pid, 60_000), String(pid)).toBe(true);
  });

  it('that ended and left a child with its pipes is not waited for', async () => {
    const path = program(
      'leaver',
      `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }).unref();
       process.exit(0);`,
    );
    await expect(callProgram(path, {}, (line) => line, { grace: 300 })).rejects.toThrow(
      'ended without an answer',
    );
  });

  it('cannot speak to the terminal in control characters', async () => {
    let said = '';
    const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said += String(text);
      return true;
    });
    const path = program(
      'painter',
      `process.stderr.write('\\u001b]0;title\\u0007\\u001b[2Jhello\\r\\n', () => console.log('{}'));`,
    );
    try {
      await callProgram(path, {}, (line) => line);
    } finally {
      spy.mockRestore();
    }
    expect(said).toBe('·]0;title··[2Jhello\n');
  });
});
