import { threadScript } from '../threads/script.js';
import { isServing } from '../threads/share.js';
import type { Platform, WorkerMessage, WorkerSetup } from './platform.js';

/** The part of the browser's Worker that is used here. */
interface WebWorker {
  onmessage: ((event: { readonly data: WorkerMessage }) => void) | null;
  onerror: ((event: { readonly message?: string; preventDefault?(): void }) => void) | null;
  postMessage(message: WorkerSetup): void;
  terminate(): void;
}

interface WebScope {
  readonly navigator?: { readonly hardwareConcurrency?: number };
  readonly crossOriginIsolated?: boolean;
}

// Bundlers look for `new Worker(new URL('...', import.meta.url), ...)` in exactly these words.
declare const Worker: new (url: URL | string, options?: { readonly type: 'module' }) => WebWorker;

const scope = globalThis as unknown as WebScope;

/**
 * Ways to start a thread, the first that works is taken. The script's own text needs nothing of bundlers and servers;
 * the file is for pages whose content security policy has no `blob:`.
 */
const ways: readonly (() => WebWorker)[] = [
  () => new Worker(URL.createObjectURL(new Blob([threadScript], { type: 'text/javascript' }))),
  () => new Worker(new URL('../threads/worker.web.js', import.meta.url), { type: 'module' }),
];

/** The first way that has not failed on this page; browsers report every attempt that a policy forbids. */
let way = 0;
let refusal = 'the browser refused to';

/** Milliseconds after which a thread is no longer waited for. It may come later. */
const PATIENCE = 2000;

let isWarned = false;

export const platform: Platform = {
  name: 'web',

  wishes: () => ({ kernel: undefined, threads: undefined }),

  native: () => ({ missing: 'browsers run no native code' }),

  allowRelaxedSimd() {},

  hardwareThreads: () => scope.navigator?.hardwareConcurrency ?? 1,

  canShareMemory: () => scope.crossOriginIsolated === true,

  warn(message) {
    if (!isWarned) console.warn(`nemokit: ${message}`);
    isWarned = true;
  },

  startThread(setup, onMessage, onFailure) {
    let worker: WebWorker | undefined;
    let isStopped = false;
    // A browser starts workers only while nothing else runs, which may never be once programs do.
    let settle = () => {};
    const ready = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const patience = setTimeout(settle, PATIENCE);

    function start(): void {
      if (isStopped) return;
      const used = way;
      if (used === ways.length) {
        settle();
        onFailure(new Error(refusal));
        return;
      }
      try {
        worker = ways[used]!();
        worker.onmessage = ({ data }) => {
          settle();
          onMessage(data);
        };
        worker.onerror = (event) => {
          event.preventDefault?.();
          fail(used, event.message);
        };
        worker.postMessage(setup);
      } catch (error) {
        fail(used, (error as Error).message);
      }
    }

    function fail(used: number, message: string | undefined): void {
      worker?.terminate();
      if (isServing(setup.control, setup.thread)) {
        onFailure(new Error(message ?? 'it ended'));
        return;
      }
      refusal = message || 'its script was not found, or a content security policy forbids it';
      way = Math.max(way, used + 1);
      start();
    }

    start();
    return {
      ready: ready.then(() => clearTimeout(patience)),
      hold() {},
      async stop() {
        isStopped = true;
        settle();
        worker?.terminate();
      },
    };
  },
};
