// Builds the studio's pages: a static folder for any web host, which also works without a network after the first visit.
//   npm run build:web            -> build/web
// `npm run build` puts the same files, without the solver, into dist/studio/web: a server that has nemokit installed has
// highs.wasm already.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src/studio/web');

/** @param {string} folder where to put the pages @param {{ solver?: boolean }} [options] */
export async function buildWeb(folder, { solver = true } = {}) {
  const outDir = resolve(root, folder);
  /** @type {Set<string>} */
  const packages = new Set();
  await build({
    configFile: false,
    logLevel: 'warn',
    root: source,
    base: './',
    publicDir: join(source, 'public'),
    resolve: { alias: { '#platform': join(root, 'src/numeric/platform/web.ts') } },
    plugins: [seenPackages(packages)],
    // molecules are read where RDKit is installed; pages do not carry it
    oxc: { jsx: { runtime: 'automatic' } },
    worker: {
      format: 'es',
      plugins: () => [seenPackages(packages)],
      rollupOptions: { external: [/^node:/, '@rdkit/rdkit'], output: names },
    },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rollupOptions: { external: [/^node:/, '@rdkit/rdkit'], output: names },
    },
  });
  if (!solver) rmSync(join(outDir, 'assets/highs.wasm'), { force: true });
  writeFileSync(join(outDir, 'licences.txt'), licencesOf(packages));
  const files = listed(outDir).filter((name) => name !== 'offline.js');
  const hash = createHash('sha256');
  for (const name of files) hash.update(name).update(readFileSync(join(outDir, name)));
  const worker = readFileSync(join(outDir, 'offline.js'), 'utf8')
    .replace("'VERSION'", JSON.stringify(hash.digest('hex').slice(0, 16)))
    .replace("['FILES']", JSON.stringify(['./', ...files.filter((name) => name !== 'index.html')]));
  writeFileSync(join(outDir, 'offline.js'), worker);
}

/** Notes the packages whose code goes into the pages. @param {Set<string>} packages @returns {import('vite').Plugin} */
function seenPackages(packages) {
  return {
    name: 'seen packages',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle))
        for (const id of 'moduleIds' in chunk ? chunk.moduleIds : [])
          for (const [, name = ''] of id.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)/g)) packages.add(name);
    },
  };
}

/** @param {ReadonlySet<string>} packages @returns {string} */
function licencesOf(packages) {
  const parts = [...packages].toSorted().map((name) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((one) => /^licen[cs]e(\.|$)/i.test(one));
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : '';
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return `The pages contain code of these packages.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** The solver keeps its name, so that a server can find it. */
const names = {
  assetFileNames: (/** @type {{ names: string[] }} */ { names: [name = ''] }) =>
    name.endsWith('.wasm') ? 'assets/[name][extname]' : 'assets/[name]-[hash][extname]',
};

/** @param {string} folder @returns {string[]} */
function listed(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.join(entry.parentPath.slice(folder.length).replaceAll('\\', '/'), entry.name))
    .map((name) => name.replace(/^\//, ''))
    .toSorted();
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (!existsSync(join(root, 'src/numeric/kernels/binary.ts'))) {
    process.stderr.write('build:web: the kernels are missing; run npm run build first\n');
    process.exitCode = 1;
  } else await buildWeb(process.argv[2] ?? 'build/web');
}
