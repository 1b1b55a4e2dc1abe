/** One small plot per column. Drag a value: all curves, intervals and the trust follow. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { RunDocument } from '../../../index.js';
import { designColumns, documentFormats } from '../../../report/documentFormats.js';
import { formatCell, formatInterval, formatNumber, formatPercent } from '../../../report/formats.js';
import type { Cells, OpenedRun, ProfileAnswer, ProfileQuestion } from '../../protocol/index.js';
import { Contour } from '../charts/contour.js';
import { ProfilePanel } from '../charts/profilePanel.js';
import { roomFor } from '../charts/scale.js';
import { useAnswer, useHost } from '../parts/hostContext.js';
import { Figure, Problem, TrustMark, Waiting } from '../parts/pieces.js';
import { goTo, replaceQuery, useRoute } from '../parts/route.js';

export function Profiler({
  id,
  run,
  document,
}: {
  readonly id: string;
  readonly run: OpenedRun;
  readonly document: RunDocument;
}) {
  const { candidates } = document;
  const { query } = useRoute();
  const row = Number(query.get('row') ?? 1);
  const candidate = candidates.find((one) => one.row === row) ?? candidates[0];
  if (!candidate) return <p>The run proposed no designs, so there is nothing to look at from here.</p>;
  return (
    <ProfilerOf
      key={candidate.row}
      id={id}
      run={run}
      document={document}
      start={candidate.cells}
      first={cellsIn(query.get('at')) ?? candidate.cells}
      row={candidate.row}
    />
  );
}

/** A design from the address; null where there is none. */
function cellsIn(text: string | null): Cells | null {
  try {
    const cells: unknown = JSON.parse(text ?? 'null');
    return typeof cells === 'object' ? (cells as Cells | null) : null;
  } catch {
    return null;
  }
}

/** Milliseconds without a move after which curves are made exact. */
const REST = 150;

/**
 * One question at a time; of those that come meanwhile, the last. Curves that follow a finger are quick, those of a design that
 * rests are exact.
 */
