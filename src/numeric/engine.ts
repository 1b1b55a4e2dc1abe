/**
 * The compute core's front door: memory for K networks side by side, and programs that train them in lockstep.
 * One engine holds one memory and one set of threads; close it when done.
 */
import { platform } from '#platform';
import type { Backend, Kernel, LoadedProgram } from './backend.js';
import { compile } from './compile.js';
import { ArgumentError, EngineError, requireCount } from './errors.js';
import type { Effect } from './instruction.js';
import {
  type Capabilities,
  capabilities,
  type KernelChoice,
  kernelChoices,
  loadKernel,
} from './kernels/load.js';
import { ReferenceBackend } from './referenceBackend.js';
import { ThreadedBackend } from './threadedBackend.js';
import { Variable, type VariableShape } from './variable.js';

export { type Capabilities, capabilities, type KernelChoice, kernelChoices };

/** More threads than groups of models would have nothing to do. */
const MOST_THREADS = 8;

/** Which kernel computes, on how many threads. Threads never change a result. */
export interface EngineOptions {
  /** Default: the environment's `NEMOKIT_KERNEL`, else `auto`. */
  readonly kernel?: KernelChoice | undefined;
  /**
   * Default: the environment's `NEMOKIT_THREADS`, else one per core, 8 at the most. Where threads cannot be started, a
   * warning says so once, and fewer compute the same.
   */
  readonly threads?: number | undefined;
}

export interface RunOptions {
  /** Stops before the next run; a run that has begun is finished, so that no model is ahead of the others. */
  readonly signal?: AbortSignal | undefined;
}

/** Compiled work, ready to be run any number of times. */
export class Program {
  constructor(
    readonly name: string,
    private readonly backend: Backend,
    private readonly loaded: LoadedProgram,
  ) {}

  /** Number of instructions per model. */
  get length(): number {
    return this.loaded.compiled.instructions.length;
  }

  async run(options: RunOptions = {}): Promise<void> {
    if (options.signal?.aborted) {
      throw new EngineError('aborted', `${this.name} was stopped`, { cause: options.signal.reason });
    }
    for (const { pool, table } of this.loaded.compiled.tables) {
      const numbers = this.backend.integers(table.offset, table.stride * Math.max(table.models, 1));
      for (const row of numbers) {
        if (!(row >= 0 && row < pool.rows)) {
          throw new ArgumentError(
            table.name,
            `${table.name} asks for row ${row}, but ${pool.name} has ${pool.rows} rows`,
          );
        }
      }
    }
    await this.backend.run(this.loaded);
  }

  /** Gives the program's memory back. */
  dispose(): void {
    for (const block of this.loaded.compiled.blocks) this.backend.free(block);
    if (this.loaded.offset > 0) this.backend.free(this.loaded.offset);
  }
}

/** Memory and threads for K networks side by side, and the programs that train them. Close it when done. */
export class Engine {
  constructor(private readonly backend: Backend) {}

  get kernel(): Kernel {
    return this.backend.kernel;
  }

  get threads(): number {
    return this.backend.threads;
  }

  variable(name: string, shape: VariableShape): Variable {
    requireCount(`${name}.rows`, shape.rows);
    requireCount(`${name}.columns`, shape.columns);
    if (shape.models !== undefined && shape.models !== 0) requireCount(`${name}.models`, shape.models);
    return new Variable(this.backend, name, shape);
  }

  /** Gives a variable's memory back; it must not be used any more. */
  free(variable: Variable): void {
    if (!variable.isWindow) this.backend.free(variable.offset);
  }

  /** Stages run one after the other for each model; within a stage all values are those from before it. */
  compile(name: string, stages: readonly (readonly Effect[])[]): Program {
    return new Program(
      name,
      this.backend,
      this.backend.load(compile(name, stages, this.backend, this.backend.places)),
    );
  }

  /** Ends the threads. Safe to call twice. */
  async close(): Promise<void> {
    await this.backend.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/**
 * Opens an engine.
 *
 *     const engine = await openEngine({ threads: 2 });
 *     try { ... } finally { await engine.close(); }
 */
export async function openEngine(options: EngineOptions = {}): Promise<Engine> {
  const { kernel, code } = await loadKernel(options.kernel);
  if (!code) return new Engine(new ReferenceBackend());
  const threads = threadCount(options, platform.wishes().threads, platform.hardwareThreads());
  const backend = new ThreadedBackend(kernel, threads, code, platform);
  await backend.ready();
  return new Engine(backend);
}

function threadCount(options: EngineOptions, wish: string | undefined, hardware: number): number {
  const name = options.threads === undefined ? 'NEMOKIT_THREADS' : 'threads';
  const threads = options.threads ?? (wish ? Number(wish) : Math.min(hardware, MOST_THREADS));
  requireCount(name, threads);
  if (threads === 1 || platform.canShareMemory()) return Math.min(threads, MOST_THREADS);
  platform.warn(
    'one thread computes, because this page is not cross-origin isolated; results are the same. ' +
      'Send the headers of docs/browser.md, or ask for threads: 1',
  );
  return 1;
}
