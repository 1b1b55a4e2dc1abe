// The package as users get it: packed once, looked at, unpacked beside its dependencies and nothing else, and run.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smallTable } from '../cli/smallRun.js';
import { link, packInto } from './packed.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** Bytes, 1.65 MB, of which the pages of the studio are 0.63, and 0.12 the algorithms that `check` holds a problem file against. What an upload, a CI job and a cold cache pay for. */
const largestPackage = 1_650_000;

const folder = mkdtempSync(join(tmpdir(), 'nemokit-packed-'));
const installed = join(folder, 'node_modules', 'nemokit');
let tarball: Buffer;
let files: string[];

function run(command: string, args: readonly string[], cwd = folder) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: 300_000,
    env: { ...process.env, NO_COLOR: '1', NEMOKIT_THREADS: '2', NODE_NO_WARNINGS: '1' },
  });
  return { status, stdout, stderr };
}

const node = (...args: readonly string[]) => run(process.execPath, args);
const nemokit = (...args: readonly string[]) => node(join(installed, 'dist/cli/main.js'), ...args);
const evaluate = (code: string) => node('--input-type=module', '-e', code);

beforeAll(async () => {
  tarball = packInto(folder);
  files = readdirSync(installed, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(installed.length + 1)
        .replaceAll('\\', '/'),
    );
  await writeFile(join(folder, 'past.csv'), smallTable());
  await copyFile(`${root}examples/plugin.mjs`, join(folder, 'plugin.mjs'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packed package', () => {
  it('is small', () => {
    expect(tarball.length).toBeLessThan(largestPackage);
  });

  it('holds the build, its licences and documents, and nothing else', () => {
    const expected =
      /^(?:dist\/.+\.(?:js|d\.ts)|dist\/studio\/web\/.+\.(?:html|css|svg|csv|txt|webmanifest)|dist\/THIRD-PARTY-LICENSES\.txt|schemas\/[\w-]+\.schema\.json)$/;
    expect(files.filter((path) => !expected.test(path)).toSorted()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'data/paper-tables.json',
      'package.json',
    ]);
    expect(
      files.filter((path) => /(?:^|\/)test|\.test\.|\.map$|\.tsbuildinfo$|designs\.bin$/.test(path)),
    ).toEqual([]);
  });

  it('has every file that one of its files names', () => {
    const missing = files
      .filter((path) => /\.(?:js|d\.ts)$/.test(path))
      .flatMap((path) => {
        const text = readFileSync(join(installed, path), 'utf8');
        expect(text, `${path} points to a map that is not there`).not.toMatch(/^\/\/# sourceMappingURL=/m);
        return (
          [
            ...text.matchAll(/\b(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g),
            ...text.matchAll(/new URL\(["'](\.[^"']+\.\w+)["'],\s*import\.meta\.url\)/g),
          ]
            .map(([, address = '']) => posix.join(posix.dirname(path), address))
            .map((target) => (path.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target))
            // what a checkout has built; an installed package looks for a package of its system
            .filter((target) => target !== 'build/native/nemokit.node')
            .filter((target) => !files.includes(target))
            .map((target) => `${path}: ${target}`)
        );
      });
    expect(missing).toEqual([]);
  });

  it('imports no package that is not installed with it or optional', () => {
    const known = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)];
    const imported = files
      .filter((path) => path.endsWith('.js'))
      .flatMap((path) => [
        ...readFileSync(join(installed, path), 'utf8').matchAll(
          /(?:^import|\bfrom|[\s;}]import|\bimport\()\s*["']((?:@[\w-]+\/)?[a-z][\w-]*)(?:\/[\w./-]+)?["']/gm,
        ),
      ])
      .map(([, name = '']) => name)
      // the studio shows programs that import nemokit
      .filter((name) => !isBuiltin(name) && name !== 'nemokit');
    expect([...new Set(imported)].toSorted()).toEqual(known.toSorted());
  });

  it('names the licence of every package in the bundle', () => {
    const { quick, other } = JSON.parse(readFileSync(`${root}build/command.json`, 'utf8'));
    const inputs = [quick, other].flatMap((bundle) => Object.keys(bundle.inputs));
    const names = new Set(
      inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
    );
    expect([...names].toSorted()).toEqual([
      '@hono/node-server',
      'commander',
      'fflate',
      'hono',
      'papaparse',
      'picocolors',
    ]);
    const licences = readFileSync(join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of names)
      expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((?:MIT|ISC)\\)$`, 'm'));
    expect(
      licences.match(/^Copyright|\nCopyright|The MIT License|ISC License/g)?.length,
    ).toBeGreaterThanOrEqual(3);
  });

  it('has no fault that publint finds', async () => {
    const bytes = tarball.buffer.slice(
      tarball.byteOffset,
      tarball.byteOffset + tarball.length,
    ) as ArrayBuffer;
    const { messages } = await publint({ pack: { tarball: bytes }, strict: true });
    expect(messages.map((message) => formatMessage(message, manifest))).toEqual([]);
  });

  it('has types that fit its modules', async () => {
    const entrypoints = Object.keys(manifest.exports).filter((name) => !name.endsWith('.json'));
    const result = await checkPackage(createPackageFromTarballData(tarball), { entrypoints });
    if (!result.types) throw new Error('the package has no types');
    const accepted: readonly string[] = [
      // `require` of an ES module works in every Node that the package runs in (20.19 and later), which is tested below.
      'CJSResolvesToESM node16-cjs',
      // A way of resolving that knows no `exports`, from before Node 12; TypeScript 6 deprecates it.
      'NoResolution node10',
    ];
    const problems = result.problems.map(
      (problem) => `${problem.kind} ${'resolutionKind' in problem ? problem.resolutionKind : ''}`,
    );
    expect(problems.filter((problem) => !accepted.includes(problem))).toEqual([]);
    expect(Object.keys(result.entrypoints)).toEqual(entrypoints);
  });
});

describe('the installed command', () => {
  it('says its version, and loads nothing for it', () => {
    expect(nemokit('--version')).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: '' });
    const main = readFileSync(join(installed, 'dist/cli/main.js'), 'utf8');
    expect(main.length).toBeLessThan(1000);
  });

  it('checks a table from its own few files', () => {
    const { status, stdout } = nemokit('check', 'past.csv');
    expect([status, stdout.split('\n')[0]]).toEqual([0, expect.stringContaining('40 rows, 5 columns')]);
    const { quick } = JSON.parse(readFileSync(`${root}build/command.json`, 'utf8'));
    const outside = Object.values<{ imports: { path: string; kind: string }[] }>(quick.outputs)
      .flatMap(({ imports }) => imports)
      .filter(({ path }) => path.startsWith('../'));
    expect(outside).toEqual([]);
  });

  it('computes on the threads of the library', () => {
    const { status, stdout } = nemokit('doctor', '--json');
    expect([status, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ isSound: true, threads: 2 })]);
  });

  it('runs trials of a plug-in in processes of its own', () => {
    const args = ['--plugin', 'plugin.mjs', '--task', 'sphere5-v1', '--algorithm', 'jitter', '--seeds', '0'];
    const { status, stderr } = nemokit('bench', 'run', ...args, '--out', 'trials', '--quiet');
    expect([status, stderr]).toEqual([0, '']);
    expect(readFileSync(join(folder, 'trials', 'records.jsonl'), 'utf8')).toContain('"jitter"');
  });

  it('says which optional packages a queue needs', () => {
    const args = [
      '--task',
      'branin-v1',
      '--algorithm',
      'nemo',
      '--queue',
      'redis://localhost:1',
      '--out',
      'queued',
    ];
    const { status, stderr } = nemokit('bench', 'run', ...args);
    expect([status, stderr]).toEqual([
      2,
      'nemokit: a queue needs two packages: npm install bullmq ioredis\n',
    ]);
  });

  it('says where the designs of robots are, then which simulator scores them', () => {
    const task = ['--task', 'ant-morphology-cpg-v1', '--algorithm', 'forward', '--seeds', '0'];
    const small = ['--set', 'steps=2', '--set', 'batchSize=2', '--set', 'trainSteps=5'];
    const args = ['bench', 'run', ...task, ...small, '--out', 'robots', '--quiet'];
    expect(nemokit(...args).stderr).toContain(
      'ant-morphology/designs.bin is not there. It is in a package of its own: npm install nemokit-robots\n',
    );
    const { status, stdout } = node(`${root}scripts/pack-robots.mjs`, join(folder, 'robots-package'));
    expect([status, stdout]).toEqual([0, '']);
    link(folder, 'nemokit-robots', join(folder, 'robots-package'));
    const { stderr } = nemokit(...args);
    expect(stderr).toContain('MuJoCo is not installed; run npm install @mujoco/mujoco@3.10.0\n');
    expect(nemokit('data', 'verify', 'ant-morphology').stdout).toMatch(
      /^right +ant-morphology\/designs\.bin/,
    );
  });
});

describe('the installed library', () => {
  it('is imported, and required by CommonJS', () => {
    const wanted = { status: 0, stdout: 'function function function\n', stderr: '' };
    const print = 'console.log(typeof main.design, typeof node.readRun, typeof research.openEngine)';
    expect(
      evaluate(
        `import * as main from 'nemokit'; import * as node from 'nemokit/node';
         import * as research from 'nemokit/research'; ${print}`,
      ),
    ).toEqual(wanted);
    const names = `const [main, node, research] = ['nemokit', 'nemokit/node', 'nemokit/research'].map(require);`;
    expect(node('--input-type=commonjs', '-e', `${names} ${print}`)).toEqual(wanted);
  });

  it('says which optional package reads molecules', () => {
    const { stdout } = evaluate(
      `import { openFingerprints } from 'nemokit';
       await openFingerprints().catch((error) => console.log(error.name, error.message));`,
    );
    expect(stdout).toBe('ArgumentError RDKit is not installed; run npm install @rdkit/rdkit\n');
  });

  it('says which optional package simulates robots', () => {
    const { stdout } = evaluate(
      `import { openDataFolder } from 'nemokit/node';
       await openDataFolder().simulator().catch((error) => console.log(error.name, error.message));`,
    );
    expect(stdout).toBe('ArgumentError MuJoCo is not installed; run npm install @mujoco/mujoco@3.10.0\n');
  });
});
