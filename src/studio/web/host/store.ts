/** What the browser keeps: tables, runs, their states and results, in IndexedDB. Shared by all tabs and workers. */
import type { Ask, OpenedTable, RunSummary } from '../../protocol/index.js';

const NAME = 'nemokit-studio';
const VERSION = 1;
const stores = ['tables', 'runs', 'states', 'documents', 'results'] as const;
type StoreName = (typeof stores)[number];

/** A line of the list of runs, with what it was asked. */
export interface KeptRun {
  readonly summary: RunSummary;
  readonly ask: Ask;
  readonly table: string;
}

/** A table, with what the reader knew beside its cells. */
export interface KeptTable<Table> {
  readonly table: Table;
  readonly opened: OpenedTable;
}

let opening: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      for (const name of stores)
        if (!request.result.objectStoreNames.contains(name)) request.result.createObjectStore(name);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () =>
      reject(new Error('this browser keeps nothing here: its storage cannot be opened'));
  });
  return opening;
}

async function act<Result>(
  name: StoreName,
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(name, mode);
    const request = use(transaction.objectStore(name));
    transaction.oncomplete = () => resolve(request.result);
    const fail = () =>
      reject(
        new Error(
          `this browser could not keep it: ${transaction.error?.message ?? 'its storage is full'}. Delete old runs, or save them as files first`,
        ),
      );
    transaction.onerror = fail;
    transaction.onabort = fail;
  });
}

export const store = {
  get: <Value>(name: StoreName, key: string): Promise<Value | undefined> =>
    act(name, 'readonly', (kept) => kept.get(key)),
  all: <Value>(name: StoreName): Promise<Value[]> => act(name, 'readonly', (kept) => kept.getAll()),
  put: async (name: StoreName, key: string, value: unknown): Promise<void> => {
    await act(name, 'readwrite', (kept) => kept.put(value, key));
  },
  remove: async (name: StoreName, key: string): Promise<void> => {
    await act(name, 'readwrite', (kept) => kept.delete(key));
  },
};
