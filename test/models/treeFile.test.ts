import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitBoosting } from '../../src/models/gradientBoosting.js';
import { fitForest } from '../../src/models/randomForest.js';
import { decodeTrees, encodeTrees } from '../../src/models/treeFile.js';
import { rootKey } from '../../src/numeric/index.js';

const golden = JSON.parse(readFileSync(new URL('../golden/trees.json', import.meta.url), 'utf8'));
const data = { x: Float64Array.from(golden.x.flat() as number[]), y: golden.y as number[], columns: 4 };
const boosted = fitBoosting(data, { trees: 20, depth: 6, rowShare: 0.5 }, rootKey(1));

describe('trees as bytes', () => {
  it('come back bit for bit', () => {
    const wide = { x: Float64Array.from({ length: 2 * 40_000 }, (_, i) => i), y: [1, 2], columns: 40_000 };
    for (const trees of [
      boosted,
      fitForest(data, { trees: 5 }, rootKey(2)),
      fitForest({ x: Float64Array.of(1), y: [-0], columns: 1 }, { trees: 1 }, rootKey(2)),
      fitForest(wide, { trees: 3, columnsPerSplit: 1 }, rootKey(2)),
    ]) {
      expect(decodeTrees(encodeTrees(trees))).toEqual(trees);
      expect(encodeTrees(decodeTrees(encodeTrees(trees)))).toEqual(encodeTrees(trees));
    }
  });

  it('are those of the release: scores that were published rest on them', () => {
    const options = { trees: 10, depth: 6, columnsPerSplit: 2, rowShare: 0.5 };
    const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    expect([
      digest(encodeTrees(fitBoosting(data, { ...options, columnsPerTree: 3 }, rootKey(5)))),
      digest(encodeTrees(fitForest(data, options, rootKey(5)))),
    ]).toEqual(['a0492c8bb4cdc0c3', '02d074a638cae9fc']);
  });

  it('take 10 bytes a node, and little else', () => {
    const size = encodeTrees(boosted).length;
    expect(size - 10 * boosted.column.length).toBeGreaterThan(0);
    expect(size - 10 * boosted.column.length).toBeLessThan(500 + 4 * 20);
  });

  it('are refused with a reason, whatever is wrong with them', () => {
    const bytes = encodeTrees(boosted);
    expect(() => decodeTrees(bytes.subarray(0, bytes.length - 1))).toThrow('column is cut off');
    // the first node of the last tree, a split, as a leaf
    const broken = bytes.slice();
    const at = bytes.length - 2 * (boosted.first[20]! - boosted.first[19]!);
    new DataView(broken.buffer).setInt16(at, -1, true);
    expect(() => decodeTrees(broken)).toThrow('tree 19 is no tree');
    new DataView(broken.buffer).setInt16(at, 4, true);
    expect(() => decodeTrees(broken)).toThrow('has column 4 of 4');
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const other = bytes.slice();
        other[place]! ^= change;
        let trees: ReturnType<typeof decodeTrees> | undefined;
        try {
          trees = decodeTrees(other);
        } catch (error) {
          expect((error as Error).name).toBe('ArgumentError');
        }
        // what is accepted is a tree: every right child lies behind its parent, within the file
        trees?.column.forEach((j, node) => {
          if (j >= 0) expect(node + 1 + trees.skip[node]!).toBeLessThan(trees.column.length);
        });
      }),
      { seed: 5, numRuns: 100 },
    );
  });
});
