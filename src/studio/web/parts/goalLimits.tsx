/** Where the value of a goal can lie at all: a yield of 0 to 100, a cost above 0. */
import type { CheckReport } from '../../../index.js';
import type { Ask } from '../../protocol/index.js';
import { withSetting } from './askState.js';
import { NumberField, typed } from './numberField.js';

type Limits = NonNullable<Ask['limits']>[string];

export function GoalLimits({
  ask,
  setAsk,
  check,
}: {
  readonly ask: Ask;
  readonly setAsk: (ask: Ask) => void;
  readonly check: CheckReport | null;
}) {
  if (!check || check.goalColumns.length === 0) return null;
  const found = new Map(check.limits.map((one) => [one.column, one]));
  const set = (column: string, limits: Limits | undefined) => {
    const { [column]: _, ...others } = ask.limits ?? {};
    const next = limits === undefined ? others : { ...others, [column]: limits };
    setAsk(withSetting(ask, 'limits', Object.keys(next).length === 0 ? undefined : next));
  };
  return (
    <ul className="goal-limits">
      {[...new Set(check.goalColumns)].map((column) => {
        const { lower = null, upper = null, why = '', isAssumed = false } = found.get(column) ?? {};
        const given = ask.limits?.[column];
        const change = (at: 0 | 1, text: string) => {
          const value = typed(text) ?? null;
          const next: Limits = at === 0 ? [value, upper] : [lower, value];
          set(column, next);
        };
        return (
          <li key={column}>
            <span>{column} can lie from</span>
            <NumberField
              label={`Least possible ${column}`}
              value={lower ?? undefined}
              placeholder="no end"
              change={(text) => change(0, text)}
            />
            <span>to</span>
            <NumberField
              label={`Greatest possible ${column}`}
              value={upper ?? undefined}
              placeholder="no end"
              change={(text) => change(1, text)}
            />
            {given !== undefined ? (
              <button type="button" className="quiet" onClick={() => set(column, undefined)}>
                As found
              </button>
            ) : (
              isAssumed && <span className="note">{why}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
