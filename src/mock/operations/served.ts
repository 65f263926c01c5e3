import type { Contract } from '../../contract/contract.js';
import type { ApiResponse } from '../../contract/message.js';
import { findResponse } from '../../contract/operations/operations.js';
import { resolveAt } from '../../contract/document/references.js';
import { listTemplateNames } from '../../contract/operations/path-template.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import type { Collection } from '../store/collection.js';
import type { Key } from '../store/keys.js';
import { toKey, type Kept } from '../store/kept.js';
import { createRefusal } from '../answer/refusals.js';
import type { Call, World } from '../world/world.js';

/** One operation on what a world keeps, with what is read of the contract once. */
export interface Served {
  contract: Contract;
  kept: Kept;
  role: RoleOperation;
  /** The path parameters by which records are kept apart, outermost first, as this operation names them. */
  scope: readonly string[];
  /** The path parameter that names the record; `undefined` where the path names none. */
  keyParameter: string | undefined;
  /** Whether the answer shows a record as it is kept, and in no other form. */
  showsWhole: boolean;
  /** Whether another status than that of success answers with a record that is made here (`201` of a PUT). */
  createdStatus: number | undefined;
}

/** Serves an operation by its role; `undefined` where the mock cannot keep state for this request. */
export type RoleHandler = (call: Call, served: Served) => ApiResponse | undefined;

export function readServed(contract: Contract, kept: Kept, role: RoleOperation): Served {
  const names = listTemplateNames(role.operation.path);
  const elsewhere = new Set(role.within?.map(({ parameter }) => parameter));
  const own = names.filter((name) => !elsewhere.has(name));
  const ofKey = kept.key !== undefined && own.includes(kept.key.parameter) ? kept.key.parameter : own.at(-1);
  const namesRecord = own.length > kept.scope.length && kept.key !== undefined && role.keyIn !== 'body';
  return {
    contract,
    kept,
    role,
    scope: own.slice(0, kept.scope.length),
    keyParameter: namesRecord ? ofKey : undefined,
    showsWhole: isSameSchema(contract, role.success.recordPointer, kept.schemaPointer),
    createdStatus: role.operation.responses.some(({ status }) => status === '201') ? 201 : undefined,
  };
}

function isSameSchema({ document }: Contract, one: string | undefined, other: string): boolean {
  return one === undefined || resolveAt(document, one).pointer === resolveAt(document, other).pointer;
}

/** The collection that a call is about, or why there is none. */
export type Opened = { collection: Collection; within: readonly Key[] } | { refused: ApiResponse };

const NOWHERE: readonly never[] = Object.freeze([]);

export function openFor({ path, world }: Call, { kept, scope, role }: Served): Opened {
  if (scope.length === 0 && role.within === undefined) {
    return { collection: world.collections.open(kept), within: NOWHERE };
  }
  const within = scope.map((name) => path[name] as Key);
  const missing = findMissingParent(kept, within, world) ?? findMissingOwner(role, path, world);
  return missing === undefined ? { collection: world.collections.open(kept, within), within } : { refused: missing };
}

/** The record to which a collection belongs must exist, and so must the one to which that belongs. */
export function findMissingParent({ parent }: Kept, within: readonly Key[], world: World): ApiResponse | undefined {
  const owner = world.collections.kept.find(({ name }) => name === parent?.resource);
  if (owner === undefined) return undefined;
  const [above, value] = [within.slice(0, owner.scope.length), within.at(-1)];
  return findMissingParent(owner, above, world) ?? refuseMissing(owner, above, value, world);
}

function findMissingOwner({ within = [] }: RoleOperation, path: Call['path'], world: World): ApiResponse | undefined {
  for (const { parameter, resource } of within) {
    const owner = world.collections.kept.find(({ name, scope }) => name === resource && scope.length === 0);
    const missing = owner === undefined ? undefined : refuseMissing(owner, NOWHERE, path[parameter], world);
    if (missing !== undefined) return missing;
  }
  return undefined;
}

function refuseMissing(owner: Kept, within: readonly Key[], value: unknown, world: World): ApiResponse | undefined {
  const key = toKey(value, owner.key);
  const isThere = key !== undefined && world.collections.open(owner, within).get(key) !== undefined;
  return isThere ? undefined : noSuchRecord(owner, value);
}

export function noSuchRecord({ singular, key }: Kept, value: unknown): ApiResponse {
  if (key === undefined) return createRefusal(404, `there is no ${singular}`);
  return createRefusal(404, `no ${singular} has the ${key.property} ${String(value)}`);
}

/** The status among the operation's own that refuses what conflicts, or what cannot be; else the usual one. */
export function refusalStatus({ role }: Served, ...usual: number[]): number {
  return usual.find((status) => findResponse(role.operation, status) !== undefined) ?? usual[0] ?? 400;
}

/** A value at a path of names into a body; the body itself without one. */
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
  // What is defined is an own property, so a name such as `__proto__` stays data.
  return Object.fromEntries([...Object.entries(holder), [name, withMember(holder[name], rest, value)]]);
}
