import { asObject, defined, splitList } from '../document/plain.js';
import { listIn } from '../document/references.js';
import { sameJson } from '../document/json.js';
import type { Operation, Parameter } from '../model.js';
import { saysCreated, relationOf, saysAdded } from '../operations/said-in-words.js';
import type { Located, RoleFinder, SchemaView } from './bodies.js';
import { findRequestContent, describeSuccess, locateRecord, isLikeRecord } from './bodies.js';
import type { Candidate } from './candidates.js';
import type { QueryField, RecordKey, Role, RoleOperation, ListRules, Paging, Filter } from './resource.js';
import { nameSingular, plainName } from './words.js';
import type { Property } from '../operations/properties.js';

export function findRoles({ item, collection }: Candidate, finder: RoleFinder): RoleOperation[] {
  const ofCollection = (collection?.operations ?? []).flatMap((operation) => {
    const role = finder.roleOf(operation) ?? OF_COLLECTION[operation.method];
    if (role === 'replace' || role === 'update') return readByBody(role, operation, finder) ?? [];
    if (role === undefined && operation.method === 'DELETE')
      finder.note(operation, 'it is unclear whether it removes all records or only some');
    return role === undefined || role === false ? [] : (readAs(role, operation, finder) ?? []);
  });
  const isAlone = ofCollection.every(({ role }) => role !== 'create');
  const ofItem = item.operations.flatMap((operation): RoleOperation[] => {
    const creates = createsAtItem(operation, finder, isAlone);
    const role = finder.roleOf(operation) ?? (creates ? 'create' : OF_ITEM[operation.method]);
    const found = role === undefined || role === false ? undefined : readAs(role, operation, finder);
    return found === undefined ? [] : [role === 'create' ? { ...found, keyIn: 'path' } : found];
  });
  return [...ofCollection, ...ofItem.filter((each) => !isOfItsOwn(each, ofItem, finder))];
}

function isOfItsOwn({ operation, ...own }: RoleOperation, ofItem: readonly RoleOperation[], finder: RoleFinder) {
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

/** `POST /users/{name}`, which creates that user: with 201, and in words or by 409; 404 says that there must be one. */
function createsAtItem(operation: Operation, { view: { document } }: RoleFinder, isAlone = false): boolean {
  const has = (wanted: string): boolean => operation.responses.some(({ status }) => status === wanted);
  if (operation.method !== 'POST' || !has('201')) return false;
  if (saysCreated(operation.id, asObject(document.at(operation.pointer)))) return true;
  return has('404') ? has('409') && isAlone : has('409') || isAlone;
}

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
    const { view, record } = finder;
    const body = view.settle(findRequestContent(operation)?.schemaPointer ?? '');
    const takesEither = listIn(view.schema(body), body, ['oneOf', 'anyOf']).some((part) => {
      const items = view.items(part);
      return items !== undefined && isLikeRecord(view, items, record);
    });
    const other = { ...success, body: 'other', envelope: undefined, recordPointer: undefined } as const;
    if (request !== undefined && takesEither)
      return { role: 'create', operation, success: other, ...describeRequest(request, operation) };
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
  // By its media type or its shape: a list of objects with `op` and `path` (RFC 6902).
  const items = schemaPointer === undefined ? undefined : view.items(schemaPointer);
  const isOfPatches = items !== undefined && ['op', 'path'].every((name) => view.properties(items).has(name));
  if (role === 'update' && (mediaType === 'application/json-patch+json' || isOfPatches))
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
  const created = role === 'replace' ? describeCreated(operation, finder) : {};
  return {
    role,
    operation,
    success,
    ...describeRequest(request, operation),
    ...(queryFields.length === 0 ? {} : { queryFields }),
    ...('created' in created ? { creates: true, ...created } : {}),
  };
}

function describeCreated(operation: Operation, finder: RoleFinder): Pick<RoleOperation, 'created'> {
  const responses = operation.responses.filter(({ status }) => status === '201');
  return responses.length === 0 ? {} : { created: describeSuccess({ ...operation, responses }, finder) };
}

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
    ...(role === 'replace' ? describeCreated(operation, finder) : {}),
  };
}

