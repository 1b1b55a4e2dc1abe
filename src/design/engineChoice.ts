/** The engine that a function computes with: the caller's, or one of its own. */
import { type Engine, type EngineOptions, openEngine } from '../numeric/engine.js';
import { ArgumentError } from '../numeric/errors.js';

/** An engine to compute with. Without one, a new one is opened with these settings, and closed afterwards. */
export interface EngineChoice extends EngineOptions {
  readonly engine?: Engine;
}

export async function withEngine<Result>(
  { engine, ...options }: EngineChoice,
  use: (engine: Engine) => Promise<Result>,
): Promise<Result> {
  if (engine) return use(engine);
  return closing(await openEngine({ kernel: options.kernel, threads: options.threads }), use);
}

/** An engine with the kernel that a run was made by. Another one, with a note, where that cannot run here. */
export async function openKernel(
  kernel: string,
  threads?: number,
): Promise<{ readonly engine: Engine; readonly note: string | null }> {
  try {
    return { engine: await openEngine({ kernel: kernel as Engine['kernel'], threads }), note: null };
  } catch (error) {
    if (!(error instanceof ArgumentError) || error.argument !== 'kernel') throw error;
    const engine = await openEngine({ threads });
    const note = `the run was made by the kernel ${kernel}, which cannot run here; ${engine.kernel} rounds differently in the last digits`;
    return { engine, note };
  }
}

/** The caller's engine, the kernel it asks for, or else the kernel of the run. */
export async function withKernel<Result>(
  kernel: string,
  choice: EngineChoice,
  use: (engine: Engine, note: string | null) => Promise<Result>,
): Promise<Result> {
  if (choice.engine || choice.kernel !== undefined) return withEngine(choice, (engine) => use(engine, null));
  const { engine, note } = await openKernel(kernel, choice.threads);
  return closing(engine, (opened) => use(opened, note));
}

/** Not `await using`: not every browser has its symbol. */
async function closing<Result>(engine: Engine, use: (engine: Engine) => Promise<Result>): Promise<Result> {
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}
