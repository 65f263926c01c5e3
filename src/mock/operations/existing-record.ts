import { actOn } from '../../contract/gaps/gaps.js';
import type { ApiResponse } from '../../contract/model.js';
import type { Violation } from '../../contract/schemas/violation.js';
import { readOnce } from '../../contract/document/document.js';
import { createErrorResponse } from '../response/errors.js';
import { keyOf, type Key, toKey, withoutHidden, type Fields, type StoredRecord } from '../store/kept.js';
import type { Call } from '../world/world.js';
import type { RoleHandler, Served, Missing } from './respond.js';
import {
  respondWithRecord,
  findFailedMatch,
  asFields,
  openFor,
  readMember,
  readServed,
  rejectionStatus,
  respondUnchanged,
  rejectMissing,
  describeMissing,
} from './respond.js';
import {
  completeRecord,
  readFields,
  shapeFields,
  isKnownField,
  nameAsRecord,
  readDefault,
  letsStatusMove,
  moveOn,
} from './complete-record.js';
import { asObject } from '../../contract/document/plain.js';
import { readProperties, type Property, readValueShape, isNullable } from '../../contract/operations/properties.js';
import { resolveAt } from '../../contract/document/references.js';
import { longestBody } from '../request/read-request.js';
import { applyJsonPatch, type PatchProblem } from './json-patch.js';
import type { Contract } from '../../contract/contract.js';
import type { Collection } from '../store/collection.js';

export const getRecord: RoleHandler = (call, served) => {
  const found = findRecord(call, served);
  if ('rejected' in found) return found.rejected;
  const { world } = call;
  const stored = letsStatusMove(call.profile) ? moveOn(found.stored, world) : found.stored;
  return respondUnchanged(stored, call, served) ?? respondWithRecord(stored, served);
};

export type FoundRecord = { collection: Collection; within: readonly Key[]; stored: StoredRecord };

export function findRecord(call: Call, served: Served): FoundRecord | { rejected: ApiResponse | undefined } {
  const { kept } = served;
  const opened = openFor(call, served);
  if ('rejected' in opened) return opened;
  const value = readKey(call, served);
  const key = toKey(value, kept.key);
  const stored = key === undefined ? undefined : opened.collection.get(key);
  const { within } = served.role;
  const belongsThere =
    within === undefined ||
    within.every(({ parameter, property }) => String(stored?.record[property]) === String(call.path[parameter]));
  if (stored === undefined || !belongsThere) {
    const wasThere = key !== undefined && opened.collection.hadOnce(key);
    const missing = { kept, value, wasThere };
    return { rejected: wasThere ? respondGone(missing, call, served) : rejectMissing(missing, call, served.role.role) };
  }
  // Written out, since a spread would take longer than everything else here.
  return { collection: opened.collection, within: opened.within, stored };
}

export function readKey({ path, body }: Call, { kept, role, keyParameter }: Served): unknown {
  if (kept.key === undefined) return undefined;
  if (keyParameter !== undefined) return path[keyParameter];
  return readMember(body, [...(role.requestMember ?? []), kept.key.property]);
}

export const removeRecord: RoleHandler = (call, served) => {
  const found = findRecord(call, served);
  if ('rejected' in found) return found.rejected;
  const { stored, within, collection } = found;
  const failed = findFailedMatch(stored, call, served);
  if (failed !== undefined) return failed;
  const answer = respondWithRecord(stored, served);
  call.world.collections.remove(served.kept, within, keyOf(stored.record, collection.key) as Key);
  call.standsAnyway = true;
  call.undo = () => void collection.add(stored.record);
  return answer;
};

