// Run folders that somebody else made: a whole run, copies of it, and contents whose checksums are right.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Manifest, printManifest } from '../../src/runs/manifest.js';
import { sha256Of } from '../../src/runs/runFiles.js';
import { type Called, called } from '../cli/called.js';
import { least, smallTable } from '../cli/smallRun.js';

/** A folder for a test file: a table, rows to score, and a finished run. */
export class CraftedRuns {
  readonly folder = mkdtempSync(join(tmpdir(), 'nemokit-hostile-'));
  readonly rows = join(this.folder, 'rows.csv');
  readonly #whole = join(this.folder, 'whole');
  #count = 0;

  async build(): Promise<void> {
    const table = join(this.folder, 'past.csv');
    writeFileSync(table, smallTable());
    writeFileSync(this.rows, 'temp,line,a,b\n50,=A,0.5,0.5\n');
    const { code, stderr } = await called('design', table, ...least, '--out', this.#whole, '--quiet');
    expect([0, 3], stderr).toContain(code);
  }

  /** A copy of the finished run. */
  copy(): string {
    const path = join(this.folder, `copy-${++this.#count}`);
    cpSync(this.#whole, path, { recursive: true });
    return path;
  }

  /** A copy that says it was stopped. */
  stopped(): string {
    const path = this.copy();
    this.manifest(path, (manifest) => ({ ...manifest, status: 'interrupted' }));
    return path;
  }

  manifest(path: string, change: (manifest: Record<string, unknown>) => unknown): void {
    const file = join(path, 'manifest.json');
    const { checksum: _, ...before } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    writeFileSync(file, printManifest(change(before) as Manifest));
  }

  /** Puts contents in place of a file, and its checksum into the manifest. */
  forge(path: string, name: string, contents: string | Uint8Array): void {
    writeFileSync(join(path, name), contents);
    this.manifest(path, (manifest) => ({
      ...manifest,
      files: {
        ...(manifest.files as object),
        [name]: { bytes: Buffer.byteLength(contents), sha256: sha256Of(contents) },
      },
    }));
  }

  /** The commands that read a finished run. */
  commands(path: string): readonly string[][] {
    return [
      ['runs', 'show', path],
      ['runs', 'resume', path, '--quiet'],
      ['score', path, this.rows],
      ['explain', path],
    ];
  }

  outside(name: string): string {
    const folder = join(this.folder, 'outside');
    mkdirSync(folder, { recursive: true });
    return join(folder, name);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A refusal of bad input: a documented exit code, one message that is not a bug's, no stack. */
export function expectRefusal({ code, stderr, stdout }: Called, what: string): void {
  expect(code, `${what}: ${stderr}`).toBe(2);
  expect(stderr, what).toMatch(/^nemokit: \S/m);
  expectNoSlip({ code, stderr, stdout }, what);
}

export function expectNoSlip({ code, stderr, stdout }: Called, what: string): void {
  expect([0, 2, 3, 4, 5], `${what}: ${stderr}`).toContain(code);
  expect(stderr + stdout, what).not.toMatch(/this is a bug|^\s+at .+:\d+:\d+|\bNaN\b|undefined|\[object/m);
}
