/** The batch: what to run next, what to expect of it, and how far to trust that. */
import { useMemo, useState } from 'react';
import type { AssessedRow, Candidate, RunDocument, Trust } from '../../../index.js';
import { designColumns, documentFormats, showsEachGoal } from '../../../report/documentFormats.js';
import { formatCell, formatNumber, formatPercent } from '../../../report/formats.js';
import { withheldText } from '../../../report/withheld.js';
import type { Ask, Cells, OpenedRun } from '../../protocol/index.js';
import { IntervalAxis, IntervalBar } from '../charts/intervalBar.js';
import { roomFor } from '../charts/scale.js';
import { EditCell } from '../parts/editCell.js';
import { Exports } from '../parts/exports.js';
import { useAnswer, useHost } from '../parts/hostContext.js';
import { Molecule } from '../parts/molecule.js';
import { Problem, sentence, TrustMark, VerdictBox } from '../parts/pieces.js';
import { addressOf, goTo, replaceQuery, useRoute } from '../parts/route.js';
import { SettingHeads } from '../parts/settingHeads.js';
import { GoalFront } from './goalFront.js';
import { PlanTable } from './planTable.js';

/** "2,5" as numbers of rows. */
function rowsIn(text: string | null): ReadonlySet<number> {
  return new Set(
    (text ?? '')
      .split(',')
      .map(Number)
      .filter((row) => row > 0),
  );
}

type Key = 'row' | 'expected' | 'better' | 'trust';
const trusts: readonly Trust[] = ['Trusted', 'Stretch', 'Guess'];

export function Candidates({
  id,
  run,
  document,
}: {
  readonly id: string;
  readonly run: OpenedRun;
  readonly document: RunDocument;
}) {
  const { candidates, goal, plan } = document;
  const [error, setError] = useState<Error>();
  return (
    <>
      <div className="page-head">
        <div>
          <p className="eyebrow">Candidates</p>
          <h1>
            {candidates.length > 0
              ? `${candidates.length} ${candidates.length === 1 ? 'experiment' : 'experiments'} to run next`
              : plan
                ? `A plan of ${plan.length} experiments`
                : 'No experiment to propose'}
          </h1>
          <p className="lede">
            {goal.labels.join('; ')}, from {document.data.used} past settings in {document.data.file}.
          </p>
        </div>
        <Exports id={id} setError={setError} />
      </div>
      {error && <Problem error={error} />}
      <VerdictBox verdict={document.verdict} />
      {document.withheld !== undefined && <p>{withheldText(document)}</p>}
      {candidates.length > 0 && <Batch id={id} run={run} document={document} setError={setError} />}
      {candidates.length > 0 && showsEachGoal(document) && goal.goals.length > 1 && (
        <GoalFront document={document} run={run} />
      )}
      {plan && <PlanTable document={document} />}
    </>
  );
}

