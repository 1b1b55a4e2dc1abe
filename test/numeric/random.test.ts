import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArgumentError, NotFiniteError } from '../../src/numeric/errors.js';
import { foldKey, type Key, rootKey, splitKey, threefry } from '../../src/numeric/key.js';
import { Stream } from '../../src/numeric/random.js';
import { normalCdf } from '../../src/numeric/special.js';

function fresh(seed = 0): Stream {
  return new Stream(rootKey(seed));
}

function draw<T>(count: number, sample: (stream: Stream) => T, stream = fresh()): T[] {
  return Array.from({ length: count }, () => sample(stream));
}

/** √n sup |F_n - F|; exceeds 1.63 with probability 0.01. */
function kolmogorov(sample: number[], cdf: (x: number) => number): number {
  const sorted = Float64Array.from(sample).sort();
  const n = sorted.length;
  let gap = 0;
  sorted.forEach((x, i) => {
    gap = Math.max(gap, (i + 1) / n - cdf(x), cdf(x) - i / n);
  });
  return Math.sqrt(n) * gap;
}

/** Σ (observed - expected)² / expected. */
function chiSquare(indices: ArrayLike<number>, probabilities: number[]): number {
  const observed = probabilities.map(() => 0);
  for (let i = 0; i < indices.length; i++) observed[indices[i]] += 1;
  return probabilities.reduce((sum, p, i) => {
    const expected = p * indices.length;
    return expected === 0 ? sum + observed[i] * 1e9 : sum + (observed[i] - expected) ** 2 / expected;
  }, 0);
}

function moments(sample: number[]): { mean: number; variance: number } {
  const mean = sample.reduce((a, b) => a + b, 0) / sample.length;
  return { mean, variance: sample.reduce((a, b) => a + (b - mean) ** 2, 0) / sample.length };
}

describe('threefry', () => {
  // Random123, tests/kat_vectors, threefry2x32 with 20 rounds.
  it.each<[Key, Key, Key]>([
    [
      [0, 0],
      [0, 0],
      [0x6b200159, 0x99ba4efe],
    ],
    [
      [0xffffffff, 0xffffffff],
      [0xffffffff, 0xffffffff],
      [0x1cb996fc, 0xbb002be7],
    ],
    [
      [0x13198a2e, 0x03707344],
      [0x243f6a88, 0x85a308d3],
      [0xc4923a9c, 0x483df7a0],
    ],
  ])('known answer under key %j', (key, counter, expected) => {
    expect(threefry(key, counter)).toEqual(expected);
  });
});

describe('keys', () => {
  it('a seed becomes its two words', () => {
    expect([42, -1, 2 ** 32 + 5, -0].map(rootKey)).toEqual([
      [0, 42],
      [0xffffffff, 0xffffffff],
      [1, 5],
      [0, 0],
    ]);
    for (const seed of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      expect(() => rootKey(seed)).toThrow(ArgumentError);
    }
  });

  it('a child does not depend on how many there are', () => {
    const five = splitKey(rootKey(3), 5);
    expect(splitKey(rootKey(3), 2)).toEqual(five.slice(0, 2));
    expect(() => splitKey(rootKey(3), 0)).toThrow(ArgumentError);
    expect(() => splitKey([1, -1], 2)).toThrow(ArgumentError);
  });

  it('all derived keys and the parent blocks differ', () => {
    const root = rootKey(0);
    const numbers = [0, 1, 2, -1, 2 ** 40, -(2 ** 40)].map((n) => foldKey(root, n));
    const names = ['', '0', '1', 'model', 'models', 'lédom', '\ud800'].map((name) => foldKey(root, name));
    const blocks = [0, 1, 2].map((i) => threefry(root, [0, i]));
    const grandchildren = splitKey(root, 20).flatMap((key) => splitKey(key, 20));
    const all = [root, ...splitKey(root, 20), ...numbers, ...names, ...blocks, ...grandchildren].map(String);
    expect(new Set(all).size).toBe(1 + 20 + 6 + 7 + 3 + 400);
  });

  it('sibling streams are uncorrelated', () => {
    const [a, b] = splitKey(rootKey(11), 2).map((key) =>
      draw(20000, (s) => s.uniform() - 0.5, new Stream(key)),
    );
    const product = a.reduce((sum, value, i) => sum + value * b[i], 0) * (12 / 20000);
    expect(Math.abs(product)).toBeLessThan(3 / Math.sqrt(20000));
  });

  it('strings are hashed by 64-bit FNV-1a over UTF-16 code units', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (text) => {
        let hash = 0xcbf29ce484222325n;
        for (let i = 0; i < text.length; i++) {
          for (const byte of [text.charCodeAt(i) & 0xff, text.charCodeAt(i) >>> 8]) {
            hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
          }
        }
        const key = rootKey(9);
        const parent = threefry(key, [0x80000000, 3]);
        expect(foldKey(key, text)).toEqual(
          threefry(parent, [Number(hash >> 32n), Number(hash & 0xffffffffn)]),
        );
      }),
      { seed: 5 },
    );
  });
});

