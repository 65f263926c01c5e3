import { readOnce } from '../document/document.js';
import type { Contract } from '../contract.js';
import { applyCorrections, listPlaces, listParameters, shapeOf, type PathPlace } from './candidates.js';
import { findParents, addViews, describeParent, findParent } from './find-parents.js';
import { readSource, readWrite } from './find-roles.js';
import {
  createFinderOfOne,
  findRequestContent,
  readSuccess,
  compareProperties,
  locateRecord,
  type LikenessCheck,
  describeSuccess,
} from './bodies.js';
import { readResource, type Draft, type Reading } from './read-resource.js';
import type { Inferred, Singleton } from './resource.js';
import { createSchemaView, type SchemaView } from './schema-view.js';
import { stemOf } from './words.js';
import type { Operation } from '../model.js';

export type Described = Pick<Contract, 'document' | 'operations' | 'corrections'>;

export const inferResources = readOnce((contract: Described): Inferred => {
  const { document, operations, corrections } = contract;
  const { resources } = document;
  const isReady = resources !== undefined && corrections === undefined;
  if (!isReady) return infer(contract);
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  return JSON.parse(resources, (key, value: unknown) =>
    key === 'operation' ? byId.get(String(value)) : value,
  ) as Inferred;
});

function infer(contract: Described): Inferred {
  const { document, operations } = contract;
  const places = listPlaces(operations);
  const { candidates, correct } = applyCorrections(contract, places, contract.corrections);
  const reading = {
    document,
    view: createSchemaView(document),
    correct,
    operations,
    stems: new Set(candidates.map(({ name }) => stemOf(name))),
    notes: [],
  };
  const drafts = candidates.flatMap((candidate) => readResource(candidate, reading) ?? []);
  const whole = drafts.filter(({ isAlone }) => !isAlone);
  for (const { resource, correction } of whole) resource.name = correction.name ?? resource.name;
  // `users.orders` where several resources are called `orders`.
  rename(whole, ({ resource }) => nameInFull(resource.collectionPath));
  rename(whole, ({ resource }) => resource.collectionPath);
  const parents = findParents(whole, reading);
  const alone = drafts.filter(
    (each) =>
      each.isAlone &&
      !parents.some(
        (other) => other.resource.name === each.resource.name || other.candidate.stem === each.candidate.stem,
      ),
  );
  addViews([...alone, ...parents], places, reading);
  for (const { resource } of drafts) {
    resource.key = { ...resource.key, ...readSource(reading.view, resource.operations, resource.key.property) };
  }
  const kept = [
    ...parents,
    ...alone.filter(({ resource }) =>
      resource.operations.some(({ role, within }) => role === 'create' && within !== undefined),
    ),
  ];
  const resources = kept.map(({ resource }) => resource);
  return { resources, singletons: findSingletons(kept, places, reading), notes: reading.notes };
}

function rename(drafts: readonly Draft[], toName: (draft: Draft) => string): void {
  const times = new Map<string, number>();
  for (const { resource } of drafts) times.set(resource.name, (times.get(resource.name) ?? 0) + 1);
  for (const draft of drafts) {
    if ((times.get(draft.resource.name) ?? 0) > 1) draft.resource.name = draft.correction.name ?? toName(draft);
  }
}

function nameInFull(path: string): string {
  return path
    .split('/')
    .filter((text) => text !== '' && !text.includes('{'))
    .join('.');
}

/** The inferred resources as JSON, with ids instead of operations. */
export function writeInferred(inferred: Inferred): string {
  return JSON.stringify(inferred, (key, value: unknown) =>
    key === 'operation' ? (value as Pick<Operation, 'id'>).id : value,
  );
}

