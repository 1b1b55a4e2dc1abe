/** What is wanted: goals, what designs may be, how many and how bold; and the same in other words. */
import { useEffect, useState } from 'react';
import type { CheckReport } from '../../../index.js';
import { formatNumber } from '../../../report/formats.js';
import type { Ask, OpenedTable } from '../../protocol/index.js';
import { useAsk, withColumn } from '../parts/askState.js';
import { BatchFields } from '../parts/batchFields.js';
import { unitBeside } from '../parts/columnCards.js';
import { ConstraintLines } from '../parts/constraintLines.js';
import { GoalLimits } from '../parts/goalLimits.js';
import { GoalLine } from '../parts/goalLine.js';
import { useAnswer, useHost } from '../parts/hostContext.js';
import { Meaning, Words } from '../parts/meaning.js';
import { NumberField, typed } from '../parts/numberField.js';
import { Problem, Waiting } from '../parts/pieces.js';
import { quoted } from '../parts/quoted.js';
import { Recipes } from '../parts/recipes.js';
import { goTo } from '../parts/route.js';

export function State({ table: id }: { readonly table: string }) {
  const opened = useAnswer(id, (host) => host.table(id));
  if (opened.error) return <Problem error={opened.error} />;
  if (!opened.value) return <Waiting what="Opening the table" />;
  return <StateOf table={opened.value} />;
}

interface Part {
  readonly ask: Ask;
  readonly setAsk: (ask: Ask) => void;
  readonly check: CheckReport | null;
}

function StateOf({ table }: { readonly table: OpenedTable }) {
  const host = useHost();
  const [ask, setAsk] = useAsk();
  const key = JSON.stringify(ask);
  const stated = useAnswer(`${table.id} ${key}`, (one) => one.state(table.id, ask), 200);
  const [error, setError] = useState<Error>();
  const [isStarting, setIsStarting] = useState(false);
  const check = stated.value?.check ?? null;
  const guess = check?.isGuess ? check.goals[0] : undefined;
  useEffect(() => {
    if (guess !== undefined && ask.goals.length === 0) setAsk({ ...ask, goals: [guess] });
  });
  const canStart =
    stated.value !== undefined &&
    !stated.isWaiting &&
    stated.value.fault === null &&
    stated.value.conflict.length === 0 &&
    ask.goals.length > 0;

  const start = async () => {
    setIsStarting(true);
    try {
      const { id } = await host.startRun(table.id, ask);
      goTo(['run', id]);
    } catch (fault) {
      setError(fault as Error);
      setIsStarting(false);
    }
  };
  const part = { ask, setAsk, check };
  const numbers = table.columns.filter(({ spread }) => spread.kind === 'number').map(({ name }) => name);
  return (
    <>
      <div className="page-head">
        <div>
          <p className="eyebrow">Problem</p>
          <h1>What do you want of {table.name}?</h1>
        </div>
        <button
          type="button"
          className="primary"
          disabled={!canStart || isStarting}
          onClick={() => void start()}
        >
          {isStarting ? 'Starting' : `Design ${ask.batch ?? 8} experiments`}
        </button>
      </div>
      {error && <Problem error={error} />}
      <div className="two">
        <div>
          <section>
            <h2>Goals</h2>
            {ask.goals.map((goal, i) => (
              <GoalLine
                // biome-ignore lint/suspicious/noArrayIndexKey: goals have no name but their place
                key={i}
                goal={goal}
                columns={numbers}
                change={(text) =>
                  setAsk({ ...ask, goals: ask.goals.map((one, j) => (j === i ? text : one)) })
                }
                remove={() => setAsk({ ...ask, goals: ask.goals.filter((_, j) => j !== i) })}
              />
            ))}
            <GoalLimits {...part} />
            <p className="actions">
              <button
                type="button"
                onClick={() => {
                  const free = numbers.filter(
                    (name) => !ask.goals.some((goal) => goal.includes(quoted(name))),
                  );
                  const name = free.at(-1) ?? numbers[0];
                  if (name !== undefined) setAsk({ ...ask, goals: [...ask.goals, `max ${quoted(name)}`] });
                }}
              >
                Add a goal
              </button>
            </p>
          </section>
          <Settings {...part} table={table} />
          <Recipes {...part} />
          <ConstraintLines {...part} table={table.id} conflict={stated.value?.conflict ?? []} />
          <BatchFields ask={ask} setAsk={setAsk} example={costOf(check)} />
        </div>
        <aside className="meaning" aria-label="What this means">
          <Meaning stated={stated.value} isWaiting={stated.isWaiting} />
          {stated.value && <Words words={stated.value.words} />}
        </aside>
      </div>
    </>
  );
}

