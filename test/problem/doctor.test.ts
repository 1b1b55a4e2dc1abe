import { describe, expect, it } from 'vitest';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { examine, type Finding } from '../../src/problem/doctor.js';
import { inspect } from '../../src/table/columnTypes.js';
import type { NumberColumn, Table, TableColumn, TextColumn } from '../../src/table/table.js';

const number = (name: string, values: Iterable<number>): NumberColumn => ({
  kind: 'number',
  name,
  values: Float64Array.from(values),
});

function text(name: string, values: readonly string[]): TextColumn {
  const levels = [...new Set(values)];
  return { kind: 'text', name, levels, codes: Int32Array.from(values, (v) => levels.indexOf(v)) };
}

function table(columns: readonly TableColumn[]): Table {
  const first = columns[0]!;
  return {
    name: 'runs.csv',
    rows: first.kind === 'number' ? first.values.length : first.codes.length,
    columns,
    notes: [],
  };
}

const stream = new Stream(rootKey(1));
const normals = (count: number) => Array.from({ length: count }, () => stream.normal());

/** 60 unremarkable rows, with columns replaced or added. */
function rows60(changes: readonly TableColumn[] = []): Table {
  const base = [number('a', normals(60)), number('b', normals(60)), number('y', normals(60))];
  const kept = base.filter((column) => !changes.some((change) => change.name === column.name));
  return table([...kept, ...changes]);
}

function about(kind: Finding['kind'], t: Table, inputs = ['a', 'b']): Finding | undefined {
  return examine(t, { goal: 'y', inputs }).find((finding) => finding.kind === kind);
}

describe('the data doctor', () => {
  it('has nothing to say of an unremarkable table', () => {
    expect(examine(rows60(), { goal: 'y', inputs: ['a', 'b'] })).toEqual([]);
  });

  it('counts rows without a goal', () => {
    const y = normals(60);
    y[7] = Number.NaN;
    y[9] = Number.NaN;
    expect(about('missingGoal', rows60([number('y', y)]))).toMatchObject({
      severity: 'note',
      rows: [7, 9],
      message: '2 of 60 rows have no value of "y"',
    });
    expect(
      examine(rows60([number('y', Array(60).fill(Number.NaN))]), { goal: 'y', inputs: ['a'] }),
    ).toMatchObject([{ severity: 'error', kind: 'missingGoal', message: 'no row has a value of "y"' }]);
  });

  it('finds the same settings with different results', () => {
    const [a, b, y] = [normals(60), normals(60), normals(60)];
    [a[5], b[5], y[5]] = [a[4]!, b[4]!, y[4]! + 0.01];
    const noisy = rows60([number('a', a), number('b', b), number('y', y)]);
    expect(about('conflictingRows', noisy)).toMatchObject({ severity: 'note', rows: [4, 5] });
    [y[4], y[5]] = [-3, 3];
    const torn = about('conflictingRows', rows60([number('a', a), number('b', b), number('y', y)]));
    expect(torn).toMatchObject({ severity: 'warning', rows: [4, 5] });
    expect(torn!.message).toContain('at most by 6');
  });

  it('finds constant and empty columns', () => {
    expect(about('constantColumn', rows60([number('b', Array(60).fill(7))]))!.message).toBe(
      '"b" is 7 in every row',
    );
    expect(about('constantColumn', rows60([number('b', Array(60).fill(Number.NaN))]))!.message).toBe(
      '"b" is empty',
    );
    expect(about('constantColumn', rows60([text('b', Array(60).fill('x'))]))!.message).toBe(
      '"b" is x in every row',
    );
  });

  it('finds a column that follows from another', () => {
    const a = normals(60);
    const finding = about(
      'derivedColumn',
      rows60([
        number('a', a),
        number(
          'b',
          a.map((v) => 273.15 - 2 * v),
        ),
      ]),
    );
    expect(finding).toMatchObject({ severity: 'warning', columns: ['a', 'b'] });
  });

  it('finds two units in one column', () => {
    const b = Array.from({ length: 60 }, (_, i) => (i % 10 === 3 ? 2000 : 2) + 0.01 * i);
    const finding = about('unitJump', rows60([number('b', b)]));
    expect(finding).toMatchObject({ severity: 'warning', columns: ['b'], rows: [3, 13, 23, 33, 43, 53] });
    expect(finding!.message).toBe(
      '"b" jumps from 2.59 to 2000 with nothing between; 6 rows are on the smaller side',
    );
  });

  it('finds scores that would take all the bins', () => {
    const y = normals(60);
    y[31] = 1000;
    expect(about('outliers', rows60([number('y', y)]))).toMatchObject({ severity: 'warning', rows: [31] });
  });

  it('finds an identifier that was given after measuring', () => {
    const y = normals(60).sort((p, q) => p - q);
    const id = text(
      'id',
      y.map((_, i) => `run-${String(i).padStart(3, '0')}`),
    );
    expect(about('leak', rows60([number('y', y), id]), ['a', 'b', 'id'])).toMatchObject({
      columns: ['id'],
      advice: 'leave it out: --ignore "id"',
    });
    // a continuous column that explains the goal is what one hopes for
    expect(about('leak', rows60([number('y', y), number('a', y)]))).toBeUndefined();
  });

  it('finds drift along the rows', () => {
    const y = normals(60).map((v, i) => v + i / 15);
    expect(about('drift', rows60([number('y', y)]))!.message).toMatch(/^"y" rises along the table/);
  });

  it('finds too few rows for the columns, classes counted', () => {
    const few = table([
      number('a', normals(12)),
      text(
        'c',
        Array.from({ length: 12 }, (_, i) => `k${i % 6}`),
      ),
      number('y', normals(12)),
    ]);
    expect(about('tooFewRows', few, ['a'])).toBeUndefined();
    expect(about('tooFewRows', few, ['a', 'c'])).toMatchObject({
      severity: 'warning',
      message: '12 rows with a value of "y" for 6 numbers per design',
    });
    const letters = 'ACGT';
    const words = Array.from({ length: 40 }, (_, i) =>
      Array.from({ length: 8 }, (_, j) => letters[(i * 7 + j * j * (i + 3)) % 4]).join(''),
    );
    const sequences = table([text('dna', words), number('y', normals(40))]);
    expect(inspect(sequences)[0]!.type).toBe('sequence');
    expect(about('tooFewRows', sequences, ['dna'])).toBeUndefined();
    const fewer = table([number('a', normals(4)), number('y', normals(4))]);
    expect(about('tooFewRows', fewer, ['a'])).toMatchObject({ severity: 'error' });
  });

  it('refuses what it cannot examine', () => {
    expect(() => examine(rows60(), { goal: 'z', inputs: [] })).toThrow('runs.csv has no column "z"');
    expect(() => examine(rows60([text('y', Array(60).fill('x'))]), { goal: 'y', inputs: [] })).toThrow(
      'runs.csv:1, column "y": goal "y": "x" is text, and a goal needs numbers',
    );
  });
});
