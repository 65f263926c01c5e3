import { hasMark, readProperties } from '../../contract/operations/properties.js';
import type { Contract } from '../../contract/contract.js';
import { findUnwritable, writeForm } from '../../contract/forms.js';
import { asObject } from '../../contract/document/plain.js';
import { formOf, recordTypeOf, MERGE_PATCH, type RoleOperation } from '../../contract/resources/resource.js';
import type { Content } from '../../contract/model.js';

/** Whether a null in an update removes a field (RFC 7396). */
export function isMergePatch({ operation }: RoleOperation): boolean {
  return recordTypeOf(operation) === MERGE_PATCH;
}

type Taking = Pick<RoleOperation, 'operation' | 'requestMember'>;

/** Why the contract does not allow a record in a request, or its form cannot have it; `undefined` where it does. */
export function findViolation(record: unknown, taking: Taking, { validate }: Contract): string | undefined {
  const { mediaType, body, form } = readTaking(record, taking);
  const unwritable = form === undefined ? undefined : findUnwritable(asObject(body), form);
  if (unwritable !== undefined) return `nothing says how a form has \`${unwritable}\``;
  return validate.requestBody(taking.operation, mediaType, body)[0]?.message;
}

/** Whether what a server reads of a record breaks the contract: in a form, each value is a text. */
export function isInvalid(record: unknown, taking: Taking, { validate }: Contract): boolean {
  const { mediaType, body, form } = readTaking(record, taking);
  const written = form === undefined ? undefined : writeForm(asObject(body), form);
  if (written?.unclear !== undefined) return false;
  return validate.requestBody(taking.operation, mediaType, written?.read ?? body).length > 0;
}

function readTaking(
  record: unknown,
  { operation, requestMember }: Taking,
): { mediaType: string; body: unknown; form: Content | undefined } {
  const mediaType = recordTypeOf(operation) ?? 'application/json';
  return { mediaType, body: wrap(record, requestMember), form: formOf(operation, mediaType) };
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
