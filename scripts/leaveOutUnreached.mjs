// Writes dist/.npmignore: modules and declarations that nothing in the package imports. They are in dist/ for tests and
// studies of the repository; the command has its own copy of what it needs.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

export function leaveOutUnreached() {
  const all = readdirSync(`${root}dist`, { recursive: true, encoding: 'utf8' })
    .map((name) => `dist/${name.replaceAll('\\', '/')}`)
    // pages name their files in ways of their own
    .filter((path) => /\.(?:js|d\.ts)$/.test(path) && !path.startsWith('dist/studio/web/'));
  const { exports, imports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const command = all.filter((path) => path.startsWith('dist/cli/'));
  const reached = reachedFrom([...leaves([exports, imports]), ...command]);
  const rest = all.filter((path) => !reached.has(path)).map((path) => path.slice('dist'.length));
  writeFileSync(`${root}dist/.npmignore`, `${rest.toSorted().join('\n')}\n`);
}

/**
 * Files that these import, or start by their address. A declaration is followed to declarations, a module to modules.
 * @param {readonly string[]} starts
 * @returns {Set<string>}
 */
function reachedFrom(starts) {
  const reached = new Set(
    starts.map((path) => posix.normalize(path)).filter((path) => existsSync(root + path)),
  );
  for (const path of reached) {
    if (!/\.(?:js|d\.ts)$/.test(path)) continue;
    const text = readFileSync(root + path, 'utf8');
    const named = [
      ...text.matchAll(/\b(?:from|import)\s*\(?\s*["'`](\.[^"'`]+)["'`]/g),
      ...text.matchAll(/new URL\(["'`](\.[^"'`]+\.js)["'`],\s*import\.meta\.url\)/g),
    ];
    for (const [, address = ''] of named) {
      const target = posix.join(posix.dirname(path), address);
      const file = path.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target;
      if (existsSync(root + file)) reached.add(file);
    }
  }
  return reached;
}

/** @param {unknown} value @returns {string[]} */
function leaves(value) {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}
