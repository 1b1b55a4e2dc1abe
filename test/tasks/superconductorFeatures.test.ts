import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readGzipCsv } from '../../src/tasks/superconductor.js';
import {
  elementSymbols,
  featureNames,
  featuresOf,
  readElementTable,
} from '../../src/tasks/superconductorFeatures.js';
import { elementBytes, elements } from './madeUpCompounds.js';
import { isThereOrSaysWhy, realSource } from './sources.js';

function amountsOf(shares: Readonly<Record<string, number>>): number[] {
  return elementSymbols.map((symbol) => shares[symbol] ?? 0);
}

describe('features of a compound', () => {
  it('has the published names', () => {
    expect(featureNames).toHaveLength(81);
    expect(featureNames.slice(0, 4)).toEqual([
      'number_of_elements',
      'mean_atomic_mass',
      'wtd_mean_atomic_mass',
      'gmean_atomic_mass',
    ]);
    expect(featureNames[80]).toBe('wtd_std_Valence');
    expect(elementSymbols).toHaveLength(86);
  });

  // Hamidieh 2018, table 2 works Re6Zr1 out by hand: thermal conductivities 48 and 23.
  it('gives the worked example of the paper', () => {
    const line = (symbol: string, t: number) => [symbol, 1, 1, 1, 1, 1, 1, t, 1].join(',');
    const heading = new TextDecoder().decode(elementBytes).split('\n')[0];
    const table = readElementTable(
      new TextEncoder().encode([heading, line('Re', 48), line('Zr', 23)].join('\n')),
      'elements.csv',
    );
    const features = featuresOf(amountsOf({ Re: 6, Zr: 1 }), table);
    const at = (summary: string) => features[featureNames.indexOf(`${summary}_ThermalConductivity`)]!;
    expect(features[0]).toBe(2);
    expect(at('mean')).toBe(35.5);
    expect(at('wtd_mean')).toBeCloseTo(44.43, 2);
    expect(at('gmean')).toBeCloseTo(33.23, 2);
    expect(at('wtd_gmean')).toBeCloseTo(43.21, 2);
    expect(at('entropy')).toBeCloseTo(0.63, 2);
    expect(at('wtd_entropy')).toBeCloseTo(0.26, 2);
    expect(at('range')).toBe(25);
    expect(at('wtd_range')).toBeCloseTo(37.86, 2);
    expect(at('std')).toBe(12.5);
    expect(at('wtd_std')).toBeCloseTo(8.75, 2);
  });

  it('does not depend on the unit of the amounts, and lies where means lie', () => {
    const amounts = fc.record({
      H: fc.double({ min: 0.01, max: 9, noNaN: true }),
      Cu: fc.double({ min: 0.01, max: 9, noNaN: true }),
      Ba: fc.double({ min: 0.01, max: 9, noNaN: true }),
    });
    fc.assert(
      fc.property(amounts, fc.double({ min: 0.1, max: 1000, noNaN: true }), (shares, unit) => {
        const one = featuresOf(amountsOf(shares), elements);
        const other = featuresOf(
          amountsOf(shares).map((v) => v * unit),
          elements,
        );
        for (let j = 0; j < 81; j++) expect(Math.abs(one[j]! - other[j]!)).toBeLessThan(1e-9);
        for (let k = 0; k < 8; k++) {
          const [mean, weighted, geometric, weightedGeometric] = one.subarray(1 + 10 * k);
          expect(geometric).toBeLessThanOrEqual(mean! * (1 + 1e-12));
          expect(weightedGeometric).toBeLessThanOrEqual(weighted! * (1 + 1e-12));
        }
      }),
    );
  });

  it('refuses amounts that are no compound', () => {
    expect(() => featuresOf(amountsOf({}), elements)).toThrow('the amounts add up to 0');
    expect(() => featuresOf(amountsOf({ Xe: 1 }), elements)).toThrow('Xe is not in the table of elements');
    expect(() => featuresOf(amountsOf({ H: 2, O: -1 }), elements)).toThrow('O is -1, below 0');
    expect(() => featuresOf(amountsOf({ H: Number.NaN }), elements)).toThrow('add up to NaN');
  });

  it('refuses a table of elements with its line', () => {
    const text = new TextDecoder().decode(elementBytes);
    const read = (changed: string) => () => readElementTable(new TextEncoder().encode(changed), 'e.csv');
    expect(read('a,b\n')).toThrow('e.csv:1: the heading is "a,b"');
    expect(read(text.replace('\nO,', '\nQq,'))).toThrow('e.csv:3: "Qq,');
    expect(read(text.replace('\nH,1.5,', '\nH,0,'))).toThrow('e.csv:2: ');
  });
});

const hasData = isThereOrSaysWhy('superconductor', 'features of train.csv.gz');

describe.skipIf(!hasData)('features of the real compounds', () => {
  it('are those of train.csv.gz to 1e-9', async () => {
    const source = realSource();
    const [train, compositions, table] = await Promise.all([
      source.read('superconductor', 'train.csv.gz').then((bytes) => readGzipCsv(bytes, 'train', 82)),
      source.read('superconductor', 'unique_m.csv.gz').then((bytes) => readGzipCsv(bytes, 'unique', 86)),
      source.read('superconductor', 'element_properties_recovered.csv'),
    ]);
    expect(train.names.slice(0, 81)).toEqual(featureNames);
    expect(compositions.names).toEqual(elementSymbols);
    const real = readElementTable(table, 'elements');
    expect(real.filter((properties) => properties !== null)).toHaveLength(77);
    let most = 0;
    const N = train.rows.length / 82;
    for (let i = 0; i < N; i++) {
      const features = featuresOf(compositions.rows.subarray(i * 86, (i + 1) * 86), real);
      for (let j = 0; j < 81; j++) {
        const expected = train.rows[i * 82 + j]!;
        const error = Math.abs(features[j]! - expected);
        most = Math.max(most, expected === 0 ? error : error / Math.abs(expected));
      }
    }
    expect(N).toBe(21263);
    expect(most).toBeLessThan(1e-9);
  });
});
