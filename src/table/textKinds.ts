/** Kinds of text in the cells of a column: dates, ordered levels, sequences and molecules (SMILES). */

const months =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const time = '(?:[T ,]+\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?: ?[ap]m)?(?: ?Z|[+-]\\d{2}:?\\d{2})?)?';

const yearFirst = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${time}$`, 'i');
const yearLast = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4}|\\d{2})${time}$`, 'i');
const monthName = new RegExp(
  `^(?:(\\d{1,2})[ -](?:${months})|(?:${months}) (\\d{1,2}),?)[ -](\\d{4}|\\d{2})${time}$`,
  'i',
);

/** 2024-03-01, 2024/3/1 12:30, 31.12.2024, 3/1/24, 1 Mar 2024, March 1, 2024. */
export function isDateText(text: string): boolean {
  const first = yearFirst.exec(text);
  if (first) return isDay(Number(first[3]), Number(first[4]));
  const last = yearLast.exec(text);
  if (last) {
    const [a, b] = [Number(last[1]), Number(last[3])];
    return isDay(a, b) || isDay(b, a);
  }
  const named = monthName.exec(text);
  return named !== null && isDay(1, Number(named[1] ?? named[2]));
}

/** 20240301: eight digits that are a day between 1900 and 2099. */
export function isDateNumber(value: number): boolean {
  if (!Number.isInteger(value) || value < 19000101 || value > 20991231) return false;
  return isDay(Math.floor(value / 100) % 100, value % 100);
}

function isDay(month: number, day: number): boolean {
  const days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days;
}

/** Scales whose words have an order that everyone knows; synonyms share a place. */
const scales: readonly (readonly (readonly string[])[])[] = [
  [
    ['very low', 'lowest'],
    ['low', 'lo'],
    ['medium', 'mid', 'middle', 'moderate', 'med', 'normal'],
    ['high', 'hi'],
    ['very high', 'highest'],
  ],
  [['xxs'], ['xs', 'tiny'], ['s', 'small'], ['m', 'medium'], ['l', 'large'], ['xl', 'huge'], ['xxl']],
  [['none', 'absent'], ['trace'], ['mild', 'slight', 'weak'], ['moderate', 'medium'], ['severe', 'strong']],
  [
    ['very poor', 'very bad'],
    ['poor', 'bad'],
    ['fair', 'ok', 'average'],
    ['good'],
    ['very good'],
    ['excellent'],
  ],
  [['never'], ['rarely'], ['sometimes'], ['often'], ['always']],
  [['slow'], ['medium'], ['fast']],
  [['cold'], ['warm'], ['hot']],
];

/** Words before a number that say that the number counts upwards. */
const counted = /^(?:grade|level|stage|class|day|week|month|year|step|tier|dose|phase|generation)$/i;

/**
 * The levels from lowest to highest, if they have an order: at least three words of a known scale (two of low/high
 * are as well a plain pair), numbers with one unit ("10 mg", "25 mg"), counted words ("grade 2") or ranges ("10-20").
 */
export function orderOf(levels: readonly string[]): string[] | undefined {
  if (levels.length < 3 || levels.length > 30) return undefined;
  for (const scale of scales) {
    const rank = (text: string) => scale.findIndex((synonyms) => synonyms.includes(text.toLowerCase()));
    const ranks = levels.map(rank);
    if (ranks.every((place) => place >= 0) && new Set(ranks).size === levels.length)
      return levels.toSorted((a, b) => rank(a) - rank(b));
  }
  const parts = levels.map(numberAndUnit);
  const first = parts[0];
  if (!first || parts.some((part) => part?.unit !== first.unit)) return undefined;
  const values = new Map(levels.map((text, i) => [text, parts[i]!.value]));
  if (new Set(values.values()).size < levels.length) return undefined;
  return levels.toSorted((a, b) => values.get(a)! - values.get(b)!);
}

/** Characters of "10-20 mg" and the like. */
const longestLevel = 100;

function numberAndUnit(text: string): { readonly value: number; readonly unit: string } | undefined {
  if (text.length > longestLevel) return undefined;
  const range = /^(\d+(?:\.\d+)?)\s*(?:-|\u2013|to)\s*\d+(?:\.\d+)?(\D*)$/.exec(text);
  if (range) return { value: Number(range[1]), unit: `range ${range[2]!.trim()}` };
  const measured = /^([+-]?\d+(?:\.\d+)?)\s*([^\d\s]\D*)$/.exec(text);
  if (measured) return { value: Number(measured[1]), unit: measured[2]!.trim() };
  const number = /^(\p{L}+)[\s_-]*(\d+)$/u.exec(text);
  return number && counted.test(number[1]!) ? { value: Number(number[2]), unit: number[1]! } : undefined;
}

