import type { TokenReader } from './tokens.js';

/** Why a number and a category cannot be held together, and what does the same. */
export const joinedFault =
  'a constraint cannot join numbers and categories; let the limit hold for every category, or write one problem per ' +
  'category with the category fixed, as in catalyst=B, and the limit as bounds';

/** `if catalyst=B then temp <= 60`, `temp <= 60 if catalyst=B`: said in full, since it is what people try first. */
export function refuseCondition(reader: TokenReader): void {
  if (!reader.isWord('if') && !reader.isWord('when')) return;
  const bare = reader.text.replace(/"[^"]*"|`[^`]*`/g, 'name');
  if (/[<>≤≥]|\.\./.test(bare)) reader.fail(reader.peek(), joinedFault);
  reader.fail(reader.peek(), 'between categories, write it as in: require line=B if product=X');
}
