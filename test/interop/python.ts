// What the tests of other languages share: the interpreter, and the scripts that a page shows.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Python 3 by the name it has here; undefined, with a word on stderr, where there is none. */
export const python = ['python3', 'python'].find((name) =>
  /^Python 3\./.test(spawnSync(name, ['--version'], { encoding: 'utf8' }).stdout ?? ''),
);
if (!python) process.stderr.write('tests with Python are skipped: there is no python3 on the PATH\n');

export const predictScript = fileURLToPath(new URL('predict.py', import.meta.url));

/** Fenced blocks of one language, in order. */
export function codeBlocks(page: string, language: string): string[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    (match) => match[1]!,
  );
}

export function runPython(
  cwd: string,
  args: readonly string[],
): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(python!, args, {
    cwd,
    encoding: 'utf8',
    timeout: 300_000,
    maxBuffer: 1e8,
    env: { ...process.env, NEMOKIT_THREADS: '1', PYTHONIOENCODING: 'utf-8' },
  });
  return { status, stdout, stderr };
}

/** One document per line. */
export function jsonLines<Line>(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Line);
}
