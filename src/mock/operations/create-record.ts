import { findResponse, isRepeatKey } from '../../contract/operations/operations.js';
import { asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { listUnique } from '../../contract/operations/said-in-words.js';
import { encodePath } from '../../contract/operations/match.js';
import { actOn } from '../../contract/gaps/gaps.js';
import type { ApiResponse, ResponseHeaders } from '../../contract/message.js';
import { readKey } from './get-record.js';
import { createErrorResponse } from '../response/errors.js';
import type { Collection } from '../store/collection.js';
import { keyOf, type Key, toKey, type StoredRecord, type Fields } from '../store/kept.js';
import type { Call, World } from '../world/world.js';
import {
  respondWithCreated,
  respondWithList,
  asFields,
  openFor,
  readMember,
  rejectionStatus,
  type RoleHandler,
  type Served,
} from './served.js';
import {
  completeRecord,
  isKnownField,
  readFields,
  shapeFields,
  findFieldRejection,
  findReferenceRejection,
  startMoving,
} from './complete-record.js';
import { createHash } from 'node:crypto';
import { printJson } from '../../contract/document/json.js';

export const createRecord: RoleHandler = (call, served) => {
  const opened = openFor(call, served);
  if ('rejected' in opened) return opened.rejected;
  const { role } = served;
  const making: Making = { call, served, collection: opened.collection, within: opened.within, made: [] };
  const sent = role.requestPointer === undefined ? {} : readMember(call.body, role.requestMember);
  if (role.many === true) return makeMany([sent].flat(), making);
  const repeat = findRepeatId(call, opened.within);
  const repeated = repeat === undefined ? undefined : call.world.repeats.get(repeat);
  const before = repeated === undefined ? undefined : opened.collection.get(repeated);
  if (before !== undefined) return respondWithCreated(before, served, describeLocation(before, call, served));
  // An envelope need not be there.
  const fields = asFields(sent ?? {});
  const made = fields === undefined ? undefined : makeRecord(fields, making);
  if (made === undefined) return undefined;
  if ('rejected' in made) return made.rejected;
  const { stored } = made;
  if (repeat !== undefined) noteRepeat(repeat, keyOf(stored.record, opened.collection.key) as Key, call.world.repeats);
  return respondWithCreated(stored, served, describeLocation(stored, call, served));
};

function makeMany(sent: readonly unknown[], making: Making): ReturnType<RoleHandler> {
  for (const each of sent) {
    const fields = asFields(each);
    const made = fields === undefined ? undefined : makeRecord(fields, making);
    if (made !== undefined && 'stored' in made) continue;
    // All of them or none.
    making.call.undo?.();
    return made?.rejected;
  }
  return making.made.length === 0 ? undefined : respondWithList(making.made, making.served);
}

interface Making {
  call: Call;
  served: Served;
  collection: Collection;
  within: readonly Key[];
  made: StoredRecord[];
}

type Made = { stored: StoredRecord } | { rejected: ApiResponse };

function makeRecord(sent: Fields, making: Making): Made | undefined {
  const { call, served, collection, within } = making;
  const { world } = call;
  const rejected = findRejection(sent, making);
  if (rejected !== undefined) return { rejected: createErrorResponse(400, rejected) };
  const given = served.role.keyIn === 'path' ? toKey(readKey(call, served), served.kept.key) : readOwnKey(sent, served);
  const isTaken = given !== undefined && collection.get(given) !== undefined;
  // If the key is optional and the contract has no status for a conflict, the record gets another key.
  const unique = findTakenValue(sent, served, collection);
  if (unique !== undefined) return { rejected: createErrorResponse(409, unique) };
  const { key: rule, singular } = served.kept;
  const { responses } = served.role.operation;
  const isAnother = isTaken && rule?.givenBy === 'either' && !responses.some(({ status }) => status === '409');
  if (isTaken && !isAnother) {
    const why =
      rule === undefined
        ? `there is a ${singular} already`
        : `key ${String(given)} is in use: a ${singular} with this ${rule.property} exists already`;
    return { rejected: createErrorResponse(rejectionStatus(served, 409, 422, 400), why) };
  }
  const shaped = shapeFields(sent, call, served);
  const isNamed = !isAnother && given !== undefined && rule !== undefined;
  const fields = isNamed ? { ...shaped, [rule.property]: given } : shaped;
  const record = completeRecord(fields, { call, served, collection, within });
  if (record === undefined) return undefined;
  const stored = collection.add(record);
  if (stored === undefined) return { rejected: createErrorResponse(507, collection.describeFull()) };
  if (isAnother) call.note = `key ${String(given)} is in use, so the new ${singular} has another`;
  making.made.push(stored);
  call.undo = () => {
    // Of several, each is taken back.
    for (const each of making.made.splice(0).toReversed()) {
      world.collections.remove(served.kept, within, keyOf(each.record, collection.key) as Key);
    }
  };
  startMoving(stored, served.kept, world);
  return { stored };
}

/** Why another record keeps this one from being created: the contract says of the 409 which values one record alone has. */
function findTakenValue(sent: Fields, { contract, kept, role }: Served, collection: Collection): string | undefined {
  const conflict = findResponse(role.operation, 409);
  if (conflict?.status !== '409') return undefined;
  const said = asObject(resolveAt(contract.document, conflict.pointer).value);
  const texts = Object.keys(sent).filter((name) => typeof sent[name] === 'string');
  const taken = listUnique(said, texts).find((name) => collection.holds(name, sent[name]));
  return taken === undefined ? undefined : `another ${kept.singular} has this ${taken} already`;
}

function readOwnKey(sent: Fields, { kept }: Served): Key | undefined {
  const { key } = kept;
  if (key === undefined) return toKey(undefined, key);
  return key.givenBy === 'service' ? undefined : toKey(sent[key.sentAs ?? key.property], key);
}

/** The location of the new record: the item's path with its key (RFC 9110 section 10.2.2). */
function describeLocation(stored: StoredRecord, call: Call, served: Served): ResponseHeaders {
  const { kept, role } = served;
  const { request, world, profile } = call;
  if (kept.key === undefined || role.within !== undefined) return {};
  const own = role.keyIn === 'path' ? role.operation.path.replace(/\/[^/]*$/, '') : role.operation.path;
  const fill = (_: string, name: string): string => encodeURIComponent(String(call.path[name]));
  const above = encodePath(own.includes('{') ? own.replace(/\{([^{}]+)\}/g, fill) : own).replace(/\/$/, '');
  const key = encodeURIComponent(String(stored.record[kept.key.property]));
  const path = `${request.mountPath}${role.operation.server?.basePath ?? world.contract.basePath}${above}/${key}`;
  const origin = `http://${request.headers['host'] ?? 'localhost'}`;
  const location = fitLocation(path, origin, served);
  return actOn(profile, 'location-header', SENDS_LOCATION) ? { Location: location } : {};
}

/** A path as the contract lets a `Location` be: some have a pattern without the base path, some must be whole URLs. */
function fitLocation(path: string, origin: string, { contract: { validate }, role }: Served): string {
  const rule = findResponse(role.operation, role.success.status);
  const pointer = rule?.headers.find(({ name }) => name.toLowerCase() === 'location')?.schemaPointer;
  if (pointer === undefined) return path;
  const ends = Array.from(path.matchAll(/\//g), ({ index }) => [path.slice(index), path.slice(index + 1)]).flat();
  return [...ends, `${origin}${path}`].find((end) => validate.value(pointer, end).length === 0) ?? path;
}

const SENDS_LOCATION: Record<string, boolean> = { sent: true, absent: false };

const IS_REJECTED: Record<string, boolean> = { ignored: false, dropped: false, kept: false, 'refused-400': true };

function findRejection(sent: Fields, { call, served, collection }: Making): string | undefined {
  const { profile } = call;
  const key = served.kept.key?.property ?? '';
  const isAssigned = served.kept.key?.givenBy === 'service';
  if (isAssigned && actOn(profile, 'client-id', IS_REJECTED) && Object.hasOwn(sent, key)) {
    return `body/${key} must be absent, since the service assigns ${key}s`;
  }
  if (actOn(profile, 'extra-fields', IS_REJECTED)) {
    const known = readFields(served);
    if (Object.keys(sent).some((name) => name !== key && !isKnownField(name, known)))
      return 'body has fields that the contract does not define';
  }
  return findFieldRejection(sent, call, served) ?? findReferenceRejection(sent, served.kept, collection, call);
}

/** So many are remembered; a client sends a request again soon or never. */
const MOST = 1000;

/**
 * What a create and its repetition have in common: the key and the body that the client sends (draft-ietf-httpapi-idempotency-key-header).
 * `undefined` where the contract has no such header field, or the request has none.
 */
function findRepeatId({ operation, request, body }: Call, within: readonly Key[]): string | undefined {
  const name = operation.parameters.find((each) => each.in === 'header' && isRepeatKey(each.name))?.name.toLowerCase();
  const value = name === undefined ? undefined : request.headers[name];
  if (value === undefined) return undefined;
  const parts = [operation.id, ...within.map(String), value, printJson(body)];
  return createHash('sha256').update(parts.join('\n')).digest('base64');
}

export function noteRepeat(id: string, key: Key, repeats: World['repeats']): void {
  const [oldest] = repeats.keys();
  if (repeats.size >= MOST && oldest !== undefined) repeats.delete(oldest);
  repeats.set(id, key);
}
