import type { Operation } from '../model.js';
import { findRequestContent, readAnswer, type Answer } from './answers.js';
import { readEnvelope } from './envelope.js';
import { compareProperties, locateList, locateRecord, type Judge, type Located } from './find-record.js';
import { readListRules } from './list-rules.js';
import type { Candidate } from './places.js';
import type { QueryField, RecordKey, Role, RoleOperation, Success } from './resource.js';
import type { SchemaView } from './schema-view.js';
import type { Property } from '../operations/properties.js';
import { stemOf } from './words.js';

/** What the operations of a resource have to do with: its record. */
export interface RecordFacts {
  /** The collection's name, and its singular, plain. */
  name: string;
  stem: string;
  schemaPointer: string;
  key: Property;
  /** Says whether a schema describes such a record. */
  judge: Judge;
}

export interface RoleFinder {
  view: SchemaView;
  record: RecordFacts;
  /** Told of each operation that is left without a role. */
  note(operation: Operation, why: string): void;
  /** What a person says that an operation does; `undefined` where nobody does. */
  roleOf(operation: Operation): Role | false | undefined;
}

/** A finder for what there is one of, which needs no key. */
export function createFinderOfOne(
  view: SchemaView,
  { name, schemaPointer }: { name: string; schemaPointer: string },
): RoleFinder {
  const own = view.settle(schemaPointer);
  const key = { name: '', required: false, schemaPointer };
  const judge: Judge = (pointer) => (view.settle(pointer) === own ? 'same' : undefined);
  return {
    view,
    record: { name, stem: stemOf(name), schemaPointer, key, judge },
    note: () => {},
    roleOf: () => undefined,
  };
}

/** How alike another form of the record must be: the short one of a list, or one of a create. */
const ENOUGH = 0.6;

/** Judges schemas by whether they describe the record, whole or in a shorter or longer form with the same key. */
export function createJudge(view: SchemaView, schemaPointer: string, key: Property): Judge {
  const own = view.settle(schemaPointer);
  const known = new Map<string, ReturnType<Judge>>([[own, 'same']]);
  return (pointer) => {
    const at = view.settle(pointer);
    if (!known.has(at)) known.set(at, isAlike(view, at, own, key) ? 'alike' : undefined);
    return known.get(at);
  };
}

function isAlike(view: SchemaView, at: string, own: string, key: Property): boolean {
  const theirs = view.properties(at).get(key.name);
  if (theirs === undefined || !areOneType(view, theirs, key) || !view.isCertain(at, key.name)) return false;
  const [there, here] = [compareProperties(view, at, own, key.name), compareProperties(view, own, at, key.name)];
  return Math.max(there, here) >= ENOUGH;
}

function areOneType(view: SchemaView, one: Property, other: Property): boolean {
  const [types, others] = [view.types(one.schemaPointer), view.types(other.schemaPointer)];
  const isText = (all: readonly string[]): boolean => all.includes('string');
  return types.length === 0 || others.length === 0 || isText(types) === isText(others);
}

/** The operations of a collection and its items that have a role. */
export function findRoles({ item, collection }: Candidate, finder: RoleFinder): RoleOperation[] {
  return [
    ...(collection?.operations ?? []).map((operation) => readOfCollection(operation, finder)),
    ...item.operations.map((operation) => readOfItem(operation, finder)),
  ].filter((each) => each !== undefined);
}

function readOfCollection(operation: Operation, finder: RoleFinder): RoleOperation | undefined {
  const { method } = operation;
  if (method === 'GET') return readList(operation, finder);
  if (method === 'POST') return readCreate(operation, finder);
  if (method === 'PUT') return readByBody('replace', operation, finder);
  if (method === 'PATCH') return readByBody('update', operation, finder);
  if (method === 'DELETE') finder.note(operation, 'whether it removes all records, or some, is not sure');
  return undefined;
}

