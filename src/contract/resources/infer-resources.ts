import { readOnce } from '../document/document.js';
import type { Contract } from '../contract.js';
import type { PathPlace, PlaceSegment } from './candidates.js';
import { applyCorrections, listPlaces, listParameters, shapeOf, reject, isManner } from './candidates.js';
import { readSource, readWrite, readAs, readCreate, readList, readMany, readAction } from './find-roles.js';
import {
  createFinderOfOne,
  findRequestContent,
  readSuccess,
  compareProperties,
  locateRecord,
  type LikenessCheck,
  describeSuccess,
  SchemaView,
  locateList,
} from './bodies.js';
import { readResource, type Draft, type Reading } from './read-resource.js';
import type { Inferred, Singleton, ParentRecord, Resource, Within, RoleOperation } from './resource.js';
import { stemOf, areRelated, isAnyKeyName, plainName } from './words.js';
import type { Operation } from '../model.js';
import { groupBy, asList } from '../document/plain.js';
import { listTemplateNames } from '../operations/match.js';

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
  const stems = new Set(candidates.map(({ name }) => stemOf(name)));
  const reading = { document, view: new SchemaView(document), correct, operations, stems, notes: [] };
  const drafts = candidates.flatMap((candidate) => readResource(candidate, reading) ?? []);
  const whole = drafts.filter(({ isAlone }) => !isAlone);
  for (const { resource, correction } of whole) resource.name = correction.name ?? resource.name;
  // `users.orders` where several resources are called `orders`.
  for (const toName of [nameInFull, (path: string): string => path])
    for (const same of groupBy(whole, ({ resource }) => resource.name).values())
      for (const { resource, correction } of same.length > 1 ? same : [])
        resource.name = correction.name ?? toName(resource.collectionPath);
  const parents = findParents(whole, reading);
  const alone = drafts.filter(
    (each) =>
      each.isAlone &&
      !parents.some(
        (other) => other.resource.name === each.resource.name || other.candidate.stem === each.candidate.stem,
      ),
  );
  addViews([...alone, ...parents], places, reading);
  for (const { resource } of drafts)
    resource.key = { ...resource.key, ...readSource(reading.view, resource.operations, resource.key.property) };
  const kept = [
    ...parents,
    ...alone.filter(({ resource }) =>
      resource.operations.some(({ role, within }) => role === 'create' && within !== undefined),
    ),
  ];
  const resources = kept.map(({ resource }) => resource);
  const names = new Set(kept.map(({ resource }) => resource.name));
  const taken = new Set(kept.flatMap(({ resource }) => resource.operations.map(({ operation }) => operation)));
  const byItem = new Map(kept.map((draft) => [shapeOf(draft.candidate.item.segments), draft]));
  return {
    resources,
    singletons: [...places].flatMap(([shape, place]) => {
      const isFree = place.operations.every((operation) => !taken.has(operation));
      const found = isFree && !places.has(`${shape}/{}`) ? readSingleton(place, reading.view, byItem) : undefined;
      if (found === undefined) return [];
      const choices = [found.name, nameInFull(found.path), found.path];
      const name = choices.find((each) => !names.has(each)) ?? found.path;
      names.add(name);
      return [{ ...found, name }];
    }),
    notes: reading.notes,
  };
}

function nameInFull(path: string): string {
  return path
    .split('/')
    .filter((text) => text !== '' && !text.includes('{'))
    .join('.');
}

