/** What a saved document has to be before it is used: its checksum says that it was not changed, not that it is right. */
import type { z } from 'zod';
import { FileError } from './fileError.js';

/**
 * The JSON of a file, held to a schema. Keys that the schema does not know stay, since a newer nemokit of the same
 * version of the format may have written them. Throws `FileError`.
 */
export function parseSaved<Schema extends z.ZodType>(
  path: string,
  bytes: Buffer,
  schema: Schema,
  /** Brings older versions up to date. */
  migrate: (found: unknown) => unknown = (found) => found,
): z.output<Schema> {
  let found: unknown;
  try {
    found = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new FileError(`${path} is damaged: it is not JSON. Put it back from a backup, or run again`, path);
  }
  found = migrate(found);
  const issues = schema.safeParse(found).error?.issues ?? [];
  const issue = issues.find(({ code }) => code !== 'unrecognized_keys');
  if (!issue) return found as z.output<Schema>;
  const place = issue.path.map(String).join('.');
  throw new FileError(
    `${path} is damaged: ${place === '' ? '' : `${place}: `}${issue.message.replace(/^Invalid input: /, '').replace('received undefined', 'there is nothing')}. Put it ` +
      'back from a backup, or run again',
    path,
  );
}
