// A process that runs NEMO iterations when asked to: perf/nemoStep.mjs or perf/torch_step.py, which speak JSON lines.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** @typedef {{ kernel: string, threads: number, readySeconds: number, firstStepSeconds: number }} Greeting */

export class StepProcess {
  /** @type {{ wall: number, cpu: number, peak: number }[]} */
  measurements = [];

  /** @param {string} name @param {string} command @param {string[]} args */
  constructor(name, command, args) {
    this.name = name;
    // one thread for the BLAS behind PyTorch too
    const threads = { OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1' };
    const env = { ...process.env, ...threads };
    this.child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  /** Ours. @param {string} shape @param {string} kernel @param {number | string} threads @param {number[]} models */
  static ours(shape, kernel, threads, ...models) {
    const script = fileURLToPath(new URL('nemoStep.mjs', import.meta.url));
    const args = [script, shape, kernel, String(threads), ...models.map(String)];
    return new StepProcess(`${kernel} ${threads}`, process.execPath, args);
  }

  async answer() {
    const { value, done } = await this.lines.next();
    if (done) throw new Error(`${this.name} ended without an answer`);
    return JSON.parse(value);
  }

  /** @param {number} iterations */
  async measure(iterations) {
    this.child.stdin.write(`${JSON.stringify({ iterations })}\n`);
    this.measurements.push(await this.answer());
  }

  end() {
    this.child.stdin.end();
  }
}

/** @param {number[]} numbers */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}
