import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests that start processes, browsers or servers, or read the whole repository; they use the built package. */
const system = ['test/{browser,cli,repo,runs,scripts,studies}/**/*.test.ts'];
/** Tests that are slow by nature; `npm run test:slow` and CI run them. */
const slow = ['test/**/*.slow.test.ts'];

export default defineConfig({
  resolve: {
    alias: { '#platform': fileURLToPath(new URL('src/numeric/platform/node.ts', import.meta.url)) },
  },
  test: {
    setupFiles: ['test/setup.ts'],
    testTimeout: 60_000,
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
      { extends: true, test: { name: 'slow', include: slow } },
    ],
  },
});
