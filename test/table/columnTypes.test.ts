import { describe, expect, it } from 'vitest';
import { type ColumnOverride, columnTypes, inspect } from '../../src/table/columnTypes.js';
import { TableError } from '../../src/table/table.js';
import { lookAtSmiles } from '../../src/table/textKinds.js';
import { read } from './reading.js';

async function typeOf(values: readonly (string | number)[], name = 'a', override?: ColumnOverride) {
  const quotedValues = values.map((value) => `"${value}"`);
  const table = await read(
    `"${name}",z\n${quotedValues.map((value, i) => `${value},${i % 2}`).join('\n')}\n`,
  );
  return inspect(table, override === undefined ? {} : { [name]: override })[0]!;
}

const times = (count: number, make: (i: number) => string | number) =>
  Array.from({ length: count }, (_, i) => make(i));

describe('types of numbers', () => {
  it('number, integer, boolean, constant', async () => {
    expect(await typeOf([1.5, 2, '', 2])).toMatchObject({
      type: 'number',
      evidence: 'Numbers from 1.5 to 2.',
      missing: 1,
      distinct: 2,
      isIgnored: false,
      logScale: false,
    });
    expect(await typeOf([3, 7, 3])).toMatchObject({
      type: 'integer',
      evidence: 'Whole numbers from 3 to 7.',
    });
    expect(await typeOf([0, 1, 1])).toMatchObject({ type: 'boolean', evidence: 'Every value is 0 or 1.' });
    expect(await typeOf([4, 4])).toMatchObject({
      type: 'constant',
      evidence: 'Every value is 4.',
      distinct: 1,
    });
    expect(await typeOf(['', ''])).toMatchObject({ type: 'constant', missing: 2, distinct: 0 });
  });

  it('identifier: counting rows in the first column, or by name', async () => {
    const rows = times(20, (i) => i + 1);
    expect(await typeOf(rows, 'run')).toMatchObject({
      type: 'identifier',
      isIgnored: true,
      evidence: 'Counts the rows, 1 to 20; left out.',
    });
    const table = await read(`y,time,sample_id\n${times(20, (i) => `0.5,${i},${i * 37 + 5}`).join('\n')}\n`);
    expect(inspect(table).map(({ type }) => type)).toEqual(['constant', 'integer', 'identifier']);
  });

  it('date as eight digits', async () => {
    expect(await typeOf([20240101, 20240229, 20231231])).toMatchObject({ type: 'date', isIgnored: true });
    expect(await typeOf([20240101, 20241301])).toMatchObject({ type: 'integer' });
  });

  it('logarithmic scale: positive, over two decades, long tail', async () => {
    const decades = times(41, (i) => 10 ** (i / 10));
    expect(await typeOf(decades)).toMatchObject({ type: 'number', logScale: true });
    expect(await typeOf(times(41, (i) => i * 5 + 1))).toMatchObject({ logScale: false });
    expect(await typeOf(decades.map((value) => -value))).toMatchObject({ logScale: false });
    expect(await typeOf(times(41, (i) => 10 ** (i / 20.5)))).toMatchObject({ logScale: false });
    expect(await typeOf(decades, 'a', { logScale: false })).toMatchObject({
      type: 'number',
      logScale: false,
    });
  });
});

