import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CheckpointError,
  checkpointName,
  loadCheckpoint,
  previousCheckpointName,
  saveCheckpoint,
} from '../../src/runs/checkpoint.js';
import { caught, DiskFull, temporaryFolder } from './runs.js';

const identity = { seed: '3', table: 'abc' };

function damage(path: string, change: (bytes: Buffer) => Buffer): void {
  writeFileSync(path, change(readFileSync(path)));
}

/** Changes the header without touching the checksum, which is that of the state. */
function editHeader(path: string, change: (header: Record<string, unknown>) => void): void {
  damage(path, (bytes) => {
    const start = bytes.indexOf('{');
    const end = start + bytes.readUInt32LE(start - 4);
    const header = JSON.parse(bytes.toString('utf8', start, end));
    change(header);
    const head = Buffer.from(JSON.stringify(header));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(head.length);
    return Buffer.concat([bytes.subarray(0, start - 4), length, head, bytes.subarray(end)]);
  });
}

describe('a saved state', () => {
  it('comes back the same, whatever plain data it is', async () => {
    const folder = temporaryFolder();
    const numbers = fc.double();
    const leaf = fc.oneof(
      numbers,
      fc.string({ unit: 'binary' }),
      fc.boolean(),
      fc.constantFrom(null, undefined),
      fc.float32Array(),
      fc.float64Array(),
      fc.int32Array(),
      fc.uint8Array(),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('tree')),
        fc.dictionary(fc.string(), tie('tree'), { noNullPrototype: true }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(tree, async (state) => {
        await saveCheckpoint(folder, state, identity);
        const loaded = await loadCheckpoint(folder, identity);
        expect(loaded).toStrictEqual({ state, warnings: [] });
      }),
      { numRuns: 40 },
    );
  });

  it('has arrays of its own, bit for bit, and keeps what is shared', async () => {
    const folder = temporaryFolder();
    const large = new Float64Array(1000);
    const part = large.subarray(10, 14);
    part.set([-0, Number.MIN_VALUE, Number.NaN, 1 / 3]);
    const threads = new Float32Array(new SharedArrayBuffer(8));
    threads[1] = 0.1;
    await saveCheckpoint(folder, { part, again: part, odd: 'x', threads }, identity);
    const { state } = await loadCheckpoint<{
      part: Float64Array;
      again: Float64Array;
      threads: Float32Array;
    }>(folder, identity);
    expect(Buffer.from(state!.part.buffer)).toEqual(
      Buffer.from(part.buffer, part.byteOffset, part.byteLength),
    );
    expect(state!.again).toBe(state!.part);
    expect([...state!.threads]).toEqual([0, Math.fround(0.1)]);
  });

  it('is undefined where none was saved', async () => {
    expect(await loadCheckpoint(temporaryFolder(), identity)).toEqual({ state: undefined, warnings: [] });
  });
});

describe('two saved states', () => {
  it.each<[string, string, (bytes: Buffer) => Buffer]>([
    [
      'a flipped bit',
      'its checksum is wrong',
      (bytes) => bytes.map((byte, i) => (i === bytes.length - 1 ? byte ^ 1 : byte)) as Buffer,
    ],
    ['a missing end', 'part of it is missing', (bytes) => bytes.subarray(0, -3)],
    ['a broken header', 'its header cannot be read', (bytes) => bytes.fill(0x78, 20, 30)],
    ['half a header', 'its header cannot be read', (bytes) => bytes.subarray(0, 40)],
    ['nothing', 'it does not begin like a saved state', () => Buffer.alloc(0)],
    [
      'something else',
      'it does not begin like a saved state',
      () => Buffer.from('a,b\n1,2\n3,4\n5,6\n7,8\n9,9\n'),
    ],
  ])('survive %s in the newest', async (_, why, change) => {
    const folder = temporaryFolder();
    const path = join(folder, checkpointName);
    for (const n of [1, 2]) await saveCheckpoint(folder, { n }, identity);
    damage(path, change);
    expect(await loadCheckpoint(folder, identity)).toEqual({
      state: { n: 1 },
      warnings: [`${path} is damaged: ${why}; the state saved before it is used`],
    });
    // The damaged one must not push out the good one.
    await saveCheckpoint(folder, { n: 3 }, identity);
    damage(path, change);
    expect((await loadCheckpoint(folder, identity)).state).toEqual({ n: 1 });
  });

  it('begin again where both are damaged', async () => {
    const folder = temporaryFolder();
    for (const n of [1, 2]) await saveCheckpoint(folder, { n }, identity);
    for (const name of [checkpointName, previousCheckpointName])
      damage(join(folder, name), (bytes) => bytes.subarray(0, -1));
    const { state, warnings } = await loadCheckpoint(folder, identity);
    expect(state).toBeUndefined();
    expect(warnings).toHaveLength(2);
    expect(warnings[1]).toContain('the run begins again');
  });

  it('survive a process killed between the two renames', async () => {
    const folder = temporaryFolder();
    for (const n of [1, 2]) await saveCheckpoint(folder, { n }, identity);
    renameSync(join(folder, checkpointName), join(folder, previousCheckpointName));
    expect(await loadCheckpoint(folder, identity)).toEqual({ state: { n: 2 }, warnings: [] });
  });

  it('survive a full disk', async () => {
    const folder = temporaryFolder();
    for (const n of [1, 2]) await saveCheckpoint(folder, { n }, identity);
    const write = async () => {
      throw new DiskFull();
    };
    const error = await caught(saveCheckpoint(folder, { n: 3 }, identity, { write }));
    expect(error).toMatchObject({ name: 'FileError', code: 'ENOSPC' });
    expect((await loadCheckpoint(folder, identity)).state).toEqual({ n: 2 });
    expect(existsSync(join(folder, previousCheckpointName))).toBe(true);
  });
});

describe('a state of another run', () => {
  it('is refused by name', async () => {
    const folder = temporaryFolder();
    await saveCheckpoint(folder, 1, identity);
    const error = await caught(loadCheckpoint(folder, { ...identity, seed: '4', kernel: 'wasm' }));
    expect(error).toBeInstanceOf(CheckpointError);
    expect(error.message).toBe(
      `${join(folder, checkpointName)} was saved by a run with another seed, kernel; going on would mix the two. ` +
        'Start a new run',
    );
  });

  it.each([
    ['format', 2, 'is a saved state of format 2, made by nemokit'],
    ['version', '9.9.9', 'was saved by nemokit 9.9.9, this is'],
  ])('is refused because of its %s', async (key, value, words) => {
    const folder = temporaryFolder();
    for (const n of [1, 2]) await saveCheckpoint(folder, { n }, identity);
    const path = join(folder, checkpointName);
    editHeader(path, (header) => {
      header[key] = value;
    });
    expect((await caught(loadCheckpoint(folder, identity))).message).toContain(words);
    expect(existsSync(path)).toBe(true);
  });
});
