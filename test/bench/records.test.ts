import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { RecordWriter, readRecords, recordsName } from '../../src/bench/records.js';
import { sampleRecord } from './sampleRecord.js';

let folder = '';
const file = () => join(folder, recordsName);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nemokit-records-'));
});

describe('records in a folder', () => {
  it('are appended, one line each, and read again', async () => {
    const [a, b] = [sampleRecord({ seed: 0 }), sampleRecord({ seed: 1 })];
    {
      await using writer = await RecordWriter.open(folder);
      expect(writer.has(a.id)).toBe(false);
      await Promise.all([writer.append(a), writer.append(b), writer.append(a)]);
      expect(writer.has(a.id)).toBe(true);
    }
    expect(readFileSync(file(), 'utf8').split('\n')).toHaveLength(3);
    expect(await readRecords(folder)).toEqual({ records: [a, b], torn: [], lines: [1, 2] });
    await using again = await RecordWriter.open(folder);
    expect([again.has(a.id), again.has('other')]).toEqual([true, false]);
  });

  it('survive a line that a killed writer left half done', async () => {
    const [a, b] = [sampleRecord({ seed: 0 }), sampleRecord({ seed: 1 })];
    const half = JSON.stringify(b).slice(0, 90);
    writeFileSync(file(), `${JSON.stringify(a)}\n${half}`);
    expect(await readRecords(folder)).toEqual({
      records: [a],
      torn: [{ line: 2, reason: 'no whole JSON document' }],
      lines: [1],
    });
    {
      await using writer = await RecordWriter.open(folder);
      expect(writer.has(b.id)).toBe(false);
      await writer.append(b);
    }
    const { records, torn } = await readRecords(folder);
    expect(records).toEqual([a, b]);
    expect(torn).toHaveLength(1);
    // append-only: what was there is there
    expect(readFileSync(file(), 'utf8').startsWith(`${JSON.stringify(a)}\n${half}\n`)).toBe(true);
  });

  it('have one writer at a time', async () => {
    await using _first = await RecordWriter.open(folder);
    await expect(RecordWriter.open(folder)).rejects.toThrow(folder);
  });

  it('keep the first of two records of one trial', async () => {
    const a = sampleRecord({ seed: 0 });
    const later = { ...a, made: { ...a.made, seconds: 99 } };
    writeFileSync(file(), `${JSON.stringify(a)}\n${JSON.stringify(later)}\n`);
    expect((await readRecords(folder)).records).toEqual([a]);
  });

  it('of a newer nemokit are refused, those that lack something are named', async () => {
    appendFileSync(file(), `${JSON.stringify({ ...sampleRecord({ seed: 0 }), recordVersion: 2 })}\n`);
    await expect(readRecords(folder)).rejects.toThrow(
      `${file()}:1: a record of version 2; this nemokit reads 1; update nemokit`,
    );
    const { result: _, ...without } = sampleRecord({ seed: 0 });
    writeFileSync(file(), `${JSON.stringify(without)}\n`);
    expect((await readRecords(folder)).torn).toEqual([
      { line: 1, reason: expect.stringMatching(/^result: /) },
    ]);
  });

  it('are missed with a hint', async () => {
    await expect(readRecords(join(folder, 'none'))).rejects.toThrow(
      'holds no results of a benchmark: there is no records.jsonl; make some: nemokit bench run',
    );
  });
});

describe('records that say nothing are named by line', () => {
  const a = sampleRecord({ seed: 0 });
  it.each([
    ['no scores', { ...a.result, scores: [], distances: [] }, 'it has no scores'],
    ['fewer distances', { ...a.result, distances: [1] }, 'it has 128 scores and 1 distances'],
    [
      'an equal range',
      { ...a.result, range: { worst: 1, best: 1 } },
      'its range is from 1 to 1, which is no scale for scores',
    ],
  ])('%s', async (_, result, reason) => {
    writeFileSync(
      file(),
      `${JSON.stringify(sampleRecord({ seed: 1 }))}\n${JSON.stringify({ ...a, result })}\n`,
    );
    const { records, torn } = await readRecords(folder);
    expect(records).toHaveLength(1);
    expect(torn).toEqual([{ line: 2, reason }]);
  });

  it('the same id with other scores', async () => {
    const other = { ...a, result: { ...a.result, scores: a.result.scores.map((score) => score + 1) } };
    writeFileSync(file(), `${JSON.stringify(a)}\n${JSON.stringify(other)}\n`);
    expect(await readRecords(folder)).toEqual({
      records: [a],
      torn: [{ line: 2, reason: 'it is of the same trial as line 1, with other scores; that one is used' }],
      lines: [1],
    });
  });
});
