/** The compiled kernels, and which of them to use on this machine. */
import { platform } from '#platform';
import type { Kernel } from '../backend.js';
import { ArgumentError } from '../errors.js';
import type { KernelCode } from '../threadedBackend.js';
import { plain, relaxed } from './binary.js';

export const kernelChoices = ['auto', 'native', 'wasm', 'wasm-relaxed', 'reference'] as const;

/** `auto`: `native` where it is there, else `wasm-relaxed` where the machine can run it, `wasm` elsewhere. */
export type KernelChoice = (typeof kernelChoices)[number];

/** `code` is null for the reference kernel, which is TypeScript. */
export interface LoadedKernel {
  readonly kernel: Kernel;
  readonly code: KernelCode | null;
}

/** What this machine can run. */
export interface Capabilities {
  /** Instructions of the native kernels, such as `avx2`; null without them. */
  readonly native: string | null;
  /** Why there are no native kernels; null where there are. */
  readonly nativeMissing: string | null;
  readonly relaxedSimd: boolean;
  readonly simd: boolean;
  readonly sharedMemory: boolean;
  readonly hardwareThreads: number;
}

const modules = new Map<Kernel, Promise<WebAssembly.Module>>();

function decode(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

function moduleFor(kernel: Kernel, bytes: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Module> {
  const known = modules.get(kernel) ?? WebAssembly.compile(bytes);
  modules.set(kernel, known);
  return known;
}

/** What this runtime can do: which instructions of WebAssembly it has, and whether threads can share memory. */
export function capabilities(): Capabilities {
  platform.allowRelaxedSimd();
  const native = platform.native();
  return {
    native: 'addon' in native ? (native.addon.variants[native.variant] ?? null) : null,
    nativeMissing: 'missing' in native ? native.missing : null,
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
  if (kernel === 'reference') return { kernel, code: null };
  if (kernel === 'native' || kernel === 'auto') {
    const native = platform.native();
    if ('addon' in native) return { kernel: 'native', code: { native } };
    if (kernel === 'native')
      throw new ArgumentError('kernel', `there are no native kernels: ${native.missing}; use auto`);
  }
  const able = capabilities();
  if (kernel === 'wasm-relaxed' && !able.relaxedSimd) {
    throw new ArgumentError('kernel', 'this machine cannot run relaxed SIMD; use auto or wasm');
  }
  if (!able.simd) {
    throw new ArgumentError('kernel', 'this machine cannot run WebAssembly SIMD; use the reference kernel');
  }
  const chosen = kernel === 'wasm' || !able.relaxedSimd ? 'wasm' : 'wasm-relaxed';
  const module = await moduleFor(chosen, decode(chosen === 'wasm' ? plain : relaxed));
  return { kernel: chosen, code: { module } };
}
