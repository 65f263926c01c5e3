import { asObject } from '../../contract/document/plain.js';
import { readProperties, readValueShape } from '../../contract/operations/properties.js';
import { resolveAt } from '../../contract/document/references.js';
import { actOn } from '../../contract/gaps/gaps.js';
import type { ApiResponse } from '../../contract/message.js';
import type { Fields } from '../store/stored-record.js';
import type { Call } from '../world/world.js';
import { createRefusal } from '../answer/refusals.js';
import { longestBody } from '../request/read-body.js';
import { findRecord } from './get-record.js';
import { applyJsonPatch, type PatchProblem } from './patches/json-patch.js';
import { fillRemoved } from './patches/fill-removed.js';
import { mergePatch } from './patches/merge-patch.js';
import { findFailedMatch } from './preconditions.js';
import { refuseBroken, storeChange } from './replace-record.js';
import { asFields, readMember, refusalStatus, type RoleHandler, type Served } from './served.js';
import { isKnownField, nameAsRecord, readFields } from './shape-fields.js';

/** Changes the fields that are sent, and leaves the rest of the record. */
export const updateRecord: RoleHandler = (call, served) => {
  const found = findRecord(call, served);
  if ('refused' in found) return found.refused;
  const failed = findFailedMatch(found.stored, call, served);
  if (failed !== undefined) return failed;
  const empty = refuseEmpty(call, served);
  if (empty !== undefined) return empty;
  const { record } = found.stored;
  const changed = changeRecord(record, call, served);
  if (changed === undefined) return undefined;
  if ('problem' in changed) return createRefusal(statusOf(changed, served), changed.problem);
  const fields = keepDecided(changed.fields, record, served);
  // What a JSON Patch makes of a record is exact, so nothing is put in the place of what it has removed.
  const isExact = Array.isArray(readMember(call.body, served.role.requestMember));
  return (isExact ? refuseBroken(fields, served) : undefined) ?? storeChange(fields, found, call, served);
};

/** A record keeps its key, and whatever else is not a client's to change. */
function keepDecided(fields: Fields, record: Fields, served: Served): Fields {
  const key = served.kept.key?.property;
  const { decided } = readFields(served);
  if (decided.size === 0) return key === undefined ? fields : { ...fields, [key]: record[key] };
  const isDecided = ([name]: [string, unknown]): boolean => name === key || decided.has(name);
  const open = Object.entries(fields).filter((each) => !isDecided(each));
  return Object.fromEntries([...open, ...Object.entries(record).filter(isDecided)]);
}

const EMPTY: Readonly<Record<string, number | undefined>> = {
  accepted: undefined,
  'refused-400': 400,
  'refused-422': 422,
};

/** A profile may refuse an update that changes nothing, where the contract allows it. */
function refuseEmpty({ body, profile }: Call, { role }: Served): ApiResponse | undefined {
  const fields = asFields(readMember(body, role.requestMember));
  if (fields === undefined || Object.keys(fields).length > 0) return undefined;
  const status = actOn(profile, 'empty-update', EMPTY);
  return status === undefined ? undefined : createRefusal(status, 'body has nothing to change');
}

/** What a profile says of an object that an update in plain JSON names. */
const IS_FLAT: Readonly<Record<string, boolean>> = { merged: false, replaced: true };

type Changed = { fields: Fields } | Unchanged;
type Unchanged = Pick<PatchProblem, 'problem'> & Partial<PatchProblem>;

/** RFC 5789 section 2.2: a patch that is none, one that does not fit the record, and one that is too much. */
function statusOf({ kind }: Unchanged, served: Served): number {
  if (kind === 'malformed') return refusalStatus(served, 400, 422, 409);
  return kind === 'excessive' ? refusalStatus(served, 413, 422, 400, 409) : refusalStatus(served, 409, 422, 400);
}

function changeRecord(record: Fields, call: Call, served: Served): Changed | undefined {
  const { role, contract, requests } = served;
  if (role.queryFields !== undefined && role.requestPointer === undefined) {
    const given = role.queryFields.filter(({ parameter }) => call.query[parameter] !== undefined);
    return {
      fields: {
        ...record,
        ...Object.fromEntries(given.map(({ parameter, property }) => [property, call.query[parameter]])),
      },
    };
  }
  const sent = readMember(call.body, role.requestMember);
  const mediaType = call.request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (Array.isArray(sent)) {
    const isPatch = mediaType === JSON_PATCH || role.patch === 'json-patch';
    return isPatch ? patchRecord(record, sent, call) : undefined;
  }
  const fields = asFields(sent);
  if (fields === undefined) return undefined;
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

const JSON_PATCH = 'application/json-patch+json';

function patchRecord(record: Fields, operations: readonly unknown[], { profile }: Call): Changed {
  const patched = applyJsonPatch(record, operations, longestBody(profile));
  if ('problem' in patched) return patched;
  const fields = asFields(patched.value);
  return fields === undefined
    ? { problem: 'body would turn the record into a value that is not an object' }
    : { fields };
}

function listNullable({ contract, kept }: Served): ReadonlySet<string> {
  const { document } = contract;
  const names = readProperties(document, kept.schemaPointer).filter(({ schemaPointer }) => {
    const schema = asObject(resolveAt(document, schemaPointer).value);
    return schema['nullable'] === true || readValueShape(document, schemaPointer, 0).types.includes('null');
  });
  return new Set(names.map(({ name }) => name));
}
