import { PetstoreMockError } from '../../errors.js';
import type { Lasting, LastingOptions } from './data-folder.js';

export interface GivenOptions extends Omit<LastingOptions, 'data'> {
  data?: string | undefined;
  shared?: string | undefined;
  watch?: boolean | undefined;
}

/** What makes worlds outlast the process; loaded only where an option asks for it. Throws a `PetstoreMockError` for options that do not fit together. */
export async function openLasting(options: GivenOptions): Promise<Lasting | undefined> {
  const { data, dataSync, dataRepair, shared, watch, tell = () => {} } = options;
  if (shared !== undefined) {
    if (data !== undefined)
      throw new PetstoreMockError('bad-option', 'data and shared exclude each other: shared state is stored in Redis.');
    if (watch === true)
      throw new PetstoreMockError(
        'bad-option',
        'watch and shared exclude each other: all replicas must have the same contract. Restart them after a change.',
      );
  }
  if (data === undefined && dataSync === true)
    throw new PetstoreMockError('bad-option', 'data-sync says how data is written, so it needs --data.');
  if (data === undefined && dataRepair === true)
    throw new PetstoreMockError('bad-option', 'data-repair says how data is read, so it needs --data.');
  if (shared !== undefined) return (await import('./shared/make-shared.js')).makeShared(shared, tell);
  if (data === undefined) return undefined;
  const { makeLasting } = await import('./data-folder.js');
  return makeLasting({ data, dataSync, dataRepair, tell });
}
