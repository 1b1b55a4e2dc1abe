import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/numeric/compile.js';
import { matmul, rootKey, Stream, value } from '../../../src/numeric/index.js';
import { loadKernel } from '../../../src/numeric/kernels/load.js';
import { platform } from '../../../src/numeric/platform/node.js';
import { ThreadedBackend } from '../../../src/numeric/threadedBackend.js';
import { Variable } from '../../../src/numeric/variable.js';
import { compiledKernels } from '../compute.js';
import { delayAtomics } from './delays.js';

const MODELS = 40;
const SIDE = 6;

/** A backend of which every thread dawdles at every access to the words it shares. */
async function dawdlingBackend(
  kernel: 'native' | 'wasm',
  { threads, seed, chance }: { threads: number; seed: number; chance: number },
) {
  const { code } = await loadKernel(kernel);
  const workers: Worker[] = [];
  const backend = new ThreadedBackend(kernel, threads, code!, {
    ...platform,
    startThread(setup, onMessage, onFailure) {
      const worker = new Worker(new URL('./delayedWorker.js', import.meta.url), {
        workerData: { ...setup, seed, chance },
      });
      worker.on('message', onMessage);
      worker.on('error', onFailure);
      workers.push(worker);
      return { hold() {}, stop: async () => void (await worker.terminate()) };
    },
  });
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('message', resolve))));
  return backend;
}

/**
 * Programs of 1 to 40 groups, one after the other. Each multiplies the models' matrices by the product before, so that
 * a group computed twice, left out, or with the numbers of another program, changes every bit that follows.
 */
async function chain(
  kernel: 'native' | 'wasm',
  threads: number,
  runs: number,
  chance: number,
): Promise<string[]> {
  const backend = await dawdlingBackend(kernel, { threads, seed: 1000 + threads, chance });
  const stream = new Stream(rootKey(7));
  const shape = { rows: SIDE, columns: SIDE, models: MODELS };
  const a = new Variable(backend, 'a', shape);
  const b = new Variable(backend, 'b', shape);
  const weights = [0, 1, 2].map((i) => {
    const w = new Variable(backend, `w${i}`, { ...shape, layout: 'weight' });
    w.write(Array.from({ length: MODELS * SIDE * SIDE }, () => (stream.uniform() - 0.5) * 1.2));
    return w;
  });
  a.write(Array.from({ length: MODELS * SIDE * SIDE }, () => stream.uniform() - 0.5));
  const programs = [a, b].map((from, i) =>
    weights.map((w) => {
      const to = i === 0 ? b : a;
      return compile('p', [[{ kind: 'store', to, from: matmul(value(from), value(w)) }]], backend, threads);
    }),
  );
  const seen: string[] = [];
  const restore = delayAtomics(threads, chance);
  try {
    for (let run = 0; run < runs; run++) {
      const compiled = programs[run % 2]![stream.integer(3)]!;
      // few groups and many in turn: a thread that comes late for the few finds the many
      const groups = run % 2 === 0 ? 1 + stream.integer(4) : 1 + stream.integer(MODELS);
      const loaded = backend.load({ ...compiled, groups });
      await backend.run(loaded);
      backend.free(loaded.offset);
      const read = (run % 2 === 0 ? b : a).read();
      seen.push(Buffer.from(new Float32Array(read).buffer).toString('base64'));
    }
  } finally {
    restore();
    await backend.close();
  }
  return seen;
}

describe.each(compiledKernels.filter((kernel) => kernel !== 'wasm-relaxed'))(
  'threads that are late at every access, on %s',
  (kernel) => {
    it('compute the same bits: 250 programs of 1 to 40 groups on 1, 2, 3 and 8 threads', async () => {
      const one = await chain(kernel, 1, 250, 0);
      expect(new Set(one).size).toBe(250);
      for (const threads of [1, 2, 3, 8]) {
        const late = await chain(kernel, threads, 250, 0.1);
        const differing = late.findIndex((bits, run) => bits !== one[run]);
        expect(differing, `the first run that differs on ${threads} threads`).toBe(-1);
      }
    });
  },
);
