// What may import what in src/, and what a source file may not do. Each rule is a pure function of the sources, so
// that it also gets to see small made-up trees that break it.
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

interface Zone {
  /** Zones whose values and types it may import. Its own files always. */
  readonly imports: readonly string[];
  /** Zones whose types alone it may import. */
  readonly types?: readonly string[];
  /** May import Node's own modules. */
  readonly node?: true;
  /** May read the clock, the environment and unseeded randomness. */
  readonly outside?: true;
}

const pure = [
  'nearestName',
  'visibleText',
  'numeric',
  'options',
  'space',
  'search',
  'models',
  'algorithm',
  'algorithms',
  'run',
  'table',
  'problem',
  'simulation',
  'tasks',
];
const design = ['judging', 'design'];
const keeping = ['runs', 'data', 'bench', 'conformance'];
const belowCommands = [...pure, ...design, ...keeping, 'report', 'version'];

/** The direction table. A zone is a folder or a file at the top of src/; in studio/, one level further down. */
const zones: Readonly<Record<string, Zone>> = {
  nearestName: { imports: [] },
  visibleText: { imports: [] },
  numeric: { imports: [] },
  options: { imports: ['nearestName', 'numeric'], types: ['algorithm'] },
  space: { imports: ['numeric'] },
  search: { imports: ['numeric', 'space'] },
  models: { imports: ['numeric', 'options', 'space', 'search'], types: ['algorithm'] },
  algorithm: { imports: ['nearestName', 'numeric', 'options'], types: ['space'] },
  algorithms: { imports: ['numeric', 'options', 'space', 'search', 'models', 'algorithm'] },
  run: { imports: ['numeric'], types: ['algorithm'] },
  table: { imports: ['nearestName', 'numeric'] },
  problem: { imports: ['nearestName', 'numeric', 'options', 'space', 'table'] },
  simulation: { imports: ['numeric'] },
  tasks: { imports: ['numeric', 'space', 'search', 'models', 'table', 'problem', 'simulation'] },
  judging: {
    imports: ['numeric', 'space', 'search', 'models', 'algorithms', 'run', 'table', 'problem'],
    types: ['design'],
  },
  design: { imports: [...pure, 'judging', 'version'] },
  runs: { imports: [...pure, ...design, 'report', 'version'], node: true, outside: true },
  data: { imports: [...pure, 'runs', 'version'], node: true, outside: true },
  bench: {
    imports: ['visibleText', ...pure, 'runs', 'data', 'report', 'version'],
    node: true,
    outside: true,
  },
  conformance: { imports: [...pure, 'data', 'bench', 'version'], node: true, outside: true },
  report: { imports: ['visibleText', 'numeric', 'table', 'problem'], types: ['design'], outside: true },
  version: { imports: [] },
  // made into files by a script and compared by tests; no other zone imports it
  schemas: { imports: belowCommands },
  index: { imports: belowCommands },
  node: { imports: belowCommands },
  research: { imports: belowCommands },
  'studio/protocol': { imports: [], types: [...pure, ...design, ...keeping], outside: true },
  'studio/answers': {
    imports: [...pure, ...design, 'runs', 'report', 'version', 'index', 'studio/protocol'],
  },
  'studio/server': {
    imports: [
      ...pure,
      ...design,
      ...keeping,
      'report',
      'version',
      'index',
      'studio/protocol',
      'studio/answers',
    ],
    node: true,
    outside: true,
  },
  'studio/web': { imports: ['index', 'report', 'studio/protocol', 'studio/answers'], outside: true },
  cli: {
    imports: ['visibleText', ...belowCommands, 'index', 'studio/protocol', 'studio/server'],
    node: true,
    outside: true,
  },
};

/** The files that look at the machine on behalf of everything below runs/. */
const platformFiles: readonly string[] = [
  'src/numeric/platform/nativeAddon.ts',
  'src/numeric/platform/node.ts',
  'src/numeric/threads/worker.node.js',
  'src/simulation/platform/node.ts',
  'src/simulation/platform/worker.ts',
  'src/table/platform/node.ts',
  'src/problem/platform/node.ts',
];

/** [object, member]; an asterisk stands for every member. `Date` called or constructed is banned as well. */
const outsideWorld = [
  ['Math', 'random'],
  ['Date', 'now'],
  ['performance', 'now'],
  ['process', '*'],
  ['crypto', '*'],
] as const;

