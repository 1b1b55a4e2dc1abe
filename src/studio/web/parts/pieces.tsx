/** Small parts that every page uses. */
import { type ReactNode, useId, useState } from 'react';
import type { Trust, Verdict } from '../../../index.js';
import { csvOf, download } from './download.js';

export function Problem({ error, again }: { readonly error: Error; readonly again?: () => void }) {
  return (
    <div className="fault" role="alert">
      <p>{sentence(error.message)}</p>
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

/** With a capital letter, unless it begins with the name of a file, and a full stop. */
export function sentence(text: string): string {
  const whole = /[.!?]$/.test(text) ? text : `${text}.`;
  return /^\p{Ll}+[\s,;:.]/u.test(whole) && !/^\p{Ll}+\.\S/u.test(whole)
    ? whole.charAt(0).toUpperCase() + whole.slice(1)
    : whole;
}

export function Waiting({ what }: { readonly what: string }) {
  return (
    <p className="waiting" role="status">
      <span className="dots" aria-hidden="true" />
      {what}
    </p>
  );
}

const shapes: Readonly<Record<Trust, string>> = { Trusted: '●', Stretch: '◐', Guess: '○' };

/** Shape and word, not colour alone. */
export function TrustMark({ trust }: { readonly trust: Trust }) {
  return (
    <span className={`trust ${trust.toLowerCase()}`}>
      <span aria-hidden="true">{shapes[trust]}</span> {trust}
    </span>
  );
}

export const verdictTitles = {
  likely: 'Improvement likely',
  unclear: 'Improvement unclear',
  unsupported: 'Not supported by the data',
} as const satisfies Record<Verdict['level'], string>;

export function VerdictChip({ level }: { readonly level: Verdict['level'] }) {
  return <span className={`chip ${level}`}>{verdictTitles[level]}</span>;
}

export function VerdictBox({ verdict }: { readonly verdict: Verdict }) {
  return (
    <section className={`verdict ${verdict.level}`} aria-label="Verdict">
      <h2>{verdictTitles[verdict.level]}</h2>
      <p className="sentence">{verdict.sentence}</p>
      {verdict.reasons.length > 0 && (
        <ul>
          {verdict.reasons.map((reason) => (
            <li key={reason}>{sentence(reason)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

export interface ChartData {
  readonly name: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** A chart: heading, one sentence that says what it shows, the drawing, and its numbers. */
export function Figure({
  title,
  summary,
  data,
  children,
  className = '',
}: {
  readonly title: string;
  readonly summary: string;
  readonly data: ChartData;
  readonly children: ReactNode;
  readonly className?: string;
}) {
  const id = useId();
  return (
    <figure className={`figure ${className}`} aria-labelledby={`${id}t`} aria-describedby={`${id}s`}>
      <div className="figure-head">
        <h3 id={`${id}t`}>{title}</h3>
        <button
          type="button"
          className="quiet"
          aria-label={`Numbers of "${title}" as CSV`}
          onClick={() => download(`${data.name}.csv`, csvOf(data.header, data.rows), 'text/csv')}
        >
          CSV
        </button>
      </div>
      <p id={`${id}s`} className="note">
        {summary}
      </p>
      {children}
    </figure>
  );
}

export function CopyButton({ text }: { readonly text: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), 1500);
  };
  return (
    <button type="button" className="quiet" onClick={copy}>
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  );
}
