// Compiles native/ to build/native/nemokit.node with the machine's C compiler ($CC, else cc) and the headers of the Node that
// runs this. Downloads nothing. Where compiler or headers are missing it says why and builds nothing: WebAssembly computes.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
export const addonFile = join(root, 'build/native/nemokit.node');

/** Each value is rounded as written: no multiply and add is fused but where the source says so. */
export const compilerFlags = ['-std=c11', '-O3', '-ffp-contract=off', '-fno-math-errno', '-fPIC'];

const fused = ['-mavx2', '-mfma'];

/** Files with the flags of the instructions they are for. The last is for tests only where others are quicker. @type {Record<string, Record<string, string[]>>} */
export const variantFlags = {
  x64: {
    avx2: fused,
    avx512: ['-mavx512f', '-mavx512vl', '-mavx512dq', '-mavx512bw', '-mfma'],
    portable: [...fused, '-Wno-psabi'],
  },
  arm64: { portable: ['-Wno-psabi'] },
};

/** What the addon is made of. @type {Record<string, string[]>} */
const partsOf = { x64: ['addon', 'scratch', 'avx2', 'avx512'], arm64: ['addon', 'scratch', 'portable'] };

/** The compiler as a command and its first arguments. */
export function compiler() {
  const [command = 'cc', ...args] = (process.env.CC ?? 'cc').split(' ').filter((word) => word !== '');
  return { command, args };
}

/** Where node_api.h is: with Node's own files, or where npm or node-gyp were told or have put them. */
function headerFolder() {
  const { nodedir } = /** @type {{ nodedir?: string }} */ (process.config.variables);
  const version = process.versions.node;
  const home = process.env.HOME ?? '';
  const prefix = join(dirname(process.execPath), '..');
  const folders = [process.env.npm_config_nodedir, nodedir, prefix].flatMap((folder) =>
    folder ? [join(folder, 'include/node')] : [],
  );
  folders.push(join(home, '.cache/node-gyp', version, 'include/node'));
  return folders.find((folder) => existsSync(join(folder, 'node_api.h')));
}

/** opcodes.ts as a header, so that there is one list of instructions. @param {string} folder */
export function writeOpcodes(folder) {
  const source = readFileSync(join(root, 'src/numeric/kernels/opcodes.ts'), 'utf8');
  const lines = [...source.matchAll(/^export const (\w+) = (\d+);$/gm)].map(
    ([, name, value]) => `#define ${name} ${value}`,
  );
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'opcodes.h'), `${lines.join('\n')}\n`);
}

/** @param {string[]} args @returns {string | null} what the compiler complained of */
export function compile(args) {
  const { command, args: first } = compiler();
  const { status, error, stderr } = spawnSync(command, [...first, ...args], { cwd: root, encoding: 'utf8' });
  if (error) return error.message;
  return status === 0 ? null : stderr.trim() || `${command} ended with ${status}`;
}

function isFresh() {
  const inputs = [
    'scripts/buildNative.mjs',
    'src/numeric/kernels/opcodes.ts',
    ...readdirSync(join(root, 'native')).map((name) => `native/${name}`),
  ].map((name) => join(root, name));
  const newest = inputs.reduce((time, name) => Math.max(time, statSync(name).mtimeMs), 0);
  return existsSync(addonFile) && statSync(addonFile).mtimeMs >= newest;
}

/** Builds the addon if it is not up to date. @returns {string} what was done, or why nothing was */
export function buildNative() {
  if (process.env.NEMOKIT_NATIVE === 'no') return leaveOut('NEMOKIT_NATIVE=no');
  const parts = partsOf[process.arch];
  if (!parts || !['linux', 'darwin'].includes(process.platform))
    return leaveOut(`none for ${process.platform} ${process.arch}`);
  if (isFresh()) return 'up to date';
  const headers = headerFolder();
  if (!headers) return leaveOut('no headers of Node');
  const folder = dirname(addonFile);
  writeOpcodes(folder);
  const include = [`-I${headers}`, `-I${folder}`];
  for (const name of parts) {
    const flags = variantFlags[process.arch]?.[name] ?? [];
    const wrong = compile([
      ...compilerFlags,
      ...flags,
      ...include,
      '-c',
      `native/${name}.c`,
      '-o',
      join(folder, `${name}.o`),
    ]);
    if (wrong) return leaveOut(firstLine(wrong));
  }
  const shared =
    process.platform === 'darwin' ? ['-dynamiclib', '-undefined', 'dynamic_lookup'] : ['-shared', '-s'];
  const objects = parts.map((name) => join(folder, `${name}.o`));
  const made = `${addonFile}.${process.pid}`;
  const wrong = compile([...shared, ...objects, '-o', made]);
  if (wrong) return leaveOut(firstLine(wrong));
  // in one step: a process that has the old one loaded keeps it
  renameSync(made, addonFile);
  return `${statSync(addonFile).size} bytes`;
}

/** An addon of another time must not stay. @param {string} reason */
function leaveOut(reason) {
  rmSync(addonFile, { force: true });
  return `left out (${reason}); WebAssembly computes`;
}

/** @param {string} text */
function firstLine(text) {
  return text.split('\n')[0] ?? '';
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(`native kernels: ${buildNative()}\n`);
