/** Where the recorded designs of the robots are: 26 MB, which the package leaves to another, nemokit-robots. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const robotPackage = 'nemokit-robots';

/** `data/` of a clone; in an installed package it holds no designs. */
const ownData = fileURLToPath(new URL('../../data', import.meta.url));

/**
 * The folder with `<dataset>/designs.bin`: `own`, if it has designs, else that of the package as seen from `places`. Where
 * there is neither, `own`, in which a file is then missing.
 */
export function robotData(
  own = ownData,
  places: readonly string[] = [import.meta.url, join(process.cwd(), 'here.js')],
): string {
  if (existsSync(join(own, 'hopper-controller', 'designs.bin'))) return own;
  for (const place of places) {
    try {
      return join(dirname(createRequire(place).resolve(`${robotPackage}/package.json`)), 'data');
    } catch {
      // Not installed where this place looks.
    }
  }
  return own;
}
