import type { Contract } from '../../contract/contract.js';
import type { ApiResponse, JsonBody, ResponseHeaders, Operation } from '../../contract/model.js';
import { readReplacing, type Replacing } from '../../contract/gaps/gaps-of-contract.js';
import {
  readHide,
  type Hide,
  isNullable,
  readValueShape,
  readProperties,
  type Property,
} from '../../contract/operations/properties.js';
import { asObject } from '../../contract/document/plain.js';
import { saysUpserted } from '../../contract/operations/said-in-words.js';
import { findResponse } from '../../contract/operations/operations.js';
import { resolveAt } from '../../contract/document/references.js';
import { listTemplateNames, type Match } from '../../contract/operations/match.js';
import { choosePlainRoles, type RoleOperation } from '../../contract/resources/resource.js';
import type { Collection } from '../store/collection.js';
import { type Key, toKey, type Kept, listKept, type StoredRecord, type Fields, withoutHidden } from '../store/kept.js';
import { createErrorResponse } from '../response/errors.js';
import type { Call, World } from '../world/world.js';
import { readOnce } from '../../contract/document/document.js';
import { jsonBody } from '../../contract/document/json.js';
import { isKeyName } from '../../contract/resources/read-resource.js';
import { sampleValue, NOWHERE } from '../../contract/samples/sample.js';
import { createLoneMaker } from '../values/create-maker.js';
import { mendRecord } from '../fixtures/mend-record.js';
import { createHash } from 'node:crypto';

/** One operation on what a world keeps, with everything about it that is read from the contract once. */
export interface Served {
  contract: Contract;
  kept: Kept;
  role: RoleOperation;
  scope: readonly string[];
  keyParameter: string | undefined;
  showsWhole: boolean;
  hide: Hide | undefined;
  requests: readonly string[];
  replacing: Replacing;
  upserts: boolean;
}

export type RoleHandler = (call: Call, served: Served) => ApiResponse | undefined;

export function readServed(contract: Contract, kept: Kept, role: RoleOperation): Served {
  const requests = [...new Set(kept.operations.flatMap(({ requestPointer }) => requestPointer ?? []))];
  const { document } = contract;
  const shown = role.success.recordPointer ?? kept.schemaPointer;
  const own = listOwnNames(role);
  const ofKey = kept.key !== undefined && own.includes(kept.key.parameter) ? kept.key.parameter : own.at(-1);
  const hide = readHide(document, shown, requests);
  const namesRecord = own.length > kept.scope.length && kept.key !== undefined && role.keyIn !== 'body';
  return {
    contract,
    kept,
    role,
    scope: own.slice(0, kept.scope.length),
    keyParameter: namesRecord ? ofKey : undefined,
    showsWhole: resolveAt(document, shown).pointer === resolveAt(document, kept.schemaPointer).pointer,
    // Some records do not show their key, though the store needs it in them.
    hide: kept.key?.isHidden === true ? (value) => withoutHidden(asObject(hide?.(value) ?? value), kept.key) : hide,
    requests,
    replacing: readReplacing(role, choosePlainRoles(kept).create, document),
    upserts: saysUpserted(role.operation.id, asObject(document.at(role.operation.pointer))),
  };
}

function listOwnNames({ operation, within = [] }: RoleOperation): string[] {
  const elsewhere = new Set(within.map(({ parameter }) => parameter));
  return listTemplateNames(operation.path).filter((name) => !elsewhere.has(name));
}

type Opened = { collection: Collection; within: readonly Key[] } | { rejected: ApiResponse | undefined };

const NO_KEYS: readonly never[] = Object.freeze([]);

export function openFor(call: Call, { kept, scope, role }: Served): Opened {
  const { path, world } = call;
  if (scope.length === 0 && role.within === undefined)
    return { collection: world.collections.open(kept), within: NO_KEYS };
  const within = scope.map((name) => path[name] as Key);
  const owners = (role.within ?? []).map(({ parameter, resource }): Missing | undefined => {
    const owner = world.collections.kept.find(({ name, scope: own }) => name === resource && own.length === 0);
    return owner && findMissing(path[parameter], owner, [], world);
  });
  const missing = [findMissingParent(kept, within, world), ...owners].find((each) => each !== undefined);
  return missing === undefined
    ? { collection: world.collections.open(kept, within), within }
    : { rejected: rejectMissing(missing, call, role.role) };
}

export type Missing = { kept: Kept; value: unknown; wasThere: boolean };

