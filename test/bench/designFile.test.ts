import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  decodeDesigns,
  designsHash,
  designsPath,
  encodeDesigns,
  readDesigns,
  writeDesigns,
} from '../../src/bench/designFile.js';
import { designColumns, exportCsv, importCsv } from '../../src/bench/designTables.js';
import { makeRecord } from '../../src/bench/records.js';
import { builtIn } from '../../src/bench/registry.js';
import { ownScorer, readRescored, rescore, withSecondScorers } from '../../src/bench/rescore.js';
import { summarize } from '../../src/bench/summary.js';
import { runTrial, trialId } from '../../src/bench/trial.js';
import { openEngine } from '../../src/numeric/index.js';
import { taskOf } from '../../src/tasks/index.js';
import { memorySource } from '../tasks/sources.js';
import { sampleRecord } from './sampleRecord.js';

const folder = () => mkdtempSync(join(tmpdir(), 'nemokit-designs-'));

describe('a file of designs', () => {
  it.each([
    ['|u1', [0, 1, 255, 7]],
    ['<f4', [0.5, -0, Math.fround(0.1), Math.fround(3e38)]],
    ['<f8', [0.1, -0, 5e-324, 1e300]],
  ])('keeps the bits, as %s', (kind, values) => {
    const designs = Float64Array.from(values);
    const bytes = encodeDesigns({ designs, columns: 2 });
    const again = decodeDesigns(bytes, 'a.npy.gz');
    expect(again.columns).toBe(2);
    expect(designsHash(again.designs)).toBe(designsHash(designs));
    expect(Object.is(again.designs[1], designs[1])).toBe(true);
    // the format of NumPy: magic, version 1.0, a heading that ends at a multiple of 64 bytes
    const plain = gunzipSync(bytes);
    expect(plain.subarray(0, 8).toString('latin1')).toBe('\x93NUMPY\x01\x00');
    expect((10 + plain.readUInt16LE(8)) % 64).toBe(0);
    expect(plain.toString('latin1')).toContain(
      `{'descr': '${kind}', 'fortran_order': False, 'shape': (2, 2), }`,
    );
  });

  it('is what NumPy reads', () => {
    const path = join(folder(), 'a.npy.gz');
    writeFileSync(path, encodeDesigns({ designs: Float64Array.from([0.1, 2, 3, 4, 5, 1e-7]), columns: 3 }));
    const script = `import gzip, numpy; x = numpy.load(gzip.open(${JSON.stringify(path)})); print(x.shape, x.dtype, repr(float(x[0, 0])), repr(float(x[1, 2])))`;
    let said: string;
    try {
      said = execFileSync('python3', ['-c', script], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    } catch {
      console.log('skipped: python3 with numpy is not here');
      return;
    }
    expect(said.trim()).toBe('(2, 3) float64 0.1 1e-07');
  });

  it('is refused when it is damaged, or is of another trial', async () => {
    const bytes = encodeDesigns({ designs: Float64Array.from([1, 2]), columns: 2 });
    expect(() => decodeDesigns(bytes.subarray(0, 20), 'a')).toThrow('a: is no gzip file');
    expect(() => decodeDesigns(gzipSync('text'), 'a')).toThrow('a: is no .npy file of designs');
    const where = folder();
    const record = sampleRecord({ seed: 0 });
    expect(await readDesigns(where, record)).toBeUndefined();
    await writeDesigns(where, record.id, bytes);
    await expect(readDesigns(where, record)).rejects.toThrow('these are not the designs of the record');
    expect(readFileSync(designsPath(where, record.id)).length).toBe(bytes.length);
  });
});

describe('designs that leave and come back', () => {
  it('give the same bits: run, export, import, rescore', async () => {
    const source = memorySource({});
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const noise = builtIn.algorithmOf('noise');
    const spec = {
      task: 'hartmann6-v1',
      algorithm: 'noise',
      algorithmVersion: noise.version,
      variant: 'small',
      options: { ...noise.defaults, batchSize: 16 },
      seed: 3,
      curve: { every: 50, withScores: false },
    };
    const kept: { designs: Float64Array; columns: number }[] = [];
    const result = await runTrial(spec, {
      engine,
      source,
      onDesigns: (designs, columns) => kept.push({ designs, columns }),
    });
    const [designs] = kept;
    const record = makeRecord(trialId(spec), spec, result, sampleRecord({ seed: 0 }).made);

    const task = await taskOf('hartmann6-v1').open(source);
    const csv = exportCsv([{ record, designs: designs! }], designColumns(task.space));
    const [back] = await importCsv(csv, 'theirs.csv', { source, registry: builtIn, as: 'theirs' });
    expect(back!.record.result.scores).toEqual(result.scores);
    expect(back!.record.result.distances).toEqual(result.distances);
    expect(back!.record.result.designsSha256).toBe(result.designsSha256);
    expect(back!.record).toMatchObject({ algorithm: 'theirs', algorithmVersion: 'imported', seed: 3 });

    const where = folder();
    await writeDesigns(where, back!.record.id, encodeDesigns(back!.designs!));
    const options = { scorer: ownScorer, source, registry: builtIn };
    expect(await rescore(where, [back!.record], options)).toEqual({
      rescored: 1,
      withoutDesigns: 0,
      withoutScorer: 0,
      different: [],
    });
    const wrong = {
      ...back!.record,
      result: { ...back!.record.result, scores: result.scores.map((score) => score + 1) },
    };
    expect((await rescore(where, [wrong], options)).different).toEqual([wrong]);
    await expect(rescore(where, [record], { ...options, scorer: 'forest' })).rejects.toThrow(
      'none of these tasks has a scorer "forest"',
    );
  });

  it('have one name only if they are of one algorithm', async () => {
    const text = 'task,algorithm,seed,score\nbranin-v1,a,0,-1.5\nbranin-v1,b,0,-2\n';
    await expect(
      importCsv(text, 'a.csv', { source: memorySource({}), registry: builtIn, as: 'theirs' }),
    ).rejects.toThrow('a.csv:3, column algorithm: is "b" after "a"');
  });

  it('are scores alone where there are no designs', async () => {
    const text =
      'task,algorithm,seed,score\nbranin-v1,theirs,0,-1.5\nbranin-v1,theirs,0,-2\nbranin-v1,theirs,1,-3\n';
    const rows = await importCsv(text, 'a.csv', { source: memorySource({}), registry: builtIn });
    expect(rows.map(({ record, designs }) => [record.seed, record.result.scores, designs])).toEqual([
      [0, [-1.5, -2], null],
      [1, [-3], null],
    ]);
    expect(summarize(rows.map(({ record }) => record))[0]).toMatchObject({
      algorithm: 'theirs',
      distance: null,
    });
  });

  it.each([
    ['algorithm\nx\n', 'a.csv:1, column task: there is none'],
    ['task\nbranin-v1\n', 'a.csv:1, column algorithm: there is none'],
    ['task,algorithm,score\nbranin,x,1\n', 'a.csv:2, column task: there is no task "branin"'],
    [
      'task,algorithm,score\nbranin-v1,nemo,1\n',
      'a.csv:2, column algorithm: "nemo" is an algorithm of nemokit',
    ],
    ['task,algorithm,score\nbranin-v1,x,one\n', 'a.csv:2, column score: "one" is no finite number'],
    [
      'task,algorithm\nbranin-v1,x\n',
      'branin-v1 has neither a column "score" nor the 2 columns of its designs',
    ],
  ])('are refused with line and column: %s', async (text, message) => {
    await expect(importCsv(text, 'a.csv', { source: memorySource({}), registry: builtIn })).rejects.toThrow(
      message,
    );
  });

  it('are shown in a column of their own when a second scorer was asked', () => {
    const record = sampleRecord({ task: 'superconductor-gbdt-v1', seed: 0, scores: [3, 2, 1] });
    const made = { version: '0.2.0', started: '2026-01-01T00:00:00.000Z', cpuSeconds: 1 };
    const again = {
      rescoredVersion: 1 as const,
      id: record.id,
      task: record.task,
      scorer: 'forest',
      scores: [1, 1, 4],
      made,
    };
    const cells = summarize(withSecondScorers([record], [again]));
    expect(cells.map(({ task, raw }) => [task, raw[100].mean])).toEqual([
      ['superconductor-gbdt-v1', 3],
      ['superconductor-gbdt-v1 by forest', 4],
    ]);
  });

  it('are read from where they are kept', async () => {
    expect(await readRescored(folder())).toEqual([]);
  });
});
