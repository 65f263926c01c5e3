// Which record an answer says was created.
import { asObject } from '../../../contract/document/plain.js';
import type { RoleOperation } from '../../../contract/resources/resource.js';
import { followPointer } from '../../model/follow-pointer.js';
import { readPathKey } from '../../model/path-key.js';
import { isKeyName } from '../../../contract/resources/find-key.js';
import { recordAt, type Subject } from '../../subjects/subject.js';

/** The key of the record in an answer, where the contract has it. */
export function readKey(value: unknown, role: RoleOperation | undefined, { resource: { key } }: Subject): unknown {
  const at = role === undefined ? undefined : recordAt(role);
  return at === undefined ? undefined : readPathKey(followPointer(value, `${at}/${key.property}`));
}

/**
 * The key in the answer to a creation: of the record, or alone, or of the only record within it, whatever the member is called
 * in which it stands.
 */
export function readShownKey(value: unknown, subject: Subject): unknown {
  const { roles, resource } = subject;
  const keyOf = (each: unknown): unknown =>
    readPathKey(Object.entries(asObject(each)).find(([name]) => isKeyName(name, resource.key))?.[1]);
  const [inside, ...others] = listInside(value).flatMap((each) => keyOf(each) ?? []);
  return readKey(value, roles.create, subject) ?? keyOf(value) ?? (others.length === 0 ? inside : undefined);
}

/** The key of the record in the answer to a creation, whatever it stands in, where it shows what was sent. */
export function readKeyOfSent(value: unknown, subject: Subject, isIts: (record: object) => boolean): unknown {
  const found = [value, ...listInside(value)].map(asObject).filter(isIts);
  const named = found.flatMap((each) => Object.entries(each).filter(([name]) => isKeyName(name, subject.resource.key)));
  return named.length === 1 ? readPathKey(named[0]?.[1]) : undefined;
}

/** What an answer wraps: its members, or the only item of a list. */
function listInside(value: unknown): unknown[] {
  const around = Array.isArray(value) ? [value] : Object.values(asObject(value));
  return around.flatMap((each) => (Array.isArray(each) && each.length === 1 ? (each as unknown[]) : [each]));
}

/** Whether an empty list was sent, and one answered: a service that takes many at once has made none. */
export function madeNothing(sent: unknown, value: unknown, { roles: { create } }: Subject): boolean {
  const at = create === undefined ? undefined : recordAt(create);
  return (
    isEmptyList(sent) && [value, ...Object.values(asObject(value)), followPointer(value, at ?? '')].some(isEmptyList)
  );
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
