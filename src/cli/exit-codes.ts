import { PetstoreMockError } from '../errors.js';

export const EXIT_WELL = 0;
/** The target deviates, or the result does not meet what the run requires. */
export const EXIT_DEVIATED = 1;
/** A usage error, or a file that cannot be used. */
export const EXIT_USAGE = 2;
/** The port is taken, or the program cannot listen on the address. */
export const EXIT_UNAVAILABLE = 3;
/** A bug in the program. */
export const EXIT_BUG = 4;
/** Ended by a signal; shells use the same code. */
export const EXIT_INTERRUPTED = 130;

/** The exit code for an error that ends the program. */
export function exitCodeOf(error: unknown): number {
  if (!(error instanceof PetstoreMockError)) return EXIT_BUG;
  return error.code === 'port-taken' || error.code === 'cannot-listen' ? EXIT_UNAVAILABLE : EXIT_USAGE;
}
