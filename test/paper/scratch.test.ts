import { readFileSync } from 'node:fs';
import { it } from 'vitest';
import { openLinearAlgebra, Stream, rootKey, spearman } from '../../src/numeric/index.js';
import { exactCnml, fitLinear, hessian, normalize } from '../../src/models/cnml.js';
import { lossSlope, lossCurvature, mean } from '../../src/models/discretizedLogistic.js';

const la = await openLinearAlgebra();
type P = { name: string; phi: number[][]; bins: number[]; head: any; ridge: number; queries: number[][] };
function golden(): P {
  const g = JSON.parse(readFileSync('test/golden/cnml-exact.json', 'utf8'));
  const feat = (x: number) => [1, x, x * x, x ** 3];
  return { name: 'golden', phi: g.x.map(feat), bins: g.bins, head: { bins: 8, scale: 0.25 }, ridge: g.lam, queries: g.queries.map((q: any) => feat(q.x)) };
}
function goldenGrid(): P {
  const p = golden();
  return { ...p, name: 'goldengrid', queries: Array.from({ length: 41 }, (_, i) => -3 + i * 0.15).map((x) => [1, x, x * x, x ** 3]) };
}
const bin = (y: number, K: number) => Math.max(0, Math.min(K - 1, Math.floor(y * K)));
function quad(): P {
  const s = new Stream(rootKey(1)); const K = 10;
  const feat = (x: number) => [1, x, x * x];
  const phi = [], bins = [];
  for (let i = 0; i < 40; i++) { const x = -1 + 2 * s.uniform(); phi.push(feat(x)); bins.push(bin(0.8 - 0.6 * x * x + 0.08 * s.normal(), K)); }
  return { name: 'quad', phi, bins, head: { bins: K, scale: 0.1 }, ridge: 1e-3, queries: Array.from({ length: 31 }, (_, i) => feat(-2.25 + i * 0.15)) };
}
function rbf(): P {
  const s = new Stream(rootKey(2)); const K = 16;
  const centers = Array.from({ length: 12 }, (_, i) => -3 + (i * 6) / 11);
  const feat = (x: number) => [1, ...centers.map((c) => Math.exp(-((x - c) ** 2) / 0.5))];
  const phi = [], bins = [];
  for (let i = 0; i < 50; i++) { const u = s.uniform(); const x = i % 2 ? -2.5 + 1.7 * u : 0.8 + 1.7 * u; phi.push(feat(x)); bins.push(bin(0.5 + 0.4 * Math.sin(1.5 * x) + 0.03 * s.normal(), K)); }
  return { name: 'rbf gap', phi, bins, head: { bins: K, scale: 0.0625 }, ridge: 1e-2, queries: Array.from({ length: 36 }, (_, i) => feat(-3.5 + i * 0.2)) };
}
function inter(): P {
  const s = new Stream(rootKey(3)); const K = 12;
  const feat = (x: number[]) => [1, ...x, x[0] * x[1], x[0] * x[2], x[1] * x[2]];
  const phi = [], bins = [];
  const draw = (r: number) => [0, 1, 2].map(() => r * s.normal());
  for (let i = 0; i < 80; i++) { const x = draw(1); phi.push(feat(x)); bins.push(bin(0.5 + 0.12 * x[0] - 0.1 * x[1] + 0.08 * x[0] * x[2] + 0.05 * s.normal(), K)); }
  return { name: '3-D', phi, bins, head: { bins: K, scale: 0.12 }, ridge: 1e-2, queries: Array.from({ length: 40 }, (_, i) => feat(draw(0.3 + 0.1 * i))) };
}
const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => { let s = 0; for (let i = 0; i < a.length; i++) s += a[i] * b[i]; return s; };

