import { PetstoreMockError } from '../../errors.js';
import type { Lasting, LastingOptions } from './make-lasting.js';

/** Options of a mock that say whether its worlds outlast the process. */
export interface GivenOptions extends Omit<LastingOptions, 'data'> {
  data?: string | undefined;
}

/** What makes worlds outlast the process; loaded only where an option asks for it. Throws a `PetstoreMockError` for options that do not fit together. */
export async function openLasting({ data, dataSync, tell }: GivenOptions): Promise<Lasting | undefined> {
  if (data === undefined) {
    if (dataSync === true)
      throw new PetstoreMockError('bad-option', 'data-sync says how data is written, so it needs --data.');
    return undefined;
  }
  const { makeLasting } = await import('./make-lasting.js');
  return makeLasting({ data, dataSync, tell });
}