export function writeInferred(inferred: Inferred): string {
  return JSON.stringify(inferred, (key, value: unknown) =>
    key === 'operation' ? (value as Pick<Operation, 'id'>).id : value,
  );
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
  const none = { requestMember: undefined, requestPointer: undefined };
  const read = { role: 'get', operation: get, success: describeSuccess(get, finder), ...none } as const;
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

function isOneOf(view: SchemaView, sent: string, answered: string): boolean {
  const all = [...view.properties(answered).values()].map(({ schemaPointer }) => view.items(schemaPointer));
  const lists = all.filter((items) => items !== undefined && view.types(items).includes('object'));
  // A list in an envelope, which means a collection.
  if (lists.length === 1 && all.length <= 3) return false;
  if (view.settle(sent) === view.settle(answered)) return true;
  if (compareProperties(view, sent, answered) < MOST) return false;
  return [...view.plainProperties(sent)].every(([plain, { schemaPointer: one }]) => {
    const other = view.plainProperties(answered).get(plain)?.schemaPointer;
    if (other === undefined) return true;
    const items = [view.items(one), view.items(other)] as const;
    const [a, b] = items[0] !== undefined && items[1] !== undefined ? [items[0], items[1]] : [one, other];
    if (view.settle(a) === view.settle(b)) return true;
    const [types, others] = [view.types(a), view.types(b)];
    if (types.length > 0 && others.length > 0 && !types.some((type) => others.includes(type))) return false;
    return view.properties(a).size === 0 || compareProperties(view, a, b) >= MOST;
  });
}

/** Moves the operations of records that have a shorter path as well there (`/users/{userId}/orders/{orderId}`). */
function findParents(drafts: readonly Draft[], { view, notes }: Reading): Draft[] {
  const byItem = new Map(drafts.map((draft) => [shapeOf(draft.candidate.item.segments), draft]));
  for (const { resource, candidate, correction } of drafts) {
    const parent = findParent(candidate.segments, byItem);
    if (typeof correction.parent === 'string' && correction.parent !== parent?.name) {
      const own = parent === undefined ? 'its path names none' : `by its path it belongs to ${parent.name}`;
      reject(correction, 'parent', `the collection cannot belong to ${correction.parent}: ${own}.`);
    }
    if (parent !== undefined && correction.parent !== false) resource.parent = describeParent(view, resource, parent);
  }
  const withoutScope = drafts.filter(({ resource }) => resource.scope.length === 0);
  const byRecord = groupBy(withoutScope, ({ resource }) => resource.schemaPointer);
  return drafts.filter((draft) => {
    const same = draft.resource.scope.length === 0 ? [] : (byRecord.get(draft.resource.schemaPointer) ?? []);
    const other = same.find(({ candidate }) => areRelated(candidate.stem, draft.candidate.stem));
    if (other === undefined) return true;
    const within = describeWithin(view, draft.resource, other.resource);
    if (within === undefined) {
      const message = `${draft.resource.collectionPath} is stateless: it lists records of ${other.resource.collectionPath}, but no property says which of them.`;
      notes.push({ message, pointer: draft.resource.operations[0]?.operation.pointer ?? '' });
      return false;
    }
    for (const role of draft.resource.operations) {
      // An operation may have a name of its own for the parameter.
      const [parameter = ''] = listTemplateNames(role.operation.path);
      other.resource.operations.push({ ...role, within: [{ ...within, parameter }] });
    }
    return false;
  });
}

function findParent(segments: readonly PlaceSegment[], byItem: ReadonlyMap<string, Draft>): Resource | undefined {
  const last = segments.findLastIndex(({ parameter }) => parameter !== undefined);
  return last === -1 ? undefined : byItem.get(shapeOf(segments.slice(0, last + 1)))?.resource;
}

function describeParent(
  view: SchemaView,
  { scope, schemaPointer }: Pick<Resource, 'scope' | 'schemaPointer'>,
  parent: Resource,
): ParentRecord {
  const parameter = scope.at(-1) ?? '';
  return { resource: parent.name, parameter, property: findParentProperty(view, schemaPointer, parameter, parent) };
}

function findParentProperty(view: SchemaView, record: string, parameter: string, parent: Resource | undefined) {
  const stem = parent === undefined ? '' : plainName(parent.singular);
  const ofParent = stem === '' ? [] : [`${stem}${plainName(parent?.key.property ?? 'id')}`, `${stem}id`];
  const names = [...(isAnyKeyName(parameter) ? [] : [parameter]), ...ofParent];
  const found = names
    .map((name) => view.findProperty(record, name))
    .find((property) => {
      const types = property === undefined ? [] : view.types(property.schemaPointer);
      return types.some((type) => type !== 'object' && type !== 'array' && type !== 'boolean');
    });
  return found?.name;
}

function describeWithin(
  view: SchemaView,
  { scope, parent }: Pick<Resource, 'scope' | 'parent'>,
  { schemaPointer }: Resource,
  parentResource?: Resource,
): Within | undefined {
  const [parameter] = scope;
  if (parameter === undefined || scope.length > 1) return undefined;
  const property = parent?.property ?? findParentProperty(view, schemaPointer, parameter, parentResource);
  return property === undefined ? undefined : { parameter, resource: parent?.resource, property };
}

/** Adds the operations of other paths to resources: `/pet/findByStatus`, `/users/{userId}/orders`, `/orders/{id}/cancel`. */
function addViews(drafts: readonly Draft[], places: ReadonlyMap<string, PathPlace>, reading: Reading): void {
  for (const { resource, finder, correction } of drafts) {
    for (const [id, role] of Object.entries(correction.operations ?? {})) {
      const operation = reading.operations.find((each) => each.id === id);
      const isThere = resource.operations.some((each) => each.operation === operation);
      if (operation === undefined || role === false || isThere) continue;
      const found = readAs(role, operation, finder);
      const message = `${id} cannot ${role} ${resource.name}: its request or response is not such a record.`;
      if (found === undefined) reject(correction, `operations/${id}`, message);
      else resource.operations.push(found);
    }
  }
  const taken = new Set(drafts.flatMap(({ resource }) => resource.operations.map(({ operation }) => operation)));
  const byItem = new Map(drafts.map((draft) => [shapeOf(draft.candidate.item.segments), draft]));
  // Nested paths may refer to resources without a scope as well.
  const byStem = new Map(
    drafts.filter(({ resource }) => resource.scope.length === 0).map((draft) => [draft.candidate.stem, draft]),
  );
  const byCollection = new Map(drafts.map((draft) => [shapeOf(draft.candidate.segments), draft]));
  for (const place of places.values()) {
    const before = shapeOf(place.segments.slice(0, -1));
    const last = place.segments.at(-1);
    const open = place.operations.filter((operation) => !taken.has(operation));
    if (last === undefined || last.parameter !== undefined || open.length === 0) continue;
    const [of, on] = [byCollection.get(before), byItem.get(before)];
    for (const operation of open.filter(
      (each) => of?.finder.roleOf(each) !== false && on?.finder.roleOf(each) !== false,
    )) {
      const found = of === undefined ? undefined : readBesideItems(operation, last.text, of);
      if (found !== undefined && of !== undefined) of.resource.operations.push(found);
      else if (on !== undefined) {
        // An action whose name implies the new value of a property: `POST /orders/{id}/cancel`.
        const [sets, another] = listChanges(on.finder, plainName(last.text), operation.method);
        const action = sets === undefined || another !== undefined ? undefined : readAction(operation, on.finder);
        if (action !== undefined && sets !== undefined) on.resource.operations.push({ ...action, sets });
      }
    }
    const named = byStem.get(stemOf(last.text));
    if (on === undefined || named === undefined) continue;
    // An action on a record has no other role: `POST /charges/{id}/refund`.
    const left = open.filter((each) => !on.resource.operations.some(({ operation }) => operation === each));
    addNested(place, { parent: on.resource, of: named, open: left, reading });
  }
}

function readSame(operation: Operation, finder: Draft['finder']): RoleOperation | undefined {
  const body = readSuccess(operation)?.schemaPointer;
  const { check, stem } = finder.record;
  const located = body === undefined ? undefined : locateList(finder.view, body, stem, check);
  return located !== undefined && check(located.pointer) === 'same' ? readList(operation, finder) : undefined;
}

function readBesideItems(operation: Operation, text: string, { finder, resource }: Draft): RoleOperation | undefined {
  const has = (role: RoleOperation['role']): boolean => resource.operations.some((each) => each.role === role);
  if (operation.method === 'GET') {
    const found = readSame(operation, finder);
    if (found?.list === undefined) return undefined;
    if (/^(?:list|all|index)$/i.test(text) && !has('list')) return found;
    const filters = found.list.filters.length > 0 && found.list.unused.length === 0;
    const isAsked =
      isManner(text) &&
      operation.parameters.some(({ required, name }) => required || text.toLowerCase().includes(name.toLowerCase()));
    if (filters && isAsked) return found;
    finder.note(operation, `it is unclear which records of ${resource.collectionPath} it lists`);
    return undefined;
  }
  if (operation.method !== 'POST') return undefined;
  if (/^(?:create|add|new)$/i.test(text) && !has('create')) return readCreate(operation, finder);
  return /array|list|batch|bulk|many|multiple|import/i.test(text) ? readMany(operation, finder) : undefined;
}

function addNested(
  { segments }: PathPlace,
  { parent, of, open, reading }: { parent: Resource; of: Draft; open: readonly Operation[]; reading: Reading },
): void {
  const scope = listParameters(segments);
  if (scope.length !== 1) return;
  const { finder, resource } = of;
  const described = describeParent(reading.view, { scope, schemaPointer: resource.schemaPointer }, parent);
  const within = describeWithin(reading.view, { scope, parent: described }, resource);
  for (const operation of open) {
    const created = operation.method === 'POST' ? readCreate(operation, of.finder) : undefined;
    const read = created?.success.body === 'record' ? created : undefined;
    const found = operation.method === 'GET' ? readSame(operation, finder) : read;
    if (found === undefined) continue;
    if (within !== undefined) resource.operations.push({ ...found, within: [within] });
    else finder.note(operation, `no property of ${resource.name} refers to its ${parent.name}`);
  }
}

function listChanges({ view, record }: Draft['finder'], verb: string, method: string) {
  if (method === 'GET' || verb.length < 4) return [];
  // The state after an action: `archive` leads to `archived`.
  const regular = verb.endsWith('e') ? `${verb}d` : verb.endsWith('y') ? `${verb.slice(0, -1)}ied` : `${verb}ed`;
  const forms = [regular, `${verb}${verb.at(-1)}ed`, ...(STATES[verb] ?? [])];
  return [...view.properties(record.schemaPointer).values()].flatMap(({ name, schemaPointer }) => {
    const plain = plainName(name);
    if (view.types(schemaPointer).includes('boolean'))
      return forms.includes(plain.replace(/^is/, '')) ? [{ property: name, value: method !== 'DELETE' }] : [];
    // An action that undoes a state does not say what the previous state was.
    if (method === 'DELETE' || !/(?:status|state)$/.test(plain)) return [];
    const listed = asList(view.schema(schemaPointer)['enum']);
    const values = listed.filter((value) => forms.includes(plainName(String(value))));
    return values.length === 1 ? [{ property: name, value: values[0] }] : [];
  });
}

const STATES: Readonly<Record<string, readonly string[]>> = {
  activate: ['active'],
  deactivate: ['inactive'],
  open: ['open'],
  reopen: ['open'],
  complete: ['complete'],
  cancel: ['canceled', 'cancelled'],
};
