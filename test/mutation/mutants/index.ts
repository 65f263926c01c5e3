import { indexEntries, listEntries, type IdOf, type Registered } from '../server/registry.js';
import { authenticationFaults } from './authentication.js';
import { createFaults } from './create.js';
import { createValidationFaults } from './create-validation.js';
import { bodyFaults } from './bodies.js';
import { deepFaults } from './deep.js';
import { deepRequestFaults } from './deep-requests.js';
import { deepValueFaults } from './deep-values.js';
import { errorFaults, transportFaults } from './errors-and-transport.js';
import type { Fault, FaultGroup } from './fault.js';
import { filterFaults } from './filter.js';
import { getFaults } from './get.js';
import { getAnswerFaults } from './get-answers.js';
import { hiddenCredentialFaults } from './hidden-credentials.js';
import { hiddenMessageFaults } from './hidden-messages.js';
import { hiddenNameFaults } from './hidden-names.js';
import { hiddenRecordFaults } from './hidden-records.js';
import { limitFaults } from './limits.js';
import { listFaults } from './list.js';

export { readings } from './fault.js';

/**
 * The faults by group. To add one, write an entry in the file of its group: a
 * title, the statement of `stated.ts` that it breaks, and a change, mostly with
 * a tool of `planting.ts`. The test then wants it to show in the replay; when it
 * does not, add the request that shows it to `replay/requests.ts`.
 */
const groups = {
  authentication: authenticationFaults,
  limits: limitFaults,
  filter: filterFaults,
  list: listFaults,
  create: { ...createFaults, ...createValidationFaults },
  get: { ...getFaults, ...getAnswerFaults },
  'errors-and-transport': { ...errorFaults, ...transportFaults, ...bodyFaults },
  hidden: { ...hiddenNameFaults, ...hiddenCredentialFaults, ...hiddenRecordFaults, ...hiddenMessageFaults },
  deep: { ...deepFaults, ...deepRequestFaults, ...deepValueFaults },
} satisfies Record<FaultGroup, Record<string, Fault>>;

export type FaultId = IdOf<typeof groups>;
export type RegisteredFault = Registered<Fault, FaultGroup>;

/** Every fault in order of its group. */
export const faultList: readonly RegisteredFault[] = listEntries<Fault, FaultGroup>(groups);

/** Every fault by its id. */
export const faults = indexEntries<FaultId, RegisteredFault>(faultList);
