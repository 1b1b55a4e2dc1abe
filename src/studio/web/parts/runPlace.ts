/** The table and the question of the run that is open, so that its steps lead back to them. */
import { useSyncExternalStore } from 'react';

export interface RunPlace {
  readonly run: string;
  readonly table: string;
  readonly ask: string;
}

let place: RunPlace | null = null;
const listeners = new Set<() => void>();

export function setRunPlace(next: RunPlace): void {
  if (place?.run === next.run && place.table === next.table && place.ask === next.ask) return;
  place = next;
  for (const listen of listeners) listen();
}

export function useRunPlace(): RunPlace | null {
  return useSyncExternalStore(
    (listen) => {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
    () => place,
  );
}
