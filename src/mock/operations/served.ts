import type { Contract } from '../../contract/contract.js';
import type { ApiResponse } from '../../contract/message.js';
import { readReplacing, type Replacing } from '../../contract/gaps/gaps-of-contract.js';
import { readHide, type Hide } from '../../contract/operations/marked-members.js';
import { asObject } from '../../contract/document/plain.js';
import { saysUpserted } from '../../contract/operations/said-in-words.js';
import { findResponse } from '../../contract/operations/operations.js';
import { resolveAt } from '../../contract/document/references.js';
import { listTemplateNames } from '../../contract/operations/match.js';
import { choosePlainRoles, type RoleOperation } from '../../contract/resources/resource.js';
import type { Collection } from '../store/collection.js';
import { type Key, toKey, type Kept, listKept } from '../store/kept.js';
import { createErrorResponse } from '../response/errors.js';
import type { Call, World } from '../world/world.js';
import type { Match } from '../../contract/operations/match.js';
import { readOnce } from '../../contract/document/document.js';

/** One operation on what a world keeps, with everything about it that is read from the contract once. */
export interface Served {
  contract: Contract;
  kept: Kept;
  role: RoleOperation;
  /** The path parameters that select the collection, outermost first, by this operation's names for them. */
  scope: readonly string[];
  /** The path parameter that identifies the record; `undefined` if the path has none. */
  keyParameter: string | undefined;
  /** Whether the answer describes a record as the resource does. */
  showsWhole: boolean;
  /** Takes away what only requests have; `undefined` if the contract has nothing of the kind. */
  hide: Hide | undefined;
  /** JSON Pointers to the schemas in which clients send such records. */
  requests: readonly string[];
  /** What becomes of fields that a change leaves out. */
  replacing: Replacing;
  /** Whether a PUT is described as one that creates what is not there. */
  upserts: boolean;
}

/** Serves an operation by its role; `undefined` if the mock cannot keep state for this request. */
export type RoleHandler = (call: Call, served: Served) => ApiResponse | undefined;

export function readServed(contract: Contract, kept: Kept, role: RoleOperation): Served {
  const requests = [...new Set(kept.operations.flatMap(({ requestPointer }) => requestPointer ?? []))];
  const { document } = contract;
  const shown = role.success.recordPointer ?? kept.schemaPointer;
  const own = listOwnNames(role);
  const ofKey = kept.key !== undefined && own.includes(kept.key.parameter) ? kept.key.parameter : own.at(-1);
  const namesRecord = own.length > kept.scope.length && kept.key !== undefined && role.keyIn !== 'body';
  return {
    contract,
    kept,
    role,
    scope: own.slice(0, kept.scope.length),
    keyParameter: namesRecord ? ofKey : undefined,
    showsWhole: resolveAt(document, shown).pointer === resolveAt(document, kept.schemaPointer).pointer,
    hide: hideKey(kept, readHide(document, shown, requests)),
    requests,
    replacing: readReplacing(role, choosePlainRoles(kept).create, document),
    upserts: saysUpserted(role.operation.id, asObject(document.at(role.operation.pointer))),
  };
}

/** Some records do not show their key, though the store needs it in them. */
function hideKey({ key }: Kept, hide: Hide | undefined): Hide | undefined {
  if (key?.isHidden !== true) return hide;
  return (value) => {
    const { [key.property]: _, ...shown } = asObject(hide === undefined ? value : hide(value));
    return shown;
  };
}

function listOwnNames({ operation, within = [] }: RoleOperation): string[] {
  const elsewhere = new Set(within.map(({ parameter }) => parameter));
  return listTemplateNames(operation.path).filter((name) => !elsewhere.has(name));
}

type Opened = { collection: Collection; within: readonly Key[] } | { rejected: ApiResponse | undefined };

const NOWHERE: readonly never[] = Object.freeze([]);

export function openFor(call: Call, { kept, scope, role }: Served): Opened {
  const { path, world } = call;
  if (scope.length === 0 && role.within === undefined) {
    return { collection: world.collections.open(kept), within: NOWHERE };
  }
  const within = scope.map((name) => path[name] as Key);
  const missing = findMissingParent(kept, within, world) ?? findMissingOwner(role, path, world);
  return missing === undefined
    ? { collection: world.collections.open(kept, within), within }
    : { rejected: rejectMissing(missing, call, role.role) };
}

