import { jsonBody, printJson } from '../../contract/document/json.js';
import { actOn } from '../../contract/gaps/gaps.js';
import type { ApiResponse, JsonBody } from '../../contract/model.js';
import { createErrorResponse } from '../response/errors.js';
import type { Collection, ListOrder, ListQuery } from '../store/collection.js';
import type { StoredRecord, Fields } from '../store/kept.js';
import type { Call } from '../world/world.js';
import type { Chosen, Page, SortTerm } from './list-envelope.js';
import { readCursor, isNeverEmpty, wrapPage, mostInPage, describeTotal } from './list-envelope.js';
import { letsStatusMove, moveOn } from './complete-record.js';
import { openFor, type RoleHandler, type Served, asFields, viewAll } from './respond.js';
import { listProperties, readProperties, readValueShape } from '../../contract/operations/properties.js';
import { type Filter, textOf, orderOf, readSortTerm, meansNone } from '../../contract/resources/resource.js';
import { readOnce } from '../../contract/document/document.js';

export const listOrder: Readonly<Record<string, ListOrder>> = {
  'newest-first': 'newest-first',
  'oldest-first': 'oldest-first',
};

export const listRecords: RoleHandler = (call, served) => {
  const opened = openFor(call, served);
  if ('rejected' in opened) return opened.rejected;
  const { collection } = opened;
  const page = readPage(call, served);
  let chosen = chooseFrom(collection, page, call, served);
  if (chosen?.records.length === 0 && chosen.offset !== 0 && page.limit !== undefined && isNeverEmpty(served)) {
    // Past the end there is the last page again where no page may be empty.
    const last = Math.floor(Math.max(0, chosen.total() - 1) / page.limit) * page.limit;
    chosen = chooseFrom(collection, { ...page, offset: last, after: undefined }, call, served);
  }
  const { success, list } = served.role;
  if (chosen === undefined) {
    const cursor = list?.paging?.kind === 'cursor' ? list.paging.cursor : 'cursor';
    return createErrorResponse(400, `query/${cursor} is not a cursor of this list`);
  }
  const isWrapped = success.envelope !== undefined;
  const body = isWrapped ? wrapPage(chosen, page, call, served) : printPage(chosen.records, served);
  if (body === undefined) {
    const message = `these ${chosen.records.length} ${collection.noun} together are longer than a string can be (${LONGEST_TEXT} characters); ask for fewer with limit`;
    return createErrorResponse(507, message);
  }
  const headers = { 'Content-Type': success.mediaType ?? 'application/json' };
  const more = describeTotal(chosen, page, call, served);
  if (more !== undefined) Object.assign(headers, more);
  return { status: success.status, headers, body } satisfies ApiResponse;
};

function chooseFrom(collection: Collection, page: Page, call: Call, served: Served): Chosen | undefined {
  const { world, profile } = call;
  const order = actOn(profile, 'list-order', listOrder);
  const isMoving = letsStatusMove(profile);
  // A limit is a maximum: a profile may return one record less, but never an empty page instead of one record.
  const isShorter = page.limit !== undefined && actOn(profile, 'short-pages', { full: false, shorter: true });
  const limit = isShorter ? Math.max(1, (page.limit ?? 0) - 1) : page.limit;
  // An index finds the records with one value; any other filter or order needs a scan.
  const where = isMoving || page.sort.length > 0 || page.after !== undefined ? 'scan' : findIndexed(call, served);
  if (where !== 'scan') {
    const query: ListQuery = { where, limit, offset: page.offset, order };
    return { records: collection.list(query), total: () => collection.count(where), offset: page.offset };
  }
  const listed = collection.list({ order });
  const current = isMoving ? listed.map((stored) => moveOn(stored, world)) : listed;
  const all = sortRecords(chooseRecords(current, call, served), page.sort);
  const key = served.kept.key?.property ?? '';
  const placeOf = (wanted: string): number => all.findIndex(({ record }) => String(record[key]) === wanted);
  const before = page.after === undefined ? [] : readCursor(page.after, served).map(placeOf);
  const last = before.find((place) => place >= 0);
  if (page.after !== undefined && last === undefined) return undefined;
  const offset = last === undefined ? page.offset : last + 1;
  const records = all.slice(offset, limit === undefined ? undefined : offset + limit);
  return { records, total: () => all.length, offset };
}

/** The longest text that the oldest supported Node can hold. */
const LONGEST_TEXT = 2 ** 29 - 24;
const printed = new WeakMap<readonly StoredRecord[], { body: JsonBody; served: Served }>();

