import { indexEntries, listEntries, type IdOf, type Registered } from '../server/registry.js';
import { accessMutants } from './access.js';
import { authenticationMutants } from './authentication.js';
import { unauthorizedMutants } from './unauthorized.js';
import { createMutants } from './create.js';
import { createValidationMutants } from './create-validation.js';
import { createRefusalMutants } from './create-refusals.js';
import { bodyMutants } from './bodies.js';
import { clientMutants } from './clients.js';
import { edgeValueMutants } from './edge-values.js';
import { messageMutants } from './messages.js';
import { validatorMutants } from './validators.js';
import { partMutants } from './parts.js';
import { spellingMutants } from './spellings.js';
import { deepMutants } from './deep.js';
import { deepRequestMutants } from './deep-requests.js';
import { deepValueMutants } from './deep-values.js';
import { errorMutants, transportMutants } from './errors-and-transport.js';
import type { Mutant, MutantGroup } from './mutant.js';
import { filterMutants } from './filter.js';
import { filterRefusalMutants } from './filter-refusals.js';
import { getMutants } from './get.js';
import { getAnswerMutants } from './get-answers.js';
import { hiddenCredentialMutants } from './hidden-credentials.js';
import { hiddenMessageMutants } from './hidden-messages.js';
import { hiddenNameMutants } from './hidden-names.js';
import { hiddenRecordMutants } from './hidden-records.js';
import { limitMutants } from './limits.js';
import { limitDefaultMutants } from './limit-default.js';
import { listMutants } from './list.js';
import { listShapeMutants } from './list-shape.js';

export { readings } from './mutant.js';

/**
 * The mutants by group. To add one, write a row in the file of its group, below the
 * statement of `stated.ts` that it breaks and the checks that should find it: its id,
 * its title, and a change, mostly with a tool of `planting.ts`. The test then wants it to show in the replay; when it
 * does not, add the request that shows it to `replay/requests.ts`.
 */
const groups = {
  authentication: { ...authenticationMutants, ...unauthorizedMutants, ...accessMutants },
  limits: { ...limitMutants, ...limitDefaultMutants },
  filter: { ...filterMutants, ...filterRefusalMutants },
  list: { ...listMutants, ...listShapeMutants },
  create: { ...createMutants, ...createValidationMutants, ...createRefusalMutants },
  get: { ...getMutants, ...getAnswerMutants },
  'errors-and-transport': {
    ...errorMutants,
    ...transportMutants,
    ...bodyMutants,
    ...clientMutants,
    ...messageMutants,
    ...spellingMutants,
    ...validatorMutants,
    ...partMutants,
  },
  hidden: { ...hiddenNameMutants, ...hiddenCredentialMutants, ...hiddenRecordMutants, ...hiddenMessageMutants },
  deep: { ...deepMutants, ...deepRequestMutants, ...deepValueMutants, ...edgeValueMutants },
} satisfies Record<MutantGroup, Record<string, Mutant>>;

export type MutantId = IdOf<typeof groups>;
export type RegisteredMutant = Registered<Mutant, MutantGroup>;

/** Every mutant in order of its group. */
export const mutantList: readonly RegisteredMutant[] = listEntries<Mutant, MutantGroup>(groups);

/** Every mutant by its id. */
export const mutants = indexEntries<MutantId, RegisteredMutant>(mutantList);
