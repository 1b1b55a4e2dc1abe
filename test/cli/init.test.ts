import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeProblem } from '../../src/cli/init.js';
import { checkTable } from '../../src/problem/checkTable.js';
import { type Problem, parseProblemFile, stateProblem } from '../../src/problem/index.js';
import { readTable, type Table } from '../../src/table/index.js';
import { read } from '../table/reading.js';

const rows = Array.from({ length: 30 }, (_, i) => {
  const a = ((i * 7) % 10) / 20;
  const b = ((i * 3) % 7) / 20;
  return [
    i,
    20 + ((i * 13) % 50),
    'AB'[i % 2],
    a,
    b,
    (1 - a - b).toFixed(2),
    'xyz'[i % 3],
    3 * i + (i % 4),
  ].join();
});
const table = await read(['nr,temp,line,a,b,c,operator,yield', ...rows].join('\n'));

/** What a problem is made of, without the notes. */
function essence({ data, space, columns, rows: used }: Problem) {
  return { x: [...data.x], y: [...data.y], space, columns, used };
}

describe('a written problem file', () => {
  it('says what was found, beside settings that can be changed', async () => {
    const text = await writeProblem(table, { goals: ['max yield'] }, { data: 'past.csv' });
    expect(text).toContain('data: past.csv\n');
    expect(text).toContain('  # whole number; 20 to 69\n  temp: {} # {bounds: [20, 69]}\n');
    expect(text).toContain('  # category; A, B\n  line: {} # {fixed: A}\n');
    expect(text).toContain('  # found: within 0 in every row\n  - [a, b, c]\n');
    expect(text).toContain('# constraints:\n#   - 2*temp + a <= 30\n#   - at most 2 of temp, a, b\n');
    expect(text).not.toContain('guess');
    expect(parseProblemFile(text, 'p.yaml')).toMatchObject({
      goals: ['max yield'],
      mixtures: [{ columns: ['a', 'b', 'c'], sum: 1 }],
    });
  });

  it('works when its comments are taken at their word', async () => {
    const text = await writeProblem(table, { goals: ['max yield'] }, { data: 'past.csv' });
    const edited = text.replaceAll('{} # ', '');
    const spec = parseProblemFile(edited, 'p.yaml');
    expect(spec.columns).toMatchObject({
      temp: { bounds: [20, 69] },
      line: { fixed: 'A' },
      nr: { type: 'category' },
    });
    expect(() => stateProblem(table, { ...spec, columns: { ...spec.columns, nr: {} } })).not.toThrow();
  });

  it('keeps what was said by options', async () => {
    const words = {
      goals: ['min yield', 'keep temp <= 50'],
      columns: { operator: { role: 'context' as const }, line: { fixed: 'B' } },
      constraints: ['a + b <= 0.7', 'forbid line=A and operator=x'],
      mixtures: [{ columns: ['a', 'b'], sum: 0.5 }],
    };
    const text = await writeProblem(table, words, { data: '../past 1.csv', choices: 'list.csv' });
    const spec = parseProblemFile(text, 'p.yaml');
    expect(spec).toMatchObject({
      ...words,
      columns: words.columns,
      data: '../past 1.csv',
      choices: 'list.csv',
    });
  });

  it('calls a guessed goal a guess', async () => {
    expect(await writeProblem(table, { goals: [] }, { data: 'x.csv' })).toContain('This goal is a guess');
    const texts = await read(`a,b\n${'x,y\nz,w\n'.repeat(6)}`);
    await expect(writeProblem(texts, { goals: [] }, { data: 'x.csv' })).rejects.toThrow("--goal 'max yield'");
  });

  it('leaves out columns beyond what a file may hold', async () => {
    const names = [...Array.from({ length: 900 }, (_, j) => `setting number ${j}`), 'yield'];
    const body = Array.from({ length: 8 }, (_, i) => names.map((_, j) => (i * j) % 5).join());
    const wide = await read([names.join(), ...body].join('\n'));
    const text = await writeProblem(wide, { goals: ['max yield'] }, { data: 'wide.csv' });
    expect(text).toContain('501 other columns');
    expect(Object.keys(parseProblemFile(text, 'p.yaml').columns!)).toHaveLength(400);
  });

  it('gives the same problem as the table alone, whatever columns are called', async () => {
    const name = fc.oneof(
      fc.string({ minLength: 1, maxLength: 12 }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }),
      fc.constantFrom(
        'no',
        'null',
        '1e3',
        '- a',
        'a: b',
        '#c',
        '{x}',
        "it's",
        '"q"',
        '__proto__',
        'a,b',
        '~',
        '? k',
        'é°',
        'goals',
      ),
    );
    const cell = fc.oneof(
      fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
      fc.constantFrom('A', 'b c', 'x: y', '#', 'true', '- z'),
    );
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(name, { minLength: 2, maxLength: 5, selector: (own) => own.trim() }),
        fc.array(fc.array(cell, { minLength: 5, maxLength: 5 }), { minLength: 6, maxLength: 12 }),
        async (names, values) => {
          fc.pre(names.every((own) => own.trim() === own));
          const records = values.map((row, i) => ({
            ...Object.fromEntries(names.map((own, j) => [own, row[j]!])),
            'the result': i * 1.5,
          }));
          let made: Table;
          let alone: Problem;
          let words: { goals: string[]; mixtures?: { columns: readonly string[]; sum: number }[] };
          try {
            made = await readTable(records);
            const { mixtures } = await checkTable(made, { goals: ['max "the result"'] });
            words = {
              goals: ['max "the result"'],
              ...(mixtures.length > 0 && {
                mixtures: mixtures.map(({ columns, sum }) => ({ columns, sum })),
              }),
            };
            alone = stateProblem(made, words);
          } catch {
            // A table that cannot be used is refused before anything is written.
            return;
          }
          const text = await writeProblem(made, { goals: words.goals }, { data: 'd.csv' });
          const spec = parseProblemFile(text, 'p.yaml');
          expect(spec.goals).toEqual(words.goals);
          expect(essence(stateProblem(made, spec))).toEqual(essence(alone));
          compared++;
        },
      ),
      { numRuns: 150 },
    );
    expect(compared).toBeGreaterThan(75);
  });
});

