/**
 * The state of a run as bytes, bit for bit, and the two newest states in a folder:
 *
 *     "NEMOKIT STATE\n" | uint32 length of header | header, JSON | state as `v8.serialize` writes it
 */
import { createHash } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DefaultDeserializer, serialize } from 'node:v8';
import { z } from 'zod';
import { version as currentVersion } from '../version.js';
import { type AtomicOptions, writeAtomic } from './atomicFile.js';
import { codeOf, fileError } from './fileError.js';
import { most, readOwn } from './ownFile.js';
import { plainFault } from './stateFault.js';

export const checkpointFormat = 1;
export const checkpointName = 'checkpoint.bin';
export const previousCheckpointName = 'checkpoint.previous.bin';

const magic = Buffer.from('NEMOKIT STATE\n');

/** The run that a state belongs to, such as "seed" -> "3". A state is used only if all entries agree. */
export type Identity = Readonly<Record<string, string>>;

const headerSchema = z.object({
  format: z.number(),
  version: z.string(),
  /** Version of Node, whose serializer it was. */
  node: z.string(),
  identity: z.record(z.string(), z.string()),
  bytes: z.number(),
  sha256: z.string(),
});

type Header = z.output<typeof headerSchema>;

/** A saved state that is intact, but belongs to another version or run. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
}

/** Bytes that are not a saved state, or only part of one. */
class DamagedError extends Error {}

/** `state` is plain data with typed arrays. */
export function encodeState(state: unknown, identity: Identity): Uint8Array {
  const body = serialize(state);
  const header: Header = {
    format: checkpointFormat,
    version: currentVersion,
    node: process.version,
    identity,
    bytes: body.length,
    sha256: sha256(body),
  };
  const head = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  return Buffer.concat([magic, length, head, body]);
}

function decodeState(bytes: Buffer, identity: Identity, path: string): unknown {
  if (bytes.length < magic.length + 4 || !bytes.subarray(0, magic.length).equals(magic))
    throw new DamagedError('it does not begin like a saved state');
  const start = magic.length + 4;
  const end = start + bytes.readUInt32LE(magic.length);
  let header: Header;
  try {
    header = headerSchema.parse(JSON.parse(bytes.toString('utf8', start, end)));
  } catch {
    throw new DamagedError('its header cannot be read');
  }
  if (header.format !== checkpointFormat)
    throw new CheckpointError(
      `${path} is a saved state of format ${header.format}, made by nemokit ${header.version}; this is nemokit ` +
        `${currentVersion}, which reads format ${checkpointFormat}. Resume with that version, or start a new run`,
    );
  const body = bytes.subarray(end);
  if (body.length !== header.bytes) throw new DamagedError('part of it is missing');
  if (sha256(body) !== header.sha256) throw new DamagedError('its checksum is wrong');
  if (header.version !== currentVersion)
    throw new CheckpointError(
      `${path} was saved by nemokit ${header.version}, this is ${currentVersion}: going on would not give the same ` +
        'result. Resume with that version, or start a new run',
    );
  const names = new Set([...Object.keys(header.identity), ...Object.keys(identity)]);
  const other = [...names].filter((name) => header.identity[name] !== identity[name]);
  if (other.length > 0)
    throw new CheckpointError(
      `${path} was saved by a run with another ${other.join(', ')}; going on would mix the two. Start a new run`,
    );
  let state: unknown;
  try {
    state = new StateReader(body).read();
  } catch {
    throw new CheckpointError(
      `${path} was saved under Node ${header.node}, and Node ${process.version} cannot read it. Resume with that Node, ` +
        'or start a new run',
    );
  }
  const fault = plainFault(state);
  if (fault)
    throw new CheckpointError(
      `${path} is not a state of this run: ${fault}. Remove it to go on without it, or start a new run`,
    );
  return state;
}

class StateReader extends DefaultDeserializer {
  read(): unknown {
    this.readHeader();
    return this.readValue();
  }

  /** Node's typed arrays would be views of the whole file, and every `structuredClone` of one a copy of it. */
  _readHostObject(): unknown {
    const inherited = DefaultDeserializer.prototype as unknown as { _readHostObject(): ArrayBufferView };
    const view = inherited._readHostObject.call(this);
    if (!('slice' in view)) return view;
    return Buffer.isBuffer(view)
      ? Buffer.from(view)
      : (view as unknown as { slice(): ArrayBufferView }).slice();
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Replaces the newest state in `folder`, which becomes the previous one once the new one is safe on the disk. */
export async function saveCheckpoint(
  folder: string,
  state: unknown,
  identity: Identity,
  options: Pick<AtomicOptions, 'write'> = {},
): Promise<void> {
  const path = join(folder, checkpointName);
  const keepNewest = async () => {
    try {
      await rename(path, join(folder, previousCheckpointName));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  };
  await writeAtomic(path, encodeState(state, identity), { ...options, beforeRename: keepNewest });
}

export interface LoadedState<State> {
  /** Undefined if no usable state was saved: the run starts over. */
  readonly state: State | undefined;
  readonly warnings: readonly string[];
}

/**
 * The newest intact state; damaged ones are removed, so that the next save keeps the good one. Throws
 * `CheckpointError` for a state of another format, version, data or options.
 */
export async function loadCheckpoint<State>(folder: string, identity: Identity): Promise<LoadedState<State>> {
  const damages: string[] = [];
  const warn = (next: string) => damages.map((damage) => `${damage}; ${next}`);
  for (const name of [checkpointName, previousCheckpointName]) {
    const path = join(folder, name);
    try {
      const state = decodeState(await readOwn(path, most.bytes), identity, path) as State;
      return { state, warnings: warn('the state saved before it is used') };
    } catch (error) {
      if (error instanceof CheckpointError) throw error;
      if (codeOf(error) === 'ENOENT') continue;
      if (!(error instanceof DamagedError)) throw fileError(path, error, 'read');
      damages.push(`${path} is damaged: ${error.message}`);
      await rm(path, { force: true });
    }
  }
  return { state: undefined, warnings: warn('the run begins again') };
}