// A change here changes every stored run: it needs a new major version.
describe('frozen streams for seed 0', () => {
  it('uniform', () => {
    expect(draw(4, (s) => s.uniform())).toEqual([
      0.41845711171638655, 0.21629545460551136, 0.9653214611189975, 0.5745005337275048,
    ]);
  });

  it('normal', () => {
    expect(draw(4, (s) => s.normal())).toEqual([
      -0.4010636917282871, -1.3953833955483588, 0.48059982980201316, 0.07694668486489915,
    ]);
  });

  it('exponential', () => {
    expect(draw(4, (s) => s.exponential())).toEqual([
      0.8711808752685687, 1.5311099605503933, 0.03529411278484199, 0.554254252664159,
    ]);
  });

  it('gumbel', () => {
    expect(draw(4, (s) => s.gumbel())).toEqual([
      0.13790565977540317, -0.42599293679426037, 3.3440391055850265, 0.5901317576885234,
    ]);
  });

  it('integers and booleans', () => {
    expect(draw(10, (s) => s.integer(10))).toEqual([9, 3, 5, 3, 1, 2, 4, 9, 2, 3]);
    expect(draw(3, (s) => s.integer(2 ** 40))).toEqual([724776777, 981164735330, 1004304351688]);
    expect(draw(8, (s) => Number(s.boolean()))).toEqual([1, 1, 0, 0, 0, 1, 0, 0]);
  });

  it('collections', () => {
    const letters = ['a', 'b', 'c', 'd', 'e'];
    fresh().shuffle(letters);
    expect(letters).toEqual(['c', 'b', 'a', 'd', 'e']);
    expect([...fresh().permutation(8)]).toEqual([2, 0, 4, 7, 5, 6, 3, 1]);
    expect([...fresh().choose(1000, 5)]).toEqual([609, 815, 771, 661, 665]);
    expect([...fresh().sampleWithReplacement(10, 8)]).toEqual([9, 3, 5, 3, 1, 2, 4, 9]);
    expect(draw(10, (s) => s.categorical([1, 0, 2, 3]))).toEqual([2, 2, 3, 3, 3, 2, 3, 3, 3, 2]);
  });

  it('fills', () => {
    const single = new Float32Array(3);
    fresh().fillUniform(single, -1, 2);
    // the top 24 bits of both words of block 0, then of block 1
    expect([...single]).toEqual([0.2553712725639343, 0.8014971017837524, -0.3511137366294861]);
    const double = new Float64Array(3);
    fresh().fillNormal(double, 10, 2);
    expect([...double]).toEqual([9.197872616543426, 7.2092332089032825, 10.961199659604027]);
  });

  it('keys', () => {
    expect(splitKey(rootKey(0), 2)).toEqual([
      [2940130346, 1404687541],
      [4043469863, 935702864],
    ]);
    expect([foldKey(rootKey(0), 7), foldKey(rootKey(0), 'model')]).toEqual([
      [1102480224, 684953751],
      [1003160397, 2975551590],
    ]);
  });
});

