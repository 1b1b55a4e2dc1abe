/**
 * An executable as an algorithm: it is told the problem in one line of JSON and answers with designs. Each call is a new
 * process, told everything, so that the same seed gives the same designs wherever a trial runs. docs/plugins.md
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Setup } from '../algorithm.js';
import { ArgumentError, requireCount, requireSteps } from '../numeric/errors.js';
import { foldKey, type Key } from '../numeric/key.js';
import { rowOf } from '../numeric/rows.js';
import { SearchSpace } from '../search/searchSpace.js';
import { violations } from '../space/index.js';
import type { AnyAlgorithm, Options } from './registry.js';

interface ProgramState {
  readonly iteration: number;
  readonly key: Key;
  /** M x d. */
  readonly proposals: Float64Array;
  readonly watched: Readonly<Record<string, number>>;
}

/** `{"error": ...}`: a program's own words for a problem that it does not take. */
export class ProgramRefusal extends ArgumentError {
  override readonly name = 'ProgramRefusal';
}

const description = z.object({
  id: z.string().min(1),
  defaults: z.record(z.string(), z.unknown()).default({}),
});
const answer = z.union([
  z.object({ progress: z.number() }),
  z.object({ error: z.string() }),
  z.object({ designs: z.array(z.array(z.number())), watched: z.record(z.string(), z.number()).default({}) }),
]);

export async function openProgram(path: string): Promise<AnyAlgorithm> {
  const { id, defaults } = await ask(path, { describe: 1 }, (line) => description.parse(line));
  const all = { batchSize: 128, startFrom: 'best', ...defaults };

  const spaceOf = ({ data, space, options }: Setup<Options>) => {
    requireCount('batchSize', Number(options.batchSize));
    return new SearchSpace(data, space, { box: null });
  };

  return {
    id,
    defaults: all,
    length: () => ({ training: 0, search: 1 }),
    async init(setup, key) {
      const search = spaceOf(setup);
      await search.prepare();
      const start = search.start({ batchSize: Number(setup.options.batchSize), startFrom: 'best' }, null);
      return { iteration: 0, key, proposals: search.settle(start), watched: {} } as ProgramState;
    },
    async step(state, setup, iterations = 1) {
      requireSteps('iterations', iterations);
      const { key, ...before } = state as ProgramState;
      if (iterations === 0 || before.iteration > 0) return { ...before, key };
      const { data, space, options } = setup;
      const d = space.columns.length;
      const rows = (values: Float64Array) =>
        Array.from({ length: values.length / d }, (_, i) => Array.from(rowOf(values, d, i)));
      const request = {
        propose: { x: rows(data.x), y: [...data.y], space, options, seed: foldKey(key, 'program')[0] },
      };
      const told = await ask(path, request, (line) => {
        const reply = answer.parse(line);
        if ('error' in reply) throw new ProgramRefusal(id, `${id} says: ${reply.error}`);
        return 'designs' in reply ? reply : undefined;
      });
      return {
        iteration: 1,
        key,
        proposals: requireBatch(id, told.designs, setup),
        watched: told.watched,
      } as ProgramState;
    },
    propose: (state) => (state as ProgramState).proposals.slice(),
    async watch(state) {
      return { ...(state as ProgramState).watched, iteration: state.iteration };
    },
  };
}

function requireBatch(
  id: string,
  designs: readonly number[][],
  { space, options }: Setup<Options>,
): Float64Array {
  const d = space.columns.length;
  const M = Number(options.batchSize);
  if (designs.length !== M || designs.some((design) => design.length !== d))
    throw new ArgumentError(id, `${id} gave ${designs.length} designs; expected ${M} of ${d} numbers each`);
  const x = Float64Array.from(designs.flat());
  for (let m = 0; m < M; m++) {
    const [broken] = violations(space, rowOf(x, d, m));
    if (broken !== undefined)
      throw new ArgumentError(id, `design ${m} of ${id} is not in the space: ${broken}`);
  }
  return x;
}

/** Sends one line, and reads lines until `read` gives something. */
function ask<T>(path: string, request: object, read: (line: unknown) => T | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, [], { stdio: ['pipe', 'pipe', 'inherit'] });
    // A program that never answers does not outlive whoever asked it.
    const end = () => child.kill('SIGKILL');
    process.once('exit', end);
    child.once('close', () => process.off('exit', end));
    const fail = (words: string) => {
      child.kill();
      reject(new ArgumentError('plugin', `${path}: ${words}`));
    };
    child.on('error', (error) =>
      fail(`cannot be started (${error.message}); a program has to be executable, a module ends in .mjs`),
    );
    // It may end before it has read everything; what it said then counts.
    child.stdin.on('error', () => {});
    child.stdin.end(`${JSON.stringify(request)}\n`);
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      if (line.trim() === '') return;
      try {
        const result = read(JSON.parse(line));
        if (result === undefined) return;
        resolve(result);
        child.kill();
      } catch (error) {
        if (error instanceof ArgumentError) {
          reject(error);
          child.kill();
        } else fail(`said what was not expected: ${line.slice(0, 200)}`);
      }
    });
    lines.on('close', () => fail('ended without an answer'));
  });
}
