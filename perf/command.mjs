// A command of nemokit on a table of a given size, measured from outside: seconds of the processor, and memory.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rootKey, Stream } from '../dist/numeric/index.js';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/** Writes what a process took as its last line on standard error. */
const measured =
  'data:text/javascript,process.on("exit",()=>{const{maxRSS,userCPUTime:u,systemCPUTime:s}=process.resourceUsage();' +
  'process.getBuiltinModule("node:fs").writeSync(2,"\\n"+JSON.stringify({megabytes:maxRSS/1e3,cpu:(u+s)/1e6})+"\\n")})';

/** A table whose last column is a smooth function of the first four, with noise. @param {number} rows @param {number} columns */
function tableText(rows, columns) {
  const stream = new Stream(rootKey(24));
  const lines = [[...Array.from({ length: columns }, (_, j) => `x${j}`), 'yield'].join()];
  for (let i = 0; i < rows; i++) {
    const x = Array.from({ length: columns }, () => Math.round(1e4 * stream.uniform()) / 1e3);
    const y = x.slice(0, 4).reduce((sum, value, j) => sum + (j + 1) * Math.sin(value / 3), 0);
    lines.push(`${x.join()},${(20 + y + 0.3 * stream.normal()).toFixed(3)}`);
  }
  return `${lines.join('\n')}\n`;
}

/**
 * A command on a made-up table, in a process of its own, on one thread.
 * @param {string[]} args @param {number} rows @param {number} columns @param {Record<string, string>} env
 * @returns {{ cpu: number, megabytes: number }}
 */
export function command(args, rows, columns, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'nemokit-growth-'));
  try {
    writeFileSync(join(folder, 'past.csv'), tableText(rows, columns));
    const [name = '', ...options] = args;
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', measured, main, name, 'past.csv', ...options],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, NEMOKIT_THREADS: '1', ...env } },
    );
    // 3: the data support no design
    if (status !== 0 && status !== 3) throw new Error(`${name}, ${rows} x ${columns}: ${stderr}`);
    return JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
