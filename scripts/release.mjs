// Makes a release: npm run release -- 0.2.0 [--dry-run]
// Checks that everything is ready, dates the changelog, sets the version, builds, packs, commits and tags. It never
// pushes or publishes; the last lines say how. With --dry-run it checks and says what it would do.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const args = process.argv.slice(2);
const isDry = args.includes('--dry-run');
const [version, ...rest] = args.filter((text) => text !== '--dry-run');
const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`);

/** @param {string} reason @returns {never} */
function refuse(reason) {
  process.stderr.write(`release: ${reason}\n`);
  process.exit(1);
}

/** @param {string[]} command */
const git = (...command) => execFileSync('git', command, { encoding: 'utf8' }).trim();

/** The three numbers of a version; undefined if it is none. @param {string} text */
function numbersOf(text) {
  return /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(text)?.slice(1).map(Number);
}

/** Whether a comes after b. @param {number[]} a @param {number[]} b */
function isHigher(a, b) {
  const at = a.findIndex((n, i) => n !== b[i]);
  return at >= 0 && Number(a[at]) > Number(b[at]);
}

const wanted = version === undefined || rest.length > 0 ? undefined : numbersOf(version);
if (!wanted || version === undefined)
  refuse('usage: npm run release -- <version, such as 0.2.0> [--dry-run]');
const read = (/** @type {string} */ file) => readFileSync(file, 'utf8');
const current = String(JSON.parse(read('package.json')).version);
const tag = `v${version}`;

const branch = git('branch', '--show-current');
if (branch !== 'main') refuse(`releases are made on main; this is ${branch || 'no branch'}`);
const dirty = git('status', '--porcelain');
if (dirty) refuse(`the working tree has changes; commit or remove them:\n${dirty}`);
if (!isHigher(wanted, numbersOf(current) ?? [0, 0, 0])) refuse(`${version} is not higher than ${current}`);
if (git('tag', '--list', tag)) refuse(`the tag ${tag} exists already`);

const heading = /^## Unreleased[ \t]*\n/m;
const changelog = read('CHANGELOG.md');
if (!heading.test(changelog)) refuse('CHANGELOG.md has no section "## Unreleased"');
const entry = changelog.split(heading)[1]?.split(/^## /m)[0] ?? '';
if (entry.trim() === '') refuse('the section "## Unreleased" of CHANGELOG.md is empty');

const day = new Date().toISOString().slice(0, 10);

/** @param {string} file @param {RegExp} pattern @param {string} text */
function replaced(file, pattern, text) {
  const before = read(file);
  if (!pattern.test(before)) refuse(`${file} has no ${pattern}`);
  return before.replace(pattern, text);
}

/** Indented as npm does. @param {object} value */
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** @type {Map<string, string>} */
const files = new Map();
files.set('CHANGELOG.md', changelog.replace(heading, `## ${version} (${day})\n`));
files.set('package.json', replaced('package.json', /("version": ")[^"]*/, `$1${version}`));
const lock = JSON.parse(read('package-lock.json'));
lock.version = version;
lock.packages[''].version = version;
files.set('package-lock.json', json(lock));
files.set('src/version.ts', replaced('src/version.ts', /(version = ')[^']*/, `$1${version}`));
if (existsSync('CITATION.cff')) {
  const cited = replaced('CITATION.cff', /^version:.*$/m, `version: ${version}`);
  files.set('CITATION.cff', cited.replace(/^date-released:.*$/m, `date-released: ${day}`));
}

say(`${isDry ? 'Would release' : 'Releasing'} ${version}, after ${current}: ${[...files.keys()].join(', ')}`);
if (isDry) {
  say(`Would build, pack, commit "Release ${version}" and tag ${tag}. Nothing was changed.`);
  process.exit(0);
}

/** @param {string[]} command */
function npm(...command) {
  const cli = process.env.npm_execpath;
  const [program, first] = cli ? [process.execPath, [cli]] : ['npm', []];
  const { status } = spawnSync(program, [...first, ...command], { stdio: 'inherit', shell: !cli });
  return status === 0;
}

for (const [file, text] of files) writeFileSync(file, text);
const folder = join('build', 'release');
mkdirSync(folder, { recursive: true });
if (!npm('run', 'build') || !npm('pack', '--ignore-scripts', '--pack-destination', folder)) {
  for (const file of files.keys()) git('checkout', '--', file);
  refuse('the build or the package failed; nothing was changed');
}
for (const file of files.keys()) git('add', file);
git('commit', '--quiet', '-m', `Release ${version}`);
git('tag', '-a', tag, '-m', `nemokit ${version}`);
say(`Committed and tagged ${tag}. To make it public:`);
say(`  git push origin main ${tag}`);
say(`  npm publish ${join(folder, `nemokit-${version}.tgz`)}`);
