// Results have the same bits in every JavaScript engine. ECMAScript leaves the last bits of Math.exp, Math.sin, ... and of
// powers to the engine, so what computes results uses src/numeric/portable.ts instead.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { capabilities, loadKernel } from '../../src/numeric/kernels/load.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What only prints or draws. */
const exempt = ['src/cli/', 'src/report/', 'src/studio/'];

/** [file, use, why it changes no result] */
const allowed: readonly (readonly [file: string, use: string, reason: string])[] = [
  ['src/data/fetchDataset.ts', '2 ** attempt', 'how long a download waits before it is tried again'],
];

const perEngine = new Set(
  'acos acosh asin asinh atan atan2 atanh cbrt cos cosh exp expm1 hypot log log10 log1p log2 pow sin sinh tan tanh'.split(
    ' ',
  ),
);

const isMath = (node: ts.Node): boolean =>
  (ts.isIdentifier(node) && node.text === 'Math') ||
  (ts.isPropertyAccessExpression(node) && node.name.text === 'Math');

/** A square is one exact product rounded once; a power of two is exact. Both are the same everywhere. */
function isSafePower({ left, right }: ts.BinaryExpression): boolean {
  const exponent = ts.isPrefixUnaryExpression(right) ? right.operand : right;
  if (!ts.isNumericLiteral(exponent)) return false;
  if (right === exponent && exponent.text === '2') return true;
  return ts.isNumericLiteral(left) && left.text === '2' && Number.isInteger(Number(exponent.text));
}

/** Most files need no parser: Math only for what is exact, and two asterisks only where a comment begins. */
const mayUse = /\bMath\b(?!\.(?:abs|ceil|floor|fround|imul|max|min|round|sqrt|trunc)\b)|[^/*]\*\*[^*/]/;

/** Uses that differ between engines, as they are written. */
function usesIn(path: string, text: string): string[] {
  if (!mayUse.test(text)) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && isMath(node.expression) && perEngine.has(node.name.text))
      found.push(`Math.${node.name.text}`);
    if (ts.isElementAccessExpression(node) && isMath(node.expression)) found.push(node.getText());
    if (ts.isVariableDeclaration(node) && node.initializer && isMath(node.initializer)) {
      const { name } = node;
      if (!ts.isObjectBindingPattern(name)) found.push(node.getText());
      else
        for (const element of name.elements) {
          const member = (element.propertyName ?? element.name).getText();
          if (perEngine.has(member) || element.dotDotDotToken) found.push(`Math.${member}`);
        }
    }
    if (ts.isBinaryExpression(node)) {
      const { kind } = node.operatorToken;
      const isPower = kind === ts.SyntaxKind.AsteriskAsteriskToken && !isSafePower(node);
      if (isPower || kind === ts.SyntaxKind.AsteriskAsteriskEqualsToken) found.push(node.getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function violations(tree: Readonly<Record<string, string>>): string[] {
  return Object.entries(tree)
    .filter(([path]) => !exempt.some((folder) => path.startsWith(folder)))
    .flatMap(([path, text]) => usesIn(path, text).map((use) => [path, use] as const))
    .filter(([path, use]) => !allowed.some(([file, what]) => file === path && use.endsWith(what)))
    .map(([path, use]) => `${path}: ${use}`);
}

const sources = Object.fromEntries(
  readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
    .map((path) => [path, readFileSync(root + path, 'utf8')]),
);

describe('what computes results', () => {
  it('uses no function whose bits depend on the engine', () => {
    expect(Object.keys(sources)).toContain('src/numeric/portable.ts');
    expect(violations(sources)).toEqual([]);
  });

  it('has no exception without a use', () => {
    for (const [file, what] of allowed)
      expect(
        usesIn(file, sources[file] ?? '').some((use) => use.endsWith(what)),
        `${file}: ${what}`,
      ).toBe(true);
  });

  it('runs kernels that import memory and no function', async () => {
    const kernels = capabilities().relaxedSimd ? (['wasm', 'wasm-relaxed'] as const) : (['wasm'] as const);
    for (const kernel of kernels) {
      const { code } = await loadKernel(kernel);
      if (!code || !('module' in code)) throw new Error(`${kernel} is no WebAssembly`);
      expect(WebAssembly.Module.imports(code.module).map(({ kind }) => kind)).toEqual(['memory']);
    }
  });
});

describe('the rule', () => {
  it.each([
    ['const a = Math.exp(1);', 'Math.exp'],
    ['const a = values.map(Math.log);', 'Math.log'],
    ['const a = globalThis.Math.tanh(1);', 'Math.tanh'],
    ["const a = Math['sin'](1);", "Math['sin']"],
    ['const { cos: f } = Math;', 'Math.cos'],
    ['const { ...all } = Math;', 'Math.all'],
    ['const M = Math;', 'M = Math'],
    ['const a = b ** c;', 'b ** c'],
    ['const a = b ** 3;', 'b ** 3'],
    ['const a = b ** -2;', 'b ** -2'],
    ['const a = 2 ** b;', '2 ** b'],
    ['const a = 2 ** 0.5;', '2 ** 0.5'],
    ['const a = 10 ** 5;', '10 ** 5'],
    ['a **= 2;', 'a **= 2'],
  ])('refuses %s', (text, use) => {
    expect(violations({ 'src/models/a.ts': text })).toEqual([`src/models/a.ts: ${use}`]);
  });

  it('lets everything else pass', () => {
    const text = `
      // Math.exp(x) and a ** b
      const { PI } = Math;
      const a = [x ** 2, 2 ** 53, 2 ** -53, Math.sqrt(2), Math.LN2, Math.fround(x), portable.exp(x)];
      const text = 'Math.exp(1) ** 3';
    `;
    expect(violations({ 'src/models/a.ts': text, 'src/report/a.ts': 'Math.log10(x)' })).toEqual([]);
  });
});
