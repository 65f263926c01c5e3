import { posix, relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The quick files that take longest. They begin first, so that the last worker does not run one of them alone: from a
 * fresh clone, where no durations are known yet, files would otherwise begin by their size.
 */
export const LONGEST: readonly string[] = [
  'test/mutation/matrix/sample.test.ts',
  'test/e2e/conformance.test.ts',
  'test/conformance/subjects/shop.test.ts',
  'test/e2e/conformance-ending.test.ts',
  'test/e2e/conformance-outputs.test.ts',
  'test/testing/pains.test.ts',
  'test/conformance/run/run-suite.test.ts',
  'test/mutation/problems/sample.test.ts',
  'test/report/json.test.ts',
  'test/testing/same-methods.test.ts',
  'test/e2e/program-flags.test.ts',
  'test/e2e/program-config.test.ts',
  'test/testing/vitest.test.ts',
  'test/conformance/run/second-look/look-again.test.ts',
  'test/house/lint-rules.test.ts',
];

/** Where a file stands in an order that has the longest files first; all others share one place. */
export function placeOf(path: string): number {
  const place = LONGEST.indexOf(path);
  return place === -1 ? LONGEST.length : place;
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number =>
      placeOf(relative(this.ctx.config.root, moduleId).replaceAll(sep, posix.sep));
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}
