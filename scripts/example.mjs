// Runs an example from its TypeScript source: npm run example uncertainty-1d [arguments]
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const name = process.argv[2];
const names = readdirSync('examples')
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3));
if (!name || !names.includes(name)) {
  process.stderr.write(`usage: npm run example <name>; there are ${names.join(', ')}\n`);
  process.exit(2);
}
const { outputText } = ts.transpileModule(readFileSync(`examples/${name}.ts`, 'utf8'), {
  compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
});
mkdirSync('build/examples', { recursive: true });
writeFileSync(`build/examples/${name}.mjs`, outputText);
const { main } = await import(pathToFileURL(`build/examples/${name}.mjs`).href);
await main(process.argv.slice(3));
