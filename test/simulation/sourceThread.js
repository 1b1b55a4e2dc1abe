// A thread of the simulator from the sources: threads know nothing of vitest, so TypeScript is translated here.
import { register } from 'node:module';

const hooks = `
  import { readFile } from 'node:fs/promises';
  import ts from ${JSON.stringify(import.meta.resolve('typescript'))};

  export const resolve = (specifier, context, next) =>
    next(/^\\.{1,2}\\/.*\\.js$/.test(specifier) && context.parentURL.endsWith('.ts')
      ? specifier.replace(/js$/, 'ts') : specifier, context);

  export async function load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context);
    const text = await readFile(new URL(url), 'utf8');
    const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true };
    return { format: 'module', shortCircuit: true, source: ts.transpileModule(text, { compilerOptions: options }).outputText };
  }`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
// Not known beforehand to TypeScript, which would want the built file.
const thread = new URL('../../src/simulation/platform/worker.ts', import.meta.url).href;
await import(thread);
