/** Constraints as lines of text. What is being typed is tried at once, before it is added. */
import { useState } from 'react';
import type { CheckReport } from '../../../index.js';
import { formatPercent } from '../../../report/formats.js';
import type { Ask, Stated } from '../../protocol/index.js';
import { withSetting } from './askState.js';
import { useAnswer } from './hostContext.js';
import { sentence } from './pieces.js';
import { quoted } from './quoted.js';

export function ConstraintLines({
  table,
  ask,
  setAsk,
  check,
  conflict,
}: {
  readonly table: string;
  readonly ask: Ask;
  readonly setAsk: (ask: Ask) => void;
  readonly check: CheckReport | null;
  readonly conflict: readonly string[];
}) {
  const [text, setText] = useState('');
  const constraints = ask.constraints ?? [];
  const draft = text.trim();
  const tried = useAnswer(
    `${table} ${JSON.stringify(ask)} ${draft}`,
    async (host) =>
      draft === '' ? null : host.state(table, { ...ask, constraints: [...constraints, draft] }),
    300,
  );
  const set = (next: readonly string[]) =>
    setAsk(withSetting(ask, 'constraints', next.length === 0 ? undefined : next));
  const [a, b] = (check?.columns ?? [])
    .filter(({ role, range }) => role === 'design' && range)
    .map(({ name }) => quoted(name));
  return (
    <section>
      <h2>Constraints</h2>
      <ul className="lines">
        {constraints.map((one, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same line may stand there twice
          <li key={i} className={conflict.includes(one) ? 'conflict' : ''}>
            <code>{one}</code>
            {conflict.includes(one) && <span className="chip unsupported">in conflict</span>}
            <button
              type="button"
              className="quiet"
              aria-label={`Take away ${one}`}
              onClick={() => set(constraints.filter((_, j) => j !== i))}
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
          if (text.trim() !== '') set([...constraints, text.trim()]);
          setText('');
        }}
      >
        <label>
          <span className="visually-hidden">A constraint</span>
          <input
            value={text}
            placeholder={a && b ? `${a} + ${b} <= 100, or: at most 2 of ${a}, ${b}` : 'a + b <= 100'}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={text.trim() === ''}>
          Add
        </button>
      </form>
      <p className="note tried" aria-live="polite">
        {draft !== '' && !tried.isWaiting && tried.value && triedWords(tried.value, draft)}
      </p>
    </section>
  );
}

/** What a constraint would do, before it is added. */
function triedWords({ fault, conflict, feasible }: Stated, draft: string): string {
  if (fault) return sentence(fault.message);
  const others = conflict.filter((text) => text !== draft);
  if (conflict.length > 0)
    return others.length === 0
      ? 'No design can satisfy this.'
      : `No design can satisfy this together with ${others.join('; ')}.`;
  return feasible ? `With this, ${formatPercent(feasible.share)} of the space is feasible.` : '';
}
