/** Several goals against each other, among what past runs reached. */
import { useState } from 'react';
import type { RunDocument } from '../../../index.js';
import type { Host, OpenedRun } from '../../protocol/index.js';
import { GoalScatter } from '../charts/scatter.js';
import { useAnswer } from '../parts/hostContext.js';
import { Figure } from '../parts/pieces.js';

/** Past runs that are drawn, at most. */
const MOST_PAST = 1000;

/** What past rows measured of each goal; rows without all of them are left out. */
async function pastGoals(host: Host, table: string, names: readonly string[]): Promise<number[][]> {
  const { columns } = await host.table(table);
  const places = names.map((name) => columns.findIndex((column) => column.name === name));
  if (places.includes(-1)) return [];
  const { rows } = await host.rows(table, 0, MOST_PAST);
  return rows
    .map((row) => places.map((at) => row[at]))
    .filter((values): values is number[] => values.every((value) => typeof value === 'number'));
}

export function GoalFront({ document, run }: { readonly document: RunDocument; readonly run: OpenedRun }) {
  const { goal, candidates } = document;
  const names = goal.goals.map(({ column }) => column);
  const [x, setX] = useState(0);
  const [y, setY] = useState(1);
  const past = useAnswer(`goals of ${run.table}`, (host) => pastGoals(host, run.table, names)).value ?? [];
  return (
    <section>
      <h2>Goals against each other</h2>
      {names.length > 2 && (
        <p className="toolbar">
          {(
            [
              ['Across', x, setX],
              ['Up', y, setY],
            ] as const
          ).map(([title, value, set]) => (
            <label key={title} className="inline">
              {title}
              <select value={value} onChange={(event) => set(Number(event.currentTarget.value))}>
                {names.map((name, i) => (
                  <option key={name} value={i}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </p>
      )}
      <Figure
        title={`${names[x]} and ${names[y]}`}
        summary={`Numbers are candidates at what is expected of each goal, with 80 % intervals${past.length > 0 ? `; grey dots are ${past.length} past runs` : ''}. Wanted: ${goal.labels.join(', ')}.`}
        data={{
          name: 'goals',
          header: ['candidate', ...names.flatMap((name) => [name, `${name} lo80`, `${name} hi80`])],
          rows: [
            ...candidates.map((one) => [
              one.row,
              ...one.goals.flatMap(({ expected, lo80, hi80 }) => [expected, lo80, hi80]),
            ]),
            ...past.map((values) => ['past', ...values.flatMap((value) => [value, null, null])]),
          ],
        }}
      >
        <GoalScatter document={document} x={x} y={y} past={past} />
      </Figure>
    </section>
  );
}
