/** A run while it is computed: stages, the time that is left, curves, and what can be done about it. */
import { useEffect, useState } from 'react';
import { formatDuration, formatNumber, formatPercent } from '../../../report/formats.js';
import { seriesTitle } from '../../../report/learningCurves.js';
import { rehearsalSentence } from '../../../report/rehearsalWords.js';
import type { OpenedRun, RunProgress, RunSummary } from '../../protocol/index.js';
import { LineChart } from '../charts/lines.js';
import { useHost } from '../parts/hostContext.js';
import { Figure, Problem, sentence, VerdictBox } from '../parts/pieces.js';
import { addressOf, goTo } from '../parts/route.js';
import type { LiveRun } from '../parts/useRun.js';

const statusTitles: Readonly<Record<RunSummary['status'], string>> = {
  waiting: 'Starting',
  running: 'Designing',
  paused: 'Paused',
  interrupted: 'Interrupted',
  partial: 'Stopped early, with designs',
  done: 'Done',
  failed: 'Failed',
};

/** Names of stages, as they come, in words. */
const stageWords: Readonly<Record<string, string>> = {
  validate: 'Learn from parts of the rows, rehearse without the best',
  train: 'Learn from all rows',
  search: 'Search for designs',
  assess: 'Choose and judge the batch',
};

export function Progress({
  id,
  live,
  run,
}: {
  readonly id: string;
  readonly live: LiveRun;
  readonly run: OpenedRun;
}) {
  const host = useHost();
  const { summary, document, ask, table } = run;
  const { status, progress, fault } = summary;
  const [error, setError] = useState<Error>();
  const act = (what: Promise<unknown>) => what.then(live.again, setError);
  const isWorking = status === 'running' || status === 'waiting';
  const isOpen = isWorking || status === 'paused';
  // whoever watched the run to its end wants to see what came of it
  const [watched, setWatched] = useState(isOpen);
  useEffect(() => {
    if (isOpen) setWatched(true);
    else if (watched && document) goTo(['run', id, 'candidates']);
  }, [isOpen, watched, document, id]);
  const fraction = document ? 1 : (progress?.fraction ?? 0);
  return (
    <>
      <div className="page-head">
        <div>
          <p className="eyebrow">Run {id}</p>
          <h1>{statusTitles[status]}</h1>
          <p className="lede">
            {summary.goals.join('; ')} from {summary.file}, {summary.rows} rows; {summary.batch} designs, seed{' '}
            {summary.seed}.
          </p>
        </div>
        <p className="actions">
          {isWorking && (
            <button type="button" onClick={() => void act(host.pauseRun(id))}>
              Pause
            </button>
          )}
          {(status === 'paused' || status === 'interrupted') && (
            <button type="button" className="primary" onClick={() => void act(host.resumeRun(id))}>
              Resume
            </button>
          )}
          {isOpen && (
            <button type="button" onClick={() => void act(host.stopRun(id))}>
              Stop and keep
            </button>
          )}
          {!isOpen && (
            <a className="button" href={addressOf(['problem', table], { ask: JSON.stringify(ask) })}>
              Run again with other settings
            </a>
          )}
          {document && (
            <a className="button primary" href={addressOf(['run', id, 'candidates'])}>
              Candidates
            </a>
          )}
        </p>
      </div>
      {error && <Problem error={error} />}
      {fault && <Problem error={new Error(fault.message)} />}
      <section aria-label="Progress">
        <div className="progress">
          <progress max={1} value={fraction} aria-label="Share of the run that is done" />
          <span className="big">{formatPercent(fraction)}</span>
        </div>
        <p aria-live="polite" className="note">
          {progress ? sentence(progress.detail) : isWorking ? 'Loading the engine.' : ''}{' '}
          {isWorking && remaining(progress)}
        </p>
        <Stages current={progress?.stage} isDone={document !== null} />
      </section>
      {document && <VerdictBox verdict={document.verdict} />}
      {document?.rehearsal && (
        <p>{sentence(rehearsalSentence(document.rehearsal, (value) => formatNumber(value)) ?? '')}</p>
      )}
      <Curves live={live} curves={document?.curves ?? []} />
    </>
  );
}

/** By what was done so far; nothing is said before that is worth something. */
function remaining(progress: RunProgress | null): string {
  if (!progress || progress.fraction < 0.05 || progress.seconds < 2) return '';
  const left = (progress.seconds * (1 - progress.fraction)) / progress.fraction;
  return `About ${formatDuration(left < 20 ? Math.ceil(left) : 5 * Math.ceil(left / 5))} left.`;
}

/** All stages from the first moment, so that one sees the way. */
function Stages({ current, isDone }: { readonly current: string | undefined; readonly isDone: boolean }) {
  const stages = Object.keys(stageWords);
  const at = isDone ? stages.length : stages.indexOf(current ?? '');
  return (
    <ol className="stages">
      {stages.map((stage, i) => (
        <li key={stage} className={i < at ? 'past' : ''} aria-current={i === at ? 'step' : undefined}>
          {stageWords[stage]}
        </li>
      ))}
    </ol>
  );
}

const MOST_CURVES = 6;

type Line = readonly (readonly [step: number, value: number])[];

/** Steps of training are counted down to 0, where the search begins. */
function stepsOf(line: Line): string {
  if (line[0]![0] >= 0) return 'steps of the search';
  return line.at(-1)![0] < 0 ? 'steps of training' : 'steps of the search; below 0, of training';
}

/** As long as there is training alone, its steps are counted up. */
function counted(line: Line): Line {
  if (line.length < 2 || line.at(-1)![0] >= 0) return line;
  const start = 2 * line[0]![0] - line[1]![0];
  return line.map(([step, value]) => [step - start, value]);
}

function Curves({
  live,
  curves,
}: {
  readonly live: LiveRun;
  readonly curves: readonly Readonly<Record<string, number>>[];
}) {
  const points: readonly Readonly<Record<string, number>>[] =
    curves.length > 0
      ? curves
      : live.seen.flatMap(({ watched }, i) => (watched ? [{ iteration: i, ...watched }] : []));
  const names = [...new Set(points.flatMap((point) => Object.keys(point)))].filter(
    (name) => name !== 'iteration',
  );
  const shown = names.filter((name) => points.filter((point) => Number.isFinite(point[name])).length > 1);
  if (shown.length === 0) return null;
  return (
    <section>
      <h2>Learning curves</h2>
      <div className="charts">
        {shown.slice(0, MOST_CURVES).map((name) => {
          const line = points
            .filter((point) => Number.isFinite(point[name]))
            .map((point, i) => [point.iteration ?? i, point[name]!] as const);
          const title = seriesTitle(name);
          const isLoss = /loss$/i.test(name);
          return (
            <Figure
              key={name}
              title={title}
              summary={`From ${formatNumber(line[0]![1])} to ${formatNumber(line.at(-1)![1])}${isLoss ? '; lower is better' : ''}. Across: ${stepsOf(line)}.`}
              data={{ name: `curve-${name}`, header: ['iteration', name], rows: line }}
            >
              <LineChart label={`${title} over the steps of the run`} points={counted(line)} />
            </Figure>
          );
        })}
      </div>
    </section>
  );
}
