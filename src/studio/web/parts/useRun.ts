/** A run, as it changes while it is computed. */
import { useEffect, useState } from 'react';
import type { OpenedRun, RunProgress, RunSummary } from '../../protocol/index.js';
import { useHost } from './hostContext.js';

export interface LiveRun {
  readonly run: OpenedRun | undefined;
  readonly error: Error | undefined;
  /** Progress since the page was opened. */
  readonly seen: readonly RunProgress[];
  again(): void;
}

const ended: readonly RunSummary['status'][] = ['done', 'partial', 'failed', 'interrupted'];

export function useRun(id: string): LiveRun {
  const host = useHost();
  const [run, setRun] = useState<OpenedRun>();
  const [error, setError] = useState<Error>();
  const [seen, setSeen] = useState<readonly RunProgress[]>([]);
  const [count, setCount] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `count` says that it is opened again
  useEffect(() => {
    let isCurrent = true;
    /** What the watch said last: newer than what was opened, however late that arrives. */
    let told: RunSummary | undefined;
    const open = () =>
      host.openRun(id).then(
        (opened) => isCurrent && setRun({ ...opened, summary: told ?? opened.summary }),
        (fault: Error) => isCurrent && setError(fault),
      );
    void open();
    const end = host.watchRun(id, (event) => {
      if (!isCurrent) return;
      if (event.kind === 'progress') {
        setSeen((before) => [...before, event.progress].slice(-4000));
        if (told) told = { ...told, progress: event.progress };
        setRun((before) => before && { ...before, summary: { ...before.summary, progress: event.progress } });
        return;
      }
      told = event.summary;
      setRun((before) => before && { ...before, summary: event.summary });
      if (ended.includes(event.summary.status)) void open();
    });
    return () => {
      isCurrent = false;
      end();
    };
  }, [host, id, count]);
  return { run, error, seen, again: () => setCount((before) => before + 1) };
}
