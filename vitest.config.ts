import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config';
import { listSlow } from './scripts/turns.mjs';
import { ClosingLineReporter } from './test/support/closing-line-reporter.js';
import { OrderOfFiles } from './test/support/order-of-files.js';

const SLOW = 'test/**/*.slow.test.ts';
const ALONE = 'test/**/*.alone.test.ts';
const slow = listSlow();
const elsewhere = ['**/node_modules/**', '**/dist/**', '**/build/**'];

/** Whatever root a run is given. */
function besideThis(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/**
 * `npm test` runs what is quick; `npm run test:turn` runs that, then its turn of what is slow, and at last, one file at a time,
 * what needs the machine to itself; `npm run test:all` runs all of that. The name of a file and `scripts/turns.mjs` decide.
 */
export default defineConfig({
  plugins: process.env['PETSTORE_TESTS_BUILT'] === '1' ? [importBuilt()] : [],
  test: {
    // By when a test counts as hung: on a machine with other work, what takes two seconds alone may take a minute.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // `expect.poll` waits as long as `eventually` does.
    expect: { poll: { timeout: 120_000, interval: 50 } },
    // Files of one worker share the modules, so that each is loaded once. Tests leave nothing behind in them.
    isolate: false,
    pool: 'threads',
    server: { deps: { external: [startsWith(besideThis('build/'))] } },
    // Tests wait for servers and programs of their own: two for a core keep it busy.
    globalSetup: besideThis('test/support/own-temporary-folder.ts'),
    setupFiles: ['test/support/same-draws.ts', 'test/support/leaves-nothing.ts'].map(besideThis),
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: OrderOfFiles },
    reporters: ['default', new ClosingLineReporter()],
    projects: [
      project('quick', { include: ['test/**/*.test.ts'], exclude: [SLOW, ALONE], sequence: { groupOrder: 0 } }),
      project('slow', { include: slow.filter((path) => path.endsWith('.slow.test.ts')), sequence: { groupOrder: 1 } }),
      project('alone', {
        include: slow.filter((path) => path.endsWith('.alone.test.ts')),
        maxWorkers: 1,
        sequence: { groupOrder: 2 },
      }),
    ],
  },
});

function project(name: string, { exclude = [], ...test }: TestProjectInlineConfiguration['test'] & object) {
  return { extends: true as const, test: { name, exclude: [...elsewhere, ...exclude], ...test } };
}

/**
 * Tests import `src/`. The npm scripts build first and have them import `build/` instead, as Node does: 900 modules that each
 * worker would ask of the one thread that transforms them are half of the time of a run.
 */
function importBuilt(): NonNullable<ViteUserConfig['plugins']>[number] {
  const [source, built] = ['src/', 'build/'].map(besideThis) as [string, string];
  return {
    name: 'import-built',
    enforce: 'pre',
    resolveId(id: string, importer: string | undefined) {
      if (!id.startsWith('.') || importer === undefined) return undefined;
      // One compares what is built with its source, the other puts something in the place of packages that it imports.
      if (importer.startsWith(source) || /(?:precompiled|missing-packages)\.test\.ts$/.test(importer)) return undefined;
      const path = resolve(dirname(importer), id);
      if (!path.startsWith(source) || path.startsWith(`${source}console`)) return undefined;
      return built + path.slice(source.length);
    },
  };
}

function startsWith(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);
}
