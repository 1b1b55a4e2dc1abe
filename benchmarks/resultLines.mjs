// Results of a study, one line of JSON per run in results/: what is there is read, so that it is not run again, and what is
// new is put below it.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** The commit that a study is run at. */
export const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim();

/**
 * @template Run
 * @param {string} name of a file in results/
 */
export function openResults(name) {
  const file = new URL(`results/${name}`, import.meta.url);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  /** @type {Run[]} */
  const runs = lines.map((line) => JSON.parse(line));
  return {
    runs,
    /** @param {Run} run */
    add(run) {
      appendFileSync(file, `${JSON.stringify(run)}\n`);
      runs.push(run);
    },
  };
}
