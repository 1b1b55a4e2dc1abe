/** Finished runs whose models are open, to be asked about other designs. */
import { openKernel } from '../../design/engineChoice.js';
import type { Engine } from '../../numeric/engine.js';
import { readManifest } from '../../runs/manifest.js';
import { readRun } from '../../runs/savedRun.js';
import { RunDesk } from '../answers/index.js';

interface OpenedModel {
  readonly desk: RunDesk;
  readonly engine: Engine;
}

/** Models that stay open at most. */
const MOST_OPEN = 3;

export class OpenRuns {
  /** The last used is the last. */
  readonly #open = new Map<string, Promise<OpenedModel>>();

  /** Throws `FileError` where the run has no results, `UnsupportedError` where it has no model. */
  async get(path: string): Promise<RunDesk> {
    const { files } = await readManifest(path);
    const key = `${path}\n${files['model.safetensors']?.sha256}`;
    const found = this.#open.get(key) ?? openModel(path);
    this.#open.delete(key);
    this.#open.set(key, found);
    try {
      const { desk } = await found;
      await this.#closeOthers();
      return desk;
    } catch (error) {
      this.#open.delete(key);
      throw error;
    }
  }

  async #closeOthers(): Promise<void> {
    for (const [key, opened] of this.#open) {
      if (this.#open.size <= MOST_OPEN) return;
      this.#open.delete(key);
      await (await opened).engine.close();
    }
  }
}

async function openModel(path: string): Promise<OpenedModel> {
  const run = await readRun(path);
  const { engine } = await openKernel(run.run.kernel);
  try {
    return { engine, desk: await RunDesk.open(run, engine) };
  } catch (error) {
    await engine.close();
    throw error;
  }
}
