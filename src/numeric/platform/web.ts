import type { Platform, WorkerMessage, WorkerSetup } from './platform.js';

/** The part of the browser's Worker that is used here. */
interface WebWorker {
  onmessage: ((event: { readonly data: WorkerMessage }) => void) | null;
  onerror: ((event: { readonly message?: string; preventDefault?(): void }) => void) | null;
  postMessage(message: WorkerSetup): void;
  terminate(): void;
}

interface WebScope {
  readonly Worker: new (url: URL, options: { readonly type: 'module' }) => WebWorker;
  readonly navigator?: { readonly hardwareConcurrency?: number };
  readonly crossOriginIsolated?: boolean;
}

const scope = globalThis as unknown as WebScope;

export const platform: Platform = {
  name: 'web',

  wishes: () => ({ kernel: undefined, threads: undefined }),

  allowRelaxedSimd() {},

  hardwareThreads: () => scope.navigator?.hardwareConcurrency ?? 1,

  canShareMemory: () => scope.crossOriginIsolated === true,

  startThread(setup, onMessage, onFailure) {
    const worker = new scope.Worker(new URL('../threads/worker.web.js', import.meta.url), { type: 'module' });
    worker.onmessage = (event) => onMessage(event.data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      onFailure(new Error(event.message ?? 'a worker could not be started'));
    };
    worker.postMessage(setup);
    return {
      hold() {},
      async stop() {
        worker.terminate();
      },
    };
  },
};
