// The quickstart of the README in a project of its own, as TypeScript checks it and as CommonJS runs it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packInto } from './packed.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'nemokit-quickstart-'));
beforeAll(() => {
  packInto(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the quickstart of the README', () => {
  const readme = readFileSync(`${root}README.md`, 'utf8');
  const code = readme.match(/```ts\n([\s\S]*?)```/)![1]!;

  it.each([
    ['nodenext', { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext }],
    ['bundler', { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }],
  ])('compiles under strict, libraries included, with %s', async (name, resolution) => {
    const file = join(folder, `quickstart-${name}.mts`);
    // every entry point, so that all declarations are checked
    const others = ['node', 'research', 'tasks'].map((entry) => `import 'nemokit/${entry}';\n`).join('');
    await writeFile(file, others + code);
    const program = ts.createProgram([file], {
      ...resolution,
      target: ts.ScriptTarget.ES2023,
      lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts'],
      typeRoots: [join(root, 'node_modules', '@types')],
      types: ['node'],
      strict: true,
      skipLibCheck: false,
      noEmit: true,
    });
    const faults = ts.getPreEmitDiagnostics(program).map(({ file: at, messageText }) => {
      const text = ts.flattenDiagnosticMessageText(messageText, ' ');
      return `${at?.fileName.replace(folder, '')}: ${text}`;
    });
    expect(faults).toEqual([]);
  });

  it('runs as an ES module and, without top-level await, as CommonJS, with the same result', () => {
    const { outputText } = ts.transpileModule(code, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
    });
    const asModule = nodeIn('module', outputText);
    const required = outputText.replace(/import (\{[^}]+\}) from ('nemokit');/, 'const $1 = require($2);');
    const asCommonJs = nodeIn('commonjs', `(async () => {${required}})();`);
    expect([asModule.status, asModule.stderr]).toEqual([0, '']);
    const [verdict, ...designs] = asModule.stdout.trim().split('\n');
    expect(verdict).toMatch(/\bthe best past run\b.*\. Best past run: 84\.0\.$/);
    expect(designs).toHaveLength(8);
    for (const line of designs) {
      expect(line).toMatch(
        /^\{ temp: \d+, ph: [\d.]+ \} [\d.]+ \(80 %: [\d.]+ to [\d.]+\) (Trusted|Stretch|Guess)$/,
      );
      const [temp, expected, low, high] = [/temp: (\d+)/, /\} ([\d.]+)/, /%: ([\d.]+)/, /to ([\d.]+)/].map(
        (pattern) => Number(line.match(pattern)![1]),
      ) as [number, number, number, number];
      expect(temp % 5).toBe(0);
      expect(temp).toBeLessThanOrEqual(90);
      expect(low).toBeLessThanOrEqual(expected);
      expect(expected).toBeLessThanOrEqual(high);
    }
    expect(new Set(designs).size).toBe(8);
    expect(asCommonJs.stdout).toBe(asModule.stdout);
  });
});

function nodeIn(kind: string, code: string) {
  return spawnSync(process.execPath, [`--input-type=${kind}`, '-e', code], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
    timeout: 300_000,
  });
}
