import type { CompiledProgram } from './instruction.js';

/**
 * `native` is compiled C and always fuses multiply and add; `wasm-relaxed` fuses where the machine can, and then gives the
 * same bits; `reference` is float64 TypeScript, slow and exact.
 */
export type Kernel = 'native' | 'wasm' | 'wasm-relaxed' | 'reference';

/** What an engine computes with. Memory is counted in elements, whatever an element's bytes. */
export interface Backend {
  readonly kernel: Kernel;
  /** Threads that compute; fewer than were asked for where some could not be started. */
  readonly threads: number;
  /** Numbers of threads that programs have temporary memory for. */
  readonly places: number;
  /** Reserves elements, all 0, and returns their offset. `argument` names what they are for. */
  allocate(argument: string, count: number): number;
  free(offset: number): void;
  /** A live view, good until the next allocation. */
  floats(offset: number, count: number): Float32Array | Float64Array;
  integers(offset: number, count: number): Int32Array | Float64Array;
  /** Makes a program ready to run; what it returns is `run`'s first argument. */
  load(program: CompiledProgram): LoadedProgram;
  run(program: LoadedProgram): Promise<void>;
  close(): Promise<void>;
}

export interface LoadedProgram {
  readonly compiled: CompiledProgram;
  /** Where the encoded instructions lie, for backends that encode. */
  readonly offset: number;
}
