import { guessEncoding } from './guessEncoding.js';
import { joined } from './source.js';
import { tableFault } from './tableBuilder.js';

export const textEncodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'latin1',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
  'windows-1251',
] as const;

export type TextEncoding = (typeof textEncodings)[number];

/** Bytes decoded at a time. */
const batchBytes = 1 << 19;

/** From a byte order mark, or from where the zero bytes of ASCII characters stand; UTF-8 otherwise. */
export function detectEncoding(head: Uint8Array): { encoding: TextEncoding; markBytes: number } {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf-8', markBytes: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', markBytes: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', markBytes: 2 };
  const pairs = Math.floor(head.length / 2);
  let evenZeros = 0;
  let oddZeros = 0;
  for (let i = 0; i < pairs; i++) {
    if (head[2 * i] === 0) evenZeros++;
    if (head[2 * i + 1] === 0) oddZeros++;
  }
  if (pairs >= 2 && evenZeros === 0 && oddZeros > 0.6 * pairs) return { encoding: 'utf-16le', markBytes: 0 };
  if (pairs >= 2 && oddZeros === 0 && evenZeros > 0.6 * pairs) return { encoding: 'utf-16be', markBytes: 0 };
  return { encoding: 'utf-8', markBytes: 0 };
}

/** The text in pieces, every line ended by \n alone. What was assumed is added to `notes`. */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  head: Uint8Array,
  file: string,
  notes: string[],
  wanted?: TextEncoding,
): AsyncGenerator<string> {
  const detected = detectEncoding(head);
  const encoding = wanted ?? detected.encoding;
  let skip = encoding === detected.encoding ? detected.markBytes : 0;
  if (encoding.startsWith('utf-16')) notes.push(`The text is encoded as ${encoding.toUpperCase()}.`);
  const decode = encoding.startsWith('utf-16')
    ? wideDecoder(encoding, file)
    : byteDecoder(encoding, file, notes);
  let heldReturn = false;
  for await (const bytes of batches(chunks)) {
    const text = normalised(decode(bytes.subarray(skip), false));
    skip = 0;
    if (text !== '') yield text;
  }
  const last = normalised(decode(new Uint8Array(0), true)) + (heldReturn ? '\n' : '');
  if (last !== '') yield last;

  /** \r\n and \r become \n; a \r at the end waits for the \n that may follow. */
  function normalised(text: string): string {
    let whole = heldReturn ? '\r' + text : text;
    heldReturn = whole.endsWith('\r');
    if (heldReturn) whole = whole.slice(0, -1);
    return whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole;
  }
}

type Decode = (bytes: Uint8Array, isEnd: boolean) => string;

function wideDecoder(encoding: TextEncoding, file: string): Decode {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  let line = 1;
  return (bytes, isEnd) => {
    let text: string;
    try {
      text = decoder.decode(bytes, { stream: !isEnd });
    } catch {
      throw tableFault(
        file,
        `holds bytes that are no ${encoding.toUpperCase()}; save it again as UTF-8`,
        line,
      );
    }
    const zero = text.indexOf('\0');
    for (let i = 0; i < (zero < 0 ? text.length : zero); i++) if (text.charCodeAt(i) === 10) line++;
    if (zero >= 0) throw binaryFault(file, line);
    return text;
  };
}

/** UTF-8; from the first byte that cannot be UTF-8 on, what its bytes look like if everything before it was ASCII. */
function byteDecoder(encoding: TextEncoding, file: string, notes: string[]): Decode {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let other = encoding === 'utf-8' ? undefined : otherDecoder(encoding, file);
  let isAscii = true;
  let line = 1;
  let rest: Uint8Array = new Uint8Array(0);
  return (bytes, isEnd) => {
    const all = rest.length === 0 ? bytes : joined([rest, bytes]);
    // Cut after an ASCII byte: never inside a character of UTF-8.
    let end = all.length;
    if (!isEnd) while (end > 0 && all[end - 1]! >= 0x80) end--;
    rest = all.slice(end);
    if (rest.length > 1 << 22) throw binaryFault(file, line);
    const whole = all.subarray(0, end);
    const seen = scan(whole, line, file);
    let text: string;
    if (other) text = other(whole, isEnd, line);
    else {
      try {
        text = utf8.decode(whole);
      } catch {
        if (!isAscii)
          throw tableFault(
            file,
            'mixes UTF-8 with bytes that are no UTF-8; save it again as UTF-8, or give its `encoding`',
            line,
          );
        const guess = guessEncoding(whole);
        notes.push(guess.note);
        other = otherDecoder(guess.encoding, file);
        text = other(whole, isEnd, line);
      }
    }
    line = seen.line;
    isAscii &&= seen.isAscii;
    return text;
  };
}

function otherDecoder(encoding: TextEncoding, file: string) {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (bytes: Uint8Array, isEnd: boolean, line: number): string => {
    try {
      return decoder.decode(bytes, { stream: !isEnd });
    } catch {
      throw tableFault(
        file,
        `holds bytes that are no ${encoding}, from this line on; save it again as UTF-8, or give its \`encoding\``,
        line,
      );
    }
  };
}

/** Counts lines and refuses control characters, which text does not have (tab, form feed and Ctrl-Z pass). */
function scan(bytes: Uint8Array, firstLine: number, file: string): { line: number; isAscii: boolean } {
  let line = firstLine;
  let high = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    high |= byte;
    if (byte >= 32) continue;
    if (byte === 10 || (byte === 13 && bytes[i + 1] !== 10)) line++;
    else if (byte < 9 || (byte > 13 && byte !== 26)) throw binaryFault(file, line);
  }
  return { line, isAscii: high < 0x80 };
}

function binaryFault(file: string, line: number) {
  return tableFault(
    file,
    'holds bytes that no text has; is it a binary file? CSV, TSV, Parquet, XLSX and .gz of them are read',
    line,
  );
}

async function* batches(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length < batchBytes) continue;
    yield parts.length === 1 ? parts[0]! : joined(parts);
    parts = [];
    length = 0;
  }
  if (length > 0) yield joined(parts);
}
