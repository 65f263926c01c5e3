import { indexEntries, listEntries, type IdOf, type Registered } from '../server/registry.js';
import { authenticationMutants } from './authentication.js';
import { createMutants } from './create.js';
import { deepMutants } from './deep.js';
import { errorAndTransportMutants } from './errors-and-transport.js';
import { filterMutants } from './filter.js';
import { getMutants } from './get.js';
import { hiddenMutants } from './hidden.js';
import { limitMutants } from './limits.js';
import { listMutants } from './list.js';
import { messageMutants } from './messages.js';
import type { Mutant } from './mutant.js';
import { otherFormMutants } from './other-forms.js';
import { partMutants } from './parts.js';

export { readings } from './mutant.js';

/**
 * The mutants by group. To add one, write a row in the file of its group, below the statement of `stated.ts` that it breaks and
 * the checks that should find it: its id, its title where the id does not say it all, and a change, mostly with a tool of
 * `planting.ts`. `npm run fence` then records what a run reports of it.
 */
const groups = {
  authentication: authenticationMutants,
  limits: limitMutants,
  filter: filterMutants,
  list: listMutants,
  create: createMutants,
  get: getMutants,
  'errors-and-transport': { ...errorAndTransportMutants, ...messageMutants, ...otherFormMutants, ...partMutants },
  hidden: hiddenMutants,
  deep: deepMutants,
} satisfies Record<string, Record<string, Mutant>>;

export type MutantGroup = keyof typeof groups;
export type MutantId = IdOf<typeof groups>;
export type RegisteredMutant = Registered<Mutant, MutantGroup>;

/** Every mutant in order of its group. */
export const mutantList: readonly RegisteredMutant[] = listEntries<Mutant, MutantGroup>(groups);

/** Every mutant by its id. */
export const mutants = indexEntries<MutantId, RegisteredMutant>(mutantList);
