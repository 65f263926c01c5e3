import type { Operation } from '../model.js';
import { findRequestContent, readAnswer, type Answer } from './answers.js';
import { readEnvelope } from './envelope.js';
import { compareProperties, locateList, locateRecord, type Judge, type Located } from './find-record.js';
import { readListRules } from './list-rules.js';
import type { Candidate } from './places.js';
import type { RecordKey, RoleOperation, Success } from './resource.js';
import type { SchemaView } from './schema-view.js';
import type { Property } from '../operations/properties.js';

/** What the operations of a resource have to do with: its record. */
export interface RecordFacts {
  /** The collection's name. */
  name: string;
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
}

/** How alike another form of the record must be: the short one of a list, or one of a create. */
const ENOUGH = 0.6;

/** Judges schemas by whether they describe the record, whole or in a shorter or longer form with the same key. */
export function createJudge(view: SchemaView, schemaPointer: string, key: Property): Judge {
  const own = view.settle(schemaPointer);
  return (pointer) => {
    if (view.settle(pointer) === own) return 'same';
    const theirs = view.properties(pointer).get(key.name);
    if (theirs === undefined || !view.isCertain(pointer, key.name) || !areOneType(view, theirs, key)) return undefined;
    const alike = Math.max(
      compareProperties(view, pointer, own, key.name),
      compareProperties(view, own, pointer, key.name),
    );
    return alike >= ENOUGH ? 'alike' : undefined;
  };
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
  if (method === 'DELETE') return { role: 'remove', operation, success: describe(operation, finder), ...WITHOUT_BODY };
  return undefined;
}

const WITHOUT_BODY = { requestMember: undefined, requestPointer: undefined };

function readGet(operation: Operation, finder: RoleFinder): RoleOperation | undefined {
  const success = describe(operation, finder);
  if (success.body === 'record') return { role: 'get', operation, success, ...WITHOUT_BODY };
  finder.note(operation, `its answer is not a record of ${finder.record.name}`);
  return undefined;
}

export function readList(operation: Operation, finder: RoleFinder): RoleOperation | undefined {
  const success = describe(operation, finder);
  if (success.body !== 'list' || success.recordPointer === undefined) {
    finder.note(operation, `its answer does not list records of ${finder.record.name}`);
    return undefined;
  }
  const list = readListRules(finder.view, operation, finder.record.schemaPointer);
  return { role: 'list', operation, success, ...WITHOUT_BODY, list };
}

function readCreate(operation: Operation, finder: RoleFinder): RoleOperation | undefined {
  const success = describe(operation, finder);
  const request = locateRequest(operation, finder);
  if (success.body === 'list') {
    finder.note(operation, 'it answers with a list, as a search does');
    return undefined;
  }
  const takesOther = request === undefined && findRequestContent(operation) !== undefined;
  if (request === undefined && (success.body !== 'record' || (takesOther && success.status !== 201))) {
    finder.note(operation, `what it takes is not like a record of ${finder.record.name}`);
    return undefined;
  }
  return { role: 'create', operation, success, ...describeRequest(request, operation) };
}

function readWrite(role: 'replace' | 'update', operation: Operation, finder: RoleFinder): RoleOperation | undefined {
  const success = describe(operation, finder);
  const request = locateRequest(operation, finder);
  if (request === undefined) {
    finder.note(operation, `what it takes is not like a record of ${finder.record.name}`);
    return undefined;
  }
  return { role, operation, success, ...describeRequest(request, operation) };
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
    success: describe(operation, finder),
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
  const own = view.settle(record.schemaPointer);
  const judge: Judge = (pointer) => {
    if (view.settle(pointer) === own) return 'same';
    return compareProperties(view, pointer, own, record.key.name) >= HALF ? 'alike' : undefined;
  };
  return locateRecord(view, body, record.name, judge);
}

const HALF = 0.5;

function describe(operation: Operation, finder: RoleFinder): Success {
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
  const list = locateList(view, schemaPointer, record.name, record.judge);
  const one = locateRecord(view, schemaPointer, record.name, record.judge);
  if (one !== undefined) return { body: 'record', located: one };
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
  const byPut = creates.length === 0 && operations.some(({ role }) => role === 'replace');
  return byPut ? 'client' : 'service';
}
