/** The batch comes back measured: how the promises turned out, and the next round. */
import { type ClipboardEvent, useMemo, useState } from 'react';
import type { RunDocument } from '../../../index.js';
import { designColumns, documentFormats } from '../../../report/documentFormats.js';
import { formatCell, formatInterval, formatNumber } from '../../../report/formats.js';
import type { Measured, OpenedRun } from '../../protocol/index.js';
import { Pairs } from '../charts/trustCharts.js';
import { useHost } from '../parts/hostContext.js';
import { Figure, Problem, TrustMark } from '../parts/pieces.js';
import { goTo } from '../parts/route.js';
import { SettingHeads } from '../parts/settingHeads.js';

type Typed = Readonly<Record<string, string>>;

const placeOf = (id: string) => `nemokit-measured-${id}`;

/** What was typed stays when the page is reloaded. */
function useTyped(id: string): readonly [Typed, (typed: Typed) => void] {
  const [typed, setTyped] = useState<Typed>(() => {
    try {
      return JSON.parse(localStorage.getItem(placeOf(id)) ?? '{}');
    } catch {
      return {};
    }
  });
  return [
    typed,
    (next) => {
      localStorage.setItem(placeOf(id), JSON.stringify(next));
      setTyped(next);
    },
  ];
}

function numberIn(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const value = Number(text.trim().replace(',', '.'));
  return Number.isFinite(value) ? value : undefined;
}

