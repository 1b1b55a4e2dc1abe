import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests that start processes, browsers or servers, read the whole repository, or train and search for seconds. */
const system = [
  'test/{browser,cli,conformance,design,hostile,interop,repo,runs,scripts,simulation,studies}/**/*.test.ts',
  'test/algorithms/{cbas,conformance,mins,nemo}.test.ts',
  'test/bench/plugins.test.ts',
  'test/models/{regressionTree,vae}.test.ts',
  'test/numeric/{engine,linalg}.test.ts',
  'test/numeric/threads/*.test.ts',
  'test/problem/problemFile.test.ts',
  'test/paper/{amortized,figure3}.test.ts',
  'test/report/report.test.ts',
  'test/table/realFiles.test.ts',
  'test/tasks/{moleculeActivity,morphology}.test.ts',
];
/** Tests that are slow by nature; `npm run test:slow` and CI run them. */
const slow = ['test/**/*.slow.test.ts'];

export default defineConfig({
  resolve: {
    alias: {
      '#platform': fileURLToPath(new URL('src/numeric/platform/node.ts', import.meta.url)),
    },
  },
  test: {
    setupFiles: ['test/setup.ts'],
    // A busy machine takes its time: limits are for what hangs. What has to be quick is measured in time of the processor.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // Vitest leaves one core for itself, which on two cores is half of them.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        extends: true,
        // One process for many files: most of the time of a short test file goes into loading modules.
        test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: [...system, ...slow], isolate: false },
      },
      { extends: true, test: { name: 'system', include: system, exclude: slow } },
      { extends: true, test: { name: 'slow', include: slow, testTimeout: 600_000, hookTimeout: 600_000 } },
    ],
  },
});
