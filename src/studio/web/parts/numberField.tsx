/** Fields for numbers, and short words, that people type. */
import { useState } from 'react';

/** Number typed by a person; undefined where there is none. */
export function typed(text: string): number | undefined {
  const value = Number(text.replace(',', '.'));
  return text.trim() === '' || Number.isNaN(value) ? undefined : value;
}

/** Keeps what is typed until it is left, so that "0." can become "0.5". */
export function NumberField({
  label,
  value,
  placeholder,
  isText = false,
  change,
}: {
  readonly label: string;
  readonly value: number | string | undefined;
  readonly placeholder: string;
  readonly isText?: boolean;
  readonly change: (text: string) => void;
}) {
  const [text, setText] = useState<string>();
  return (
    <input
      aria-label={label}
      inputMode={isText ? 'text' : 'decimal'}
      className="number-field"
      value={text ?? (value === undefined ? '' : String(value))}
      placeholder={placeholder}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => {
        if (text !== undefined) change(text);
        setText(undefined);
      }}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
  );
}
