import { groupBy, isObject } from '../document/plain.js';
import type { Operation } from '../model.js';
import type { Property } from '../operations/properties.js';
import { recordTypeOf } from '../media-types.js';
import { isTagName, showsTag } from '../operations/operations.js';
import { compareNumbers, isJsonNumber, type JsonNumber, parseNumberLiteral, printJson } from '../document/json.js';
import { PetstoreMockError, type SourcePlace } from '../../errors.js';
import { escapePointer, readDocument } from '../document/document.js';

export type Role = 'list' | 'create' | 'get' | 'replace' | 'update' | 'remove' | 'action';
export type Inferred = { resources: Resource[]; singletons: Singleton[]; notes: ResourceNote[] };
/** `missed`: a collection that is no resource, since its key is not found. */
export type ResourceNote = { message: string; pointer: string; missed?: { name: string; why: string } };

export interface Resource {
  /** Unique: the last fixed segment of its path, with earlier ones if several resources share it (`users.orders`). */
  name: string;
  singular: string;
  collectionPath: string;
  itemPath: string;
  /** JSON Pointer to the schema of a record, as `get` returns it, without the envelope. */
  schemaPointer: string;
  key: RecordKey;
  operations: RoleOperation[];
  /** The parameters of the collection path, outermost first: each combination has a collection of its own. */
  scope: string[];
  parent: ParentRecord | undefined;
  /** Those that the service assigns: readOnly ones, and those that responses require and a create does not accept. */
  assigned: Property[];
  notes: ResourceNote[];
}

export type ParentRecord = { resource: string; parameter: string; property: string | undefined };

export interface RecordKey {
  property: string;
  parameter: string;
  kind: 'integer' | 'uuid' | 'text';
  /** Always the client, always the service, or the client if it wants to. */
  givenBy: 'service' | 'client' | 'either';
  sentAs?: string;
  schemaPointer: string;
  /** Whether records do not show it: of `{"a7": {"name": "Home"}}`, it is `a7`. */
  isHidden?: true;
}

export interface RoleOperation {
  role: Role;
  operation: Operation;
  success: Success;
  /** The path to the record in the request body, `['pet']` in `{pet: {...}}`; `undefined` without an envelope. */
  requestMember: string[] | undefined;
  /** JSON Pointer to the schema of the record in the request body; `undefined` without a JSON body. */
  requestPointer: string | undefined;
  /** Where the request has the record's key. Default: in the path, but of a create and a list nowhere. */
  keyIn?: 'body' | 'path';
  creates?: true;
  /** For a replace with 201 beside another success: that of a record that was not there. */
  created?: Success;
  many?: true;
  /** For an update: whether its body is a JSON Patch (RFC 6902) instead of a part of a record. */
  patch?: 'json-patch';
  queryFields?: QueryField[];
  list?: ListRules;
  sets?: { property: string; value: unknown };
  /** For a path outside the resource: how its parameters select records, as in `/users/{userId}/orders`. */
  within?: Within[];
}

export type QueryField = { parameter: string; property: string };
export type Within = { parameter: string; resource: string | undefined; property: string };

export interface Success {
  status: number;
  mediaType: string | undefined;
  /** `map`: records by their keys. `other`: a body that is none of these, such as `{success: true}`. */
  body: 'record' | 'list' | 'map' | 'none' | 'other';
  envelope: Envelope | undefined;
  schemaPointer: string | undefined;
  /** JSON Pointer to the schema of a record in the answer: often the resource's own, or a shorter form. */
  recordPointer: string | undefined;
}

/** The members of an answer around its record or records. Each is a path of names: `['data', 'items']`. */
export interface Envelope {
  member: string[];
  total?: string[];
  count?: string[];
  pages?: string[];
  nextCursor?: string[];
  nextLink?: string[];
  page?: string[];
  limit?: string[];
  offset?: string[];
  hasMore?: string[];
}

export interface ListRules {
  filters: Filter[];
  /** Forms: `name`, `-name`, `name:desc`, `name desc`; the direction may have its own parameter. */
  sort?: { parameter?: string; direction?: string };
  paging?: Paging;
  unused: string[];
}

