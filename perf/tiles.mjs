// The inner loop of a product in WebAssembly text, in several forms, each alone on operands in the first cache: why the tile of
// assembly/tile.ts is as it is. Operations per second of the processor, in turn, with relaxed SIMD.
//   node perf/tiles.mjs [--rounds 60]
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import v8 from 'node:v8';
import binaryen from 'assemblyscript/binaryen';
import { keepResults } from './keepResults.mjs';

const { values: flags } = parseArgs({ options: { rounds: { type: 'string', default: '60' } } });
v8.setFlagsFromString('--experimental-wasm-relaxed-simd');

/** @typedef {{ what: string, rows: number, vectors: number, steps: number, isPacked: boolean, isTested: boolean }} Form */
/** @type {Form[]} */
const forms = [
  { what: '4 x 8, an address for each row', rows: 4, vectors: 2, steps: 1, isPacked: false, isTested: true },
  { what: '4 x 8, packed', rows: 4, vectors: 2, steps: 1, isPacked: true, isTested: true },
  {
    what: '4 x 8, packed, 4 steps with tests',
    rows: 4,
    vectors: 2,
    steps: 4,
    isPacked: true,
    isTested: true,
  },
  {
    what: '4 x 8, packed, 8 steps with tests',
    rows: 4,
    vectors: 2,
    steps: 8,
    isPacked: true,
    isTested: true,
  },
  { what: '4 x 8, packed, 4 steps without', rows: 4, vectors: 2, steps: 4, isPacked: true, isTested: false },
  {
    what: '3 x 12, packed, 4 steps with tests',
    rows: 3,
    vectors: 3,
    steps: 4,
    isPacked: true,
    isTested: true,
  },
  {
    what: '5 x 8, packed, 4 steps with tests',
    rows: 5,
    vectors: 2,
    steps: 4,
    isPacked: true,
    isTested: true,
  },
  {
    what: '6 x 8, packed, 4 steps with tests',
    rows: 6,
    vectors: 2,
    steps: 4,
    isPacked: true,
    isTested: true,
  },
];
const depth = 256;
const range = (/** @type {number} */ count) => Array.from({ length: count }, (_, i) => i);

/** `depth` steps of C += a b', and a function that calls it n times. @param {Form} form @param {number} f */
function text({ rows, vectors, steps, isPacked, isTested }, f) {
  const sums = range(rows).flatMap((r) => range(vectors).map((v) => ({ r, v, name: `$c${r}_${v}` })));
  const body = range(steps).flatMap((step) => {
    const skip = isTested ? 0 : step;
    const loads = range(vectors).map(
      (v) => `(local.set $b${v} (v128.load offset=${16 * (skip * vectors + v)} (local.get $b)))`,
    );
    const adds = range(rows).flatMap((r) => {
      const at = isPacked
        ? `offset=${4 * (skip * rows + r)} (local.get $a0)`
        : `offset=${4 * skip} (local.get $a${r})`;
      return [
        `(local.set $s (v128.load32_splat ${at}))`,
        ...range(vectors).map(
          (v) =>
            `(local.set $c${r}_${v} (f32x4.relaxed_madd (local.get $s) (local.get $b${v}) (local.get $c${r}_${v})))`,
        ),
      ];
    });
    const advance = (/** @type {number} */ by) => [
      ...range(isPacked ? 1 : rows).map(
        (r) =>
          `(local.set $a${r} (i32.add (local.get $a${r}) (i32.const ${(isPacked ? 4 * rows : 4) * by})))`,
      ),
      `(local.set $b (i32.add (local.get $b) (i32.const ${16 * vectors * by})))`,
    ];
    if (!isTested) return [...loads, ...adds, ...(step === steps - 1 ? advance(steps) : [])];
    const test = step < steps - 1 ? ['(br_if $out (i32.eq (local.get $b) (local.get $end)))'] : [];
    return [...loads, ...adds, ...advance(1), ...test];
  });
  const locals = [
    ...range(rows).map((r) => `(local $a${r} i32)`),
    ...sums.map(({ name }) => `(local ${name} v128)`),
    ...range(vectors).map((v) => `(local $b${v} v128)`),
    '(local $s v128) (local $b i32) (local $end i32)',
  ];
  const stores = sums.map(
    ({ r, v, name }) => `(v128.store (i32.const ${1024 + 64 * r + 16 * v}) (local.get ${name}))`,
  );
  return `
    (func $tile${f} ${locals.join(' ')}
      ${range(rows)
        .map((r) => `(local.set $a${r} (i32.const ${65536 + 4 * depth * r}))`)
        .join(' ')}
      (local.set $b (i32.const 131072))
      (local.set $end (i32.const ${131072 + 16 * vectors * depth}))
      (block $out (loop $next ${body.join('\n')}
        (br_if $next (i32.ne (local.get $b) (local.get $end)))))
      ${stores.join('\n')})
    (func (export "form${f}") (param $n i32)
      (loop $next (call $tile${f})
        (br_if $next (local.tee $n (i32.sub (local.get $n) (i32.const 1))))))`;
}

const module = binaryen.parseText(`(module (memory 4) ${forms.map(text).join('\n')})`);
module.setFeatures(binaryen.Features.SIMD128 | binaryen.Features.RelaxedSIMD);
const bytes = module.emitBinary();
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes)), {});
const tiles = /** @type {Record<string, (n: number) => void>} */ (/** @type {unknown} */ (exports));
const times = 16_000;
/** @type {number[][]} */
const speeds = forms.map(() => []);
const load = loadavg()[0] ?? Number.NaN;
for (let round = 0; round < Number(flags.rounds); round++)
  forms.forEach(({ rows, vectors }, f) => {
    const before = process.cpuUsage();
    tiles[`form${f}`]?.(times);
    const { user, system } = process.cpuUsage(before);
    speeds[f]?.push((8 * rows * vectors * depth * times) / (user + system) / 1000);
  });
const results = forms.map(({ what }, f) => {
  const sorted = (speeds[f] ?? []).toSorted((a, b) => a - b);
  const at = (/** @type {number} */ share) =>
    Number((sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toPrecision(3));
  return { what, low: at(0.1), median: at(0.5), high: at(0.9) };
});
keepResults(
  'tiles.json',
  { load, rounds: Number(flags.rounds), results },
  ['tile', 'GFLOP per CPU second, median', 'lowest tenth', 'highest tenth'],
  results.map(({ what, low, median, high }) => [what, ...[median, low, high].map(String)]),
);