/** The record that a collection belongs to must exist, and so must that record's own parent. */
export function findMissingParent({ parent }: Kept, within: readonly Key[], world: World): Missing | undefined {
  const owner = world.collections.kept.find(({ name }) => name === parent?.resource);
  if (owner === undefined) return undefined;
  const [above, value] = [within.slice(0, owner.scope.length), within.at(-1)];
  return findMissingParent(owner, above, world) ?? findMissing(value, owner, above, world);
}

function findMissing(value: unknown, kept: Kept, within: readonly Key[], { collections }: World): Missing | undefined {
  const collection = collections.open(kept, within);
  const key = toKey(value, kept.key);
  if (key !== undefined && collection.get(key) !== undefined) return undefined;
  return { kept, value, wasThere: key !== undefined && collection.hadOnce(key) };
}

/** 404 for a record that is not there; `undefined` if it never was and the contract alone must respond. */
export function rejectMissing(missing: Missing, call: Call, role?: RoleOperation['role']): ApiResponse | undefined {
  const why = describeMissing(missing);
  // A client would take what it has sent for stored.
  if (missing.wasThere || role === 'update' || findResponse(call.operation, 404) !== undefined)
    return createErrorResponse(404, why);
  call.note = `generated from the contract: ${why}, and the contract has no 404 for that`;
  return undefined;
}

export const describeMissing = ({ kept: { singular, key }, value }: Missing): string =>
  key === undefined ? `there is no ${singular}` : `no ${singular} has the ${key.property} ${String(value)}`;

export const rejectionStatus = ({ role }: Served, ...usual: number[]): number =>
  usual.find((status) => findResponse(role.operation, status) !== undefined) ?? usual[0] ?? 400;

export const readMember = (body: unknown, path: readonly string[] | undefined): unknown =>
  (path ?? []).reduce<unknown>((at, name) => asFields(at)?.[name], body);

export function asFields(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
}

export function withMember(object: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const holder = asFields(object) ?? {};
  return Object.fromEntries([...Object.entries(holder), [name, withMember(holder[name], rest, value)]]);
}

export type Matched = Extract<Match, { kind: 'operation' }>;

export function findCollection(
  { operation, pathValues }: Matched,
  { contract, collections }: World,
): { kept: Kept; within: readonly Key[] } | undefined {
  const known = readRoles(contract).get(operation.id);
  if (known === undefined) return undefined;
  const { kept, role } = known;
  const listParents = ({ parent }: Kept): Kept[] => {
    const owner = collections.kept.find(({ name }) => name === parent?.resource);
    return owner === undefined ? [] : [...listParents(owner), owner];
  };
  const parents = listParents(kept);
  const scope = listOwnNames(role).slice(0, kept.scope.length);
  const within = scope.map((name, index) => toKey(pathValues[name], parents[index]?.key));
  return within.includes(undefined) ? undefined : { kept, within: within as Key[] };
}

const readRoles = readOnce(
  (contract: Contract): ReadonlyMap<string, { kept: Kept; role: RoleOperation }> =>
    new Map(listKept(contract).flatMap((kept) => kept.operations.map((role) => [role.operation.id, { kept, role }]))),
);

const NONE: ResponseHeaders = {};

export function respondWithRecord(stored: StoredRecord, served: Served, more: ResponseHeaders = NONE): ApiResponse {
  const { success } = served.role;
  if (success.body === 'none')
    return { status: success.status, headers: { ...readHeaders(stored, served), ...more }, body: undefined };
  const body = printBody(stored, served);
  const headers: ResponseHeaders = { 'Content-Type': success.mediaType ?? 'application/json' };
  const own = readHeaders(stored, served);
  // Most have none, and in Node 20 two spreads in one literal take twenty times as long.
  if (own !== NONE || more !== NONE) Object.assign(headers, own, more);
  return { status: success.status, headers, body };
}

export function respondWithCreated(stored: StoredRecord, served: Served, location: ResponseHeaders): ApiResponse {
  const { success } = served.role;
  if (!isPlain(served)) return respondWithRecord(stored, served, location);
  const headers = { 'Content-Type': success.mediaType ?? 'application/json', ...location };
  if (served.role.operation.responses.some((rule) => rule.headers.length > 0))
    Object.assign(headers, readHeaders(stored, served));
  return { status: success.status, headers, body: jsonBody(stored.record) };
}

