/** What the rehearsal found and which columns matter, in a sentence each: for terminal, report and README. */
import type { RehearsalSummary, RunDocument } from '../design/runDocument.js';
import { formatNumber } from './formats.js';
import { count } from './markup.js';

const chosen: Readonly<Record<RehearsalSummary['risk'], string>> = {
  cautious: 'cautiously',
  balanced: 'with balanced risk',
  bold: 'boldly',
};

/** `number`: prints a value of the objective. */
export function rehearsalSentence(
  rehearsal: RehearsalSummary,
  number: (value: number) => string,
): string | null {
  const { hidden, named, first, byChance, promised, delivered, bestSeen } = rehearsal;
  if (hidden === 0 || first === 0) return null;
  return [
    `without the ${count(hidden, 'best row')}, the models named ${named === 0 ? 'none' : named} of them among their first ${first} (${oneDecimal(byChance)} by chance)`,
    `promised ${number(promised)}, measured ${number(delivered)}, best of the rows they had seen ${number(bestSeen)}`,
    riskClause(rehearsal),
  ].join('; ');
}

/** How bold the designs are, and who decided it. */
export function riskClause({ risk, riskFrom }: RehearsalSummary): string {
  return riskFrom === 'asked'
    ? `designs are chosen ${chosen[risk]}, as asked`
    : `so designs are chosen ${chosen[risk]}`;
}

export function oneDecimal(value: number): string {
  return formatNumber(value, { kind: 'decimals', digits: 1, noise: 0 }, { trim: true });
}

/** Columns that are named, and the share below which a column is not. */
const mostColumns = 5;
const leastShare = 0.02;

/** "temp 0.62, catalyst 0.31; 3 others less than 0.02". Null where nothing is known. */
export function relevanceText(
  relevance: NonNullable<RunDocument['relevance']>,
  name: (column: string) => string,
): string | null {
  const shown = relevance.filter(({ share }) => share >= leastShare).slice(0, mostColumns);
  if (shown.length === 0) return null;
  const rest = relevance.slice(shown.length);
  const most = rest.reduce((greatest, { share }) => Math.max(greatest, share), 0);
  const others =
    rest.length === 0
      ? ''
      : `; ${rest.length === 1 ? '1 other' : `${rest.length} others`} ${most < leastShare ? `less than ${leastShare}` : `at most ${shareText(most)}`}`;
  return `${shown.map(({ column, share }) => `${name(column)} ${shareText(share)}`).join(', ')}${others}`;
}

export function shareText(share: number): string {
  return share.toFixed(2);
}
