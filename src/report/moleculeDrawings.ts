/** Drawings of the molecules that a report shows. RDKit makes them, so they are made before the report is. */
import type { RunDocument } from '../design/runDocument.js';
import { type MoleculeDrawing, openDrawings } from '../problem/platform/rdkit.js';
import { html, type Markup } from './markup.js';

/** By SMILES. */
export type MoleculeDrawings = ReadonlyMap<string, MoleculeDrawing>;

/**
 * Draws the molecules of a run for its report; none where the table has no molecules, or `@rdkit/rdkit` is not installed.
 *
 * @example
 * const page = renderReport(run, await drawMolecules(run));
 */
export async function drawMolecules(document: RunDocument): Promise<MoleculeDrawings> {
  const drawings = new Map<string, MoleculeDrawing>();
  const columns = moleculeColumns(document);
  if (columns.length === 0) return drawings;
  const draw = await openDrawings().catch(() => undefined);
  if (!draw) return drawings;
  const { bestKnown, candidates, plan = [] } = document;
  for (const { cells } of [bestKnown, ...candidates, ...plan])
    for (const name of columns) {
      const text = String(cells[name] ?? '');
      const drawing = drawings.has(text) ? null : draw(text);
      if (drawing) drawings.set(text, drawing);
    }
  return drawings;
}

/** Columns of molecules that designs set. */
export function moleculeColumns({ data }: Pick<RunDocument, 'data'>): string[] {
  return data.columns
    .filter(({ type, role }) => type === 'smiles' && role !== 'left out')
    .map(({ name }) => name);
}

export function moleculeSvg({ width, height, paths }: MoleculeDrawing, smiles: string): Markup {
  return html`<svg class="molecule" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${smiles}">${paths.map(
    ({ d, colour = 'currentColor', stroke }) =>
      stroke === undefined
        ? html`<path d="${d}" fill="${colour}"/>`
        : html`<path d="${d}" fill="none" stroke="${colour}" stroke-width="${stroke}"/>`,
  )}</svg>`;
}
