/** One goal as a sentence: what to do with which column. The text stays what the library reads. */
import { useState } from 'react';
import { quoted } from './quoted.js';

const kinds = [
  ['max', 'as high as possible'],
  ['min', 'as low as possible'],
  ['target', 'as near as possible to a value'],
  ['keep', 'kept inside limits'],
] as const;
type Kind = (typeof kinds)[number][0];

interface Parsed {
  readonly kind: Kind;
  readonly column: string;
  readonly rest: string;
}

/** Null where the goal says more than the line can show. */
function parse(goal: string, columns: readonly string[]): Parsed | null {
  const match = /^\s*(max|min|target|keep)\s+("(?:[^"]|"")*"|[^\s=<>]+)\s*(.*)$/is.exec(goal);
  if (!match) return null;
  const [, kind, name, rest] = match;
  const bare = name!.startsWith('"') ? name!.slice(1, -1).replaceAll('""', '"') : name!;
  return columns.includes(bare) ? { kind: kind!.toLowerCase() as Kind, column: bare, rest: rest! } : null;
}

const startOf: Readonly<Record<Kind, string>> = { max: '', min: '', target: '= 0', keep: '>= 0' };

export function GoalLine({
  goal,
  columns,
  change,
  remove,
}: {
  readonly goal: string;
  readonly columns: readonly string[];
  readonly change: (goal: string) => void;
  readonly remove: () => void;
}) {
  const [isText, setIsText] = useState(false);
  const parsed = parse(goal, columns);
  const write = ({ kind, column, rest }: Parsed) =>
    change(`${kind} ${quoted(column)}${rest === '' ? '' : ` ${rest}`}`);
  return (
    <div className="goal-line">
      {parsed && !isText ? (
        <>
          <select
            aria-label="Column of the goal"
            value={parsed.column}
            onChange={(event) => write({ ...parsed, column: event.currentTarget.value })}
          >
            {columns.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <select
            aria-label={`What ${parsed.column} should be`}
            value={parsed.kind}
            onChange={({ currentTarget: { value } }) =>
              write({ ...parsed, kind: value as Kind, rest: startOf[value as Kind] })
            }
          >
            {kinds.map(([kind, words]) => (
              <option key={kind} value={kind}>
                {words}
              </option>
            ))}
          </select>
          {(parsed.kind === 'target' || parsed.kind === 'keep' || parsed.rest !== '') && (
            <input
              aria-label="Value of the goal"
              value={parsed.rest}
              placeholder={parsed.kind === 'keep' ? '>= 5, or in 5..8' : '= 7.2'}
              onChange={(event) => write({ ...parsed, rest: event.currentTarget.value })}
            />
          )}
        </>
      ) : (
        <input
          aria-label="Goal"
          className="wide"
          value={goal}
          onChange={(event) => change(event.currentTarget.value)}
        />
      )}
      <button type="button" className="quiet" onClick={() => setIsText(!isText)} aria-pressed={isText}>
        {isText ? 'As a sentence' : 'As text'}
      </button>
      <button type="button" className="quiet" aria-label={`Take away the goal ${goal}`} onClick={remove}>
        Take away
      </button>
    </div>
  );
}
