import { describe, expect, it } from 'vitest';
import { compareVersions, oneVersion } from '../../src/bench/algorithmVersions.js';
import { sampleRecord } from './sampleRecord.js';

const old = sampleRecord({ seed: 0 });
const newer = { ...sampleRecord({ seed: 1 }), algorithmVersion: '0.2.0' };
const other = sampleRecord({ algorithm: 'forward', seed: 0 });

describe('records of several versions of an algorithm', () => {
  it('are not mixed: the newest are used, and the others are named', () => {
    expect(oneVersion([old, newer, other])).toEqual({
      records: [newer, other],
      leftOut: [{ algorithm: 'nemo', version: '0.1.0', records: 1, beside: '0.2.0' }],
    });
  });

  it('can be asked for', () => {
    expect(oneVersion([old, newer, other], new Map([['nemo', '0.1.0']])).records).toEqual([old, other]);
    expect(() => oneVersion([old], new Map([['nemo', '0.3.0']]))).toThrow(
      'there are no records of nemo 0.3.0; there are 0.1.0',
    );
  });

  it('are in the order of their numbers', () => {
    expect(['0.10.0', '1', '0.2.0', '0.1.0'].toSorted(compareVersions)).toEqual([
      '0.1.0',
      '0.2.0',
      '0.10.0',
      '1',
    ]);
  });
});