function Batch({
  id,
  run,
  document,
  setError,
}: {
  readonly id: string;
  readonly run: OpenedRun;
  readonly document: RunDocument;
  readonly setError: (error: Error | undefined) => void;
}) {
  const host = useHost();
  const { candidates, bestKnown, goal } = document;
  const formats = useMemo(() => documentFormats(document), [document]);
  const columns = useMemo(() => designColumns(document), [document]);
  const { query } = useRoute();
  const key = (query.get('sort') ?? 'row') as Key;
  const shown = (query.get('trust') ?? '') as Trust | '';
  const pinned = rowsIn(query.get('pinned'));
  const rejected = rowsIn(query.get('rejected'));
  /** In the address: reload, back and share keep it. */
  const set = (name: 'sort' | 'trust' | 'pinned' | 'rejected', value: string) => {
    const { [name]: _, ...others } = Object.fromEntries(query);
    replaceQuery(value === '' ? others : { ...others, [name]: value });
  };
  // several goals have columns of their own beside what they are joined to
  const each = showsEachGoal(document) ? goal.goals : [];
  const hasMolecules = document.data.columns.some(
    ({ type, role }) => type === 'smiles' && role !== 'left out',
  );
  const drawings = useAnswer<Awaited<ReturnType<typeof host.molecules>>>(`molecules of ${id}`, async (one) =>
    hasMolecules ? one.molecules(id) : {},
  ).value;
  const [edited, setEdited] = useState<ReadonlyMap<number, AssessedRow>>(new Map());
  const range = roomFor([bestKnown.value, ...candidates.flatMap(({ lo80, hi80 }) => [lo80, hi80])], 0.03);
  const sign = goal.direction === 'max' ? -1 : 1;
  const sorted = candidates
    .filter(({ row, trust }) => shown === '' || trust === shown || pinned.has(row))
    .toSorted((a, b) => {
      const byPin = Number(pinned.has(b.row)) - Number(pinned.has(a.row));
      if (byPin !== 0) return byPin;
      if (key === 'expected') return sign * (a.expected - b.expected);
      if (key === 'better') return b.better - a.better;
      if (key === 'trust') return trusts.indexOf(a.trust) - trusts.indexOf(b.trust);
      return a.row - b.row;
    });
  const toggle = (name: 'pinned' | 'rejected', rows: ReadonlySet<number>, row: number) =>
    set(
      name,
      [...rows]
        .filter((one) => one !== row)
        .concat(rows.has(row) ? [] : [row])
        .join(),
    );

  const edit = async (row: number, cells: Cells) => {
    try {
      const { rows } = await host.score(id, [cells]);
      setEdited((before) => new Map(before).set(row, rows[0]!));
      setError(undefined);
    } catch (fault) {
      setError(fault as Error);
    }
  };

  const refill = async () => {
    const cellsOf = (rows: ReadonlySet<number>) =>
      candidates.filter(({ row }) => rows.has(row)).map(({ row, cells }) => edited.get(row)?.cells ?? cells);
    const ask: Ask = {
      ...run.ask,
      batch: run.summary.batch,
      keep: [
        ...(run.ask.keep ?? []),
        ...cellsOf(new Set(candidates.map(({ row }) => row).filter((row) => !rejected.has(row)))),
      ],
      avoid: [...(run.ask.avoid ?? []), ...cellsOf(rejected)],
    };
    try {
      const { id: next } = await host.startRun(run.table, ask);
      goTo(['run', next]);
    } catch (fault) {
      setError(fault as Error);
    }
  };

  return (
    <section>
      <div className="toolbar">
        <label className="inline">
          Sort by
          <select
            value={key}
            onChange={({ currentTarget: { value } }) => set('sort', value === 'row' ? '' : value)}
          >
            <option value="row">rank</option>
            <option value="expected">expected {goal.name}</option>
            <option value="better">chance of better</option>
            <option value="trust">trust</option>
          </select>
        </label>
        <label className="inline">
          Show
          <select value={shown} onChange={(event) => set('trust', event.currentTarget.value)}>
            <option value="">all</option>
            {trusts.map((trust) => (
              <option key={trust}>{trust}</option>
            ))}
          </select>
        </label>
        {rejected.size > 0 && (
          <button type="button" className="primary" onClick={() => void refill()}>
            Refill {rejected.size} rejected
          </button>
        )}
        <p className="note">
          The line through the bars is the best known {goal.name},{' '}
          {formatNumber(bestKnown.value, formats.objective)} (row {bestKnown.row}). Further{' '}
          {goal.direction === 'max' ? 'right' : 'left'} is better.
        </p>
      </div>
      {/* biome-ignore lint/a11y: what scrolls has a name, and has to be reached by keyboard */}
      <div className="scroll" role="region" aria-label="Candidates" tabIndex={0}>
        <table className="candidates">
          <thead>
            <tr>
              <SettingHeads names={columns} cells={bestKnown.cells} />
              <th scope="col" className="number">
                expected {goal.name}
              </th>
              {each.map(({ column }) => (
                <th key={column} scope="col" className="number">
                  expected {column}
                </th>
              ))}
              <th scope="col">
                80 % interval
                <IntervalAxis range={range} />
              </th>
              <th scope="col" className="number">
                chance of better
              </th>
              <th scope="col">trust</th>
            </tr>
          </thead>
          <tbody className="reference">
            <tr>
              <th scope="row" className="whole">
                Best known
              </th>
              {columns.map((name) => (
                <td
                  key={name}
                  data-label={name}
                  className={typeof bestKnown.cells[name] === 'number' ? 'number' : ''}
                >
                  {formatCell(bestKnown.cells[name], formats.column(name))}
                </td>
              ))}
              <td className="number" data-label={`measured ${goal.name}`}>
                {formatNumber(bestKnown.value, formats.objective)}
              </td>
              {each.map(({ column }) => (
                <td key={column} className="wide-only" />
              ))}
              <td className="wide-only" />
              <td className="wide-only" />
              <td data-label="where">row {bestKnown.row}</td>
            </tr>
          </tbody>
          {sorted.map((candidate) => {
            const changed = edited.get(candidate.row);
            const now: Candidate = changed ?? candidate;
            const breaks = changed?.breaks ?? [];
            return (
              <tbody
                key={candidate.row}
                className={
                  rejected.has(candidate.row) ? 'rejected' : pinned.has(candidate.row) ? 'pinned' : ''
                }
              >
                <tr>
                  <th scope="row">{candidate.row}</th>
                  {columns.map((name) => (
                    <EditCell
                      key={name}
                      name={name}
                      row={candidate.row}
                      cell={now.cells[name]}
                      text={formatCell(now.cells[name], formats.column(name))}
                      change={(value) => void edit(candidate.row, { ...now.cells, [name]: value })}
                    />
                  ))}
                  <td className="number strong" data-label={`expected ${goal.name}`}>
                    {formatNumber(now.expected, formats.objective)}
                  </td>
                  {each.map(({ column }, g) => (
                    <td key={column} className="number" data-label={`expected ${column}`}>
                      {formatNumber(now.goals[g]!.expected, formats.goals[g])}
                    </td>
                  ))}
                  <td data-label="80 % interval">
                    <IntervalBar
                      forecast={now}
                      trust={now.trust}
                      best={bestKnown.value}
                      range={range}
                      format={formats.objective}
                    />
                  </td>
                  <td className="number" data-label="chance of better">
                    {formatPercent(now.better)}
                  </td>
                  <td data-label="trust">
                    <TrustMark trust={now.trust} />
                  </td>
                </tr>
                <tr className="more">
                  <td />
                  <td colSpan={columns.length + each.length + 4}>
                    {columns.map((name) => {
                      const drawing = drawings?.[String(now.cells[name] ?? '')];
                      return (
                        drawing && <Molecule key={name} drawing={drawing} smiles={String(now.cells[name])} />
                      );
                    })}
                    <span className="row-actions">
                      <button
                        type="button"
                        className="quiet"
                        aria-pressed={pinned.has(candidate.row)}
                        aria-label={`Pin candidate ${candidate.row}`}
                        onClick={() => toggle('pinned', pinned, candidate.row)}
                      >
                        Pin
                      </button>
                      <button
                        type="button"
                        className="quiet"
                        aria-pressed={rejected.has(candidate.row)}
                        aria-label={`Reject candidate ${candidate.row}`}
                        onClick={() => toggle('rejected', rejected, candidate.row)}
                      >
                        Reject
                      </button>
                      <a
                        className="button quiet"
                        href={addressOf(['run', id, 'profiler'], { row: String(candidate.row) })}
                        aria-label={`Profile candidate ${candidate.row}`}
                      >
                        Profile
                      </a>
                      <a
                        className="button quiet"
                        href={addressOf(['run', id, 'sheets'], { row: String(candidate.row) })}
                        aria-label={`Bench sheet of candidate ${candidate.row}`}
                      >
                        Sheet
                      </a>
                    </span>
                    {edited.has(candidate.row) && <span className="chip">edited</span>}{' '}
                    {breaks.length > 0 && <strong className="caution">Breaks {breaks.join('; ')}. </strong>}
                    {now.reasons.length > 0 && <span>{`${now.trust}: ${now.reasons.join('; ')}. `}</span>}
                    <span>
                      Nearest past run: row {now.nearest.row},{' '}
                      {formatNumber(now.nearest.value, formats.objective)}.{' '}
                      {now.nearest.differences.length === 0
                        ? 'The same settings.'
                        : `Changes: ${now.nearest.differences
                            .map(
                              ({ column, from, to }) =>
                                `${column} ${formatCell(from, formats.column(column))} → ${formatCell(to, formats.column(column))}`,
                            )
                            .join(', ')}.`}
                    </span>
                  </td>
                </tr>
              </tbody>
            );
          })}
        </table>
      </div>
      <p className="note below">
        {sentence(
          `Settings are in the units of your table. Click a setting to change it: the judgement follows. Pinned rows stay on top, whatever is sorted or filtered; all rows but rejected ones stay when those are refilled`,
        )}
      </p>
    </section>
  );
}
