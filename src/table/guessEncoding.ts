/**
 * The encoding of a text that is no UTF-8, from its bytes. Chinese, Japanese and Korean characters are pairs of bytes
 * that stand side by side and lie where their common characters do; Cyrillic words are runs of single bytes. The letters
 * of western Europe stand alone among ASCII. What cannot be told is read as Latin-1, and a note says so.
 */
import type { TextEncoding } from './textEncoding.js';

export interface EncodingGuess {
  readonly encoding: TextEncoding;
  /** In a sentence. */
  readonly note: string;
}

/** Characters from which a guess is made. */
const LEAST = 4;
/** Hangul and common Chinese characters share their bytes: so many pairs that are all Hangul are Korean. */
const LEAST_HANGUL = 6;
const LEAST_CYRILLIC = 12;

const names = {
  shift_jis: 'Shift-JIS',
  'euc-jp': 'EUC-JP',
  gb18030: 'GB18030',
  big5: 'Big5',
  'euc-kr': 'EUC-KR',
  'windows-1251': 'Windows-1251',
} as const;

export function guessEncoding(bytes: Uint8Array): EncodingGuess {
  const found = eastAsian(bytes) ?? (isCyrillic(bytes) ? 'windows-1251' : undefined);
  if (found)
    return {
      encoding: found,
      note: `The text is not UTF-8; it is read as ${names[found]}, which its bytes look like; --encoding names another.`,
    };
  const isDoubtful = shareAlone(bytes) < 0.5;
  return {
    encoding: 'latin1',
    note: isDoubtful
      ? 'The text is not UTF-8; it is read as Latin-1 (Windows-1252), but looks like another encoding: --encoding names it.'
      : 'The text is not UTF-8; it is read as Latin-1 (Windows-1252).',
  };
}

function eastAsian(bytes: Uint8Array): keyof typeof names | undefined {
  const japanese = decoded(bytes, 'shift_jis');
  if (japanese) {
    // kana and kanji; half-width kana are single bytes, which letters of Latin-1 are read as too
    const words = matches(japanese, /[\u3040-\u30ff\u3400-\u9fff々]{2,}/gu);
    const all = letters(japanese);
    if (words >= LEAST && words >= 0.8 * all && hasLeads(bytes, 0x81, 0x9f, words)) return 'shift_jis';
  }
  const pairs = leadsOf(bytes);
  if (!pairs || pairs.count < LEAST) return undefined;
  const { count, kana, hangul, common, low, big } = pairs;
  if (kana >= 0.2 * count && decoded(bytes, 'euc-jp')) return 'euc-jp';
  if (low >= 0.1 * count) return big >= 0.85 * count && decoded(bytes, 'big5') ? 'big5' : undefined;
  if (hangul >= 0.95 * count) return count >= LEAST_HANGUL && decoded(bytes, 'euc-kr') ? 'euc-kr' : undefined;
  return common >= 0.8 * count && decoded(bytes, 'gb18030') ? 'gb18030' : undefined;
}

/** Undefined where the bytes are no text of this encoding. The last character may be cut. */
function decoded(bytes: Uint8Array, encoding: TextEncoding): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

/** Characters in what matches. */
function matches(text: string, pattern: RegExp): number {
  let count = 0;
  for (const [match] of text.matchAll(pattern)) count += match.length;
  return count;
}

/** Characters beyond ASCII, signs such as units and brackets aside. */
function letters(text: string): number {
  return matches(
    text,
    /(?![\u2000-\u303f\u3200-\u33ff\uff00-\uff60\uffe0-\uffef°±×÷§¶´¨])[\u0080-\u{10ffff}]/gu,
  );
}

/** Whether half of so many pairs begin with a byte of a range. */
function hasLeads(bytes: Uint8Array, from: number, to: number, pairs: number): boolean {
  let count = 0;
  for (const byte of bytes) if (byte >= from && byte <= to) count++;
  return count >= 0.5 * pairs;
}

/** Bytes beyond ASCII as pairs, by what their first byte is; signs are left out. Undefined where they are no pairs. */
function leadsOf(bytes: Uint8Array) {
  const seen = { count: 0, kana: 0, hangul: 0, common: 0, low: 0, big: 0 };
  for (let i = 0; i < bytes.length; i++) {
    const lead = bytes[i]!;
    if (lead < 0x80) continue;
    if (i + 1 === bytes.length) break;
    const trail = bytes[++i]!;
    if (lead < 0xa1 || lead === 0xff || trail < 0x40 || trail === 0x7f || trail === 0xff) return undefined;
    if (lead <= 0xa3) continue;
    seen.count++;
    if (trail < 0x80) seen.low++;
    if (lead === 0xa4 || lead === 0xa5) seen.kana++;
    if (lead >= 0xb0 && lead <= 0xc8) seen.hangul++;
    if (lead >= 0xb0 && lead <= 0xd7) seen.common++;
    if (lead >= 0xa4 && lead <= 0xc6) seen.big++;
  }
  return seen;
}

/** Lower-case letters in words of their own, and as many of the letters that Russian has most of as it has. */
function isCyrillic(bytes: Uint8Array): boolean {
  const frequent = new Set([0xee, 0xe5, 0xe0, 0xe8, 0xed, 0xf2, 0xf1, 0xf0]); // о е а и н т с р
  let [all, lower, most] = [0, 0, 0];
  for (const byte of bytes) {
    if (byte < 0xc0) continue;
    all++;
    if (byte >= 0xe0) lower++;
    if (frequent.has(byte)) most++;
  }
  return all >= LEAST_CYRILLIC && lower >= 0.6 * all && most >= 0.42 * all && shareAlone(bytes) < 0.1;
}

/** Of the bytes beyond ASCII, how many have none of them at their side. */
function shareAlone(bytes: Uint8Array): number {
  let [all, alone] = [0, 0];
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i]! < 0x80) continue;
    all++;
    if ((bytes[i - 1] ?? 0) < 0x80 && (bytes[i + 1] ?? 0) < 0x80) alone++;
  }
  return all === 0 ? 1 : alone / all;
}
