import { join } from 'node:path';
import { exists, sha256Of } from './runFiles.js';

export interface RunName {
  readonly date: Date;
  /** Name of what is wanted, such as the goal's column. */
  readonly goal: string;
  /** SHA-256 of the data. */
  readonly dataHash: string;
  readonly seed: number;
}

/** A free path such as `runs/2026-11-15-yield-7f3a`: the day, the goal, four digits of a hash of data, goal and seed. */
export async function defaultRunPath(root: string, { date, goal, dataHash, seed }: RunName): Promise<string> {
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  const hash = sha256Of(JSON.stringify([dataHash, goal, seed])).slice(0, 4);
  const base = join(root, `${day}-${slugOf(goal)}-${hash}`);
  let path = base;
  for (let n = 2; await exists(path); n++) path = `${base}-${n}`;
  return path;
}

/** Letters and digits that every disk and shell takes. */
function slugOf(text: string): string {
  // Upper case first, which makes SS of ß.
  const plain = text.normalize('NFKD').toUpperCase().toLowerCase();
  const slug = plain
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 24)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'run' : slug;
}
