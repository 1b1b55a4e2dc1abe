// Builds the package: kernels (AssemblyScript) into src/numeric/kernels/binary.ts, the threads' script into
// src/numeric/threads/script.ts, the TypeScript into dist/, module by module, the command into dist/cli, as a bundle, and the
// pages of the studio into dist/studio/web.
// `node scripts/build.mjs kernels` stops after the first two parts.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { buildSync, transform } from 'esbuild';
import { buildNative } from './buildNative.mjs';
import { buildWeb } from './buildWeb.mjs';
import { bundleCommand } from './bundleCommand.mjs';
import { leaveOutUnreached } from './leaveOutUnreached.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

const output = 'src/numeric/kernels/binary.ts';
const inputs = [
  'scripts/build.mjs',
  'src/numeric/kernels/opcodes.ts',
  ...readdirSync('assembly').map((name) => `assembly/${name}`),
];
const newest = inputs.reduce((time, name) => Math.max(time, statSync(name).mtimeMs), 0);

if (!existsSync(output) || statSync(output).mtimeMs < newest) {
  const plain = await compileKernels('plain', []);
  const relaxed = await compileKernels('relaxed', ['--enable', 'relaxed-simd']);
  writeFileSync(
    output,
    [
      '// Made by scripts/build.mjs from assembly/: the kernels as base64, the same bytes in Node and in browsers.',
      `export const plain: string = '${plain}';`,
      `export const relaxed: string = '${relaxed}';`,
      '',
    ].join('\n'),
  );
}

writeThreadScript();
process.stdout.write(`native kernels: ${buildNative()}\n`);

if (process.argv[2] !== 'kernels') {
  rmSync('dist', { recursive: true, force: true });
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.json'], { stdio: 'inherit' });
  await dropComments();
  await bundleCommand();
  chmodSync('dist/cli/main.js', 0o755);
  leaveOutUnreached();
  await buildWeb('dist/studio/web', { solver: false });
}

/** Declarations keep theirs, which is where editors look. Names stay, so that a stack can be read. */
async function dropComments() {
  const names = readdirSync('dist', { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((name) => name.endsWith('.js'))) {
    const text = readFileSync(join('dist', name), 'utf8');
    const { code } = await transform(text, { charset: 'utf8', minifyWhitespace: true, minifySyntax: true });
    writeFileSync(join('dist', name), code);
  }
}

/** What a browser's thread runs, as one text, so that a page can start it without a file of its own. */
function writeThreadScript() {
  const { outputFiles } = buildSync({
    entryPoints: ['src/numeric/threads/worker.web.js'],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
  });
  const [script] = outputFiles;
  if (!script) throw new Error('esbuild made no script of src/numeric/threads/worker.web.js');
  const text = [
    '// Made by scripts/build.mjs from worker.web.js and share.js.',
    `export const threadScript: string = ${JSON.stringify(script.text.trim())};`,
    '',
  ].join('\n');
  const file = 'src/numeric/threads/script.ts';
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

/** @param {string} name @param {string[]} features */
async function compileKernels(name, features) {
  mkdirSync('build', { recursive: true });
  const file = `build/kernels-${name}.wasm`;
  const { error, stderr } = await asc.main([
    'assembly/index.ts',
    '--outFile',
    file,
    '--optimizeLevel',
    '3',
    '--runtime',
    'stub',
    '--importMemory',
    '--sharedMemory',
    '--initialMemory',
    '1',
    '--maximumMemory',
    '65536',
    '--noAssert',
    '--use',
    'abort=',
    '--disableWarning',
    '112',
    '--enable',
    'threads',
    '--enable',
    'simd',
    ...features,
  ]);
  if (error) {
    process.stderr.write(stderr.toString());
    throw error;
  }
  const bytes = readFileSync(file);
  process.stdout.write(`kernels (${name}): ${bytes.length} bytes\n`);
  return bytes.toString('base64');
}
