import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { plain, relaxed } from '../../src/numeric/kernels/binary.js';

/** What an installed nemokit brings along. The reason for each stands in docs/decisions.md. */
const allowedDependencies: readonly string[] = [
  'highs',
  'hyparquet',
  'hyparquet-compressors',
  'hyparquet-writer',
  'papaparse',
  'read-excel-file',
  'yaml',
  'zod',
];

/** What a user may install beside it. The tests of the repository use them all. */
const optionalPeers: readonly string[] = ['@mujoco/mujoco', '@rdkit/rdkit', 'bullmq', 'ioredis'];

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
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly devDependencies?: Versions;
  readonly files?: readonly string[];
  readonly exports?: unknown;
  readonly imports?: unknown;
  readonly bin?: unknown;
}

/** The lock file pins what the repository is built and tested with; a range lets npm share packages in a project. */
function findWrongRanges(manifest: Manifest): string[] {
  const all = [
    manifest.dependencies,
    manifest.optionalDependencies,
    manifest.peerDependencies,
    manifest.devDependencies,
  ];
  return all
    .flatMap((versions) => Object.entries(versions ?? {}))
    .filter(([, version]) => !/^\^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version))
    .map(([name, version]) => `${name} is "${version}"; write a caret range, such as ^1.2.3`);
}

function findUnexpectedDependencies(manifest: Manifest): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  const unexpected = [
    ...Object.keys({ ...dependencies, ...optionalDependencies }).filter(
      (name) => !allowedDependencies.includes(name),
    ),
    ...Object.keys(peerDependencies ?? {}).filter((name) => !optionalPeers.includes(name)),
  ];
  return unexpected.map(
    (name) => `${name}: say why in docs/decisions.md, then add it to the list in test/repo/package.test.ts`,
  );
}

/** A peer that npm would install by itself, or that no test of the repository has. */
function findWrongPeers({ peerDependencies, peerDependenciesMeta, devDependencies }: Manifest): string[] {
  return Object.entries(peerDependencies ?? {}).flatMap(([name, range]) => [
    ...(peerDependenciesMeta?.[name]?.optional ? [] : [`${name} is not optional`]),
    ...(devDependencies?.[name] === range ? [] : [`${name} is tested with ${devDependencies?.[name]}`]),
  ]);
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

  it('says where it comes from', () => {
    expect(manifest).toMatchObject({
      author: 'The nemokit developers',
      homepage: 'https://github.com/nemokit/nemokit#readme',
      repository: { type: 'git', url: 'git+https://github.com/nemokit/nemokit.git' },
      bugs: { url: 'https://github.com/nemokit/nemokit/issues' },
    });
  });

  it('takes ranges, which the lock file pins', () => {
    expect(findWrongRanges(manifest)).toEqual([]);
    const { packages } = JSON.parse(read('package-lock.json'));
    const { dependencies, devDependencies, peerDependencies } = manifest;
    expect(packages['']).toMatchObject({ dependencies, devDependencies, peerDependencies });
    for (const name of Object.keys({ ...dependencies, ...devDependencies }))
      expect(packages[`node_modules/${name}`]?.version, name).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('has peers that are optional, and tested', () => {
    expect(findWrongPeers(manifest)).toEqual([]);
    expect(Object.keys(manifest.peerDependencies ?? {})).toEqual(optionalPeers);
  });

  it('has the allowed dependencies only', () => {
    expect(findUnexpectedDependencies(manifest)).toEqual([]);
  });

  it('has a written reason for every dependency', () => {
    const names = [...allowedDependencies, ...optionalPeers, ...Object.keys(manifest.devDependencies ?? {})];
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

describe('CITATION.cff', () => {
  it('cites this version, and the paper', () => {
    const citation = parse(read('CITATION.cff'));
    expect(citation).toMatchObject({
      'cff-version': '1.2.0',
      title: manifest.name,
      version: manifest.version,
      license: manifest.license,
      'repository-code': 'https://github.com/nemokit/nemokit',
      authors: [{ name: 'The nemokit developers' }],
    });
    expect(citation.references).toMatchObject([
      {
        title: 'Offline Model-Based Optimization via Normalized Maximum Likelihood Estimation',
        authors: [{ 'family-names': 'Fu' }, { 'family-names': 'Levine' }],
        year: 2021,
      },
    ]);
  });
});

describe('packages/robots', () => {
  it('is a package of data alone', () => {
    const robots: Manifest = JSON.parse(read('packages/robots/package.json'));
    expect(robots).toMatchObject({ name: 'nemokit-robots', license: 'MIT', files: ['data'] });
    expect(robots.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(robots.dependencies).toBeUndefined();
    expect(findInstallScripts(robots)).toEqual([]);
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
    expect(read(built).includes(`${name}="${base64}"`), `${built} is out of date: run npm run build`).toBe(
      true,
    );
  });
});

describe('the checks', () => {
  it.each(['1.0.0', '~1.0.0', '^1.0', '*', 'latest', '>=1.0.0', 'file:../x', '^1.0.0 || ^2.0.0', ''])(
    'report the version "%s" in every list',
    (version) => {
      for (const list of ['dependencies', 'optionalDependencies', 'peerDependencies', 'devDependencies'])
        expect(findWrongRanges({ [list]: { palette: version, other: '^1.0.0-rc.1' } })).toEqual([
          `palette is "${version}"; write a caret range, such as ^1.2.3`,
        ]);
    },
  );

  it('report a dependency that nobody allowed', () => {
    for (const [list, known] of [
      ['dependencies', 'zod'],
      ['optionalDependencies', 'zod'],
      ['peerDependencies', 'bullmq'],
    ] as const)
      expect(findUnexpectedDependencies({ [list]: { palette: '1.0.0', [known]: '1.0.0' } })).toEqual([
        expect.stringContaining('palette: say why in docs/decisions.md'),
      ]);
    expect(findUnexpectedDependencies({ devDependencies: { palette: '1.0.0' } })).toEqual([]);
  });

  it('report a peer that is not optional, or not tested in its range', () => {
    const peerDependencies = { palette: '^1.0.0', painter: '^2.0.0' };
    const peerDependenciesMeta = { painter: { optional: true } };
    const devDependencies = { palette: '^1.0.0', painter: '^1.0.0' };
    expect(findWrongPeers({ peerDependencies, peerDependenciesMeta, devDependencies })).toEqual([
      'palette is not optional',
      'painter is tested with ^1.0.0',
    ]);
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
