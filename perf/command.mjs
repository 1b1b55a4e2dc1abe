// A command of nemokit, or a script of this repository, measured from outside: seconds of the processor of all its processes, and
// the memory of the largest.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rootKey, Stream } from '../dist/numeric/index.js';

const file = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
export const main = file('../dist/cli/main.js');

/** @typedef {{ cpu: number, megabytes: number }} Cost */

/**
 * A script of Node's in a process of its own, on one thread. `allowed`: codes that it may end with.
 * @param {string[]} args @param {{ cwd: string, env?: Record<string, string>, allowed?: number[] }} where
 * @returns {Cost}
 */
export function cost(args, { cwd, env = {}, allowed = [0] }) {
  const folder = mkdtempSync(join(tmpdir(), 'nemokit-cost-'));
  const costs = join(folder, 'costs');
  writeFileSync(costs, '');
  try {
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd,
      encoding: 'utf8',
      env: {
        ...process.env,
        NEMOKIT_THREADS: '1',
        ...env,
        NEMOKIT_COSTS: costs,
        NODE_OPTIONS: `--import=${new URL('reportCost.mjs', import.meta.url)}`,
      },
    });
    if (!allowed.includes(status ?? -1)) throw new Error(`${args.join(' ')}: ${stderr}`);
    const found = readFileSync(costs, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return {
      cpu: found.reduce((sum, one) => sum + one.cpu, 0),
      megabytes: found.reduce((most, one) => Math.max(most, one.megabytes), 0),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

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
 * A command on a made-up table.
 * @param {string[]} args @param {number} rows @param {number} columns @param {Record<string, string>} env
 * @returns {Cost}
 */
export function command(args, rows, columns, env = {}) {
  const cwd = mkdtempSync(join(tmpdir(), 'nemokit-growth-'));
  try {
    writeFileSync(join(cwd, 'past.csv'), tableText(rows, columns));
    const [name = '', ...options] = args;
    // 3: the data support no design
    return cost([main, name, 'past.csv', ...options], { cwd, env, allowed: [0, 3] });
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
