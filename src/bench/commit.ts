/** The commit that runs, where nemokit runs from a clone: read from .git, without asking a program. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);

/** Null for an installed package, or where .git is not as expected. */
export async function commitOf(): Promise<string | null> {
  const read = (name: string) => readFile(fileURLToPath(new URL(`.git/${name}`, root)), 'utf8');
  try {
    const head = (await read('HEAD')).trim();
    if (!head.startsWith('ref: ')) return short(head);
    const ref = head.slice('ref: '.length);
    const own = await read(ref).catch(() => undefined);
    if (own) return short(own.trim());
    const packed = (await read('packed-refs')).split('\n').find((line) => line.endsWith(` ${ref}`));
    return packed ? short(packed.split(' ')[0]!) : null;
  } catch {
    return null;
  }
}

function short(hash: string): string | null {
  return /^[0-9a-f]{40,64}$/.test(hash) ? hash.slice(0, 12) : null;
}
