// Packs nemokit-robots: packages/robots and the recorded designs of data/, put together in build/robots.
// Prints the path of the package, which `npm publish` takes. Given a folder, puts it together there and packs nothing.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @param {string} folder made anew */
function assembleRobots(folder) {
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(root, 'packages/robots'), folder, { recursive: true });
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  for (const entry of readdirSync(join(root, 'data'), { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    mkdirSync(join(folder, 'data', entry.name), { recursive: true });
    copyFileSync(
      join(root, 'data', entry.name, 'designs.bin'),
      join(folder, 'data', entry.name, 'designs.bin'),
    );
  }
}

const [given] = process.argv.slice(2);
const folder = given ?? join(root, 'build/robots');
assembleRobots(folder);
if (given === undefined) {
  const name = execFileSync('npm', ['pack', '--silent', '--pack-destination', '..'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
  process.stdout.write(`${join(root, 'build', name)}\n`);
}
