import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../src/conformance/conform.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'nemokit-conform-'));

function start(args: readonly string[]) {
  const child = spawn(process.execPath, [join(root, 'dist/cli/main.js'), 'bench', 'conform', ...args], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1' },
    timeout: 300_000,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on('close', (status) => resolve({ status, stdout, stderr })),
  );
  return { child, ended };
}

const conform = (...args: readonly string[]) => start(args).ended;

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  if (!name.endsWith('.mjs')) chmodSync(path, 0o755);
  return path;
}

/** Without a word from nemokit: what somebody writes who has read docs/plugins.md and nothing else. */
const still = `{
  id: 'still',
  defaults: { batchSize: 128, steps: 3 },
  length: ({ options }) => ({ training: 0, search: options.steps }),
  init: async ({ data, space, options }) => ({
    iteration: 0,
    x: Float64Array.from({ length: options.batchSize * space.columns.length }, (_, i) => data.x[i % data.x.length]),
  }),
  step: async (state, setup, n = 1) => ({ ...state, iteration: state.iteration + n }),
  propose: (state) => state.x.slice(),
  watch: async ({ iteration }) => ({ iteration }),
}`;

describe('nemokit bench conform', () => {
  it('lets the examples pass', async () => {
    const { status, stdout, stderr } = await conform('examples/plugin.mjs', 'examples/plugin-program');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('jitter  algorithm of examples/plugin.mjs\n  ok      has an id of its own');
    expect(stdout).toContain('\njitter conforms: 31 of 33 checks hold, 2 not asked\n');
    expect(stdout).toContain('\nsphere5-v1 conforms: 10 of 11 checks hold, 1 not asked\n');
    expect(stdout).toContain('(not asked of programs: nemokit keeps their states)');
    expect(stdout).toMatch(/\nmix conforms: 12 of 33 checks hold, 21 not asked\n\n3 of 3 conform\n$/);
    expect(stdout).not.toMatch(/^ {2}(?:fails|should)/m);
  });

  it('says what is wrong with others, with exit code 1', async () => {
    const path = written(
      'bad.mjs',
      `import { SearchSpace } from ${JSON.stringify(pathToFileURL(join(root, 'dist/models/index.js')).href)};
      const still = ${still};
      const patient = {
        ...still,
        id: 'patient',
        async init({ data, space, options }, key) {
          if (!(options.batchSize > 0)) throw new Error('no batch');
          const search = new SearchSpace(data, space, { box: null });
          await search.prepare();
          const start = search.start({ ...options, startFrom: 'best' }, key);
          return { iteration: 0, x: search.settle(start), key };
        },
        async step(state, setup, n = 1) {
          if (!Number.isInteger(n)) throw new Error('no steps');
          return still.step(state, setup, n);
        },
      };
      export default {
        algorithms: [
          patient,
          { ...still, id: 'outside', propose: (state) => state.x.map(() => 7) },
          { ...still, id: 'dice', step: async (state, setup, n = 1) =>
              ({ x: state.x, luck: Math.random(), iteration: state.iteration + n }) },
          { ...still, id: 'careless', step: async (state, setup, n = 1) =>
              { state.iteration += n; return state; } },
        ],
        tasks: [{
          id: 'odd-v1', title: 'Odd', summary: 'Odd.', paper: null, datasets: [], isForTuning: false,
          provenance: { data: 'made up', scorer: 'dice', labels: 'scored' },
          open: async () => ({
            data: { x: Float64Array.of(0.5, 2), y: Float64Array.of(0, 1) },
            space: { columns: [{ kind: 'continuous', lower: 0, upper: 1 }] },
            range: { worst: 0, best: 1 },
            score: async (x) => x.map(() => Math.random()),
          }),
        }],
      };`,
    );
    const { status, stdout, stderr } = await conform(path);
    expect([status, stderr]).toEqual([1, '']);
    /** What is said below the first check of that name. */
    const said = (id: string, mark: string, check: string) => {
      const part = stdout.split('\n\n').find((text) => text.startsWith(`${id}  `));
      const lines = part?.split(`\n  ${mark.padEnd(6)}  ${check}`)[1]?.split('\n') ?? [];
      const end = lines.findIndex((line, i) => i > 0 && !line.startsWith(' '.repeat(10)));
      return lines
        .slice(1, end < 0 ? undefined : end)
        .map((line) => line.trim())
        .join(' ');
    };
    expect(said('outside', 'fails', 'is the same bits')).toBe(
      'design 0 is outside the space: column 0 in -2..2: it is 7. SearchSpace of nemokit/research (hold, settle) brings designs into any space.',
    );
    expect(said('outside', 'fails', 'stays sane on one column')).toBe('as above');
    expect(said('dice', 'fails', 'is the same bits')).toMatch(
      /^two runs with the same seed differ: luck is 0\.\d+ and 0\.\d+\. All randomness has to come from the key/,
    );
    expect(said('careless', 'fails', 'leaves the state')).toMatch(
      /^step\(\) changed the state it was given: iteration is 0 and 1\./,
    );
    expect(said('careless', 'fails', 'refuses a score that is no number')).toMatch(
      /^init\(\) took it; expected/,
    );
    expect(said('careless', 'should', 'beats the best')).toMatch(/^its best of 16 designs truly scores/);
    expect(said('odd-v1', 'fails', 'scores the same')).toMatch(
      /^two calls of score\(\) with the same designs differ: \[0\] is/,
    );
    expect(said('odd-v1', 'fails', 'has visible rows')).toMatch(/^visible row 1 is outside the space/);
    expect(stdout).toMatch(/\ncareless does not conform: \d+ of 33 checks hold, \d+ failed, \d+ should be/);
    // it learns nothing, and that is allowed
    expect(said('patient', 'should', 'beats the best')).toMatch(/^its best of 16 designs truly scores/);
    expect(stdout).toMatch(/\npatient conforms: \d+ of 33 checks hold, 4 should be better, 5 not asked\n/);
    expect(stdout).toMatch(/\n1 of 5 conform\n$/);
  });

  it('outlives plug-ins that hang, end or fail behind its back', async () => {
    const path = written(
      'wild.mjs',
      `const still = ${still};
      const late = () => new Promise(() => { setTimeout(() => { throw new TypeError('no such thing'); }); });
      export default { algorithms: [
        { ...still, id: 'endless', init: () => { for (;;) {} } },
        { ...still, id: 'quitter', init: () => process.exit(3) },
        { ...still, id: 'thrower', init: late },
      ] };`,
    );
    const { status, stdout, stderr } = await conform(
      ...[path, '--only', 'three rows', '--timeout', '12', '--json'],
    );
    expect([status, stderr]).toEqual([1, '']);
    const { conformVersion, isConforming, checked } = JSON.parse(stdout);
    expect([conformVersion, isConforming]).toEqual([1, false]);
    const reasons = checked.map(({ id, checks: [check] }: { id: string; checks: [CheckResult] }) => [
      ...[id, check.name, check.level, check.outcome, check.reason],
    ]);
    const about = ['stays sane on three rows', 'must'];
    expect(reasons).toEqual([
      ['endless', ...about, 'fails', expect.stringContaining('it did not end within 12 s and was stopped.')],
      ['quitter', ...about, 'fails', 'its process ended with code 3, in the middle of this check.'],
      ['thrower', ...about, 'fails', 'it failed outside of what was awaited: TypeError: no such thing'],
    ]);
  });

  it('ends a program that never answers, also by Ctrl-C', async () => {
    const beat = join(folder, 'beat');
    const path = written(
      'deaf',
      `#!${process.execPath}
      require('node:readline').createInterface({ input: process.stdin }).once('line', (line) => {
        if (JSON.parse(line).describe) return process.stdout.write('{"id": "deaf"}\\n');
        for (let i = 0; ; i++) require('node:fs').writeFileSync(${JSON.stringify(beat)}, String(i));
      });`,
    );
    const { child, ended } = start([path, '--only', 'bowl']);
    while (!existsSync(beat)) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ status: 130, stderr: 'stopped\n' });
    await expect
      .poll(async () => {
        const before = statSync(beat).mtimeMs;
        await new Promise((resolve) => setTimeout(resolve, 50));
        return statSync(beat).mtimeMs === before;
      })
      .toBe(true);
  });

  it.each([
    ['nowhere.mjs', 'bowl', /\S*nowhere\.mjs is not there; expected a module \(\.mjs\) or a program\n$/],
    [
      'examples/plugin.mjs',
      'jiter',
      /--only "jiter" is neither an algorithm or task of these \(jitter, sphere5-v1\) nor/,
    ],
  ])('%s --only %s is answered with words and exit code 2', async (path, only, words) => {
    const { status, stdout, stderr } = await conform(path, '--only', only);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(words);
  });
});
