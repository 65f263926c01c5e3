import type { Contract } from '../../../contract/contract.js';
import { isOnThisMachine } from '../../wire/http/read-given.js';
import type { Step } from '../../model/scenario.js';
import { readSubjects } from '../../subjects/subject.js';

/** What a run may do with a target. */
export const CONSENTS = ['create', 'update', 'remove'] as const;
export type Consent = (typeof CONSENTS)[number];

/** What a run may do to a target if the user does not say: everything on this machine, only creates elsewhere. */
export function defaultConsents(target: URL): readonly Consent[] {
  return isOnThisMachine(target) ? CONSENTS : ['create'];
}

/** The consent that a step needs; `undefined` if it changes nothing. */
export function consentFor(
  {
    operationId,
    isAtNewKey,
    request,
    changes,
  }: Pick<Step, 'operationId' | 'isAtNewKey'> & Partial<Pick<Step, 'request' | 'changes'>>,
  contract: Contract,
): Consent | undefined {
  if (request !== undefined) return OF_METHODS[request.method.toUpperCase()];
  if (changes !== undefined) return changes;
  for (const { roles } of readSubjects(contract)) {
    const isChange = [roles.replace, roles.update].some((role) => role?.operation.id === operationId);
    // A PUT creates at a key that the step before it found to be free, and changes at any other.
    if (isChange && !isAtNewKey) return 'update';
    if (isChange || roles.create?.operation.id === operationId) return 'create';
    if (roles.remove?.operation.id === operationId) return 'remove';
  }
  return undefined;
}

/** What a service might do at a method that the contract does not have there. */
const OF_METHODS: Readonly<Record<string, Consent>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'remove',
};
