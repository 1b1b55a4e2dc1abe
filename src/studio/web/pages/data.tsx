/** What is in the table: a card per column, findings with their remedies, and the rows themselves. */
import { useEffect, useState } from 'react';
import type { CheckReport, Finding } from '../../../index.js';
import { formatNumber } from '../../../report/formats.js';
import type { Ask, ColumnCard, OpenedTable, Stated } from '../../protocol/index.js';
import { Histogram } from '../charts/histogram.js';
import { useAsk, withColumn, withSetting } from '../parts/askState.js';
import { useAnswer, useHost } from '../parts/hostContext.js';
import { bytesOf } from '../parts/openedFile.js';
import { Problem, sentence, Waiting } from '../parts/pieces.js';
import { addressOf, goTo } from '../parts/route.js';
import { TableView } from '../parts/tableView.js';

/** Cards beyond this many are shown when asked for. */
const CARDS = 24;

export function Data({ table: id }: { readonly table: string }) {
  const opened = useAnswer(id, (host) => host.table(id));
  if (opened.error) return <Problem error={opened.error} />;
  if (!opened.value) return <Waiting what="Opening the table" />;
  return <DataOf table={opened.value} />;
}

function DataOf({ table }: { readonly table: OpenedTable }) {
  const host = useHost();
  const [ask, setAsk] = useAsk();
  const key = JSON.stringify(ask);
  const stated = useAnswer(`${table.id} ${key}`, (one) => one.state(table.id, ask), 150);
  const [error, setError] = useState<Error>();
  const [toRow, setToRow] = useState<number | null>(null);
  const check = stated.value?.check ?? null;
  // a goal that is assumed is one that can be seen and changed
  const guess = check?.isGuess ? check.goals[0] : undefined;
  useEffect(() => {
    if (guess !== undefined && ask.goals.length === 0) setAsk({ ...ask, goals: [guess] });
  });

  const changeSheet = async (sheet: string) => {
    const bytes = bytesOf(table.name);
    if (!bytes) return setError(new Error('open the file again on the first page to read another sheet'));
    try {
      const other = await host.openTable({ kind: 'bytes', name: table.name, bytes, sheet });
      goTo(['data', other.id]);
    } catch (fault) {
      setError(fault as Error);
    }
  };

  return (
    <>
      <div className="page-head">
        <div>
          <p className="eyebrow">Data</p>
          <h1>{table.name}</h1>
          <p className="lede">
            {formatNumber(table.rows, { kind: 'decimals', digits: 0, noise: 0 })} rows, {table.columns.length}{' '}
            columns
            {table.rounds > 0 && `, ${table.rounds} measured ${table.rounds === 1 ? 'round' : 'rounds'}`}.{' '}
            {check?.support?.sentence}
          </p>
        </div>
        <a className="button primary" href={addressOf(['problem', table.id], { ask: key })}>
          State the problem
        </a>
      </div>
      {table.sheets.length > 1 && (
        <label className="inline">
          Sheet
          <select
            value={table.sheet ?? table.sheets[0]}
            onChange={(event) => void changeSheet(event.currentTarget.value)}
          >
            {table.sheets.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      {error && <Problem error={error} />}
      {stated.error && <Problem error={stated.error} />}
      {stated.value?.fault && <Problem error={new Error(stated.value.fault.message)} />}
      {stated.value && (
        <Findings stated={stated.value} table={table} ask={ask} setAsk={setAsk} showRow={setToRow} />
      )}
      <Columns table={table} check={check} ask={ask} setAsk={setAsk} />
      <section>
        <h2>The table</h2>
        <TableView table={table} toRow={toRow} />
      </section>
      <p className="actions end">
        <button type="button" className="primary" onClick={() => goTo(['problem', table.id], { ask: key })}>
          State the problem
        </button>
      </p>
    </>
  );
}

/** Findings about a column that is better left out. */
const leftOutBy: readonly Finding['kind'][] = ['constantColumn', 'derivedColumn', 'leak'];

function Findings({
  stated,
  table,
  ask,
  setAsk,
  showRow,
}: {
  readonly stated: Stated;
  readonly table: OpenedTable;
  readonly ask: Ask;
  readonly setAsk: (ask: Ask) => void;
  readonly showRow: (row: number) => void;
}) {
  const { check, leftOut } = stated;
  const notes = [...table.notes, ...(check?.notes ?? []).filter((note) => !table.notes.includes(note))];
  const findings = check?.findings ?? [];
  const rows = [...new Set(leftOut.map(({ row }) => row))];
  return (
    <section className="findings" aria-label="What was found">
      <h2>What was found</h2>
      {findings.length === 0 && check && <p>Nothing is odd about this table.</p>}
      <ul className="cards-list">
        {findings.map((finding) => (
          <li key={finding.message} className={`finding is-${finding.severity}`}>
            <p>
              <span className="chip">{finding.severity}</span> {sentence(finding.message)}
            </p>
            <p className="note">{sentence(finding.advice)}</p>
            <p className="actions">
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
              {finding.rows.slice(0, 5).map((row) => (
                <button key={row} type="button" className="quiet" onClick={() => showRow(row)}>
                  Show row {row + 1}
                </button>
              ))}
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
            <p className="note">
              {leftOut
                .slice(0, 3)
                .map(({ row, why }) => `Row ${row}: ${why}`)
                .join('; ')}
              {leftOut.length > 3 && '; …'}
            </p>
            <p className="actions">
              <button type="button" className="quiet" onClick={() => showRow(rows[0]! - 1)}>
                Show the first
              </button>
            </p>
          </li>
        )}
      </ul>
      {notes.length > 0 && (
        <details>
          <summary>How the table was read</summary>
          <ul>
            {notes.map((note) => (
              <li key={note}>{sentence(note)}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

const roleWords: Readonly<Record<string, string>> = {
  design: 'setting',
  context: 'context',
  fixed: 'fixed',
  goal: 'goal',
  'goal?': 'goal',
  'left out': 'left out',
};

function Columns({
  table,
  check,
  ask,
  setAsk,
}: {
  readonly table: OpenedTable;
  readonly check: CheckReport | null;
  readonly ask: Ask;
  readonly setAsk: (ask: Ask) => void;
}) {
  const [all, setAll] = useState(false);
  const shown = all ? table.columns : table.columns.slice(0, CARDS);
  return (
    <section>
      <h2>Columns</h2>
      <ul className="columns-grid">
        {shown.map((card, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
          <Column key={`${card.name} ${i}`} card={card} at={i} check={check} ask={ask} setAsk={setAsk} />
        ))}
      </ul>
      {shown.length < table.columns.length && (
        <p className="actions">
          <button type="button" onClick={() => setAll(true)}>
            Show all {table.columns.length} columns
          </button>
        </p>
      )}
    </section>
  );
}

function Column({
  card,
  at,
  check,
  ask,
  setAsk,
}: {
  readonly card: ColumnCard;
  readonly at: number;
  readonly check: CheckReport | null;
  readonly ask: Ask;
  readonly setAsk: (ask: Ask) => void;
}) {
  const { name, unit, missing, spread } = card;
  const checked = check?.columns[at];
  const isGoal = checked?.role === 'goal' || checked?.role === 'goal?';
  const given = ask.columns?.[name]?.role;
  const choose = (value: string) => {
    const goals = ask.goals.filter((goal) => !goalIsAbout(goal, name));
    if (value === 'max' || value === 'min')
      return setAsk(
        withColumn({ ...ask, goals: [...(check?.isGuess ? [] : goals), `${value} ${quoted(name)}`] }, name, {
          role: undefined,
        }),
      );
    const role = value === 'found' ? undefined : (value as 'design' | 'context' | 'ignore');
    setAsk(withColumn({ ...ask, goals: isGoal ? goals : ask.goals }, name, { role }));
  };
  const goal = ask.goals.find((text) => goalIsAbout(text, name));
  const value =
    isGoal && goal
      ? /^\s*min/i.test(goal)
        ? 'min'
        : /^\s*max/i.test(goal)
          ? 'max'
          : 'found'
      : (given ?? 'found');
  return (
    <li className={`column-card ${checked?.role === 'left out' ? 'out' : ''} ${isGoal ? 'goal' : ''}`}>
      <div className="column-head">
        <h3 title={name}>{name || '(no name)'}</h3>
        {unit && <span className="unit">{unit}</span>}
      </div>
      <Histogram name={name} spread={spread} />
      <p className="note">
        {checked ? `${checked.type}, ${roleWords[checked.role] ?? checked.role}` : ' '}
        {checked?.step !== undefined && `, steps of ${checked.step}`}
        {missing > 0 && `, ${missing} empty`}
        {checked?.note && ` · ${checked.note}`}
      </p>
      <label className="inline">
        <span className="visually-hidden">Part of {name}</span>
        <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="found">
            {checked ? `as found: ${roleWords[checked.role] ?? checked.role}` : 'as found'}
          </option>
          {spread.kind === 'number' && <option value="max">goal: as high as possible</option>}
          {spread.kind === 'number' && <option value="min">goal: as low as possible</option>}
          <option value="design">setting</option>
          <option value="context">context: known, not chosen</option>
          <option value="ignore">leave out</option>
        </select>
      </label>
    </li>
  );
}

/** Names with other signs than letters, digits and _ stand in quotes. */
export function quoted(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

export function goalIsAbout(goal: string, name: string): boolean {
  return goal.includes(quoted(name)) && new RegExp(`(^|\\s)${escaped(quoted(name))}(\\s|$)`, 'u').test(goal);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