function readOfItem(operation: Operation, finder: RoleFinder): RoleOperation | undefined {
  const { method } = operation;
  if (method === 'GET') return readGet(operation, finder);
  if (method === 'PUT') return readWrite('replace', operation, finder);
  if (method === 'PATCH') return readWrite('update', operation, finder);
  if (method === 'POST') return readWrite('update', operation, finder);
  if (method === 'DELETE')
    return { role: 'remove', operation, success: describeAnswer(operation, finder), ...WITHOUT_BODY };
  return undefined;
}

const WITHOUT_BODY = { requestMember: undefined, requestPointer: undefined };

function readGet(operation: Operation, finder: RoleFinder): RoleOperation | undefined {
  const success = describeAnswer(operation, finder);
  if (success.body === 'record') return { role: 'get', operation, success, ...WITHOUT_BODY };
  finder.note(operation, `its answer is not a record of ${finder.record.name}`);
  return undefined;
}

export function readList(operation: Operation, finder: RoleFinder): RoleOperation | undefined {
  const success = describeAnswer(operation, finder);
  if (success.body !== 'list' || success.recordPointer === undefined) {
    finder.note(operation, `its answer does not list records of ${finder.record.name}`);
    return undefined;
  }
  const list = readListRules(finder.view, operation, finder.record.schemaPointer);
  return { role: 'list', operation, success, ...WITHOUT_BODY, list };
}

export function readCreate(operation: Operation, finder: RoleFinder): RoleOperation | undefined {
  const success = describeAnswer(operation, finder);
  const request = locateRequest(operation, finder);
  if (success.body === 'list') {
    const many = readMany(operation, finder);
    if (many === undefined) finder.note(operation, 'it answers with a list, as a search does');
    return many;
  }
  const takesOther = request === undefined && findRequestContent(operation) !== undefined;
  if (request === undefined && (success.body !== 'record' || (takesOther && success.status !== 201))) {
    finder.note(operation, `what it takes is not like a record of ${finder.record.name}`);
    return undefined;
  }
  return { role: 'create', operation, success, ...describeRequest(request, operation) };
}

/** A create of each record of a list that the request gives. */
export function readMany(operation: Operation, finder: RoleFinder): RoleOperation | undefined {
  const { view, record } = finder;
  const content = findRequestContent(operation)?.schemaPointer;
  const items = content === undefined ? undefined : view.items(content);
  if (items === undefined || !isLikeRecord(view, items, record)) return undefined;
  const success = describeAnswer(operation, finder);
  return { role: 'create', operation, success, requestMember: undefined, requestPointer: items, many: true };
}

/** `POST /orders/{id}/cancel`: answers the record or nothing of interest. */
export function readAction(operation: Operation, finder: RoleFinder): RoleOperation | undefined {
  const success = describeAnswer(operation, finder);
  if (success.body === 'list') return undefined;
  return { role: 'action', operation, success, ...WITHOUT_BODY };
}

export function readWrite(
  role: 'replace' | 'update',
  operation: Operation,
  finder: RoleFinder,
): RoleOperation | undefined {
  const success = describeAnswer(operation, finder);
  const request = locateRequest(operation, finder);
  const queryFields = listQueryFields(operation, finder);
  if (request === undefined && queryFields.length === 0) {
    finder.note(operation, `what it takes is not like a record of ${finder.record.name}`);
    return undefined;
  }
  const creates = role === 'replace' && operation.responses.some(({ status }) => status === '201');
  return {
    role,
    operation,
    success,
    ...describeRequest(request, operation),
    ...(queryFields.length === 0 ? {} : { queryFields }),
    ...(creates ? { creates } : {}),
  };
}

/** The query parameters of a POST without a body, where all of them name properties. Those of a PUT may choose the record. */
function listQueryFields({ method, requestBody, parameters }: Operation, { view, record }: RoleFinder): QueryField[] {
  if (method !== 'POST' || requestBody !== undefined) return [];
  const query = parameters.filter((each) => each.in === 'query');
  const fields = query.flatMap(({ name }) => {
    const property = view.findProperty(record.schemaPointer, name);
    return property === undefined ? [] : [{ parameter: name, property: property.name }];
  });
  return fields.length === query.length ? fields : [];
}

