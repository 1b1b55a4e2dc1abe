// Files that a study writes line by line, so that it can be stopped and started again: lines that are in the file are
// read, and what they hold is not computed again.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

/** The commit that a study runs at. */
export const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim();

/**
 * Records, one line of JSON each.
 * @template Run
 * @param {URL} file beside the study's script
 */
export function openRecords(file) {
  /** @type {Run[]} */
  const runs = wholeLines(file).map((line) => JSON.parse(line));
  return {
    runs,
    /** @param {Run} run */
    add(run) {
      appendFileSync(file, `${JSON.stringify(run)}\n`);
      runs.push(run);
    },
  };
}

/**
 * Numbers, one per line, in a file under runs/, which git ignores. Remove it when the code behind the numbers changes.
 * @param {string} name
 * @returns {(make: () => number) => number} the next number: from the file, or made and written
 */
export function openNumbers(name) {
  const folder = new URL('../runs/studies/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const file = new URL(`${name}.txt`, folder);
  const known = wholeLines(file).map(Number);
  let next = 0;
  return (make) => {
    const old = known[next++];
    if (old !== undefined) return old;
    const value = make();
    appendFileSync(file, `${value}\n`);
    return value;
  };
}

/** Without a last line that lacks its end, which a killed process leaves; it is cut off the file. @param {URL} file */
function wholeLines(file) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole !== text) writeFileSync(file, whole);
  return whole.split('\n').slice(0, -1);
}
