// A project in which the packed package is installed, with its dependencies and nothing else.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** Packs the repository, unpacks it below `folder`, and gives the tarball. */
export function packInto(folder: string): Buffer {
  call('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], root);
  const name = join(folder, `nemokit-${manifest.version}.tgz`);
  const installed = join(folder, 'node_modules', 'nemokit');
  mkdirSync(installed, { recursive: true });
  call('tar', ['-xzf', name, '--strip-components=1', '-C', installed], folder);
  for (const dependency of Object.keys(manifest.dependencies)) link(folder, dependency);
  return readFileSync(name);
}

/** Makes a package, by default one of the repository's node_modules, visible to the installed one. */
export function link(folder: string, name: string, target = join(root, 'node_modules', name)): void {
  const place = join(folder, 'node_modules', name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(target, place, 'junction');
}

function call(command: string, args: readonly string[], cwd: string): void {
  const { status, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 300_000 });
  if (status !== 0) throw new Error(`${command} ${args[0]}: ${error?.message ?? stderr}`);
}
