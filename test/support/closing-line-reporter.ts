import type { Reporter, TestModule, TestSuite } from 'vitest/node';

/**
 * Ends the run with one line alone, so that a script can count it:
 * `12 passed, 0 failed` (and `, 1 skipped` when there are any).
 */
export class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const line = formatClosingLine(modules, unhandledErrors.length);
    // Whatever else still prints, such as a coverage table, comes before it.
    process.once('exit', () => process.stdout.write(`\n${line}\n`));
  }
}

function formatClosingLine(modules: readonly TestModule[], unhandledErrors: number): string {
  const count = { passed: 0, failed: unhandledErrors, skipped: 0, pending: 0 };
  for (const module of modules) {
    // A file that does not load and a hook that fails have no failed test of their own.
    count.failed += [module, ...module.children.allSuites()].filter(hasOwnErrors).length;
    for (const test of module.children.allTests()) count[test.result().state]++;
  }
  const skipped = count.skipped + count.pending;
  return `${count.passed} passed, ${count.failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}

function hasOwnErrors(owner: TestModule | TestSuite): boolean {
  return owner.errors().length > 0;
}
