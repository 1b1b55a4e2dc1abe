import type { Backend, Kernel, LoadedProgram } from './backend.js';
import { BlockAllocator } from './blockAllocator.js';
import { EngineError, OutOfMemoryError } from './errors.js';
import type { CompiledProgram } from './instruction.js';
import * as opcodes from './kernels/opcodes.js';
import type { NativeKernels, Platform, Thread, WorkerMessage } from './platform/platform.js';
import { nativeKernels } from './threads/native.js';
import {
  begin,
  CLOSING,
  CONTROL_WORDS,
  GENERATION,
  isFinished,
  isServing,
  type Kernels,
  share,
} from './threads/share.js';

const PAGE = 65536;
const PAGES = 65536;
/** Elements at the start of memory that belong to the kernels' own constants. */
const STATIC = 1024;
/** How often a thread looks whether the others are done before it goes to sleep: about a tenth of a millisecond. */
const LOOKS = 20_000;

interface Exports extends Kernels {
  addGroups(count: number, groups: number, from: number, to: number): void;
}

/** Compiled kernels: WebAssembly, or a native addon with the file that threads load it from. */
export type KernelCode = { readonly module: WebAssembly.Module } | { readonly native: NativeKernels };

/** Compiled kernels on memory that threads share: WebAssembly's, which grows in place, for native kernels too. */
export class ThreadedBackend implements Backend {
  private readonly memory: WebAssembly.Memory;
  private readonly space = new BlockAllocator(STATIC, (PAGES * PAGE) / 4);
  private readonly kernels: Exports;
  private readonly control: Int32Array;
  private readonly workers: Thread[] = [];
  /** Threads that could not be started. */
  private readonly missing = new Set<number>();
  private failure: EngineError | null = null;
  private waiting: { resolve(): void; reject(error: Error): void } | null = null;

  constructor(
    readonly kernel: Kernel,
    readonly places: number,
    code: KernelCode,
    private readonly platform: Platform,
  ) {
    this.memory = new WebAssembly.Memory({ initial: 1, maximum: PAGES, shared: true });
    const { memory } = this;
    this.kernels =
      'module' in code
        ? (new WebAssembly.Instance(code.module, { env: { memory } }).exports as unknown as Exports)
        : nativeKernels(code.native.addon, code.native.variant, memory);
    const shared =
      'module' in code ? code : { native: { path: code.native.path, variant: code.native.variant } };
    const bytes = CONTROL_WORDS * Int32Array.BYTES_PER_ELEMENT;
    this.control = new Int32Array(places > 1 ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
    for (let thread = 1; thread < places; thread++) {
      const setup = { ...shared, memory, control: this.control, thread };
      this.workers.push(
        platform.startThread(
          setup,
          (message) => this.hear(thread, message),
          (error) => this.lose(thread, error),
        ),
      );
    }
  }

  get threads(): number {
    return this.places - this.missing.size;
  }

  /** Resolves when threads that start slowly are there, or are known not to come. */
  async ready(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.ready));
  }

  allocate(argument: string, count: number): number {
    const used = this.space.extent;
    const offset = this.space.allocate(argument, count);
    const missing = this.space.extent * 4 - this.memory.buffer.byteLength;
    if (missing > 0) {
      try {
        this.memory.grow(Math.ceil(missing / PAGE));
      } catch (cause) {
        this.space.free(offset);
        const megabytes = Math.ceil((count * 4) / 1e6);
        const error = new OutOfMemoryError(
          argument,
          `${argument} needs ${megabytes} MB more than this machine gives`,
        );
        error.cause = cause;
        throw error;
      }
    }
    // memory that was never in use is zero
    if (offset < used) this.floats(offset, count).fill(0);
    return offset;
  }

  free(offset: number): void {
    this.space.free(offset);
  }

  floats(offset: number, count: number): Float32Array {
    return new Float32Array(this.memory.buffer, offset * 4, count);
  }

  integers(offset: number, count: number): Int32Array {
    return new Int32Array(this.memory.buffer, offset * 4, count);
  }

  load(compiled: CompiledProgram): LoadedProgram {
    const { instructions } = compiled;
    const words = instructions.length * opcodes.INSTRUCTION_WORDS;
    const offset = this.allocate('program', words);
    const integers = this.integers(offset, words).fill(0);
    const floats = this.floats(offset, words);
    instructions.forEach((instruction, i) => {
      const at = i * opcodes.INSTRUCTION_WORDS;
      integers[at] = instruction.op;
      integers.set(instruction.integers, at + opcodes.INTEGERS_AT);
      floats.set(instruction.floats, at + opcodes.FLOATS_AT);
      instruction.operands.forEach((operand, j) => {
        if (!operand) return;
        const { base, model, group, thread } = operand;
        integers.set([base, model, group, thread], at + opcodes.OPERANDS_AT + j * opcodes.OPERAND_WORDS);
      });
    });
    return { compiled, offset };
  }

  async run({ compiled, offset }: LoadedProgram): Promise<void> {
    if (this.failure) throw this.failure;
    if (this.waiting)
      throw new EngineError('aborted', 'a program is running; wait for it before starting the next');
    const { control } = this;
    const { groups } = compiled;
    begin(control, {
      program: offset * 4,
      length: compiled.instructions.length,
      models: compiled.models,
      groups,
    });
    try {
      share(this.kernels, control, 0);
    } catch (cause) {
      throw this.fail('crashed', `a kernel failed: ${(cause as Error).message}`, cause);
    }
    for (let look = 0; look < LOOKS && !isFinished(control); look++);
    if (!isFinished(control)) await this.others();
    for (const { from, to, count } of compiled.sums) this.kernels.addGroups(count, groups, from * 4, to * 4);
  }

  async close(): Promise<void> {
    Atomics.store(this.control, GENERATION, CLOSING);
    if (this.workers.length > 0) Atomics.notify(this.control, GENERATION);
    this.fail('closed', 'the engine is closed');
    this.failure = new EngineError('closed', 'the engine is closed');
    await Promise.all(this.workers.splice(0).map((worker) => worker.stop()));
  }

  /** Sleeps until a worker has finished the last group, or is lost. */
  private async others(): Promise<void> {
    for (const worker of this.workers) worker.hold(true);
    try {
      await new Promise<void>((resolve, reject) => {
        this.waiting = { resolve, reject };
      });
    } finally {
      this.waiting = null;
      for (const worker of this.workers) worker.hold(false);
    }
  }

  private hear(thread: number, message: WorkerMessage): void {
    if ('failed' in message) {
      if (isServing(this.control, thread))
        this.fail('crashed', `a kernel failed on a worker thread: ${message.failed}`);
      else this.lose(thread, new Error(message.failed));
    } else if ('finished' in message && isFinished(this.control)) this.waiting?.resolve();
  }

  /** A thread that was at work takes the run with it. One that never served has taken nothing, and others do its share. */
  private lose(thread: number, error: Error): void {
    if (isServing(this.control, thread)) {
      this.fail('crashed', `a worker thread was lost: ${error.message}`, error);
    } else if (!this.failure) {
      this.missing.add(thread);
      this.platform.warn(
        `threads could not be started (${error.message}); fewer threads compute, results are the same`,
      );
    }
  }

  /** The first failure is the one that everybody hears of. */
  private fail(reason: EngineError['reason'], message: string, cause?: unknown): EngineError {
    this.failure ??= new EngineError(reason, message, cause === undefined ? undefined : { cause });
    this.waiting?.reject(this.failure);
    return this.failure;
  }
}
