// Results of a measurement: written with commit and machine to a file beside the scripts, and printed as a table.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

/**
 * @param {string} name of the file
 * @param {{ load: number, rounds: number, results: readonly object[] }} measured
 * @param {readonly string[]} head @param {readonly (readonly string[])[]} rows
 */
export function keepResults(name, { load, rounds, results }, head, rows) {
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout?.trim();
  const machine = { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version };
  const record = { commit, machine, load, rounds, results };
  writeFileSync(new URL(name, import.meta.url), `${JSON.stringify(record, null, 2)}\n`);
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const taken = `Commit ${commit}, ${machine.cpu}, Node ${machine.node}, load average ${load.toFixed(2)}`;
  process.stdout.write(`${lines.join('\n')}\n\n${taken}, ${rounds} rounds in turn.\n`);
}
