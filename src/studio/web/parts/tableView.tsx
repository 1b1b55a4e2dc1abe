// biome-ignore-all lint/a11y/useSemanticElements: rows and cells are placed by hand, which elements of tables do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is reached by keyboard, and says which cell is meant
/** The rows of a table: only those in sight are drawn and asked for. Cells can be written over. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useReducer, useRef, useState } from 'react';
import type { CellChange, OpenedTable, TableCell } from '../../protocol/index.js';
import { useHost } from './hostContext.js';

const PAGE = 200;
const ROW = 32;
/** Columns share the width that there is, and scroll where each would have less than this. */
const LEAST_COLUMN = 104;
const MOST_COLUMN = 180;
const NUMBER = 72;

interface Place {
  readonly row: number;
  readonly column: number;
}

/** How far the arrow keys and their like go: rows, columns. */
const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-10, 0],
  PageDown: [10, 0],
};

export function TableView({
  table,
  toRow,
  change,
}: {
  readonly table: OpenedTable;
  readonly toRow: number | null;
  readonly change: (change: CellChange) => void;
}) {
  const host = useHost();
  const id = useId();
  const grid = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<Place | null>(null);
  const [isEditing, setIsEditing] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const pages = useRef(new Map<number, readonly (readonly TableCell[])[] | null>());
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const rows = useVirtualizer({
    count: table.rows,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const [width, setWidth] = useState(0);
  const shared = Math.floor((width - NUMBER) / table.columns.length);
  const column = Math.min(MOST_COLUMN, Math.max(LEAST_COLUMN, shared));
  const columns = useVirtualizer({
    horizontal: true,
    count: table.columns.length,
    getScrollElement: () => box.current,
    estimateSize: () => column,
    overscan: 4,
  });
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setWidth(box.current!.clientWidth));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes that are kept are those of another width
  useLayoutEffect(() => columns.measure(), [column]);
  const items = rows.getVirtualItems();
  const first = Math.floor((items[0]?.index ?? 0) / PAGE);
  const last = Math.floor((items.at(-1)?.index ?? 0) / PAGE);
  useEffect(() => {
    for (let page = first; page <= last; page++) {
      if (pages.current.has(page)) continue;
      pages.current.set(page, null);
      host.rows(table.id, page * PAGE, PAGE).then(
        (answer) => {
          pages.current.set(page, answer.rows);
          redraw();
        },
        () => pages.current.delete(page),
      );
    }
  }, [host, table.id, first, last]);
  useEffect(() => {
    if (toRow !== null) rows.scrollToIndex(toRow, { align: 'center' });
  }, [toRow, rows.scrollToIndex]);
  const across = columns.getVirtualItems();
  const press = (event: KeyboardEvent) => {
    if (isEditing) return;
    if (event.key === 'Enter' && at) {
      event.preventDefault();
      return setIsEditing(true);
    }
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const within = (value: number, count: number) => Math.min(count - 1, Math.max(0, value));
    const row = at ? within(at.row + step[0], table.rows) : 0;
    const next = at ? within(at.column + step[1], table.columns.length) : 0;
    setAt({ row, column: next });
    rows.scrollToIndex(row);
    columns.scrollToIndex(next);
  };
  /** Null where nothing was changed. */
  const finish = (value: TableCell | undefined) => {
    setIsEditing(false);
    grid.current?.focus({ preventScroll: true });
    if (at && value !== undefined) change({ ...at, value });
  };
  return (
    <div ref={box} className="grid-view">
      <div
        ref={grid}
        role="grid"
        tabIndex={0}
        aria-label={`Rows of ${table.name}`}
        aria-activedescendant={at ? `${id} ${at.row} ${at.column}`.replaceAll(' ', '-') : undefined}
        onKeyDown={press}
        aria-rowcount={table.rows + 1}
        aria-colcount={table.columns.length + 1}
        className="grid-table"
        style={{ blockSize: rows.getTotalSize() + ROW, inlineSize: columns.getTotalSize() + NUMBER }}
      >
        <div role="rowgroup" className="grid-head">
          <div role="row" aria-rowindex={1}>
            <div role="columnheader" className="grid-number" aria-colindex={1}>
              row
            </div>
            {across.map(({ index, start }) => (
              <div
                key={index}
                role="columnheader"
                aria-colindex={index + 2}
                className={`grid-cell head ${table.columns[index]!.spread.kind === 'number' ? 'number' : ''}`}
                style={{ insetInlineStart: start + NUMBER, inlineSize: column }}
                title={table.columns[index]!.name}
              >
                {table.columns[index]!.name || '(no name)'}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup">
          {items.map(({ index, start }) => {
            const cells = pages.current.get(Math.floor(index / PAGE))?.[index % PAGE];
            return (
              <div
                key={index}
                role="row"
                aria-rowindex={index + 2}
                className={`grid-row ${index === toRow ? 'shown' : ''}`}
                style={{ transform: `translateY(${start + ROW}px)`, blockSize: ROW }}
              >
                <div role="rowheader" className="grid-number" aria-colindex={1}>
                  {index + 1}
                </div>
                {across.map((place) => {
                  const cell = cells?.[place.index];
                  const isHere = at?.row === index && at.column === place.index;
                  return (
                    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid listens to keys
                    <div
                      key={place.index}
                      id={`${id} ${index} ${place.index}`.replaceAll(' ', '-')}
                      role="gridcell"
                      aria-colindex={place.index + 2}
                      aria-selected={isHere}
                      className={`grid-cell ${typeof cell === 'number' ? 'number' : ''}`}
                      style={{ insetInlineStart: place.start + NUMBER, inlineSize: column }}
                      onClick={() => setAt({ row: index, column: place.index })}
                      onDoubleClick={() => setIsEditing(true)}
                    >
                      {isHere && isEditing && cells ? (
                        <CellField
                          label={`${table.columns[place.index]!.name} of row ${index + 1}`}
                          cell={cell ?? null}
                          isNumber={table.columns[place.index]!.spread.kind === 'number'}
                          finish={finish}
                        />
                      ) : (
                        (cell ?? '')
                      )}
                    </div>
                  );
                })}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Enter and leaving keep what was typed, Escape does not. */
function CellField({
  label,
  cell,
  isNumber,
  finish,
}: {
  readonly label: string;
  readonly cell: TableCell;
  readonly isNumber: boolean;
  readonly finish: (value: TableCell | undefined) => void;
}) {
  const [text, setText] = useState(String(cell ?? ''));
  const isOver = useRef(false);
  const end = (isKept: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    const trimmed = text.trim();
    if (!isKept || trimmed === String(cell ?? '')) return finish(undefined);
    const number = Number(trimmed.replace(',', '.'));
    finish(trimmed === '' ? null : isNumber && !Number.isNaN(number) ? number : trimmed);
  };
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: the person asked to type here
      autoFocus
      aria-label={label}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') end(true);
        if (event.key === 'Escape') end(false);
      }}
    />
  );
}
