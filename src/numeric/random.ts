// Splittable random numbers: Threefry-2x32, 20 rounds (Salmon et al. 2011, "Parallel random numbers: as easy
// as 1, 2, 3"). A key and a counter determine every draw, and both are plain data.
//
// Samplers use integers, + - * /, Math.sqrt (correctly rounded by IEEE 754) and `portableLog`, so that a seed
// gives the same bits on every engine.

import { ArgumentError, NotFiniteError, requireCount, requireFinite } from './errors.js';
import { portableLog } from './special.js';

/** Two uint32 words. */
export type Key = readonly [number, number];

/** A stream at rest; survives JSON. */
export interface StreamState {
  readonly key: Key;
  /** Blocks drawn so far. */
  readonly counter: number;
  /** The second normal of the last pair, if not yet handed out. */
  readonly spare: number | null;
}

const WORD = 2 ** 32;
const PARITY = 0x1bd11bda;

function rotate(x: number, by: number): number {
  return (x << by) | (x >>> (32 - by));
}

/** Encrypts the counter (c0, c1) under the key (k0, k1) into `out`. */
function encrypt(k0: number, k1: number, c0: number, c1: number, out: Uint32Array): void {
  let next = k1;
  let afterNext = k0 ^ k1 ^ PARITY;
  let last = k0;
  let x0 = (c0 + k0) | 0;
  let x1 = (c1 + k1) | 0;
  for (let group = 1; group <= 5; group++) {
    const odd = (group & 1) === 1;
    x0 = (x0 + x1) | 0;
    x1 = rotate(x1, odd ? 13 : 17) ^ x0;
    x0 = (x0 + x1) | 0;
    x1 = rotate(x1, odd ? 15 : 29) ^ x0;
    x0 = (x0 + x1) | 0;
    x1 = rotate(x1, odd ? 26 : 16) ^ x0;
    x0 = (x0 + x1) | 0;
    x1 = rotate(x1, odd ? 6 : 24) ^ x0;
    x0 = (x0 + next) | 0;
    x1 = (x1 + afterNext + group) | 0;
    const first = next;
    next = afterNext;
    afterNext = last;
    last = first;
  }
  out[0] = x0;
  out[1] = x1;
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

function requireKey(key: Key): void {
  if (!Array.isArray(key) || key.length !== 2 || !isWord(key[0]) || !isWord(key[1])) {
    throw new ArgumentError('key', `key is ${JSON.stringify(key)}; expected two unsigned 32-bit integers`);
  }
}

function requireNumber(argument: string, value: number): void {
  if (Number.isFinite(value)) return;
  throw new NotFiniteError(argument, `${argument} is ${value}; expected a finite number`);
}

function requireInteger(argument: string, n: number, from: number, to: number): void {
  if (!Number.isSafeInteger(n) || n < from || n > to) {
    throw new ArgumentError(argument, `${argument} is ${n}; expected an integer from ${from} to ${to}`);
  }
}

/** Draws from one key, in order: one 64-bit block for each uniform, and one for each try of a rejection. */
export class Stream {
  readonly #key: Key;
  readonly #block = new Uint32Array(2);
  #counter = 0;
  #spare: number | null = null;

  constructor(source: Key | StreamState) {
    const state = 'counter' in source ? source : { key: source, counter: 0, spare: null };
    requireKey(state.key);
    requireInteger('counter', state.counter, 0, Number.MAX_SAFE_INTEGER);
    if (state.spare !== null) requireNumber('spare', state.spare);
    this.#key = [state.key[0], state.key[1]];
    this.#counter = state.counter;
    this.#spare = state.spare;
  }

  /** Everything needed to continue bit for bit: `new Stream(stream.state())`. */
  state(): StreamState {
    return { key: [this.#key[0], this.#key[1]], counter: this.#counter, spare: this.#spare };
  }

  #draw(): void {
    encrypt(this.#key[0], this.#key[1], Math.floor(this.#counter / WORD), this.#counter >>> 0, this.#block);
    this.#counter += 1;
  }

  /** The top 53 bits of a block, as an integer. */
  #bits(): number {
    this.#draw();
    return this.#block[0] * 2 ** 21 + (this.#block[1] >>> 11);
  }

  /** A multiple of 2⁻⁵³ in [0, 1). */
  uniform(): number {
    return this.#bits() * 2 ** -53;
  }

  /** An odd multiple of 2⁻⁵³ in (0, 1), for a logarithm. */
  #openUniform(): number {
    return (Math.floor(this.#bits() / 2) + 0.5) * 2 ** -52;
  }

  /** Standard normal by Marsaglia's polar method, two at a time; needs no sine or cosine. */
  normal(): number {
    if (this.#spare !== null) {
      const spare = this.#spare;
      this.#spare = null;
      return spare;
    }
    for (;;) {
      const u = 2 * this.uniform() - 1;
      const v = 2 * this.uniform() - 1;
      const s = u * u + v * v;
      if (s >= 1 || s === 0) continue;
      const factor = Math.sqrt((-2 * portableLog(s)) / s);
      this.#spare = v * factor;
      return u * factor;
    }
  }

  /** An integer in [0, n), each equally likely, by rejection; n at most 2⁵³ - 1. */
  integer(n: number): number {
    requireCount('n', n);
    if (n > WORD) {
      const limit = 2 ** 53 - (2 ** 53 % n);
      for (;;) {
        const value = this.#bits();
        if (value < limit) return value % n;
      }
    }
    const limit = WORD - (WORD % n);
    for (;;) {
      this.#draw();
      if (this.#block[0] < limit) return this.#block[0] % n;
    }
  }

  /** True with probability `p`. */
  boolean(p = 0.5): boolean {
    if (!(p >= 0 && p <= 1)) throw new ArgumentError('p', `p is ${p}; expected a number from 0 to 1`);
    return this.uniform() < p;
  }

  /** Exponential of mean 1, -log u. */
  exponential(): number {
    return -portableLog(this.#openUniform());
  }

  /** Standard Gumbel, -log(-log u). */
  gumbel(): number {
    return -portableLog(-portableLog(this.#openUniform()));
  }

  /** Fisher-Yates, in place. */
  shuffle<T>(array: { readonly length: number; [index: number]: T }): void {
    for (let i = array.length - 1; i > 0; i--) {
      const j = this.integer(i + 1);
      const held = array[i];
      array[i] = array[j];
      array[j] = held;
    }
  }

  /** 0 … n - 1 in random order. */
  permutation(n: number): Uint32Array {
    requireInteger('n', n, 0, WORD - 1);
    const order = new Uint32Array(n);
    for (let i = 0; i < n; i++) order[i] = i;
    this.shuffle(order);
    return order;
  }

  /** `k` distinct integers of [0, n) in random order; O(k) memory, by Fisher-Yates on a sparse array. */
  choose(n: number, k: number): Uint32Array {
    requireInteger('n', n, 0, WORD);
    requireInteger('k', k, 0, n);
    const moved = new Map<number, number>();
    const chosen = new Uint32Array(k);
    for (let i = 0; i < k; i++) {
      const j = i + this.integer(n - i);
      chosen[i] = moved.get(j) ?? j;
      moved.set(j, moved.get(i) ?? i);
    }
    return chosen;
  }

  /** `k` independent integers of [0, n). */
  sampleWithReplacement(n: number, k: number): Uint32Array {
    requireInteger('n', n, 1, WORD);
    requireInteger('k', k, 0, WORD - 1);
    const sample = new Uint32Array(k);
    for (let i = 0; i < k; i++) sample[i] = this.integer(n);
    return sample;
  }

  /** An index with probability proportional to its weight; never one of weight 0. */
  categorical(weights: ArrayLike<number>): number {
    requireFinite('weights', weights);
    let total = 0;
    for (let i = 0; i < weights.length; i++) {
      if (weights[i] < 0) {
        throw new ArgumentError('weights', `weights[${i}] is ${weights[i]}; expected no negative weight`);
      }
      total += weights[i];
    }
    if (!(total > 0 && total < Number.POSITIVE_INFINITY)) {
      throw new ArgumentError('weights', `weights sum to ${total}; expected a positive finite sum`);
    }
    const target = this.uniform() * total;
    let sum = 0;
    let last = 0;
    for (let i = 0; i < weights.length; i++) {
      if (weights[i] === 0) continue;
      sum += weights[i];
      last = i;
      if (target < sum) break;
    }
    return last;
  }

  /** Uniform on [lo, hi); `hi` itself only by rounding to the target's precision. */
  fillUniform(target: Float32Array | Float64Array, lo: number, hi: number): void {
    const width = hi - lo;
    requireNumber('lo', lo);
    requireNumber('hi', hi);
    if (!(width >= 0 && width < Number.POSITIVE_INFINITY)) {
      throw new ArgumentError('hi', `hi - lo is ${width}; expected a finite number, not negative`);
    }
    for (let i = 0; i < target.length; i++) target[i] = lo + width * this.uniform();
  }

  /** Normal with the given mean and standard deviation, in the order of `normal()`. */
  fillNormal(target: Float32Array | Float64Array, mean: number, sd: number): void {
    requireNumber('mean', mean);
    requireNumber('sd', sd);
    if (sd < 0) throw new ArgumentError('sd', `sd is ${sd}; expected a number not negative`);
    for (let i = 0; i < target.length; i++) target[i] = mean + sd * this.normal();
  }
}
