/** Natural limits of goals: a yield in percent ends at 100, a mass begins at 0. From the name, the unit and the data. */
import { ArgumentError } from '../numeric/errors.js';
import { extent } from '../numeric/stats.js';
import type { NumberColumn, Table } from '../table/table.js';
import { unitIn, wordsOf } from './columnWords.js';
import type { Goal } from './goals.js';
import type { ProblemSpec } from './problemSpec.js';
import { quoteName, shown, suggestion } from './tokens.js';

/** Where the values of a goal can lie; infinite where there is no end. */
export interface GoalLimits {
  readonly column: string;
  readonly lower: number;
  readonly upper: number;
  /** Whether nobody said so. */
  readonly isAssumed: boolean;
  /** Why, as the end of a sentence; empty where it was said. */
  readonly why: string;
}

const NONE = { lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY };

/** Shares of a whole: percent, or fractions. */
const shares =
  /^(?:yields?|purity|conversion|konversion|selectivity|efficiency|effizienz|recovery|fraction|share|content|coverage|ee|accuracy|probability|viability|survival|porosity|crystallinity|humidity|encapsulation|removal|degradation|germination|pureté|pureza|conversión|sélectivité|selectividad|eficiencia|efficacité|anteil|reinheit|rendement|rendimiento)$|ausbeute|umsatz|selektivit|reinheit|wirkungsgrad|gehalt|anteil/;
/** Amounts of something, of which there is never less than none. */
const amounts =
  /^(?:counts?|number|ratings?|anzahl|nombre|número|concentration|conc|konzentration|titer|titre|time|zeit|dauer|duration|mass|masse|weight|gewicht|peso|energy|energie|énergie|energía|strength|hardness|dureté|dureza|cost|costs|kosten|coût|costo|coste|price|preis|prix|precio|viscosity|viscosité|viscosidad|impurity|impurities|density|volume|area|length|width|thickness|roughness|pressure|speed|power|cfu|activity|productivity|defects?|emissions?|consumption|rmse|mae|sd|std|rsd|diameter|size|permeability|conductivity|capacity|intensity|absorbance|turbidity|ertrag|growth)$|festigkeit|härte|kosten|viskosit|verunreinigung|dicke|länge|leistung|verbrauch|rauheit|keimzahl/;
/** These may be below zero, whatever else the name says. */
const signed =
  /^(?:log\d*|ln|lg|log10|delta|δ|Δ|change|änderung|diff|difference|differenz|différence|diferencia|gain|shift|z|residual|deviation|abweichung|net|profit|binding|formation|interaction|free|zeta|potential|anomaly|increase|improvement|relative|rel|temp|temperature|temperatur|température|temperatura)$|^(?:log|delta|änder|veränder|abweich)/;
/** The smallest value is near 0 if it is at most this share of the largest: others may well go on below 0. */
const NEAR = 0.02;
const LEAST_ROWS = 10;

/** Limits of each goal's column, in the order of the goals. */
export function limitsOf(
  table: Table,
  goals: readonly Goal[],
  { limits = {}, assume }: ProblemSpec,
): GoalLimits[] {
  return goals.map(({ column }) => {
    const said = Object.hasOwn(limits, column) ? limits[column] : undefined;
    if (said)
      return {
        column,
        lower: said[0] ?? NONE.lower,
        upper: said[1] ?? NONE.upper,
        isAssumed: false,
        why: '',
      };
    const measured = table.columns.find(({ name }) => name === column);
    const found = assume && measured?.kind === 'number' ? natural(measured) : undefined;
    return { column, ...(found ?? NONE), isAssumed: found !== undefined, why: found?.why ?? '' };
  });
}

