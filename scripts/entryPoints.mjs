// The entry points of the package, from `exports` of package.json: what users may import, and the file it is made of.
import { readFileSync } from 'node:fs';

/** @typedef {{ name: string, source: string }} EntryPoint `nemokit/node` is made of `src/node.ts` */

/**
 * @param {string} manifest text of package.json
 * @returns {EntryPoint[]} in the order of `exports`; JSON files have no types and are left out
 */
export function entryPointsOf(manifest) {
  /** @type {{ name: string, exports: Record<string, unknown> }} */
  const { name, exports } = JSON.parse(manifest);
  return Object.entries(exports).flatMap(([path, target]) => {
    const types = typesOf(target);
    if (types === undefined) return [];
    const source = types.replace(/^\.\/dist\//, 'src/').replace(/\.d\.ts$/, '.ts');
    return [{ name: name + path.slice(1), source }];
  });
}

/** The declarations of a target, whose conditions may be nested. @param {unknown} target @returns {string | undefined} */
function typesOf(target) {
  if (typeof target !== 'object' || target === null) return undefined;
  for (const [condition, value] of Object.entries(target)) {
    const types = condition === 'types' && typeof value === 'string' ? value : typesOf(value);
    if (types !== undefined) return types;
  }
  return undefined;
}

/** @returns {EntryPoint[]} */
export const entryPoints = () =>
  entryPointsOf(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
