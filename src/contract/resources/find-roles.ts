import { asObject, asList } from '../document/plain.js';
import { sameJson } from '../document/json.js';
import type { Operation } from '../model.js';
import { saysCreated } from '../operations/said-in-words.js';
import {
  findRequestContent,
  describeSuccess,
  locateRecord,
  type Located,
  isLikeRecord,
  type RoleFinder,
} from './bodies.js';
import { readListRules } from './lists.js';
import type { Candidate } from './candidates.js';
import type { QueryField, RecordKey, Role, RoleOperation } from './resource.js';
import type { SchemaView } from './schema-view.js';

export function findRoles({ item, collection }: Candidate, finder: RoleFinder): RoleOperation[] {
  const ofCollection = (collection?.operations ?? []).flatMap((each) => readOfCollection(each, finder) ?? []);
  const isAlone = ofCollection.every(({ role }) => role !== 'create');
  const ofItem = item.operations.flatMap((each) => readOfItem(each, finder, isAlone) ?? []);
  return [...ofCollection, ...ofItem.filter((each) => !isOfItsOwn(each, ofItem, finder))];
}

/** A POST beside PUT or PATCH that takes something else than they do, such as a restore. */
function isOfItsOwn(
  { operation, ...own }: RoleOperation,
  ofItem: readonly RoleOperation[],
  finder: RoleFinder,
): boolean {
  if (operation.method !== 'POST' || finder.roleOf(operation) !== undefined) return false;
  if (createsAtItem(operation, finder)) return false;
  const { document } = finder.view;
  const takes = ({ requestPointer }: Pick<RoleOperation, 'requestPointer'>): unknown =>
    requestPointer === undefined ? undefined : document.at(requestPointer);
  const writes = ofItem.filter((each) => each.operation.method === 'PUT' || each.operation.method === 'PATCH');
  if (writes.length === 0 || writes.some((each) => sameJson(takes(each), takes(own)))) return false;
  finder.note(operation, `it does not do the same as ${writes[0]?.operation.id ?? 'PUT'}, and its effect is unclear`);
  return true;
}

const [PUT, PATCH] = ['replace', 'update'] as const;
const OF_ITEM: Readonly<Record<string, Role>> = { GET: 'get', PUT, PATCH, POST: 'update', DELETE: 'remove' };
const OF_COLLECTION: Readonly<Record<string, Role>> = { GET: 'list', POST: 'create', PUT, PATCH };

/** `isAlone`: whether the collection has no create. */
function readOfItem(operation: Operation, finder: RoleFinder, isAlone: boolean): RoleOperation | undefined {
  const creates = createsAtItem(operation, finder, isAlone);
  const role = finder.roleOf(operation) ?? (creates ? 'create' : OF_ITEM[operation.method]);
  if (role === undefined || role === false) return undefined;
  const found = readAs(role, operation, finder);
  return found !== undefined && role === 'create' ? { ...found, keyIn: 'path' } : found;
}

/** `POST /users/{name}`, which creates that user: with 201, and in words or by 409; 404 says that there must be one. */
function createsAtItem(operation: Operation, { view: { document } }: RoleFinder, isAlone = false): boolean {
  const has = (wanted: string): boolean => operation.responses.some(({ status }) => status === wanted);
  if (operation.method !== 'POST' || !has('201')) return false;
  if (saysCreated(operation.id, asObject(document.at(operation.pointer)))) return true;
  return has('404') ? has('409') && isAlone : has('409') || isAlone;
}

function readOfCollection(operation: Operation, finder: RoleFinder): RoleOperation | undefined {
  const role = finder.roleOf(operation) ?? OF_COLLECTION[operation.method];
  if (role === 'replace' || role === 'update') return readByBody(role, operation, finder);
  if (role === undefined && operation.method === 'DELETE') {
    finder.note(operation, 'it is unclear whether it removes all records or only some');
  }
  return role === undefined || role === false ? undefined : readAs(role, operation, finder);
}

