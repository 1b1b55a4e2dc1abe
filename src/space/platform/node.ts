import load, { type Highs } from 'highs';

/** Its declarations are of the CommonJS build; an import gets the ES one, whose default is the loader itself. */
export const loadHighs = load as unknown as (options: object) => Promise<Highs>;
