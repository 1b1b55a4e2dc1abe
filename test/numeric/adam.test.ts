import { describe, expect, it } from 'vitest';
import { adam, divide, type Kernel, openEngine, rootKey, Stream, value } from '../../src/numeric/index.js';
import { compiledKernels } from './compute.js';

/** Kingma & Ba 2015, Algorithm 1, as printed; and a running average. */
class Textbook {
  private t = 0;
  private readonly m: number[];
  private readonly v: number[];
  readonly target: number[];

  constructor(readonly theta: number[]) {
    this.m = theta.map(() => 0);
    this.v = theta.map(() => 0);
    this.target = [...theta];
  }

  step(g: ArrayLike<number>, alpha: number, tau: number): void {
    const [beta1, beta2, eps] = [0.9, 0.999, 1e-8];
    this.t += 1;
    this.theta.forEach((_, i) => {
      this.m[i] = beta1 * this.m[i]! + (1 - beta1) * g[i]!;
      this.v[i] = beta2 * this.v[i]! + (1 - beta2) * g[i]! ** 2;
      const mHat = this.m[i]! / (1 - beta1 ** this.t);
      const vHat = this.v[i]! / (1 - beta2 ** this.t);
      this.theta[i]! -= (alpha * mHat) / (Math.sqrt(vHat) + eps);
      this.target[i] = tau * this.theta[i]! + (1 - tau) * this.target[i]!;
    });
  }
}

describe.each<{ kernel: Kernel; rtol: number }>([
  { kernel: 'reference', rtol: 1e-12 },
  ...compiledKernels.map((kernel) => ({ kernel, rtol: 1e-5 })),
])('Adam on $kernel', ({ kernel, rtol }) => {
  it.each([1, 2, 3, 4, 7, 33])('follows the paper for %i parameters, with changing rates', async (count) => {
    const stream = new Stream(rootKey(count));
    const start = Array.from({ length: count }, () => Math.fround(stream.normal()));
    const book = new Textbook([...start]);
    await using engine = await openEngine({ kernel, threads: 1 });
    const theta = engine.variable('theta', { rows: 1, columns: count });
    const target = engine.variable('target', { rows: 1, columns: count });
    const g = engine.variable('g', { rows: 1, columns: count });
    theta.write(start);
    target.write(start);
    const { init, update, advance } = adam();
    const state = init(engine, [theta]);
    const program = engine.compile('adam', [update([theta], [value(g)], state, [target])]);
    for (let step = 0; step < 30; step++) {
      const gradient = Array.from({ length: count }, () => Math.fround(stream.normal()));
      const rate = 0.1 / (1 + step);
      g.write(gradient);
      book.step(gradient, rate, 0.05);
      advance(state, { rate, targetRate: 0.05 });
      await program.run();
    }
    expect(state.step).toBe(30);
    expect(theta.read()).toBeAllClose(book.theta, { rtol, atol: rtol });
    expect(target.read()).toBeAllClose(book.target, { rtol, atol: rtol });
  });

  it('stays finite and at rest where gradients vanish for good', async () => {
    await using engine = await openEngine({ kernel, threads: 1 });
    const theta = engine.variable('theta', { rows: 1, columns: 5 });
    const g = engine.variable('g', { rows: 1, columns: 5 });
    const { init, update, advance } = adam({ ascend: true });
    const state = init(engine, [theta]);
    const program = engine.compile('adam', [update([theta], [value(g)], state)]);
    const go = async (steps: number) => {
      for (let i = 0; i < steps; i++) {
        advance(state, { rate: 0.01 });
        await program.run();
      }
    };
    g.write([1, -1, 0, 1e-20, 1e18]);
    await go(1);
    // the first step is the rate, uphill, whatever the gradient's size; 1e-20 drowns in eps
    expect(theta.read()).toBeAllClose([0.01, -0.01, 0, 0, 0.01], { rtol: 1e-6, atol: 1e-12 });
    g.clear();
    await go(2000);
    const rest = [...theta.read()];
    await go(10);
    expect([...theta.read()]).toEqual(rest);
    if (kernel !== 'reference') {
      // no subnormal numbers are left behind: they would slow every later step
      expect([...state.first[0]!.read()].every((m) => m === 0)).toBe(true);
    }
  });

  it('does not hide a gradient that is not a number', async () => {
    await using engine = await openEngine({ kernel, threads: 1 });
    const theta = engine.variable('theta', { rows: 1, columns: 5 });
    const g = engine.variable('g', { rows: 1, columns: 5 });
    g.write([1, 0, 2, 3, 0]);
    const { init, update, advance } = adam();
    const state = init(engine, [theta]);
    // 0 / 0 in two places
    const program = engine.compile('adam', [update([theta], [divide(value(g), value(g))], state)]);
    for (let step = 0; step < 3; step++) {
      advance(state, { rate: 0.1 });
      await program.run();
    }
    expect([...theta.read()].map(Number.isNaN)).toEqual([false, true, false, false, true]);
  });

  it('refuses settings that make no sense', () => {
    expect(() => adam({ beta1: 1 })).toThrow('beta1 is 1');
    expect(() => adam({ beta2: -0.1 })).toThrow('beta2 is -0.1');
    expect(() => adam({ eps: 0 })).toThrow('eps is 0');
  });
});
