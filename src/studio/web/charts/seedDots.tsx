/** A benchmark: a dot per seed, the best visible row as the null, and mean ranks. */

import { formatNumber } from '../../../report/formats.js';
import type { BenchFolder } from '../../protocol/index.js';
import { Figure } from '../parts/pieces.js';
import { roomFor, scaleOf, ticksOf } from './scale.js';

const WIDTH = 560;
const LEFT = 150;
const LINE = 22;

type Trial = BenchFolder['trials'][number];

function methodOf({ algorithm, variant }: Trial): string {
  return variant === '' || variant === 'default' || variant === algorithm
    ? algorithm
    : `${algorithm} ${variant}`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.floor(middle - 0.5)]! + sorted[Math.ceil(middle - 0.5)]!) / 2;
}

export function SeedDots({ folder }: { readonly folder: BenchFolder }) {
  const tasks = [...new Set(folder.trials.map(({ task }) => task))];
  const methods = [...new Set(folder.trials.map(methodOf))];
  const scoreOf = ({ best, range }: Trial) => (best - range.worst) / (range.best - range.worst);
  const nullOf = ({ visibleMax, range }: Trial) => (visibleMax - range.worst) / (range.best - range.worst);
  // mean over tasks of the rank of the median
  const ranks = methods.map((method) => {
    const each = tasks.flatMap((task) => {
      const medians = methods.flatMap((name) => {
        const own = folder.trials.filter((trial) => trial.task === task && methodOf(trial) === name);
        return own.length === 0 ? [] : [{ name, value: median(own.map(scoreOf)) }];
      });
      const own = medians.find(({ name }) => name === method);
      return own ? [1 + medians.filter(({ value }) => value > own.value).length] : [];
    });
    return {
      method,
      rank: each.reduce((sum, rank) => sum + rank, 0) / (each.length || 1),
      tasks: each.length,
    };
  });
  return (
    <>
      <div className="charts large">
        {tasks.map((task) => {
          const trials = folder.trials.filter((trial) => trial.task === task);
          const shown = methods.filter((method) => trials.some((trial) => methodOf(trial) === method));
          const [low, high] = roomFor([...trials.map(scoreOf), nullOf(trials[0]!)]);
          const x = scaleOf(low, high, LEFT, WIDTH - 12);
          const bottom = LINE * shown.length + 8;
          return (
            <Figure
              key={task}
              title={task}
              summary={`Best of each batch, 0 worst and 1 best of the whole dataset; a dot per seed, a line at the median; the dotted line is the best row that methods could see.`}
              data={{
                name: task,
                header: ['method', 'seed', 'best', 'median', 'scaled best'],
                rows: trials.map((trial) => [
                  methodOf(trial),
                  trial.seed,
                  trial.best,
                  trial.median,
                  scoreOf(trial),
                ]),
              }}
            >
              <svg
                viewBox={`0 0 ${WIDTH} ${bottom + 20}`}
                className="chart"
                role="img"
                aria-label={`Scores of ${shown.length} methods on ${task}`}
              >
                {ticksOf(low, high, 5).map((tick) => (
                  <g key={tick}>
                    <line x1={x.at(tick)} x2={x.at(tick)} y1={2} y2={bottom} className="grid-line" />
                    <text x={x.at(tick)} y={bottom + 14} textAnchor="middle">
                      {formatNumber(tick)}
                    </text>
                  </g>
                ))}
                <line
                  x1={x.at(nullOf(trials[0]!))}
                  x2={x.at(nullOf(trials[0]!))}
                  y1={2}
                  y2={bottom}
                  className="best-line dotted"
                />
                {shown.map((method, i) => {
                  const own = trials.filter((trial) => methodOf(trial) === method);
                  const middle = x.at(median(own.map(scoreOf)));
                  const y = LINE * i + 15;
                  return (
                    <g key={method}>
                      <text x={LEFT - 8} y={y + 4} textAnchor="end" className="name">
                        {method.slice(0, 22)}
                      </text>
                      {own.map((trial) => (
                        <circle
                          key={trial.seed}
                          cx={x.at(scoreOf(trial))}
                          cy={y}
                          r={4}
                          className="dot seed"
                        />
                      ))}
                      <line x1={middle} x2={middle} y1={y - 8} y2={y + 8} className="here-line" />
                    </g>
                  );
                })}
              </svg>
            </Figure>
          );
        })}
      </div>
      <table className="plain">
        <caption>Mean rank of the median over tasks; 1 is best.</caption>
        <thead>
          <tr>
            <th scope="col">method</th>
            <th scope="col" className="number">
              mean rank
            </th>
            <th scope="col" className="number">
              tasks
            </th>
          </tr>
        </thead>
        <tbody>
          {ranks
            .toSorted((a, b) => a.rank - b.rank)
            .map(({ method, rank, tasks: count }) => (
              <tr key={method}>
                <th scope="row">{method}</th>
                <td className="number">{rank.toFixed(2)}</td>
                <td className="number">{count}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </>
  );
}