type Statuses = Readonly<Record<string, number | undefined>>;
const OF_REMOVE: Statuses = { 'not-found': 404, 'gone-410': 410, repeated: undefined };
function respondGone(missing: Missing, call: Call, { role }: Served): ApiResponse | undefined {
  if (role.role !== 'remove' && role.role !== 'update') return rejectMissing(missing, call);
  const isUpdate = role.role === 'update';
  const status = isUpdate
    ? actOn(call.profile, 'update-gone', { 'not-found': 404, 'gone-410': 410, 'refused-409': 409 })
    : actOn(call.profile, 'remove-gone', OF_REMOVE);
  if (status !== undefined) return createErrorResponse(status, describeMissing(missing));
  // The response that the removal had; where it has a body, the contract alone makes it.
  const { body, status: before } = role.success;
  return body === 'none' ? { status: before, headers: {}, body: undefined } : undefined;
}

export const replaceRecord: RoleHandler = (call, served) => {
  const sent = asFields(readMember(call.body, served.role.requestMember) ?? {});
  if (sent === undefined) return undefined;
  const found = findRecord(call, served);
  if ('rejected' in found) return putNew(sent, call, served) ?? found.rejected;
  const failed = findFailedMatch(found.stored, call, served);
  if (failed !== undefined) return failed;
  return storeChange(replaceFields(found.stored.record, sent, call, served), found, call, served);
};

const REPLACES: Readonly<Record<string, boolean>> = { replaced: true, merged: false };

const isReplacing = ({ profile }: Call, { replacing }: Served): boolean =>
  replacing === 'open' ? actOn(profile, 'left-out-fields', REPLACES) : replacing === 'replaced';

function replaceFields(record: Fields, sent: Fields, call: Call, served: Served): Fields {
  if (!isReplacing(call, served)) return { ...record, ...shapeFields(sent, call, served) };
  const known = readFields(served);
  const assigned = new Set([...served.kept.assigned.map(({ name }) => name), ...known.decided]);
  const key = served.kept.key?.property;
  const own = Object.entries(record).filter(
    ([name]) => name !== key && (assigned.has(name) || (!known.isOpen && !known.sent.has(name))),
  );
  const first = key === undefined ? {} : { [key]: record[key] };
  return { ...first, ...Object.fromEntries(own), ...shapeFields(sent, call, served) };
}

function storeChange(fields: Fields, found: FoundRecord, call: Call, served: Served): ReturnType<RoleHandler> {
  const { collection, within, stored: before } = found;
  const record = completeRecord(fields, { call, served, collection, within, before: before.record });
  if (record === undefined) return rejectBroken(listViolations(fields, served), served);
  const stored = collection.change(record);
  if (stored === undefined) return createErrorResponse(507, collection.describeFull());
  call.undo = () => void collection.change(before.record);
  return respondWithRecord(stored, served);
}

const listViolations = (fields: Fields, { contract, kept }: Served): Violation[] =>
  contract.validate.value(kept.schemaPointer, withoutHidden(fields, kept.key));

function rejectBroken(violations: readonly Violation[], served: Served): ApiResponse {
  const why = violations.map(({ message }) => message).join('; ');
  const message = `the ${served.kept.singular} would break the contract: ${why}`;
  return createErrorResponse(rejectionStatus(served, 422, 400, 409), message);
}

const UNKNOWN: Readonly<Record<string, 'create' | number | undefined>> = {
  answered: undefined,
  'not-found': 404,
  'refused-400': 400,
  'refused-409': 409,
  created: 'create',
};

function putNew(sent: Fields, call: Call, served: Served): ReturnType<RoleHandler> {
  const { kept, role } = served;
  const isSingle = kept.key === undefined;
  const isStated = role.created !== undefined || isSingle || role.success.status === 201 || served.upserts;
  const unknown = isStated ? 'create' : actOn(call.profile, 'replace-unknown', UNKNOWN);
  if (unknown === undefined) return undefined;
  if (unknown !== 'create') return createErrorResponse(unknown, `no ${kept.singular} has this key`);
  const opened = openFor(call, served);
  if ('rejected' in opened) return opened.rejected;
  const key = toKey(readKey(call, served), kept.key);
  if (key === undefined) return undefined;
  const { collection, within } = opened;
  const named = kept.key === undefined ? {} : { [kept.key.property]: key };
  const record = completeRecord({ ...named, ...shapeFields(sent, call, served) }, { call, served, collection, within });
  if (record === undefined) return undefined;
  const stored = collection.add(record);
  if (stored === undefined) return createErrorResponse(507, collection.describeFull());
  call.undo = () => void call.world.collections.remove(kept, within, keyOf(stored.record, collection.key) as Key);
  return respondWithRecord(stored, describeNew(served));
}

