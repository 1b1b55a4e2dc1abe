/** How many designs, how hard to look for them, how bold they are, and what they may cost. */
import type { Ask } from '../../protocol/index.js';
import { withSetting } from './askState.js';
import { typed } from './numberField.js';

const efforts = [
  ['fast', 'fast'],
  ['', 'balanced'],
  ['thorough', 'thorough'],
] as const;
const risks = [
  ['', 'as the rehearsal says'],
  ['cautious', 'cautious'],
  ['balanced', 'balanced'],
  ['bold', 'bold'],
] as const;

export function BatchFields({
  ask,
  setAsk,
  example,
}: {
  readonly ask: Ask;
  readonly setAsk: (ask: Ask) => void;
  /** A cost in columns of this table. */
  readonly example: string;
}) {
  const set = <Key extends keyof Ask>(key: Key, value: Ask[Key] | undefined) =>
    setAsk(withSetting(ask, key, value));
  return (
    <section>
      <h2>The batch</h2>
      <div className="fields">
        <label>
          Experiments
          <input
            type="number"
            min={1}
            max={10000}
            value={ask.batch ?? 8}
            onChange={({ currentTarget: { valueAsNumber: n } }) =>
              set('batch', Number.isInteger(n) && n > 0 ? n : undefined)
            }
          />
        </label>
        <label>
          Effort
          <select
            value={ask.effort ?? ''}
            onChange={(event) => set('effort', (event.currentTarget.value || undefined) as Ask['effort'])}
          >
            {efforts.map(([value, word]) => (
              <option key={word} value={value}>
                {word}
              </option>
            ))}
          </select>
        </label>
        <label>
          Risk
          <select
            value={ask.risk ?? ''}
            onChange={(event) => set('risk', (event.currentTarget.value || undefined) as Ask['risk'])}
          >
            {risks.map(([value, word]) => (
              <option key={word} value={value}>
                {word}
              </option>
            ))}
          </select>
        </label>
        <label>
          Seed
          <input
            type="number"
            min={0}
            value={ask.seed ?? 0}
            onChange={({ currentTarget: { valueAsNumber: n } }) =>
              set('seed', Number.isInteger(n) && n > 0 ? n : undefined)
            }
          />
        </label>
        <label>
          Cost of a design
          <input
            value={ask.cost ?? ''}
            placeholder={example}
            onChange={({ currentTarget: { value } }) => set('cost', value === '' ? undefined : value)}
          />
        </label>
        <label>
          Budget
          <input
            inputMode="decimal"
            value={ask.budget ?? ''}
            placeholder="none"
            onChange={({ currentTarget: { value } }) => set('budget', typed(value))}
          />
        </label>
      </div>
    </section>
  );
}
