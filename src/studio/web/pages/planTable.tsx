/** Too few rows to model: designs that spread over the space. */
import { useMemo } from 'react';
import type { RunDocument } from '../../../index.js';
import { designColumns, documentFormats } from '../../../report/documentFormats.js';
import { formatCell } from '../../../report/formats.js';

export function PlanTable({ document }: { readonly document: RunDocument }) {
  const formats = useMemo(() => documentFormats(document), [document]);
  const columns = designColumns(document);
  return (
    // biome-ignore lint/a11y: what scrolls has a name, and has to be reached by keyboard
    <div className="scroll" role="region" aria-label="Plan" tabIndex={0}>
      <table className="candidates">
        <thead>
          <tr>
            <th scope="col">#</th>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {document.plan!.map(({ row, cells }) => (
            <tr key={row}>
              <th scope="row">{row}</th>
              {columns.map((name) => (
                <td key={name} data-label={name}>
                  {formatCell(cells[name], formats.column(name))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
