import { createHash } from 'node:crypto';
import type { ApiResponse } from '../../contract/message.js';
import { findResponse } from '../../contract/operations/operations.js';
import type { Operation } from '../../contract/model.js';
import { createRefusal } from '../answer/refusals.js';
import type { StoredRecord } from '../store/stored-record.js';
import type { Call } from '../world/world.js';
import type { Served } from './served.js';

/** A strong entity tag of a record (RFC 9110 section 8.8.3): it changes with the record's text. */
export function tagOf({ text }: StoredRecord): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`;
}

/**
 * The answer 304 for a client that already has the record, if the contract has that status (RFC 9110 section 13.1.2).
 */
export function answerUnchanged(stored: StoredRecord, { request }: Call, { role }: Served): ApiResponse | undefined {
  const known = request.headers['if-none-match'];
  if (known === undefined || !has304(role.operation)) return undefined;
  return names(known, tagOf(stored)) ? { status: 304, headers: { ETag: tagOf(stored) }, body: undefined } : undefined;
}

/** Refuses to change a record whose current state the client does not know, if the contract has `If-Match` (RFC 9110 section 13.1.1). */
export function findFailedMatch(stored: StoredRecord, { request }: Call, { role }: Served): ApiResponse | undefined {
  const expected = request.headers['if-match'];
  if (expected === undefined || !takesIfMatch(role.operation) || names(expected, tagOf(stored))) return undefined;
  return createRefusal(412, `the record has the tag ${tagOf(stored)}, and If-Match is ${expected}`);
}

/** Whether clients need the tag of a record for a request that the contract describes. */
export function asksForTags(operation: Operation): boolean {
  return has304(operation) || takesIfMatch(operation);
}

function has304(operation: Operation): boolean {
  return findResponse(operation, 304)?.status === '304';
}

function takesIfMatch({ parameters }: Operation): boolean {
  return parameters.some(({ in: part, name }) => part === 'header' && name.toLowerCase() === 'if-match');
}

function names(field: string, tag: string): boolean {
  return field.trim() === '*' || field.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}
