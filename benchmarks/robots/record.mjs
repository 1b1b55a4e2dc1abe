// Lines of numbers appended to a file under runs/, which git ignores: what was computed before is not computed again.
// Remove them when a robot or a gait has changed.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * @param {string} name
 * @returns {(make: () => number) => number} the next number: from the file, or made and written
 */
export function openRecord(name) {
  const folder = new URL('runs/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const file = new URL(`${name}.txt`, folder);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  // A kill may leave a line without its end.
  if (whole !== text) writeFileSync(file, whole);
  const known = whole.split('\n').slice(0, -1).map(Number);
  let next = 0;
  return (make) => {
    const index = next++;
    const old = known[index];
    if (old !== undefined) return old;
    const value = make();
    appendFileSync(file, `${value}\n`);
    return value;
  };
}
