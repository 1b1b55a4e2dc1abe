/** Columns with a constant sum: those that were found or given, and a line for another one. */
import { useState } from 'react';
import type { CheckReport } from '../../../index.js';
import { formatNumber } from '../../../report/formats.js';
import type { Ask } from '../../protocol/index.js';
import { withSetting } from './askState.js';

type Mixture = NonNullable<Ask['mixtures']>[number];

/** "a, b, c = 100"; without a sum it is 1. A text where it cannot be read. */
function readRecipe(text: string, known: readonly string[]): Mixture | string {
  const [left = '', right = '1'] = text.split('=');
  const columns = left
    .split(/[,+]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const sum = Number(right.trim().replace(',', '.'));
  const unknown = columns.find((name) => !known.includes(name));
  if (unknown !== undefined) return `There is no setting "${unknown}".`;
  if (columns.length < 2) return 'A recipe has two columns at least.';
  if (right.trim() === '' || !Number.isFinite(sum)) return 'The sum is no number.';
  return { columns, sum };
}

export function Recipes({
  ask,
  setAsk,
  check,
}: {
  readonly ask: Ask;
  readonly setAsk: (ask: Ask) => void;
  readonly check: CheckReport | null;
}) {
  const [text, setText] = useState('');
  if (!check) return null;
  const numbers = check.columns
    .filter(({ role, range }) => role === 'design' && range)
    .map(({ name }) => name);
  const mixtures: readonly Mixture[] = check.mixtures.map(({ columns, sum }) => ({ columns, sum }));
  if (numbers.length < 2 && mixtures.length === 0) return null;
  const read = text.trim() === '' ? '' : readRecipe(text, numbers);
  return (
    <section>
      <h2>Recipes</h2>
      {mixtures.length === 0 && <p className="note">No columns have a constant sum.</p>}
      <ul className="lines">
        {check.mixtures.map(({ columns, sum, isGiven }, i) => (
          <li key={columns.join()}>
            <span>
              {columns.join(' + ')} = {formatNumber(sum)}
            </span>
            <span className="note">{isGiven ? 'as you said' : 'in every row'}</span>
            <button
              type="button"
              className="quiet"
              aria-label={`Take away the recipe ${columns.join(' + ')}`}
              onClick={() =>
                setAsk(
                  withSetting(
                    ask,
                    'mixtures',
                    mixtures.filter((_, j) => j !== i),
                  ),
                )
              }
            >
              Take away
            </button>
          </li>
        ))}
      </ul>
      <form
        className="add-line"
        onSubmit={(event) => {
          event.preventDefault();
          if (typeof read === 'string') return;
          setAsk(withSetting(ask, 'mixtures', [...mixtures, read]));
          setText('');
        }}
      >
        <label>
          <span className="visually-hidden">A recipe</span>
          <input
            value={text}
            placeholder={`${numbers.slice(0, 3).join(', ')} = 1`}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={typeof read === 'string'}>
          Add
        </button>
      </form>
      {typeof read === 'string' && read !== '' && <p className="note tried">{read}</p>}
      {ask.mixtures !== undefined && (
        <p className="actions">
          <button
            type="button"
            className="quiet"
            onClick={() => setAsk(withSetting(ask, 'mixtures', undefined))}
          >
            As found in the table
          </button>
        </p>
      )}
    </section>
  );
}