/** A page is printed once: until a record changes, its array is the same. `undefined` if it is too long for a text. */
function printPage(page: readonly StoredRecord[], served: Served): JsonBody | undefined {
  const known = printed.get(page);
  if (known?.served === served) return known.body;
  if (page.reduce((sum, { text }) => sum + text.length + 1, 1) > LONGEST_TEXT) return undefined;
  const value = viewAll(page, served);
  const printOne = (stored: StoredRecord, shown: unknown): string =>
    shown === stored.record ? stored.text : printJson(shown);
  const body = Array.isArray(value)
    ? { value: Object.freeze(value), text: `[${page.map((each, index) => printOne(each, value[index])).join(',')}]` }
    : jsonBody(value);
  printed.set(page, { body, served });
  return body;
}

const USUAL_SIZE = 20;
const UNSORTED: readonly never[] = Object.freeze([]);

function readPage(call: Call, served: Served): Page {
  const { list } = served.role;
  const paging = list?.paging;
  const { query } = call;
  const sort = list?.sort === undefined ? UNSORTED : readSort(call, served);
  if (paging === undefined) return { offset: 0, limit: undefined, after: undefined, sort };
  const asked = readNumber(query, paging.kind === 'page' ? paging.size : paging.limit);
  const limit = asked === undefined ? undefined : Math.min(asked, mostInPage(served));
  if (paging.kind === 'cursor') {
    const cursor = readQuery(query, paging.cursor);
    const after = cursor === undefined || cursor === '' || cursor === null ? undefined : textOf(cursor);
    return { offset: 0, limit, after, sort };
  }
  if (paging.kind === 'offset') {
    const offset = Math.max(0, (readNumber(query, paging.offset) ?? 0) - (paging.first ?? 0));
    return { offset, limit, after: undefined, sort };
  }
  const size = limit ?? USUAL_SIZE;
  const number = (readNumber(query, paging.page) ?? paging.first) - paging.first;
  return { offset: Math.max(0, number) * size, limit: size, after: undefined, sort };
}

function readNumber(query: Call['query'], name: string | undefined): number | undefined {
  const value = name === undefined ? undefined : readQuery(query, name);
  if (typeof value === 'number') return value;
  const number = value === undefined || value === null || value === '' ? Number.NaN : Number(value);
  return Number.isNaN(number) ? undefined : number;
}

const SIGNS: Readonly<Record<string, 1 | -1 | undefined>> = { ascending: 1, descending: -1, ignored: undefined };

function readSort(call: Call, served: Served): SortTerm[] {
  const { parameter, direction } = served.role.list?.sort ?? {};
  const given = parameter === undefined ? undefined : readQuery(call.query, parameter);
  const word = direction === undefined ? '' : textOf(readQuery(call.query, direction));
  const usual = actOn(call.profile, 'sort-direction', SIGNS);
  if (usual === undefined) return [];
  const beside = /^(?:desc|-)/i.test(word) ? -1 : /^(?:asc|\+)/i.test(word) ? 1 : usual;
  const names = listProperties(served.contract.document, served.kept.schemaPointer);
  const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const listTerms = (each: unknown): string[] =>
    typeof each === 'string'
      ? each.split(/,(?!\s*(?:asc|desc)\b)/i) // `name,desc` is one term, `name,age` are two.
      : Object.entries(asFields(each) ?? {}).map(([name, sent]) => `${name} ${String(sent)}`);
  return [given]
    .flat()
    .flatMap(listTerms)
    .flatMap((text): SortTerm[] => {
      const { name, sign = beside } = readSortTerm(text);
      const [head = '', ...rest] = name.split('.');
      const found = names.has(head) ? head : [...names].find((each) => plain(each) === plain(head));
      return found === undefined ? [] : [{ property: [found, ...rest], sign }];
    });
}

function readQuery(query: Call['query'], name: string): unknown {
  if (query[name] !== undefined || !name.endsWith(']')) return query[name];
  const [, holder = '', field = ''] = /^([^[]+)\[([^\]]*)\]$/.exec(name) ?? [];
  return holder === '' ? undefined : asFields(query[holder])?.[field];
}

type PreparedFilter = { filter: Filter; isIndexed: boolean; none: unknown };

