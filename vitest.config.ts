import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    alias: { '#platform': fileURLToPath(new URL('src/numeric/platform/node.ts', import.meta.url)) },
  },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 60_000,
    pool: 'forks',
    // Vitest leaves one core for itself, which on two cores is half of them.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
