/** A sheet of paper per experiment, for the bench: what to set, what to write down. */
import { useMemo } from 'react';
import type { RunDocument } from '../../../index.js';
import { designColumns, documentFormats } from '../../../report/documentFormats.js';
import { formatCell, formatInterval, formatNumber, formatPercent } from '../../../report/formats.js';
import { TrustMark } from '../parts/pieces.js';
import { replaceQuery, useRoute } from '../parts/route.js';

export function Sheets({ id, document }: { readonly id: string; readonly document: RunDocument }) {
  const { candidates, goal, bestKnown, data } = document;
  const formats = useMemo(() => documentFormats(document), [document]);
  const columns = useMemo(() => designColumns(document), [document]);
  const { query } = useRoute();
  const row = query.get('row') ?? '';
  const shown = candidates.filter((one) => row === '' || String(one.row) === row);
  const goals = goal.goals.map(({ column }) => column);
  const number = (value: number) => formatNumber(value, formats.objective);
  if (candidates.length === 0) return <p>The run proposed no designs, so there is nothing to run.</p>;
  return (
    <>
      <div className="page-head not-printed">
        <div>
          <p className="eyebrow">Bench sheets</p>
          <h1>One sheet per experiment</h1>
          <p className="lede">Print them, take them to the bench, write down what you measure.</p>
        </div>
        <p className="actions">
          <label className="inline">
            Sheet
            <select
              value={row}
              onChange={({ currentTarget: { value } }) => replaceQuery(value === '' ? {} : { row: value })}
            >
              <option value="">all</option>
              {candidates.map((one) => (
                <option key={one.row} value={one.row}>
                  experiment {one.row}
                </option>
              ))}
            </select>
          </label>
          <button type="button" className="primary" onClick={() => window.print()}>
            Print
          </button>
        </p>
      </div>
      {shown.map((one) => {
        const from = new Map(one.nearest.differences.map((change) => [change.column, change.from]));
        return (
          <section key={one.row} className="bench-sheet" aria-label={`Experiment ${one.row}`}>
            <div className="sheet-head">
              <h2>Experiment {one.row}</h2>
              <p className="note">
                {id} · {data.file}
              </p>
            </div>
            <table className="plain">
              <thead>
                <tr>
                  <th scope="col">setting</th>
                  <th scope="col" className="number">
                    set to
                  </th>
                  <th scope="col" className="number">
                    in row {one.nearest.row}, the nearest past run
                  </th>
                  <th scope="col">done</th>
                </tr>
              </thead>
              <tbody>
                {columns.map((name) => (
                  <tr key={name} className={from.has(name) ? '' : 'same'}>
                    <th scope="row">{name}</th>
                    <td className="number strong">{formatCell(one.cells[name], formats.column(name))}</td>
                    <td className="number">
                      {from.has(name) ? formatCell(from.get(name), formats.column(name)) : 'the same'}
                    </td>
                    <td>
                      <span className="tick-box" aria-hidden="true" />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            <p>
              Expected {goal.name} {number(one.expected)}, 80 % interval{' '}
              {formatInterval(one.lo80, one.hi80, formats.objective)}; {formatPercent(one.better)} chance of
              beating {number(bestKnown.value)}, the best known. <TrustMark trust={one.trust} />
            </p>
            <dl className="to-write">
              {[...goals.map((name) => `measured ${name}`), 'date, by', 'remarks'].map((name) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd />
                </div>
              ))}
            </dl>
          </section>
        );
      })}
    </>
  );
}
