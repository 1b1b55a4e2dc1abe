import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { drawMolecules, renderReport } from '../../src/report/index.js';
import { script, scriptHash } from '../../src/report/report.js';
import { palettes } from '../../src/report/style.js';
import { hostileText, oddDocuments, secondRound } from './oddDocuments.js';
import { all, byName, type Element, hasClass, parseMarkup, readableText, textOf } from './parseMarkup.js';
import { sampleDocument } from './sampleDocument.js';

const everything = { 'a typical run': () => sampleDocument(), ...oddDocuments };

/** Numbers in attributes that place things; a NaN there is a mark that is not drawn. */
const geometry = ['x', 'y', 'cx', 'cy', 'r', 'd', 'points', 'width', 'height', 'viewBox', 'transform'];

describe.each(Object.entries(everything))('%s', (name, build) => {
  const source = renderReport(build());
  const page = parseMarkup(source);

  it('is well formed, with one of each landmark', () => {
    for (const landmark of ['head', 'header', 'main', 'footer', 'nav', 'h1', 'body']) {
      expect(byName(page, landmark), landmark).toHaveLength(1);
    }
    const ids = all(page, ({ attributes }) => attributes.id !== undefined).map(
      ({ attributes }) => attributes.id,
    );
    expect(new Set(ids).size).toBe(ids.length);
    // links stay inside, but for one to the studio of this machine
    const links = byName(page, 'a').map(({ attributes }) => attributes.href!);
    const outside = links.filter((link) => !link.startsWith('#'));
    expect(outside.length).toBeLessThanOrEqual(1);
    for (const link of outside) expect(link).toMatch(/^http:\/\/127\.0\.0\.1:4748\/run\/[\w.-]+$/);
    for (const link of links) if (!outside.includes(link)) expect(ids).toContain(link.slice(1));
    for (const { attributes } of byName(page, 'section')) {
      const label = attributes['aria-labelledby'];
      if (label === undefined) expect(attributes['aria-label']).toBeTruthy();
      else expect(ids).toContain(label);
    }
  });

  it('prints no NaN, undefined, null or Infinity', () => {
    expect(readableText(page)).not.toMatch(/\b(?:NaN|undefined|null|Infinity|\[object)\b/);
    for (const { attributes } of byName(page, 'svg', 'path', 'circle', 'rect', 'polygon', 'text', 'g')) {
      for (const place of geometry) {
        expect(attributes[place] ?? '').not.toMatch(/NaN|undefined|null|Infinity|–/);
      }
    }
  });

  it('draws inside its frames', () => {
    for (const svg of byName(page, 'svg')) {
      const [, , width = 0, height = 0] = svg.attributes.viewBox!.split(' ').map(Number);
      for (const { attributes } of byName(svg, 'circle')) {
        expect(Number(attributes.cx)).toBeGreaterThanOrEqual(0);
        expect(Number(attributes.cx)).toBeLessThanOrEqual(width);
        expect(Number(attributes.cy)).toBeGreaterThanOrEqual(0);
        expect(Number(attributes.cy)).toBeLessThanOrEqual(height);
      }
    }
  });

  it('has a scope on every head of a table and rows of equal length', () => {
    for (const { attributes } of byName(page, 'th')) expect(['row', 'col']).toContain(attributes.scope);
    for (const table of byName(page, 'table')) {
      const lengths = byName(table, 'tr').map((row) =>
        byName(row, 'th', 'td').reduce((sum, { attributes }) => sum + Number(attributes.colspan ?? 1), 0),
      );
      expect(new Set(lengths).size).toBe(1);
    }
  });

  it('says in words what each chart shows', () => {
    for (const figure of byName(page, 'figure')) {
      expect(textOf(byName(figure, 'figcaption')[0]!).length).toBeGreaterThan(
        name === 'empty texts' ? 10 : 20,
      );
      for (const svg of byName(figure, 'svg')) {
        const isDecoration = svg.attributes['aria-hidden'] === 'true';
        expect(isDecoration || (svg.attributes['aria-label'] ?? '') !== '').toBe(true);
      }
    }
  });

  it('loads nothing and runs only its own script', () => {
    const elements = all(page, () => true);
    const loading = elements.filter(({ attributes }) =>
      Object.keys(attributes).some((key) => ['src', 'srcset', 'xlink:href'].includes(key) || /^on/.test(key)),
    );
    expect(loading).toEqual([]);
    expect(byName(page, 'link', 'img', 'iframe', 'object', 'embed', 'image', 'use')).toEqual([]);
    expect(byName(page, 'script').map(({ children }) => children)).toEqual([[script]]);
    expect(byName(page, 'style')[0]!.children.join('')).not.toMatch(/url\(|@import/);
  });
});

describe('a typical run', () => {
  const document = sampleDocument();
  const source = renderReport(document);
  const page = parseMarkup(source);
  const table = all(page, (one) => one.name === 'table' && hasClass(one, 'candidates'))[0]!;
  const bodies = byName(table, 'tbody').slice(1);
  const rows = bodies.map((body) => byName(body, 'tr')[0]!);

  it('is a pure function of the document', () => {
    expect(renderReport(sampleDocument())).toBe(source);
  });

  it('stays below 400 kB', () => {
    expect(Buffer.byteLength(source)).toBeLessThan(400_000);
    const large = renderReport(sampleDocument({ rows: 1000, candidates: 64 }));
    expect(Buffer.byteLength(large)).toBeLessThan(400_000);
  });

  it('admits its own script alone', () => {
    const hash = createHash('sha256').update(script).digest('base64');
    expect(scriptHash).toBe(`sha256-${hash}`);
    const policy = byName(page, 'meta').find(({ attributes }) => attributes['http-equiv'] !== undefined)!;
    expect(policy.attributes.content).toContain(`script-src &#39;${scriptHash}&#39;`);
    expect(policy.attributes.content).toContain('default-src &#39;none&#39;');
  });

  it('opens with goal, verdict and key figures', () => {
    expect(textOf(byName(page, 'h1')[0]!)).toBe('max yield');
    const text = textOf(byName(page, 'main')[0]!);
    expect(text).toContain('Verdict: Improvement likely');
    expect(text).toContain(document.verdict.sentence);
    for (const reason of document.verdict.reasons) expect(text).toContain(reason);
    expect(text).toContain('84.7 → 85.5');
    expect(text).toContain('5 Trusted 2 Stretch 1 Guess');
    expect(text).toContain('On rows it had not seen');
    expect(text).toContain('at least 80 % is the aim');
  });

  it('lists the candidates with all design columns in their order', () => {
    const heads = byName(byName(table, 'thead')[0]!, 'th').map(textOf);
    expect(heads.slice(0, 7)).toEqual([
      '#',
      'temp',
      'catalyst',
      'water',
      'ethanol',
      'toluene',
      'expected yield',
    ]);
    expect(rows).toHaveLength(8);
    const cells = byName(rows[0]!, 'th', 'td').map(textOf);
    expect(cells.slice(0, 7)).toEqual(['1', '69.0', 'B', '0.40', '0.34', '0.26', '85.5']);
    expect(textOf(bodies[0]!)).toContain('temp 68.5 → 69');
    expect(textOf(bodies[7]!)).toContain('Guess: catalyst D was tried only 3 times');
    const widths = rows.map((row) => byName(row, 'td').filter((cell) => hasClass(cell, 'trust')));
    expect(widths.every(([cell]) => cell!.attributes.title !== '')).toBe(true);
  });

  const xOf = (mark: Element) => Number(/^M([\d.]+)/.exec(mark.attributes.d!)![1]);

  it('draws each interval against the best known value', () => {
    for (const [i, row] of rows.entries()) {
      const bar = all(row, (one) => one.name === 'svg' && hasClass(one, 'bar'))[0]!;
      const best = xOf(all(bar, (one) => hasClass(one, 'best'))[0]!);
      const interval = all(bar, (one) => hasClass(one, 'interval'))[0]!.attributes;
      const [low, high] = [Number(interval.x), Number(interval.x) + Number(interval.width)];
      const { lo80, hi80 } = document.candidates[i]!;
      expect(low < best).toBe(lo80 < document.bestKnown.value);
      expect(high > best).toBe(hi80 > document.bestKnown.value);
    }
  });

  it('counts rows of findings from 1, as everywhere', () => {
    expect(textOf(page)).toContain('Rows 5, 20, 34.');
  });

  it('says how to reproduce it', () => {
    const text = textOf(all(page, ({ attributes }) => attributes.id === 'reproduce')[0]!);
    for (const fact of ['nemokit reproduce runs/2026-11-15-yield-7f3a', document.data.sha256, '3 min 12 s']) {
      expect(text).toContain(fact);
    }
    expect(text).toContain('padding.high 0.3 start none mixed yes');
  });

  it('judges coverage by what chance allows', () => {
    const sentence = (coverage80: number, count: number) =>
      textOf(
        parseMarkup(
          renderReport({ ...document, validation: { ...document.validation, coverage80, rows: count } }),
        ),
      );
    expect(sentence(0.78, 100)).toContain(
      '78 of 100 measured values (78 %) lie inside their 80 % interval, as it should be: at least 80 % is the aim',
    );
    expect(sentence(0.6, 100)).toContain('the intervals are too narrow');
    expect(sentence(0.6, 10)).toContain('as it should be');
    expect(sentence(0.95, 200)).toContain('more than 80 % on purpose');
  });
});

describe('differences to the nearest past run', () => {
  it.each([
    [68, 71.5, 'temp 68 → 71.5'],
    [71.5, 71.50004, 'temp 71.5 → 71.50004'],
    ['A', 'B', 'temp A → B'],
  ])('from %j to %j', (from, to, text) => {
    const sample = sampleDocument();
    const nearest = { row: 3, value: 80, differences: [{ column: 'temp', from, to }] };
    const page = parseMarkup(
      renderReport({ ...sample, candidates: sample.candidates.map((one) => ({ ...one, nearest })) }),
    );
    expect(textOf(page)).toContain(text);
  });
});

describe('the place of what to expect', () => {
  /** The heads of a table with these settings, all of value 100. */
  const headsOf = (columns: readonly string[]) => {
    const sample = sampleDocument({ candidates: 2 });
    const cells = Object.fromEntries(columns.map((name) => [name, 100]));
    const given = {
      ...sample,
      data: { ...sample.data, columns: [] },
      bestKnown: { ...sample.bestKnown, cells },
      candidates: sample.candidates.map((one) => ({ ...one, cells })),
    };
    const table = byName(parseMarkup(renderReport(given)), 'table')[0]!;
    return { heads: byName(byName(table, 'thead')[0]!, 'th').map(textOf), table };
  };

  it('is behind settings that fit a screen of 1280 pixels, however many', () => {
    const short = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
    expect(headsOf(short).heads.slice(0, 2)).toEqual(['#', 'a']);
    expect(headsOf(short).heads.at(-1)).toBe('trust');
  });

  it('is in front of settings that do not', () => {
    const long = Array.from({ length: 8 }, (_, i) => `superplasticiz${i}`);
    const { heads } = headsOf(long);
    expect(heads.slice(0, 5)).toEqual([
      '#',
      'expected yield',
      expect.any(String),
      'chance of better',
      'trust',
    ]);
    expect(heads.slice(5)).toEqual(long);
  });

  it('turns into cards where a table that fills 1280 pixels would not fit', () => {
    expect(hasClass(headsOf(['a', 'b']).table, 'full')).toBe(false);
    expect(hasClass(headsOf(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']).table, 'full')).toBe(true);
  });
});

describe('special runs', () => {
  const read = (name: string) => parseMarkup(renderReport(oddDocuments[name]!()));

  it('never turn text into tags', () => {
    const page = read('hostile texts');
    expect(byName(page, 'script')).toHaveLength(1);
    expect(byName(page, 'img')).toHaveLength(0);
    expect(textOf(byName(page, 'h1')[0]!)).toBe(`${hostileText}max yield`);
  });

  it('say which way is better where smaller is', () => {
    const page = read('a smaller value is better');
    const scale = all(page, (one) => hasClass(one, 'scale'))[0]!;
    expect(textOf(scale)).toContain('← better');
    expect(scale.attributes['aria-label']).toContain('better is left');
    expect(textOf(page)).toContain('Lower is better.');
  });

  it('have a column for each goal', () => {
    const page = read('several goals');
    const heads = byName(byName(page, 'thead')[0]!, 'th').map(textOf);
    expect(heads).toEqual(
      expect.arrayContaining(['yield, expected', 'cost, expected', 'expected desirability']),
    );
  });

  it('show what to expect first where there are many columns', () => {
    const page = read('two hundred candidates, a hundred columns');
    const heads = byName(byName(page, 'thead')[0]!, 'th').map(textOf);
    expect(heads.slice(0, 2)).toEqual(['#', 'expected yield']);
    // The table's order, not that of JavaScript's keys, is checked by a document whose columns say so.
    const columns = ['b', '2', '1'].map((name) => ({
      name,
      type: 'number',
      role: 'design' as const,
      summary: '',
    }));
    const sample = sampleDocument({ candidates: 1 });
    const cells = { 1: 1, 2: 2, b: 3 };
    const given = {
      ...sample,
      data: { ...sample.data, columns },
      candidates: sample.candidates.map((one) => ({ ...one, cells })),
    };
    const table = byName(parseMarkup(renderReport(given)), 'thead')[0]!;
    expect(byName(table, 'th').map(textOf).slice(1, 4)).toEqual(['b', '2', '1']);
  });

  it('refuse in words where nothing is proposed', () => {
    const text = textOf(read('no candidates'));
    expect(text).toContain('Verdict: Not supported by the data');
    expect(text).toContain('There are no candidates');
  });

  it('leave out sections without content', () => {
    const page = read('nothing beyond the candidates');
    const ids = all(page, ({ attributes }) => attributes.id !== undefined).map(
      ({ attributes }) => attributes.id,
    );
    for (const id of ['search', 'profiles', 'map']) expect(ids).not.toContain(id);
    expect(textOf(page)).toContain('No constraints were given.');
  });
});

/** WCAG 2 contrast ratio. */
function contrast(first: string, second: string): number {
  const luminance = (hex: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((i) => {
      const c = Number.parseInt(hex.slice(i, i + 2), 16) / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [a = 0, b = 0] = [luminance(first), luminance(second)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}

describe.each(['light', 'dark'] as const)('the %s palette', (scheme) => {
  const colours = palettes[scheme];

  it.each([
    ['ink', 'page'],
    ['muted', 'page'],
    ['muted', 'raised'],
    ['accent', 'page'],
    ['caution', 'page'],
    ['onmark', 'accent'],
    ['ink', 'raised'],
  ])('%s on %s is readable', (text, ground) => {
    expect(contrast(colours[text]!, colours[ground]!)).toBeGreaterThanOrEqual(4.5);
  });
});

describe('a second round', () => {
  it('shows promises beside what was measured, means as means, and the columns of the list', () => {
    const page = parseMarkup(renderReport(secondRound(sampleDocument())));
    const history = all(page, ({ attributes }) => attributes.id === 'history')[0]!;
    expect(byName(history, 'circle')).toHaveLength(2);
    expect(all(history, (one) => hasClass(one, 'missed'))).toHaveLength(1);
    const text = readableText(page).replace(/\s+/g, ' ');
    expect(text).toContain('mean of 3 rows: 12, 40, 77; best single');
    expect(text).toContain('rows 12, 40, 77 with the same settings, measured');
    expect(text).toContain('no. 3');
    expect(text).toContain('name and price, EUR are copied from the list');
    expect(text).not.toMatch(/\bloss\b/i);
  });

  it('draws molecules as lines and shapes only, and says where they are not drawn', async () => {
    const document = sampleDocument();
    const [name] = Object.keys(document.candidates[0]!.cells);
    const smiles = 'CC(=O)Oc1ccccc1C(=O)O';
    const withMolecules = {
      ...document,
      data: {
        ...document.data,
        columns: document.data.columns.map((one) => (one.name === name ? { ...one, type: 'smiles' } : one)),
      },
      candidates: document.candidates.map((one) => ({ ...one, cells: { ...one.cells, [name!]: smiles } })),
    };
    expect(renderReport(withMolecules)).toContain('Molecules are drawn where RDKit is installed');
    const drawings = await drawMolecules(withMolecules);
    expect([...drawings.keys()]).toEqual([smiles]);
    const page = parseMarkup(renderReport(withMolecules, drawings));
    const drawn = byName(page, 'svg').filter((one) => hasClass(one, 'molecule'));
    expect(drawn).toHaveLength(document.candidates.length);
    expect(drawn[0]!.attributes['aria-label']).toBe(smiles);
    const paths = byName(drawn[0]!, 'path');
    // 13 bonds and 4 oxygen atoms, those of one colour in a row joined
    expect(paths.length).toBeGreaterThan(5);
    for (const { attributes } of paths) {
      expect(attributes.d).toMatch(/^[MLQCZ\d\s.,-]+$/);
      expect(attributes.fill).toMatch(/^(?:none|currentColor|#[0-9A-F]{6})$/);
    }
    expect(all(drawn[0]!, ({ attributes }) => Object.hasOwn(attributes, 'style'))).toEqual([]);
  });
});
