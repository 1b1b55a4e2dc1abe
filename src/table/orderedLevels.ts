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
    const rank = (text: string) => scale.findIndex((words) => words.includes(text.toLowerCase()));
    const ranks = levels.map(rank);
    if (ranks.every((place) => place >= 0) && new Set(ranks).size === levels.length)
      return levels.toSorted((a, b) => rank(a) - rank(b));
  }
  const parts = levels.map(numberAndWords);
  const first = parts[0];
  if (!first || parts.some((part) => part?.words !== first.words)) return undefined;
  const values = new Map(levels.map((text, i) => [text, parts[i]!.value]));
  if (new Set(values.values()).size < levels.length) return undefined;
  return levels.toSorted((a, b) => values.get(a)! - values.get(b)!);
}

function numberAndWords(text: string): { readonly value: number; readonly words: string } | undefined {
  const range = /^(\d+(?:\.\d+)?)\s*(?:-|\u2013|to)\s*\d+(?:\.\d+)?(\D*)$/.exec(text);
  if (range) return { value: Number(range[1]), words: `range ${range[2]!.trim()}` };
  const measured = /^([+-]?\d+(?:\.\d+)?)\s*([^\d\s]\D*)$/.exec(text);
  if (measured) return { value: Number(measured[1]), words: measured[2]!.trim() };
  const number = /^(\p{L}+)[\s_-]*(\d+)$/u.exec(text);
  return number && counted.test(number[1]!) ? { value: Number(number[2]), words: number[1]! } : undefined;
}
