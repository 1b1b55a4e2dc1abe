// A sign of life while the thread of a command computes without a pause.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Heartbeat } from '../../src/cli/heartbeat.js';

const folder = mkdtempSync(join(tmpdir(), 'nemokit-heartbeat-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** No timer of this thread fires meanwhile. */
function block(milliseconds: number): void {
  const words = new Int32Array(new SharedArrayBuffer(4));
  Atomics.wait(words, 0, 0, milliseconds);
}

/** Computes until the file holds what is looked for, a minute at most. */
function blockUntil(path: string, isThere: (text: string) => boolean): void {
  for (let i = 0; i < 1200 && !isThere(readFileSync(path, 'utf8')); i++) block(50);
}

describe('the sign of life', () => {
  it('is written while the thread computes, and taken away by who writes next', async () => {
    const path = join(folder, 'alone');
    const fd = openSync(path, 'w');
    const heart = new Heartbeat(fd, 300, false, () => 80);
    heart.stage('checking a\u001b[2Jb.csv');
    blockUntil(path, (text) => text.includes(', 1 s'));
    const text = readFileSync(path, 'utf8');
    expect(text).toContain('\r\u001b[2Kchecking a');
    expect(text).toContain(', 1 s');
    expect(text).not.toContain('\u001b[2J');
    expect(heart.clear()).toBe('\r\u001b[2K');
    expect(heart.pause()).toBe('');
    const written = readFileSync(path, 'utf8').length;
    block(1000);
    expect(readFileSync(path, 'utf8').length).toBe(written);
    await heart.stop();
    closeSync(fd);
  });

  it('goes behind a line of progress and leaves the cursor where it was', async () => {
    const path = join(folder, 'behind');
    const fd = openSync(path, 'w');
    const heart = new Heartbeat(fd, 300, false, () => 80);
    heart.behind();
    blockUntil(path, (text) => text.includes('1 s'));
    expect(readFileSync(path, 'utf8')).toContain('\u001b7 1 s\u001b8');
    // the line of progress clears itself
    expect(heart.clear()).toBe('');
    await heart.stop();
    closeSync(fd);
  });

  it('fits a narrow terminal, where a line that wraps could not be taken away', async () => {
    const path = join(folder, 'narrow');
    const fd = openSync(path, 'w');
    const heart = new Heartbeat(fd, 300, false, () => 20);
    heart.stage('checking a table with a long name.csv');
    blockUntil(path, (text) => text.includes(' s'));
    expect(readFileSync(path, 'utf8')).toContain('\r\u001b[2Kchecking a…, ');
    // a line of 19 cells leaves none: the sign goes over its last 7
    heart.behind(19);
    blockUntil(path, (text) => text.includes('\u001b8'));
    expect(readFileSync(path, 'utf8')).toContain('\u001b7\u001b[7D ');
    await heart.stop();
    closeSync(fd);
  });

  it('is whole lines without an escape sequence on a terminal that knows none', async () => {
    const path = join(folder, 'plain');
    const fd = openSync(path, 'w');
    const heart = new Heartbeat(fd, 300, true, () => 80);
    heart.stage('checking past.csv');
    blockUntil(path, (text) => text.includes(', 1 s\n'));
    expect(readFileSync(path, 'utf8')).toMatch(/^(?:checking past\.csv, \d+ s\n)+$/);
    expect(heart.clear()).toBe('');
    await heart.stop();
    closeSync(fd);
  });
});