const emptyNames = ['utils', 'helpers', 'common', 'core', 'misc', 'lib', 'types', 'constants', 'config'];

/** Development dependencies that are part of dist/cli, see scripts/bundleCommand.mjs. */
const bundledWithCommand = ['@hono/node-server', 'commander', 'fflate', 'hono', 'picocolors'];

/** Those that are part of the pages of the studio, see scripts/buildWeb.mjs. */
const bundledWithPages = ['@tanstack/react-virtual', 'fflate', 'react', 'react-dom'];

const maximumLines = 450;

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly imports?: Readonly<Record<string, unknown>>;
}

interface Import {
  readonly specifier: string;
  readonly isTypeOnly: boolean;
  /** `import('...')`: loaded when the call is reached, not with the file. */
  readonly isDynamic?: true;
  /** The files of ours it leads to; none for a package or a module of Node. */
  readonly targets: readonly string[];
}

interface Source {
  readonly path: string;
  readonly zone: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  /** CommonJS cannot `require` a module that waits before it is ready, nor one that imports it. */
  readonly awaitsAtTop: boolean;
  /** Uses of the clock, the environment or unseeded randomness, as written in `outsideWorld`. */
  readonly outside: readonly string[];
  /** Uses Node's `Buffer`, which browsers lack. */
  readonly usesBuffer: boolean;
}

type Tree = Readonly<Record<string, string>>;
type Rule = (sources: readonly Source[], manifest: Manifest) => string[];

function zoneOf(path: string): string {
  const parts = path.split('/').slice(1);
  const depth = parts[0] === 'studio' ? 2 : 1;
  return parts.slice(0, depth).join('/').replace(/\..*$/, '');
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}

