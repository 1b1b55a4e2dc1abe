/** A card per column: how its values are spread, what it is taken for, and what can be said about it. */
import { useState } from 'react';
import type { CheckReport } from '../../../index.js';
import type { Ask, ColumnCard, OpenedTable } from '../../protocol/index.js';
import { Histogram } from '../charts/histogram.js';
import { withColumn } from './askState.js';
import { ColumnDetails } from './columnDetails.js';
import { goalIsAbout, quoted } from './quoted.js';

/** Cards beyond this many are shown when asked for. */
const CARDS = 24;

const roleWords: Readonly<Record<string, string>> = {
  design: 'setting',
  context: 'context',
  fixed: 'fixed',
  goal: 'goal',
  'goal?': 'goal',
  'left out': 'left out',
};

export function ColumnCards({
  table,
  check,
  ask,
  setAsk,
  setUnit,
}: {
  readonly table: OpenedTable;
  readonly check: CheckReport | null;
  readonly ask: Ask;
  readonly setAsk: (ask: Ask) => void;
  readonly setUnit: (column: number, unit: string | null) => void;
}) {
  const [all, setAll] = useState(false);
  const shown = all ? table.columns : table.columns.slice(0, CARDS);
  return (
    <section>
      <h2>Columns</h2>
      <ul className="columns-grid">
        {shown.map((card, i) => (
          <Column
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
            key={`${card.name} ${i}`}
            card={card}
            at={i}
            check={check}
            ask={ask}
            setAsk={setAsk}
            setUnit={(unit) => setUnit(i, unit)}
          />
        ))}
      </ul>
      {shown.length < table.columns.length && (
        <p className="actions">
          <button type="button" onClick={() => setAll(true)}>
            Show all {table.columns.length} columns
          </button>
        </p>
      )}
    </section>
  );
}

/** The unit, unless the name says it. */
export function unitBeside(card: ColumnCard | undefined): string | null {
  return card?.unit && !card.name.includes(card.unit) ? card.unit : null;
}

function Column({
  card,
  at,
  check,
  ask,
  setAsk,
  setUnit,
}: {
  readonly card: ColumnCard;
  readonly at: number;
  readonly check: CheckReport | null;
  readonly ask: Ask;
  readonly setAsk: (ask: Ask) => void;
  readonly setUnit: (unit: string | null) => void;
}) {
  const { name, missing, spread } = card;
  const checked = check?.columns[at];
  const isGoal = checked?.role === 'goal' || checked?.role === 'goal?';
  const given = ask.columns?.[name]?.role;
  const choose = (value: string) => {
    const goals = ask.goals.filter((goal) => !goalIsAbout(goal, name));
    if (value === 'max' || value === 'min')
      return setAsk(
        withColumn({ ...ask, goals: [...(check?.isGuess ? [] : goals), `${value} ${quoted(name)}`] }, name, {
          role: undefined,
        }),
      );
    const role = value === 'found' ? undefined : (value as 'design' | 'context' | 'ignore');
    setAsk(withColumn({ ...ask, goals: isGoal ? goals : ask.goals }, name, { role }));
  };
  const goal = ask.goals.find((text) => goalIsAbout(text, name));
  const value =
    isGoal && goal
      ? /^\s*min/i.test(goal)
        ? 'min'
        : /^\s*max/i.test(goal)
          ? 'max'
          : 'found'
      : (given ?? 'found');
  return (
    <li className={`column-card ${checked?.role === 'left out' ? 'out' : ''} ${isGoal ? 'goal' : ''}`}>
      <div className="column-head">
        <h3 title={name}>{name || '(no name)'}</h3>
        {unitBeside(card) && <span className="unit">{unitBeside(card)}</span>}
      </div>
      <Histogram name={name} spread={spread} />
      <p className="note">
        {checked ? `${checked.type}, ${roleWords[checked.role] ?? checked.role}` : ' '}
        {checked?.step !== undefined && `, steps of ${checked.step}`}
        {missing > 0 && `, ${missing} empty`}
        {checked?.note && checked.note !== `steps of ${checked.step}` && ` · ${checked.note}`}
      </p>
      <label className="inline">
        <span className="visually-hidden">Part of {name}</span>
        <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="found">
            {checked ? `as found: ${roleWords[checked.role] ?? checked.role}` : 'as found'}
          </option>
          {spread.kind === 'number' && <option value="max">goal: as high as possible</option>}
          {spread.kind === 'number' && <option value="min">goal: as low as possible</option>}
          <option value="design">setting</option>
          <option value="context">context: known, not chosen</option>
          <option value="ignore">leave out</option>
        </select>
      </label>
      <ColumnDetails card={card} checked={checked} ask={ask} setAsk={setAsk} setUnit={setUnit} />
    </li>
  );
}
