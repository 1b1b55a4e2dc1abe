/** The life of a thread: one MuJoCo, one design after the other. */
import { parentPort } from 'node:worker_threads';
import type { Mujoco } from '../mujoco.js';
import { robotOf } from '../robot.js';

/** A design for a thread to score. */
export interface ToThread {
  readonly robot: string;
  readonly design: Float64Array;
}

/** What a thread answers. */
export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'score'; readonly score: number }
  /** It will never be ready. */
  | { readonly kind: 'failed'; readonly why: string };

const post = (message: FromThread): void => parentPort?.postMessage(message);

async function load(): Promise<Mujoco | undefined> {
  let module: { default(options: object): Promise<unknown> };
  try {
    module = await import('@mujoco/mujoco');
  } catch {
    post({ kind: 'failed', why: 'MuJoCo is not installed; run npm install @mujoco/mujoco@3.10.0' });
    return undefined;
  }
  const silent = () => {};
  try {
    return (await module.default({ print: silent, printErr: silent })) as Mujoco;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    post({ kind: 'failed', why: `MuJoCo could not be started: ${reason.split('\n')[0]}` });
    return undefined;
  }
}

/** No `await` at the top: CommonJS could not `require` a package that has one. */
async function serve(): Promise<void> {
  const mujoco = await load();
  if (!mujoco) return;
  parentPort?.on('message', ({ robot, design }: ToThread) =>
    post({ kind: 'score', score: robotOf(robot).rollout(mujoco, design) }),
  );
  post({ kind: 'ready' });
}

void serve();
