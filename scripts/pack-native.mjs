// Packs the native kernels of this system as nemokit-native-<platform>-<arch>: packages/native and what `npm run build` made, put
// together in build/. Prints the path of the package, which `npm publish` takes. Given a folder, puts it together there and
// packs nothing. To be run on every system that is to have one; nemokit then lists them as optional dependencies.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addonFile, buildNative } from './buildNative.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const name = `nemokit-native-${process.platform}-${process.arch}`;

const done = buildNative();
if (!existsSync(addonFile)) {
  process.stderr.write(`pack-native: native kernels: ${done}\n`);
  process.exit(1);
}

const [given] = process.argv.slice(2);
const folder = given ?? join(root, 'build', name);
rmSync(folder, { recursive: true, force: true });
cpSync(join(root, 'packages/native'), folder, { recursive: true });
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
copyFileSync(addonFile, join(folder, 'nemokit.node'));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const description = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const isGlibc = process.platform === 'linux';
writeFileSync(
  join(folder, 'package.json'),
  `${JSON.stringify({ ...description, name, version, os: [process.platform], cpu: [process.arch], ...(isGlibc && { libc: ['glibc'] }) }, null, 2)}\n`,
);
if (given === undefined) {
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', '..'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
  process.stdout.write(`${join(root, 'build', packed)}\n`);
}