export interface SequenceLook {
  readonly kind: 'DNA' | 'RNA' | 'protein' | 'sequence';
  readonly length: number;
  /** Letters in use, sorted. */
  readonly alphabet: string;
}

/** Levels needed before texts of one length over a small alphabet are no coincidence. */
const fewestLevels = 8;

/**
 * Texts of one length over a small alphabet. Nucleotides need 4 letters per text (or 3 with many different texts);
 * proteins 6, since short words spell amino acids too; other alphabets at most 6 letters, or the digits 0 and 1.
 */
export function lookAtSequences(levels: readonly string[]): SequenceLook | undefined {
  const length = levels[0]?.length ?? 0;
  const letters = new Set<string>();
  for (const text of levels) {
    if (text.length !== length) return undefined;
    for (const letter of text) letters.add(letter);
    if (letters.size > 30) return undefined;
  }
  const alphabet = [...letters].sort().join('');
  const isMany = levels.length >= fewestLevels;
  const isLong = length >= 4 || (length === 3 && isMany);
  if (
    levels.length >= 2 &&
    isLong &&
    /^(?:[ACGNT-]+|[acgnt-]+)$/.test(alphabet) &&
    /[acgt].*[acgt]/i.test(alphabet)
  )
    return { kind: 'DNA', length, alphabet };
  if (
    levels.length >= 2 &&
    isLong &&
    /^(?:[ACGNU-]+|[acgnu-]+)$/.test(alphabet) &&
    /u/i.test(alphabet) &&
    letters.size > 1
  )
    return { kind: 'RNA', length, alphabet };
  if (!isMany) return undefined;
  if (length >= 6 && letters.size > 4 && /^[ACDEFGHIKLMNPQRSTVWXY*-]+$/.test(alphabet))
    return { kind: 'protein', length, alphabet };
  if (length >= 5 && letters.size <= 6 && (/^(?:[A-Z-]+|[a-z-]+)$/.test(alphabet) || alphabet === '01'))
    return { kind: 'sequence', length, alphabet };
  return undefined;
}

/** A part of the SMILES grammar (OpenSMILES 1.0): organic subset, bracket atoms, bonds, branches, ring closures. */
const atom =
  /(?:Cl|Br|[BCNOPSFI]|[bcnops]|\*|\[\d*(?:[A-Z][a-z]?|[bcnops]|se|as|\*)@{0,2}(?:H\d*)?(?:[+-]+\d*)?(?::\d+)?\])/y;

interface SmilesLook {
  readonly isValid: boolean;
  /** Has a ring, a branch, a bracket or a written bond: "CON" could be a word, "C1CC1" could not. */
  readonly hasStructure: boolean;
}

/** Whether `text` could be a molecule. Brackets match and rings close; valences and aromaticity are not looked at. */
export function lookAtSmiles(text: string): SmilesLook {
  const openRings = new Set<string>();
  let depth = 0;
  let hasStructure = false;
  let hasAtom = false;
  let mayEnd = false;
  let at = 0;
  while (at < text.length) {
    atom.lastIndex = at;
    const found = atom.exec(text);
    if (found) {
      hasStructure ||= found[0].startsWith('[');
      hasAtom = true;
      mayEnd = true;
      at += found[0].length;
      continue;
    }
    const character = text[at]!;
    if (!hasAtom) return { isValid: false, hasStructure };
    if (/[0-9%]/.test(character)) {
      const ring = character === '%' ? text.slice(at + 1, at + 3) : character;
      if (!/^\d{1,2}$/.test(ring) || (character === '%' && ring.length < 2))
        return { isValid: false, hasStructure };
      if (!openRings.delete(ring)) openRings.add(ring);
      hasStructure = true;
      mayEnd = true;
      at += character === '%' ? 3 : 1;
      continue;
    }
    if (character === '(') depth++;
    else if (character === ')') {
      if (depth === 0 || !mayEnd) return { isValid: false, hasStructure };
      depth--;
    } else if (!/[-=#:/\\.$]/.test(character)) return { isValid: false, hasStructure };
    // A dot only separates molecules.
    hasStructure ||= character !== '.';
    mayEnd = character === ')';
    at++;
  }
  return { isValid: hasAtom && depth === 0 && openRings.size === 0 && mayEnd, hasStructure };
}
