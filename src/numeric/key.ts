// Keys of random streams: Threefry-2x32, 20 rounds (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2,
// 3"). A key and a counter determine every draw, both are plain data, and any key has children.

import { ArgumentError, requireCount } from './errors.js';

/** Two uint32 words. */
export type Key = readonly [number, number];

const WORD = 2 ** 32;
const PARITY = 0x1bd11bda;

/**
 * Encrypts the counters (c0, c1), (c0, c1) + 1, ... under the key (k0, k1) into `out`, two words each. The rounds are
 * written out, because all initial weights come from here.
 */
export function encrypt(k0: number, k1: number, c0: number, c1: number, out: Uint32Array): void {
  const k2 = k0 ^ k1 ^ PARITY;
  let high = c0 | 0;
  let low = c1 | 0;
  for (let i = 0; i + 1 < out.length; i += 2) {
    let x = (high + k0) | 0;
    let y = (low + k1) | 0;
    x = (x + y) | 0;
    y = ((y << 13) | (y >>> 19)) ^ x;
    x = (x + y) | 0;
    y = ((y << 15) | (y >>> 17)) ^ x;
    x = (x + y) | 0;
    y = ((y << 26) | (y >>> 6)) ^ x;
    x = (x + y) | 0;
    y = ((y << 6) | (y >>> 26)) ^ x;
    x = (x + k1) | 0;
    y = (y + k2 + 1) | 0;
    x = (x + y) | 0;
    y = ((y << 17) | (y >>> 15)) ^ x;
    x = (x + y) | 0;
    y = ((y << 29) | (y >>> 3)) ^ x;
    x = (x + y) | 0;
    y = ((y << 16) | (y >>> 16)) ^ x;
    x = (x + y) | 0;
    y = ((y << 24) | (y >>> 8)) ^ x;
    x = (x + k2) | 0;
    y = (y + k0 + 2) | 0;
    x = (x + y) | 0;
    y = ((y << 13) | (y >>> 19)) ^ x;
    x = (x + y) | 0;
    y = ((y << 15) | (y >>> 17)) ^ x;
    x = (x + y) | 0;
    y = ((y << 26) | (y >>> 6)) ^ x;
    x = (x + y) | 0;
    y = ((y << 6) | (y >>> 26)) ^ x;
    x = (x + k0) | 0;
    y = (y + k1 + 3) | 0;
    x = (x + y) | 0;
    y = ((y << 17) | (y >>> 15)) ^ x;
    x = (x + y) | 0;
    y = ((y << 29) | (y >>> 3)) ^ x;
    x = (x + y) | 0;
    y = ((y << 16) | (y >>> 16)) ^ x;
    x = (x + y) | 0;
    y = ((y << 24) | (y >>> 8)) ^ x;
    x = (x + k1) | 0;
    y = (y + k2 + 4) | 0;
    x = (x + y) | 0;
    y = ((y << 13) | (y >>> 19)) ^ x;
    x = (x + y) | 0;
    y = ((y << 15) | (y >>> 17)) ^ x;
    x = (x + y) | 0;
    y = ((y << 26) | (y >>> 6)) ^ x;
    x = (x + y) | 0;
    y = ((y << 6) | (y >>> 26)) ^ x;
    x = (x + k2) | 0;
    y = (y + k0 + 5) | 0;
    out[i] = x;
    out[i + 1] = y;
    low = (low + 1) | 0;
    if (low === 0) high = (high + 1) | 0;
  }
}

/** The Threefry-2x32-20 block function. */
export function threefry(key: Key, counter: Key): Key {
  const out = new Uint32Array(2);
  encrypt(key[0], key[1], counter[0], counter[1], out);
  return [out[0], out[1]];
}

// Children come from blocks whose first word has its top bit set. A stream's counter stays below 2⁵³ and never
// gets there, so no block is both a draw and a key, and split and folded children differ.
const SPLIT: Key = [0x80000000, 1];
const FOLD_NUMBER: Key = [0x80000000, 2];
const FOLD_STRING: Key = [0x80000000, 3];

/** Two's complement words [high, low] of a safe integer. */
function words(argument: string, n: number): Key {
  if (!Number.isSafeInteger(n)) {
    throw new ArgumentError(argument, `${argument} is ${n}; expected a safe integer`);
  }
  return [Math.floor(n / WORD) >>> 0, n >>> 0];
}

/** The key of a seed, any safe integer; equal to JAX's `PRNGKey(seed)` for a non-negative seed below 2³². */
export function rootKey(seed: number): Key {
  return words('seed', seed);
}

/** `count` child keys; child i does not depend on `count`. */
export function splitKey(key: Key, count: number): Key[] {
  requireKey(key);
  requireCount('count', count);
  const parent = threefry(key, SPLIT);
  return Array.from({ length: count }, (_, i) => threefry(parent, words('count', i)));
}

/** The child of `key` named by a safe integer or a string; the number 1 and the string '1' differ. */
export function foldKey(key: Key, data: number | string): Key {
  requireKey(key);
  return typeof data === 'number'
    ? threefry(threefry(key, FOLD_NUMBER), words('data', data))
    : threefry(threefry(key, FOLD_STRING), fnv1a(data));
}

/** 64-bit FNV-1a over the UTF-16 code units, low byte first, as words [high, low]. */
function fnv1a(text: string): Key {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (let i = 0; i < 2 * text.length; i++) {
    const unit = text.charCodeAt(i >>> 1);
    low = (low ^ ((i & 1) === 0 ? unit & 0xff : unit >>> 8)) >>> 0;
    // The prime is 2⁴⁰ + 0x1b3; both products stay below 2⁴¹.
    const product = low * 0x1b3;
    high = (high * 0x1b3 + Math.floor(product / WORD) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return [high, low];
}

function isWord(n: unknown): boolean {
  return typeof n === 'number' && n >>> 0 === n;
}

export function requireKey(key: Key): void {
  if (!Array.isArray(key) || key.length !== 2 || !isWord(key[0]) || !isWord(key[1])) {
    throw new ArgumentError('key', `key is ${JSON.stringify(key)}; expected two unsigned 32-bit integers`);
  }
}
