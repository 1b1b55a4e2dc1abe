// The two tasks about bodies: recorded designs are what their script makes, and scores what the simulator says.
import { describe, expect, it } from 'vitest';
import { extent } from '../../src/numeric/stats.js';
import { fitEncoding } from '../../src/search/encoding.js';
import { antDefault } from '../../src/simulation/ant.js';
import { dkittyDefault } from '../../src/simulation/dkittyModel.js';
import { antMorphologyCpg } from '../../src/tasks/antMorphology.js';
import { roundToHalf } from '../../src/tasks/designFile.js';
import { dkittyMorphologyCpg } from '../../src/tasks/dkittyMorphology.js';
import { memorySource, realSource } from './sources.js';

const source = realSource();

describe.each([
  { definition: antMorphologyCpg, start: antDefault, names: ['leg 1 x', 'leg 4 ankle size'] },
  { definition: dkittyMorphologyCpg, start: dkittyDefault, names: ['leg 1 x', 'leg 4 ankle size'] },
])('$definition.id', ({ definition, start, names }) => {
  it('has recorded designs that score as recorded', async () => {
    const { data, score } = await definition.open(source);
    const d = start.length;
    const rows = [0, Math.floor(data.y.length / 2), data.y.length - 1];
    const x = Float64Array.from(rows.flatMap((row) => [...data.x.subarray(row * d, (row + 1) * d)]));
    const shares: number[] = [];
    expect(await score(x, (share) => shares.push(share))).toEqual(
      Float64Array.from(rows, (row) => data.y[row]!),
    );
    expect(shares.at(-1)).toBe(1);
    expect(roundToHalf(x)).toEqual(x);
  });

  it('shows the worst of them, and knows the best', async () => {
    const { data, range } = await definition.open(source);
    const { min, max } = extent(data.y);
    expect(range.worst).toBe(min);
    expect(range.best).toBeGreaterThan(max);
  });

  it('has a column for every number of four legs', async () => {
    const { space } = await definition.open(source);
    expect(space.columns).toHaveLength(start.length);
    expect([space.columns[0]?.name, space.columns.at(-1)?.name]).toEqual(names);
    space.columns.forEach((column, j) => {
      if (column.kind !== 'continuous') throw new Error(`${column.name} is not continuous`);
      expect(start[j]).toBeGreaterThanOrEqual(column.lower);
      expect(start[j]).toBeLessThanOrEqual(column.upper);
    });
  });

  it('can be modelled, columns without width included', async () => {
    const { data, space } = await definition.open(source);
    const { mean, scale, lower, upper } = fitEncoding(data, space, { box: null });
    for (const numbers of [mean, scale, lower, upper]) expect(numbers.every(Number.isFinite)).toBe(true);
    expect(scale.every((value) => value > 0)).toBe(true);
  });

  it('refuses designs beyond the bounds', async () => {
    const { score } = await definition.open(source);
    await expect(score(start.with(2, 0.5))).rejects.toThrow('leg 1 z');
  });

  it('says what is missing or damaged', async () => {
    const { read } = source;
    const bare = await definition.open({ read, cached: source.cached });
    await expect(bare.score(start)).rejects.toThrow('npm install @mujoco/mujoco');
    const name = `${definition.datasets[0]}/designs.bin`;
    await expect(definition.open(memorySource({ [name]: new Uint8Array(30) }))).rejects.toThrow(name);
  });
});

describe('the second scorer of Ant', () => {
  it('is the same run with joints that begin inside their limits', async () => {
    const { data, score, secondScorers } = await antMorphologyCpg.open(source);
    const x = data.x.slice(0, 2 * antDefault.length);
    const inside = await secondScorers!['joints-inside']!(x);
    const own = await score(x);
    expect(inside).toHaveLength(2);
    // another pose at the start: near, and never the same
    inside.forEach((value, i) => {
      expect(value).not.toBe(own[i]);
      expect(Math.abs(value - own[i]!)).toBeLessThan(200);
    });
    await expect(secondScorers!['joints-inside']!(x.slice(1))).rejects.toThrow('119 numbers');
    expect((await dkittyMorphologyCpg.open(source)).secondScorers).toBeUndefined();
  });
});
