import { actOn } from '../../contract/gaps/gaps.js';
import type { ApiResponse } from '../../contract/message.js';
import type { Violation } from '../../contract/schemas/violation.js';
import { readOnce } from '../../contract/document/document.js';
import { createRefusal } from '../answer/refusals.js';
import { keyOf, type Key } from '../store/keys.js';
import { toKey, withoutHidden } from '../store/kept.js';
import type { Fields, StoredRecord } from '../store/stored-record.js';
import type { Call } from '../world/world.js';
import { answerRecord } from './answer-record.js';
import { completeRecord } from './complete-record.js';
import { findRecord, readKey, type FoundRecord } from './get-record.js';
import { findFailedMatch } from './preconditions.js';
import { asFields, openFor, readMember, readServed, refusalStatus, type RoleHandler, type Served } from './served.js';
import { readFields, shapeFields } from './shape-fields.js';

/** Replaces a record with the request; creates one if there is none and the contract has 201 for that. */
export const replaceRecord: RoleHandler = (call, served) => {
  const sent = asFields(readMember(call.body, served.role.requestMember) ?? {});
  if (sent === undefined) return undefined;
  const found = findRecord(call, served);
  if ('refused' in found) return putNew(sent, call, served) ?? found.refused;
  const failed = findFailedMatch(found.stored, call, served);
  if (failed !== undefined) return failed;
  const { record } = found.stored;
  // The client cannot remove what it cannot send.
  const assigned = listAssigned(record, served);
  return storeChange({ ...assigned, ...shapeFields(sent, call, served) }, found, call, served);
};

/** The fields of a record that the service assigned. */
function listAssigned(record: Fields, served: Served): Fields {
  const { sent, isOpen, decided } = readFields(served);
  const names = new Set([...served.kept.assigned.map(({ name }) => name), ...decided]);
  const own = Object.entries(record).filter(([name]) => names.has(name) || (!isOpen && !sent.has(name)));
  const key = served.kept.key?.property;
  return Object.fromEntries(key === undefined ? own : [[key, record[key]], ...own.filter(([name]) => name !== key)]);
}

/** Stores a record in place of the existing one, and answers with it. */
export function storeChange(fields: Fields, found: FoundRecord, call: Call, served: Served): ReturnType<RoleHandler> {
  const { collection, within, stored: before } = found;
  const record = completeRecord(fields, { call, served, collection, within, before: before.record });
  if (record === undefined) return refuseFor(listViolations(fields, served), served);
  const stored = collection.change(record);
  if (stored === undefined) return createRefusal(507, collection.describeFull());
  call.undo = () => void collection.change(before.record);
  return answerRecord(stored, served);
}

/** Refuses a record that would break the contract. */
export function refuseBroken(fields: Fields, served: Served): ApiResponse | undefined {
  const violations = listViolations(fields, served);
  return violations.length === 0 ? undefined : refuseFor(violations, served);
}

function listViolations(fields: Fields, { contract, kept }: Served): Violation[] {
  return contract.validate.value(kept.schemaPointer, withoutHidden(fields, kept.key));
}

function refuseFor(violations: readonly Violation[], served: Served): ApiResponse {
  const why = violations.map(({ message }) => message).join('; ');
  const message = `the ${served.kept.singular} would break the contract: ${why}`;
  return createRefusal(refusalStatus(served, 422, 400, 409), message);
}

const CREATE = 'create';
const UNKNOWN: Readonly<Record<string, typeof CREATE | number | undefined>> = {
  answered: undefined,
  'not-found': 404,
  'refused-400': 400,
  'refused-409': 409,
  created: CREATE,
};

function putNew(sent: Fields, call: Call, served: Served): ReturnType<RoleHandler> {
  const { kept, role } = served;
  const isSingle = kept.key === undefined;
  const isStated = role.created !== undefined || isSingle || role.success.status === 201 || served.upserts;
  const unknown = isStated ? CREATE : actOn(call.profile, 'replace-unknown', UNKNOWN);
  if (unknown === undefined) return undefined;
  if (unknown !== CREATE) return createRefusal(unknown, `no ${kept.singular} has this key`);
  const opened = openFor(call, served);
  if ('refused' in opened) return opened.refused;
  const key = toKey(readKey(call, served), kept.key);
  if (key === undefined) return undefined;
  const { collection, within } = opened;
  const named = kept.key === undefined ? {} : { [kept.key.property]: key };
  const record = completeRecord({ ...named, ...shapeFields(sent, call, served) }, { call, served, collection, within });
  const stored: StoredRecord | undefined = record === undefined ? undefined : collection.add(record);
  if (stored === undefined) return record === undefined ? undefined : createRefusal(507, collection.describeFull());
  call.undo = () => void call.world.collections.remove(kept, within, keyOf(stored.record, collection.key) as Key);
  return answerNew(stored, served);
}

/** As the contract describes the answer to a new record, which may have no body where one to a replacement does. */
function answerNew(stored: StoredRecord, served: Served): ReturnType<RoleHandler> {
  return answerRecord(stored, describeNew(served));
}

const describeNew = readOnce((served: Served): Served => {
  const { contract, kept, role } = served;
  return role.created === undefined ? served : readServed(contract, kept, { ...role, success: role.created });
});
