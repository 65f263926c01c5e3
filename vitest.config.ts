import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { ClosingLineReporter } from './test/support/closing-line-reporter.js';

const SLOW = 'test/**/*.slow.test.ts';
const elsewhere = ['**/node_modules/**', '**/dist/**', '**/build/**'];

/** `npm test` runs what is quick; `npm run test:all` runs both. A file is slow by its name alone. */
export default defineConfig({
  test: {
    // By when a test counts as hung: on a machine with other work, what takes two seconds alone may take thirty.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Files of one worker share the modules, so that each is loaded once. Tests leave nothing behind in them.
    isolate: false,
    pool: 'threads',
    // The tests that take longest wait for programs of their own, so a machine of two cores has work for three.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    reporters: ['default', new ClosingLineReporter()],
    projects: [
      { extends: true, test: { name: 'quick', include: ['test/**/*.test.ts'], exclude: [...elsewhere, SLOW] } },
      { extends: true, test: { name: 'slow', include: [SLOW], exclude: elsewhere } },
    ],
  },
});
