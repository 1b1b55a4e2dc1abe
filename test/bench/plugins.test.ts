import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPlugin, openRegistry } from '../../src/bench/plugins.js';
import { type AnyAlgorithm, Registry } from '../../src/bench/registry.js';
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
  ...{ task, algorithm, algorithmVersion: '1', variant: 'defaults', seed },
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

  const shape = `length: () => ({ training: 0, search: 1 }), init: async () => ({ iteration: 0 }),
    step: async () => ({ iteration: 1 }), propose: () => new Float64Array(), watch: async () => ({ iteration: 0 })`;
  const ofOptions = async (name: string, parts: string) => {
    const path = join(folder, `${name}.mjs`);
    writeFileSync(path, `export default { algorithms: [{ id: '${name}', ${parts}, ${shape} }] };`);
    return (await openRegistry([path])).algorithmOf(name);
  };
  const setup = (options: object) => ({ options }) as Parameters<AnyAlgorithm['length']>[0];

  it('that only have defaults are checked by names and kinds', async () => {
    const loose = await ofOptions('loose', 'defaults: { batchSize: 128, kind: "a" }');
    expect(loose.defaults).toEqual({ batchSize: 128, kind: 'a' });
    expect(loose.length(setup({ batchSize: 2.5, kind: 'b' }))).toEqual({ training: 0, search: 1 });
    expect(() => loose.length(setup({ batchSize: 128, kind: 1 }))).toThrow(
      'loose: kind is 1; expected a text, such as "a"',
    );
    expect(() => loose.length(setup({ batchsize: 128, kind: 'a' }))).toThrow('did you mean "batchSize"?');
  });

  it('may declare options and presets as plain data', async () => {
    const declared = await ofOptions(
      'declared',
      `options: {
        batchSize: { kind: 'number', isWhole: true, least: 1, default: 128, help: 'M' },
        kind: { kind: 'choice', default: 'a', help: 'which', choices: { a: 'one', b: 'two' } },
      },
      presets: { other: { help: 'the other', byTask: { Superconductor: { kind: 'b' } } } }`,
    );
    expect(declared.defaults).toEqual({ batchSize: 128, kind: 'a' });
    expect(() => declared.length(setup({ batchSize: 2.5, kind: 'b' }))).toThrow('batchSize is 2.5; expected');
    await expect(declared.init(setup({ batchSize: 1, kind: 'B' }), [0, 0])).rejects.toThrow(
      `declared: kind is "B"; expected 'a' or 'b'; did you mean 'b'?`,
    );
    const registry = new Registry([{ algorithms: [declared] }]);
    expect(registry.presetNames('declared')).toEqual(['defaults', 'other']);
    const options = registry.presetOptions('declared', 'other', 'superconductor-gbdt-v1');
    expect(options).toEqual({ batchSize: 128, kind: 'b' });
  });

  it.each([
    [
      `a: { kind: 'text', default: 1, help: '' }`,
      `option "a" has the kind "text"; expected 'number', 'choice'`,
    ],
    [`a: { kind: 'flag', default: true }`, 'option "a" has no "help"'],
    [`a: { kind: 'choice', default: 'x', help: '' }`, 'option "a" has no "choices"'],
    [`a: { kind: 'flag', default: 1, help: '' }`, 'the default of option "a" is 1; expected true or false'],
    ['a: null', 'option "a" has the kind undefined'],
  ])('are refused where they declare %s', async (text, words) => {
    const name = `odd${text.replaceAll(/\W/g, '')}`;
    await expect(ofOptions(name, `options: { ${text} }`)).rejects.toThrow(`algorithm "${name}": ${words}`);
  });

  it('are refused with what is missing', async () => {
    await expect(openPlugin(join(folder, 'none.mjs'))).rejects.toThrow('none.mjs is not there');
    const module = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return openPlugin(join(folder, name));
    };
    await expect(module('a.mjs', 'export const x = 1')).rejects.toThrow('has no default export');
    await expect(
      module('t.mjs', 'export default new Proxy({}, { get() { throw new Error("not today") } })'),
    ).rejects.toThrow(/t\.mjs: not today$/);
    await expect(module('b.mjs', 'export default {}')).rejects.toThrow(
      'exports neither algorithms nor tasks',
    );
    await expect(
      module('c.mjs', 'export default { algorithms: [{ id: "c", defaults: {}, length() {} }] }'),
    ).rejects.toThrow('algorithm "c" needs a function "init"');
    await expect(module('e.mjs', 'export default { algorithms: [{ id: "e" }] }')).rejects.toThrow(
      'an algorithm needs "id", and "options" or "defaults"',
    );
    await expect(module('d.mjs', 'throw new Error("broken")')).rejects.toThrow('d.mjs: broken');
    const nemo = new Registry().algorithmOf('nemo');
    expect(() => new Registry([{ algorithms: [nemo] }])).toThrow('there is an algorithm "nemo" already');
  });
});
