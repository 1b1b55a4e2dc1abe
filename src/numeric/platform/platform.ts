import type { NativeAddon } from '../threads/native.js';
import type { ThreadSetup } from '../threads/share.js';

export type WorkerSetup = ThreadSetup;
export type WorkerMessage =
  | { readonly serving: number }
  | { readonly finished: number }
  | { readonly failed: string };

/** Native kernels of this machine. */
export interface NativeKernels {
  readonly addon: NativeAddon;
  /** The addon's file. */
  readonly path: string;
  /** Which of the addon's variants to use. */
  readonly variant: number;
}

/** A thread that is running `serve`. */
export interface Thread {
  /** Resolves when it serves or cannot be started; absent where a thread starts by itself while others compute. */
  readonly ready?: Promise<void>;
  /** Whether the process has to wait for it. */
  hold(isBusy: boolean): void;
  /** Resolves when the thread is gone. */
  stop(): Promise<void>;
}

/**
 * What differs between Node and browsers. The two files that implement it are the only ones below `evaluation/` that
 * look at the machine: which kernel it can run, how many threads it has. Neither changes a result of that kernel.
 */
export interface Platform {
  readonly name: 'node' | 'web';
  /** The user's wishes from outside the program, if there are any. */
  wishes(): { readonly kernel: string | undefined; readonly threads: string | undefined };
  /** Makes relaxed SIMD available where a switch is needed for it. */
  allowRelaxedSimd(): void;
  /** The native kernels, or in a few words why there are none. */
  native(): NativeKernels | { readonly missing: string };
  hardwareThreads(): number;
  canShareMemory(): boolean;
  /** Says once, however often it is called, that there are fewer threads than wished for. */
  warn(message: string): void;
  /** `onFailure` is told of a thread that cannot be started as well as of one that is lost. */
  startThread(
    setup: WorkerSetup,
    onMessage: (message: WorkerMessage) => void,
    onFailure: (error: Error) => void,
  ): Thread;
}
