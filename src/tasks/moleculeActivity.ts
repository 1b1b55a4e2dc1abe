/**
 * Molecules that bind to the dopamine D3 receptor: ChEMBL 234, pKi (van Tilborg et al. 2022, MoleculeACE), scored by a
 * random forest on fingerprints. A stand-in: the recipe is that of Design-Bench v0 (Trabucco et al. 2022), whose assay
 * is not public any more, so that scores here are no scores of the paper's task.
 */
import { boostingSteps } from '../models/gradientBoosting.js';
import { forestTrees, joinForest } from '../models/randomForest.js';
import { decodeTrees, encodeTrees } from '../models/treeFile.js';
import { predictTrees, type Tree, type Trees } from '../models/trees.js';
import { ArgumentError, requireCount, ShapeError } from '../numeric/errors.js';
import { foldKey, rootKey } from '../numeric/key.js';
import { rowOf } from '../numeric/rows.js';
import { extent, quantile, topIndices } from '../numeric/stats.js';
import type { SpaceColumn } from '../space/space.js';
import {
  checksumOf,
  type MoleculeTable,
  packBits,
  printsOf,
  readMoleculeTable,
  unpackBits,
} from './moleculeTable.js';
import type { DataSource, Task, TaskDefinition } from './task.js';

const ID = 'molecule-activity-forest-v1';
const DATASET = 'molecule';
const FILE = 'CHEMBL234_Ki.smiles_y.csv';

const BITS = 1024;
const RADIUS = 2;
const VISIBLE = 0.8;

interface MoleculeActivityOptions {
  readonly trees: number;
  readonly depth: number;
  /** `checksumOf` the table; null: any table. */
  readonly checksum: number | null;
}

/** Those of the task. */
export const moleculeActivityDefaults: MoleculeActivityOptions = {
  trees: 500,
  depth: 32,
  checksum: 0xaeb694ad,
};

export interface NearMolecule {
  readonly smiles: string;
  /** Tanimoto, 0 to 1. */
  readonly similarity: number;
  /** Measured. */
  readonly y: number;
  /** Whether methods see it. */
  readonly isVisible: boolean;
}

export interface MoleculeTask extends Task {
  /** Real molecules most like a design, hidden ones too: for people to look at, never given to a method. */
  nearest(design: Float64Array, k: number): NearMolecule[];
}

interface MoleculeTaskDefinition extends TaskDefinition {
  open(source: DataSource): Promise<MoleculeTask>;
}

export const moleculeActivity: MoleculeTaskDefinition = {
  id: ID,
  title: 'Dopamine D3 binding (stand-in for MoleculeActivity)',
  summary:
    "A design is the 1,024 bits of a molecule's fingerprint; its score is the pKi at the dopamine D3 receptor as a " +
    "random forest on 3,657 measured molecules expects it. It stands in for the paper's withdrawn assay.",
  paper: null,
  datasets: [DATASET],
  provenance: {
    data: 'ChEMBL target 234, curated by D. van Tilborg et al. 2022 (MoleculeACE)',
    scorer: 'a random forest fitted to all molecules, after the recipe of Design-Bench v0',
    labels: 'measured',
  },
  isForTuning: false,
  open: (source) => openMoleculeActivity(source, moleculeActivityDefaults),
};

/** With smaller forests for tests. */
export async function openMoleculeActivity(
  source: DataSource,
  options: MoleculeActivityOptions,
): Promise<MoleculeTask> {
  const table = await readMoleculeTable(await source.read(DATASET, FILE), `${DATASET}/${FILE}`);
  const { smiles, y } = table;
  const prints = await loadPrints(source, table, options.checksum);
  const forest = await loadForest(source, y, prints, options);
  const threshold = quantile(y, VISIBLE);
  const visible = [...y.keys()].filter((row) => y[row]! <= threshold);
  const x = new Float64Array(visible.length * BITS);
  visible.forEach((row, i) => x.set(rowOf(prints, BITS, row), i * BITS));
  const { min, max } = extent(y);
  return {
    data: { x, y: Float64Array.from(visible, (row) => y[row]!) },
    space: { columns: Array.from({ length: BITS }, bitColumn) },
    range: { worst: min, best: max },
    async score(designs) {
      requireBits(designs);
      return predictTrees(forest, designs);
    },
    secondScorers: {
      async boosting(designs, report) {
        requireBits(designs);
        return predictTrees(await loadBoosting(source, y, prints, options, report), designs);
      },
    },
    nearest(design, k) {
      if (design.length !== BITS) {
        throw new ShapeError('design', `design has ${design.length} numbers; expected ${BITS} bits`);
      }
      requireBits(design);
      return nearestMolecules(prints, design, k).map(({ row, similarity }) => ({
        smiles: smiles[row]!,
        similarity,
        y: y[row]!,
        isVisible: y[row]! <= threshold,
      }));
    },
  };
}

