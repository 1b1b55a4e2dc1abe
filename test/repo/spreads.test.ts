// A call takes some ten thousand arguments; with more, the stack overflows. So no array is spread into a call or a
// constructor, however short it seems: `largest` and `smallest` of numeric/stats, a loop, or one array in place of many
// arguments. Spreads into arrays and objects have no such limit.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folders = ['src', 'assembly', 'scripts', 'perf', 'studies', 'examples'];

/** "file:line: call" of each spread into a call, and of each `apply`. */
function spreadsIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const isApplied =
        ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'apply';
      if (isApplied || node.arguments?.some(ts.isSpreadElement)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
        found.push(`${file}:${line + 1}: ${node.getText(source).replaceAll(/\s+/g, ' ').slice(0, 80)}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe('arrays of any length', () => {
  it('are spread into no call', () => {
    const files = folders.flatMap((folder) =>
      readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:ts|tsx|mjs|js)$/.test(name) && !name.includes('node_modules'))
        .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
    );
    expect(files.length).toBeGreaterThan(400);
    const found = files.flatMap((file) => spreadsIn(file, readFileSync(`${root}/${file}`, 'utf8')));
    expect(found).toEqual([]);
  });

  it('are found where they are spread', () => {
    const text =
      'Math.max(...a);\nnew Set(...b);\nf(1,\n  ...c);\nMath.max.apply(null, d);\n[...a]; f([...a]); f({ ...a });';
    expect(spreadsIn('a.ts', text)).toEqual([
      'a.ts:1: Math.max(...a)',
      'a.ts:2: new Set(...b)',
      'a.ts:3: f(1, ...c)',
      'a.ts:5: Math.max.apply(null, d)',
    ]);
  });
});
