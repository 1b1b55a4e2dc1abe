// The quickstart of the README, from the packed package in a fresh project, in several runtimes taken from npm.
//   node scripts/runtimes.mjs [folder]     prints one line per runtime, and whether its output equals that of this Node
// Needs the npm registry. The folder keeps the runtimes for the next time; default build/runtimes.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = resolve(process.argv[2] ?? join(root, 'build/runtimes'));
const project = join(folder, 'project');
mkdirSync(project, { recursive: true });

const npm = (/** @type {string[]} */ ...args) =>
  execFileSync('npm', [...args, '--silent'], { cwd: project, encoding: 'utf8' });

execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', project], { cwd: root });
writeFileSync(join(project, 'package.json'), '{ "name": "quickstart", "private": true, "type": "module" }\n');
const tarball = readdirSync(project).find((name) => name.endsWith('.tgz'));
npm('install', '--no-save', `./${tarball}`);
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
writeFileSync(join(project, 'quickstart.mjs'), ts.transpileModule(code, { compilerOptions }).outputText);

/** Name, package on npm, program in it, arguments before the script. @type {[string, string, string, string[]][]} */
const runtimes = [
  ['Node 20', 'node@20', 'node/bin/node', []],
  ['Node 22', 'node@22', 'node/bin/node', []],
  ['Node 24', 'node@24', 'node/bin/node', []],
  ['Deno', 'deno', '@deno/linux-x64-glibc/deno', ['run', '--allow-all']],
  ['Bun', 'bun', 'bun/bin/bun.exe', ['run']],
];

/** The plain kernel: the relaxed one may differ in last digits between processors and engines. */
const env = { ...process.env, NEMOKIT_KERNEL: 'wasm', NO_COLOR: '1' };
const run = (/** @type {string} */ program, /** @type {string[]} */ args) =>
  spawnSync(program, [...args, 'quickstart.mjs'], { cwd: project, env, encoding: 'utf8', timeout: 300_000 });

const here = run(process.execPath, []);
if (here.status !== 0) throw new Error(here.stderr);
/** Runtimes print objects each in their own way. @param {string} text */
const plain = (text) => text.replaceAll(/,(?=\s*})|[\s'"]+/g, ' ').replaceAll(/ +/g, ' ');
console.log(`this Node ${process.version}: ${here.stdout.split('\n')[0]}`);
for (const [name, pack, path, args] of runtimes) {
  const place = join(folder, name.toLowerCase().replace(' ', '-'));
  const program = join(place, 'node_modules', path);
  if (!existsSync(program)) {
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'package.json'), '{ "private": true }\n');
    spawnSync('npm', ['install', '--no-save', '--silent', pack], { cwd: place });
  }
  if (!existsSync(program)) {
    console.log(`${name}: not to be had from npm here`);
    continue;
  }
  const version = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.split('\n')[0];
  const { status, stdout, stderr } = run(program, args);
  const verdict =
    status !== 0
      ? `failed: ${stderr.trim().split('\n')[0]}`
      : plain(stdout) === plain(here.stdout)
        ? 'the same digits'
        : 'other digits';
  console.log(`${name} (${version}): ${verdict}`);
}
