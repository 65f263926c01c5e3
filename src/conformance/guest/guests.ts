// A guest changes only what it created itself, and takes it along when it leaves.
import { keyOfJson } from '../../contract/document/same-json.js';
import type { SentRequest } from '../checks/check.js';
import { isOnThisMachine } from '../read-given.js';
import { followPointer } from '../checks/record-like.js';
import { isAlike } from '../checks/status.js';
import type { Contract } from '../../contract/contract.js';
import { readLocationKey } from '../http/read-location.js';
import type { Step } from '../scenarios/scenario.js';
import { readSubjects, recordAt, type Subject } from '../subjects/subject.js';

/** What a run may do with a target. */
export const CONSENTS = ['create', 'update', 'remove'] as const;
export type Consent = (typeof CONSENTS)[number];

/** A record that the run created, and the request that removes it. */
export interface Guest {
  operationId: string;
  parameters: Readonly<Record<string, unknown>>;
}

/** The records that a run created and has not removed, in the order of their creation. */
export type Guests = Map<unknown, Guest>;

/** The effect of a request, judged by the target's answer. */
export function noteGuest(
  guests: Guests,
  sent: SentRequest,
  answer: { status: number; value: unknown; location: string | undefined },
  contract: Contract,
): void {
  const { operation, path } = sent;
  if (operation === undefined || !isAlike(answer.status, '2XX')) return;
  for (const subject of readSubjects(contract)) {
    const { create, remove } = subject.roles;
    if (remove === undefined) continue;
    if (remove.operation.id === operation.id) guests.delete(keyOfJson(textOf(path)));
    if (create?.operation.id === operation.id) addGuest(guests, subject, path, answer);
  }
}

function addGuest(
  guests: Guests,
  { resource: { key }, roles: { create, remove }, putsNew }: Subject,
  path: SentRequest['path'],
  { value, location }: { value: unknown; location: string | undefined },
): void {
  const at = create === undefined ? undefined : recordAt(create);
  const shown = at === undefined ? undefined : followPointer(value, `${at}/${key.property}`);
  const own = putsNew === undefined ? (shown ?? readLocationKey(location)) : path[key.parameter];
  if (remove === undefined || own === undefined || own === null) return;
  const parameters = { ...path, [key.parameter]: own };
  guests.set(keyOfJson(textOf(parameters)), { operationId: remove.operation.id, parameters });
}

/** A path consists of text, even where an answer has a number. */
function textOf(parameters: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
}

/** What a run may do to a target if the user does not say: everything on this machine, only creates elsewhere. */
export function defaultConsents(target: URL): readonly Consent[] {
  return isOnThisMachine(target) ? CONSENTS : ['create'];
}

/** The consent that a step needs; `undefined` if it changes nothing. */
export function consentFor(
  { operationId, isAtNewKey }: Pick<Step, 'operationId' | 'isAtNewKey'>,
  contract: Contract,
): Consent | undefined {
  for (const { roles } of readSubjects(contract)) {
    const changes = [roles.replace, roles.update].some((role) => role?.operation.id === operationId);
    // A PUT creates at a key that the step before it found to be free, and changes at any other.
    if (changes && !isAtNewKey) return 'update';
    if (changes || roles.create?.operation.id === operationId) return 'create';
    if (roles.remove?.operation.id === operationId) return 'remove';
  }
  return undefined;
}
