/** HiGHS (https://highs.dev, npm `highs`), the mixed-integer solver, loaded when first needed. */
import type { Highs, Model, ModelData } from 'highs';
import { ArgumentError } from '../numeric/errors.js';

/** One row of a program: lower <= sum of values x columns <= upper. */
export interface ProgramRow {
  readonly columns: readonly number[];
  readonly values: readonly number[];
  readonly lower: number;
  readonly upper: number;
}

/** Minimise cost over variables within bounds and rows; variables marked are whole. */
export interface Program {
  readonly cost: readonly number[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  readonly isWhole: readonly boolean[];
  readonly rows: readonly ProgramRow[];
}

export interface Solver {
  /**
   * Values of the variables at the minimum, or null if no values satisfy the rows; 'undecided' if the search became
   * too long (whole numbers of thousands of values, or without bounds) or its numerics failed. `tolerance`, default 1e-9, is how
   * far values may be outside rows and bounds, or from whole numbers; HiGHS takes no less than 1e-10.
   */
  solve(program: Program, tolerance?: number): Float64Array | 'undecided' | null;
}

/** Nodes of the search tree before it is left undecided; sets of tens of columns take tens. */
const NODES = 2000;

let loading: Promise<Solver> | undefined;
let file: string | undefined;

/**
 * Where `highs.wasm` is, for a page that does not serve it beside its script (Vite does so by itself; docs/browser.md).
 * Call it before a space is decided.
 *
 *     solverFile('/assets/highs.wasm');
 */
export function solverFile(url: string | URL): void {
  file = String(url);
  loading = undefined;
}

export function loadSolver(): Promise<Solver> {
  loading ??= import('highs').then(async (module) => {
    // its declarations are of the CommonJS build; an import gets the ES one, whose default is the loader itself
    const loadHighs = module.default as unknown as (options: object) => Promise<Highs>;
    const place = file === undefined ? {} : { locateFile: () => file };
    const highs = await loadHighs(place).catch((error: unknown) => {
      loading = undefined;
      const reason = error instanceof Error ? error.message.replace(/\s+/g, ' ') : String(error);
      throw new ArgumentError(
        'solverFile',
        `highs.wasm, the solver, could not be loaded; serve it and say where with solverFile(url) (${reason})`,
      );
    });
    return solverOf(highs);
  });
  return loading;
}

function solverOf(highs: Highs): Solver {
  const model = highs.createModel();
  model.options.set({
    output_flag: false,
    mip_max_nodes: NODES,
    // weights below it are dropped from rows; the least HiGHS takes
    small_matrix_value: 1e-12,
    mip_rel_gap: 1e-6,
    random_seed: 0,
  });
  let isBroken = false;
  return {
    solve(program, tolerance = 1e-9) {
      if (isBroken) return 'undecided';
      try {
        return solve(highs, model, program, tolerance);
      } catch (error) {
        // WebAssembly that aborted, out of memory mostly, cannot be called again: whoever asks next loads it anew
        if (!(error instanceof Error) || error.name !== 'RuntimeError') throw error;
        isBroken = true;
        loading = undefined;
        return 'undecided';
      }
    },
  };
}

function solve(
  { constants }: Highs,
  model: Model,
  program: Program,
  tolerance: number,
): Float64Array | 'undecided' | null {
  const { cost, lower, upper, isWhole, rows } = program;
  if (lower.some((low, j) => low > upper[j]!)) return null;
  const isNarrow = isWhole.every((whole, j) => !whole || upper[j]! - lower[j]! <= 1);
  const starts = [0];
  for (const { columns } of rows) starts.push(starts.at(-1)! + columns.length);
  const { variableType, modelStatus } = constants;
  const data: ModelData = {
    numCols: cost.length,
    numRows: rows.length,
    colCost: [...cost],
    colLower: [...lower],
    colUpper: [...upper],
    rowLower: rows.map((row) => row.lower),
    rowUpper: rows.map((row) => row.upper),
    matrix: {
      format: 'csr',
      numCols: cost.length,
      numRows: rows.length,
      starts,
      indices: rows.flatMap(({ columns }) => columns),
      values: rows.flatMap(({ values }) => values),
    },
    integrality: isWhole.map((whole) => (whole ? variableType.integer : variableType.continuous)),
  };
  // a model that was solved before would start from its old solution, and an answer depend on the one before it
  model.clearModel();
  model.options.set({
    primal_feasibility_tolerance: tolerance,
    mip_feasibility_tolerance: tolerance,
    // presolve compares at 1e-9 whatever the tolerance; but only it sees that 2 a + 2 b = 5 has no whole solution
    presolve: tolerance > 1e-9 && isNarrow ? 'off' : 'choose',
  });
  model.raw.passMip(data);
  model.raw.run();
  const status = model.raw.getModelStatus();
  if (status === modelStatus.optimal || status === modelStatus.empty) return model.getSolution().colValue;
  // costs are distances, never below 0: unbounded cannot be meant
  if (status === modelStatus.infeasible || status === modelStatus.unboundedOrInfeasible) return null;
  return 'undecided';
}
