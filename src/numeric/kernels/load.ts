/** The compiled kernels, and which of them to use on this machine. */
import { platform } from '#platform';
import type { Kernel } from '../backend.js';
import { ArgumentError } from '../errors.js';
import { plain, relaxed } from './binary.js';

export const kernelChoices = ['auto', 'wasm', 'wasm-relaxed', 'reference'] as const;

/** `auto`: `wasm-relaxed` where the machine can run it, `wasm` elsewhere. */
export type KernelChoice = (typeof kernelChoices)[number];

/** `module` is null for the reference kernel, which is TypeScript. */
export interface LoadedKernel {
  readonly kernel: Kernel;
  readonly module: WebAssembly.Module | null;
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

/** The kernel asked for, by `choice`, else by the environment's `NEMOKIT_KERNEL`, else `auto`; compiled once. */
export async function loadKernel(choice: KernelChoice | undefined): Promise<LoadedKernel> {
  const wish = choice ?? platform.wishes().kernel ?? 'auto';
  const kernel = kernelChoices.find((known) => known === wish);
  if (!kernel) {
    const from = choice ? 'kernel' : 'NEMOKIT_KERNEL';
    throw new ArgumentError(from, `${from} is "${wish}"; expected one of ${kernelChoices.join(', ')}`);
  }
  if (kernel === 'reference') return { kernel, module: null };
  const able = capabilities();
  if (kernel === 'wasm-relaxed' && !able.relaxedSimd) {
    throw new ArgumentError('kernel', 'this machine cannot run relaxed SIMD; use auto or wasm');
  }
  if (!able.simd) {
    throw new ArgumentError('kernel', 'this machine cannot run WebAssembly SIMD; use the reference kernel');
  }
  const chosen = kernel === 'wasm' || !able.relaxedSimd ? 'wasm' : 'wasm-relaxed';
  return { kernel: chosen, module: await moduleFor(chosen, decode(chosen === 'wasm' ? plain : relaxed)) };
}
