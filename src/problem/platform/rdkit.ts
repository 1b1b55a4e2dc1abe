/** Fingerprints and drawings of molecules by RDKit (https://rdkit.org, npm `@rdkit/rdkit`), an optional package of 7 MB. */
import { ArgumentError, requireCount } from '../../numeric/errors.js';
import { inspect } from '../../table/columnTypes.js';
import type { Table } from '../../table/table.js';
import type { Fingerprints } from '../molecules.js';

export type { Fingerprints } from '../molecules.js';

/** Size and radius of fingerprints, and where RDKit lies. */
export interface FingerprintOptions {
  /** Bits per molecule; a multiple of 8. Default 256. */
  readonly bits?: number;
  /** Bonds around each atom that are looked at. Default 2. */
  readonly radius?: number;
  /** Address of `RDKit_minimal.wasm`, for pages that do not serve it beside their script. */
  readonly wasm?: string;
}

/** What is used of RDKit; its objects live in WebAssembly until they are deleted. */
interface Molecule {
  is_valid(): boolean;
  get_num_atoms(): number;
  get_morgan_fp_as_uint8array(details: string): Uint8Array;
  get_svg_with_highlights(details: string): string;
  delete(): void;
}

interface RDKit {
  get_mol(smiles: string, details: string): Molecule | null;
}

type Load = (options: object) => Promise<RDKit>;

/**
 * Loads RDKit and gives a function from SMILES to Morgan fingerprints, 0 or 1 per bit; null for what is no molecule.
 * Throws an `ArgumentError` if RDKit is not installed.
 *
 * @example
 * const problem = stateProblem(table, spec, { fingerprints: await openFingerprints() });
 */
export async function openFingerprints(options: FingerprintOptions = {}): Promise<Fingerprints> {
  const { bits = 256, radius = 2, wasm } = options;
  requireCount('bits', bits);
  if (bits % 8 !== 0) throw new ArgumentError('bits', `bits is ${bits}; expected a multiple of 8`);
  if (!Number.isInteger(radius) || radius < 0 || radius > 10)
    throw new ArgumentError('radius', `radius is ${radius}; expected a whole number from 0 to 10`);
  const rdkit = await openOnce(await findLoader(), wasm);
  const details = JSON.stringify({ radius, nBits: bits });
  return (smiles) => {
    // RDKit would also read mol blocks and JSON, and takes the empty text for a molecule without atoms
    if (smiles === '' || /[\s{]/.test(smiles)) return null;
    const molecule = rdkit.get_mol(smiles, '{}');
    if (!molecule) return null;
    try {
      if (!molecule.is_valid() || molecule.get_num_atoms() === 0) return null;
      const packed = molecule.get_morgan_fp_as_uint8array(details);
      return Uint8Array.from({ length: bits }, (_, b) => (packed[b >> 3]! >> (b & 7)) & 1);
    } finally {
      molecule.delete();
    }
  };
}

/** Fingerprints where a table has molecules and RDKit is installed; without them `stateProblem` says what is missing. */
export async function fingerprintsFor(table: Table): Promise<{ readonly fingerprints?: Fingerprints }> {
  const columns = table.columns.filter(({ kind }) => kind === 'text');
  if (!inspect({ ...table, columns }).some(({ type }) => type === 'smiles')) return {};
  const fingerprints = await openFingerprints().catch(() => undefined);
  return fingerprints ? { fingerprints } : {};
}

/** A molecule as lines and shapes; black is left out, so that it can be the colour of the text around it. */
export interface MoleculeDrawing {
  readonly width: number;
  readonly height: number;
  readonly paths: readonly {
    /** As in SVG. */
    readonly d: string;
    readonly colour?: string;
    /** Of a line; absent for a shape that is filled. */
    readonly stroke?: number;
  }[];
}

/**
 * Loads RDKit and gives a function that draws a molecule; null for what is none. Throws an `ArgumentError` if RDKit is
 * not installed.
 */
export async function openDrawings(): Promise<(smiles: string) => MoleculeDrawing | null> {
  const rdkit = await openOnce(await findLoader(), undefined);
  const [width, height] = [170, 110];
  const details = JSON.stringify({ width, height, clearBackground: false, bondLineWidth: 1.4 });
  return (smiles) => {
    if (smiles === '' || /[\s{]/.test(smiles)) return null;
    const molecule = rdkit.get_mol(smiles, '{}');
    if (!molecule) return null;
    try {
      if (!molecule.is_valid() || molecule.get_num_atoms() === 0) return null;
      return { width, height, paths: pathsIn(molecule.get_svg_with_highlights(details)) };
    } finally {
      molecule.delete();
    }
  };
}

/** Lines and shapes of RDKit's SVG and nothing else of it, so that no text of a table gets into a page by this way. */
function pathsIn(svg: string): MoleculeDrawing['paths'] {
  const paths: { d: string; colour?: string; stroke?: number }[] = [];
  for (const [, attributes] of svg.matchAll(/<path\s([^<>]*?)\/?>/g)) {
    const d = /\bd='([MLQCZ\d\s.,-]+)'/.exec(attributes!)?.[1]?.trim().replace(/\s+/g, ' ');
    if (d === undefined) continue;
    const line = /stroke:(#[0-9A-Fa-f]{6});stroke-width:([\d.]+)px/.exec(attributes!);
    const colour = line?.[1] ?? /\bfill[=:]'?(#[0-9A-Fa-f]{6})/.exec(attributes!)?.[1];
    const path = {
      ...(colour !== undefined && colour !== '#000000' && { colour }),
      ...(line && { stroke: Number(line[2]) }),
    };
    const last = paths.at(-1);
    if (last && last.colour === path.colour && last.stroke === path.stroke) last.d += ` ${d}`;
    else paths.push({ d, ...path });
  }
  return paths;
}

const opened = new WeakMap<Load, Promise<RDKit>>();

/** One memory for all callers; the next one tries again if it could not be opened. */
function openOnce(load: Load, wasm: string | undefined): Promise<RDKit> {
  const known = opened.get(load);
  if (known) return known;
  const silent = () => {};
  const place = wasm === undefined ? {} : { locateFile: () => wasm };
  const opening = load({ print: silent, printErr: silent, ...place }).catch((error: unknown) => {
    opened.delete(load);
    const reason = error instanceof Error ? error.message : String(error);
    throw new ArgumentError('fingerprints', `RDKit could not be started: ${reason.split('\n')[0]}`);
  });
  opened.set(load, opening);
  return opening;
}

async function findLoader(): Promise<Load> {
  // a page may have loaded it with a script element
  const given = (globalThis as { initRDKitModule?: unknown }).initRDKitModule;
  if (typeof given === 'function') return given as Load;
  let module: { readonly default?: unknown };
  try {
    module = await import('@rdkit/rdkit');
  } catch {
    throw new ArgumentError('fingerprints', 'RDKit is not installed; run npm install @rdkit/rdkit');
  }
  // CommonJS: its declarations know no difference between the module and its default
  const found = [module.default, (module.default as { default?: unknown } | undefined)?.default];
  const load = found.find((entry) => typeof entry === 'function');
  if (load) return load as Load;
  throw new ArgumentError(
    'fingerprints',
    'RDKit could not be loaded as a module; load its script first (<script src=".../RDKit_minimal.js">)',
  );
}