const describeNew = readOnce((served: Served): Served => {
  const { contract, kept, role } = served;
  return role.created === undefined ? served : readServed(contract, kept, { ...role, success: role.created });
});

/** Sets the status that an action evidently sets: `POST /orders/{id}/cancel` sets `cancelled`. */
export const actOnRecord: RoleHandler = (call, served) => {
  const { sets } = served.role;
  if (sets === undefined) return undefined;
  const found = findRecord(call, served);
  if ('rejected' in found) return found.rejected;
  return storeChange({ ...found.stored.record, [sets.property]: sets.value }, found, call, served);
};

export const updateRecord: RoleHandler = (call, served) => {
  const found = findRecord(call, served);
  if ('rejected' in found) return found.rejected;
  const failed = findFailedMatch(found.stored, call, served);
  if (failed !== undefined) return failed;
  const sent = readMember(call.body, served.role.requestMember);
  // A profile may reject an update that changes nothing, where the contract allows it.
  const isEmpty = Object.keys(asFields(sent) ?? { sent }).length === 0;
  const status = isEmpty ? actOn(call.profile, 'empty-update', EMPTY) : undefined;
  if (status !== undefined) return createErrorResponse(status, 'body has nothing to change');
  const { record } = found.stored;
  const changed = changeRecord(record, call, served);
  if (changed === undefined) return undefined;
  if ('problem' in changed) return createErrorResponse(statusOf(changed, served), changed.problem);
  const fields = keepDecided(changed.fields, record, served);
  // What a JSON Patch makes of a record is exact, so nothing is put in the place of what it has removed.
  const broken = Array.isArray(sent) ? listViolations(fields, served) : [];
  return broken.length > 0 ? rejectBroken(broken, served) : storeChange(fields, found, call, served);
};

function keepDecided(fields: Fields, record: Fields, served: Served): Fields {
  const key = served.kept.key?.property;
  const { decided } = readFields(served);
  if (decided.size === 0) return key === undefined ? fields : { ...fields, [key]: record[key] };
  const isDecided = ([name]: [string, unknown]): boolean => name === key || decided.has(name);
  const open = Object.entries(fields).filter((each) => !isDecided(each));
  return Object.fromEntries([...open, ...Object.entries(record).filter(isDecided)]);
}

const EMPTY: Statuses = { accepted: undefined, 'refused-400': 400, 'refused-422': 422 };
const IS_FLAT: Readonly<Record<string, boolean>> = { merged: false, replaced: true };

type Changed = { fields: Fields } | Unchanged;
type Unchanged = Pick<PatchProblem, 'problem'> & Partial<PatchProblem>;

/** RFC 5789 section 2.2: a patch that is none, one that does not fit the record, and one that is too much. */
function statusOf({ kind }: Unchanged, served: Served): number {
  if (kind === 'malformed') return rejectionStatus(served, 400, 422, 409);
  return kind === 'excessive' ? rejectionStatus(served, 413, 422, 400, 409) : rejectionStatus(served, 409, 422, 400);
}

