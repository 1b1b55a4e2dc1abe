/** A run that the data do not support shows no designs, unless that was asked for: numbers would be taken for advice. */
import type { RunDocument } from '../design/runDocument.js';
import { count } from './markup.js';

/** What decides it, and what is left out. */
export type Withholding = Pick<RunDocument, 'verdict' | 'run' | 'candidates' | 'withheld'> &
  Partial<Pick<RunDocument, 'profiles' | 'map'>>;

/** The document as it is kept and shown: without designs where the data do not support them. */
export function shownDocument<Document extends Withholding>(document: Document): Document {
  const { verdict, run, candidates, map } = document;
  if (verdict.level !== 'unsupported' || run.anyway || candidates.length === 0) return document;
  return {
    ...document,
    candidates: [],
    withheld: candidates.length,
    ...(document.profiles && { profiles: [] }),
    ...(map && { map: { ...map, candidates: [] } }),
  };
}

/** Why there is nothing to see, and how to see it; null where nothing is kept back. */
export function withheldText({ withheld }: Pick<RunDocument, 'withheld'>): string | null {
  if (withheld === undefined) return null;
  const [those, they] = withheld === 1 ? ['It is', 'it'] : ['They are', 'them'];
  return `${count(withheld, 'design')} ${withheld === 1 ? 'was' : 'were'} found, but nothing in the data speaks for ${they}. ${those} not shown; the same command with --anyway shows ${they}.`;
}