function describeRequest(request: Located | undefined, operation: Operation) {
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

function readListRules(view: SchemaView, operation: Operation, records: ListedRecords): ListRules {
  const all = operation.parameters.filter((each) => each.in === 'query').flatMap((each) => listWireNames(each, view));
  const paging = readPaging(all);
  const used = new Set(Object.values(paging ?? {}).filter((value) => typeof value === 'string'));
  const filtering = all.filter(({ name }) => !used.has(name));
  const adding = new Set(operation.parameters.filter((each) => saysAdded(each, view.document)).map(({ name }) => name));
  const selecting = filtering.filter(({ name }) => !adding.has(name));
  const filters = selecting.flatMap((parameter) => readFilter(view, parameter, records) ?? []);
  const filtered = new Set(filters.map(({ parameter }) => parameter));
  const rest = filtering.filter(({ name }) => !filtered.has(name));
  const sort = readSort(rest);
  const sorting = new Set(Object.values(sort));
  return {
    filters,
    ...(sorting.size === 0 ? {} : { sort }),
    ...(paging === undefined ? {} : { paging }),
    unused: rest.map(({ name }) => name).filter((name) => !sorting.has(name)),
  };
}

function listWireNames(parameter: Parameter, { document }: SchemaView): WireParameter[] {
  const { name, style, shape, schema, required } = parameter;
  const fields = style === 'deepObject' ? Object.entries(shape.fields ?? {}) : [];
  const open = { isList: false, isRequired: false, schema: {}, relation: undefined };
  if (fields.length > 0)
    return fields.map(([field, { types }]) => Object.assign({ name: `${name}[${field}]`, types }, open));
  const types = shape.types.includes('array') ? (shape.item?.types ?? []) : shape.types;
  const relation = relationOf(parameter, document);
  // Some documents include the brackets of a list in the name.
  return [{ name, types, isList: shape.types.includes('array'), isRequired: required, schema, relation }];
}

const LIMITS = splitList(`limit perpage pagesize pagelimit size top take maxresults maxitems maxpagesize
  first count pagecount itemsperpage resultsperpage numresults`);
const OFFSETS = ['offset', 'skip', 'pageoffset', 'startindex', 'start'];
const PAGES = ['page', 'pagenumber', 'pageno', 'pageindex', 'currentpage', 'pagenum', 'p'];
const CURSORS = splitList(`cursor pagecursor pageafter startingafter nexttoken pagetoken nextpagetoken nextcursor
  continuationtoken marker after afterid aftercursor paginationtoken continue scrollid`);

function readPaging(all: readonly WireParameter[]): Paging | undefined {
  const find = (names: readonly string[], fits: (parameter: WireParameter) => boolean): WireParameter | undefined =>
    names.map((name) => all.find((each) => plainName(each.name) === name && fits(each))).find(Boolean);
  const [limit, offset, page] = [find(LIMITS, isNumeric), find(OFFSETS, isNumeric), find(PAGES, isNumeric)];
  const cursor = find(CURSORS, (each) => !isNumeric(each) && !String(each.schema['format']).startsWith('date'));
  const size = limit?.name;
  if (page !== undefined) {
    const { default: usual, minimum } = page.schema;
    const first = Number(usual) === 0 || (Number(minimum) === 0 && Number(usual ?? 0) === 0) ? 0 : 1;
    return { kind: 'page', ...defined({ size }), page: page.name, first };
  }
  const limited = defined({ limit: size });
  if (offset !== undefined) {
    const isFirst = Number(offset.schema['default'] ?? offset.schema['minimum']) === 1;
    return { kind: 'offset', ...limited, offset: offset.name, ...(isFirst ? { first: 1 } : {}) };
  }
  if (cursor !== undefined) return { kind: 'cursor', ...limited, cursor: cursor.name };
  return size === undefined ? undefined : { kind: 'offset', limit: size };
}

const SORTS = ['sort', 'sortby', 'orderby', 'ordering', 'sortfield', 'sortcolumn', 'sortkey', 'orderfield'];
const DIRECTIONS = ['order', 'direction', 'sortorder', 'sortdir', 'sortdirection', 'orderdirection', 'dir', 'orderdir'];

function readSort(all: readonly WireParameter[]): { parameter?: string; direction?: string } {
  const find = (names: readonly string[]): WireParameter | undefined =>
    names.map((name) => all.find((each) => plainName(each.name) === name)).find(Boolean);
  const namesDirection = (parameter: WireParameter | undefined): boolean => {
    const choices = parameter?.schema['enum'];
    return Array.isArray(choices) && choices.every((choice) => /^(?:asc|desc)/i.test(String(choice)));
  };
  const [by, order] = [find(SORTS), find(DIRECTIONS)];
  // `sort=asc` states a direction, `order=name` a property.
  if (namesDirection(by)) return defined({ direction: by?.name, parameter: order?.name });
  if (by === undefined && !namesDirection(order)) return defined({ parameter: order?.name });
  return defined({ parameter: by?.name, direction: order?.name });
}

interface WireParameter {
  name: string;
  types: readonly string[];
  isList: boolean;
  isRequired: boolean;
  schema: Parameter['schema'];
  relation: Relation | undefined;
}

type ListedRecords = { schemaPointer: string; key: Property; stem: string };

const isNumeric = ({ types }: WireParameter): boolean => types.includes('integer') || types.includes('number');

type Relation = Filter['relation'];

const RELATIONS: Readonly<Record<string, Relation>> = Object.fromEntries(
  (
    [
      ['from', 'min gte ge from since start atleast'],
      ['to', 'max lte le to until end atmost'],
      ['after', 'gt after'],
      ['before', 'lt before'],
      ['equals', 'eq in'],
      ['not', 'ne neq not'],
      ['like', 'contains like icontains'],
    ] as const
  ).flatMap(([relation, words]) => splitList(words).map((word) => [word, relation])),
);

function readFilter(view: SchemaView, parameter: WireParameter, records: ListedRecords): Filter | undefined {
  const { name, types } = parameter;
  const { schemaPointer: record } = records;
  // A whole object is no value of a property; what is in it, the contract does not say.
  if (types.includes('object')) return undefined;
  const inside = /^(?:filters?|where)(?:\[([^\]]+)\](.*)|[._](.+))$/i.exec(name);
  const words = inside === null ? name : `${inside[1] ?? inside[3]}${inside[2] ?? ''}`;
  const keys = readKeyList(view, parameter, records);
  if (keys !== undefined) return keys;
  const plain = findPath(view, record, words.replace(/\[\]$/, ''), parameter);
  if (plain !== undefined) return { parameter: name, ...asSaid(plain, parameter) };
  const { subject, relation } = splitRelation(words);
  if (relation === undefined || subject === '') return undefined;
  // `created_after` refers to `created_at`, `date_created` or `createdOn`.
  const times = [`${subject}_at`, `${subject}_on`, `${subject}_date`, `${subject}_time`, `date_${subject}`];
  const time = times.map((each) => view.findProperty(record, each)).find((each) => each !== undefined);
  const ofTime = time && { property: [time.name], relation };
  const found = findPath(view, record, subject, parameter) ?? ofTime;
  return found === undefined || found.relation === 'contains'
    ? undefined
    : { parameter: name, property: found.property, relation };
}

