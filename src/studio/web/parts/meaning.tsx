/** What a question means for the table, and the same question in other words. */
import { useState } from 'react';
import { formatPercent } from '../../../report/formats.js';
import type { Stated } from '../../protocol/index.js';
import { CopyButton, Problem, sentence, Waiting } from './pieces.js';

export function Meaning({
  stated,
  isWaiting,
}: {
  readonly stated: Stated | undefined;
  readonly isWaiting: boolean;
}) {
  if (!stated) return <Waiting what="Reading the question" />;
  const { check, fault, feasible, conflict } = stated;
  return (
    <section aria-live="polite" aria-busy={isWaiting}>
      <h2>What this means</h2>
      {fault && <Problem error={new Error(fault.message)} />}
      {conflict.length > 0 && (
        <div className="fault" role="alert">
          <p>No design satisfies all of these together:</p>
          <ul>
            {conflict.map((text) => (
              <li key={text}>
                <code>{text}</code>
              </li>
            ))}
          </ul>
          <p>Loosen or take away one of them.</p>
        </div>
      )}
      {feasible && (
        <>
          <p>
            <strong className="big">{formatPercent(feasible.share)}</strong> of the space inside all bounds is
            feasible.
          </p>
          <div
            className="meter"
            role="img"
            aria-label={`${formatPercent(feasible.share)} of ${feasible.drawn} designs drawn inside all bounds satisfy every constraint`}
          >
            <span style={{ inlineSize: `${100 * feasible.share}%` }} />
          </div>
        </>
      )}
      {check?.support && <p>{sentence(check.support.sentence)}</p>}
      {check?.isDesirability && (
        <p className="note">Several goals, or a target, are joined to one desirability from 0 to 1.</p>
      )}
    </section>
  );
}

const languages = [
  ['command', 'Command'],
  ['yaml', 'YAML'],
  ['typescript', 'TypeScript'],
] as const;

export function Words({ words }: { readonly words: Stated['words'] }) {
  const [language, setLanguage] = useState<keyof Stated['words']>('command');
  return (
    <section>
      <h2>The same in other words</h2>
      <div className="tabs">
        <div role="tablist" aria-label="Language">
          {languages.map(([name, title]) => (
            <button
              key={name}
              type="button"
              role="tab"
              aria-selected={language === name}
              onClick={() => setLanguage(name)}
            >
              {title}
            </button>
          ))}
        </div>
        <CopyButton text={words[language]} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <pre tabIndex={0}>{words[language]}</pre>
    </section>
  );
}
