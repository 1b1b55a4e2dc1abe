// What `design` does while it runs: progress, signals, threads, and what its options hold it to.
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { design, type Run, type Table } from '../../src/index.js';
import { readTableFile } from '../../src/node.js';
import { Workplace } from '../cli/smallRun.js';
import { timeless } from './timeless.js';

const place = new Workplace();
const asked = { goal: 'max yield', effort: 'fast', options: { steps: 6 }, batch: 3, kernel: 'wasm' } as const;
let table: Table;
let run: Run;

beforeAll(async () => {
  table = await readTableFile(join(place.folder, 'past.csv'));
  run = await design(table, asked);
});

describe('design', () => {
  it('does not depend on threads, and takes the earlier name of effort', async () => {
    const { effort, ...rest } = asked;
    const again = await design(table, { ...rest, preset: effort, threads: 2 });
    expect(timeless(again)).toEqual(timeless(run));
    await expect(design(table, { ...asked, preset: 'thorough' })).rejects.toThrow(/give one of them/);
  });

  it('tells its progress, from 0 to 1', async () => {
    const stages: string[] = [];
    const shares: number[] = [];
    await design(table, {
      ...asked,
      onProgress: ({ stage, fraction }) => {
        if (stages.at(-1) !== stage) stages.push(stage);
        shares.push(fraction);
      },
    });
    expect(stages).toEqual(['validate', 'train', 'search', 'assess']);
    expect(shares[0]).toBe(0);
    expect(shares.at(-1)).toBe(1);
    expect(shares.toSorted((a, b) => a - b)).toEqual(shares);
  });

  it('ends by a signal: one gives up, the other keeps what there is', async () => {
    const reason = new Error('changed my mind');
    await expect(design(table, { ...asked, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const later = new AbortController();
    const onProgress = ({ stage }: { stage: string }) => stage === 'search' && later.abort(reason);
    await expect(design(table, { ...asked, signal: later.signal, onProgress })).rejects.toBe(reason);
    const stop = new AbortController();
    const steps = { ...asked, options: { steps: 60 } };
    const cut = await design(table, {
      ...steps,
      stop: stop.signal,
      onProgress: ({ detail }) => /step 1\d of 60/.test(detail) && stop.abort(),
    });
    expect([cut.run.complete, cut.candidates.length]).toEqual([false, 3]);
    await expect(design(table, { ...asked, stop: AbortSignal.abort() })).rejects.toThrow(
      'the run was stopped before there was any design; give it more time',
    );
  });

  it('holds bounds, steps and constraints', async () => {
    const bound = await design(table, {
      ...asked,
      columns: { temp: { bounds: [30, 50], step: 5 }, line: { fixed: '=A' } },
      constraints: ['a <= 0.4'],
    });
    for (const { cells } of bound.candidates) {
      expect([30, 35, 40, 45, 50]).toContain(cells.temp);
      expect(cells.line).toBe('=A');
      expect(cells.a).toBeLessThanOrEqual(0.4);
    }
  });
});