type Found = Omit<Filter, 'parameter'>;

function asSaid(filter: Found, { relation, schema, isList }: WireParameter): Found {
  const isOpen = schema['enum'] === undefined && schema['const'] === undefined && !isList;
  const isText = schema['type'] === 'string' && schema['format'] === undefined;
  if (filter.relation !== 'equals' || relation === undefined || !isOpen) return filter;
  return (relation === 'like') === isText ? { ...filter, relation } : filter;
}

/** `ids`, `petIds`: the keys of the wanted records, as a list, or with commas in a text that must be sent. */
function readKeyList(
  view: SchemaView,
  { name, types, isList, isRequired }: WireParameter,
  { schemaPointer, key, stem }: ListedRecords,
): Filter | undefined {
  const own = plainName(key.name);
  const isNamed = ['ids', 'keys', `${own}s`, `${stem}ids`, `${stem}${own}s`].includes(plainName(name));
  if (!isNamed || key.name === '' || view.findProperty(schemaPointer, name) !== undefined) return undefined;
  const isText = types.includes('string');
  const fits = isList ? areComparable(types, view.types(key.schemaPointer)) : isRequired && isText;
  if (!fits) return undefined;
  return { parameter: name, property: [key.name], relation: 'equals', ...(isText ? { hasCommas: true } : {}) };
}

