// A copy that scripts/build.mjs makes of the package `highs`, which asks for a module of Node that bundlers for browsers
// do not have. highs.wasm lies beside it.
import type { Highs } from 'highs';
import load from './highs.js';

export const loadHighs: (options: object) => Promise<Highs> = load;