describe('distributions', () => {
  it('uniform', () => {
    const sample = draw(20000, (s) => s.uniform(), fresh(1));
    expect(Math.min(...sample)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...sample)).toBeLessThan(1);
    expect(kolmogorov(sample, (x) => x)).toBeLessThan(1.63);
    const { mean, variance } = moments(sample);
    expect(mean).toBeCloseTo(0.5, 2);
    expect(variance).toBeCloseTo(1 / 12, 2);
  });

  it('normal, both of each pair', () => {
    const sample = draw(20000, (s) => s.normal(), fresh(1));
    const halves = [0, 1].map((side) => sample.filter((_, i) => i % 2 === side));
    for (const half of [sample, ...halves]) expect(kolmogorov(half, normalCdf)).toBeLessThan(1.63);
    const { mean, variance } = moments(sample);
    expect(Math.abs(mean)).toBeLessThan(3 / Math.sqrt(20000));
    expect(Math.abs(variance - 1)).toBeLessThan(3 * Math.sqrt(2 / 20000));
    expect(Math.max(...sample)).toBeGreaterThan(3.2);
    expect(Math.max(...sample)).toBeLessThan(5.5);
  });

  it('exponential and gumbel', () => {
    expect(
      kolmogorov(
        draw(20000, (s) => s.exponential(), fresh(1)),
        (x) => -Math.expm1(-x),
      ),
    ).toBeLessThan(1.63);
    expect(
      kolmogorov(
        draw(20000, (s) => s.gumbel(), fresh(1)),
        (x) => Math.exp(-Math.exp(-x)),
      ),
    ).toBeLessThan(1.63);
  });

  it('integer, against the 0.999 quantile of chi-square with n - 1 degrees of freedom', () => {
    expect(
      chiSquare(
        draw(20000, (s) => s.integer(10), fresh(1)),
        Array(10).fill(0.1),
      ),
    ).toBeLessThan(27.88);
    expect(
      chiSquare(
        draw(20000, (s) => s.integer(7), fresh(1)),
        Array(7).fill(1 / 7),
      ),
    ).toBeLessThan(22.46);
    // Taking 32 bits modulo 3·2³⁰ would put 1/2 of the draws, not 1/3, in the first third.
    const large = draw(9000, (s) => Math.floor(s.integer(3 * 2 ** 30) / 2 ** 30), fresh(1));
    expect(chiSquare(large, Array(3).fill(1 / 3))).toBeLessThan(13.82);
    const larger = draw(9000, (s) => Math.floor(s.integer(3 * 2 ** 51) / 2 ** 51), fresh(1));
    expect(chiSquare(larger, Array(3).fill(1 / 3))).toBeLessThan(13.82);
  });

  it('categorical follows its weights and never takes a zero', () => {
    const drawn = draw(20000, (s) => s.categorical([1, 0, 2, 5, 0]), fresh(1));
    expect(chiSquare(drawn, [1 / 8, 0, 2 / 8, 5 / 8, 0])).toBeLessThan(13.82);
    expect(draw(100, (s) => s.categorical([0, 0, 1e-300, 0]))).toEqual(Array(100).fill(2));
    // Half of these draws round up to the sum itself.
    expect(draw(100, (s) => s.categorical([0, 5e-324, 0]))).toEqual(Array(100).fill(1));
  });

  it('boolean has its probability, and 0 and 1 are certain', () => {
    const hits = draw(20000, (s) => Number(s.boolean(0.3)), fresh(1)).reduce((a, b) => a + b, 0);
    expect(Math.abs(hits - 6000)).toBeLessThan(3 * Math.sqrt(20000 * 0.3 * 0.7));
    expect(draw(200, (s) => s.boolean(0))).not.toContain(true);
    expect(draw(200, (s) => s.boolean(1))).not.toContain(false);
  });

  it('all orders of three and all pairs of four are equally likely', () => {
    const stream = fresh(1);
    const orders = ['0,1,2', '0,2,1', '1,0,2', '1,2,0', '2,0,1', '2,1,0'];
    const seen = draw(12000, (s) => orders.indexOf(s.permutation(3).join()), stream);
    expect(chiSquare(seen, Array(6).fill(1 / 6))).toBeLessThan(20.52);
    const pairs = ['0,1', '0,2', '0,3', '1,0', '1,2', '1,3', '2,0', '2,1', '2,3', '3,0', '3,1', '3,2'];
    const chosen = draw(12000, (s) => pairs.indexOf(s.choose(4, 2).join()), stream);
    expect(chiSquare(chosen, Array(12).fill(1 / 12))).toBeLessThan(31.26);
  });
});

describe('collections', () => {
  it('a permutation holds each index once', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.nat(60), (seed, n) => {
        const order = fresh(seed).permutation(n);
        expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, i) => i));
      }),
      { seed: 6 },
    );
  });

  it('choose gives distinct indices in range, and all of them when k = n', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.nat(40), fc.nat(40), (seed, k, more) => {
        const chosen = [...fresh(seed).choose(k + more, k)];
        expect(new Set(chosen).size).toBe(k);
        expect(chosen.every((index) => index < k + more)).toBe(true);
      }),
      { seed: 7 },
    );
    expect([...fresh().choose(6, 6)].sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(new Set(fresh().choose(2 ** 32, 1000)).size).toBe(1000);
  });

  it('fills equal single draws', () => {
    const filled = new Float64Array(5);
    fresh().fillNormal(filled, 0, 1);
    expect([...filled]).toEqual(draw(5, (s) => s.normal()));
    fresh().fillUniform(filled, 0, 1);
    expect([...filled]).toEqual(draw(5, (s) => s.uniform()));
  });
});