function bitColumn(_: unknown, bit: number): SpaceColumn {
  return { kind: 'categorical', name: `bit ${bit}`, classes: 2 };
}

/** Checked before they are kept, so that a wrong RDKit leaves nothing behind; and after, because files may change. */
async function loadPrints(
  source: DataSource,
  table: MoleculeTable,
  checksum: number | null,
): Promise<Uint8Array> {
  const check = (prints: Uint8Array) => {
    if (checksum === null || checksumOf(table.y, prints) === checksum) return;
    throw new ArgumentError(
      'fingerprints',
      `${table.name} or the fingerprints of its molecules are not those of ${ID}; ` +
        'check the file with nemokit data verify, and install @rdkit/rdkit 2026.9.1',
    );
  };
  const make = async () => {
    if (!source.fingerprints) {
      throw new ArgumentError(
        'source',
        `${ID} needs fingerprints of molecules; run npm install @rdkit/rdkit, and give openFingerprints of ` +
          'nemokit as "fingerprints" of the source',
      );
    }
    const prints = printsOf(table, await source.fingerprints({ bits: BITS, radius: RADIUS }), BITS);
    check(prints);
    return packBits(prints);
  };
  const packed = await source.cached(`${ID}-fingerprints`, make);
  const prints = unpackBits(packed, table.smiles.length * BITS);
  check(prints);
  return prints;
}

async function loadForest(
  source: DataSource,
  y: Float64Array,
  prints: Uint8Array,
  { trees, depth }: MoleculeActivityOptions,
): Promise<Trees> {
  const fitted = await source.cached(`${ID}-${trees}-trees-of-depth-${depth}`, async (report) => {
    const data = { x: Float64Array.from(prints), y, columns: BITS };
    const grown: Tree[] = [];
    for (const tree of forestTrees(data, { depth }, foldKey(rootKey(0), ID), 0, trees))
      report(grown.push(tree) / trees);
    return encodeTrees(joinForest(grown, BITS));
  });
  return decodeTrees(fitted);
}

/** The second scorer: boosting beside a forest, with another seed, on all molecules. */
const boostingRecipe = { rate: 0.05, depth: 6, rowShare: 0.5 } as const;

async function loadBoosting(
  source: DataSource,
  y: Float64Array,
  prints: Uint8Array,
  { trees }: MoleculeActivityOptions,
  report?: (share: number) => void,
): Promise<Trees> {
  const { rate, depth, rowShare } = boostingRecipe;
  const name = `${ID}-boosting-1-${trees}-trees-of-depth-${depth}-rate-${rate}-rows-${rowShare}`;
  const fitted = await source.cached(name, async (told) => {
    const data = { x: Float64Array.from(prints), y, columns: BITS };
    const key = foldKey(rootKey(1), `${ID} boosting`);
    const steps = boostingSteps(data, { ...boostingRecipe, trees }, key);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return encodeTrees(value);
      told(value / trees);
      report?.((0.9 * value) / trees);
    }
  });
  return decodeTrees(fitted);
}

function requireBits(x: Float64Array): void {
  if (x.length % BITS !== 0) {
    throw new ShapeError('x', `x has ${x.length} numbers, which are not whole designs of ${BITS} bits`);
  }
  const at = x.findIndex((bit) => bit !== 0 && bit !== 1);
  if (at < 0) return;
  throw new ArgumentError(
    'x',
    `design ${Math.floor(at / BITS)} has ${x[at]} as bit ${at % BITS}; expected 0 or 1`,
  );
}

interface Neighbour {
  /** Number of the molecule. */
  readonly row: number;
  /** Bits both have, as a share of those that either has: 0 to 1; 1 if neither has any. */
  readonly similarity: number;
}

/**
 * The `k` real molecules most similar to made-up `bits` by Tanimoto, most similar first, of equals the lower number; all of them if there are
 * fewer. `prints` are N x d, 0 or 1; `bits` d.
 */
export function nearestMolecules(prints: Uint8Array, bits: ArrayLike<number>, k: number): Neighbour[] {
  requireCount('k', k);
  const d = bits.length;
  if (d === 0 || prints.length === 0 || prints.length % d !== 0) {
    throw new ShapeError('prints', `prints has ${prints.length} bits, which are not molecules of ${d}`);
  }
  const ones: number[] = [];
  for (let b = 0; b < d; b++) if (bits[b] === 1) ones.push(b);
  const N = prints.length / d;
  const similarities = new Float64Array(N);
  for (let i = 0; i < N; i++) {
    let both = 0;
    for (const b of ones) both += prints[i * d + b]!;
    let count = 0;
    for (let b = 0; b < d; b++) count += prints[i * d + b]!;
    const either = count + ones.length - both;
    similarities[i] = either === 0 ? 1 : both / either;
  }
  return Array.from(topIndices(similarities, Math.min(k, N)), (row) => ({
    row,
    similarity: similarities[row]!,
  }));
}