function parse(tree: Tree, manifest: Manifest): Source[] {
  const sourceFor = (path: string): string =>
    [path, path.replace(/js$/, 'ts'), path.replace(/js$/, 'tsx'), path.replace(/js$/, 'd.ts')].find(
      (name) => name in tree,
    ) ?? path;
  const targets = (from: string, specifier: string): string[] => {
    if (/^\.{1,2}\//.test(specifier)) return [sourceFor(posix.join(posix.dirname(from), specifier))];
    return leaves(manifest.imports?.[specifier])
      .filter((file) => file.endsWith('.js'))
      .map((file) => sourceFor(posix.normalize(file).replace(/^dist\//, 'src/')));
  };
  return Object.entries(tree).map(([path, text]) => {
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
    const imports: Import[] = [];
    const outside: string[] = [];
    let usesBuffer = false;
    visit(file);
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    return { path, zone: zoneOf(path), lines, imports, outside, usesBuffer, awaitsAtTop: awaitsIn(file) };

    // The parser and not ts.preProcessFile, which loses its place after a quote inside a regular expression.
    function visit(node: ts.Node): void {
      const found = importIn(node);
      if (found) imports.push({ ...found, targets: targets(path, found.specifier) });
      outside.push(...outsideIn(node));
      if (ts.isPropertyAccessExpression(node) && globalName(node.expression) === 'Buffer') usesBuffer = true;
      ts.forEachChild(node, visit);
    }
  });
}

/** `import { type A }` is no type-only import: verbatimModuleSyntax keeps it as `import {}`, which loads the file. */
function importIn(node: ts.Node): Omit<Import, 'targets'> | undefined {
  const found = (name: ts.Node | undefined, isTypeOnly: boolean) =>
    name && ts.isStringLiteralLike(name) ? { specifier: name.text, isTypeOnly } : undefined;
  if (ts.isImportDeclaration(node))
    return found(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
  if (ts.isExportDeclaration(node)) return found(node.moduleSpecifier, node.isTypeOnly);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return found(node.argument.literal, true);
  if (ts.isExternalModuleReference(node)) return found(node.expression, false);
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const called = found(node.arguments[0], false);
    return called && { ...called, isDynamic: true };
  }
  return undefined;
}

/** An `await` that belongs to no function. */
function awaitsIn(node: ts.Node): boolean {
  if (ts.isFunctionLike(node) || ts.isPropertyDeclaration(node)) return false;
  if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier)) return true;
  if (
    ts.isVariableDeclarationList(node) &&
    (node.flags & ts.NodeFlags.AwaitUsing) === ts.NodeFlags.AwaitUsing
  )
    return true;
  return ts.forEachChild(node, (child) => awaitsIn(child) || undefined) ?? false;
}

function outsideIn(node: ts.Node): string[] {
  if (ts.isPropertyAccessExpression(node)) return banned(node.expression, node.name);
  if (ts.isElementAccessExpression(node)) return banned(node.expression, node.argumentExpression);
  if (ts.isVariableDeclaration(node) && node.initializer && ts.isObjectBindingPattern(node.name)) {
    const object = node.initializer;
    return node.name.elements.flatMap((element) => banned(object, element.propertyName ?? element.name));
  }
  if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && globalName(node.expression) === 'Date')
    return ['Date()'];
  return [];
}

function banned(object: ts.Expression, member: ts.Node): string[] {
  const name = globalName(object);
  const key = ts.isIdentifier(member) || ts.isStringLiteralLike(member) ? member.text : undefined;
  return outsideWorld
    .filter(([owner, banned]) => owner === name && (banned === '*' || banned === key))
    .map((pair) => pair.join('.'));
}

/** `Math`, `globalThis.Math` and `(globalThis as Scope).Math` are all `Math`. */
function globalName(expression: ts.Expression): string | undefined {
  let bare = expression;
  while (ts.isParenthesizedExpression(bare) || ts.isAsExpression(bare) || ts.isNonNullExpression(bare))
    bare = bare.expression;
  if (ts.isIdentifier(bare)) return bare.text;
  return ts.isPropertyAccessExpression(bare) && globalName(bare.expression) === 'globalThis'
    ? bare.name.text
    : undefined;
}

const rules: Readonly<Record<string, Rule>> = {
  'every file belongs to a zone of the direction table': (sources) =>
    sources
      .filter(({ zone }) => !(zone in zones))
      .map(
        ({ path, zone }) =>
          `${path}: src/${zone} is new; add it to \`zones\` in test/repo/imports.test.ts and to ARCHITECTURE.md`,
      ),

  'imports follow the direction table': (sources) =>
    sources.flatMap(({ path, zone, imports }) =>
      imports.flatMap(({ specifier, isTypeOnly, targets }) =>
        targets.flatMap((target) => {
          if (!target.startsWith('src/')) return [`${path}: ${specifier} leads out of src`];
          const other = zoneOf(target);
          if (other === zone || zones[zone]?.imports.includes(other)) return [];
          if (!zones[zone]?.types?.includes(other)) return [`${path}: ${zone} may not import ${other}`];
          return isTypeOnly ? [] : [`${path}: ${zone} may import types from ${other}, nothing else`];
        }),
      ),
    ),

  'no algorithm imports another': (sources) =>
    sources
      .filter(({ path, zone }) => zone === 'algorithms' && path !== 'src/algorithms/index.ts')
      .flatMap(({ path, imports }) =>
        imports
          .flatMap(({ targets }) => targets)
          .filter((target) => zoneOf(target) === 'algorithms')
          .map((target) => `${path}: imports ${target}`),
      ),

  'no import cycles': findCycles,

  'modules of Node only where a zone allows them': (sources) =>
    sources
      .filter(({ path, zone }) => !zones[zone]?.node && !platformFiles.includes(path))
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ specifier }) => isBuiltin(specifier))
          .map(({ specifier }) => `${path}: imports ${specifier}`),
      ),

  'no clock, environment or unseeded randomness below the running of experiments': (sources) =>
    sources
      .filter(({ path, zone }) => !zones[zone]?.outside && !platformFiles.includes(path))
      .flatMap(({ path, outside }) => outside.map((use) => `${path}: uses ${use}`)),

  'what pages load does without the Buffer of Node': (sources) => {
    const byPath = new Map(sources.map((source) => [source.path, source]));
    const loaded = new Set(sources.filter(({ zone }) => zone === 'studio/web').map(({ path }) => path));
    for (const path of loaded)
      for (const { isTypeOnly, targets } of byPath.get(path)?.imports ?? [])
        for (const target of targets) if (!isTypeOnly && !platformFiles.includes(target)) loaded.add(target);
    return [...loaded].filter((path) => byPath.get(path)?.usesBuffer).map((path) => `${path}: uses Buffer`);
  },

  'no module of the library awaits at its top': (sources) =>
    sources
      .filter(({ zone, awaitsAtTop }) => zone !== 'cli' && awaitsAtTop)
      .map(({ path }) => `${path}: awaits outside a function`),

  'packages are dependencies of the package': (sources, manifest) =>
    sources.flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier, targets }) => targets.length === 0 && !isBuiltin(specifier))
        .flatMap(({ specifier }) => {
          if (specifier.startsWith('#'))
            return [`${path}: ${specifier} is not in the imports of package.json`];
          const name = specifier
            .split('/')
            .slice(0, specifier.startsWith('@') ? 2 : 1)
            .join('/');
          if (name in { ...manifest.dependencies, ...manifest.peerDependencies }) return [];
          if (['cli', 'studio/server'].includes(zoneOf(path)) && bundledWithCommand.includes(name)) return [];
          if (zoneOf(path) === 'studio/web' && bundledWithPages.includes(name)) return [];
          const isDevelopment = name in (manifest.devDependencies ?? {});
          return [`${path}: ${name} is ${isDevelopment ? 'a development dependency' : 'no dependency'}`];
        }),
    ),

  'names say what is inside': (sources) =>
    sources.flatMap(({ path }) =>
      path
        .split('/')
        .map((part) => part.replace(/\..*$/, '').toLowerCase())
        .filter((name) => emptyNames.includes(name))
        .map((name) => `${path}: "${name}" names nothing`),
    ),

  'files stay short': (sources) =>
    sources
      .filter(({ lines }) => lines > maximumLines)
      .map(({ path, lines }) => `${path}: ${lines} lines, at most ${maximumLines}`),
};