type M = (q: number[], r: (m: number) => number[]) => number[];
function run(p: P) {
  const N = p.phi.length, d = p.phi[0].length, K = p.head.bins, h = p.head;
  const phi = Float64Array.from(p.phi.flat());
  const t0 = performance.now();
  const fit = fitLinear(la, phi, N, d, p.bins, { head: h, ridge: p.ridge });
  const H = hessian(la, fit as any, fit.mu);
  const L = la.cholesky(H, d);
  const solve = (F: Float64Array, b: ArrayLike<number>) => la.solveCholesky(F, d, Float64Array.from(b));
  const c = (mu: number) => lossCurvature(h, mu, 0);
  const flatMu = fit.mu.map(() => 0.5);
  const Lflat = la.cholesky(hessian(la, fit as any, flatMu), d);
  // subspace newton for label k
  function subspace(V: Float64Array[], q: number[], k: number, start?: number[]) {
    const m = V.length;
    let t = start ? Float64Array.from(start) : new Float64Array(m);
    const A = V.map((v) => p.phi.map((f) => dot(f, v)));
    const aq = V.map((v) => dot(q, v));
    const R = V.map((v) => V.map((w) => p.ridge * dot(v, w)));
    const r0 = V.map((v) => p.ridge * dot(v, fit.theta));
    const mu0 = dot(q, fit.theta);
    const evalg = (t: ArrayLike<number>) => {
      const g = Array.from(r0); const HH = new Float64Array(m * m);
      for (let a = 0; a < m; a++) for (let b = 0; b < m; b++) { g[a] += R[a][b] * t[b]; HH[a * m + b] += R[a][b]; }
      for (let i = 0; i <= N; i++) {
        const ai = i < N ? A.map((x) => x[i]) : aq;
        const mu = (i < N ? fit.mu[i] : mu0) + dot(ai, t);
        const s = lossSlope(h, mu, i < N ? p.bins[i] : k), cc = c(mu);
        for (let a = 0; a < m; a++) { g[a] += s * ai[a]; for (let b = 0; b < m; b++) HH[a * m + b] += cc * ai[a] * ai[b]; }
      }
      return { g: Float64Array.from(g), HH };
    };
    for (let it = 0; it < 60; it++) {
      const { g, HH } = evalg(t);
      for (let a = 0; a < m; a++) HH[a * m + a] *= 1 + 1e-10;
      const d = la.solveCholesky(la.cholesky(HH, m), m, g.map((x) => -x));
      let f = 1; const n0 = Math.sqrt(dot(g, g));
      // damp by max output move
      const mv = Math.abs(dot(aq, d)); if (mv > 2 * h.scale) f = 2 * h.scale / mv;
      t = t.map((x, a) => x + f * d[a]);
      if (f === 1 && mv < 1e-9) break;
    }
    const theta = fit.theta.map((x, j) => x + V.reduce((s, v, a) => s + v[j] * t[a], 0));
    return { mu: mu0 + dot(aq, t), theta, t };
  }
  const grad = (theta: Float64Array, q: number[], k: number) => {
    const g = theta.map((x) => x * p.ridge);
    p.phi.forEach((f, i) => { const s = lossSlope(h, dot(f, theta), p.bins[i]); f.forEach((x, j) => { g[j] += s * x; }); });
    const s = lossSlope(h, dot(q, theta), k); q.forEach((x, j) => { g[j] += s * x; });
    return g;
  };
  const methods: Record<string, (q: number[]) => Float64Array> = {
    leverage: (q) => {
      const v = solve(L, q), lam = dot(q, v), mu0 = dot(q, fit.theta);
      return Float64Array.from({ length: K }, (_, k) => {
        let lo = mu0 - lam / h.scale - 1, hi = mu0 + lam / h.scale + 1;
        for (let i = 0; i < 80; i++) { const m = (lo + hi) / 2; if (m - mu0 + lam * lossSlope(h, m, k) > 0) hi = m; else lo = m; }
        return lo;
      });
    },
    line: (q) => { const v = solve(L, q); return Float64Array.from({ length: K }, (_, k) => subspace([v], q, k).mu); },
    flat: (q) => { const v = solve(Lflat, q); return Float64Array.from({ length: K }, (_, k) => subspace([v], q, k).mu); },
    two: (q) => { const v = solve(L, q), w = solve(Lflat, q); return Float64Array.from({ length: K }, (_, k) => subspace([v, w], q, k).mu); },
    lineKrylov1: (q) => {
      const v = solve(L, q);
      return Float64Array.from({ length: K }, (_, k) => {
        const r = subspace([v], q, k);
        const w = solve(L, grad(r.theta, q, k));
        return subspace([v, w], q, k).mu;
      });
    },
    endsKrylov: (q) => { // directions from both end labels only
      const v = solve(L, q); const V = [v];
      for (const k of [0, K - 1]) { const r = subspace(V.slice(0, 1), q, k); V.push(solve(L, grad(r.theta, q, k))); }
      return Float64Array.from({ length: K }, (_, k) => subspace(V, q, k).mu);
    },
    endsKrylovFlat: (q) => {
      const v = solve(L, q); const V = [v, solve(Lflat, q)];
      for (const k of [0, K - 1]) { const r = subspace(V.slice(0, 2), q, k); V.push(solve(Lflat, grad(r.theta, q, k))); }
      return Float64Array.from({ length: K }, (_, k) => subspace(V, q, k).mu);
    },
    endsHess: (q) => { // re-linearise at line optimum for both ends
      const v = solve(L, q); const V = [v];
      for (const k of [0, K - 1]) { const r = subspace(V.slice(0, 1), q, k); const F = la.cholesky(hessian(la, fit as any, Float64Array.from(p.phi, (f) => dot(f, r.theta))), d); V.push(solve(F, q)); }
      return Float64Array.from({ length: K }, (_, k) => subspace(V, q, k).mu);
    },
  };
  const ex = p.queries.map((q) => exactCnml(la, fit, q));
  const eg = ex.map((e) => e.gamma), em = ex.map((e) => Array.from(e.mu).reduce((s, m) => s + mean(h, m), 0) / K);
  console.log(`== ${p.name} N=${N} p=${d} K=${K} gamma ${Math.min(...eg).toFixed(3)}..${Math.max(...eg).toFixed(3)}`, p.queries.length < 5 ? eg.map((x) => x.toFixed(3)).join(' ') : '');
  for (const [name, f] of Object.entries(methods)) {
    const r = p.queries.map((q) => normalize(h, f(q)));
    const g = r.map((e) => e.gamma), m = r.map((e) => Array.from(e.mu).reduce((s, m) => s + mean(h, m), 0) / K);
    const err = g.map((x, i) => Math.abs(x - eg[i]));
    console.log(`  ${name.padEnd(16)} max|dG| ${Math.max(...err).toFixed(4)} mean ${(err.reduce((a, b) => a + b) / err.length).toFixed(4)} rho ${spearman(g, eg).toFixed(4)} max|dmean| ${Math.max(...m.map((x, i) => Math.abs(x - em[i]))).toFixed(4)}`, p.queries.length < 5 ? g.map((x) => x.toFixed(3)).join(' ') : '');
  }
  console.log((performance.now() - t0).toFixed(0), 'ms');
}
it('x', () => { for (const p of [golden(), goldenGrid(), quad(), rbf(), inter()]) run(p); });