/** A cost of a design, as an example. */
function costOf(check: Part['check']): string {
  const [a, b] = (check?.columns ?? [])
    .filter(({ role, range }) => role === 'design' && range)
    .map(({ name }) => quoted(name));
  return a && b ? `0.2*${a} + 1.5*${b}` : '0.2*a + 1.5*b';
}

function Settings({ ask, setAsk, check, table }: Part & { readonly table: OpenedTable }) {
  const settings = (check?.columns ?? []).filter(({ role }) => role === 'design' || role === 'fixed');
  if (settings.length === 0) return null;
  const cards = new Map(table.columns.map((card) => [card.name, card]));
  return (
    <section>
      <h2>Settings</h2>
      <p className="note">
        What designs choose. Empty fields stand for what the table says: the range of past rows, and its usual
        steps.
      </p>
      {/* biome-ignore lint/a11y: what scrolls has a name, and has to be reached by keyboard */}
      <div className="scroll" role="region" aria-label="Settings" tabIndex={0}>
        <table className="settings">
          <thead>
            <tr>
              <th scope="col">column</th>
              <th scope="col">from</th>
              <th scope="col">to</th>
              <th scope="col">step</th>
              <th scope="col">fixed at</th>
            </tr>
          </thead>
          <tbody>
            {settings.map(({ name, range, levels, step }) => {
              const given = ask.columns?.[name] ?? {};
              const [lower, upper] = given.bounds ?? [];
              const setBound = (at: 0 | 1, text: string) => {
                const value = typed(text);
                const next: [number, number] = [lower ?? range!.min, upper ?? range!.max];
                next[at] = value ?? (at === 0 ? range!.min : range!.max);
                const isFound = next[0] === range!.min && next[1] === range!.max;
                setAsk(withColumn(ask, name, { bounds: isFound ? undefined : next }));
              };
              return (
                <tr key={name}>
                  <th scope="row">
                    {name}
                    {unitBeside(cards.get(name)) && (
                      <span className="unit"> {unitBeside(cards.get(name))}</span>
                    )}
                  </th>
                  {range ? (
                    <>
                      {([0, 1] as const).map((at) => (
                        <td key={at}>
                          <NumberField
                            label={`${at === 0 ? 'Least' : 'Greatest'} ${name}`}
                            value={at === 0 ? lower : upper}
                            placeholder={formatNumber(at === 0 ? range.min : range.max)}
                            change={(text) => setBound(at, text)}
                          />
                        </td>
                      ))}
                      <td>
                        <NumberField
                          label={`Step of ${name}`}
                          value={given.step}
                          placeholder={step === undefined ? 'any' : String(step)}
                          change={(text) => setAsk(withColumn(ask, name, { step: typed(text) }))}
                        />
                      </td>
                      <td>
                        <NumberField
                          label={`${name} is always`}
                          value={typeof given.fixed === 'number' ? given.fixed : undefined}
                          placeholder="free"
                          change={(text) => setAsk(withColumn(ask, name, { fixed: typed(text) }))}
                        />
                      </td>
                    </>
                  ) : (
                    <>
                      <td colSpan={3} className="note">
                        {levels.map(({ text }) => text).join(', ')}
                      </td>
                      <td>
                        <select
                          aria-label={`${name} is always`}
                          value={String(given.fixed ?? '')}
                          onChange={({ currentTarget: { value } }) =>
                            setAsk(withColumn(ask, name, { fixed: value === '' ? undefined : value }))
                          }
                        >
                          <option value="">free</option>
                          {levels.map(({ text }) => (
                            <option key={text}>{text}</option>
                          ))}
                        </select>
                      </td>
                    </>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}
