import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { ClosingLineReporter } from './test/support/closing-line-reporter.js';
import { LongestFirst } from './test/support/longest-first.js';

const SLOW = 'test/**/*.slow.test.ts';
const ALONE = 'test/**/*.alone.test.ts';
const elsewhere = ['**/node_modules/**', '**/dist/**', '**/build/**'];

/** Whatever root a run is given. */
function besideThis(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/**
 * `npm test` runs what is quick; `npm run test:all` runs that, then what is slow, and at last, one file at a time, what
 * needs the machine to itself. The name of a file decides.
 */
export default defineConfig({
  test: {
    // By when a test counts as hung: on a machine with other work, what takes two seconds alone may take a minute.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Files of one worker share the modules, so that each is loaded once. Tests leave nothing behind in them.
    isolate: false,
    pool: 'threads',
    // The tests that take longest wait for programs of their own, so a machine of two cores has work for three.
    globalSetup: besideThis('test/support/own-temporary-folder.ts'),
    setupFiles: besideThis('test/support/same-draws.ts'),
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new ClosingLineReporter()],
    projects: [
      project('quick', { include: ['test/**/*.test.ts'], exclude: [SLOW, ALONE], sequence: { groupOrder: 0 } }),
      project('slow', { include: [SLOW], sequence: { groupOrder: 1 } }),
      project('alone', { include: [ALONE], maxWorkers: 1, sequence: { groupOrder: 2 } }),
    ],
  },
});

function project(name: string, { exclude = [], ...test }: TestProjectInlineConfiguration['test'] & object) {
  return { extends: true as const, test: { name, exclude: [...elsewhere, ...exclude], ...test } };
}
