/** Several goals against each other. */
import { useState } from 'react';
import type { RunDocument } from '../../../index.js';
import { GoalScatter } from '../charts/scatter.js';
import { Figure } from '../parts/pieces.js';

export function GoalFront({ document }: { readonly document: RunDocument }) {
  const { goal, candidates } = document;
  const names = goal.goals.map(({ column }) => column);
  const [x, setX] = useState(0);
  const [y, setY] = useState(1);
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
        summary={`${candidates.length} candidates by what is expected of each goal, with 80 % intervals.`}
        data={{
          name: 'goals',
          header: ['candidate', ...names.flatMap((name) => [name, `${name} lo80`, `${name} hi80`])],
          rows: candidates.map((one) => [
            one.row,
            ...one.goals.flatMap(({ expected, lo80, hi80 }) => [expected, lo80, hi80]),
          ]),
        }}
      >
        <GoalScatter document={document} x={x} y={y} />
      </Figure>
    </section>
  );
}