describe('state', () => {
  it('continues bit for bit after JSON, whatever came before', () => {
    const act = fc.constantFrom<(s: Stream) => unknown>(
      (s) => s.normal(),
      (s) => s.uniform(),
      (s) => s.integer(10),
      (s) => s.gumbel(),
      (s) => [...s.permutation(4)],
    );
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.array(act, { maxLength: 12 }), (seed, acts) => {
        const stream = fresh(seed);
        for (const one of acts) one(stream);
        const restored = new Stream(JSON.parse(JSON.stringify(stream.state())));
        const next = (s: Stream) => [s.normal(), s.uniform(), s.normal(), s.integer(1e9), s.normal()];
        expect(next(restored)).toEqual(next(stream));
      }),
      { seed: 8 },
    );
  });

  it('keeps the second normal of a pair', () => {
    const stream = fresh();
    stream.normal();
    expect(stream.state()).toEqual({ key: [0, 0], counter: 2, spare: -1.3953833955483588 });
    const restored = new Stream(stream.state());
    expect([restored.normal(), restored.normal()]).toEqual([-1.3953833955483588, 0.48059982980201316]);
    expect([stream.normal(), stream.normal()]).toEqual([-1.3953833955483588, 0.48059982980201316]);
  });

  it('carries the counter past 2³²', () => {
    const stream = new Stream({ key: [0, 0], counter: 2 ** 32 - 1, spare: null });
    const expected = [threefry([0, 0], [0, 0xffffffff]), threefry([0, 0], [1, 0])].map(
      ([a, b]) => Number(((BigInt(a) << 32n) + BigInt(b)) >> 11n) / 2 ** 53,
    );
    expect([stream.uniform(), stream.uniform()]).toEqual(expected);
    expect(stream.state().counter).toBe(2 ** 32 + 1);
  });

  it('refuses broken states', () => {
    expect(() => new Stream([1, 2 ** 32])).toThrow(ArgumentError);
    expect(() => new Stream([0.5, 1])).toThrow(ArgumentError);
    expect(() => new Stream({ key: [0, 0], counter: -1, spare: null })).toThrow(ArgumentError);
    expect(() => new Stream({ key: [0, 0], counter: 0, spare: Number.NaN })).toThrow(NotFiniteError);
  });
});

describe('arguments', () => {
  it.each<[string, string, (s: Stream) => unknown]>([
    ['integer(0)', 'n', (s) => s.integer(0)],
    ['integer(2.5)', 'n', (s) => s.integer(2.5)],
    ['boolean(1.1)', 'p', (s) => s.boolean(1.1)],
    ['boolean(NaN)', 'p', (s) => s.boolean(Number.NaN)],
    ['permutation(-1)', 'n', (s) => s.permutation(-1)],
    ['choose(3, 4)', 'k', (s) => s.choose(3, 4)],
    ['sampleWithReplacement(0, 1)', 'n', (s) => s.sampleWithReplacement(0, 1)],
    ['categorical([])', 'weights', (s) => s.categorical([])],
    ['categorical([0, 0])', 'weights', (s) => s.categorical([0, 0])],
    ['categorical([2, -1])', 'weights', (s) => s.categorical([2, -1])],
    ['categorical([1, NaN])', 'weights', (s) => s.categorical([1, Number.NaN])],
    ['fillUniform(_, 1, 0)', 'hi', (s) => s.fillUniform(new Float32Array(1), 1, 0)],
    ['fillUniform(_, NaN, 0)', 'lo', (s) => s.fillUniform(new Float32Array(1), Number.NaN, 0)],
    [
      'fillNormal(_, Infinity, 1)',
      'mean',
      (s) => s.fillNormal(new Float32Array(1), Number.POSITIVE_INFINITY, 1),
    ],
    ['fillNormal(_, 0, -1)', 'sd', (s) => s.fillNormal(new Float32Array(1), 0, -1)],
  ])('%s names %s', (_, argument, action) => {
    const stream = fresh();
    expect(() => action(stream)).toThrow(expect.objectContaining({ argument }));
    expect(stream.state().counter).toBe(0);
  });
});