export interface Filter {
  /** The name in the URL: `status`, `filter[status]`, `created[gte]`. */
  parameter: string;
  property: string[];
  /** `contains`: a list with any of them; `from` and `to` include the bound, `after` and `before` do not. */
  relation: 'equals' | 'not' | 'from' | 'to' | 'after' | 'before' | 'contains' | 'like';
  hasCommas?: true;
}

export type Paging =
  // `first` where offsets count from 1.
  | { kind: 'offset'; limit?: string; offset?: string; first?: 1 }
  | { kind: 'page'; size?: string; page: string; first: 0 | 1 }
  | { kind: 'cursor'; limit?: string; cursor: string };

export interface Singleton {
  name: string;
  path: string;
  schemaPointer: string;
  operations: (RoleOperation & { role: 'get' | 'replace' | 'update' | 'remove' })[];
  scope: string[];
  parent: ParentRecord | undefined;
}

export type AskedRole = Exclude<Role, 'action'>;
export type PlainRoles = Readonly<Partial<Record<AskedRole, RoleOperation>>>;

/** The first of each role that needs nothing besides key, record and fixed parameters; a create may be nested. */
export function choosePlainRoles({ operations }: { operations: readonly RoleOperation[] }): PlainRoles {
  const chooseFirst = (all: readonly RoleOperation[]): PlainRoles => {
    const isTagged = all.some(({ role, operation }) => role === 'get' && showsTag(operation));
    const plain = all.filter((each) => each.role !== 'action' && isPlain(each, isTagged));
    return Object.fromEntries([...groupBy(plain, ({ role }) => role)].map(([role, [first]]) => [role, first]));
  };
  const roles = chooseFirst(operations.filter((each) => each.within === undefined));
  if (roles.create !== undefined) return roles;
  const { create, list } = chooseFirst(operations.filter(({ within }) => within?.length === 1));
  if (create === undefined) return roles;
  const isBeside = list?.within?.[0]?.resource === create.within?.[0]?.resource;
  return { ...(isBeside ? { list } : {}), ...roles, create };
}

/** `POST /users/{name}`, which creates that user of a body or of nothing, where it needs nothing else. */
export function chooseCreateAtItem({ operations }: Pick<Resource, 'operations'>): RoleOperation | undefined {
  return operations.find(({ keyIn, ...each }) => {
    if (each.role !== 'create' || keyIn !== 'path') return false;
    return each.operation.requestBody === undefined ? !needsMore(each.operation, false) : isPlain(each, false);
  });
}

export function nestWhereCreated(resource: Resource): Resource {
  const [owner] = choosePlainRoles(resource).create?.within ?? [];
  if (owner?.resource === undefined) return resource;
  const { parameter, resource: parent, property } = owner;
  return { ...resource, scope: [parameter], parent: { resource: parent, parameter, property } };
}

function isPlain(each: RoleOperation, isTagged: boolean): boolean {
  const { role, operation, keyIn, many, patch, queryFields, ...rest } = each;
  const isOther = [keyIn, many, patch, queryFields].some((part) => part !== undefined) || rest.success.body === 'map';
  const takesBody = role === 'create' || role === 'replace' || role === 'update';
  const hasType = recordTypeOf(operation) !== undefined;
  return !isOther && !needsMore(operation, isTagged) && (!takesBody || (hasType && rest.requestPointer !== undefined));
}

function needsMore({ parameters }: Operation, isTagged: boolean): boolean {
  return parameters.some(({ in: place, name, required, shape: { types } }) => {
    const isSimple = !types.includes('array') && !types.includes('object');
    // The value of a condition (RFC 9110 section 13) is known where the record is shown with its ETag.
    const isKnown = place === 'query' || (place === 'header' && (!/^if-/i.test(name) || (isTagged && isTagName(name))));
    return required && place !== 'path' && !(isSimple && isKnown);
  });
}

export const nameInIds = ({ name }: Pick<Resource, 'name'>): string =>
  name.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '');

/** Compares numbers by size, dates by time, and everything else as text. */
export function orderOf(one: unknown, other: unknown): number {
  const [a, b] = [rank(one), rank(other)];
  if (typeof a !== 'string' && typeof b !== 'string') return compareNumbers(a, b);
  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
  const [text, ofOther] = [textOf(one), textOf(other)];
  return text < ofOther ? -1 : text > ofOther ? 1 : 0;
}

