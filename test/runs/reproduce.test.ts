import { describe, expect, it } from 'vitest';
import type { RunDocument } from '../../src/design/runDocument.js';
import { compareRuns } from '../../src/runs/reproduce.js';

/** As much of a document as is compared here. */
function document(run: object = {}, rest: object = {}): RunDocument {
  const made = { id: 'a', created: '2026-11-15', seconds: 3, threads: 2, kernel: 'wasm', seed: 3, ...run };
  const candidates = [{ row: 1, cells: { 'temp in °C': 20.5, solvent: 'THF' }, expected: 0.1 }];
  return { run: made, candidates, ...rest } as unknown as RunDocument;
}

describe('compareRuns', () => {
  it('finds the same in runs of another day, time and number of threads', () => {
    const other = document({ id: 'b', created: '2026-11-16', seconds: 9, threads: 8 });
    expect(compareRuns(document(), other)).toEqual({ isSame: true, differences: [], kernels: null });
  });

  it('says exactly what differs', () => {
    const candidates = [
      { row: 1, cells: { 'temp in °C': 20.500000000000004, solvent: 'THF' }, expected: null },
      { row: 2 },
    ];
    expect(
      compareRuns(document(), document({ seed: 4 }, { candidates, verdict: { level: 'likely' } })),
    ).toEqual({
      isSame: false,
      differences: [
        { path: 'run.seed', a: 3, b: 4 },
        { path: 'candidates[0].cells["temp in °C"]', a: 20.5, b: 20.500000000000004 },
        { path: 'candidates[0].expected', a: 0.1, b: null },
        { path: 'candidates[1]', a: undefined, b: { row: 2 } },
        { path: 'verdict', a: undefined, b: { level: 'likely' } },
      ],
      kernels: null,
    });
  });

  it('says apart from that which kernels were used', () => {
    expect(compareRuns(document(), document({ kernel: 'wasm-relaxed' }))).toEqual({
      isSame: true,
      differences: [],
      kernels: { a: 'wasm', b: 'wasm-relaxed' },
    });
  });
});
