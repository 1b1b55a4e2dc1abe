/**
 * Sobol's sequence (1967) in any number of dimensions. Dimension 0 is van der Corput's; dimension j > 0 has the j-th
 * primitive polynomial over GF(2), by degree and then by value. Its first direction numbers are drawn from a key, odd as
 * they have to be, and every dimension is shifted by digits drawn from it. So each key is another randomised sequence, and
 * no table of direction numbers is needed.
 */
import { requireCount } from './errors.js';
import { foldKey, type Key } from './key.js';
import { Stream } from './random.js';

const BITS = 32;
const WORD = 4294967296;

/** 2 to a whole number from 0: by doubling, because engines differ in the last bits of powers. */
function powerOfTwo(exponent: number): number {
  let power = 1;
  for (let i = 0; i < exponent; i++) power *= 2;
  return power;
}

/** The first `count` points in [0, 1), count x d. */
export function sobolPoints(d: number, count: number, key: Key): Float64Array {
  requireCount('d', d);
  requireCount('count', count);
  const points = new Float64Array(count * d);
  const directions = new Stream(foldKey(key, 'directions'));
  const shifts = new Stream(foldKey(key, 'shifts'));
  const polynomials = primitivePolynomials();
  for (let j = 0; j < d; j++) {
    const v = j === 0 ? vanDerCorput() : directionNumbers(polynomials.next().value, directions);
    let state = shifts.integer(WORD) >>> 0;
    for (let i = 0; i < count; i++) {
      // Gray code (Antonov & Saleev 1979): the next point differs by the direction of the lowest zero bit of i
      points[i * d + j] = state / WORD;
      state = (state ^ v[lowestZero(i)]!) >>> 0;
    }
  }
  return points;
}

function vanDerCorput(): Uint32Array {
  return Uint32Array.from({ length: BITS }, (_, b) => powerOfTwo(BITS - 1 - b));
}

/**
 * v_1 .. v_32 of a polynomial x^s + a_1 x^(s-1) + ... + 1, given as its bits: v_i = m_i / 2^i, with m_1 .. m_s odd and below
 * 2^i, and m_i = 2 a_1 m_(i-1) ^ ... ^ 2^(s-1) a_(s-1) m_(i-s+1) ^ 2^s m_(i-s) ^ m_(i-s).
 */
function directionNumbers(polynomial: number, stream: Stream): Uint32Array {
  const s = degreeOf(polynomial);
  const v = new Uint32Array(BITS);
  for (let i = 0; i < s; i++) v[i] = (2 * stream.integer(powerOfTwo(i)) + 1) * powerOfTwo(BITS - 1 - i);
  for (let i = s; i < BITS; i++) {
    let value = v[i - s]! ^ (v[i - s]! >>> s);
    for (let k = 1; k < s; k++) if ((polynomial >>> (s - k)) & 1) value ^= v[i - k]!;
    v[i] = value >>> 0;
  }
  return v;
}

/** Primitive polynomials over GF(2) as bits, from x + 1 on. */
export function* primitivePolynomials(): Generator<number, never, void> {
  for (let degree = 1; ; degree++) {
    const order = powerOfTwo(degree) - 1;
    const parts = primeFactors(order).map((prime) => order / prime);
    for (let polynomial = powerOfTwo(degree) + 1; polynomial < powerOfTwo(degree + 1); polynomial += 2) {
      // primitive: x has the greatest order there is
      const isPrimitive =
        powerOfX(order, polynomial, degree) === 1 &&
        parts.every((part) => powerOfX(part, polynomial, degree) !== 1);
      if (isPrimitive) yield polynomial;
    }
  }
}

/** x to a power, modulo a polynomial over GF(2). */
function powerOfX(power: number, polynomial: number, degree: number): number {
  // x itself is 1 modulo x + 1
  let [base, result] = [degree === 1 ? 1 : 2, 1];
  for (let left = power; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = product(result, base, polynomial, degree);
    base = product(base, base, polynomial, degree);
  }
  return result;
}

function product(a: number, b: number, polynomial: number, degree: number): number {
  let [sum, shifted] = [0, a];
  for (let rest = b; rest > 0; rest >>>= 1) {
    if (rest & 1) sum ^= shifted;
    shifted <<= 1;
    if ((shifted >>> degree) & 1) shifted ^= polynomial;
  }
  return sum;
}

function primeFactors(n: number): number[] {
  const primes: number[] = [];
  let rest = n;
  for (let p = 2; p * p <= rest; p++) {
    if (rest % p === 0) primes.push(p);
    while (rest % p === 0) rest /= p;
  }
  if (rest > 1) primes.push(rest);
  return primes;
}

function degreeOf(polynomial: number): number {
  return 31 - Math.clz32(polynomial);
}

function lowestZero(i: number): number {
  let bit = 0;
  for (let rest = i; rest % 2 === 1; rest = Math.floor(rest / 2)) bit++;
  return bit;
}
