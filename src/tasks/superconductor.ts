/**
 * Two tasks on the critical temperatures of 21,263 superconductors (Hamidieh 2018), scored by the same oracle: gradient
 * boosting fitted to all rows, the recipe of Design-Bench v0 that the NEMO paper used. docs/tasks/superconductor.md.
 */

import {
  type BoostingOptions,
  boostingSteps,
  decodeTrees,
  encodeTrees,
  predictTrees,
} from '../models/index.js';
import { forestTrees, joinForest } from '../models/randomForest.js';
import type { Tree } from '../models/trees.js';
import { ArgumentError } from '../numeric/errors.js';
import { foldKey, rootKey } from '../numeric/key.js';
import { rowOf, takeRows } from '../numeric/rows.js';
import { extent, quantile } from '../numeric/stats.js';
import type { Space } from '../space/space.js';
import { gunzip, inputOf } from '../table/source.js';
import { tableFault } from '../table/tableBuilder.js';
import { fileOf } from './datasets.js';
import {
  type ElementTable,
  elementSymbols,
  featureNames,
  featuresOf,
  readElementTable,
} from './superconductorFeatures.js';
import { type DataSource, requireDesigns, type Task, type TaskDefinition } from './task.js';

const id = 'superconductor';
const trainFile = 'train.csv.gz';
const compositionFile = 'unique_m.csv.gz';
const elementFile = 'element_properties_recovered.csv';

/** Raised when the trees of the same data and options become others. */
const oracleVersion = 2;
const seed = 0;
type OracleOptions = Pick<BoostingOptions, 'rate' | 'trees' | 'depth' | 'rowShare'>;
const oracleOptions: OracleOptions = { rate: 0.02, trees: 374, depth: 16, rowShare: 0.5 };

/** The second scorer: another family (a forest beside boosting), another seed, all rows. Cuts look at 9 of 81 columns. */
const forestVersion = 1;
const forestSeed = 1;
const forestKey = foldKey(rootKey(forestSeed), 'superconductor forest');
const forestOptions = { trees: 100, columnsPerSplit: 9, minLeaf: 2 } as const;

/** Rows whose temperature is at most this quantile are visible. */
const visibleShare = 0.8;
const mostElements = 9;

const provenance: TaskDefinition['provenance'] = {
  data: 'K. Hamidieh 2018, from the SuperCon database',
  scorer: 'gradient boosting fitted to all compounds, after the recipe of Design-Bench v0',
  labels: 'measured',
};

interface Compounds {
  /** N x 81. */
  readonly features: Float64Array;
  /** Critical temperatures in K. */
  readonly y: Float64Array;
  /** Row numbers. */
  readonly visible: readonly number[];
  readonly oracle: (features: Float64Array) => Float64Array;
  /** Another model of the same rows, fitted when it is first asked. */
  readonly forest: (features: Float64Array, report?: (share: number) => void) => Promise<Float64Array>;
}

/** The paper's task. `oracle` is for tests that cannot wait for 374 trees. */
export function superconductorGbdt(oracle: Partial<OracleOptions> = {}): TaskDefinition {
  return {
    id: 'superconductor-gbdt-v1',
    title: 'Superconductor: 81 features of a compound',
    summary:
      'A design is 81 features of a compound, computed or not by any real one; the score is the critical temperature in K by gradient boosting fitted to all measured compounds.',
    paper: 'Superconductor',
    datasets: [id],
    provenance,
    // the setting of nemo@tuned comes from somebody who had seen this scorer
    isForTuning: true,
    async open(source: DataSource): Promise<Task> {
      const compounds = await openCompounds(source, { ...oracleOptions, ...oracle });
      const x = takeRows(compounds.features, featureNames.length, compounds.visible);
      const space: Space = { columns: boxColumns(x) };
      return {
        data: { x, y: takeRows(compounds.y, 1, compounds.visible) },
        space,
        range: rangeOf(compounds.y),
        async score(designs) {
          // The oracle has an answer outside of the box too, as for the compounds that are not shown.
          requireDesigns(space, designs, Number.POSITIVE_INFINITY);
          return compounds.oracle(designs);
        },
        secondScorers: {
          async forest(designs, report) {
            requireDesigns(space, designs, Number.POSITIVE_INFINITY);
            return compounds.forest(designs, report);
          },
        },
      };
    },
  };
}