/**
 * Type-only imports do not count: they are erased, so they cannot make one file run before the other is ready, and
 * two interfaces may well describe each other.
 */
function findCycles(sources: readonly Source[]): string[] {
  const next = new Map(
    sources.map(({ path, imports }) => [
      path,
      new Set(imports.filter(({ isTypeOnly }) => !isTypeOnly).flatMap(({ targets }) => targets)),
    ]),
  );
  const finished = new Set<string>();
  const trail: string[] = [];
  const cycles: string[] = [];
  const visit = (path: string): void => {
    const seenAt = trail.indexOf(path);
    if (seenAt >= 0) cycles.push([...trail.slice(seenAt), path].join(' -> '));
    if (seenAt >= 0 || finished.has(path)) return;
    trail.push(path);
    for (const target of next.get(path) ?? []) visit(target);
    trail.pop();
    finished.add(path);
  };
  for (const path of next.keys()) visit(path);
  return cycles;
}

/** The files that are loaded together with `start`, itself included. */
function loadedWith(start: string, sources: readonly Source[]): string[] {
  const importsOf = new Map(sources.map(({ path, imports }) => [path, imports]));
  const loaded = new Set([start]);
  for (const path of loaded)
    for (const { isTypeOnly, isDynamic, targets } of importsOf.get(path) ?? [])
      if (!isTypeOnly && !isDynamic) for (const target of targets) loaded.add(target);
  return [...loaded];
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest: Manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

function readSources(): Tree {
  const paths = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(root + path, 'utf8')]));
}

describe('src', () => {
  const sources = parse(readSources(), manifest);

  it('is read whole', () => {
    const paths = sources.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['src/numeric/index.ts', ...platformFiles]));
    const engine = sources.find(({ path }) => path === 'src/numeric/engine.ts');
    expect(engine?.imports.find(({ specifier }) => specifier === '#platform')?.targets.toSorted()).toEqual([
      'src/numeric/platform/node.ts',
      'src/numeric/platform/web.ts',
    ]);
  });

  it.each(Object.entries(rules))('%s', (_, rule) => {
    expect(rule(sources, manifest)).toEqual([]);
  });
});