/** `PUT /pet` with the key in the body. */
function readByBody(role: 'replace' | 'update', operation: Operation, finder: RoleFinder): RoleOperation | undefined {
  const { view, record } = finder;
  const request = locateRequest(operation, finder);
  if (request === undefined || view.properties(request.pointer).get(record.key.name) === undefined) {
    finder.note(operation, 'which record it changes is not sure: its body has no key');
    return undefined;
  }
  return {
    role,
    operation,
    success: describeAnswer(operation, finder),
    ...describeRequest(request, operation),
    keyIn: 'body',
  };
}

function describeRequest(
  request: Located | undefined,
  operation: Operation,
): Pick<RoleOperation, 'requestMember' | 'requestPointer'> {
  if (request === undefined)
    return { requestMember: undefined, requestPointer: findRequestContent(operation)?.schemaPointer };
  return { requestMember: request.member.length === 0 ? undefined : request.member, requestPointer: request.pointer };
}

/** Where a request body carries the record, or some of it. */
function locateRequest(operation: Operation, { view, record }: RoleFinder): Located | undefined {
  const body = findRequestContent(operation)?.schemaPointer;
  if (body === undefined) return undefined;
  return locateRecord(view, body, record.stem, (pointer) =>
    isLikeRecord(view, pointer, record) ? 'alike' : undefined,
  );
}

/** Whether what a request gives is a record, or mostly of its properties. */
function isLikeRecord(view: SchemaView, pointer: string, { schemaPointer, key }: RecordFacts): boolean {
  const own = view.settle(schemaPointer);
  return view.settle(pointer) === own || compareProperties(view, pointer, own, key.name) >= HALF;
}

const HALF = 0.5;

export function describeAnswer(operation: Operation, finder: RoleFinder): Success {
  const answer = readAnswer(operation) ?? { status: 200, mediaType: undefined, schemaPointer: undefined };
  const { status, mediaType, schemaPointer } = answer;
  const { body, located } = findBody(answer, finder);
  const { view } = finder;
  const isEnveloped = schemaPointer !== undefined && located !== undefined && located.member.length > 0;
  return {
    status,
    mediaType,
    body,
    envelope: isEnveloped ? readEnvelope(view, schemaPointer, located.member) : undefined,
    schemaPointer,
    recordPointer: located?.pointer,
  };
}

function findBody(
  { mediaType, schemaPointer }: Answer,
  { view, record }: RoleFinder,
): { body: Success['body']; located: Located | undefined } {
  if (mediaType === undefined) return { body: 'none', located: undefined };
  if (schemaPointer === undefined) return { body: 'other', located: undefined };
  const one = locateRecord(view, schemaPointer, record.stem, record.judge);
  if (one !== undefined) return { body: 'record', located: one };
  const list = locateList(view, schemaPointer, record.stem, record.judge);
  return list === undefined ? { body: 'other', located: undefined } : { body: 'list', located: list };
}

/** What a role does of the key: the client names it where a create requires it. */
export function readGivenBy(
  view: SchemaView,
  operations: readonly RoleOperation[],
  key: Property,
): RecordKey['givenBy'] {
  const creates = operations.filter(({ role }) => role === 'create');
  const given = creates.flatMap(({ requestPointer }) => {
    const property = requestPointer === undefined ? undefined : view.properties(requestPointer).get(key.name);
    return property === undefined || view.schema(property.schemaPointer)['readOnly'] === true ? [] : [property];
  });
  if (given.length > 0) return given.some(({ required }) => required) ? 'client' : 'either';
  return creates.length === 0 && operations.some((each) => each.creates === true) ? 'client' : 'service';
}
