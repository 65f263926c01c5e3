import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { ClosingLineReporter } from './test/support/closing-line-reporter.js';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // The tests that take longest wait for programs of their own.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ['default', new ClosingLineReporter()],
  },
});
