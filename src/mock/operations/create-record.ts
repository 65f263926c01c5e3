import { readOnce } from '../../contract/document/document.js';
import type { ApiResponse, ResponseHeaders } from '../../contract/model.js';
import { findResponse, isRepeatKey } from '../../contract/operations/operations.js';
import { createErrorResponse } from '../response/errors.js';
import { keyOf, type Key, toKey, type StoredRecord, type Fields } from '../store/kept.js';
import type { Call, World } from '../world/world.js';
import { readKey } from './existing-record.js';
import {
  type RoleHandler,
  type Served,
  respondWithCreated,
  respondWithList,
  asFields,
  openFor,
  readMember,
  rejectionStatus,
} from './respond.js';
import { asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { listUnique } from '../../contract/operations/said-in-words.js';
import { encodePath } from '../../contract/operations/match.js';
import { actOn } from '../../contract/gaps/gaps.js';
import type { Collection } from '../store/collection.js';
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
    making.call.undo?.();
    return made?.rejected;
  }
  return making.made.length === 0 ? undefined : respondWithList(making.made, making.served);
}

type Making = { call: Call; served: Served; collection: Collection; within: readonly Key[]; made: StoredRecord[] };

function makeRecord(sent: Fields, making: Making): { stored: StoredRecord } | { rejected: ApiResponse } | undefined {
  const { call, served, collection, within } = making;
  const { world } = call;
  const { kept, role, contract } = served;
  const { key: rule, singular } = kept;
  const { operation } = role;
  const reject = (status: number, why: string) => ({ rejected: createErrorResponse(status, why) });
  const rejected = findRejection(sent, making);
  if (rejected !== undefined) return reject(400, rejected);
  // The contract may say of the 409 which values one record alone has.
  const conflict = operation.responses.find(({ status }) => status === '409');
  const said = conflict && asObject(resolveAt(contract.document, conflict.pointer).value);
  const texts = (): string[] => Object.keys(sent).filter((name) => typeof sent[name] === 'string');
  const taken = said && listUnique(said, texts()).find((name) => collection.holds(name, sent[name]));
  if (taken !== undefined) return reject(409, `another ${singular} has this ${taken} already`);
  const own = rule?.givenBy === 'service' ? undefined : toKey(sent[rule?.sentAs ?? rule?.property ?? ''], rule);
  const given = role.keyIn === 'path' ? toKey(readKey(call, served), rule) : own;
  const isTaken = given !== undefined && collection.get(given) !== undefined;
  // If the key is optional and the contract has no status for a conflict, the record gets another key.
  const isAnother = isTaken && rule?.givenBy === 'either' && conflict === undefined;
  if (isTaken && !isAnother) {
    const why =
      rule === undefined
        ? `there is a ${singular} already`
        : `key ${String(given)} is in use: a ${singular} with this ${rule.property} exists already`;
    return reject(rejectionStatus(served, 409, 422, 400), why);
  }
  const shaped = shapeFields(sent, call, served);
  const isNamed = !isAnother && given !== undefined && rule !== undefined;
  const fields = isNamed ? { ...shaped, [rule.property]: given } : shaped;
  const record = completeRecord(fields, { call, served, collection, within });
  if (record === undefined) return undefined;
  const stored = collection.add(record);
  if (stored === undefined) return reject(507, collection.describeFull());
  if (isAnother) call.note = `key ${String(given)} is in use, so the new ${singular} has another`;
  making.made.push(stored);
  call.undo = () => {
    for (const each of making.made.splice(0).toReversed())
      world.collections.remove(kept, within, keyOf(each.record, collection.key) as Key);
  };
  startMoving(stored, kept, world);
  return { stored };
}

/** The location of the new record: the item's path with its key (RFC 9110 section 10.2.2). */
function describeLocation(stored: StoredRecord, call: Call, served: Served): ResponseHeaders {
  const { kept, role } = served;
  const { request, world, profile } = call;
  if (kept.key === undefined || role.within !== undefined || !actOn(profile, 'location-header', SENDS)) return {};
  const { above, pointer } = readLocationPlan(served);
  const fill = (_: string, name: string): string => encodeURIComponent(String(call.path[name]));
  const filled = above.includes('{') ? encodePath(above.replace(/\{([^{}]+)\}/g, fill)) : above;
  const key = encodeURIComponent(String(stored.record[kept.key.property]));
  const path = `${request.mountPath}${role.operation.server?.basePath ?? world.contract.basePath}${filled}/${key}`;
  if (pointer === undefined) return { Location: path };
  // Some have a pattern without the base path, some must be whole URLs.
  const ends = Array.from(path.matchAll(/\//g), ({ index }) => [path.slice(index), path.slice(index + 1)]).flat();
  const whole = `http://${request.headers['host'] ?? 'localhost'}${path}`;
  const location = [...ends, whole].find((end) => world.contract.validate.value(pointer, end).length === 0);
  return { Location: location ?? path };
}

const SENDS: Record<string, boolean> = { sent: true, absent: false };

/** The path of the list below the base path, and the schema of the header field, if there is one. */
const readLocationPlan = readOnce(({ role }: Served) => {
  const own = role.keyIn === 'path' ? role.operation.path.replace(/\/[^/]*$/, '') : role.operation.path;
  const above = (own.includes('{') ? own : encodePath(own)).replace(/\/$/, '');
  const fields = findResponse(role.operation, role.success.status)?.headers ?? [];
  return { above, pointer: fields.find(({ name }) => name.toLowerCase() === 'location')?.schemaPointer };
});

const IS_REJECTED: Record<string, boolean> = { ignored: false, dropped: false, kept: false, 'refused-400': true };

function findRejection(sent: Fields, { call, served, collection }: Making): string | undefined {
  const { profile } = call;
  const key = served.kept.key?.property ?? '';
  const isAssigned = served.kept.key?.givenBy === 'service';
  if (isAssigned && actOn(profile, 'client-id', IS_REJECTED) && Object.hasOwn(sent, key))
    return `body/${key} must be absent, since the service assigns ${key}s`;
  if (actOn(profile, 'extra-fields', IS_REJECTED)) {
    const known = readFields(served);
    if (Object.keys(sent).some((name) => name !== key && !isKnownField(name, known)))
      return 'body has fields that the contract does not define';
  }
  return findFieldRejection(sent, call, served) ?? findReferenceRejection(sent, served.kept, collection, call);
}

const MOST = 1000;

/** What a create and its repetition share: key and body (draft-ietf-httpapi-idempotency-key-header). */
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
