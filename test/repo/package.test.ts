import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { plain, relaxed } from '../../src/numeric/kernels/binary.js';

/** What an installed nemokit brings along. The reason for each stands in docs/decisions.md. */
const allowedDependencies: readonly string[] = [
  '@mujoco/mujoco',
  '@rdkit/rdkit',
  'bullmq',
  'commander',
  'highs',
  'hyparquet',
  'hyparquet-compressors',
  'hyparquet-writer',
  'ioredis',
  'papaparse',
  'picocolors',
  'read-excel-file',
  'yaml',
  'zod',
];

/** The scripts npm runs by itself on installing. `prepare` builds, and runs in a clone but not for users. */
const installScripts = ['preinstall', 'install', 'postinstall', 'preprepare', 'postprepare', 'prepublish'];

/** The kernels travel inside a JavaScript string, so their size is start-up time in every browser. */
const maximumKernelBytes = 60_000;

type Versions = Readonly<Record<string, string>>;

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly type?: string;
  readonly engines?: Versions;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly peerDependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly files?: readonly string[];
  readonly exports?: unknown;
  readonly imports?: unknown;
  readonly bin?: unknown;
}

function findInexactVersions(manifest: Manifest): string[] {
  const all = [
    manifest.dependencies,
    manifest.optionalDependencies,
    manifest.peerDependencies,
    manifest.devDependencies,
  ];
  return all
    .flatMap((versions) => Object.entries(versions ?? {}))
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version))
    .map(([name, version]) => `${name} is "${version}"; write one exact version`);
}

function findUnexpectedDependencies(manifest: Manifest): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
    .filter((name) => !allowedDependencies.includes(name))
    .map(
      (name) => `${name}: say why in docs/decisions.md, then add it to the list in test/repo/package.test.ts`,
    );
}

function findUnexplained(names: readonly string[], decisions: string): string[] {
  const words: readonly string[] = decisions.toLowerCase().match(/[@\w][\w./-]*\w/g) ?? [];
  return names
    .filter((name) => !words.includes(name))
    .map((name) => `${name} is not named in docs/decisions.md`);
}

function findInstallScripts(manifest: Manifest): string[] {
  return installScripts.filter((name) => name in (manifest.scripts ?? {}));
}

function findMissingTargets(manifest: Manifest, exists: (path: string) => boolean): string[] {
  // a pattern stands for any number of files
  const targets = [...new Set(leaves([manifest.exports, manifest.imports, manifest.bin]))].filter(
    (path) => !path.includes('*'),
  );
  return targets.filter((path) => !exists(path)).map((path) => `${path} is missing: run npm run build`);
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}