describe('a command', () => {
  const sources = parse(readSources(), manifest);

  /** [command, most files it may load] */
  it.each([
    ['check', 125],
    ['design', 335],
  ])('%s loads no robots, tasks or benchmark', (command, most) => {
    const loaded = loadedWith(`src/cli/${command}.ts`, sources);
    expect(loaded).toContain('src/table/index.ts');
    const foreign = ['simulation', 'tasks', 'bench', 'conformance', 'data'];
    expect(loaded.filter((path) => foreign.includes(zoneOf(path)))).toEqual([]);
    expect(loaded.length).toBeLessThan(most);
  });

  it('is not loaded to say the version', () => {
    expect(loadedWith('src/cli/main.ts', sources)).toEqual([
      'src/cli/main.ts',
      'src/version.ts',
      'src/cli/exitCodes.ts',
    ]);
  });

  it('check reads a table without the parsers of YAML and of stored documents', () => {
    const loaded = loadedWith('src/cli/check.ts', sources);
    const packages = sources
      .filter(({ path }) => loaded.includes(path))
      .flatMap(({ imports }) => imports.filter(({ isTypeOnly, isDynamic }) => !isTypeOnly && !isDynamic))
      .flatMap(({ specifier, targets }) => (targets.length > 0 || isBuiltin(specifier) ? [] : [specifier]));
    expect([...new Set(packages)].toSorted()).toEqual(['papaparse', 'picocolors']);
  });

  it('is the only one that a call loads', () => {
    const loaded = loadedWith('src/cli/call.ts', sources);
    expect(loaded).toContain('src/cli/program.ts');
    expect(
      loaded.filter((path) => ['report', 'bench', 'design', 'algorithms'].includes(zoneOf(path))),
    ).toEqual([]);
  });

  it('counts neither types nor what is loaded later', () => {
    const tree: Tree = {
      'src/cli/a.ts': "import type { B } from './b.js'; import { c } from './c.js'; await import('./d.js');",
      'src/cli/b.ts': '',
      'src/cli/c.ts': "export * from './e.js';",
      'src/cli/d.ts': '',
      'src/cli/e.ts': "import './a.js';",
    };
    expect(loadedWith('src/cli/a.ts', parse(tree, {}))).toEqual([
      'src/cli/a.ts',
      'src/cli/c.ts',
      'src/cli/e.ts',
    ]);
  });
});