function changeRecord(record: Fields, call: Call, served: Served): Changed | undefined {
  const { role, contract, requests } = served;
  if (role.queryFields !== undefined && role.requestPointer === undefined) {
    const given = role.queryFields.filter(({ parameter }) => call.query[parameter] !== undefined);
    const changes = Object.fromEntries(given.map(({ parameter, property }) => [property, call.query[parameter]]));
    return { fields: { ...record, ...changes } };
  }
  const sent = readMember(call.body, role.requestMember);
  const mediaType = call.request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (Array.isArray(sent)) {
    if (mediaType !== 'application/json-patch+json' && role.patch !== 'json-patch') return undefined;
    const patched = applyJsonPatch(record, sent, longestBody(call.profile));
    if ('problem' in patched) return patched;
    const made = asFields(patched.value);
    if (made !== undefined) return { fields: made };
    return { problem: 'body would turn the record into a value that is not an object' };
  }
  const fields = asFields(sent);
  if (fields === undefined) return undefined;
  if (isReplacing(call, served)) return { fields: replaceFields(record, fields, call, served) };
  const known = readFields(served);
  // In plain JSON, `null` sets a property that may be `null`, and removes any other.
  const isMerge = mediaType === 'application/merge-patch+json';
  const kept = Object.entries(fields).filter(([name]) => isKnownField(name, known) && !known.hidden.has(name));
  const changes = Object.fromEntries(nameAsRecord(kept, known));
  const merging = { nullable: listNullable(served), isFlat: actOn(call.profile, 'nested-update', IS_FLAT) };
  const merged = mergePatch(record, changes, isMerge ? {} : merging);
  const filled = fillRemoved(merged, changes, { contract, places: [served.kept.schemaPointer, ...requests] });
  return 'removed' in filled ? { problem: `body/${filled.removed} cannot be removed: it is required` } : filled;
}

function listNullable({ contract, kept }: Served): ReadonlySet<string> {
  const { document } = contract;
  const names = readProperties(document, kept.schemaPointer).filter(({ schemaPointer }) => {
    const schema = asObject(resolveAt(document, schemaPointer).value);
    return schema['nullable'] === true || readValueShape(document, schemaPointer, 0).types.includes('null');
  });
  return new Set(names.map(({ name }) => name));
}

type Merging = { nullable?: ReadonlySet<string>; isFlat?: boolean };

/** A record with a JSON Merge Patch applied (RFC 7396): `null` removes a property, and what is in an object is merged too. */
export function mergePatch(target: Fields, patch: Fields, { nullable, isFlat = false }: Merging = {}): Fields {
  const merged = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    const inside = isFlat ? undefined : asFields(value);
    if (value === null && nullable?.has(name) !== true) merged.delete(name);
    else merged.set(name, inside === undefined ? value : mergePatch(asFields(merged.get(name)) ?? {}, inside));
  }
  return Object.fromEntries(merged);
}

/** What a merge patch removed gets its default again (RFC 7396 leaves that open); required fields without one stay. */
function fillRemoved(
  merged: Fields,
  patch: Fields,
  { contract, places }: { contract: Contract; places: readonly string[] },
): { fields: Fields } | { removed: string } {
  const filled = new Map(Object.entries(merged));
  for (const [name, sent] of Object.entries(patch)) {
    const inside = asFields(sent);
    if (sent !== null && inside === undefined) continue;
    const described = places.map((at) => readProperties(contract.document, at).find((each) => each.name === name));
    const [own] = described;
    const present = asFields(filled.get(name));
    if (inside !== undefined && present !== undefined) {
      const below = described.flatMap((property) => property?.schemaPointer ?? []);
      const deeper = fillRemoved(present, inside, { contract, places: own === undefined ? [] : below });
      if ('removed' in deeper) return { removed: `${name}/${deeper.removed}` };
      filled.set(name, deeper.fields);
    }
    if (sent !== null || filled.has(name) || own === undefined) continue;
    const value = findDefault(described, own, contract);
    if (value === undefined && own.required) return { removed: name };
    if (value !== undefined) filled.set(name, value);
  }
  return { fields: Object.fromEntries(filled) };
}

function findDefault(described: readonly (Property | undefined)[], own: Property, contract: Contract): unknown {
  const { document, validate } = contract;
  const fallback = own.required && isNullable(document, own.schemaPointer) ? [null] : [];
  const defaults = described.map((property) => property && readDefault(document, property.schemaPointer));
  return [...defaults, ...fallback].find(
    (value) => value !== undefined && validate.value(own.schemaPointer, value).length === 0,
  );
}
