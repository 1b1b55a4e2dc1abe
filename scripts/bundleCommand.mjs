// Bundles the command: src/cli/main.ts and the processes it starts become dist/cli/*.js, an entry each plus chunks that
// are loaded when a command needs them. A start then reads a few files instead of some 200.
//
// Modules of the folders in `shared` are not copied into the bundle: it imports them from dist/, so that a plug-in that
// imports 'nemokit' meets the same classes and the same engine as the command, and so that the package does not
// hold them twice. They import no module of another folder, so no module is ever loaded in two copies.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = join(root, 'src');

/** Folders, or files at the top, of src/; see the head of this file. */
const shared = [
  'algorithm',
  'algorithms',
  'models',
  'nearestName',
  'numeric',
  'options',
  'run',
  'search',
  'simulation',
  'space',
];

/** Bundled. All others of package.json are imported when needed: they are installed with nemokit or are optional. */
const bundledPackages = ['commander', 'papaparse', 'picocolors', 'zod'];

/** Files that run: the command, and processes that it forks by their address. */
const entries = ['cli/main.ts', 'bench/trialProcess.ts', 'conformance/conformProcess.ts'];

/** Writes dist/cli and dist/THIRD-PARTY-LICENSES.txt, and what went into them to build/command.json. */
export async function bundleCommand() {
  rmSync(join(root, 'dist/cli'), { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries.map((name) => ({ in: join('src', name), out: posix.basename(name, '.ts') })),
    outdir: 'dist/cli',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    legalComments: 'none',
    metafile: true,
    plugins: [sharedModules(), fileAddresses(), packages()],
  });
  const inputs = Object.keys(metafile.inputs);
  writeFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), licencesOf(inputs));
  mkdirSync(join(root, 'build'), { recursive: true });
  writeFileSync(join(root, 'build/command.json'), JSON.stringify(metafile));
}

/** @param {string} file of src/ @returns {string} as dist/cli/ imports it */
function fromBundle(file) {
  const built = relative(sources, file).replaceAll('\\', '/').replace(/\.ts$/, '.js');
  return posix.join('..', built);
}

/** @returns {import('esbuild').Plugin} */
function sharedModules() {
  return {
    name: 'shared modules',
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ path, importer }) => {
        if (!importer.startsWith(sources)) return undefined;
        const target = resolve(dirname(importer), path);
        const zone = relative(sources, target).split(/[\\/.]/)[0] ?? '';
        if (!shared.includes(zone)) return undefined;
        return { path: fromBundle(target), external: true, sideEffects: false };
      });
    },
  };
}

/**
 * `new URL('./file.js', import.meta.url)` counts from the source file; the bundle lies in dist/cli. The address of an
 * entry becomes that of its bundle.
 * @returns {import('esbuild').Plugin}
 */
function fileAddresses() {
  return {
    name: 'file addresses',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!path.startsWith(sources)) return undefined;
        const text = readFileSync(path, 'utf8')
          .replaceAll(/new URL\('(\.[^']*)', import\.meta\.url\)/g, (_, address) => {
            const target = resolve(dirname(path), address);
            const entry = entries.find((name) => join(sources, name) === target.replace(/\.js$/, '.ts'));
            const moved = entry ? `./${posix.basename(entry, '.ts')}.js` : fromBundle(target);
            return `new URL('${moved}${address.endsWith('/') ? '/' : ''}', import.meta.url)`;
          })
          // A namespace can be shaken, an object of all functions cannot.
          .replaceAll("import { z } from 'zod'", "import * as z from 'zod'");
        return { contents: text, loader: 'ts' };
      });
    },
  };
}

/** @returns {import('esbuild').Plugin} */
function packages() {
  const nameOf = (/** @type {string} */ path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;
  return {
    name: 'packages',
    setup({ onResolve, onLoad }) {
      // An ES module has no `require`; this is how it gets a module of Node without waiting (Node 20.16 and later).
      onLoad({ filter: /node_modules.*\.c?js$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8').replaceAll(/\brequire\((["'][\w:/]+["'])\)/g, (call, name) =>
          isBuiltin(name.slice(1, -1)) ? `globalThis.process.getBuiltinModule(${name})` : call,
        ),
      }));
      onResolve({ filter: /^[^.#/]/ }, ({ path, importer, kind }) => {
        if (kind === 'entry-point' || path.startsWith('node:') || !importer.startsWith(sources))
          return undefined;
        return bundledPackages.includes(nameOf(path)) ? undefined : { path, external: true };
      });
    },
  };
}

/** @param {readonly string[]} inputs files that esbuild read @returns {string} */
function licencesOf(inputs) {
  const names = new Set(inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []));
  const parts = [...names].toSorted().map((name) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}\n`;
  });
  return `The files in dist/cli contain code of these packages.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}