function splitRelation(name: string): { subject: string; relation: Relation | undefined } {
  const bracket = /^(.+?)\[([a-z]+)\]$/i.exec(name);
  const double =
    bracket ??
    /^(.+)__([a-z]+)$/i.exec(name) ??
    /^(.+)[._-]([a-z]+)$/i.exec(name) ??
    /^([a-z\d]+)([A-Z][a-z]+)$/.exec(name);
  const last = RELATIONS[double?.[2]?.toLowerCase() ?? ''];
  if (last !== undefined) return { subject: double?.[1] ?? '', relation: last };
  const before = /^(min|max|from|to|since|until|after|before|start|end|not)(?:[._-](.+)|([A-Z].*))$/.exec(name);
  return { subject: before?.[2] ?? before?.[3] ?? '', relation: RELATIONS[before?.[1] ?? ''] };
}

function findPath(view: SchemaView, record: string, name: string, parameter: WireParameter): Found | undefined {
  const own = findNamed(view, record, name, parameter);
  if (own !== undefined) return fit(view, own, [own.name], parameter);
  // JSON:API has the fields of a record in `attributes`.
  const all = view.findProperty(record, 'attributes');
  const attribute = all && findNamed(view, all.schemaPointer, name, parameter);
  const found = all && attribute && fit(view, attribute, [all.name, attribute.name], parameter);
  if (found !== undefined) return found;
  const parts = /^(.+?)(?:[._](.+)|([A-Z].*))$/.exec(name);
  const [, head = '', tail = parts?.[3] ?? ''] = parts ?? [];
  const outer = head === '' ? undefined : view.findProperty(record, head);
  if (outer === undefined || !view.types(outer.schemaPointer).includes('object')) return undefined;
  const inner = view.findProperty(outer.schemaPointer, tail);
  return inner && fit(view, inner, [outer.name, inner.name], parameter);
}

function findNamed(view: SchemaView, record: string, name: string, { isList }: WireParameter): Property | undefined {
  const own = view.findProperty(record, name);
  if (own !== undefined) return own;
  if (isList) return view.findProperty(record, nameSingular(name));
  const several = view.findProperty(record, `${name}s`);
  return several !== undefined && view.types(several.schemaPointer).includes('array') ? several : undefined;
}

function fit(view: SchemaView, property: Property, path: string[], parameter: WireParameter): Found | undefined {
  const types = view.types(property.schemaPointer);
  if (types.includes('array')) {
    const items = view.items(property.schemaPointer);
    if (items === undefined) return undefined;
    if (!view.types(items).includes('object')) return { property: path, relation: 'contains' };
    const names = isNumeric(parameter) ? ['id'] : ['name', 'slug', 'id'];
    const named = names.map((each) => view.findProperty(items, each)).find((each) => each !== undefined);
    return named === undefined ? undefined : { property: [...path, named.name], relation: 'contains' };
  }
  if (types.includes('object') && !types.includes('string')) {
    const id = view.findProperty(property.schemaPointer, 'id');
    // What a text says of an object may be its name as well as its key.
    const isNumber = path.length === 1 && isNumeric(parameter) && !parameter.types.includes('string');
    const fits = id !== undefined && isNumber && areComparable(parameter.types, view.types(id.schemaPointer));
    return fits ? { property: [...path, id.name], relation: 'equals' } : undefined;
  }
  const [values, others] = [listValues(parameter.schema), listValues(view.schema(property.schemaPointer))];
  // `All` and `Deleted` say nothing of a boolean.
  const haveCommon = values === undefined || others === undefined || values.some((value) => others.includes(value));
  return areComparable(parameter.types, types) && haveCommon ? { property: path, relation: 'equals' } : undefined;
}

function areComparable(given: readonly string[], own: readonly string[]): boolean {
  if (given.length === 0 || own.length === 0) return true;
  const isTruth = (types: readonly string[]): boolean => types.includes('boolean');
  if (isTruth(given) !== isTruth(own))
    return given.includes('string') || own.includes('string') ? given.includes('string') : false;
  const isNumber = (types: readonly string[]): boolean => types.some((type) => type === 'number' || type === 'integer');
  return isNumber(given) === isNumber(own) || given.includes('string') || own.includes('string');
}

function listValues({ type, enum: choices }: Record<string, unknown>): string[] | undefined {
  if (Array.isArray(choices)) return choices.map((choice) => String(choice).toLowerCase());
  return type === 'boolean' ? ['true', 'false'] : undefined;
}