export function Rounds({
  id,
  run,
  document,
}: {
  readonly id: string;
  readonly run: OpenedRun;
  readonly document: RunDocument;
}) {
  const host = useHost();
  const { candidates, goal, bestKnown } = document;
  const formats = useMemo(() => documentFormats(document), [document]);
  const columns = designColumns(document);
  const goals = goal.goals.map(({ column }) => column);
  const [typed, setTyped] = useTyped(id);
  const [error, setError] = useState<Error>();
  const keyOf = (row: number, column: string) => `${row} ${column}`;
  const measured: Measured[] = candidates.flatMap(({ row }) => {
    const values = Object.fromEntries(
      goals.flatMap((column) => {
        const value = numberIn(typed[keyOf(row, column)]);
        return value === undefined ? [] : [[column, value]];
      }),
    );
    return Object.keys(values).length === 0 ? [] : [{ row, values }];
  });

  /** Several cells of a spreadsheet fill the rows below, and the goals beside. */
  const paste = (event: ClipboardEvent, first: number, column: string) => {
    const text = event.clipboardData.getData('text');
    if (!/[\n\t]/.test(text.trim())) return;
    event.preventDefault();
    const next: Record<string, string> = { ...typed };
    text
      .trimEnd()
      .split(/\r?\n/)
      .forEach((line, i) => {
        const candidate = candidates[first + i];
        if (!candidate) return;
        line.split('\t').forEach((cell, j) => {
          const name = goals[goals.indexOf(column) + j];
          if (name !== undefined) next[keyOf(candidate.row, name)] = cell.trim();
        });
      });
    setTyped(next);
  };

  const design = async () => {
    try {
      const { id: table } = await host.addRound(id, measured);
      const { keep: _, avoid: __, ...ask } = run.ask;
      goTo(['problem', table], { ask: JSON.stringify(ask) });
    } catch (fault) {
      setError(fault as Error);
    }
  };

  const isOne = goals.length === 1 && goal.name === goals[0];
  const pairs = isOne
    ? candidates.flatMap((one) => {
        const value = numberIn(typed[keyOf(one.row, goals[0]!)]);
        return value === undefined ? [] : [{ ...one, measured: value }];
      })
    : [];
  const inside = pairs.filter(({ measured: value, lo80, hi80 }) => value >= lo80 && value <= hi80).length;
  const isBetter = (value: number) =>
    goal.direction === 'max' ? value > bestKnown.value : value < bestKnown.value;
  const beaten = pairs.filter(({ measured: value }) => isBetter(value)).length;

  if (candidates.length === 0) return <p>The run proposed no designs, so there is nothing to measure.</p>;
  return (
    <>
      <div className="page-head">
        <div>
          <p className="eyebrow">Rounds</p>
          <h1>What did you measure?</h1>
          <p className="lede">
            Type the values, or paste a column from a spreadsheet. Rows you did not run stay empty.
          </p>
        </div>
        <button
          type="button"
          className="primary"
          disabled={measured.length === 0}
          onClick={() => void design()}
        >
          Design the next round
        </button>
      </div>
      {error && <Problem error={error} />}
      {/* biome-ignore lint/a11y: what scrolls has a name, and has to be reached by keyboard */}
      <div className="scroll spaced" role="region" aria-label="Measured values" tabIndex={0}>
        <table className="candidates measured">
          <thead>
            <tr>
              <SettingHeads names={columns} cells={bestKnown.cells} />
              <th scope="col" className="number">
                promised {goal.name}
              </th>
              <th scope="col">trust</th>
              {goals.map((name) => (
                <th key={name} scope="col">
                  measured {name}
                </th>
              ))}
              {isOne && <th scope="col">how it turned out</th>}
            </tr>
          </thead>
          <tbody>
            {candidates.map((one, i) => {
              const value = isOne ? numberIn(typed[keyOf(one.row, goals[0]!)]) : undefined;
              return (
                <tr key={one.row}>
                  <th scope="row">{one.row}</th>
                  {columns.map((name) => (
                    <td
                      key={name}
                      data-label={name}
                      className={typeof one.cells[name] === 'number' ? 'number' : ''}
                    >
                      {formatCell(one.cells[name], formats.column(name))}
                    </td>
                  ))}
                  <td className="number whole" data-label={`promised ${goal.name}`}>
                    {formatInterval(one.lo80, one.hi80, formats.objective)}
                  </td>
                  <td data-label="trust">
                    <TrustMark trust={one.trust} />
                  </td>
                  {goals.map((name) => {
                    const text = typed[keyOf(one.row, name)] ?? '';
                    const isWrong = text.trim() !== '' && numberIn(text) === undefined;
                    return (
                      <td key={name} data-label={`measured ${name}`}>
                        <input
                          className="number-field"
                          inputMode="decimal"
                          aria-label={`measured ${name} of candidate ${one.row}`}
                          aria-invalid={isWrong}
                          value={text}
                          onChange={({ currentTarget }) =>
                            setTyped({ ...typed, [keyOf(one.row, name)]: currentTarget.value })
                          }
                          onPaste={(event) => paste(event, i, name)}
                        />
                        {isWrong && <span className="caution"> no number</span>}
                      </td>
                    );
                  })}
                  {isOne && (
                    <td data-label="how it turned out" className="note">
                      {value === undefined
                        ? ''
                        : `${value >= one.lo80 && value <= one.hi80 ? 'as promised' : (goal.direction === 'max') === value > one.hi80 ? 'better than promised' : 'worse than promised'}${isBetter(value) ? ', beats the best known' : ''}`}
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {pairs.length > 0 && (
        <section className="charts large trust-charts">
          <h2 className="visually-hidden">How the promises turned out</h2>
          <Figure
            title="Promised and measured"
            summary={`${inside} of ${pairs.length} lie inside the 80 % interval that was promised; ${beaten} beat the best known, ${formatNumber(bestKnown.value, formats.objective)}.`}
            data={{
              name: 'round',
              header: ['candidate', 'measured', 'expected', 'lo80', 'hi80'],
              rows: pairs.map((one) => [one.row, one.measured, one.expected, one.lo80, one.hi80]),
            }}
          >
            <Pairs pairs={pairs} across="promised" label="Promised and measured values of this round" />
          </Figure>
        </section>
      )}
    </>
  );
}
