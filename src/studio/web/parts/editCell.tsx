import { useState } from 'react';

/** A setting that can be typed over. */
export function EditCell({
  name,
  row,
  cell,
  text,
  change,
}: {
  readonly name: string;
  readonly row: number;
  readonly cell: number | string | undefined;
  readonly text: string;
  readonly change: (value: number | string) => void;
}) {
  const [draft, setDraft] = useState<string>();
  const isNumber = typeof cell === 'number';
  const commit = () => {
    if (draft === undefined) return;
    setDraft(undefined);
    if (draft.trim() === '' || draft === String(cell)) return;
    const value = isNumber ? Number(draft.replace(',', '.')) : draft;
    if (!(typeof value === 'number' && Number.isNaN(value))) change(value);
  };
  return (
    <td data-label={name} className={isNumber ? 'number' : ''}>
      {draft === undefined ? (
        <button
          type="button"
          className="cell-button"
          aria-label={`${name} of candidate ${row}: ${text}. Change it`}
          onClick={() => setDraft(String(cell ?? ''))}
        >
          {text}
        </button>
      ) : (
        <input
          // biome-ignore lint/a11y/noAutofocus: the person asked to type here
          autoFocus
          aria-label={`${name} of candidate ${row}`}
          className="number-field"
          value={draft}
          onChange={(event) => setDraft(event.currentTarget.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit();
            if (event.key === 'Escape') setDraft(undefined);
          }}
        />
      )}
    </td>
  );
}
