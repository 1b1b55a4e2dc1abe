// A strict reader of our own HTML: every tag is closed in its order, every attribute is quoted. Browsers forgive what
// this does not.

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
}

const voidElements = ['meta', 'br'];
const rawElements = ['style', 'script'];

export function parseMarkup(given: string): Element {
  // Where a line may break is no part of the text.
  const source = given.replaceAll('<wbr>', '');
  const root: Element = { name: '#root', attributes: {}, children: [] };
  const open: Element[] = [root];
  let at = source.startsWith('<!doctype html>') ? '<!doctype html>'.length : 0;
  while (at < source.length) {
    const parent = open.at(-1)!;
    if (rawElements.includes(parent.name)) {
      const end = source.indexOf(`</${parent.name}>`, at);
      if (end < 0) throw new Error(`<${parent.name}> is not closed`);
      parent.children.push(source.slice(at, end));
      at = end;
    }
    const rest = source.slice(at, at + 20_000);
    const closing = /^<\/([a-z\d]+)>/i.exec(rest);
    const opening = /^<([a-z\d]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/i.exec(rest);
    const text = /^[^<]+/.exec(rest);
    if (closing) {
      const element = open.pop()!;
      if (element.name !== closing[1]) throw new Error(`</${closing[1]}> closes <${element.name}> at ${at}`);
      at += closing[0].length;
    } else if (opening) {
      const [whole, name = '', attributes = '', slash] = opening;
      const pairs = [...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value]);
      const names = pairs.map(([key]) => key);
      if (new Set(names).size < names.length) throw new Error(`attribute twice in ${whole}`);
      const element: Element = { name, attributes: Object.fromEntries(pairs), children: [] };
      parent.children.push(element);
      if (slash === '' && !voidElements.includes(name)) open.push(element);
      at += whole.length;
    } else if (text) {
      if (/&(?!(?:amp|lt|gt|quot|#39);)/.test(text[0])) throw new Error(`a bare & at ${at}: ${text[0]}`);
      parent.children.push(text[0]);
      at += text[0].length;
    } else {
      throw new Error(`no tag and no text at ${at}: ${source.slice(at, at + 120)}`);
    }
  }
  if (open.length > 1) throw new Error(`<${open.at(-1)!.name}> is not closed`);
  return root;
}

export function all(element: Element, test: (one: Element) => boolean): Element[] {
  return element.children.flatMap((child) =>
    typeof child === 'string' ? [] : [...(test(child) ? [child] : []), ...all(child, test)],
  );
}

export function byName(element: Element, ...names: readonly string[]): Element[] {
  return all(element, ({ name }) => names.includes(name));
}

export function hasClass({ attributes }: Element, name: string): boolean {
  return (attributes.class ?? '').split(' ').includes(name);
}

/** What a reader sees or hears: text, and the attributes that hold some; no style, no script. */
export function readableText(element: Element): string {
  if (rawElements.includes(element.name)) return '';
  const { title, content, 'aria-label': label, 'data-label': dataLabel } = element.attributes;
  const own = [title, label, dataLabel, element.name === 'meta' ? undefined : content];
  const inner = element.children.map((child) => (typeof child === 'string' ? child : readableText(child)));
  return [...own.filter((text) => text !== undefined), ...inner].join(' ');
}

export function decodeEntities(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** Visible text with single spaces. */
export function textOf(element: Element): string {
  const parts = element.children.map((child) => (typeof child === 'string' ? child : textOf(child)));
  return decodeEntities(parts.join(' ')).replace(/\s+/g, ' ').trim();
}
