// What users may import: few names, each with a comment. `npm run docs:api` makes the reference of these comments.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { type EntryPoint, entryPoints, entryPointsOf } from '../../scripts/entryPoints.mjs';

/** Names over all entry points together. Every one is a promise to keep, and a thing to look through. */
const mostNames = 150;

interface PublicName {
  readonly name: string;
  /** The entry points that have it. */
  readonly from: readonly string[];
  readonly file: string;
  readonly hasComment: boolean;
  /** Of an interface, a class, or a type with members: how many, and how many of them have a comment. */
  readonly members: number;
  readonly membersWithComment: number;
}

/** Path -> text, or undefined if there is no such file. */
type Read = (path: string) => string | undefined;

/**
 * Reads only what the entry points import by relative paths. No library, no package and no types are needed to know
 * what a name is called and what its comment says, which makes this a matter of a second.
 */
function openProgram(entries: readonly EntryPoint[], read: Read): ts.Program {
  const host: ts.CompilerHost = {
    getSourceFile: (path, version) => {
      const text = read(path);
      return text === undefined ? undefined : ts.createSourceFile(path, text, version, true);
    },
    resolveModuleNameLiterals: (literals, importer) =>
      literals.map(({ text }) => {
        const path = join(dirname(importer), text).replace(/\.js$/, '.ts');
        const isOurs = text.startsWith('.') && read(path) !== undefined;
        return {
          resolvedModule: isOurs ? { resolvedFileName: path, extension: '.ts' } : undefined,
        };
      }),
    fileExists: (path) => read(path) !== undefined,
    readFile: read,
    getDefaultLibFileName: () => 'lib.d.ts',
    getCurrentDirectory: () => '',
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    writeFile: () => {},
  };
  const options = { noLib: true, types: [], target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext };
  return ts.createProgram({ rootNames: entries.map(({ source }) => source), options, host });
}

function publicNames(entries: readonly EntryPoint[], read: Read): PublicName[] {
  const program = openProgram(entries, read);
  const checker = program.getTypeChecker();
  const found = new Map<string, PublicName>();
  for (const entry of entries) {
    const file = program.getSourceFile(entry.source);
    const module = file && checker.getSymbolAtLocation(file);
    if (!module) throw new Error(`${entry.source} exports nothing`);
    for (const exported of checker.getExportsOfModule(module)) {
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
      const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
      const hasComment = (of: ts.Symbol) => of.getDocumentationComment(checker).length > 0;
      const members = membersOf(symbol);
      const known = found.get(exported.name);
      found.set(exported.name, {
        name: exported.name,
        from: [...(known?.from ?? []), entry.name],
        file: symbol.declarations?.[0]?.getSourceFile().fileName ?? entry.source,
        hasComment: hasComment(symbol),
        members: members.length,
        membersWithComment: members.filter(hasComment).length,
      });
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What a reader of the type sees of it: not what is private, not type parameters. */
function membersOf(symbol: ts.Symbol): ts.Symbol[] {
  const literals = (symbol.declarations ?? []).flatMap((declaration) =>
    ts.isTypeAliasDeclaration(declaration) && ts.isTypeLiteralNode(declaration.type)
      ? [...declaration.type.members]
      : [],
  );
  const own = [...(symbol.members?.values() ?? [])].filter(
    ({ flags, name, declarations }) =>
      (flags & (ts.SymbolFlags.Property | ts.SymbolFlags.Method | ts.SymbolFlags.Accessor)) !== 0 &&
      !name.startsWith('__#') &&
      !declarations?.some(
        (declaration) => ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private,
      ),
  );
  return [...own, ...literals.flatMap((node) => ('symbol' in node ? [node.symbol as ts.Symbol] : []))];
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const texts = new Map<string, string | undefined>();
const readSource: Read = (path) => {
  if (!texts.has(path)) texts.set(path, readOr(join(root, path)));
  return texts.get(path);
};

function readOr(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

describe('the public names', () => {
  const names = publicNames(entryPoints(), readSource);
  const list = names.map(({ name, from }) => `${name} (${from.join(', ')})`).join('\n');

  it(`are at most ${mostNames}`, () => {
    expect(names.length, `these ${names.length} names:\n${list}\n`).toBeLessThanOrEqual(mostNames);
    expect(names.length).toBeGreaterThan(0);
  });

  it('have a comment each', () => {
    const bare = names.filter(({ hasComment }) => !hasComment);
    expect(bare.map(({ name, file }) => `${name} in ${file}`)).toEqual([]);
  });

  it('have members, of which this many have a comment', () => {
    const sum = (key: 'members' | 'membersWithComment') => names.reduce((total, of) => total + of[key], 0);
    const [all, commented] = [sum('members'), sum('membersWithComment')];
    const share = Math.round((100 * commented) / all);
    process.stdout.write(
      `${names.length} public names; ${commented} of ${all} members (${share} %) have a comment\n`,
    );
    expect(all).toBeGreaterThan(0);
  });
});

describe('the entry points', () => {
  // A comment without @module belongs to the export that follows it, for TypeScript and for TypeDoc.
  it('begin with a comment that ends with @module', () => {
    const head = /^\/\*\*(?:(?!\*\/)[\s\S])+\s@module\s+\*\//;
    const others = entryPoints().filter(({ source }) => !head.test(readSource(source) ?? ''));
    expect(others.map(({ source }) => source)).toEqual([]);
  });
});

describe('the checks', () => {
  const files: Readonly<Record<string, string>> = {
    'src/index.ts':
      "/** Head. @module */\nexport { a, type B } from './a.js';\nexport * as all from './a.js';\nexport { z } from 'zod';",
    'src/node.ts': "export { a as b, a } from './a.js';\nexport type Alias = {\n/** one */ x: 1; y: 2 };",
    'src/a.ts':
      '/** Says it. */\nexport const a = 1;\nexport interface B {\n/** c */ c: number; d(): void }\nexport const own = 2;',
  };
  const entries = [
    { name: 'kit', source: 'src/index.ts' },
    { name: 'kit/node', source: 'src/node.ts' },
  ];

  it('count a name once, under the name it is exported by', () => {
    const names = publicNames(entries, (path) => files[path]);
    expect(names.map(({ name, from }) => [name, ...from])).toEqual([
      ['Alias', 'kit/node'],
      ['B', 'kit'],
      ['a', 'kit', 'kit/node'],
      ['all', 'kit'],
      ['b', 'kit/node'],
      ['z', 'kit'],
    ]);
  });

  it('take the comment of the declaration, not of the line that exports it', () => {
    const names = publicNames(entries, (path) => files[path]);
    const commented = names.filter(({ hasComment }) => hasComment).map(({ name }) => name);
    expect(commented).toEqual(['a', 'b']);
  });

  it('count members and their comments', () => {
    const names = publicNames(entries, (path) => files[path]);
    const counts = names.map(({ name, members, membersWithComment }) => [name, members, membersWithComment]);
    expect(counts.filter(([, members]) => members !== 0)).toEqual([
      ['Alias', 2, 1],
      ['B', 2, 1],
    ]);
  });

  it('find the source of every export that has types', () => {
    const exports = {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './node': { node: { types: './dist/node/index.d.ts', default: './dist/node/index.js' } },
      './schema.json': './docs/schema.json',
    };
    expect(entryPointsOf(JSON.stringify({ name: 'kit', exports }))).toEqual([
      { name: 'kit', source: 'src/index.ts' },
      { name: 'kit/node', source: 'src/node/index.ts' },
    ]);
  });
});
