import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPlugin, openRegistry } from '../../src/bench/plugins.js';
import { Registry } from '../../src/bench/registry.js';
import { runTrial } from '../../src/bench/trial.js';
import { type Engine, openEngine } from '../../src/numeric/index.js';
import { memorySource } from '../tasks/sources.js';

const example = (name: string) => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'nemokit-plugins-'));

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine({ threads: 1 });
});
afterAll(() => engine.close());

const trial = (task: string, algorithm: string, options: object, seed = 0) => ({
  ...{ task, algorithm, variant: 'defaults', seed },
  options: { ...options } as Record<string, unknown>,
  curve: { every: 50, withScores: false },
});

describe('plug-ins', () => {
  it('bring an algorithm and a task of a module', async () => {
    const registry = await openRegistry([example('plugin.mjs')]);
    const { defaults } = registry.algorithmOf('jitter');
    const context = { engine, registry, source: memorySource({}) };
    const options = { ...defaults, batchSize: 8 };
    const result = await runTrial(trial('sphere5-v1', 'jitter', options), context);
    expect(result.scores).toHaveLength(8);
    expect(result.step).toBe(10);
    expect(await runTrial(trial('sphere5-v1', 'jitter', options), context)).toEqual(result);
    expect((await runTrial(trial('branin-v1', 'jitter', options, 1), context)).designsSha256).not.toBe(
      result.designsSha256,
    );
    expect(registry.presetNames('jitter')).toEqual(['defaults', 'bold']);
  });

  it('may be programs that speak JSON lines', async () => {
    const registry = await openRegistry([example('plugin-program')]);
    const context = { engine, registry, source: memorySource({}) };
    const options = { ...registry.algorithmOf('mix').defaults, batchSize: 10 };
    const result = await runTrial(trial('branin-v1', 'mix', options), context);
    expect(result.scores).toHaveLength(10);
    expect(result.curve.at(-1)).toEqual({ iteration: 1, watched: { iteration: 1, parents: 20 } });
    expect(await runTrial(trial('branin-v1', 'mix', options), context)).toEqual(result);
    const other = await runTrial(trial('branin-v1', 'mix', options, 1), context);
    expect(other.designsSha256).not.toBe(result.designsSha256);
  });

  it.each([
    ['says nothing', 'process.exit(0)', 'ended without an answer'],
    ['says no JSON', 'console.log("hello")', 'gave an unexpected answer: hello'],
    ['describes nothing', 'console.log("{}")', 'gave an unexpected answer: {}'],
  ])('are refused where a program %s', async (name, code, words) => {
    const path = join(folder, name.replaceAll(' ', '-'));
    writeFileSync(path, `#!/usr/bin/env node\n${code}\n`);
    chmodSync(path, 0o755);
    await expect(openPlugin(path)).rejects.toThrow(words);
  });

  it.each([
    ['too few', '{ designs: [[0, 1]] }', 'gave 1 designs; expected 4 of 2 numbers each'],
    ['outside', '{ designs: Array(4).fill([99, 1]) }', 'design 0 of odd is not in the space'],
    ['an error', '{ error: "no idea" }', 'odd says: no idea'],
  ])('are refused where designs are %s', async (name, answer, words) => {
    const path = join(folder, `odd-${name.replaceAll(' ', '-')}`);
    const code = `require('node:readline').createInterface({ input: process.stdin }).once('line', (line) => {
      const answer = JSON.parse(line).describe ? { id: 'odd' } : ${answer};
      process.stdout.write(JSON.stringify(answer) + '\\n');
    });`;
    writeFileSync(path, `#!/usr/bin/env node\n${code}\n`);
    chmodSync(path, 0o755);
    const registry = await openRegistry([path]);
    const spec = trial('branin-v1', 'odd', { batchSize: 4 });
    await expect(runTrial(spec, { engine, registry, source: memorySource({}) })).rejects.toThrow(words);
  });

  it('are refused with what is missing', async () => {
    await expect(openPlugin(join(folder, 'none.mjs'))).rejects.toThrow('none.mjs is not there');
    const module = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return openPlugin(join(folder, name));
    };
    await expect(module('a.mjs', 'export const x = 1')).rejects.toThrow('has no default export');
    await expect(module('b.mjs', 'export default {}')).rejects.toThrow(
      'exports neither algorithms nor tasks',
    );
    await expect(
      module('c.mjs', 'export default { algorithms: [{ id: "c", defaults: {}, length() {} }] }'),
    ).rejects.toThrow('algorithm "c" needs a function "init"');
    await expect(module('d.mjs', 'throw new Error("broken")')).rejects.toThrow('d.mjs: broken');
    const nemo = new Registry().algorithmOf('nemo');
    expect(() => new Registry([{ algorithms: [nemo] }])).toThrow('there is an algorithm "nemo" already');
  });
});