describe('questions', () => {
  async function answer(text: string) {
    const input = new PassThrough();
    const output = new PassThrough();
    const asked: string[] = [];
    output.on('data', (chunk) => asked.push(String(chunk)));
    input.end(text);
    const file = writeProblem(table, { goals: [] }, { data: 'past.csv', streams: { input, output } });
    return { spec: parseProblemFile(await file, 'p.yaml'), asked: asked.join('') };
  }

  it('are answered by Enter', async () => {
    const { spec, asked } = await answer('\n\n\n\n\n');
    expect(spec).toMatchObject({ goals: ['max yield'], mixtures: [{ columns: ['a', 'b', 'c'] }] });
    expect(asked).toContain('What do you want? For example max yield, or min cost. [max yield]');
    expect(asked).toContain('Keep the recipe a + b + c = 1? y or n [y]');
  });

  it('are asked again after a mistake', async () => {
    const { spec, asked } = await answer(
      'max yeild\nyield\nkeep temp <= 60\n\nn\nnumber\nnr\noperator, line\n',
    );
    expect(asked).toContain('no column is called "yeild"; did you mean "yield"?');
    expect(asked).toContain('leave out: no column is called "number"');
    expect(spec.goals).toEqual(['max "yield"', 'keep temp <= 60']);
    expect(spec.mixtures).toBeUndefined();
    expect(spec.columns).toMatchObject({
      nr: { role: 'ignore' },
      operator: { role: 'context' },
      line: { role: 'context' },
    });
  });

  it('write nothing if they are left', async () => {
    await expect(answer('max yield\n')).rejects.toThrow('nothing was written');
  });
});
