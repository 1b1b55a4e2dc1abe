// Bundles the command into dist/cli, in two parts.
//
// The start and the quick commands (`check`, `init`) have all they need in a few files: reading some 100 modules
// would take most of their time. Other commands compute for seconds or more. Their own code is bundled; modules of the
// library they import from dist/, so that the package does not hold these twice, and so that a plug-in that imports
// 'nemokit' meets the same classes and the same engine as the process that runs it.
//
// No process loads both copies of a module of the library: a call runs one command.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = join(root, 'src');

const quickCommands = ['check', 'init'];
/** All others that the program imports. */
const otherCommands = [
  ...readFileSync(join(sources, 'cli/program.ts'), 'utf8').matchAll(/import\('\.\/(\w+)\.js'\)/g),
].flatMap(([, name = '']) => (quickCommands.includes(name) ? [] : [name]));
/** Files of their own processes, started by their address. */
const processes = [
  'bench/trialProcess',
  'conformance/conformProcess',
  'studio/server/deskProcess',
  'studio/server/runProcess',
];

/** Folders of src/ that no export of the package leads to. */
const commandFolders = ['bench', 'cli', 'conformance', 'studio'];

/** Packages that are bundled. Others are imported when needed: installed with nemokit, or optional. */
const bundledPackages = ['@hono/node-server', 'commander', 'fflate', 'hono', 'papaparse', 'picocolors'];

/** Writes dist/cli and dist/THIRD-PARTY-LICENSES.txt, and to build/command.json what went into them. */
export async function bundleCommand() {
  rmSync(join(root, 'dist/cli'), { recursive: true, force: true });
  const quick = await bundle({ main: 'src/cli/main.ts', commander: 'commander' }, [separateCommands()]);
  const other = await bundle(
    Object.fromEntries(
      [...otherCommands.map((name) => `cli/${name}`), ...processes].map((path) => [
        posix.basename(path),
        `src/${path}.ts`,
      ]),
    ),
    [libraryModules(), oneCommander()],
  );
  const inputs = [quick, other].flatMap((metafile) => Object.keys(metafile.inputs));
  writeFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), licencesOf(inputs));
  mkdirSync(join(root, 'build'), { recursive: true });
  writeFileSync(join(root, 'build/command.json'), JSON.stringify({ quick, other }));
}

/**
 * @param {Record<string, string>} entryPoints output name -> source
 * @param {readonly import('esbuild').Plugin[]} plugins
 * @returns {Promise<import('esbuild').Metafile>}
 */
async function bundle(entryPoints, plugins) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: 'dist/cli',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    legalComments: 'none',
    metafile: true,
    plugins: [...plugins, sourceFiles(), packages()],
  });
  return metafile;
}

/** The start imports a command that is not quick from its own file. @returns {import('esbuild').Plugin} */
function separateCommands() {
  const others = otherCommands.map((name) => join(sources, 'cli', `${name}.js`));
  return {
    name: 'separate commands',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\/\w+\.js$/ }, ({ path, resolveDir }) =>
        others.includes(join(resolveDir, path)) ? { path, external: true } : undefined,
      );
    },
  };
}

/** @returns {import('esbuild').Plugin} */
function libraryModules() {
  return {
    name: 'library modules',
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ path, importer }) => {
        if (!importer.startsWith(sources)) return undefined;
        const target = resolve(dirname(importer), path);
        if (commandFolders.includes(relative(sources, target).split(/[\\/]/)[0] ?? '')) return undefined;
        return { path: fromBundle(target), external: true, sideEffects: false };
      });
    },
  };
}

/** Commands declare themselves to the program that the start made. @returns {import('esbuild').Plugin} */
function oneCommander() {
  return {
    name: 'one commander',
    setup({ onResolve }) {
      onResolve({ filter: /^commander$/ }, () => ({ path: './commander.js', external: true }));
    },
  };
}

/** @param {string} file of src/ @returns {string} as dist/cli/ imports it */
function fromBundle(file) {
  const built = relative(sources, file).replaceAll('\\', '/').replace(/\.ts$/, '.js');
  return posix.join('..', built);
}

/**
 * `new URL('./file.js', import.meta.url)` counts from the source file, the bundle lies in dist/cli.
 * @returns {import('esbuild').Plugin}
 */
function sourceFiles() {
  const bundled = processes.map((path) => join(sources, `${path}.js`));
  return {
    name: 'source files',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8').replaceAll(
          /new URL\('(\.[^']*)', import\.meta\.url\)/g,
          (_, address) => {
            const target = resolve(dirname(path), address);
            const moved = bundled.includes(target) ? `./${posix.basename(target)}` : fromBundle(target);
            return `new URL('${moved}${address.endsWith('/') ? '/' : ''}', import.meta.url)`;
          },
        ),
        loader: 'ts',
      }));
    },
  };
}

/** @returns {import('esbuild').Plugin} */
function packages() {
  return {
    name: 'packages',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
        if (!importer.startsWith(sources) || bundledPackages.includes(path)) return undefined;
        return { path, external: true, sideEffects: false };
      });
      // An ES module has no `require`; this gives it a module of Node as well (Node 20.16 and later).
      onLoad({ filter: /node_modules.*\.c?js$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8').replaceAll(/\brequire\((["'][\w:/]+["'])\)/g, (call, name) =>
          isBuiltin(name.slice(1, -1)) ? `globalThis.process.getBuiltinModule(${name})` : call,
        ),
      }));
    },
  };
}

/** @param {readonly string[]} inputs files that esbuild read @returns {string} */
function licencesOf(inputs) {
  const names = new Set(
    inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  );
  const parts = [...names].toSorted().map((name) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}\n`;
  });
  return `The files in dist/cli contain code of these packages.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}