const readFilters = readOnce(({ contract, kept, role }: Served): PreparedFilter[] => {
  const properties = readProperties(contract.document, kept.schemaPointer);
  return (role.list?.filters ?? []).map((filter) => {
    const property = properties.find(({ name }) => name === filter.property[0]);
    const parameter = role.operation.parameters.find(
      ({ in: part, name }) => part === 'query' && name === filter.parameter,
    );
    const types = property === undefined ? [] : readValueShape(contract.document, property.schemaPointer, 0).types;
    const isScalar = types.length > 0 && types.every((type) => type !== 'array' && type !== 'object');
    const isSame = parameter?.shape.types.length === 1 && types.includes(parameter.shape.types[0] ?? '');
    const usual = parameter?.schema['default'];
    const isEqual = filter.relation === 'equals' && filter.property.length === 1;
    return { filter, isIndexed: isEqual && isScalar && isSame, none: meansNone(usual) ? usual : NOTHING };
  });
});

const NOTHING = Symbol('nothing');

function readWanted(query: Call['query'], { filter, none }: PreparedFilter): unknown {
  const value = readQuery(query, filter.parameter);
  if (filter.hasCommas === true && value !== undefined)
    return [value].flat().flatMap((each) => textOf(each).split(','));
  return value === none ? undefined : value;
}

function findIndexed({ query }: Call, served: Served): ListQuery['where'] | 'scan' {
  if (served.role.within !== undefined) return 'scan';
  let where: ListQuery['where'];
  for (const each of readFilters(served)) {
    const value = readWanted(query, each);
    if (value === undefined) continue;
    if (where !== undefined || !each.isIndexed || typeof value === 'object') return 'scan';
    where = { property: each.filter.property[0] ?? '', value };
  }
  return where;
}

function chooseRecords(all: readonly StoredRecord[], { query, path, profile }: Call, served: Served) {
  const { within = [] } = served.role;
  const tests = within.map(({ parameter, property }) => ({ at: [property], fits: isAnyOf, wanted: [path[parameter]] }));
  for (const each of readFilters(served)) {
    const wanted = readWanted(query, each);
    if (wanted === undefined) continue;
    const { property, relation } = each.filter;
    const bound = relation === 'from' ? actOn(profile, 'lower-bound', LOWER) : actOn(profile, 'upper-bound', UPPER);
    const fits = relation === 'from' || relation === 'to' ? bound : RELATIONS[relation];
    tests.push({ at: [...property], fits, wanted: [wanted].flat() });
  }
  if (tests.length === 0) return all;
  return all.filter(({ record }) => tests.every(({ at, fits, wanted }) => fits(valueAt(record, at), wanted)));
}

function valueAt(record: Fields, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => {
    if (Array.isArray(at)) return at.flatMap((item: unknown) => asFields(item)?.[name] ?? []);
    return asFields(at)?.[name];
  }, record);
}

type Relation = (value: unknown, given: readonly unknown[]) => boolean;

const RELATIONS: Readonly<Record<Filter['relation'], Relation>> = {
  equals: isAnyOf,
  contains: isAnyOf,
  not: (value, given) => !isAnyOf(value, given),
  from: compares((order) => order >= 0),
  to: compares((order) => order <= 0),
  after: compares((order) => order > 0),
  before: compares((order) => order < 0),
  like: (value, given) =>
    [value]
      .flat()
      .some((one) =>
        given.some((each) => typeof one === 'string' && one.toLowerCase().includes(textOf(each).toLowerCase())),
      ),
};

type Bounds = Readonly<Record<string, Relation>>;
const LOWER: Bounds = { inclusive: RELATIONS.from, exclusive: RELATIONS.after, ignored: () => true };
const UPPER: Bounds = { inclusive: RELATIONS.to, exclusive: RELATIONS.before, ignored: () => true };

function isAnyOf(value: unknown, given: readonly unknown[]): boolean {
  const wanted = given.map(textOf);
  return [value].flat().some((one) => one !== undefined && wanted.includes(textOf(one)));
}

function compares(fits: (order: number) => boolean): Relation {
  return (value, given) =>
    given.every((bound) =>
      [value].flat().some((one) => one !== undefined && one !== null && fits(orderOf(one, bound))),
    );
}

function sortRecords(records: readonly StoredRecord[], terms: readonly SortTerm[]): readonly StoredRecord[] {
  if (terms.length === 0) return records;
  return records.toSorted(({ record: one }, { record: other }) => {
    for (const { property, sign } of terms) {
      const [a, b] = [valueAt(one, property), valueAt(other, property)];
      const [lacksA, lacksB] = [(a ?? undefined) === undefined, (b ?? undefined) === undefined];
      const order = lacksA || lacksB ? Number(lacksA) - Number(lacksB) : orderOf(a, b);
      if (order !== 0) return a === undefined || b === undefined ? order : sign * order;
    }
    return 0;
  });
}
