/** The host, and answers of it as they arrive. */
import { createContext, useContext, useEffect, useRef, useState } from 'react';
import type { Host } from '../../protocol/index.js';

export const HostContext = createContext<Host | null>(null);

export function useHost(): Host {
  const host = useContext(HostContext);
  if (!host) throw new Error('no host');
  return host;
}

export interface Answer<Value> {
  /** The newest answer; the last one stays while a new one is on its way. */
  readonly value: Value | undefined;
  readonly error: Error | undefined;
  readonly isWaiting: boolean;
  again(): void;
}

/** Asks again when `key` changes; late answers to older questions are dropped. */
export function useAnswer<Value>(key: string, ask: (host: Host) => Promise<Value>, delay = 0): Answer<Value> {
  const host = useHost();
  const [count, setCount] = useState(0);
  const [state, setState] = useState<Omit<Answer<Value>, 'again'>>({
    value: undefined,
    error: undefined,
    isWaiting: true,
  });
  const latest = useRef(ask);
  latest.current = ask;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` says what is asked, `count` that it is asked again
  useEffect(() => {
    let isCurrent = true;
    setState((before) => ({ ...before, isWaiting: true }));
    const timer = setTimeout(() => {
      latest.current(host).then(
        (value) => isCurrent && setState({ value, error: undefined, isWaiting: false }),
        (error: Error) => isCurrent && setState({ value: undefined, error, isWaiting: false }),
      );
    }, delay);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [host, key, count, delay]);
  return { ...state, again: () => setCount((before) => before + 1) };
}