describe('types of texts', () => {
  it.each([[['true', 'False', 'true']], [['yes', 'no', '']], [['off', 'on']]])(
    'boolean: %j',
    async (values) => {
      expect((await typeOf(values)).type).toBe('boolean');
    },
  );

  it('category and constant', async () => {
    expect(await typeOf(['B', 'A', 'B'])).toMatchObject({
      type: 'category',
      evidence: '2 different texts: "B", "A".',
    });
    expect(await typeOf(['B', 'B'])).toMatchObject({ type: 'constant', evidence: 'Every cell is "B".' });
    expect((await typeOf(['A1', 'A2', 'A3', 'A1'])).type).toBe('category');
  });

  it.each([
    [
      ['high', 'low', 'medium'],
      ['low', 'medium', 'high'],
    ],
    [
      ['L', 'S', 'XL'],
      ['S', 'L', 'XL'],
    ],
    [
      ['10 q', '2 q', '100 q'],
      ['2 q', '10 q', '100 q'],
    ],
    [
      ['grade 3', 'grade 1', 'grade 2'],
      ['grade 1', 'grade 2', 'grade 3'],
    ],
    [
      ['10-20', '0-10', '20-30'],
      ['0-10', '10-20', '20-30'],
    ],
  ])('ordered category: %j', async (values, order) => {
    expect(await typeOf(values)).toMatchObject({ type: 'ordered', order });
  });

  it.each([
    [['2024-03-01', '2024-03-15T12:30:00Z']],
    [['31.12.2023', '01.02.2024']],
    [['3/14/24', '12/1/23']],
    [['1 Mar 2024', '15 April 2024']],
    [['March 1, 2024', 'Apr 15 2024']],
  ])('date: %j', async (values) => {
    expect(await typeOf(values)).toMatchObject({ type: 'date', isIgnored: true });
  });

  it('no date: versions, ranges, months out of range', async () => {
    for (const values of [
      ['1.2.3', '1.2.4'],
      ['2024-13-01', '2024-14-01'],
      ['10-20', '5-6'],
    ])
      expect((await typeOf(values)).type).toBe('category');
  });

  it('identifier: every text different', async () => {
    expect(await typeOf(times(12, (i) => `sample ${i * 7} of ${'xyz'[i % 3]}`))).toMatchObject({
      type: 'identifier',
      isIgnored: true,
      evidence: '12 different texts in 12 rows name rows, not conditions; left out.',
    });
  });

  it('sequence: DNA, RNA, protein, any small alphabet, zeros and ones', async () => {
    expect(await typeOf(['ACGT', 'TTTT', 'GGCA'])).toMatchObject({
      type: 'sequence',
      sequence: { kind: 'DNA', length: 4, alphabet: 'ACGT' },
      evidence: 'Every cell is a DNA sequence of length 4 over ACGT.',
    });
    expect(await typeOf(['ACGU', 'UUUU'])).toMatchObject({ sequence: { kind: 'RNA' } });
    const protein = times(10, (i) => `SKGEEL${'FAGVPILDNH'[i]}TY`);
    expect(await typeOf(protein)).toMatchObject({ sequence: { kind: 'protein', length: 9 } });
    const lattice = times(10, (i) =>
      i.toString(2).padStart(5, '0').replaceAll('0', 'H').replaceAll('1', 'P'),
    );
    expect(await typeOf(lattice)).toMatchObject({ sequence: { kind: 'sequence', alphabet: 'HP' } });
    const bits = times(10, (i) => i.toString(2).padStart(6, '0'));
    expect(await typeOf(bits)).toMatchObject({ sequence: { kind: 'sequence', alphabet: '01', length: 6 } });
  });

  it('no sequence: words of one length, or lengths that differ', async () => {
    expect((await typeOf(['FAST', 'SLOW', 'FAST'])).type).toBe('category');
    expect((await typeOf(['ACGT', 'ACG', 'ACGT'])).type).toBe('category');
    expect((await typeOf(['LEFT', 'REST', 'LEFT'])).type).toBe('category');
  });

  it('SMILES', async () => {
    const molecules = [
      'CCO',
      'c1ccccc1',
      'CC(=O)O',
      'C[C@@H](N)C(=O)O',
      'OC1CC1.Cl',
      'C%12CCC%12',
      'F/C=C/F',
    ];
    expect(await typeOf(molecules)).toMatchObject({ type: 'smiles', isIgnored: false });
    expect((await typeOf(['CON', 'SON', 'BOSS', 'CON'])).type).toBe('category');
    expect((await typeOf(['Ba0.2La1.8Cu1O4', 'YBa2Cu3O7', 'MgB2', 'MgB2'])).type).toBe('category');
  });

  it.each(['C1CC', 'C(C', 'CC)', 'C[Zz', '(C)', 'C=', 'Xy', '', 'C%1', 'hello', 'C C'])(
    'no SMILES: %j',
    (text) => {
      expect(lookAtSmiles(text).isValid).toBe(false);
    },
  );
});

describe('overrides', () => {
  it('have the last word', async () => {
    expect(await typeOf([1, 2, 3], 'a', 'category')).toMatchObject({
      type: 'category',
      evidence: 'As you said.',
    });
    expect(
      await typeOf(
        times(12, (i) => i),
        'a',
        'integer',
      ),
    ).toMatchObject({ type: 'integer', isIgnored: false });
    const order = ['raw', 'cooked'];
    expect(await typeOf(['cooked', 'raw'], 'a', { order })).toMatchObject({ type: 'ordered', order });
    expect(await typeOf(['AX', 'BY'], 'a', 'sequence')).toMatchObject({
      sequence: { kind: 'sequence', length: 2, alphabet: 'ABXY' },
    });
  });

  it.each([
    ['temprature', 'number', 'a.csv: has no column "temprature"; did you mean "temperature"?'],
    ['zzz', 'number', 'a.csv: has no column "zzz"'],
    [
      'cat',
      'catgory',
      'a.csv, column "cat": there is no column type "catgory"; did you mean "category"?; types are ' +
        columnTypes.join(', '),
    ],
    [
      'cat',
      'number',
      'a.csv, column "cat": cannot be read as number: it holds texts such as "A"; correct them, or list them as `missing`',
    ],
    [
      'cat',
      'sequence',
      'a.csv, column "cat": cannot be read as sequence: "A" and "BB" have different lengths',
    ],
    [
      'temperature',
      'integer',
      'a.csv, column "temperature": cannot be read as integer: some values are no whole numbers',
    ],
    ['cat', { order: ['A', 'B'] }, 'a.csv, column "cat": the order leaves out "BB"; did you mean "B"?'],
  ])('of %s as %j are refused', async (name, override, message) => {
    const table = await read('temperature,cat\n1.5,A\n2.5,BB\n3.5,A\n');
    const attempt = () => inspect(table, { [name]: override as ColumnOverride });
    expect(attempt).toThrow(TableError);
    expect(attempt).toThrow(message);
  });
});
