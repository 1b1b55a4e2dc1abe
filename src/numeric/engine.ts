/**
 * The compute core's front door: memory for K networks side by side, and programs that train them in lockstep.
 * One engine holds one memory and one set of threads; close it when done.
 */
import { platform } from '#platform';
import type { Backend, Kernel, LoadedProgram } from './backend.js';
import { compile, type Effect } from './compile.js';
import { ArgumentError, EngineError, requireCount } from './errors.js';
import { plain, relaxed } from './kernels/binary.js';
import { ReferenceBackend } from './referenceBackend.js';
import { Variable, type VariableShape } from './variable.js';
import { WasmBackend } from './wasmBackend.js';

export const kernelChoices = ['auto', 'wasm', 'wasm-relaxed', 'reference'] as const;

/** `auto`: `wasm-relaxed` where the machine can run it, `wasm` elsewhere. */
export type KernelChoice = (typeof kernelChoices)[number];

/** More threads than groups of models would have nothing to do. */
const MOST_THREADS = 8;

export interface EngineOptions {
  /** Default: the environment's `NEMOKIT_KERNEL`, else `auto`. */
  readonly kernel?: KernelChoice | undefined;
  /** Default: the environment's `NEMOKIT_THREADS`, else one per core, 8 at the most. */
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
    this.backend.free(variable.offset);
  }

  /** Stages run one after the other for each model; within a stage all values are those from before it. */
  compile(name: string, stages: readonly (readonly Effect[])[]): Program {
    return new Program(
      name,
      this.backend,
      this.backend.load(compile(name, stages, this.backend, this.threads)),
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

const modules = new Map<Kernel, Promise<WebAssembly.Module>>();

function decode(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

function moduleFor(kernel: Kernel, bytes: Uint8Array): Promise<WebAssembly.Module> {
  const known = modules.get(kernel) ?? WebAssembly.compile(bytes);
  modules.set(kernel, known);
  return known;
}

/** What this machine can run: whether relaxed SIMD, whether SIMD at all, whether threads. */
export function capabilities(): {
  relaxedSimd: boolean;
  simd: boolean;
  sharedMemory: boolean;
  hardwareThreads: number;
} {
  platform.allowRelaxedSimd();
  return {
    relaxedSimd: WebAssembly.validate(decode(relaxed)),
    simd: WebAssembly.validate(decode(plain)),
    sharedMemory: platform.canShareMemory(),
    hardwareThreads: platform.hardwareThreads(),
  };
}

/**
 * Opens an engine.
 *
 *     const engine = await openEngine({ threads: 2 });
 *     try { ... } finally { await engine.close(); }
 */
export async function openEngine(options: EngineOptions = {}): Promise<Engine> {
  const wishes = platform.wishes();
  const wish = options.kernel ?? wishes.kernel ?? 'auto';
  const kernel = kernelChoices.find((choice) => choice === wish);
  if (!kernel) {
    const from = options.kernel ? 'kernel' : 'NEMOKIT_KERNEL';
    throw new ArgumentError(from, `${from} is "${wish}"; expected one of ${kernelChoices.join(', ')}`);
  }
  if (kernel === 'reference') return new Engine(new ReferenceBackend());
  const able = capabilities();
  if (kernel === 'wasm-relaxed' && !able.relaxedSimd) {
    throw new ArgumentError('kernel', 'this machine cannot run relaxed SIMD; use auto or wasm');
  }
  if (!able.simd) {
    throw new ArgumentError('kernel', 'this machine cannot run WebAssembly SIMD; use the reference kernel');
  }
  const chosen = kernel === 'wasm' || !able.relaxedSimd ? 'wasm' : 'wasm-relaxed';
  const module = await moduleFor(chosen, decode(chosen === 'wasm' ? plain : relaxed));
  return new Engine(
    new WasmBackend(chosen, threadCount(options, wishes.threads, able.hardwareThreads), module, platform),
  );
}

function threadCount(options: EngineOptions, wish: string | undefined, hardware: number): number {
  const name = options.threads === undefined ? 'NEMOKIT_THREADS' : 'threads';
  const threads = options.threads ?? (wish ? Number(wish) : Math.min(hardware, MOST_THREADS));
  requireCount(name, threads);
  return platform.canShareMemory() ? Math.min(threads, MOST_THREADS) : 1;
}