function useProfile(id: string, first: Cells) {
  const host = useHost();
  const [answer, setAnswer] = useState<ProfileAnswer>();
  const [error, setError] = useState<Error>();
  const waiting = useRef<ProfileQuestion | null>(null);
  const isBusy = useRef(false);
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** How often something was asked: what is exact of an older design is dropped. */
  const count = useRef(0);
  const settle = (cells: Cells) => {
    const asked = count.current;
    resting.current = setTimeout(() => {
      host.profile(id, { cells }).then(
        (exact) => asked === count.current && setAnswer(exact),
        (fault: Error) => asked === count.current && setError(fault),
      );
    }, REST);
  };
  const ask = async (question: ProfileQuestion) => {
    count.current++;
    clearTimeout(resting.current);
    waiting.current = question;
    if (isBusy.current) return;
    isBusy.current = true;
    let last: ProfileAnswer | undefined;
    while (waiting.current) {
      const next: ProfileQuestion = waiting.current;
      waiting.current = null;
      try {
        last = await host.profile(id, { ...next, isQuick: true });
        setAnswer(last);
        setError(undefined);
      } catch (fault) {
        setError(fault as Error);
      }
    }
    isBusy.current = false;
    if (last) settle(last.design.cells);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the page opens
  useEffect(() => {
    void ask({ cells: first });
    return () => clearTimeout(resting.current);
  }, []);
  return { answer, error, ask };
}

function ProfilerOf({
  id,
  run,
  document,
  start,
  first,
  row,
}: {
  readonly id: string;
  readonly run: OpenedRun;
  readonly document: RunDocument;
  readonly start: Cells;
  /** What is shown first: `start`, or what it was moved to before a reload. */
  readonly first: Cells;
  readonly row: number;
}) {
  const host = useHost();
  const { bestKnown, goal, candidates } = document;
  const formats = useMemo(() => documentFormats(document), [document]);
  const { answer, error, ask } = useProfile(id, first);
  const [locked, setLocked] = useState<readonly string[]>([]);
  const [fault, setFault] = useState<Error>();
  const now = answer && JSON.stringify(answer.design.cells);
  useEffect(() => {
    if (now === undefined) return;
    // a moment after the last move: browsers allow few changes of the address in a row
    const isStart = now === JSON.stringify(start);
    const timer = setTimeout(() => replaceQuery({ row: String(row), ...(!isStart && { at: now }) }), 400);
    return () => clearTimeout(timer);
  }, [now, row, start]);
  if (!answer) return error ? <Problem error={error} /> : <Waiting what="Opening the models of this run" />;
  const { design, profiles, past } = answer;
  const range = roomFor(
    [bestKnown.value, ...profiles.flatMap(({ points }) => points.flatMap(({ lo80, hi80 }) => [lo80, hi80]))],
    0.04,
  );
  const move = (column: string, value: number | string) =>
    void ask({ cells: design.cells, move: { column, value }, locked });
  const add = async () => {
    try {
      // curves pass between the steps of columns, and a batch does not
      const settled = await host.profile(id, { cells: design.cells, columns: [], onSteps: true });
      const { id: next } = await host.startRun(run.table, {
        ...run.ask,
        batch: candidates.length + 1,
        keep: [...candidates.map(({ cells }) => cells), settled.design.cells],
      });
      goTo(['run', next]);
    } catch (problem) {
      setFault(problem as Error);
    }
  };
  return (
    <>
      <div className="page-head">
        <div>
          <p className="eyebrow">Profiler</p>
          <h1>What if?</h1>
          <p className="lede">
            Drag a value, or use the arrow keys. The rest stays, but for recipes and constraints, which are
            kept.
          </p>
        </div>
        <p className="actions">
          <label className="inline">
            Start from
            <select value={row} onChange={(event) => replaceQuery({ row: event.currentTarget.value })}>
              {candidates.map((one) => (
                <option key={one.row} value={one.row}>
                  candidate {one.row}
                </option>
              ))}
            </select>
          </label>
          <button type="button" onClick={() => void ask({ cells: start })}>
            Back to candidate {row}
          </button>
          <button type="button" onClick={() => void add()}>
            Add to the batch
          </button>
        </p>
      </div>
      {(error ?? fault) && <Problem error={(error ?? fault)!} />}
      <section className="readout" aria-live="polite" aria-label="This design">
        <p>
          <span className="note">expected {goal.name}</span>
          <strong className="big">{formatNumber(design.expected, formats.objective)}</strong>
        </p>
        <p>
          <span className="note">80 % interval</span>
          <strong>{formatInterval(design.lo80, design.hi80, formats.objective)}</strong>
        </p>
        <p>
          <span className="note">chance of better</span>
          <strong>{formatPercent(design.better)}</strong>
        </p>
        <p>
          <span className="note">trust</span>
          <TrustMark trust={design.trust} />
        </p>
        <p className="grow">
          <span className="note">nearest past run</span>
          <span>
            row {design.nearest.row}, {formatNumber(design.nearest.value, formats.objective)}
            {design.breaks.length > 0 && (
              <strong className="caution"> · breaks {design.breaks.join('; ')}</strong>
            )}
          </span>
        </p>
      </section>
      <section className="panels" aria-label="Curves">
        <h2 className="visually-hidden">Curves</h2>
        {profiles.map((profile) => {
          const { column, at, along } = profile;
          const isLocked = locked.includes(column);
          return (
            <Figure
              key={column}
              title={column}
              summary={`${formatCell(at, formats.column(column))}${along ? `; ${along.join(' and ')} ${along.length === 1 ? 'makes' : 'make'} room` : ''}`}
              data={{
                name: `profile-${column}`,
                header: [column, 'expected', 'lo80', 'hi80'],
                rows: profile.points.map((one) => [one.value, one.expected, one.lo80, one.hi80]),
              }}
            >
              <ProfilePanel
                profile={profile}
                past={past[column] ?? []}
                range={range}
                best={bestKnown.value}
                format={formats.column(column)}
                isLocked={isLocked}
                move={(value) => move(column, value)}
              />
              <label className="inline lock">
                <input
                  type="checkbox"
                  checked={isLocked}
                  onChange={() =>
                    setLocked(isLocked ? locked.filter((name) => name !== column) : [...locked, column])
                  }
                />
                Lock {column}
              </label>
            </Figure>
          );
        })}
      </section>
      <p className="note">
        Lines are expected values, bands 80 % intervals, the dotted line is the best known {goal.name}. Bands
        are pale, and lines dashed, where no past run went. Ticks at the bottom are past runs.
      </p>
      <section className="charts large">
        <h2 className="visually-hidden">Columns</h2>
        <Importance document={document} />
        <TwoColumns id={id} document={document} cells={design.cells} profiles={profiles} />
      </section>
    </>
  );
}

function Importance({ document: { relevance = [] } }: { readonly document: RunDocument }) {
  if (relevance.length === 0) return null;
  const shown = relevance.slice(0, 12);
  const most = shown[0]!.share || 1;
  return (
    <Figure
      title="Which columns matter"
      summary={`${shown[0]!.column} matters most. Shares from 0 to 1.`}
      data={{
        name: 'importance',
        header: ['column', 'share'],
        rows: relevance.map(({ column, share }) => [column, share]),
      }}
    >
      <ul className="levels important">
        {shown.map(({ column, share }) => (
          <li key={column}>
            <span className="level-bar" style={{ inlineSize: `${(100 * share) / most}%` }} />
            <span className="level-text">{column}</span>
            <span className="level-count">{share.toFixed(2)}</span>
          </li>
        ))}
      </ul>
    </Figure>
  );
}

function TwoColumns({
  id,
  document,
  cells,
  profiles,
}: {
  readonly id: string;
  readonly document: RunDocument;
  readonly cells: Cells;
  readonly profiles: ProfileAnswer['profiles'];
}) {
  const numbers = useMemo(() => {
    const drawn = profiles.filter(({ kind }) => kind === 'number').map(({ column }) => column);
    const rank = new Map((document.relevance ?? []).map(({ column }, i) => [column, i]));
    return designColumns(document)
      .filter((name) => drawn.includes(name))
      .toSorted((a, b) => (rank.get(a) ?? 99) - (rank.get(b) ?? 99));
  }, [document, profiles]);
  const [x, setX] = useState(numbers[0]);
  const [y, setY] = useState(numbers[1]);
  const isReady = x !== undefined && y !== undefined && x !== y;
  const answer = useAnswer(
    `${id} ${x} ${y} ${JSON.stringify(cells)}`,
    async (host) => (isReady ? host.contour(id, { cells, x, y }) : null),
    300,
  );
  if (numbers.length < 2) return null;
  return (
    <Figure
      title="Two columns at once"
      summary={
        isReady
          ? `Expected ${document.goal.name} over ${x} and ${y}, with lines of equal value: stronger is better, orange is a guess, empty cannot be made.`
          : 'Choose two different columns.'
      }
      data={{
        name: 'contour',
        header: [x ?? '', y ?? '', 'expected', 'trust'],
        rows: (answer.value?.expected ?? []).map((value, i) => [
          answer.value!.xs[i % answer.value!.xs.length],
          answer.value!.ys[Math.floor(i / answer.value!.xs.length)],
          value,
          answer.value!.trust[i],
        ]),
      }}
    >
      <p className="toolbar">
        <label className="inline">
          Across
          <select value={x} onChange={(event) => setX(event.currentTarget.value)}>
            {numbers.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label className="inline">
          Up
          <select value={y} onChange={(event) => setY(event.currentTarget.value)}>
            {numbers.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </p>
      {answer.error && <Problem error={answer.error} />}
      {answer.value && isReady && (
        <Contour
          answer={answer.value}
          names={[x, y]}
          at={[Number(cells[x]), Number(cells[y])]}
          direction={document.goal.direction}
        />
      )}
    </Figure>
  );
}
