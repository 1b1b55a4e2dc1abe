// Random numbers from a key (key.ts), in order.
//
// Samplers use integers, + - * /, Math.sqrt (correctly rounded by IEEE 754) and `portableLog`, so that a seed gives
// the same bits on every engine.

import { ArgumentError, NotFiniteError, requireCount, requireFinite } from './errors.js';
import { encrypt, type Key, requireKey } from './key.js';
import { portableLog } from './portable.js';

/** A stream at rest; survives JSON. */
export interface StreamState {
  readonly key: Key;
  /** Blocks drawn so far. */
  readonly counter: number;
  /** The second normal of the last pair, if not yet handed out. */
  readonly spare: number | null;
}

const WORD = 2 ** 32;
/** Blocks that a fill draws at a time. */
const CHUNK = 2048;
/** Words that single draws encrypt ahead. */
const MOST_AHEAD = 256;

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
  #counter = 0;
  /** Blocks from number `#first` on, two words each: one at first, then twice as many each time they are used up. */
  #blocks = new Uint32Array(2);
  #first = Number.POSITIVE_INFINITY;
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

  /** Where in `#blocks` the next block is. */
  #draw(): number {
    let at = 2 * (this.#counter - this.#first);
    if (!(at >= 0 && at < this.#blocks.length)) {
      if (at === this.#blocks.length && at < MOST_AHEAD) this.#blocks = new Uint32Array(2 * at);
      this.#encrypt(this.#blocks);
      this.#first = this.#counter;
      at = 0;
    }
    this.#counter += 1;
    return at;
  }

  /** The blocks from the next one on. */
  #encrypt(words: Uint32Array): void {
    encrypt(this.#key[0], this.#key[1], Math.floor(this.#counter / WORD), this.#counter >>> 0, words);
  }

  /** The top 53 bits of a block, as an integer. */
  #bits(): number {
    const at = this.#draw();
    return this.#blocks[at]! * 2 ** 21 + (this.#blocks[at + 1]! >>> 11);
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
      const at = this.#draw();
      const word = this.#blocks[at]!;
      if (word < limit) return word % n;
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
    if (target instanceof Float32Array) this.#fillFloats(target, lo, width);
    else for (let i = 0; i < target.length; i++) target[i] = lo + width * this.uniform();
  }

  /** 24 bits are all that a float32 holds: two numbers per block. */
  #fillFloats(target: Float32Array, lo: number, width: number): void {
    const words = new Uint32Array(Math.min(2 * CHUNK, 2 * Math.ceil(target.length / 2)));
    for (let from = 0; from < target.length; from += words.length) {
      const count = Math.min(words.length, target.length - from);
      const used = words.subarray(0, 2 * Math.ceil(count / 2));
      this.#encrypt(used);
      this.#counter += used.length / 2;
      for (let i = 0; i < count; i++) target[from + i] = lo + width * (words[i]! >>> 8) * 2 ** -24;
    }
  }

  /** Normal with the given mean and standard deviation, in the order of `normal()`. */
  fillNormal(target: Float32Array | Float64Array, mean: number, sd: number): void {
    requireNumber('mean', mean);
    requireNumber('sd', sd);
    if (sd < 0) throw new ArgumentError('sd', `sd is ${sd}; expected a number not negative`);
    for (let i = 0; i < target.length; i++) target[i] = mean + sd * this.normal();
  }
}