/** Beyond the paper: every design is a formula. */
export function superconductorComposition(oracle: Partial<OracleOptions> = {}): TaskDefinition {
  return {
    id: 'superconductor-composition-v1',
    title: 'Superconductor: shares of the elements',
    summary:
      'A design is the shares of 86 elements in a compound, at most 9 of them present; the score is the critical temperature in K by gradient boosting on the 81 features computed from it.',
    paper: null,
    datasets: [id],
    provenance,
    isForTuning: true, // the same scorer
    async open(source: DataSource): Promise<Task> {
      const compounds = await openCompounds(source, { ...oracleOptions, ...oracle });
      const d = elementSymbols.length;
      const table = await readGzipCsv(await source.read(id, compositionFile), compositionFile, d + 1);
      const elements = readElementTable(await source.read(id, elementFile), elementFile);
      const shares = sharesOf(table.rows, compounds.y);
      const space = compositionSpace(elements);
      const features = (designs: Float64Array) => {
        const n = requireDesigns(space, designs, 1e-6);
        const computed = new Float64Array(n * featureNames.length);
        for (let i = 0; i < n; i++)
          computed.set(featuresOf(rowOf(designs, d, i), elements), i * featureNames.length);
        return computed;
      };
      return {
        data: { x: takeRows(shares, d, compounds.visible), y: takeRows(compounds.y, 1, compounds.visible) },
        space,
        range: rangeOf(compounds.y),
        score: async (designs) => compounds.oracle(features(designs)),
        secondScorers: { forest: async (designs, report) => compounds.forest(features(designs), report) },
      };
    },
  };
}

async function openCompounds(source: DataSource, options: OracleOptions): Promise<Compounds> {
  const d = featureNames.length;
  const { names, rows } = await readGzipCsv(await source.read(id, trainFile), trainFile, d + 1);
  const expected = [...featureNames, 'critical_temp'];
  const other = expected.findIndex((name, j) => names[j] !== name);
  if (other >= 0)
    throw new ArgumentError(trainFile, `column ${other} is "${names[other]}"; expected "${expected[other]}"`);
  const N = rows.length / (d + 1);
  const features = new Float64Array(N * d);
  const y = new Float64Array(N);
  for (let i = 0; i < N; i++) {
    const row = rowOf(rows, d + 1, i);
    features.set(row.subarray(0, d), i * d);
    y[i] = row[d]!;
  }
  const limit = quantile(y, visibleShare);
  const visible = Array.from(y.keys()).filter((i) => y[i]! <= limit);
  const { rate, trees, depth, rowShare } = options;
  const x = singles(features);
  const data = fileOf(id, trainFile).sha256.slice(0, 16);
  const name = `superconductor-oracle-${oracleVersion}-${data}-rate${rate}-trees${trees}-depth${depth}-rows${rowShare}-seed${seed}`;
  const fitted = await source.cached(name, async (report) => {
    const key = foldKey(rootKey(seed), 'superconductor oracle');
    const steps = boostingSteps({ x, y, columns: d, names: featureNames }, options, key);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return encodeTrees(value);
      report(value / trees);
    }
  });
  const oracle = decodeTrees(fitted);
  const forest = async (report?: (share: number) => void) => {
    const name = `superconductor-forest-${forestVersion}-${data}-trees${forestOptions.trees}-columns${forestOptions.columnsPerSplit}-leaf${forestOptions.minLeaf}-seed${forestSeed}`;
    const grown = await source.cached(name, async (told) => {
      const table = { x, y, columns: d, names: featureNames };
      const trees: Tree[] = [];
      for (const tree of forestTrees(table, forestOptions, forestKey, 0, forestOptions.trees)) {
        const share = trees.push(tree) / forestOptions.trees;
        told(share);
        report?.(0.9 * share);
      }
      return encodeTrees(joinForest(trees, d));
    });
    return decodeTrees(grown);
  };
  return {
    features,
    y,
    visible,
    oracle: (designs) => predictTrees(oracle, singles(designs)),
    forest: async (designs, report) => predictTrees(await forest(report), singles(designs)),
  };
}