/** What an operation does in a role; `undefined`, with a note, if it cannot have the role. */
export function readAs(role: Role, operation: Operation, finder: RoleFinder): RoleOperation | undefined {
  if (role === 'list') return readList(operation, finder);
  if (role === 'create') return readCreate(operation, finder);
  if (role === 'replace' || role === 'update') return readWrite(role, operation, finder);
  const success = describeSuccess(operation, finder);
  if (role !== 'get' || success.body === 'record') return { role, operation, success, ...WITHOUT_BODY };
  finder.note(operation, `its response is not a record of ${finder.record.name}`);
  return undefined;
}

const WITHOUT_BODY = { requestMember: undefined, requestPointer: undefined };

export function readList(operation: Operation, finder: RoleFinder): RoleOperation | undefined {
  const success = describeSuccess(operation, finder);
  if ((success.body !== 'list' && success.body !== 'map') || success.recordPointer === undefined) {
    finder.note(operation, `its response does not list records of ${finder.record.name}`);
    return undefined;
  }
  const list = readListRules(finder.view, operation, finder.record);
  return { role: 'list', operation, success, ...WITHOUT_BODY, list };
}

export function readCreate(operation: Operation, finder: RoleFinder): RoleOperation | undefined {
  const success = describeSuccess(operation, finder);
  const request = locateRequest(operation, finder);
  if (success.body === 'list') {
    const many = readMany(operation, finder);
    if (request !== undefined && takesEither(operation, finder))
      return {
        role: 'create',
        operation,
        success: { ...success, body: 'other', envelope: undefined, recordPointer: undefined },
        ...describeRequest(request, operation),
      };
    if (many === undefined) finder.note(operation, 'it returns a list, as a search does');
    return many;
  }
  const takesOther = request === undefined && findRequestContent(operation) !== undefined;
  const isNamed =
    request === undefined && !takesOther && operation.path.endsWith('}') && createsAtItem(operation, finder);
  if (
    request === undefined &&
    !isNamed &&
    (success.body !== 'record' || (takesOther && success.status !== 201 && finder.roleOf(operation) !== 'create'))
  ) {
    finder.note(operation, `its request body is not like a record of ${finder.record.name}`);
    return undefined;
  }
  return { role: 'create', operation, success, ...describeRequest(request, operation) };
}

export function readMany(operation: Operation, finder: RoleFinder): RoleOperation | undefined {
  const { view, record } = finder;
  const content = findRequestContent(operation)?.schemaPointer;
  const items = content === undefined ? undefined : view.items(content);
  if (items === undefined || !isLikeRecord(view, items, record)) return undefined;
  const success = describeSuccess(operation, finder);
  return { role: 'create', operation, success, requestMember: undefined, requestPointer: items, many: true };
}

/** `POST /orders/{id}/cancel`: answers with the record, or with nothing of interest. */
export function readAction(operation: Operation, finder: RoleFinder): RoleOperation | undefined {
  const success = describeSuccess(operation, finder);
  if (success.body === 'list') return undefined;
  return { role: 'action', operation, success, ...WITHOUT_BODY };
}

export function readWrite(
  role: 'replace' | 'update',
  operation: Operation,
  finder: RoleFinder,
): RoleOperation | undefined {
  const success = describeSuccess(operation, finder);
  const { mediaType, schemaPointer } = findRequestContent(operation) ?? {};
  const { view } = finder;
  if (role === 'update' && isJsonPatch(mediaType, schemaPointer, view))
    return { role, operation, success, ...WITHOUT_BODY, patch: 'json-patch' };
  const request = locateRequest(operation, finder);
  const queryFields = listQueryFields(operation, finder);
  // RFC 7396: a merge patch without properties is one of whatever the record has.
  const isMergePatch = mediaType === 'application/merge-patch+json' && schemaPointer !== undefined;
  const isPatch = role === 'update' && isMergePatch && view.properties(schemaPointer).size === 0;
  if (request === undefined && queryFields.length === 0 && !isPatch) {
    finder.note(operation, `its request body is not like a record of ${finder.record.name}`);
    return undefined;
  }
  const creates = role === 'replace' && has201(operation);
  return {
    role,
    operation,
    success,
    ...describeRequest(request, operation),
    ...(queryFields.length === 0 ? {} : { queryFields }),
    ...(creates ? { creates } : {}),
    ...(creates ? describeCreated(operation, finder) : {}),
  };
}

