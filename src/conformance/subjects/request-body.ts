import { hasMark, readProperties } from '../../contract/operations/properties.js';
import type { Contract } from '../../contract/contract.js';
import { jsonTypeOf, MERGE_PATCH } from '../../contract/resources/plain-roles.js';
import type { RoleOperation } from '../../contract/resources/resource.js';

/** Whether a null in an update removes a field (RFC 7396). */
export function isMergePatch({ operation }: RoleOperation): boolean {
  return jsonTypeOf(operation) === MERGE_PATCH;
}

/** Why the contract does not allow a record in a request; `undefined` where it does. */
export function findViolation(
  record: unknown,
  { operation, requestMember }: Pick<RoleOperation, 'operation' | 'requestMember'>,
  { validate }: Contract,
): string | undefined {
  const mediaType = jsonTypeOf(operation) ?? 'application/json';
  return validate.requestBody(operation, mediaType, wrap(record, requestMember))[0]?.message;
}

/** A record in the envelope of its request. */
export function wrap(record: unknown, member: readonly string[] | undefined): unknown {
  return (member ?? []).reduceRight<unknown>((inside, name) => ({ [name]: inside }), record);
}

/** The properties of a request that a client decides. */
export function listGiven({ requestPointer = '' }: RoleOperation, { document }: Contract): Set<string> {
  const given = readProperties(document, requestPointer).filter(
    ({ schemaPointer }) => !hasMark(document, schemaPointer, 'readOnly'),
  );
  return new Set(given.map(({ name }) => name));
}
