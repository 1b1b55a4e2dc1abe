// biome-ignore-all lint/a11y/useSemanticElements: rows and cells are placed by hand, which elements of tables do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the box around them is reached and scrolled by keyboard
/** The rows of a table: only those in sight are drawn and asked for. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useReducer, useRef } from 'react';
import type { OpenedTable, TableCell } from '../../protocol/index.js';
import { useHost } from './hostContext.js';

const PAGE = 200;
const ROW = 32;
const COLUMN = 128;
const NUMBER = 72;

export function TableView({ table, toRow }: { readonly table: OpenedTable; readonly toRow: number | null }) {
  const host = useHost();
  const box = useRef<HTMLDivElement>(null);
  const pages = useRef(new Map<number, readonly (readonly TableCell[])[] | null>());
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const rows = useVirtualizer({
    count: table.rows,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const columns = useVirtualizer({
    horizontal: true,
    count: table.columns.length,
    getScrollElement: () => box.current,
    estimateSize: () => COLUMN,
    overscan: 4,
  });
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
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <div ref={box} className="grid-view" role="region" aria-label={`Rows of ${table.name}`} tabIndex={0}>
      <div
        role="table"
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
                style={{ insetInlineStart: start + NUMBER, inlineSize: COLUMN }}
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
                {across.map((column) => {
                  const cell = cells?.[column.index];
                  return (
                    <div
                      key={column.index}
                      role="cell"
                      aria-colindex={column.index + 2}
                      className={`grid-cell ${typeof cell === 'number' ? 'number' : ''}`}
                      style={{ insetInlineStart: column.start + NUMBER, inlineSize: COLUMN }}
                    >
                      {cell ?? ''}
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