function has201({ responses }: Operation): boolean {
  return responses.some(({ status }) => status === '201');
}

function describeCreated(operation: Operation, finder: RoleFinder): Pick<RoleOperation, 'created'> {
  const responses = operation.responses.filter(({ status }) => status === '201');
  return { created: describeSuccess({ ...operation, responses }, finder) };
}

/** By its media type or its shape: a list of objects with `op` and `path` (RFC 6902). */
function isJsonPatch(mediaType: string | undefined, schemaPointer: string | undefined, view: SchemaView): boolean {
  if (mediaType === 'application/json-patch+json') return true;
  const items = schemaPointer === undefined ? undefined : view.items(schemaPointer);
  return items !== undefined && ['op', 'path'].every((name) => view.properties(items).has(name));
}

/** The query parameters of a POST without a body, if all of them name properties. */
function listQueryFields({ method, requestBody, parameters }: Operation, { view, record }: RoleFinder): QueryField[] {
  if (method !== 'POST' || requestBody !== undefined) return [];
  const query = parameters.filter((each) => each.in === 'query');
  const fields = query.flatMap(({ name }) => {
    const property = view.findProperty(record.schemaPointer, name);
    return property === undefined ? [] : [{ parameter: name, property: property.name }];
  });
  return fields.length === query.length ? fields : [];
}

function readByBody(role: 'replace' | 'update', operation: Operation, finder: RoleFinder): RoleOperation | undefined {
  const { view, record } = finder;
  const request = locateRequest(operation, finder);
  const key = request === undefined ? undefined : view.properties(request.pointer).get(record.key.name);
  // A request cannot select a record by a key that only the service may write.
  if (request === undefined || key === undefined || view.schema(key.schemaPointer)['readOnly'] === true) {
    finder.note(operation, 'it is unclear which record it changes: its body has no key');
    return undefined;
  }
  return {
    role,
    operation,
    success: describeSuccess(operation, finder),
    ...describeRequest(request, operation),
    keyIn: 'body',
    ...(role === 'replace' && has201(operation) ? describeCreated(operation, finder) : {}),
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

function locateRequest(operation: Operation, { view, record }: RoleFinder): Located | undefined {
  const body = findRequestContent(operation)?.schemaPointer;
  if (body === undefined) return undefined;
  const found = locateRecord(view, body, record.stem, (pointer) =>
    isLikeRecord(view, pointer, record) ? 'alike' : undefined,
  );
  // What must be sent beside a member is no envelope: `{task: {id}, assign_to: {id}}` is as a whole what is taken.
  let at = body;
  const isBesideRequired = found?.member.some((name) => {
    const all = view.properties(at);
    at = all.get(name)?.schemaPointer ?? at;
    return [...all.values()].some((each) => each.name !== name && each.required);
  });
  return isBesideRequired === true ? undefined : found;
}

export function readSource(
  view: SchemaView,
  operations: readonly RoleOperation[],
  property: string,
): Pick<RecordKey, 'givenBy' | 'sentAs'> {
  const creates = operations.filter(({ role }) => role === 'create');
  const given = creates.flatMap(({ requestPointer }) => {
    const sent = requestPointer === undefined ? undefined : view.findProperty(requestPointer, property);
    return sent === undefined || view.schema(sent.schemaPointer)['readOnly'] === true ? [] : [sent];
  });
  const [first] = given;
  if (first !== undefined) {
    const givenBy = given.some(({ required }) => required) ? 'client' : 'either';
    return first.name === property ? { givenBy } : { givenBy, sentAs: first.name };
  }
  const isPut = creates.length === 0 && operations.some((each) => each.creates === true);
  const isInPath = creates.length > 0 && creates.every(({ keyIn }) => keyIn === 'path');
  return { givenBy: isPut || isInPath ? 'client' : 'service' };
}

function takesEither(operation: Operation, { view, record }: RoleFinder): boolean {
  const body = view.settle(findRequestContent(operation)?.schemaPointer ?? '');
  return ['oneOf', 'anyOf'].some((composition) =>
    asList(view.schema(body)[composition]).some((_, index) => {
      const items = view.items(`${body}/${composition}/${index}`);
      return items !== undefined && isLikeRecord(view, items, record);
    }),
  );
}
