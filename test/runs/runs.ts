// What the tests of run folders share: temporary folders, a request, a toy piece of work.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { RunRequest } from '../../src/runs/runFolder.js';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nemokit-run-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function caught(action: Promise<unknown>): Promise<Error> {
  try {
    await action;
  } catch (error) {
    return error as Error;
  }
  throw new Error('expected an error');
}

export const request: RunRequest = {
  argv: ['design', 'data.csv', '--goal', 'max yield'],
  goal: 'max yield',
  source: { file: 'data.csv', bytes: 12, sha256: 'a'.repeat(64) },
  table: { rows: 3, columns: 2, sha256: 'b'.repeat(64) },
  seed: 3,
  method: 'nemo',
  effort: 'quick',
  options: { bins: 20, hidden: [64, 64] },
  kernel: 'wasm',
  threads: 2,
  inputs: { 'problem.yaml': 'version: 1\n', 'data.parquet': Uint8Array.of(80, 65, 82, 49) },
};

export class DiskFull extends Error {
  readonly code = 'ENOSPC';
}
