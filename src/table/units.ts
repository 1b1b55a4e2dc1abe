/** Units of measurement as people write them: in names of columns, in a line of their own, in cells. */

/** Symbols with the prefixes that are in use with them. */
const prefixed = [
  '[fpnµmcdk]?g',
  '[pnµmcdk]?m',
  '[fpnµm]?s',
  '[fpnµmcdh]?[Ll]',
  '[fpnµmk]?mol',
  '[fpnµm]?M',
  '[mhkMG]?Pa',
  '[mk]?bar',
  '[mkMG]?(?:J|W|Hz|V|eV|cal|Wh|Ah|N|Ω|ohm|Ohm)',
  '[pnµm]?[ASF]',
  '[nµmk]?(?:U|IU|kat)',
  '[kM]?Da',
  'm?K',
].join('|');

/** Symbols and words without prefixes. */
const plain = [
  '°C|°F|°|°Brix|°Bx|Brix|°dH|C|T|t|h|d|min|ha|a\\.u\\.|AU|dB|deg|rad',
  '%|‰|ppm|ppb|ppt|rpm|psi|atm|[Tt]orr|mmHg|cP|mPas|OD|cfu|CFU|kcfu',
  '(?:wt|mol|vol|w|v|m|at|Vol|Gew|Ma|Mol)[.-]{0,2} ?%|% ?\\([vwm]/[vwm]\\)|[vwm]/[vwm]|% ?[vwm]/[vwm]',
  'eq\\.?|equiv\\.?|Äq\\.?|éq\\.?|in|inch|ft|lbs?|oz|gal|px|Stk\\.?|Stück|pcs|cells?',
  '[€$£¥]|EUR|USD|CHF|GBP|Euro|euros?',
  'days?|Tage?|hours?|hrs?|Std\\.?|Stunden?|sec|secs|seconds?|Sek\\.?|minutes?|mins?\\.?|Minuten?|Min\\.?',
  'weeks?|Wochen?|months?|Monate?|years?|yrs?|Jahre?|jours?|heures?|días?|horas?|minutos?|[x×] ?g',
].join('|');

const factor = `(?:${plain}|${prefixed})(?:[²³⁻¹⁴]+|\\^?[-−]?\\d)?`;
const unitText = new RegExp(`^(?:1|${factor})(?:(?: ?[/·⋅*×.] ?| per | )\\(?(?:${factor})\\)?){0,3}$`, 'u');

/** Different signs for one letter are made the same. */
function plainSigns(text: string): string {
  return text
    .trim()
    .replaceAll('\u03bc', 'µ')
    .replaceAll('º', '°')
    .replaceAll('˚', '°')
    .replaceAll('℃', '°C');
}

export function isUnit(text: string): boolean {
  const plain = plainSigns(text);
  return plain.length <= 24 && plain !== '1' && unitText.test(plain);
}

const sameUnits: Readonly<Record<string, string>> = {
  l: 'L',
  ml: 'mL',
  µl: 'µL',
  dl: 'dL',
  hl: 'hL',
  hr: 'h',
  hrs: 'h',
  hour: 'h',
  hours: 'h',
  std: 'h',
  stunden: 'h',
  sec: 's',
  secs: 's',
  seconds: 's',
  mins: 'min',
  minutes: 'min',
  minuten: 'min',
  c: '°C',
  days: 'd',
  day: 'd',
  tage: 'd',
  eur: '€',
  euro: '€',
  usd: '$',
};

/** The same for every way to write a unit: mL for "ml". */
export function canonicalUnit(text: string): string {
  const plain = plainSigns(text).replace(/\s+/g, '');
  return sameUnits[plain.replace(/\.$/, '').toLowerCase()] ?? plain;
}

/** Single capitals are names as often as units: "vitamin (C)", "C/N". */
const isLetter = (text: string) => /^[A-Z]$/.test(text) && !/[KVW]/.test(text);

/** Characters of a name with a unit. The patterns below take the square of the length, or more. */
const longestName = 300;

/** The unit that a name of a column states: "temp (°C)", "T / K", "time, h", "Druck in bar", "yield %". */
export function unitOfName(name: string): string | undefined {
  const text = name.trim();
  if (text.length > longestName) return undefined;
  const bracket = /^(.*)([[(])\s*(?:in\s+)?([^[\]()]+(?:\([^()]*\))?)\s*[\])]\s*[.:*]*$/.exec(text);
  if (bracket) {
    const inner = bracket[3]!.trim();
    if (isUnit(inner) && (bracket[2] === '[' || !isLetter(inner))) return inner;
  }
  const ending = /[\s_]([^\s_]*[°%‰µμ€$/][^\s_]*)$/.exec(text);
  if (ending && isUnit(ending[1]!)) return ending[1];
  const divided = /^([^/]+?)\s*\/\s*(.+)$/.exec(text);
  if (divided && !isUnit(divided[1]!) && isUnit(divided[2]!) && !isLetter(divided[2]!)) return divided[2]!;
  const last = /(?:[,;]\s*|\sin\s+)([^,;]+)$/.exec(text);
  if (last && isUnit(last[1]!) && !isLetter(last[1]!.trim())) return last[1]!.trim();
  if (/^(?:°C|°F|[%‰€$])$/.test(text)) return text;
  return /^%\s*\p{L}/u.test(text) || /\p{L}%$/u.test(text) ? '%' : undefined;
}

/** A cell of a line of units: "°C", "[h]", "(g/L)"; the empty text for "-" and "[-]"; undefined if it is none. */
export function unitOfCell(text: string): string | undefined {
  const trimmed = text.trim();
  const bracket = /^(?:\[([^[\]]*)\]|\(([^()]*)\))$/.exec(trimmed);
  const inner = (bracket?.[1] ?? bracket?.[2] ?? trimmed).replace(/^in\s+/, '').trim();
  if (/^(?:[-–—/]|1|none|n\/a|dimensionless|ohne)?$/i.test(inner)) return '';
  if (isUnit(inner)) return inner;
  return bracket && inner.length <= 12 && /^\D+$/.test(inner) ? inner : undefined;
}
