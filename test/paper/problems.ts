import { readFileSync } from 'node:fs';
import type { Head } from '../../src/models/discretizedLogistic.js';
import { rootKey, Stream } from '../../src/numeric/index.js';

interface Golden {
  K: number;
  scale: number;
  lam: number;
  x: number[];
  bins: number[];
  theta0: number[];
  queries: { x: number; mu: number[]; own: number[]; pnml: number[]; gamma: number }[];
}

/** Exact CNML of a small problem, made with SciPy; its own `about` says how. */
export const golden: Golden = JSON.parse(
  readFileSync(new URL('../golden/cnml-exact.json', import.meta.url), 'utf8'),
);

export interface Problem {
  readonly head: Head;
  readonly ridge: number;
  readonly rows: number;
  readonly columns: number;
  readonly phi: Float64Array;
  readonly labels: number[];
  readonly queries: Float64Array[];
}

function problem(
  head: Head,
  ridge: number,
  phi: readonly number[][],
  labels: number[],
  queries: readonly number[][],
): Problem {
  return {
    ...{ head, ridge, labels },
    rows: phi.length,
    columns: phi[0]!.length,
    phi: Float64Array.from(phi.flat()),
    queries: queries.map((query) => Float64Array.from(query)),
  };
}

const range = (from: number, to: number, count: number) =>
  Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1));

const bin = (y: number, K: number) => Math.max(0, Math.min(K - 1, Math.floor(y * K)));

export const cubic = (x: number) => [1, x, x * x, x ** 3];

/** The golden data, asked at other places: labels 0 and 7 of 8, so that most outputs are saturated. */
export function goldenProblem(at: readonly number[]): Problem {
  const head = { bins: golden.K, scale: golden.scale };
  return problem(head, golden.lam, golden.x.map(cubic), golden.bins, at.map(cubic));
}

/** y = 0.8 - 0.6 x^2 + noise of 0.08 on -1..1, features 1, x, x^2; queries on -2.25..2.25. */
export function quadratic(): Problem {
  const stream = new Stream(rootKey(1));
  const features = (x: number) => [1, x, x * x];
  const x = Array.from({ length: 40 }, () => 2 * stream.uniform() - 1);
  const labels = x.map((v) => bin(0.8 - 0.6 * v * v + 0.08 * stream.normal(), 10));
  return problem(
    { bins: 10, scale: 0.1 },
    1e-3,
    x.map(features),
    labels,
    range(-2.25, 2.25, 31).map(features),
  );
}

/** A sine with noise of 0.03, known on -2.5..-0.8 and on 0.8..2.5; 12 radial features; queries on -3.5..3.5. */
export function gap(): Problem & { readonly at: readonly number[] } {
  const stream = new Stream(rootKey(2));
  const centers = range(-3, 3, 12);
  const features = (x: number) => [1, ...centers.map((c) => Math.exp(-2 * (x - c) ** 2))];
  const x = Array.from({ length: 50 }, (_, i) => (i % 2 ? -2.5 : 0.8) + 1.7 * stream.uniform());
  const labels = x.map((v) => bin(0.5 + 0.4 * Math.sin(1.5 * v) + 0.03 * stream.normal(), 16));
  const at = range(-3.5, 3.5, 36);
  return { ...problem({ bins: 16, scale: 1 / 16 }, 1e-2, x.map(features), labels, at.map(features)), at };
}

/** Three normal columns and their products; queries from the middle of the data to four times as far out. */
export function interactions(): Problem {
  const stream = new Stream(rootKey(3));
  const features = ([a = 0, b = 0, c = 0]: number[]) => [1, a, b, c, a * b, a * c, b * c];
  const draw = (radius: number) => Array.from({ length: 3 }, () => radius * stream.normal());
  const x = Array.from({ length: 80 }, () => draw(1));
  const labels = x.map(([a = 0, b = 0, c = 0]) =>
    bin(0.5 + 0.12 * a - 0.1 * b + 0.08 * a * c + 0.05 * stream.normal(), 12),
  );
  const queries = range(0.3, 4.2, 40).map((radius) => features(draw(radius)));
  return problem({ bins: 12, scale: 0.12 }, 1e-2, x.map(features), labels, queries);
}

/**
 * What a network's last layer may look like: softplus of `columns` - 1 random projections of six normal columns, and a
 * 1. A `gain` of 1 keeps labels inside the range, one of 8 puts most of them into the two end bins.
 */
export function layer(rows: number, columns: number, gain: number, queries: number): Problem {
  const stream = new Stream(rootKey(9));
  const normals = (count: number, radius = 1) =>
    Array.from({ length: count }, () => radius * stream.normal());
  const weights = Array.from({ length: columns - 1 }, () => normals(7));
  const features = (x: number[]) => [
    ...weights.map((w) =>
      Math.log1p(Math.exp(x.reduce((sum, v, j) => sum + (v * w[j]!) / Math.sqrt(6), w[6]!))),
    ),
    1,
  ];
  const x = Array.from({ length: rows }, () => normals(6));
  const labels = x.map(([a = 0, b = 0, c = 0]) =>
    bin(0.5 + gain * (0.25 * Math.sin(a + b) + 0.1 * c) + 0.05 * stream.normal(), 20),
  );
  const at = range(0.5, 6, queries).map((radius) => features(normals(6, radius)));
  return problem({ bins: 20, scale: 0.1 }, 1e-2, x.map(features), labels, at);
}
