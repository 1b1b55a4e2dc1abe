/** `manifest.json`: what a run folder is, what was asked, how far it came and which files it holds. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { version as currentVersion } from '../version.js';
import { codeOf, FileError, fileError } from './fileError.js';
import { most, readOwn } from './ownFile.js';

export const manifestVersion = 3;
export const manifestName = 'manifest.json';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const time = z.iso.datetime();
const count = z.number().int().nonnegative();
/** A file of the folder itself. */
const fileName = z.string().regex(/^[^/\\]+$/);

export const runStatuses = ['running', 'interrupted', 'partial', 'done', 'failed'] as const;
export type RunStatus = (typeof runStatuses)[number];

export const manifestSchema = z.object({
  manifestVersion: z.literal(manifestVersion).describe('Version of this format.'),
  version: z.string().describe('Version of nemokit.'),
  created: time.describe('When the run was started.'),
  updated: time.describe('When a state was last saved, or the run ended.'),
  status: z.enum(runStatuses).describe('"running" also after a kill: then no process holds the lock.'),
  argv: z.array(z.string()).describe('Command line as given, program aside.'),
  goal: z.string().describe("Goals in the user's words."),
  source: z
    .object({
      file: z.string().describe('Its name.'),
      bytes: count.describe('Its size.'),
      sha256: sha256.describe('Its checksum.'),
    })
    .describe('The file the table was read from.'),
  table: z
    .object({
      rows: count.describe('Number of rows.'),
      columns: count.describe('Number of columns.'),
      sha256: sha256.describe('Checksum of the cells: the same for CSV, workbook or Parquet.'),
    })
    .describe('What was read from it.'),
  problem: z.object({ sha256: sha256.describe('Its checksum.') }).describe('The problem file as stored.'),
  seed: z.number().int().describe('The seed.'),
  method: z.string().describe('The algorithm.'),
  effort: z.string().describe('How much is computed.'),
  options: z.record(z.string(), z.unknown()).describe('Options of the method.'),
  kernel: z.string().describe('The kernel; another one rounds differently.'),
  threads: count.describe('Number of threads; never changes a result.'),
  node: z.string().describe('Version of Node.'),
  platform: z.string().describe('Operating system and processor, such as "linux x64".'),
  timings: z
    .record(z.string(), z.number().nonnegative())
    .describe('Seconds spent in each stage, over all sessions.'),
  files: z
    .record(
      fileName,
      z.object({ bytes: count.describe('Its size.'), sha256: sha256.describe('Its checksum.') }),
    )
    .describe('Each file as the run wrote it.'),
  pending: z
    .record(fileName, sha256)
    .describe(
      'Checksums of files that are being written, so that a run killed meanwhile does not take them for edited files.',
    )
    .optional(),
  error: z
    .object({ name: z.string().describe('Its class.'), message: z.string().describe('What went wrong.') })
    .describe('Why the run failed.')
    .optional(),
});

/** As it is written. */
export const manifestFileSchema = manifestSchema.extend({
  checksum: sha256
    .describe('SHA-256 of all of the above, as JSON without spaces. Versions 1 and 2 had none.')
    .optional(),
});

export type Manifest = z.output<typeof manifestSchema>;

/** From version n to n + 1, for n = 1, 2, ... */
const migrations: readonly ((older: Record<string, unknown>) => Record<string, unknown>)[] = [
  ({ preset, ...rest }) => ({ ...rest, manifestVersion: 2, effort: preset }),
  (older) => ({ ...older, manifestVersion: 3 }),
];

/** Throws `FileError`: no run folder, a newer nemokit's, or a damaged one. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestName);
  let text: string;
  try {
    text = (await readOwn(path, most.text)).toString('utf8');
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EISDIR') throw fileError(path, error, 'read');
    throw new FileError(`${folder} is not a run folder: it has no ${manifestName}`, folder, code);
  }
  return parseManifest(text, folder);
}

export function parseManifest(text: string, folder: string): Manifest {
  const path = join(folder, manifestName);
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new FileError(
      `${path} is damaged: it is not JSON. Put it back from a backup, or start a new run`,
      path,
    );
  }
  const { manifestVersion: number, version } = (found ?? {}) as Record<string, unknown>;
  if (!Number.isSafeInteger(number) || (number as number) < 1)
    throw new FileError(`${folder} is not a run folder: its ${manifestName} is not one of nemokit's`, folder);
  if ((number as number) > manifestVersion)
    throw new FileError(
      `${folder} was made by nemokit ${String(version)}, this is ${currentVersion}: update nemokit`,
      folder,
    );
  requireChecksum(path, found as Record<string, unknown>);
  const migrated = migrations
    .slice((number as number) - 1)
    .reduce((older, migrate) => migrate(older), found as Record<string, unknown>);
  const parsed = manifestSchema.safeParse(migrated);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new FileError(
    `${path} is damaged: ${issue!.path.join('.')}: ${issue!.message.replace(/^Invalid input: /, '')}. Put it back from ` +
      'a backup, or start a new run',
    path,
  );
}

export function printManifest(manifest: Manifest): string {
  return `${JSON.stringify({ ...manifest, checksum: checksumOf(manifest) }, null, 2)}\n`;
}

function checksumOf(manifest: object): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
}

/** A changed goal or number would be shown as if it were the run's. */
function requireChecksum(path: string, { checksum, ...rest }: Record<string, unknown>): void {
  // versions before 3 had none, but what is there has to be right
  if (checksum === undefined && (rest.manifestVersion as number) < 3) return;
  if (checksum === checksumOf(rest)) return;
  throw new FileError(
    `${path} has changed since the run wrote it: its checksum is wrong. Put it back from a backup, or start a new run`,
    path,
  );
}