describe('the rules', () => {
  const madeUp: Manifest = {
    dependencies: { palette: '1.0.0', '@scope/palette': '1.0.0' },
    peerDependencies: { faster: '1.0.0' },
    devDependencies: { checker: '1.0.0' },
    imports: { '#platform': { node: './dist/numeric/platform/node.js', default: './dist/numeric/web.js' } },
  };
  const lines = (count: number) => 'void 0;\n'.repeat(count);

  /** [rule, sources, what the rule says of them] */
  const planted: ReadonlyArray<readonly [rule: string, tree: Tree, violations: readonly string[]]> = [
    [
      'every file belongs to a zone of the direction table',
      { 'src/plots/line.ts': '', 'src/setup.ts': '', 'src/studio/socket.ts': '', 'src/cli/main.ts': '' },
      [
        'src/plots/line.ts: src/plots is new; add it to `zones` in test/repo/imports.test.ts',
        'src/setup.ts: src/setup is new',
        'src/studio/socket.ts: src/studio/socket is new',
      ],
    ],
    [
      'imports follow the direction table',
      {
        'src/numeric/a.ts': "import { fit } from '../models/fit.js';",
        'src/judging/a.ts': "import { type Result } from '../design/describe.js';",
        'src/algorithm.ts': "import { type Dataset } from './space/space.js';",
        'src/algorithms/a.ts': "type Score = import('../tasks/a.js').Score;",
        'src/table/a.ts': "export * from '../models/fit.js';",
        'src/tasks/a.ts': "export type { Nemo } from '../algorithms/nemo.js';",
        'src/runs/a.ts': "await import('../bench/a.js');",
        'src/report/a.ts': "import { run } from '../cli/main.js';",
        'src/index.ts': "import './cli/main.js';",
        'src/cli/a.ts': "import '../studio/web/app.js';",
        'src/studio/protocol.ts': "import { run } from '../runs/run.js';",
        'src/studio/server.ts': "import '../cli/main.js';",
        'src/studio/web/a.ts': "import { run } from '../../runs/run.js';",
        'src/cli/b.ts': "import '../../scripts/build.mjs';",
      },
      [
        'src/numeric/a.ts: numeric may not import models',
        'src/judging/a.ts: judging may import types from design, nothing else',
        'src/algorithm.ts: algorithm may import types from space, nothing else',
        'src/algorithms/a.ts: algorithms may not import tasks',
        'src/table/a.ts: table may not import models',
        'src/tasks/a.ts: tasks may not import algorithms',
        'src/runs/a.ts: runs may not import bench',
        'src/report/a.ts: report may not import cli',
        'src/index.ts: index may not import cli',
        'src/cli/a.ts: cli may not import studio/web',
        'src/studio/protocol.ts: studio/protocol may import types from runs, nothing else',
        'src/studio/server.ts: studio/server may not import cli',
        'src/studio/web/a.ts: studio/web may not import runs',
        'src/cli/b.ts: ../../scripts/build.mjs leads out of src',
      ],
    ],
    [
      'imports follow the direction table',
      { 'src/studio/web/a.ts': "import { platform } from '#platform';", 'src/numeric/platform/node.ts': '' },
      ['studio/web may not import numeric', 'studio/web may not import numeric'],
    ],
    [
      'no module of the library awaits at its top',
      {
        'src/table/a.ts': 'export const table = await load();',
        'src/table/b.ts': 'for await (const row of rows) use(row);',
        'src/table/c.ts': 'if (isNode) { await using engine = open(); }',
        'src/table/d.ts': 'export const f = async () => await g(); class C { async h() { await g(); } }',
        'src/cli/main.ts': 'await run();',
      },
      [
        'src/table/a.ts: awaits outside a function',
        'src/table/b.ts: awaits outside a function',
        'src/table/c.ts: awaits outside a function',
      ],
    ],
    [
      'no algorithm imports another',
      {
        'src/algorithms/index.ts': "export { nemo } from './nemo.js';",
        'src/algorithms/nemo.ts': "import type { ForwardOptions } from './forward.js';",
        'src/algorithms/forward.ts': "import { list } from './index.js';",
      },
      [
        'src/algorithms/nemo.ts: imports src/algorithms/forward.ts',
        'src/algorithms/forward.ts: imports src/algorithms/index.ts',
      ],
    ],
    [
      'no import cycles',
      {
        'src/numeric/a.ts': "import { b } from './b.js';",
        'src/numeric/b.ts': "export { c } from './c.js';",
        'src/numeric/c.ts': "const quote = /['`]/; const a = await import('./a.js');",
        'src/numeric/d.ts': "import { type D } from './d.js';",
      },
      [
        'src/numeric/a.ts -> src/numeric/b.ts -> src/numeric/c.ts -> src/numeric/a.ts',
        'src/numeric/d.ts -> src/numeric/d.ts',
      ],
    ],
    [
      'no import cycles',
      { 'src/numeric/a.ts': "import '#platform';", 'src/numeric/platform/node.ts': "import '../a.js';" },
      ['src/numeric/a.ts -> src/numeric/platform/node.ts -> src/numeric/a.ts'],
    ],
    [
      'modules of Node only where a zone allows them',
      {
        'src/numeric/a.ts': "import type { Worker } from 'node:worker_threads';",
        'src/tasks/a.ts': "const { readFile } = await import('fs/promises');",
        'src/studio/web/a.ts': "import fs = require('fs');",
        'src/numeric/platform/web.ts': "export { sep } from 'path';",
      },
      [
        'src/numeric/a.ts: imports node:worker_threads',
        'src/tasks/a.ts: imports fs/promises',
        'src/studio/web/a.ts: imports fs',
        'src/numeric/platform/web.ts: imports path',
      ],
    ],
    [
      'no clock, environment or unseeded randomness below the running of experiments',
      {
        'src/numeric/a.ts': 'const a = 1 / Math.random();',
        'src/models/a.ts': `const a = \`at \${Date['now']()}\`;`,
        'src/algorithms/a.ts': 'const a = [new Date, Date()];',
        'src/table/a.ts': 'const a = (globalThis as Scope).performance?.now();',
        'src/tasks/a.ts': 'if (process.env.FAST) stop();',
        'src/space/space.ts': 'const { random: draw } = Math;',
        'src/numeric/platform/web.ts': 'crypto.getRandomValues(words);',
      },
      [
        'src/numeric/a.ts: uses Math.random',
        'src/models/a.ts: uses Date.now',
        'src/algorithms/a.ts: uses Date()',
        'src/algorithms/a.ts: uses Date()',
        'src/table/a.ts: uses performance.now',
        'src/tasks/a.ts: uses process.*',
        'src/space/space.ts: uses Math.random',
        'src/numeric/platform/web.ts: uses crypto.*',
      ],
    ],
    [
      'what pages load does without the Buffer of Node',
      {
        'src/studio/web/a.ts':
          "import { b } from '../answers/b.js'; import type { d } from '../answers/d.js';",
        'src/studio/answers/b.ts': "export const b = Buffer.from('b');",
        'src/studio/answers/d.ts': "export const d = Buffer.from('d');",
      },
      ['src/studio/answers/b.ts: uses Buffer'],
    ],
    [
      'packages are dependencies of the package',
      {
        'src/cli/a.ts': "import type { Checker } from 'checker/types';",
        'src/cli/b.ts': "import '@other/palette/colors';",
        'src/cli/c.ts': "import { engine } from '#engine';",
      },
      [
        'src/cli/a.ts: checker is a development dependency',
        'src/cli/b.ts: @other/palette is no dependency',
        'src/cli/c.ts: #engine is not in the imports of package.json',
      ],
    ],
    [
      'names say what is inside',
      { 'src/numeric/types.d.ts': '', 'src/cli/Utils/text.ts': '', 'src/models/config.web.js': '' },
      [
        'src/numeric/types.d.ts: "types" names nothing',
        'src/cli/Utils/text.ts: "utils" names nothing',
        'src/models/config.web.js: "config" names nothing',
      ],
    ],
    [
      'files stay short',
      { 'src/numeric/a.ts': lines(451), 'src/numeric/b.ts': `${lines(450)}void 0;` },
      ['src/numeric/a.ts: 451 lines, at most 450', 'src/numeric/b.ts: 451 lines, at most 450'],
    ],
  ];

  it.each(planted)('report what breaks "%s" (%#)', (rule, tree, violations) => {
    const reported = rules[rule]?.(parse(tree, madeUp), madeUp);
    expect(reported).toEqual(violations.map((text) => expect.stringContaining(text)));
  });

  it('have each been seen to fail', () => {
    expect([...new Set(planted.map(([rule]) => rule))].toSorted()).toEqual(Object.keys(rules).toSorted());
  });

  it('let everything else pass', () => {
    const tree: Tree = {
      'src/numeric/index.ts':
        "import { platform } from '#platform'; export { Variable } from './variable.js';",
      'src/numeric/variable.ts': "import type { Backend } from './backend.js'; export class Variable {}",
      'src/numeric/backend.ts': "import { Variable } from './variable.js';",
      'src/numeric/web.ts': "// import 'node:fs'; Math.random()\nconst text = 'Date.now() process.env';",
      'src/numeric/platform/node.ts': "import 'node:os'; process.env.NEMOKIT_THREADS;",
      'src/models/mlp.ts': `const text = \`\${Math.max(1, 2)} new Date()\`; export * from '../numeric/index.js';`,
      'src/space/space.ts':
        "import type { Key } from '../numeric/index.js'; export interface Task { process: Key }",
      'src/algorithm.ts': "import type { Dataset } from './space/space.js';",
      'src/algorithms/index.ts': "import { nemo } from './nemo.js';",
      'src/algorithms/nemo.ts':
        "import '../models/mlp.js'; import '../space/space.js'; import '../algorithm.js';",
      'src/table/csv.ts':
        "import '../numeric/index.js'; const parsed = new Table(task.process.step, Date.UTC(2020));",
      'src/tasks/index.ts':
        "import '../models/mlp.js'; import '../table/csv.js'; import '../space/space.js';",
      'src/runs/run.ts': "import 'node:fs'; import '../tasks/index.js'; const start = performance.now();",
      'src/report/html.ts':
        "import type { Run } from '../design/run.js'; import '../table/csv.js'; const made = new Date();",
      'src/index.ts': "export * from './runs/run.js'; export * from './report/html.js';",
      'src/studio/protocol.ts': "import type { Run } from '../runs/run.js';",
      'src/studio/server.ts': "import 'http'; import './protocol.js'; import '../algorithms/index.js';",
      'src/studio/web/app.ts': "import '../protocol.js'; import './chart.js';",
      'src/studio/web/chart.ts': lines(450),
      'src/cli/main.ts':
        "import '@scope/palette'; import 'palette/x'; import 'faster'; import '../index.js';",
      'src/cli/studio.ts': "import '../studio/server.js'; process.exit(Math.random());",
    };
    const sources = parse(tree, madeUp);
    expect(Object.values(rules).flatMap((rule) => rule(sources, madeUp))).toEqual([]);
  });
});
