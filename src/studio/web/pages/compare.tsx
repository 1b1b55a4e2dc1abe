/** Runs side by side, and the records of a benchmark. */
import { useRef, useState } from 'react';
import type { RunDocument } from '../../../index.js';
import { documentFormats } from '../../../report/documentFormats.js';
import { formatDuration, formatNumber, formatPercent } from '../../../report/formats.js';
import type { BenchFolder, OpenedRun } from '../../protocol/index.js';
import { roomFor, scaleOf, ticksOf } from '../charts/scale.js';
import { SeedDots } from '../charts/seedDots.js';
import { readBench } from '../host/benchFile.js';
import { useAnswer, useHost } from '../parts/hostContext.js';
import { Figure, Problem, VerdictChip, Waiting } from '../parts/pieces.js';
import { addressOf, replaceQuery, useRoute } from '../parts/route.js';

/** More than these are hard to tell apart. */
const MOST = 6;

export function Compare() {
  const { query } = useRoute();
  const runs = useAnswer('runs', (host) => host.listRuns());
  const chosen = (query.get('runs') ?? '').split(',').filter((id) => id !== '');
  const opened = useAnswer(chosen.join(), async (host) =>
    (await Promise.all(chosen.map((id) => host.openRun(id).catch(() => null)))).filter((run) => run !== null),
  );
  const finished = (runs.value ?? []).filter(({ verdict }) => verdict !== null);
  const toggle = (id: string) => {
    const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(-MOST);
    replaceQuery(next.length === 0 ? {} : { runs: next.join() });
  };
  return (
    <>
      <div className="page-head">
        <div>
          <p className="eyebrow">Compare</p>
          <h1>Runs side by side</h1>
          {finished.length > 0 && <p className="lede">Choose up to {MOST} runs.</p>}
        </div>
      </div>
      {runs.error && <Problem error={runs.error} />}
      {!runs.value && !runs.error && <Waiting what="Looking for runs" />}
      {runs.value && finished.length === 0 && (
        <p>
          No run is finished yet. <a href="#/">Begin one.</a>
        </p>
      )}
      <ul className="runs">
        {finished.map((run) => (
          <li key={run.id}>
            <label className="inline">
              <input type="checkbox" checked={chosen.includes(run.id)} onChange={() => toggle(run.id)} />
              <span>
                <strong>{run.goals.join('; ')}</strong>{' '}
                <span className="note">
                  {run.file}, {run.effort}, seed {run.seed}, {run.created.slice(0, 10)}
                </span>
              </span>
            </label>
            {run.verdict && <VerdictChip level={run.verdict.level} />}
          </li>
        ))}
      </ul>
      {opened.value && opened.value.length > 0 && <SideBySide runs={opened.value} />}
      <Bench />
    </>
  );
}

type Finished = OpenedRun & { readonly document: RunDocument };

