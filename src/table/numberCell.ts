/** Cells that hold a number and something else: a sign of censoring, a unit, a spread. */
import { type DecimalMark, isInfinityText, parseNumber, quickNumber, writtenDecimals } from './cellText.js';
import { isUnit } from './units.js';

export interface NumberCell {
  /** NaN if the text is no number. */
  readonly value: number;
  /** -1 for "<", 1 for ">", 0 for a value as it stands. */
  readonly censoring: -1 | 0 | 1;
  /** As written behind the number, or before it where it is a currency; % among them. */
  readonly unit?: string;
  readonly isInfinite: boolean;
  /** Digits behind the decimal mark; NaN with an exponent. */
  readonly decimals: number;
  /** "~3", "ca. 3". */
  readonly isApproximate: boolean;
  /** "3.1*". */
  readonly isMarked: boolean;
  /** 2 of "12 ± 2" and of "12 (2)". */
  readonly spread?: number;
  /** What stands between thousands. */
  readonly grouping?: string;
}

const signPattern = /^(?:([<\u2264])|([>\u2265]))=?\s*/;
const approximate = /^(?:[~≈∼≃]|(?:ca|circa|approx|about|etwa|env|aprox|c)\b\.?)\s*(?=[\d.,+-])/i;
const currency = /^([+\-\u2212]?)\s*([€$£¥]|EUR|USD|CHF|GBP)\s*(?=[\d.,+-])/i;
const numberPattern =
  /^([+\-\u2212]?(?:[\d.,]|['’ \u00a0\u2009\u202f](?=\d{3}(?!\d)))+(?:[eE][+-]?\d+)?)(.*)$/s;
const powerPattern = /^\s*[x×·*]\s*10\s*\^?\s*([+\-\u2212]?\d+)(.*)$/s;
const tailPattern = /^\s*([^±(+]*?)\s*(?:(?:±|\+\/-|\+-)\s*([\d.,]+)|\((\d[\d.,]*)\))?\s*(.*)$/s;

const none = { isInfinite: false, decimals: 0, isApproximate: false, isMarked: false } as const;

/** Characters of a number with all that people write around it. Patterns below take long for longer texts. */
const longestNumber = 300;

/** `text` has no spaces around it. */
export function readCell(text: string, decimal: DecimalMark): NumberCell {
  const plain = decimal === '.' ? quickNumber(text) : Number.NaN;
  if (!Number.isNaN(plain))
    // spelled out: a spread would cost more than all the rest
    return {
      value: plain,
      censoring: 0,
      isInfinite: false,
      decimals: writtenDecimals(text, '.'),
      isApproximate: false,
      isMarked: false,
    };
  if (text.length > longestNumber) return { ...none, value: Number.NaN, censoring: 0 };
  const sign = signPattern.exec(text);
  const censoring = sign ? (sign[1] ? -1 : 1) : 0;
  let rest = text.slice(sign?.[0].length ?? 0);
  if (isInfinityText(rest)) return { ...none, value: Number.NaN, censoring, isInfinite: true };
  const about = approximate.exec(rest);
  rest = rest.slice(about?.[0].length ?? 0);
  const money = currency.exec(rest);
  if (money) rest = money[1]! + rest.slice(money[0].length);
  const unmarked = rest.replace(/\s*[*†‡§]+$/, '');
  const found = numberPattern.exec(unmarked);
  const isNothing = { ...none, value: Number.NaN, censoring } as const;
  if (!found) return isNothing;
  const number = found[1]!;
  let value = parseNumber(number, decimal);
  let tail = found[2]!;
  let decimals = writtenDecimals(number, decimal);
  const power = powerPattern.exec(tail);
  if (power) {
    value = parseNumber(`${number}e${power[1]!.replace('\u2212', '-')}`, decimal);
    tail = power[2]!;
    decimals = Number.NaN;
  }
  const [, before, plusMinus, bracket, after] = tailPattern.exec(tail)!;
  const unit = money?.[2] ?? (before !== '' ? before : after);
  if (before !== '' && after !== '' && before !== after) return isNothing;
  if (unit && !isUnit(unit) && !(/^\s/.test(tail) && /^\p{L}{3,}$/u.test(unit))) return isNothing;
  if (money && tail.trim() !== '' && (before !== '' || after !== '')) return isNothing;
  const spread = plusMinus ?? bracket;
  return {
    value,
    censoring,
    ...(unit && { unit }),
    isInfinite: Math.abs(value) === Number.POSITIVE_INFINITY,
    decimals,
    isApproximate: about !== null,
    isMarked: unmarked !== rest,
    ...(spread !== undefined && { spread: parseNumber(spread.replace(/[.,]$/, ''), decimal) }),
    ...groups(number, decimal),
  };
}

function groups(number: string, decimal: DecimalMark): { readonly grouping?: string } {
  const mark = /^[+\-\u2212]?\d{1,3}([.,'’ \u00a0\u2009\u202f])\d{3}/.exec(number)?.[1];
  return mark === undefined || mark === decimal ? {} : { grouping: mark };
}

/** Whether a cell holds a number, whatever its decimal mark. */
export function holdsNumber(text: string): boolean {
  if (!Number.isNaN(quickNumber(text))) return true;
  return !Number.isNaN(readCell(text, '.').value) || !Number.isNaN(readCell(text, ',').value);
}

/** Whether a text is a number and nothing else. */
export function isPlainNumber(text: string): boolean {
  return !Number.isNaN(parseNumber(text, '.')) || !Number.isNaN(parseNumber(text, ','));
}

/** The decimal mark that `texts` leave no choice about; `both` if they contradict each other. */
export function decimalEvidence(texts: Iterable<string>): DecimalMark | 'both' | undefined {
  let point = false;
  let comma = false;
  for (const text of texts) {
    // Neither mark: both read the same. A mark already known, and not the other one: nothing new.
    const mayTell = (!point && text.includes('.')) || (!comma && text.includes(','));
    if (!mayTell) continue;
    const asPoint = !Number.isNaN(readCell(text, '.').value);
    const asComma = !Number.isNaN(readCell(text, ',').value);
    if (asPoint && !asComma) point = true;
    if (asComma && !asPoint) comma = true;
    if (point && comma) return 'both';
  }
  return point ? '.' : comma ? ',' : undefined;
}

/** What people write into a column of numbers where they have none. Elsewhere these may be words. */
const withoutNumber = new Set(
  [
    '-|–|—|−|--|---|?|??|.|..|...|…|na|n/a|n.a.|n. a.|nan|null|#n/a|#na|#n/v|#div/0!|#value!|#ref!|#name?|#num!|#null!',
    'n.d.|n. d.|nd|n/d|n.b.|n. b.|nb|n.m.|nm|n.r.|nr|k.a.|k. a.|ka|s.d.|s/d|missing|unknown|not determined',
    'not measured|not available|no data|not tested|tbd|pending|nicht bestimmt|nicht gemessen|keine angabe|keine daten',
    'failed|fail|failure|error|err|err.|aborted|broken|lost|spilled|discarded|invalid|no result|no reading|not run|not done|not recorded',
    'fehler|fehlgeschlagen|abgebrochen|defekt|ungültig|échec|échoué|erreur|fallido|fallo|inválido',
    'fehlt|fehlend|unbekannt|ausstehend|manquant|non déterminé|non mesuré|inconnu|sin datos|no disponible|faltante',
  ].flatMap((words) => words.split('|')),
);

export function isWithoutNumber(text: string): boolean {
  return withoutNumber.has(text.toLowerCase());
}

/** "<LOD", "> LOQ", "b.d.l.": beyond a limit that is not written. */
export function isBeyondUnknown(text: string): boolean {
  return (
    /^[<>\u2264\u2265]=?\s*\p{L}[\p{L}. ]{0,20}$/u.test(text) ||
    /^(?:bdl|b\.d\.l?\.?|lod|loq|bql|n\.n\.|not detected|nicht nachweisbar|below detection(?: limit)?)$/i.test(
      text,
    )
  );
}
