import { PetstoreMockError } from '../../errors.js';

/**
 * What `work` returns. If it overflows the stack, as walking a chain of some thousand `$ref`s does, throws a
 * {@link PetstoreMockError} about the file instead.
 */
export function refuseTooDeep<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    // A stack that overflows is one in V8 (and not an `InternalError`, as elsewhere).
    if (!(error instanceof RangeError)) throw error;
    throw new PetstoreMockError(
      'unusable-contract',
      'its schemas refer to each other in a chain that is too long to follow; shorten it: a few hundred `$ref`s in a row can be read.',
      { file },
    );
  }
}
