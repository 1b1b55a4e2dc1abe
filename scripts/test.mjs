// What `npm test` runs: build, types, lint, unit and system tests; stops at the first step that fails.
// `npm run test:unit` runs the unit tests alone, `npm run test:slow` those that are slow by nature, after a build.
// Other arguments go to Vitest; a test file by name is found in any part.
// The last line is `N passed, N failed, N skipped`; it is missing when Vitest was not reached.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {{ status: string, fullName: string }} Test */
/** @typedef {{ name: string, status: string, assertionResults: Test[] }} TestFile */

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const require = createRequire(import.meta.url);
// Vitest does not export its binary, only its package.json.
const vitest = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs');

/**
 * Runs a step and prints its name and time. Its output is shown as it comes or, if `isQuiet`, only when it fails.
 * @param {string} name @param {string[]} command @param {boolean} isQuiet
 * @returns {number} exit code
 */
function run(name, command, isQuiet) {
  const start = performance.now();
  const { status, error, stdout, stderr } = spawnSync(process.execPath, command, {
    stdio: isQuiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const code = status ?? 1;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${name}: ${code === 0 ? 'ok' : 'failed'}, ${seconds} s`);
  if (isQuiet && code !== 0) process.stdout.write(`${stdout}${stderr}`);
  if (error) console.log(error.message);
  return code;
}

const [first, ...others] = process.argv.slice(2);
const part = first === 'unit' || first === 'slow' ? first : 'all';
const rest = part === 'all' ? process.argv.slice(2) : others;
const projects = {
  unit: ['unit'],
  slow: ['slow'],
  all: rest.some((text) => !text.startsWith('-')) ? [] : ['unit', 'system'],
}[part].flatMap((name) => ['--project', name]);

/** @type {Record<string, [string, string[]][]>} */
const checksOf = {
  unit: [['kernels', ['scripts/build.mjs', 'kernels']]],
  slow: [['build', ['scripts/build.mjs']]],
  all: [
    ['build', ['scripts/build.mjs']],
    ['types', [require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.check.json']],
    ['types of the studio', [require.resolve('typescript/bin/tsc'), '-p', 'src/studio/web']],
    ['lint', [require.resolve('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.']],
  ],
};
// Not process.exit, which may cut off what a pipe has not taken yet.
process.exitCode =
  checksOf[part].reduce((code, [name, command]) => code || run(name, command, true), 0) || runTests();

/** @returns {number} exit code */
function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'nemokit-test-'));
  try {
    const results = join(folder, 'results.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
    const code = run('tests', [vitest, 'run', ...projects, ...reporters, ...rest], false);
    if (!existsSync(results)) return code || 1;
    const failed = report(JSON.parse(readFileSync(results, 'utf8')).testResults);
    return code || Math.min(failed, 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {TestFile[]} files
 * @returns {number} how many failed
 */
function report(files) {
  const tests = files.flatMap((file) => file.assertionResults.map((test) => ({ ...test, file: file.name })));
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const failed = tests.filter(({ status }) => status === 'failed').length;
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');
  // A file that does not load, or whose hooks fail, has no test that could fail in its place.
  const broken = files.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length;
  for (const { file, fullName } of skipped)
    console.log(`skipped: ${relative(root, file)}: ${fullName.trim()}`);
  console.log(`${passed} passed, ${failed + broken} failed, ${skipped.length} skipped`);
  return failed + broken;
}