function natural(
  column: NumberColumn & { readonly unit?: string },
): { lower: number; upper: number; why: string } | undefined {
  const { name } = column;
  const values = column.values.filter((value) => !Number.isNaN(value));
  if (values.length === 0) return undefined;
  const { min, max } = extent(values);
  const words = wordsOf(name);
  if (min < 0 || words.some((word) => signed.test(word)) || /[Δδ]/.test(name)) return undefined;
  const unit = (column.unit ?? unitIn(name)).trim().toLowerCase();
  const isPercent =
    /^(?:%|pct|percent|prozent|[a-z]+[ -]?%|%.*)$/.test(unit) ||
    words.some((word) => /^(?:percent|prozent|pct|percentage|porcentaje|pourcentage)$/.test(word));
  const isShare = words.some((word) => shares.test(word));
  const isOne =
    /^(?:-|1|fraction|frac)$/.test(unit) || words.some((word) => /^(?:fraction|probability)$/.test(word));
  // a relative error of 120 % exists
  const isWhole = !words.some((word) => /^(?:rsd|cv|error|err|elongation|dehnung|swelling)$/.test(word));
  if (isPercent && isWhole && max <= 100 && (max > 1 || unit.includes('%')))
    return { lower: 0, upper: 100, why: 'it is a percentage' };
  if ((isShare && unit === '') || isOne) {
    if (max <= 1) return { lower: 0, upper: 1, why: 'it is a fraction' };
    if (!isOne && max > 20 && max <= 100) return { lower: 0, upper: 100, why: 'it looks like a percentage' };
  }
  if (isPercent || isShare || words.some((word) => amounts.test(word)))
    return { lower: 0, upper: NONE.upper, why: 'by its name it is never negative' };
  if (values.length >= LEAST_ROWS && min <= NEAR * max)
    return { lower: 0, upper: NONE.upper, why: 'it comes near 0 and was never negative' };
  return undefined;
}

/** Measured values may lie outside limits by noise, but not this share of them. */
const MOST_OUTSIDE = 0.2;

/** Throws `ArgumentError` where limits name no column, or are not those of what was measured. */
export function requireLimits(
  limits: readonly GoalLimits[],
  table: Table,
  { limits: said = {} }: ProblemSpec,
): void {
  const names = table.columns.map(({ name }) => name);
  for (const name of Object.keys(said))
    if (!names.includes(name))
      throw new ArgumentError(
        'limits',
        `limits: no column is called ${shown(name)}${suggestion(name, names)}`,
      );
  for (const one of limits.filter(({ isAssumed }) => !isAssumed)) {
    const column = table.columns.find(({ name }) => name === one.column);
    if (column?.kind !== 'number') continue;
    const values = column.values.filter((value) => !Number.isNaN(value));
    const outside = values.filter((value) => within(one, value) !== value).length;
    if (outside <= MOST_OUTSIDE * values.length) continue;
    const { min, max } = extent(values);
    throw new ArgumentError(
      'limits',
      `limits: ${shown(one.column)} is said to be ${limitsText(one)}, and ${outside} of ${values.length} measured values lie outside: they are ${min} to ${max}`,
    );
  }
}

/** Limits that nothing asks for. */
export function idleLimits(limits: readonly GoalLimits[], { limits: said = {} }: ProblemSpec): string[] {
  return Object.keys(said)
    .filter((name) => !limits.some(({ column }) => column === name))
    .map(
      (name) =>
        `limits of ${quoteName(name)} are not used: it is no goal, and bounds say where designs may lie`,
    );
}

/** The value moved into the limits. */
export function within({ lower, upper }: Pick<GoalLimits, 'lower' | 'upper'>, value: number): number {
  return Math.max(lower, Math.min(upper, value));
}

/** "0..100", "0 or more". */
export function limitsText({ lower, upper }: Pick<GoalLimits, 'lower' | 'upper'>): string {
  if (Number.isFinite(lower) && Number.isFinite(upper)) return `${lower} to ${upper}`;
  if (Number.isFinite(lower)) return `${lower} or more`;
  return Number.isFinite(upper) ? `${upper} or less` : 'without limits';
}

/** What was assumed, and how to change it. */
export function limitNotes(limits: readonly GoalLimits[]): string[] {
  return limits
    .filter(({ isAssumed }) => isAssumed)
    .map(
      (one) =>
        `${quoteName(one.column)} is taken to be ${limitsText(one)}: ${one.why}; --limits '${quoteName(one.column)}=none' lifts that`,
    );
}
