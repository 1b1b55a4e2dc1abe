/** A benchmark: a dot per seed, rows without a model marked as such, learning curves, and mean ranks. */

import { formatNumber, formatPercent } from '../../../report/formats.js';
import type { BenchFolder } from '../../protocol/index.js';
import { Figure } from '../parts/pieces.js';
import { roomFor, scaleOf, ticksOf } from './scale.js';

const WIDTH = 560;
const LEFT = 150;
const LINE = 22;

type Trial = BenchFolder['trials'][number];

/** Rows of the benchmark that use no model: doing nothing, noise, chance. */
const nulls: readonly string[] = ['start', 'noise', 'random', 'sobol'];

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
              summary={`Best of each batch, 0 worst and 1 best of the whole dataset; a dot per seed, open where no model was used, a line at the median; the dotted line is the best row that methods could see.`}
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
                          className={`dot seed ${nulls.includes(trial.algorithm) ? 'open' : ''}`}
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
      <LearningCurves folder={folder} tasks={tasks} methods={methods} />
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
                <th scope="row">
                  {method}
                  {folder.trials.some(
                    (trial) => methodOf(trial) === method && nulls.includes(trial.algorithm),
                  ) && <span className="note"> no model</span>}
                </th>
                <td className="number">{rank.toFixed(2)}</td>
                <td className="number">{count}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </>
  );
}

/** Curves that can be told apart in one drawing: the colours and dashes that there are. */
const MOST_CURVES = 6;

/** The median over seeds of the best true score at each recorded iteration. */
function curveOf(trials: readonly Trial[]): (readonly [number, number])[] {
  const at = new Map<number, number[]>();
  for (const { curve, range } of trials)
    for (const { iteration, best } of curve)
      if (best !== undefined)
        at.set(iteration, [...(at.get(iteration) ?? []), (best - range.worst) / (range.best - range.worst)]);
  return [...at]
    .map(([iteration, values]) => [iteration, median(values)] as const)
    .sort((a, b) => a[0] - b[0]);
}

function LearningCurves({
  folder,
  tasks,
  methods,
}: {
  readonly folder: BenchFolder;
  readonly tasks: readonly string[];
  readonly methods: readonly string[];
}) {
  const figures = tasks.flatMap((task) => {
    const lines = methods
      .map((method) => ({
        method,
        points: curveOf(folder.trials.filter((trial) => trial.task === task && methodOf(trial) === method)),
      }))
      .filter(({ points }) => points.length > 1);
    return lines.length === 0 ? [] : [{ task, lines }];
  });
  if (figures.length === 0) return null;
  return (
    <section>
      <h3>Learning curves</h3>
      <div className="charts large">
        {figures.map(({ task, lines }) => (
          <Figure
            key={task}
            title={`${task}, step by step`}
            summary={`Best true score so far, median over seeds, over the share of each search that is done${lines.length > MOST_CURVES ? `; ${MOST_CURVES} of ${lines.length} methods are drawn, all are in the CSV` : ''}.`}
            data={{
              name: `${task}-curves`,
              header: ['method', 'iteration', 'scaled best'],
              rows: lines.flatMap(({ method, points }) =>
                points.map(([iteration, best]) => [method, iteration, best]),
              ),
            }}
          >
            <CurveChart task={task} lines={lines.slice(0, MOST_CURVES)} />
          </Figure>
        ))}
      </div>
    </section>
  );
}

const HEIGHT = 240;

function CurveChart({
  task,
  lines,
}: {
  readonly task: string;
  readonly lines: readonly {
    readonly method: string;
    readonly points: readonly (readonly [number, number])[];
  }[];
}) {
  const [low, high] = roomFor(lines.flatMap(({ points }) => points.map(([, best]) => best)));
  const y = scaleOf(low, high, HEIGHT - 26, 8);
  const x = scaleOf(0, 1, 44, WIDTH - 12);
  return (
    <>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="chart"
        role="img"
        aria-label={`Best score so far of ${lines.length} methods on ${task}`}
      >
        {ticksOf(low, high, 4).map((tick) => (
          <g key={tick}>
            <line x1={44} x2={WIDTH - 12} y1={y.at(tick)} y2={y.at(tick)} className="grid-line" />
            <text x={38} y={y.at(tick) + 4} textAnchor="end">
              {formatNumber(tick)}
            </text>
          </g>
        ))}
        {[0, 0.5, 1].map((share) => (
          <text key={share} x={x.at(share)} y={HEIGHT - 8} textAnchor={share === 1 ? 'end' : 'middle'}>
            {formatPercent(share)}
          </text>
        ))}
        {lines.map(({ method, points }, i) => {
          const [first, last] = [points[0]![0], points.at(-1)![0]];
          return (
            <polyline
              key={method}
              className={`curve curve-${i}`}
              points={points
                .map(([iteration, best]) => `${x.at((iteration - first) / (last - first))},${y.at(best)}`)
                .join(' ')}
            />
          );
        })}
      </svg>
      <ul className="curve-key">
        {lines.map(({ method }, i) => (
          <li key={method}>
            <svg width="28" height="10" aria-hidden="true">
              <line x1="0" x2="28" y1="5" y2="5" className={`curve curve-${i}`} />
            </svg>
            {method}
          </li>
        ))}
      </ul>
    </>
  );
}
