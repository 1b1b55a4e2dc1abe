// Large tables through the command, in a process of its own: memory, time, and what was left out.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { rootKey, Stream } from '../../src/numeric/index.js';
import type { CheckReport } from '../../src/problem/checkTable.js';

const folder = mkdtempSync(join(tmpdir(), 'nemokit-large-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
/** Writes what a process took as its last line on standard error. */
const measured =
  'data:text/javascript,process.on("exit",()=>{const{maxRSS,userCPUTime:u,systemCPUTime:s}=process.resourceUsage();' +
  'process.getBuiltinModule("node:fs").writeSync(2,JSON.stringify({maxRSS,seconds:(u+s)/1e6})+"\\n")})';

async function writeTable(name: string, columns: number, rows: number): Promise<string> {
  const path = join(folder, name);
  const stream = new Stream(rootKey(columns));
  const names = Array.from({ length: columns }, (_, j) => (j === columns - 1 ? 'yield' : `x${j}`));
  await using file = await open(path, 'w');
  let text = `${names.join()}\n`;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++)
      text += `${Math.round(1e4 * stream.uniform()) / 1e3}${j === columns - 1 ? '\n' : ','}`;
    if (text.length < 1e6 && i < rows - 1) continue;
    await file.write(text);
    text = '';
  }
  return path;
}

interface Taken {
  readonly report: CheckReport;
  readonly gigabytes: number;
  readonly seconds: number;
}

async function check(path: string): Promise<Taken> {
  const run = promisify(execFile)(
    process.execPath,
    ['--import', measured, main, 'check', path, '--goal', 'max yield', '--json'],
    { maxBuffer: 1 << 28 },
  );
  const { stdout, stderr } = await run.catch((error: { code: number; stdout: string; stderr: string }) => {
    // 3: the data support no design
    if (error.code !== 3) throw error;
    return error;
  });
  const { maxRSS, seconds } = JSON.parse(stderr.trim().split('\n').at(-1)!) as {
    maxRSS: number;
    seconds: number;
  };
  return { report: JSON.parse(stdout) as CheckReport, gigabytes: maxRSS / 1e6, seconds };
}

describe('check', () => {
  it('of five million rows takes at most half of the 2.1 GB of 0.1.0', async () => {
    const { report, gigabytes } = await check(await writeTable('long.csv', 3, 5_000_000));
    expect(report.rows).toBe(5_000_000);
    expect(report.support?.level).toBe('good');
    expect(report.notes.join()).toMatch(/is about 2000\d\d of the 5000000 rows/);
    expect(gigabytes).toBeLessThan(1.05);
  });

  it('of twenty thousand columns takes less than 20 s and 1.5 GB, and says what was left out', async () => {
    const { report, gigabytes, seconds } = await check(await writeTable('wide.csv', 20_000, 60));
    expect(report.columns.length).toBe(20_000);
    expect(report.notes).toContainEqual(expect.stringMatching(/^Columns that follow from several others/));
    expect(report.notes).toContainEqual(expect.stringMatching(/^Recipes were looked for among at most 60/));
    expect(gigabytes).toBeLessThan(1.5);
    // of the processor, so that other work on the machine does not count
    expect(seconds).toBeLessThan(20);
  });
});
