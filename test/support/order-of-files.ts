import { createHash } from 'node:crypto';
import { posix, relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { turn } from '../../scripts/turns.mjs';

/** The quick files that take longest. They begin first, so that the last worker does not run one of them alone. */
const LONGEST: readonly string[] = ['test/e2e/conformance.test.ts', 'test/conformance/engine/keys.test.ts'];

/** Where a file stands: the longest first, all others in an order that the seed draws. */
export function placeOf(path: string, seed: string): string {
  const place = LONGEST.indexOf(path);
  return place >= 0 ? `0 ${place}` : `1 ${createHash('sha256').update(`${seed} ${path}`).digest('hex')}`;
}

/**
 * Files that share a worker share their modules, so each turn runs them in another order: what one leaves behind for the next
 * shows. `PETSTORE_TESTS_SEED=7` draws another.
 */
export class OrderOfFiles extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seed = process.env['PETSTORE_TESTS_SEED'] ?? String(turn);
    const place = ({ moduleId }: TestSpecification): string =>
      placeOf(relative(this.ctx.config.root, moduleId).replaceAll(sep, posix.sep), seed);
    return Promise.resolve(files.toSorted((one, other) => (place(one) < place(other) ? -1 : 1)));
  }
}
