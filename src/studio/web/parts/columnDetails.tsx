/** Type, unit, step and scale of a column, where the table was not understood as it was meant. */
import type { CheckReport } from '../../../index.js';
import type { Ask, ColumnCard } from '../../protocol/index.js';
import { withColumn } from './askState.js';
import { NumberField, typed } from './numberField.js';

type ColumnType = CheckReport['columns'][number]['type'];

/** Types that a person may choose, by what stands in the cells. */
const typesOf: Readonly<Record<ColumnCard['spread']['kind'], readonly ColumnType[]>> = {
  number: ['number', 'integer', 'category', 'ordered', 'identifier'],
  text: ['category', 'ordered', 'boolean', 'sequence', 'smiles', 'date', 'identifier'],
  empty: [],
};

export function ColumnDetails({
  card: { name, unit, spread },
  checked,
  ask,
  setAsk,
  setUnit,
}: {
  readonly card: ColumnCard;
  readonly checked: CheckReport['columns'][number] | undefined;
  readonly ask: Ask;
  readonly setAsk: (ask: Ask) => void;
  readonly setUnit: (unit: string | null) => void;
}) {
  const given = ask.columns?.[name] ?? {};
  const types = typesOf[spread.kind];
  if (types.length === 0) return null;
  return (
    <details className="column-details">
      <summary>
        Type{spread.kind === 'number' && ', unit, step, scale'}
        <span className="visually-hidden"> of {name}</span>
      </summary>
      <label className="inline">
        Type
        <select
          value={given.type ?? ''}
          onChange={({ currentTarget: { value } }) =>
            setAsk(withColumn(ask, name, { type: value === '' ? undefined : (value as ColumnType) }))
          }
        >
          <option value="">{checked ? `as found: ${checked.type}` : 'as found'}</option>
          {types.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </select>
      </label>
      {spread.kind === 'number' && (
        <>
          <p className="inline">
            <span>Unit</span>
            <NumberField
              label={`Unit of ${name}`}
              value={unit ?? undefined}
              placeholder="none"
              isText
              change={(text) => {
                const given = text.trim().slice(0, 40);
                if (given !== (unit ?? '')) setUnit(given === '' ? null : given);
              }}
            />
          </p>
          <p className="inline">
            <span>Step</span>
            <NumberField
              label={`Step of ${name}`}
              value={given.step}
              placeholder={checked?.step === undefined ? 'any' : String(checked.step)}
              change={(text) => setAsk(withColumn(ask, name, { step: typed(text) }))}
            />
          </p>
          <label className="inline">
            Scale
            <select
              value={given.log === undefined ? '' : given.log ? 'log' : 'plain'}
              onChange={({ currentTarget: { value } }) =>
                setAsk(withColumn(ask, name, { log: value === '' ? undefined : value === 'log' }))
              }
            >
              <option value="">as found</option>
              <option value="log">logarithmic</option>
              <option value="plain">as it is</option>
            </select>
          </label>
        </>
      )}
      {checked?.evidence && <p className="note">{checked.evidence}</p>}
    </details>
  );
}