export function respondWithList(stored: readonly StoredRecord[], served: Served): ApiResponse {
  const [first] = stored;
  const { success } = served.role;
  if (success.body !== 'list' && first !== undefined) return respondWithRecord(first, served);
  const body = printShown(
    stored.map((each) => viewRecord(each, served)),
    served,
  );
  return { status: success.status, headers: { 'Content-Type': success.mediaType ?? 'application/json' }, body };
}

function printShown(shown: unknown, served: Served): JsonBody {
  const { envelope } = served.role.success;
  return jsonBody(envelope === undefined ? shown : withMember(readSkeleton(served), envelope.member, shown));
}

function printBody(stored: StoredRecord, served: Served): JsonBody {
  const { success } = served.role;
  if (isPlain(served)) return { value: stored.record, text: stored.text };
  if (success.body === 'other') return jsonBody(describeDone(stored, served));
  const shown = viewRecord(stored, served);
  return printShown(success.body === 'list' ? [shown] : shown, served);
}

const isPlain = ({ showsWhole, hide, role: { success } }: Served): boolean =>
  showsWhole && hide === undefined && success.body === 'record' && success.envelope === undefined;

function describeDone(stored: StoredRecord, served: Served): unknown {
  const { kept, contract, role } = served;
  const pointer = role.success.schemaPointer;
  if (pointer === undefined) return {};
  const skeleton = readSkeleton(served);
  const properties = readProperties(contract.document, pointer);
  const { record } = stored;
  const ofRecord = new Set(readProperties(contract.document, kept.schemaPointer).map(({ name }) => name));
  // `{"fields": [...]}` of a PATCH is a part of the record.
  const part = Object.fromEntries(
    Object.entries(record).filter(([name]) => properties.some((each) => each.name === name)),
  );
  const isPart = Object.keys(part).length > 0 && properties.every(({ name }) => ofRecord.has(name));
  if (isPart && contract.validate.value(pointer, part).length === 0) return part;
  const { key } = kept;
  const own = key === undefined ? undefined : properties.find(({ name }) => isKeyName(name, key));
  if (key === undefined || own === undefined) return skeleton;
  const { types } = readValueShape(contract.document, own.schemaPointer, 0);
  // A response may have a number where records have digits, or the other way round.
  const value = record[key.property];
  const isNumber = (types.includes('integer') || types.includes('number')) && !types.includes('string');
  const isDigits = typeof value === 'string' && /^\d{1,15}$/.test(value);
  const isWritten = typeof value === 'number' && types.includes('string');
  return withMember(skeleton, [own.name], isWritten ? String(value) : isNumber && isDigits ? Number(value) : value);
}

export const readSkeleton = readOnce(({ contract, role }: Served): unknown => {
  const { document } = contract;
  const { schemaPointer, envelope } = role.success;
  if (schemaPointer === undefined) return {};
  const whole = sampleValue(document, schemaPointer, { make: createLoneMaker(role.operation.id) });
  if (asFields(whole) === undefined) return whole ?? {};
  // Other members of an example may not be true of these records.
  return envelope === undefined ? whole : sampleAround(contract, schemaPointer, envelope.member);
});

export function sampleAround(contract: Contract, at: string, [member, ...rest]: readonly string[]): unknown {
  const properties = readProperties(contract.document, at);
  const onTheWay = rest.length === 0 ? undefined : properties.find(({ name }) => name === member);
  const required = properties.filter((each) => each.required && each.name !== member);
  const sampled = required.map((each) => [each.name, sampleMember(contract, each)]);
  const inside = onTheWay === undefined ? [] : [[member, sampleAround(contract, onTheWay.schemaPointer, rest)]];
  return Object.fromEntries([...sampled, ...inside]) as unknown;
}

function sampleMember(contract: Contract, { name, schemaPointer: at }: Property): unknown {
  const { document, validate } = contract;
  if (isNullable(document, at)) return null;
  // An example of the contract may not be what its schema says.
  const accepts = (pointer: string, each: unknown): boolean => validate.value(pointer, each).length === 0;
  const make = createLoneMaker(at);
  const value = sampleValue(document, at, { accepts, make, place: { ...NOWHERE, name } }) ?? null;
  return asFields(value) === undefined ? value : { ...value, ...asFields(sampleAround(contract, at, [])) };
}

function readHeaders(stored: StoredRecord, served: Served): ResponseHeaders {
  const plan = readHeaderPlan(served);
  return plan.hasTag ? { ...plan.required, ETag: tagOf(stored) } : plan.required;
}

