/**
 * HTML and SVG as tagged templates. Values put into a template are escaped, unless they are markup: a column called
 * `<script>` stays a name.
 */
export class Markup {
  constructor(readonly text: string) {}
}

export type Content = Markup | string | number | false | null | undefined | readonly Content[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Also drops control characters, which no HTML text may hold. */
export function escapeText(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '')
      .replace(/[&<>"']/g, (character) => entities[character]!)
  );
}

/** Coordinates keep two decimals: a fiftieth of a pixel, a third of the bytes. */
function print(content: Content): string {
  if (content instanceof Markup) return content.text;
  if (typeof content === 'number') return Number.isFinite(content) ? String(Number(content.toFixed(2))) : '0';
  if (typeof content === 'string') return escapeText(content);
  if (content === false || content === null || content === undefined) return '';
  return content.map(print).join('');
}

/** Line breaks and indentation of the source do not reach the file. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  let text = '';
  parts.forEach((part, i) => {
    text += part.replace(/\n\s*/g, '\n');
    if (i < values.length) text += print(values[i]);
  });
  return new Markup(text);
}

/** The start of a long text. Put the whole text into a title beside it. */
export function shorten(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
}

/** "a, b and c". */
export function list(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** "1 row", "2 rows". */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : plural}`;
}

/** A message (lower case, no full stop) as a sentence. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const first = /^[a-z]+\b(?![_.(\d])/.test(trimmed)
    ? trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
    : trimmed;
  return /[.!?…]$/.test(first) ? first : `${first}.`;
}

/** Lines of at most `length` characters, unless a word is longer: the first after `head`, the others below its text. */
export function wrap(text: string, length: number, head = ''): string[] {
  const [first = '', ...words] = text.split(' ');
  const lines = [head + first];
  for (const word of words) {
    const last = lines.at(-1)!;
    if (last.length + 1 + word.length <= length) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(' '.repeat(head.length) + word);
  }
  return lines;
}
