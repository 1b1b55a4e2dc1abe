/** The pages of one run. */
import { lazy, useEffect } from 'react';
import { Problem, Waiting } from '../parts/pieces.js';
import { setRunPlace } from '../parts/runPlace.js';
import { useRun } from '../parts/useRun.js';
import { Candidates } from './candidates.js';
import { Progress } from './progress.js';

const Profiler = lazy(() => import('./profiler.js').then(({ Profiler: page }) => ({ default: page })));
const TrustPage = lazy(() => import('./trust.js').then(({ TrustPage: page }) => ({ default: page })));
const Sheets = lazy(() => import('./sheets.js').then(({ Sheets: page }) => ({ default: page })));
const Rounds = lazy(() => import('./rounds.js').then(({ Rounds: page }) => ({ default: page })));

export function RunPages({ run: id, part }: { readonly run: string; readonly part: string }) {
  const live = useRun(id);
  const { run, error } = live;
  const table = run?.table;
  const ask = run && JSON.stringify(run.ask);
  useEffect(() => {
    if (table !== undefined && ask !== undefined) setRunPlace({ run: id, table, ask });
  }, [id, table, ask]);
  if (error) return <Problem error={error} />;
  if (!run) return <Waiting what="Opening the run" />;
  const { document } = run;
  if (part === '' || !document) return <Progress id={id} live={live} run={run} />;
  if (part === 'candidates') return <Candidates id={id} run={run} document={document} />;
  if (part === 'profiler') return <Profiler id={id} run={run} document={document} />;
  if (part === 'trust') return <TrustPage document={document} />;
  if (part === 'sheets') return <Sheets id={id} document={document} />;
  if (part === 'rounds') return <Rounds id={id} run={run} document={document} />;
  return (
    <p>
      There is no such page. <a href="#/">Home</a>
    </p>
  );
}