/** Singletons: read and written at one path without a key, such as `/settings`, `/users/{userId}/profile`. */
function findSingletons(
  drafts: readonly Draft[],
  places: ReadonlyMap<string, PathPlace>,
  { view }: Reading,
): Singleton[] {
  const names = new Set(drafts.map(({ resource }) => resource.name));
  const taken = new Set(drafts.flatMap(({ resource }) => resource.operations.map(({ operation }) => operation)));
  const byItem = new Map(drafts.map((draft) => [shapeOf(draft.candidate.item.segments), draft]));
  return [...places].flatMap(([shape, place]) => {
    const isFree = place.operations.every((operation) => !taken.has(operation));
    const found = isFree && !places.has(`${shape}/{}`) ? readSingleton(place, view, byItem) : undefined;
    if (found === undefined) return [];
    const choices = [found.name, nameInFull(found.path), found.path];
    const name = choices.find((each) => !names.has(each)) ?? found.path;
    names.add(name);
    return [{ ...found, name }];
  });
}

function readSingleton(place: PathPlace, view: SchemaView, byItem: ReadonlyMap<string, Draft>): Singleton | undefined {
  const { segments, operations, path } = place;
  const last = segments.at(-1);
  const find = (method: string): Operation | undefined => operations.find((each) => each.method === method);
  const [get, writes] = [find('GET'), [find('PUT'), find('PATCH')].filter((each) => each !== undefined)];
  if (get === undefined || last === undefined || last.parameter !== undefined || writes.length === 0) return undefined;
  const name = last.text;
  const schemaPointer = findOne(view, get, writes, name);
  if (schemaPointer === undefined) return undefined;
  const finder = createFinderOfOne(view, { name, schemaPointer });
  const written = writes.flatMap(
    (operation) => readWrite(operation.method === 'PUT' ? 'replace' : 'update', operation, finder) ?? [],
  );
  if (written.length === 0) return undefined;
  const scope = listParameters(segments);
  const parent = findParent(segments, byItem);
  const read = {
    role: 'get',
    operation: get,
    success: describeSuccess(get, finder),
    requestMember: undefined,
    requestPointer: undefined,
  } as const;
  return {
    name,
    path,
    schemaPointer,
    operations: [read, ...(written as Singleton['operations'])],
    scope,
    parent: parent === undefined ? undefined : describeParent(view, { scope, schemaPointer }, parent),
  };
}

function findOne(view: SchemaView, get: Operation, writes: readonly Operation[], name: string): string | undefined {
  const body = readSuccess(get)?.schemaPointer;
  if (body === undefined) return undefined;
  const sent = writes.flatMap((operation) => findRequestContent(operation)?.schemaPointer ?? []);
  const check: LikenessCheck = (pointer) =>
    view.types(pointer).includes('object') && sent.some((each) => isOneOf(view, each, pointer)) ? 'same' : undefined;
  const located = locateRecord(view, body, stemOf(name), check);
  return located === undefined ? undefined : view.settle(located.pointer);
}

const MOST = 0.75;

/** Whether request and answer describe the same object: most properties in common, and none with a different meaning. */
function isOneOf(view: SchemaView, sent: string, answered: string): boolean {
  const all = [...view.properties(answered).values()].map(({ schemaPointer }) => view.items(schemaPointer));
  const lists = all.filter((items) => items !== undefined && view.types(items).includes('object'));
  // A list in an envelope, which means a collection.
  if (lists.length === 1 && all.length <= 3) return false;
  if (view.settle(sent) === view.settle(answered)) return true;
  if (compareProperties(view, sent, answered) < MOST) return false;
  return [...view.plainProperties(sent)].every(([plain, { schemaPointer }]) => {
    const there = view.plainProperties(answered).get(plain)?.schemaPointer;
    return there === undefined || isOneThing(view, schemaPointer, there);
  });
}

function isOneThing(view: SchemaView, one: string, other: string): boolean {
  const items = [view.items(one), view.items(other)] as const;
  const [a, b] = items[0] !== undefined && items[1] !== undefined ? [items[0], items[1]] : [one, other];
  if (view.settle(a) === view.settle(b)) return true;
  const [types, others] = [view.types(a), view.types(b)];
  if (types.length > 0 && others.length > 0 && !types.some((type) => others.includes(type))) return false;
  return view.properties(a).size === 0 || compareProperties(view, a, b) >= MOST;
}
