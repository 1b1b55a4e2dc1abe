/** What is in the table: a card per column, findings with their remedies, and the rows themselves. */
import { useEffect, useState } from 'react';
import { formatNumber } from '../../../report/formats.js';
import type { OpenedTable, TableChange } from '../../protocol/index.js';
import { useAsk } from '../parts/askState.js';
import { ColumnCards } from '../parts/columnCards.js';
import { Findings } from '../parts/findings.js';
import { useAnswer, useHost } from '../parts/hostContext.js';
import { bytesOf } from '../parts/openedFile.js';
import { Problem, Waiting } from '../parts/pieces.js';
import { addressOf, goTo } from '../parts/route.js';
import { saveTable } from '../parts/saveTable.js';
import { TableView } from '../parts/tableView.js';

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

  const change = async (changes: readonly TableChange[]) => {
    try {
      const { id } = await host.changeTable(table.id, changes);
      goTo(['data', id], { ask: key });
    } catch (fault) {
      setError(fault as Error);
    }
  };
  /** Rows without a value of the goal are left out, and keep their numbers. */
  const leaveOut = (rows: readonly number[]) =>
    change(
      rows.flatMap((row) =>
        table.columns.flatMap(({ name }, column) =>
          check?.goalColumns.includes(name) ? [{ row, column, value: null }] : [],
        ),
      ),
    );

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
            value={table.sheet ?? sheetRead(table)}
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
        <Findings
          stated={stated.value}
          table={table}
          ask={ask}
          setAsk={setAsk}
          showRow={setToRow}
          leaveOut={(rows) => void leaveOut(rows)}
        />
      )}
      <ColumnCards
        table={table}
        check={check}
        ask={ask}
        setAsk={setAsk}
        setUnit={(column, unit) => void change([{ column, unit }])}
      />
      <section>
        <h2>The table</h2>
        <p className="note">
          Double-click a cell, or go to it with the arrow keys and press Enter, to write over it. Your file
          stays as it is.
        </p>
        <TableView table={table} toRow={toRow} change={(one) => void change([one])} />
        {table.name.includes('(changed)') && (
          <p className="actions">
            <button type="button" onClick={() => void saveTable(host, table).catch(setError)}>
              Save the changed table as CSV
            </button>
          </p>
        )}
      </section>
      <p className="actions end">
        <button type="button" className="primary" onClick={() => goTo(['problem', table.id], { ask: key })}>
          State the problem
        </button>
      </p>
    </>
  );
}

/** The sheet that was read where none was asked for: the reader's note names it. */
function sheetRead({ notes, sheets }: OpenedTable): string | undefined {
  const named = notes.map((note) => /^Read from sheet ("(?:[^"\\]|\\.)*")/.exec(note)?.[1]).find(Boolean);
  return named === undefined ? sheets[0] : JSON.parse(named);
}