function hasEntry(version: string, changelog: string): boolean {
  return changelog.split('\n').some((line) => /^#+\s+\[?v?([^\s\]]+)/.exec(line)?.[1] === version);
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(root + path, 'utf8');
const manifest: Manifest = JSON.parse(read('package.json'));

describe('package.json', () => {
  it('says what the package is', () => {
    expect(manifest).toMatchObject({
      name: 'nemokit',
      license: 'MIT',
      type: 'module',
      engines: { node: '>=20.19' },
    });
  });

  it('pins every version', () => {
    expect(findInexactVersions(manifest)).toEqual([]);
  });

  it('has the allowed dependencies only', () => {
    expect(findUnexpectedDependencies(manifest)).toEqual([]);
  });

  it('has a written reason for every dependency', () => {
    const names = [...allowedDependencies, ...Object.keys(manifest.devDependencies ?? {})];
    expect(findUnexplained(names, read('docs/decisions.md'))).toEqual([]);
  });

  it('runs nothing on installing but prepare', () => {
    expect(findInstallScripts(manifest)).toEqual([]);
    expect(manifest.scripts).toHaveProperty('prepare');
  });

  it('points to files that the build makes', () => {
    expect(existsSync(`${root}dist`), 'dist is missing: run npm run build').toBe(true);
    expect(findMissingTargets(manifest, (path) => existsSync(root + path))).toEqual([]);
  });

  it('brings every schema along, and two of them under a shorter name', () => {
    const load = createRequire(import.meta.url);
    const files = readdirSync(`${root}schemas`);
    expect(files).toContain('check.schema.json');
    for (const file of files)
      expect(load(`nemokit/schemas/${file}`), file).toEqual(JSON.parse(read(`schemas/${file}`)));
    expect(load('nemokit/schema.json')).toEqual(load('nemokit/schemas/problem.schema.json'));
    expect(load('nemokit/spec.schema.json')).toEqual(load('nemokit/schemas/spec.schema.json'));
    expect(manifest.files).toContain('schemas');
  });

  it('has a version with an entry in the changelog', () => {
    expect(hasEntry(manifest.version ?? '', read('CHANGELOG.md')), `no heading for ${manifest.version}`).toBe(
      true,
    );
  });
});

interface Lock {
  readonly packages: Readonly<Record<string, { readonly optionalDependencies?: Versions }>>;
}

/** `npm ci` refuses a lock file that lacks a package another platform would install. */
function findMissingPlatforms({ packages }: Lock): string[] {
  const locked = Object.keys(packages);
  const wanted = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
  return wanted.filter((name) => !locked.some((path) => path.endsWith(`node_modules/${name}`)));
}

describe('package-lock.json', () => {
  it('knows the packages of every platform', () => {
    const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'));
    expect(findMissingPlatforms(lock)).toEqual([]);
  });

  it('is reported when it does not', () => {
    const packages = {
      'node_modules/tool': { optionalDependencies: { 'tool-linux': '1.0.0', 'tool-mac': '1.0.0' } },
      'node_modules/tool-linux': {},
    };
    expect(findMissingPlatforms({ packages })).toEqual(['tool-mac']);
  });
});

describe('LICENSE', () => {
  it('is the MIT licence', () => {
    const text = read('LICENSE').replace(/\s+/g, ' ');
    expect(text).toMatch(/^MIT License Copyright \(c\) \d{4} /);
    expect(text).toContain('Permission is hereby granted, free of charge, to any person obtaining a copy');
    expect(text).toContain('The above copyright notice and this permission notice shall be included in all');
    expect(text).toContain('THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND');
  });
});

describe.each([
  ['plain', plain],
  ['relaxed', relaxed],
])('the %s kernels', (name, base64) => {
  it('are a small WebAssembly module', () => {
    const bytes = Buffer.from(base64, 'base64');
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('\0asm');
    expect(bytes.length).toBeLessThan(maximumKernelBytes);
  });

  it('are in the build as they are in the sources', () => {
    const built = 'dist/numeric/kernels/binary.js';
    expect(existsSync(root + built), `${built} is missing: run npm run build`).toBe(true);
    expect(read(built).includes(`${name} = '${base64}'`), `${built} is out of date: run npm run build`).toBe(
      true,
    );
  });
});

describe('the checks', () => {
  it.each(['^1.0.0', '~1.0.0', '1.0', '*', 'latest', '>=1.0.0', 'file:../x', '1.0.0 || 2.0.0', ''])(
    'report the version "%s" in every list',
    (version) => {
      for (const list of ['dependencies', 'optionalDependencies', 'peerDependencies', 'devDependencies'])
        expect(findInexactVersions({ [list]: { palette: version, other: '1.0.0-rc.1' } })).toEqual([
          `palette is "${version}"; write one exact version`,
        ]);
    },
  );

  it('report a dependency that nobody allowed', () => {
    for (const list of ['dependencies', 'optionalDependencies', 'peerDependencies'])
      expect(findUnexpectedDependencies({ [list]: { palette: '1.0.0', commander: '1.0.0' } })).toEqual([
        expect.stringContaining('palette: say why in docs/decisions.md'),
      ]);
    expect(findUnexpectedDependencies({ devDependencies: { palette: '1.0.0' } })).toEqual([]);
  });

  it('report a dependency without a reason', () => {
    const decisions = 'We use `palette`, Checker and @scope/checker-node.';
    expect(findUnexplained(['palette', 'checker', '@scope/checker-node'], decisions)).toEqual([]);
    expect(findUnexplained(['pal', 'node', '@scope/checker', 'checker-node'], decisions)).toHaveLength(4);
  });

  it('report scripts that run on installing', () => {
    const scripts = { prepare: 'build', postinstall: 'fetch', test: 'test', preinstall: 'ask' };
    expect(findInstallScripts({ scripts })).toEqual(['preinstall', 'postinstall']);
  });

  it('report targets that are not there', () => {
    const made = {
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
      imports: { '#platform': { node: './dist/node.js', default: { default: './dist/web.js' } } },
      bin: { nemokit: 'dist/cli/main.js' },
    };
    expect(findMissingTargets(made, () => false)).toHaveLength(5);
    expect(findMissingTargets(made, (path) => path !== './dist/web.js')).toEqual([
      './dist/web.js is missing: run npm run build',
    ]);
  });

  it('report a version that the changelog does not have', () => {
    for (const heading of ['## 1.2.0', '# [1.2.0]', '## v1.2.0 - 2020-01-01', '### [1.2.0](link)'])
      expect(hasEntry('1.2.0', `# Changelog\n\n${heading}\n`), heading).toBe(true);
    for (const text of ['## 1.2.0-rc.1', '## 11.2.0', 'version 1.2.0', '## 1.20'])
      expect(hasEntry('1.2.0', text), text).toBe(false);
  });
});