/** A record that a request refers to and that does not exist. */
export interface Missing {
  kept: Kept;
  value: unknown;
  /** Whether it existed and was removed. */
  wasThere: boolean;
}

/** The record that a collection belongs to must exist, and so must that record's own parent. */
export function findMissingParent({ parent }: Kept, within: readonly Key[], world: World): Missing | undefined {
  const owner = world.collections.kept.find(({ name }) => name === parent?.resource);
  if (owner === undefined) return undefined;
  const [above, value] = [within.slice(0, owner.scope.length), within.at(-1)];
  return findMissingParent(owner, above, world) ?? lookFor(value, owner, world.collections.open(owner, above));
}

function findMissingOwner({ within = [] }: RoleOperation, path: Call['path'], world: World): Missing | undefined {
  for (const { parameter, resource } of within) {
    const owner = world.collections.kept.find(({ name, scope }) => name === resource && scope.length === 0);
    const missing = owner === undefined ? undefined : lookFor(path[parameter], owner, world.collections.open(owner));
    if (missing !== undefined) return missing;
  }
  return undefined;
}

function lookFor(value: unknown, kept: Kept, collection: Collection): Missing | undefined {
  const key = toKey(value, kept.key);
  if (key !== undefined && collection.get(key) !== undefined) return undefined;
  return { kept, value, wasThere: key !== undefined && collection.hadOnce(key) };
}

/**
 * The answer for a record that does not exist: 404. `undefined` if the record never existed and the contract has no
 * such answer, so that the contract alone must answer; a record that a client removed stays absent in any case, and none
 * is updated that is not there.
 */
export function rejectMissing(missing: Missing, call: Call, role?: RoleOperation['role']): ApiResponse | undefined {
  const why = describeMissing(missing);
  // A client would take what it has sent for stored.
  if (missing.wasThere || role === 'update' || findResponse(call.operation, 404) !== undefined)
    return createErrorResponse(404, why);
  call.note = `generated from the contract: ${why}, and the contract has no 404 for that`;
  return undefined;
}

export function describeMissing({ kept: { singular, key }, value }: Missing): string {
  return key === undefined ? `there is no ${singular}` : `no ${singular} has the ${key.property} ${String(value)}`;
}

/** The operation's own status for a conflict or for a record that cannot exist; else the usual one. */
export function rejectionStatus({ role }: Served, ...usual: number[]): number {
  return usual.find((status) => findResponse(role.operation, status) !== undefined) ?? usual[0] ?? 400;
}

/** The value at a path of names in a body; the body itself for an empty path. */
export function readMember(body: unknown, path: readonly string[] | undefined): unknown {
  return (path ?? []).reduce<unknown>((at, name) => asFields(at)?.[name], body);
}

export function asFields(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
}

/** A copy of an object with a value at a path of names. */
export function withMember(object: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const holder = asFields(object) ?? {};
  // Defining makes an own property, so a name such as `__proto__` stays data.
  return Object.fromEntries([...Object.entries(holder), [name, withMember(holder[name], rest, value)]]);
}

/** What a request's method and path are in the contract. */
export type Matched = Extract<Match, { kind: 'operation' }>;

/** The collection that an operation is about; `undefined` if it is about none, or its path names no parent. */
export function findCollection(
  { operation, pathValues }: Matched,
  { contract, collections }: World,
): { kept: Kept; within: readonly Key[] } | undefined {
  const known = readRoles(contract).get(operation.id);
  if (known === undefined) return undefined;
  const { kept, role } = known;
  const parents = listParents(kept, collections.kept);
  const scope = listOwnNames(role).slice(0, kept.scope.length);
  const within = scope.map((name, index) => toKey(pathValues[name], parents[index]?.key));
  return within.includes(undefined) ? undefined : { kept, within: within as Key[] };
}

const readRoles = readOnce(
  (contract: Contract): ReadonlyMap<string, { kept: Kept; role: RoleOperation }> =>
    new Map(listKept(contract).flatMap((kept) => kept.operations.map((role) => [role.operation.id, { kept, role }]))),
);

function listParents({ parent }: Kept, all: readonly Kept[]): Kept[] {
  const owner = all.find(({ name }) => name === parent?.resource);
  return owner === undefined ? [] : [...listParents(owner, all), owner];
}
