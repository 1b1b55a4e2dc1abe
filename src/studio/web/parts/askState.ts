/** What is asked of a table, kept in the address: reload, back and share keep it. */
import type { Ask } from '../../protocol/index.js';
import { replaceQuery, useRoute } from './route.js';

type Column = NonNullable<Ask['columns']>[string];

export function useAsk(): readonly [Ask, (ask: Ask) => void] {
  const { query } = useRoute();
  return [readAsk(query.get('ask')), (ask) => replaceQuery({ ask: JSON.stringify(ask) })];
}

export function readAsk(text: string | null): Ask {
  if (text === null) return { goals: [] };
  try {
    const ask = JSON.parse(text) as Ask;
    return typeof ask === 'object' && ask !== null && Array.isArray(ask.goals) ? ask : { goals: [] };
  } catch {
    return { goals: [] };
  }
}

/** Settings of one column; what is undefined is taken away. */
export function withColumn(
  ask: Ask,
  name: string,
  change: { [Key in keyof Column]?: Column[Key] | undefined },
): Ask {
  const merged = { ...ask.columns?.[name], ...change };
  const kept = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
  const { [name]: _, ...others } = ask.columns ?? {};
  const columns = Object.keys(kept).length === 0 ? others : { ...others, [name]: kept as Column };
  const { columns: __, ...rest } = ask;
  return Object.keys(columns).length === 0 ? rest : { ...rest, columns };
}

/** A setting of the question; undefined takes it away. */
export function withSetting<Key extends keyof Ask>(ask: Ask, key: Key, value: Ask[Key] | undefined): Ask {
  const { [key]: _, ...rest } = ask;
  return (value === undefined ? rest : { ...rest, [key]: value }) as Ask;
}
