import type { SourceDocument } from '../document/document.js';
import type { Operation } from '../model.js';
import type { Property } from '../operations/properties.js';
import { readAnswer } from './bodies/answers.js';
import { refuse, type Correction } from './corrections/correction.js';
import { findKey, readKind, type KeyNaming } from './find-key.js';
import {
  compareProperties,
  follow,
  locateList,
  locateMap,
  locateRecord,
  type Judge,
  type Located,
} from './bodies/find-record.js';
import { findRoles, readSource } from './find-roles.js';
import { isManner, listParameters, type Candidate } from './places.js';
import { createJudge, type RoleFinder } from './record-facts.js';
import type { Resource, ResourceNote, RoleOperation } from './resource.js';
import type { SchemaView } from './schema-view.js';
import { nameSingular, plainName } from './words.js';

/** A resource under construction. */
export interface Draft {
  resource: Resource;
  candidate: Candidate;
  finder: RoleFinder;
  correction: Correction;
  /** Whether its item is all that it has, so that it is none unless a create is found elsewhere. */
  isAlone: boolean;
}

export interface Reading {
  document: SourceDocument;
  operations: readonly Operation[];
  view: SchemaView;
  /** The user's statements about the collection at a path. */
  correct: (candidate: Candidate) => Correction;
  /** The plain singular names of all collections, after which other parameters may be named. */
  stems: ReadonlySet<string>;
  notes: ResourceNote[];
}

/** The resource at a collection path and its item path; `undefined` if there is none, or, with a note, if it is uncertain. */
export function readResource(candidate: Candidate, reading: Reading): Draft | undefined {
  const correction = reading.correct(candidate);
  if (correction.isResource === false || (correction.isResource !== true && isManner(candidate.name))) return undefined;
  const record = findRecord(candidate, reading, correction);
  if (record === undefined)
    return correction.isResource === true ? refuseAll(candidate, correction) : noteMiss(candidate, reading);
  const notes: ResourceNote[] = [];
  const finder = createFinder(candidate, reading.view, { record, notes, correction });
  const operations = findRoles(candidate, finder);
  const isAlone = isReadAlone(operations, candidate) && correction.isResource !== true;
  if (!isAlone && !isResource(operations))
    return correction.isResource === true ? refuseAll(candidate, correction) : noteMiss(candidate, reading);
  const resource = { ...describe(candidate, reading.view, { ...record, operations }), operations, notes };
  return { resource, candidate, finder, correction, isAlone };
}

interface FoundRecord {
  schemaPointer: string;
  key: Property;
}

function createFinder(
  { name, stem }: Candidate,
  view: SchemaView,
  { record, notes, correction }: { record: FoundRecord; notes: ResourceNote[]; correction: Correction },
): RoleFinder {
  return {
    view,
    record: {
      name,
      stem,
      ...record,
      members: correction.members ?? {},
      judge: createJudge(view, record.schemaPointer, record.key),
    },
    note: ({ id, pointer }, why) => notes.push({ message: `${id} is stateless: ${why}.`, pointer }),
    roleOf: ({ id }) => correction.operations?.[id],
  };
}

function describe(
  { name, parameter, item, segments, collectionPath }: Candidate,
  view: SchemaView,
  { schemaPointer, key, operations }: FoundRecord & { operations: readonly RoleOperation[] },
): Omit<Resource, 'operations' | 'notes'> {
  const inPath = item.operations[0]?.parameters.find((each) => each.in === 'path' && each.name === parameter);
  return {
    name,
    singular: nameSingular(name),
    collectionPath,
    itemPath: item.path,
    schemaPointer,
    key: {
      property: key.name,
      parameter,
      kind: readKind(view, key.schemaPointer, inPath?.schemaPointer),
      ...readSource(view, operations, key.name),
      schemaPointer: key.schemaPointer,
      ...(view.properties(schemaPointer).has(key.name) ? {} : { isHidden: true }),
    },
    scope: listParameters(segments),
    parent: undefined,
    assigned: listAssigned(view, schemaPointer, key, operations),
  };
}

/** A resource has at least two operations, one of which reads. */
function isResource(operations: readonly RoleOperation[]): boolean {
  return operations.length >= 2 && operations.some(({ role }) => role === 'get' || role === 'list');
}

/** `/repairs/{id}` with nothing but GET, whose records may be created below another: `POST /customers/{id}/repairs`. */
function isReadAlone(operations: readonly RoleOperation[], { segments }: Candidate): boolean {
  return operations.length === 1 && operations[0]?.role === 'get' && listParameters(segments).length === 0;
}

