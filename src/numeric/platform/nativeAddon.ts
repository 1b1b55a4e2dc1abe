/** Finds the native kernels: an optional package for this system, or what a checkout has built. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { INTERFACE } from '../kernels/opcodes.js';
import type { NativeAddon } from '../threads/native.js';
import type { NativeKernels } from './platform.js';

type Found = NativeKernels | { readonly missing: string };

let found: Found | undefined;

/** Looked for once. */
export function findNative(): Found {
  found ??= find();
  return found;
}

function find(): Found {
  const require = createRequire(import.meta.url);
  const path = addonPath(require);
  if (path === null) return { missing: 'no package for this system is installed, and none was built here' };
  try {
    const addon = require(path) as NativeAddon;
    if (addon.interface !== INTERFACE) return { missing: `${path} was made for another version` };
    if (addon.variants.length === 0) return { missing: 'this processor has no AVX2 with fused multiply-add' };
    // all give the same bits: for tests and measurements
    const wished = process.env.NEMOKIT_INSTRUCTIONS;
    const variant = wished ? addon.variants.indexOf(wished) : 0;
    if (variant < 0)
      return {
        missing: `NEMOKIT_INSTRUCTIONS is "${wished}"; this processor has ${addon.variants.join(' and ')}`,
      };
    return { addon, path, variant };
  } catch (error) {
    return { missing: `${path} cannot be loaded: ${(error as Error).message.split('\n')[0]}` };
  }
}

function addonPath(require: NodeJS.Require): string | null {
  try {
    return require.resolve(`nemokit-native-${process.platform}-${process.arch}/nemokit.node`);
  } catch {
    // the same three steps up from src/ and from dist/
    const built = fileURLToPath(new URL('../../../build/native/nemokit.node', import.meta.url));
    return existsSync(built) ? built : null;
  }
}