function SideBySide({ runs }: { readonly runs: readonly OpenedRun[] }) {
  const finished = runs.filter((run): run is Finished => run.document !== null);
  if (finished.length === 0) return null;
  const lines: readonly (readonly [string, (run: Finished) => React.ReactNode])[] = [
    ['goal', ({ document }) => document.goal.labels.join('; ')],
    ['table', ({ document }) => `${document.data.file}, ${document.data.rows} rows`],
    ['constraints', ({ document }) => document.constraints.join('; ') || 'none'],
    ['effort, seed', ({ document }) => `${document.run.effort}, ${document.run.seed}`],
    ['verdict', ({ document }) => <VerdictChip level={document.verdict.level} />],
    [
      'best known',
      ({ document }) => formatNumber(document.bestKnown.value, documentFormats(document).objective),
    ],
    [
      'best expected',
      ({ document }) =>
        document.candidates[0]
          ? formatNumber(document.candidates[0].expected, documentFormats(document).objective)
          : 'none',
    ],
    [
      'mean chance of better',
      ({ document: { candidates } }) =>
        candidates.length === 0
          ? 'none'
          : formatPercent(candidates.reduce((sum, { better }) => sum + better, 0) / candidates.length),
    ],
    [
      'trusted, stretch, guess',
      ({ document: { candidates } }) =>
        ['Trusted', 'Stretch', 'Guess']
          .map((trust) => candidates.filter((one) => one.trust === trust).length)
          .join(', '),
    ],
    ['rank correlation on unseen rows', ({ document }) => document.validation.rankCorrelation.toFixed(2)],
    ['inside 80 % intervals', ({ document }) => formatPercent(document.validation.coverage80)],
    [
      'time',
      ({ document }) => (document.run.seconds === undefined ? '' : formatDuration(document.run.seconds)),
    ],
  ];
  return (
    <section>
      <h2>Side by side</h2>
      {/* biome-ignore lint/a11y: what scrolls has a name, and has to be reached by keyboard */}
      <div className="scroll" role="region" aria-label="Runs side by side" tabIndex={0}>
        <table className="plain">
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">what</span>
              </th>
              {finished.map(({ summary }) => (
                <th key={summary.id} scope="col">
                  <a href={addressOf(['run', summary.id, 'candidates'])}>{summary.id}</a>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map(([title, cell]) => (
              <tr key={title}>
                <th scope="row">{title}</th>
                {finished.map((run) => (
                  <td key={run.summary.id}>{cell(run)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Intervals runs={finished} />
    </section>
  );
}

const WIDTH = 640;
const LEFT = 150;

/** Candidates of runs with the same objective on one scale. */
function Intervals({ runs }: { readonly runs: readonly Finished[] }) {
  const name = runs[0]!.document.goal.name;
  const same = runs.filter(({ document }) => document.goal.name === name && document.candidates.length > 0);
  if (same.length === 0) return null;
  const [low, high] = roomFor(
    same.flatMap(({ document }) => [
      document.bestKnown.value,
      ...document.candidates.flatMap(({ lo80, hi80 }) => [lo80, hi80]),
    ]),
  );
  const x = scaleOf(low, high, LEFT, WIDTH - 10);
  let top = 8;
  const blocks = same.map((run) => {
    const from = top;
    top += 14 * run.document.candidates.length + 18;
    return { run, from };
  });
  return (
    <Figure
      title={`What each run expects of ${name}`}
      summary="Marks are expected values, bars 80 % intervals, one per candidate; the line is the best known value of the run."
      data={{
        name: 'compared',
        header: ['run', 'candidate', 'expected', 'lo80', 'hi80', 'trust'],
        rows: same.flatMap(({ summary, document }) =>
          document.candidates.map((one) => [
            summary.id,
            one.row,
            one.expected,
            one.lo80,
            one.hi80,
            one.trust,
          ]),
        ),
      }}
    >
      {/* biome-ignore lint/a11y: what scrolls has a name, and has to be reached by keyboard */}
      <div className="scroll" role="region" aria-label={`What each run expects of ${name}`} tabIndex={0}>
        <svg
          viewBox={`0 0 ${WIDTH} ${top + 16}`}
          className="chart wide"
          role="img"
          aria-label={`Expected ${name} of the candidates of ${same.length} runs`}
        >
          {ticksOf(low, high, 5).map((tick) => (
            <g key={tick}>
              <line x1={x.at(tick)} x2={x.at(tick)} y1={4} y2={top} className="grid-line" />
              <text x={x.at(tick)} y={top + 14} textAnchor="middle">
                {formatNumber(tick)}
              </text>
            </g>
          ))}
          {blocks.map(({ run: { summary, document }, from }) => (
            <g key={summary.id}>
              <text x={0} y={from + 12} className="name">
                {summary.id.slice(0, 26)}
              </text>
              <line
                x1={x.at(document.bestKnown.value)}
                x2={x.at(document.bestKnown.value)}
                y1={from}
                y2={from + 14 * document.candidates.length}
                className="best-line"
              />
              {document.candidates.map((one, i) => (
                <g key={one.row}>
                  <rect
                    x={x.at(one.lo80)}
                    y={from + 14 * i + 3}
                    width={Math.max(2, x.at(one.hi80) - x.at(one.lo80))}
                    height={7}
                    rx={2}
                    className={`interval ${one.trust.toLowerCase()}`}
                  />
                  <circle
                    cx={x.at(one.expected)}
                    cy={from + 14 * i + 6.5}
                    r={3.5}
                    className={`mark ${one.trust.toLowerCase()}`}
                  />
                </g>
              ))}
            </g>
          ))}
        </svg>
      </div>
    </Figure>
  );
}

function Bench() {
  const host = useHost();
  const about = useAnswer('about', (one) => one.about());
  const input = useRef<HTMLInputElement>(null);
  const [folder, setFolder] = useState<BenchFolder>();
  const [error, setError] = useState<Error>();
  const attempt = async (open: () => Promise<BenchFolder>) => {
    try {
      setFolder(await open());
      setError(undefined);
    } catch (fault) {
      setError(fault as Error);
    }
  };
  return (
    <section>
      <h2>Benchmarks</h2>
      <p className="actions">
        {about.value?.benches.map((name) => (
          <button key={name} type="button" onClick={() => void attempt(() => host.openBench(name))}>
            {name}
          </button>
        ))}
        <button type="button" onClick={() => input.current?.click()}>
          Open a records.jsonl
        </button>
        <input
          ref={input}
          type="file"
          accept=".jsonl"
          className="hidden"
          tabIndex={-1}
          aria-label="Records of a benchmark"
          onChange={({ currentTarget: { files } }) => {
            const file = files?.[0];
            if (file) void attempt(async () => readBench(file.name, await file.text()));
          }}
        />
      </p>
      {error && <Problem error={error} />}
      {folder && <SeedDots folder={folder} />}
    </section>
  );
}
