/** What is odd about a table, with buttons that mend it, and what was assumed about it. */
import type { Finding } from '../../../index.js';
import { formatNumber, formatPercent } from '../../../report/formats.js';
import type { Ask, OpenedTable, Stated } from '../../protocol/index.js';
import { withColumn, withSetting } from './askState.js';
import { sentence } from './pieces.js';
import { withoutOptions } from './withoutOptions.js';

/** Findings about a column that is better left out. */
const leftOutBy: readonly Finding['kind'][] = ['constantColumn', 'derivedColumn', 'leak'];
/** Findings about rows that may be wrong. */
const rowsLeftOutBy: readonly Finding['kind'][] = ['outliers', 'unitJump'];

export function Findings({
  stated,
  table,
  ask,
  setAsk,
  showRow,
  leaveOut,
}: {
  readonly stated: Stated;
  readonly table: OpenedTable;
  readonly ask: Ask;
  readonly setAsk: (ask: Ask) => void;
  readonly showRow: (row: number) => void;
  /** Takes the measured values of these rows away, counted from 0. */
  readonly leaveOut: (rows: readonly number[]) => void;
}) {
  const { check, leftOut } = stated;
  const notes = [...table.notes, ...(check?.notes ?? []).filter((note) => !table.notes.includes(note))];
  const findings = check?.findings ?? [];
  const rows = [...new Set(leftOut.map(({ row }) => row))];
  return (
    <section className="findings" aria-label="What was found">
      <h2>What was found</h2>
      {findings.length === 0 && check && (
        <p>
          {check.goals.length > 0
            ? 'Nothing is odd about this table.'
            : 'No column of numbers looks like a goal: choose below what was measured, and what is wanted of it.'}
        </p>
      )}
      <ul className="cards-list">
        {findings.map((finding) => (
          <li key={finding.message} className={`finding is-${finding.severity}`}>
            <p>
              <span className="chip">{finding.severity}</span> {sentence(finding.message)}
            </p>
            <p className="note">{sentence(withoutOptions(finding.advice))}</p>
            <p className="actions">
              {rowsLeftOutBy.includes(finding.kind) && finding.rows.length > 0 && (
                <button type="button" onClick={() => leaveOut(finding.rows)}>
                  Leave {finding.rows.length === 1 ? 'this row' : `these ${finding.rows.length} rows`} out
                </button>
              )}
              {leftOutBy.includes(finding.kind) &&
                finding.columns
                  .filter((name) => !check?.goalColumns.includes(name))
                  .slice(0, 3)
                  .map((name) => (
                    <button
                      key={name}
                      type="button"
                      onClick={() => setAsk(withColumn(ask, name, { role: 'ignore' }))}
                    >
                      Leave out {name}
                    </button>
                  ))}
              <RowLinks rows={finding.rows} showRow={showRow} />
            </p>
          </li>
        ))}
        {check?.mixtures.map(({ columns, sum, isGiven }) => (
          <li key={columns.join()} className="finding">
            <p>
              <span className="chip">recipe</span> {columns.join(' + ')} = {formatNumber(sum)} in every row
              {isGiven ? ', as you said' : ''}. Designs keep this sum.
            </p>
            {!isGiven && (
              <p className="actions">
                <button type="button" onClick={() => setAsk(withSetting(ask, 'mixtures', []))}>
                  It is chance: no recipe
                </button>
              </p>
            )}
          </li>
        ))}
        {check?.assumed.map(({ column, why, goal }) => (
          <li key={column} className="finding">
            <p>
              <span className="chip">assumed</span> {column}: {sentence(why)}
            </p>
            <p className="actions">
              <button type="button" onClick={() => setAsk(withColumn(ask, column, { role: 'design' }))}>
                {column} is a setting
              </button>
              {goal !== undefined && (
                <button
                  type="button"
                  onClick={() =>
                    setAsk({ ...ask, goals: [...ask.goals.filter((one) => one !== goal), goal] })
                  }
                >
                  Add the goal {goal}
                </button>
              )}
            </p>
          </li>
        ))}
        {check?.relations.map(({ column, label, off }) => (
          <li key={label} className="finding">
            <p>
              <span className="chip">relation</span> {label}
              {off.length === 0
                ? ' in every row'
                : `, but for ${off.length} ${off.length === 1 ? 'row' : 'rows'}`}
              . Designs compute {column} from the others.
            </p>
            <p className="actions">
              <button type="button" onClick={() => setAsk(withColumn(ask, column, { role: 'design' }))}>
                It is chance: {column} is a setting
              </button>
              <RowLinks rows={off} showRow={showRow} />
            </p>
          </li>
        ))}
        {check?.contextHints
          .filter(({ column }) => !check.assumed.some((one) => one.column === column))
          .map(({ column, explains }) => (
            <li key={`hint ${column}`} className="finding">
              <p>
                <span className="chip">hint</span> {column} was probably not chosen; {formatPercent(explains)}{' '}
                of the differences of the goal go with it.
              </p>
              <p className="actions">
                <button type="button" onClick={() => setAsk(withColumn(ask, column, { role: 'context' }))}>
                  {column} is context
                </button>
              </p>
            </li>
          ))}
        {rows.length > 0 && (
          <li className="finding">
            <p>
              <span className="chip">rows</span>{' '}
              {rows.length === 200
                ? 'At least 200 rows are'
                : rows.length === 1
                  ? 'One row is'
                  : `${rows.length} rows are`}{' '}
              left out.
            </p>
            <details>
              <summary>Which, and why</summary>
              <ul className="left-out">
                {leftOut.map(({ row, why }) => (
                  <li key={row}>
                    <button type="button" className="link" onClick={() => showRow(row - 1)}>
                      Row {row}
                    </button>
                    : {why}
                  </li>
                ))}
              </ul>
            </details>
          </li>
        )}
      </ul>
      {notes.length > 0 && (
        <details>
          <summary>How the table was read</summary>
          <ul>
            {notes.map((note) => (
              <li key={note}>{sentence(withoutOptions(note))}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

const MOST_LINKS = 8;

/** Rows, counted from 0, each a link to its place in the table. */
function RowLinks({
  rows,
  showRow,
}: {
  readonly rows: readonly number[];
  readonly showRow: (row: number) => void;
}) {
  if (rows.length === 0) return null;
  return (
    <span className="row-links">
      Show {rows.length === 1 ? 'row' : 'rows'}
      {rows.slice(0, MOST_LINKS).map((row) => (
        <button
          key={row}
          type="button"
          className="link"
          aria-label={`Show row ${row + 1}`}
          onClick={() => showRow(row)}
        >
          {row + 1}
        </button>
      ))}
      {rows.length > MOST_LINKS && `and ${rows.length - MOST_LINKS} more`}
    </span>
  );
}
