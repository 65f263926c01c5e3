import { PetstoreMockError } from '../../../src/errors.js';

/** The error with which something is refused. */
export function refusalOf(use: () => unknown): PetstoreMockError {
  try {
    use();
  } catch (error) {
    if (error instanceof PetstoreMockError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}