/**
 * The oracle reads features in single precision, as scikit-learn's does: otherwise trees cut between values that differ
 * by the rounding of the file, and a composition would not score as its row.
 */
function singles(features: Float64Array): Float64Array {
  return features.map(Math.fround);
}

/** Between the least and the greatest visible value of each feature. */
function boxColumns(x: Float64Array): Space['columns'] {
  const d = featureNames.length;
  return featureNames.map((name, j) => {
    let [lower, upper] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let at = j; at < x.length; at += d) {
      lower = Math.min(lower, x[at]!);
      upper = Math.max(upper, x[at]!);
    }
    return { kind: 'continuous', name, lower, upper };
  });
}

function compositionSpace(elements: ElementTable): Space {
  const all = elementSymbols.map((_, column) => column);
  return {
    columns: elementSymbols.map((name) => ({ kind: 'continuous', name, lower: 0, upper: 1 })),
    fixed: all
      .filter((column) => elements[column] === null)
      .map((column) => ({ column, value: 0, label: `${elementSymbols[column]} is in no measured compound` })),
    linear: [
      {
        terms: all.map((column) => ({ column, weight: 1 })),
        relation: '=',
        bound: 1,
        label: 'the shares of the elements add up to 1',
      },
    ],
    cardinality: [
      { columns: all, atLeast: 1, atMost: mostElements, label: `1 to ${mostElements} elements are present` },
    ],
  };
}

/** Amounts (86 and the temperature per row) as shares; the rows have to be those of the features. */
function sharesOf(rows: Float64Array, y: Float64Array): Float64Array {
  const d = elementSymbols.length;
  const shares = new Float64Array(y.length * d);
  if (rows.length !== y.length * (d + 1))
    throw new ArgumentError(
      compositionFile,
      `${compositionFile} has not the ${y.length} rows of ${trainFile}`,
    );
  y.forEach((temperature, i) => {
    const row = rowOf(rows, d + 1, i);
    if (row[d] !== temperature)
      throw new ArgumentError(
        compositionFile,
        `${compositionFile}:${i + 2}: the temperature is ${row[d]}, in ${trainFile} it is ${temperature}`,
      );
    let total = 0;
    for (let e = 0; e < d; e++) total += row[e]!;
    for (let e = 0; e < d; e++) shares[i * d + e] = row[e]! / total;
  });
  return shares;
}

function rangeOf(y: Float64Array): Task['range'] {
  const { min: worst, max: best } = extent(y);
  return { worst, best };
}

interface NumberTable {
  readonly names: readonly string[];
  /** N x the number of names, row-major. */
  readonly rows: Float64Array;
}

/** The largest file here holds 25 MB. */
const mostBytes = 1 << 28;

/** Reads CSV in gzip, one heading line, nothing quoted: the first `columns` columns, all of numbers. */
export async function readGzipCsv(bytes: Uint8Array, file: string, columns: number): Promise<NumberTable> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of gunzip(inputOf(bytes).open(), file, mostBytes))
    text += decoder.decode(chunk, { stream: true });
  const [heading = '', ...lines] = (text + decoder.decode()).trimEnd().split(/\r?\n/);
  const names = heading.split(',').slice(0, columns);
  if (names.length < columns)
    throw tableFault(file, `the heading has ${names.length} columns; expected ${columns}`, 1);
  const rows = new Float64Array(lines.length * columns);
  lines.forEach((line, i) => {
    const cells = line.split(',', columns);
    for (let j = 0; j < columns; j++) {
      const cell = cells[j];
      const value = cell === undefined || cell.trim() === '' ? Number.NaN : Number(cell);
      if (!Number.isFinite(value))
        throw tableFault(file, `is ${cell ? `"${cell}", not a number` : 'empty'}`, i + 2, names[j]);
      rows[i * columns + j] = value;
    }
  });
  return { names, rows };
}

export const superconductorGbdtV1 = superconductorGbdt();
export const superconductorCompositionV1 = superconductorComposition();
