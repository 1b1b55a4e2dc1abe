/** A run as the files of its folder, and back; the manifest aside, which whoever keeps it writes. */
import { documentIn, type Run, requestFrom } from '../../design/run.js';
import type { RunDocument } from '../../design/runDocument.js';
import { decodeModel, type ModelDescription } from '../../design/savedModel.js';
import { parseProblemFile } from '../../problem/index.js';
import { batchSettingsOf, settingsOf, specOf } from '../../problem/problemSpec.js';
import { shownDocument } from '../../report/index.js';
import { problemFileOf, resultFiles } from '../../runs/runTexts.js';
import { decodeTable, encodeTable } from '../../runs/tableParquet.js';
import type { Table } from '../../table/table.js';
import { cellAt } from '../../table/table.js';
import type { Ask, Cells } from '../protocol/index.js';

/** In the order of a folder: what was asked, then what was found. */
export async function partsOf(run: Run): Promise<Record<string, Uint8Array>> {
  const { asked, model } = run;
  const request = await requestFrom(asked);
  const { table, choices, keep, avoid } = asked;
  const parts = {
    'problem.yaml': problemFileOf(request),
    'data.parquet': encodeTable(table),
    ...(choices && { 'choices.parquet': encodeTable(choices) }),
    ...(keep && { 'keep.parquet': encodeTable(keep) }),
    ...(avoid && { 'avoid.parquet': encodeTable(avoid) }),
    ...(await resultFiles(shownDocument(documentIn(run)), table, model)),
  };
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, bytesOf(part)]));
}

function bytesOf(part: string | Uint8Array): Uint8Array {
  return typeof part === 'string' ? new TextEncoder().encode(part) : part;
}

/** Throws where a file is missing, or not what it should be. */
export async function runFromParts(parts: Readonly<Record<string, Uint8Array>>): Promise<Run> {
  const part = (name: string): Uint8Array => {
    const bytes = parts[name];
    if (!bytes) throw new Error(`${name} is missing; pack the whole folder of a finished run`);
    return bytes;
  };
  const text = (name: string) => new TextDecoder().decode(part(name));
  const file = parseProblemFile(text('problem.yaml'), 'problem.yaml');
  const table = await decodeTable(part('data.parquet'));
  const read = (name: string) => decodeTable(part(name), name);
  const choices = file.choices && (await read('choices.parquet'));
  const keep = file.keep && (await read('keep.parquet'));
  const avoid = file.avoid && (await read('avoid.parquet'));
  const document = JSON.parse(text('candidates.json')) as RunDocument;
  const description = JSON.parse(text('model.json')) as ModelDescription;
  return {
    ...document,
    asked: {
      table,
      ...(choices && { choices }),
      spec: specOf(file),
      batch: file.batch ?? 8,
      ...batchSettingsOf(file),
      ...(keep && { keep }),
      ...(avoid && { avoid }),
      seed: file.seed ?? 0,
      method: file.method ?? 'nemo',
      effort: file.effort ?? 'balanced',
      ...(file.risk !== undefined && { risk: file.risk }),
      ...(file.anyway && { anyway: true as const }),
      options: file.options ?? {},
    },
    model: decodeModel(part('model.safetensors'), description),
  };
}

/** What a run was asked, in the words of the app. */
export function askOf({ asked }: Pick<Run, 'asked'>): Ask {
  const { spec, keep, avoid, options, ...rest } = asked;
  return {
    ...spec,
    ...settingsOf({ ...rest, options: options as NonNullable<Ask['options']> }),
    ...(keep && { keep: cellsOf(keep) }),
    ...(avoid && { avoid: cellsOf(avoid) }),
  };
}

function cellsOf({ rows, columns }: Table): Cells[] {
  return Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(
      columns.flatMap((column) => {
        const cell = cellAt(column, row);
        return cell === null ? [] : [[column.name, cell]];
      }),
    ),
  );
}
