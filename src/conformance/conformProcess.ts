/** A process that runs the checks of one plug-in, as conform.ts asks by messages: a plug-in cannot hang or end the command. */
import { extname } from 'node:path';
import { moduleEndings, openPlugin } from '../bench/plugins.js';
import { builtIn, withOptions } from '../bench/registry.js';
import { openDataFolder } from '../data/dataFolder.js';
import { type Engine, openEngine } from '../numeric/engine.js';
import { algorithmChecks } from './algorithmChecks.js';
import type { AlgorithmContext } from './algorithmContext.js';
import { type Check, type Level, messageOf, NotAsked } from './check.js';
import { type TaskContext, taskChecks } from './taskChecks.js';

/** An algorithm or a task of a plug-in. */
export interface PluginPart {
  readonly kind: 'algorithm' | 'task';
  readonly id: string;
  readonly isProgram: boolean;
  readonly checks: readonly { readonly name: string; readonly level: Level }[];
}

export type ConformRequest =
  | { readonly kind: 'open'; readonly path: string }
  | { readonly kind: 'check'; readonly part: number; readonly check: number };

export type ConformReply =
  | { readonly kind: 'opened'; readonly parts: readonly PluginPart[] }
  | { readonly kind: 'refused'; readonly message: string }
  | {
      readonly kind: 'outcome';
      readonly outcome: 'holds' | 'fails' | 'not asked';
      readonly reason: string | null;
    }
  /** By an error that no check could catch; the process ends. */
  | { readonly kind: 'crashed'; readonly message: string };

interface Opened {
  readonly part: PluginPart;
  /** Its checks, in the order of `part.checks`. */
  readonly run: readonly (() => Promise<void>)[];
}

function opened<Context>(
  part: Omit<PluginPart, 'checks'>,
  checks: readonly Check<Context>[],
  contextOf: () => Promise<Context>,
): Opened {
  let context: Promise<Context> | undefined;
  return {
    part: { ...part, checks: checks.map(({ name, level }) => ({ name, level })) },
    run: checks.map(({ check }) => async () => {
      context ??= contextOf();
      await check(await context);
    }),
  };
}

async function openAll(path: string): Promise<Opened[]> {
  const { algorithms = [], tasks = [] } = await openPlugin(path);
  const isProgram = !moduleEndings.includes(extname(path));
  const others = (known: ReadonlyMap<string, unknown>, all: readonly { id: string }[], at: number) => [
    ...known.keys(),
    ...all.filter((_, i) => i !== at).map(({ id }) => id),
  ];
  let engines: Promise<readonly [Engine, Engine]> | undefined;
  const openEngines = () => {
    engines ??= Promise.all([
      openEngine({ kernel: 'wasm', threads: 1 }),
      openEngine({ kernel: 'wasm', threads: 2 }),
    ]);
    return engines;
  };
  return [
    ...algorithms.map((algorithm, at) =>
      opened(
        { kind: 'algorithm', id: algorithm.id, isProgram },
        algorithmChecks,
        async (): Promise<AlgorithmContext> => ({
          algorithm: withOptions(algorithm),
          taken: others(builtIn.algorithms, algorithms, at),
          engines: await openEngines(),
          isProgram,
        }),
      ),
    ),
    ...tasks.map((definition, at) =>
      opened(
        { kind: 'task', id: definition.id, isProgram },
        taskChecks,
        async (): Promise<TaskContext> => ({
          definition,
          taken: others(builtIn.tasks, tasks, at),
          source: openDataFolder(),
        }),
      ),
    ),
  ];
}

async function outcomeOf(run: (() => Promise<void>) | undefined): Promise<ConformReply> {
  try {
    await run?.();
    return { kind: 'outcome', outcome: 'holds', reason: null };
  } catch (error) {
    const outcome = error instanceof NotAsked ? 'not asked' : 'fails';
    return { kind: 'outcome', outcome, reason: messageOf(error) };
  }
}

if (process.send && process.env.NEMOKIT_CONFORM === '1') {
  let all: readonly Opened[] = [];
  const answer = async (request: ConformRequest): Promise<ConformReply> => {
    if (request.kind === 'check') return outcomeOf(all[request.part]?.run[request.check]);
    try {
      all = await openAll(request.path);
      return { kind: 'opened', parts: all.map(({ part }) => part) };
    } catch (error) {
      return { kind: 'refused', message: messageOf(error) };
    }
  };
  process.on('message', (request: ConformRequest) => {
    void answer(request).then((reply) => process.send?.(reply));
  });
  process.on('uncaughtException', (error: unknown) => {
    process.send?.({ kind: 'crashed', message: messageOf(error) }, () => process.exit(1));
  });
  process.on('disconnect', () => process.exit(0));
  process.on('SIGTERM', () => process.exit(143));
  // The parent gets Ctrl-C as well, and decides.
  process.on('SIGINT', () => {});
}
