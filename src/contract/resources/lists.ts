import { splitList } from '../document/plain.js';
import { relationOf, saysAdded } from '../operations/said-in-words.js';
import type { Operation, Parameter } from '../model.js';
import type { ListRules, Paging, Filter } from './resource.js';
import type { SchemaView } from './schema-view.js';
import { nameSingular, plainName } from './words.js';
import type { Property } from '../operations/properties.js';

export function readListRules(view: SchemaView, operation: Operation, records: ListedRecords): ListRules {
  const all = operation.parameters.filter((each) => each.in === 'query').flatMap((each) => listWireNames(each, view));
  const { paging, used } = readPaging(all);
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

function readPaging(all: readonly WireParameter[]): { paging: Paging | undefined; used: Set<string> } {
  const find = (names: readonly string[], fits: (parameter: WireParameter) => boolean): WireParameter | undefined =>
    names.map((name) => all.find((each) => plainName(each.name) === name && fits(each))).find(Boolean);
  const [limit, offset, page] = [find(LIMITS, isNumeric), find(OFFSETS, isNumeric), find(PAGES, isNumeric)];
  const cursor = find(CURSORS, (each) => !isNumeric(each) && !String(each.schema['format']).startsWith('date'));
  const paging = choosePaging({ limit, offset, page, cursor });
  const used = Object.values(paging ?? {}).filter((value) => typeof value === 'string');
  return { paging, used: new Set(used) };
}

function choosePaging({
  limit,
  offset,
  page,
  cursor,
}: Record<'limit' | 'offset' | 'page' | 'cursor', WireParameter | undefined>): Paging | undefined {
  const size = limit?.name;
  if (page !== undefined) {
    const { default: usual, minimum } = page.schema;
    const first = Number(usual) === 0 || (Number(minimum) === 0 && Number(usual ?? 0) === 0) ? 0 : 1;
    return { kind: 'page', ...(size === undefined ? {} : { size }), page: page.name, first };
  }
  const limited = size === undefined ? {} : { limit: size };
  if (offset !== undefined) {
    const { default: usual, minimum } = offset.schema;
    const first = Number(usual ?? minimum) === 1 ? ({ first: 1 } as const) : {};
    return { kind: 'offset', ...limited, offset: offset.name, ...first };
  }
  if (cursor !== undefined) return { kind: 'cursor', ...limited, cursor: cursor.name };
  return size === undefined ? undefined : { kind: 'offset', limit: size };
}

const SORTS = ['sort', 'sortby', 'orderby', 'ordering', 'sortfield', 'sortcolumn', 'sortkey', 'orderfield'];
const DIRECTIONS = ['order', 'direction', 'sortorder', 'sortdir', 'sortdirection', 'orderdirection', 'dir', 'orderdir'];

function readSort(all: readonly WireParameter[]): { parameter?: string; direction?: string } {
  const find = (names: readonly string[]): WireParameter | undefined =>
    names.map((name) => all.find((each) => plainName(each.name) === name)).find(Boolean);
  const [by, order] = [find(SORTS), find(DIRECTIONS)];
  // `sort=asc` states a direction, `order=name` a property.
  const [parameter, direction] = [by, order].map((each) => each !== undefined && namesDirection(each));
  if (by !== undefined && parameter === true)
    return order === undefined ? { direction: by.name } : { direction: by.name, parameter: order.name };
  if (by === undefined && order !== undefined)
    return direction === true ? { direction: order.name } : { parameter: order.name };
  return {
    ...(by === undefined ? {} : { parameter: by.name }),
    ...(order === undefined ? {} : { direction: order.name }),
  };
}

function namesDirection({ schema }: WireParameter): boolean {
  const choices = schema['enum'];
  return Array.isArray(choices) && choices.every((choice) => /^(?:asc|desc)/i.test(String(choice)));
}

/** A query parameter in the form of the URL; an object in the style `deepObject` becomes several. */
interface WireParameter {
  name: string;
  types: readonly string[];
  isList: boolean;
  isRequired: boolean;
  schema: Parameter['schema'];
  relation: Relation | undefined;
}

interface ListedRecords {
  schemaPointer: string;
  key: Property;
  stem: string;
}

function isNumeric({ types }: WireParameter): boolean {
  return types.includes('integer') || types.includes('number');
}

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
  const found = findPath(view, record, subject, parameter) ?? findTime(view, record, subject, relation);
  if (found === undefined) return undefined;
  // A range has no clear meaning for a property that is a list.
  return found.relation === 'contains' ? undefined : { parameter: name, property: found.property, relation };
}

/** A name that is the property's own says `equals`, unless the contract's words say more. */
function asSaid(
  filter: Omit<Filter, 'parameter'>,
  { relation, schema, isList }: WireParameter,
): Omit<Filter, 'parameter'> {
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

/** `created_after` refers to `created_at`, `date_created` or `createdOn`. */
function findTime(
  view: SchemaView,
  record: string,
  subject: string,
  relation: Relation,
): Omit<Filter, 'parameter'> | undefined {
  const names = [`${subject}_at`, `${subject}_on`, `${subject}_date`, `${subject}_time`, `date_${subject}`];
  const property = names.map((name) => view.findProperty(record, name)).find((each) => each !== undefined);
  return property === undefined ? undefined : { property: [property.name], relation };
}

function findPath(
  view: SchemaView,
  record: string,
  name: string,
  parameter: WireParameter,
): Omit<Filter, 'parameter'> | undefined {
  const own = findNamed(view, record, name, parameter);
  if (own !== undefined) return fit(view, own, [own.name], parameter);
  const attribute = findAttribute(view, record, name, parameter);
  if (attribute !== undefined) return attribute;
  const parts = /^(.+?)(?:[._](.+)|([A-Z].*))$/.exec(name);
  const [, head = '', tail = parts?.[3] ?? ''] = parts ?? [];
  const outer = head === '' ? undefined : view.findProperty(record, head);
  if (outer === undefined || !view.types(outer.schemaPointer).includes('object')) return undefined;
  const inner = view.findProperty(outer.schemaPointer, tail);
  return inner === undefined ? undefined : fit(view, inner, [outer.name, inner.name], parameter);
}

/** JSON:API has the fields of a record in `attributes`. */
function findAttribute(
  view: SchemaView,
  record: string,
  name: string,
  parameter: WireParameter,
): Omit<Filter, 'parameter'> | undefined {
  const all = view.findProperty(record, 'attributes');
  const found = all === undefined ? undefined : findNamed(view, all.schemaPointer, name, parameter);
  return all === undefined || found === undefined ? undefined : fit(view, found, [all.name, found.name], parameter);
}

/** `statuses` means `status` if several values are allowed, and `tag` means `tags` if a record has several. */
function findNamed(view: SchemaView, record: string, name: string, { isList }: WireParameter): Property | undefined {
  const own = view.findProperty(record, name);
  if (own !== undefined) return own;
  if (isList) return view.findProperty(record, nameSingular(name));
  const several = view.findProperty(record, `${name}s`);
  return several !== undefined && view.types(several.schemaPointer).includes('array') ? several : undefined;
}

function fit(
  view: SchemaView,
  property: Property,
  path: string[],
  parameter: WireParameter,
): Omit<Filter, 'parameter'> | undefined {
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

/** A text can represent a value of any type, but a boolean cannot filter a text or a number. */
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
