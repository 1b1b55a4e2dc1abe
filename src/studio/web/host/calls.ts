/** Calls from a page to a worker and back, by number. */
import type { Fault } from '../../protocol/index.js';

export interface Call {
  readonly number: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

export interface Reply {
  readonly number: number;
  readonly value?: unknown;
  readonly fault?: Fault;
}

/** An error of a host, with the name that the library gave it. */
export class HostError extends Error {
  constructor(readonly fault: Fault) {
    super(fault.message);
    this.name = fault.name;
  }
}

/** The page's side. */
export class WorkerCalls {
  #next = 1;
  readonly #open = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  readonly #worker: Worker;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      const call = this.#open.get(data.number);
      this.#open.delete(data.number);
      if (data.fault) call?.reject(new HostError(data.fault));
      else call?.resolve(data.value);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      const reason = event.message || 'its script did not load';
      for (const { reject } of this.#open.values())
        reject(new Error(`what computes in the background stopped: ${reason}. Reload the page`));
      this.#open.clear();
    };
  }

  get isBusy(): boolean {
    return this.#open.size > 0;
  }

  /** Gives up what was asked. */
  end(): void {
    this.#worker.terminate();
    for (const { reject } of this.#open.values()) reject(new Error('something else was asked instead'));
    this.#open.clear();
  }

  call<Value>(name: string, args: readonly unknown[], transfer: Transferable[] = []): Promise<Value> {
    const number = this.#next++;
    return new Promise((resolve, reject) => {
      this.#open.set(number, { resolve: resolve as (value: unknown) => void, reject });
      this.#worker.postMessage({ number, name, args } satisfies Call, transfer);
    });
  }
}