export const readHeaderPlan = readOnce(({ contract, kept, role }: Served) => {
  const headers = findResponse(role.operation, role.success.status)?.headers ?? [];
  const hasTag =
    headers.some(({ name }) => name.toLowerCase() === 'etag') ||
    kept.operations.some(({ operation }) => has304(operation) || takesIfMatch(operation));
  const others = headers.filter(({ name, required }) => required && !/^(?:etag|location)$/i.test(name));
  const entries = others.flatMap(({ name, schemaPointer }) => {
    const value = schemaPointer === undefined ? 'x' : sampleValue(contract.document, schemaPointer);
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : [];
  });
  return { hasTag, required: entries.length === 0 ? NONE : Object.fromEntries(entries) };
});

type View = { names: ReadonlySet<string> | undefined; schemaPointer: string; seen: WeakMap<StoredRecord, Fields> };

export function viewAll(records: readonly StoredRecord[], served: Served): readonly Fields[] | Fields {
  const shown = records.map((stored) => viewRecord(stored, served));
  if (served.role.success.body !== 'map') return shown;
  const key = served.kept.key?.property ?? '';
  return Object.fromEntries(records.map(({ record }, index) => [String(record[key]), shown[index]]));
}

export function viewRecord(stored: StoredRecord, served: Served): Fields {
  const view = readView(served);
  if (view === 'whole') return stored.record;
  const known = view.seen.get(stored);
  if (known !== undefined) return known;
  const made = makeView(stored.record, view, served);
  view.seen.set(stored, made);
  return made;
}

const readView = readOnce(({ contract, showsWhole, hide, role }: Served): View | 'whole' => {
  const { recordPointer } = role.success;
  if (recordPointer === undefined || (showsWhole && hide === undefined)) return 'whole';
  const { document } = contract;
  const { value, pointer } = resolveAt(document, recordPointer);
  const names = readProperties(document, pointer).map(({ name }) => name);
  const isOpen = names.length === 0 || asObject(value)['additionalProperties'] === true;
  return { names: isOpen ? undefined : new Set(names), schemaPointer: pointer, seen: new WeakMap() };
});

function makeView(whole: Fields, { names, schemaPointer }: View, served: Served): Fields {
  const { contract, kept, role, showsWhole, hide } = served;
  const record = (hide?.(whole) ?? whole) as Fields;
  if (showsWhole) return record;
  const shown =
    names === undefined ? record : Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)));
  // What the record lacks is each record's own.
  const make = createLoneMaker(`${kept.name} ${String(whole[kept.key?.property ?? ''])}`);
  const mend = (replaces: boolean): Fields | undefined =>
    mendRecord(shown, schemaPointer, contract, { replaces, make, subject: kept.singular });
  // One record in another form costs a list less than all of them.
  return mend(false) ?? (role.role === 'list' ? mend(true) : undefined) ?? shown;
}

/** A strong entity tag of a record (RFC 9110 section 8.8.3): it changes with the record's text. */
const tagOf = ({ text }: StoredRecord): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`;

/** 304 for a client that already has the record, if the contract has that status (RFC 9110 section 13.1.2). */
export function respondUnchanged(stored: StoredRecord, { request }: Call, { role }: Served): ApiResponse | undefined {
  const known = request.headers['if-none-match'];
  if (known === undefined || !has304(role.operation) || !namesTag(known, tagOf(stored))) return undefined;
  return { status: 304, headers: { ETag: tagOf(stored) }, body: undefined };
}

/** Refuses to change a record whose current state the client does not know, if the contract has `If-Match` (RFC 9110 section 13.1.1). */
export function findFailedMatch(stored: StoredRecord, { request }: Call, { role }: Served): ApiResponse | undefined {
  const expected = request.headers['if-match'];
  if (expected === undefined || !takesIfMatch(role.operation) || namesTag(expected, tagOf(stored))) return undefined;
  return createErrorResponse(412, `the record has the tag ${tagOf(stored)}, and If-Match is ${expected}`);
}

const has304 = (operation: Operation): boolean => findResponse(operation, 304)?.status === '304';

const takesIfMatch = ({ parameters }: Operation): boolean =>
  parameters.some(({ in: part, name }) => part === 'header' && name.toLowerCase() === 'if-match');

const namesTag = (field: string, tag: string): boolean =>
  field.trim() === '*' || field.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