const DATE = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?$/;

function rank(value: unknown): JsonNumber | string {
  if (isJsonNumber(value)) return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string') return '';
  const time = DATE.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  if (value === '' || Number.isNaN(Number(value))) return value;
  return parseNumberLiteral(value) ?? (Number.isFinite(Number(value)) ? Number(value) : value);
}

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  // Of nothing, it is no text.
  return value === undefined ? '' : printJson(value);
}

/** `name`, `+name`, `-name`, `name:desc`, `name desc`, `name_desc`; `sign` is 1 for the smallest first, if the text says so. */
export function readSortTerm(text: string): { name: string; sign: 1 | -1 | undefined } {
  const term = /^([+-]?)(.+?)(?:[\s:,.|_-]+(asc|desc|ascending|descending))?$/i;
  const [, mark = '', name = '', word = ''] = term.exec(text.trim()) ?? [];
  if (mark === '-' || /^desc/i.test(word)) return { name, sign: -1 };
  return { name, sign: mark === '' && word === '' ? undefined : 1 };
}

/** Records of a user's, for a contract of which no program can know what is valid: a business rule, a hard pattern. */
export interface GivenRecords {
  byCollection: ReadonlyMap<string, readonly GivenRecord[]>;
  places: ReadonlyMap<string, SourcePlace | undefined>;
}

export type GivenRecord = { fields: Readonly<Record<string, unknown>>; place: SourcePlace | undefined };

/** The fields of a fixture pack besides `records`: one file can serve the mock and the runner. */
export const PACK_FIELDS = ['description', 'seed', 'nextId', 'pets', 'generate', 'nextKeys'];

/** Reads a file with `records`. Throws a {@link PetstoreMockError} (`unusable-records`) with file and line. */
export function loadGivenRecords(path: string): GivenRecords {
  const document = readDocument(path, { code: 'unusable-records', kind: 'records' });
  const unusable = (at: string, message: string): PetstoreMockError =>
    new PetstoreMockError('unusable-records', message, document.placeOf(at));
  const foreign = isObject(document.root)
    ? Object.keys(document.root).find((name) => name !== 'records' && !PACK_FIELDS.includes(name))
    : '';
  if (foreign !== undefined)
    throw unusable(`/${foreign}`, 'a file of records must be a mapping with `records`, as in a fixture pack.');
  const records = document.at('/records');
  if (!isObject(records))
    throw unusable('/records', '`records` must be a mapping from collections to lists of records.');
  const byCollection = new Map<string, GivenRecord[]>();
  const places = new Map<string, SourcePlace | undefined>();
  for (const [written, list] of Object.entries(records)) {
    const [name = written] = written.split('(');
    const at = `/records/${escapePointer(written)}`;
    places.set(name, places.get(name) ?? document.placeOf(at));
    if (!Array.isArray(list)) throw unusable(at, 'this must be a list of records.');
    const given = list.map((fields: unknown, index) => {
      if (!isObject(fields)) throw unusable(`${at}/${index}`, 'a record must be a mapping.');
      return { fields, place: document.placeOf(`${at}/${index}`) };
    });
    byCollection.set(name, [...(byCollection.get(name) ?? []), ...given]);
  }
  return { byCollection, places };
}

/** The values without which a list leaves a record out, by property: its filters have them as their defaults. */
export function listDefaultFilters({ list, operation }: RoleOperation): [string, unknown][] {
  const filters =
    list?.filters.filter(({ relation, property }) => relation === 'equals' && property.length === 1) ?? [];
  return filters.flatMap(({ parameter, property }): [string, unknown][] => {
    const found = operation.parameters.find(({ in: place, name }) => place === 'query' && name === parameter);
    const usual = found?.schema['default'];
    return usual === undefined || meansNone(usual) ? [] : [[property[0] ?? '', usual]];
  });
}

/** Whether a default means that nothing is filtered. Some documents write the text `null`. */
export const meansNone = (usual: unknown): boolean => usual === '' || usual === null || usual === 'null';