/** The record and its key, from the answer of `GET` on an item, else from the list, else from the answer to a create. */
function findRecord(candidate: Candidate, { view, stems }: Reading, correction: Correction): FoundRecord | undefined {
  const { item, collection, stem, parameter } = candidate;
  const keyOf = (pointer: string): Property | undefined =>
    correction.key === undefined
      ? findKey(view, pointer, { parameter, stem, isText: isText(candidate) })
      : view.findProperty(pointer, correction.key);
  const judge: Judge = (pointer) => (keyOf(pointer) === undefined ? undefined : 'alike');
  const find = (method: string, operations: readonly Operation[], locate: typeof locateRecord): Located | undefined => {
    const operation = operations.find((each) => each.method === method);
    const body = operation === undefined ? undefined : readAnswer(operation)?.schemaPointer;
    if (body === undefined) return undefined;
    const member = locate === locateList ? correction.members?.list : correction.members?.record;
    return member === undefined ? locate(view, body, stem, judge) : follow(view, body, member);
  };
  const ofCollection = collection?.operations ?? [];
  const hasGet = item.operations.some(({ method }) => method === 'GET');
  const located = hasGet
    ? find('GET', item.operations, locateRecord)
    : (find('GET', ofCollection, locateList) ?? find('POST', ofCollection, locateRecord));
  const key = located === undefined ? undefined : keyOf(located.pointer);
  if (located === undefined || key === undefined)
    return hasGet && correction.key === undefined ? findHidden(candidate, view) : undefined;
  if (correction.key === undefined && namesAnother(view, located.pointer, { parameter, stem }, stems)) return undefined;
  return { schemaPointer: view.settle(located.pointer), key };
}

/** A record that does not show its key, if the list has such records by their keys: `{"a7": {"name": "Home"}}`. */
function findHidden({ item, collection, stem, parameter }: Candidate, view: SchemaView): FoundRecord | undefined {
  const bodyOf = (operations: readonly Operation[], wanted = 'GET'): string | undefined => {
    const found = operations.find(({ method }) => method === wanted);
    return found === undefined ? undefined : readAnswer(found)?.schemaPointer;
  };
  const [one, all] = [bodyOf(item.operations), bodyOf(collection?.operations ?? [])];
  if (one === undefined || all === undefined || view.properties(one).size === 0) return undefined;
  const isAlike: Judge = (pointer) => (compareProperties(view, pointer, one) === 1 ? 'alike' : undefined);
  if (locateMap(view, all, stem, isAlike) === undefined) return undefined;
  const [inPath] = item.operations.flatMap(({ parameters }) => parameters.filter(({ name }) => name === parameter));
  if (inPath?.schemaPointer === undefined) return undefined;
  // What a create says of the key alone may say more of it than the path: that it is a UUID.
  const created = bodyOf(collection?.operations ?? [], 'POST');
  const alone = created === undefined ? undefined : view.findProperty(created, parameter);
  const key = { name: parameter, required: false, schemaPointer: alone?.schemaPointer ?? inPath.schemaPointer };
  return { schemaPointer: view.settle(one), key };
}

/** Whether the contract says of the key in a path that it is a text. */
function isText({ item, parameter }: Candidate): boolean {
  const inPath = item.operations.flatMap(({ parameters }) =>
    parameters.filter((each) => each.in === 'path' && each.name === parameter),
  );
  return inPath.length > 0 && inPath.every(({ shape: { types } }) => types.length === 1 && types[0] === 'string');
}

/** Whether a parameter is the key of another resource to which the record belongs: `/orders/{userId}`. */
function namesAnother(
  view: SchemaView,
  record: string,
  { parameter, stem: own }: KeyNaming,
  stems: ReadonlySet<string>,
): boolean {
  const stem = plainName(parameter).replace(/(?:id|uuid|key|code|name|slug|sid)$/, '');
  if (stem === '' || stem === own || own.endsWith(stem) || stem.endsWith(own) || !stems.has(stem)) return false;
  const ownKey = view.findProperty(record, 'id') ?? view.findProperty(record, `${own}id`);
  return ownKey !== undefined && view.findProperty(record, parameter) !== undefined;
}

/** Throws if a user declares a resource for which the contract has too little. */
function refuseAll({ collectionPath, item, name }: Candidate, correction: Correction): never {
  const { key } = correction;
  return key === undefined
    ? refuse(
        correction,
        '',
        `the responses of ${collectionPath} and ${item.path} have no record with a key; name the property with \`key\`, and the place of the record with \`members\`.`,
      )
    : refuse(
        correction,
        'key',
        `the response of ${item.path} has no property ${key} that could be the key of ${name}.`,
      );
}

/** Notes paths that read and write like a resource, but are not certainly one. */
function noteMiss({ item, collectionPath, name }: Candidate, { view, notes }: Reading): undefined {
  const get = item.operations.find(({ method }) => method === 'GET');
  const writes = item.operations.some(({ method }) => method === 'PUT' || method === 'PATCH' || method === 'DELETE');
  const body = get === undefined ? undefined : readAnswer(get)?.schemaPointer;
  if (get === undefined || body === undefined || !writes || view.properties(body).size === 0) return undefined;
  notes.push({
    message: `${collectionPath} is stateless: it is not clear which property in the response of ${get.id} is the key of ${name}.`,
    pointer: get.pointer,
  });
  return undefined;
}

/** The properties that only the service can set. */
function listAssigned(
  view: SchemaView,
  schemaPointer: string,
  key: Property,
  operations: readonly RoleOperation[],
): Property[] {
  const sent = operations.find(({ role }) => role === 'create')?.requestPointer;
  const taken = sent === undefined ? undefined : view.plainProperties(sent);
  return [...view.properties(schemaPointer).values()].filter(({ name, required, schemaPointer: at }) => {
    if (name === key.name) return false;
    return view.schema(at)['readOnly'] === true || (taken !== undefined && required && !taken.has(plainName(name)));
  });
}
