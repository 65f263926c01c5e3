// Lists: lengths of pages, orders, filters, and one beside another.
import { asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import type { Parameter } from '../../contract/model.js';
import { isJsonNumber } from '../../contract/document/json.js';
import { hasMark, readProperties, areApart, readValueShape } from '../../contract/operations/properties.js';
import type { Property } from '../../contract/operations/properties.js';
import { isTolerant } from '../../contract/operations/said-in-words.js';
import { readText } from '../../contract/parameters.js';
import { readSortTerm, type Filter } from '../../contract/resources/resource.js';
import { plainName } from '../../contract/resources/words.js';
import { MOST_PAGES } from '../model/exchange.js';
import type { Row } from '../model/scenario.js';
import { escapeFirst } from '../http/prepare-request.js';
import { isCreatable, type Binding, type Tables } from '../resources/instance.js';
import { takeTurns } from '../resources/invalid-records.js';
import { isAllowed, listGiven, fillUnique, isOwnText } from '../resources/fit-record.js';
import { findQuery, isWalkable, readBounds, sizeParameter } from '../resources/paging.js';
import { readField, type Field, type RecordTemplate } from '../resources/resource-under-test.js';

export function boundLimits({ subject, contract }: Binding, wanted: readonly number[]): number[] {
  const bounds = readBounds(subject, contract);
  return bounds === undefined ? [] : wanted.filter((limit) => bounds.allows(limit));
}

function listLimits(binding: Binding, wanted: readonly number[]): Row[] {
  return boundLimits(binding, [...new Set(wanted)]).map((limit) => ({ id: String(limit), limit }));
}

function findLimit({ subject: { roles } }: Binding): Parameter | undefined {
  return findQuery(roles.list, sizeParameter(roles.list?.list?.paging));
}

function listBadLimits(binding: Binding): Row[] {
  const limit = findLimit(binding);
  if (limit === undefined || isTolerant(limit, binding.contract.document)) return [];
  const { minimum, maximum } = limit.schema;
  const below = { atLeast: minimum, usual: '$steps.accepted.response.count' };
  const of = (bad: number, instead: object): Row => ({ id: String(bad), limit: bad, instead });
  return [
    ...(typeof minimum === 'number' ? [of(minimum - 1, below)] : []),
    ...(typeof maximum === 'number' ? [of(maximum + 1, { atMost: maximum })] : []),
  ];
}

/** The least and the most that the contract allows, if other scenarios do not ask for them. Below 1, none is a number of records. */
function listOutermostLimits(binding: Binding): Row[] {
  const { minimum, maximum } = findLimit(binding)?.schema ?? {};
  const ends = [minimum, maximum].filter((end) => typeof end === 'number' && ![1, 2].includes(end)) as number[];
  return listLimits(binding, ends).map((row) =>
    Object.assign(row, { most: Number(row['limit']) < 1 ? Infinity : row['limit'] }),
  );
}

function listDefaultLimits(binding: Binding): Row[] {
  const limit = findLimit(binding)?.schema['default'];
  return typeof limit === 'number' ? [{ id: String(limit), limit }] : [];
}

function listFurtherLimits(binding: Binding): Row[] {
  const standard = listDefaultLimits(binding).map(({ limit }) => Number(limit));
  return listLimits(binding, [...standard, 11, 16, 50, 99]);
}

/** In percent escapes, of which letters may be in either case (RFC 3986 sections 2.1 and 6.2.2.2). */
function listEscapedLimits(binding: Binding): Row[] {
  const size = sizeParameter(binding.subject.roles.list?.list?.paging);
  if (size === undefined || boundLimits(binding, [1]).length === 0 || !/^[\w.~-]+$/.test(size)) return [];
  const escape = (text: string): string => Array.from(text, (sign) => `%${sign.charCodeAt(0).toString(16)}`).join('');
  return [
    { id: '1', limit: 1, query: `${escape(size)}=1` },
    { id: '2', limit: 1, query: `${size}=${escape('1').toUpperCase()}` },
  ];
}

function listTotalPages(binding: Binding): Row[] {
  const [size] = boundLimits(binding, [5]);
  return [size === undefined ? { id: 'any-size' } : { id: String(size), size }];
}

/** Short enough for a list of a few records, and long enough to read what a run creates to its end. */
function listPageSizes(binding: Binding): Row[] {
  if (!isWalkable(binding.subject)) return [];
  const sizes = boundLimits(binding, binding.subject.roles.create === undefined ? [2] : [3, 2]);
  return sizes.slice(0, 1).map((size) => ({ id: String(size), size }));
}

/** Where neither a page nor a total says that a list ends, its length alone does. */
function listLengthsThatTell({ subject }: Binding): Row[] {
  const { envelope } = subject.roles.list?.success ?? {};
  return isWalkable(subject) || envelope?.total !== undefined ? [] : [{ id: 'one-more' }];
}

function listLongPages(binding: Binding): Row[] {
  if (!isWalkable(binding.subject)) return [];
  const [short] = listPageSizes(binding);
  const beyond = Number(short?.['size'] ?? 1) * MOST_PAGES;
  const { most = Infinity } = readBounds(binding.subject, binding.contract) ?? {};
  const sizes = boundLimits(binding, [17, 11, 7, 5, 13, 20, 10]).filter((size) => size < most);
  return sizes.slice(0, 1).map((size) => ({ id: String(size), size, beyond }));
}

export function listOrders({ subject, contract }: Binding) {
  const { list } = subject.roles;
  const parameter = list?.list?.sort?.parameter;
  const listed = findQuery(list, parameter)?.schema['enum'];
  if (parameter === undefined || !Array.isArray(listed)) return [];
  const properties = readProperties(contract.document, subject.resource.schemaPointer);
  const fields = new Map(properties.map((field) => [plainName(field.name), field]));
  return listed.flatMap((value: unknown) => {
    const field = fields.get(plainName(readSortTerm(String(value)).name));
    return field === undefined ? [] : [{ parameter, value: String(value), field }];
  });
}

const MOST_VALUES = 6;
const MOST_OF_SERVICE = 3;
const MOST_LIMITED = 3;
const MOST_BESIDE = 8;
const MOST_ORDERS = 6;

/** By fields whose values are ranked the same by everybody: numbers and times. */
function listRankings(binding: Binding) {
  const { document } = binding.contract;
  const isRanked = ({ field }: { field: Property }): boolean => {
    const { type, format } = asObject(resolveAt(document, field.schemaPointer).value);
    const isNumber = [type].flat().some((each) => each === 'integer' || each === 'number');
    return isNumber || format === 'date' || format === 'date-time';
  };
  const ways = listDirections(binding);
  return listOrders(binding)
    .filter(isRanked)
    .flatMap(({ parameter, value, field: { name } }) => {
      const all = [{}, ...ways].map((way) => Object.assign({}, way, { [parameter]: value }));
      const record = readSortTerm(value).sign === -1 ? undefined : makeFar(name, binding);
      return all.map((filter) => Object.assign(nameOrder(filter), { field: name, filter, record }));
    })
    .slice(0, MOST_ORDERS);
}

function listTurnedRankings(binding: Binding): Row[] {
  const signOf = ({ filter }: { filter: RecordTemplate }): number | undefined => {
    const texts = Object.values(filter).map(String);
    const signs = texts.map((text) => readSortTerm(/^(?:asc|desc)/i.test(text) ? `x:${text}` : text).sign);
    return signs.find((sign) => sign !== undefined);
  };
  const all = listRankings(binding);
  return all.flatMap((row) => {
    const other = all.find((each) => each.field === row.field && signOf(each) !== -1);
    return signOf(row) !== -1 || other === undefined ? [] : [Object.assign({}, row, { turned: other.filter })];
  });
}

/** A record whose number comes elsewhere among others where numbers are sorted as texts: 9 after 11. */
function makeFar(name: string, binding: Binding): RecordTemplate | undefined {
  const own = binding.made.plain[name];
  if (!isJsonNumber(own)) return undefined;
  const isFar = (each: number): boolean => String(each) < String(own) !== each < Number(own);
  const far = [9, 8, 7, 5, 3, 2, 90, 80, 50, 20, 11, 100, 1000].filter(isFar);
  const found = far.find((each) => isCreatable({ [name]: each }, binding));
  return found === undefined ? undefined : { ...binding.made.full, [name]: found };
}

function listPagedRankings(binding: Binding): Row[] {
  const [size] = isWalkable(binding.subject) ? boundLimits(binding, [5, 2]) : [];
  if (size === undefined) return [];
  return listRankings(binding)
    .slice(0, 1)
    .map((row) => Object.assign(row, { size }));
}

/** By fields that every record has: a service may leave out records that lack what they are to be ordered by. */
function listSorts(binding: Binding): Row[] {
  const orders = listOrders(binding).filter(({ field }) => field.required);
  const plain: RecordTemplate[] = orders.map(({ parameter, value }) => ({ [parameter]: value }));
  const [first] = plain;
  const directed = first === undefined ? [] : listDirections(binding).map((way) => Object.assign({}, first, way));
  return [...plain.slice(0, MOST_ORDERS), ...directed].map((filter) => Object.assign(nameOrder(filter), { filter }));
}

function nameOrder(filter: RecordTemplate): { id: string; words: string } {
  const pairs = Object.entries(filter);
  return { id: pairs.flat().join('-'), words: pairs.map((pair) => pair.join('=')).join('&') };
}

function listDirections({ subject: { roles } }: Binding): RecordTemplate[] {
  const name = roles.list?.list?.sort?.direction;
  const listed = findQuery(roles.list, name)?.schema['enum'];
  if (name === undefined || !Array.isArray(listed)) return [];
  const ways = listed.filter((each) => /^(?:asc|desc)/i.test(String(each))).slice(0, 2);
  return ways.map((each: unknown) => ({ [name]: each }));
}

function filtersOf({ subject: { roles } }: Binding): readonly Filter[] {
  return roles.list?.list?.filters ?? [];
}

function findField({ property, relation }: Filter, { subject, contract: { document } }: Binding): Field | undefined {
  const [name, ...deeper] = property;
  const field = subject.fields.find((each) => each.name === name && each.isShown);
  if (field === undefined || relation !== 'equals' || deeper.length > 0) return undefined;
  const { schemaPointer, recordPointer } = field;
  // A record may have a number where a request has a text; which number is up to the service.
  const isApart =
    recordPointer !== undefined &&
    areApart(readValueShape(document, schemaPointer, 0), readValueShape(document, recordPointer, 0));
  return isApart ? undefined : field;
}

/** For texts and moments, the contract does not say whether a part, another case or a range matches. */
function isExact({ type, schema }: Field): boolean {
  if (type === 'boolean' || type === 'integer' || type === 'number') return true;
  return Array.isArray(schema['enum']) || schema['format'] === 'date';
}

function sentOf(name: string, { subject }: Binding, record: 'create-full' | 'created-alone' = 'create-full'): string {
  return `$scenarios.${subject.name}/records/${record}.outputs.sent#/${name}`;
}

function listFilters(binding: Binding): Row[] {
  const { made } = binding;
  return filtersOf(binding).flatMap((filter) => {
    const { parameter } = filter;
    const field = findField(filter, binding);
    if (field === undefined || !made.changed.includes(field.name) || !isExact(field)) return [];
    const { name } = field;
    const [own, other] = [sentOf(name, binding), made.other[name]];
    if (![made.full[name], other].every((value) => takes(value, filter, binding))) return [];
    const fitting = { fitting: { [parameter]: own }, fittingValue: { [name]: own } };
    return [{ id: parameter, field: name, ...fitting, other: { [parameter]: other }, otherValue: { [name]: other } }];
  });
}

/** However a filter reads a text, the whole text matches; and a key belongs to one record alone. */
function listFittingFilters(binding: Binding): Row[] {
  const { subject, made } = binding;
  return filtersOf(binding).flatMap((filter): Row[] => {
    const { parameter, relation, property } = filter;
    const row = (own: string, fittingValue: object, other: unknown): Row[] =>
      other === undefined
        ? []
        : [{ id: parameter, fitting: { [parameter]: own }, other: { [parameter]: other }, fittingValue }];
    if (relation === 'contains') {
      const [name = '', ...deeper] = property;
      const field = subject.fields.find((each) => each.name === name && each.isShown);
      const items = made.full[name];
      if (field === undefined || deeper.length > 0 || !Array.isArray(items) || typeof items[0] !== 'string') return [];
      const of = findQuery(subject.roles.list, parameter)?.schema['enum'] ?? asObject(field.schema['items'])['enum'];
      const other: unknown = Array.isArray(of)
        ? of.find((each) => !items.includes(each))
        : findUnknown(filter, binding);
      return takes(items[0], filter, binding) ? row(`${sentOf(name, binding)}/0`, {}, other) : [];
    }
    const field = findField(filter, binding);
    if (field === undefined || !Object.hasOwn(made.full, field.name)) return [];
    const own = made.full[field.name];
    const isReference = String(own).startsWith('$scenarios.');
    if ((!isReference && !(field.type === 'string' && !isExact(field))) || !takes(own, filter, binding)) return [];
    const sent = sentOf(field.name, binding);
    return row(sent, isReference ? { [field.name]: sent } : {}, findUnknown(filter, binding));
  });
}

const UNKNOWN: readonly unknown[] = [1_999_999_973, '3f2b8c4e-9d1a-4e7b-8c55-c0ffee0ddba1', 'no-such-text-cf'];

function findUnknown({ parameter }: Filter, { subject, contract }: Binding): unknown {
  const pointer = findQuery(subject.roles.list, parameter)?.schemaPointer;
  if (pointer === undefined) return undefined;
  return UNKNOWN.find((value) => contract.validate.value(pointer, value).length === 0);
}

/** Whether the contract allows a filter the value of a field: a name may be any text, and a filter by it only a UUID. */
export function takes(value: unknown, filter: Pick<Filter, 'parameter'>, { subject, contract }: Binding): boolean {
  const parameter = findQuery(subject.roles.list, filter.parameter);
  const text = String(value);
  // What a run will have found out is not known yet.
  if (parameter?.schemaPointer === undefined || text.startsWith('$scenarios.')) return true;
  const filled = fillUnique(text);
  if (filled === undefined) return true;
  return contract.validate.value(parameter.schemaPointer, readText(filled, parameter)).length === 0;
}

function listChangedFilters(role: 'update' | 'replace', binding: Binding): Row[] {
  const { subject, made, contract } = binding;
  const change = subject.roles[role];
  if (change === undefined) return [];
  const described = listGiven(change, contract);
  return listFilters(binding).flatMap((row) => {
    const name = String(row['field']);
    const record = { [name]: made.other[name] };
    if (!described.has(name) || !isAllowed(role === 'replace' ? made.plain : record, change, contract)) return [];
    return [{ id: row.id, record, before: { [row.id]: `$steps.create.outputs.sent#/${name}` }, after: row['other'] }];
  });
}

function listOfValues({ parameter }: Filter, { name }: Field, values: readonly unknown[]): Row[] {
  const plain = values.filter((value) => typeof value === 'string' || typeof value === 'boolean');
  return plain.map((value) => {
    const id = `${parameter}-${value}`;
    return { id, parameter, field: name, value, filter: { [parameter]: value }, every: { [name]: value } };
  });
}

function valuesOf({ type, schema }: Field): readonly unknown[] {
  if (type === 'boolean') return [true, false];
  return Array.isArray(schema['enum']) ? schema['enum'] : [];
}

export function listFilterValues(binding: Binding): Row[] {
  return filtersOf(binding).flatMap((filter) => {
    const field = findField(filter, binding);
    return field === undefined ? [] : listOfValues(filter, field, valuesOf(field)).slice(0, MOST_VALUES);
  });
}

export function listServiceFields({ subject, contract: { document } }: Binding): (Field & { values: unknown[] })[] {
  const given = new Set(subject.fields.map(({ name }) => name));
  const isNamed = (value: unknown) => typeof value === 'boolean' || (typeof value === 'string' && value !== '');
  return readProperties(document, subject.resource.schemaPointer)
    .filter(({ name, schemaPointer }) => !given.has(name) && !hasMark(document, schemaPointer, 'writeOnly'))
    .map((each) => readField(each, document))
    .filter(({ type, schema }) => type === 'boolean' || (Array.isArray(schema['enum']) && type === 'string'))
    .map((field) => Object.assign(field, { values: valuesOf(field).filter(isNamed) }));
}

function listServiceFilters(binding: Binding): Row[] {
  const fields = listServiceFields(binding);
  return filtersOf(binding).flatMap((filter) => {
    const [name, ...deeper] = filter.property;
    const field = fields.find((each) => each.name === name);
    if (field === undefined || deeper.length > 0 || filter.relation !== 'equals') return [];
    const at = findQuery(binding.subject.roles.list, filter.parameter)?.schemaPointer;
    const isTaken = (value: unknown) => at === undefined || binding.contract.validate.value(at, value).length === 0;
    const values = field.values.filter(isTaken).slice(0, MOST_OF_SERVICE);
    return listOfValues(filter, field, values).map((row) => Object.assign(row, { names: [name] }));
  });
}

/** Those by a word: a flag may as well include what is left out without it. */
export function listChoices(binding: Binding): Row[] {
  return listFilterValues(binding).filter(({ value }) => typeof value === 'string');
}

/** {@link listChoices} with another value of the same filter: of a list in which all have one, a filter shows nothing. */
function listChoicesOfSeveral(binding: Binding): Row[] {
  const rows = listChoices(binding);
  return rows.flatMap((row, index) => {
    const own = [...rows.slice(index + 1), ...rows.slice(0, index)];
    const other = own.find(({ parameter }) => parameter === row['parameter']);
    return other === undefined ? [] : [{ ...row, others: other['filter'], everyOther: other['every'] }];
  });
}

function ofOwn(rows: readonly Row[], { made }: Binding): Row[] {
  return rows.filter(({ field, value }) => made.full[String(field)] === value);
}

function listTotalFilters(binding: Binding): Row[] {
  const [size] = boundLimits(binding, [5]);
  const ofWords = ofOwn(listChoices(binding), binding).map((row) => {
    return Object.assign({}, row, { words: `${String(row['parameter'])}=${String(row['value'])}`, size });
  });
  const ofRecord = [...listFilters(binding), ...listFittingFilters(binding)].map(({ id, fitting, fittingValue }) => {
    return { id, words: `\`${id}\``, filter: fitting, every: fittingValue, size };
  });
  return [...ofWords, ...ofRecord].slice(0, 1);
}

function listPagedFilters(binding: Binding): Row[] {
  const [size] = boundLimits(binding, [5, 2]);
  if (size === undefined || !isWalkable(binding.subject)) return [];
  const own = ofOwn(listFilterValues(binding), binding);
  return own.map((row) => Object.assign({}, row, { id: String(row['parameter']), size }));
}

/** The first values of a filter beside a limit, the limit behind it too: a service may read only what comes first. */
function listFilteredLimits(binding: Binding): Row[] {
  const limits = boundLimits(binding, [1, 10, 5]);
  const size = sizeParameter(binding.subject.roles.list?.list?.paging);
  if (limits.length === 0 || size === undefined) return [];
  const rows = listChoices(binding).slice(0, MOST_LIMITED);
  return rows.map((row, index) => {
    const limit = limits[index % limits.length];
    return Object.assign({}, row, { limit, query: `${nameValue(row)}&${encodeURIComponent(size)}=${limit}` });
  });
}

function nameValue({ parameter, value }: Row): string {
  return `${encodeURIComponent(String(parameter))}=${encodeURIComponent(String(value))}`;
}

/** A filter in another spelling of its name or its value, beside one by another value that shows what it leaves out. */
function listEscapedFilters(binding: Binding): Row[] {
  const all = listChoices(binding);
  const [row] = ofOwn(all, binding);
  const other = all.find(({ parameter, value }) => parameter === row?.['parameter'] && value !== row?.['value']);
  if (row === undefined || other === undefined) return [];
  const [name = '', value = ''] = nameValue(row).split('=');
  const queries = { name: `${escapeFirst(name)}=${value}`, value: `${name}=${escapeFirst(value)}` };
  return Object.entries(queries).map(([part, query]) =>
    Object.assign({}, row, { id: `${String(row['parameter'])}-${part}`, part, query, others: other['filter'] }),
  );
}

function listSeveralValues(binding: Binding): Row[] {
  const { list } = binding.subject.roles;
  return listFilters(binding)
    .filter(({ id }) => findQuery(list, id)?.shape.types.includes('array') === true)
    .map((row) => {
      const values = [(row['fitting'] as Row)[row.id], (row['other'] as Row)[row.id]];
      return Object.assign({}, row, { several: { [row.id]: values }, among: { [String(row['field'])]: values } });
    });
}

const SEARCH = /^(?:q|query|search|keywords?|text|term)$/i;

/** A filter by the value of one record, beside a parameter that chooses another: one of the two may be ignored. */
function listFiltersBeside(binding: Binding): Row[] {
  const { subject, made } = binding;
  const filters = listFilters(binding);
  const name = Object.keys(made.other).find((each) => isOwnText(made.other[each]));
  const searches = (name === undefined ? [] : (subject.roles.list?.operation.parameters ?? []))
    .filter((each) => each.in === 'query' && SEARCH.test(each.name) && each.shape.types.includes('string'))
    .map((each) => ({ [each.name]: sentOf(name ?? '', binding, 'created-alone') }));
  const sorts = listOrders(binding).map(({ parameter, value }) => ({ [parameter]: value }));
  const known = new Set(filters.map(({ id }) => id));
  const others = filtersOf(binding)
    .filter(
      ({ parameter, property: [field = '', ...deeper] }) =>
        deeper.length === 0 && !known.has(parameter) && Object.hasOwn(made.other, field),
    )
    .map(({ parameter, property: [field = ''] }) => ({ [parameter]: sentOf(field, binding, 'created-alone') }));
  // What a front end most often sends together comes first.
  const all = [...sorts.slice(0, 1), ...searches, ...filters.map(({ other }) => other as Row), ...others];
  const rows = filters.flatMap(({ id, fitting, fittingValue }) => {
    const besides = all.filter((beside) => !Object.hasOwn(beside, id));
    return besides.map((beside) => {
      const both = Object.assign({}, fitting, beside);
      const words = Object.keys(beside).join();
      return { id: Object.keys(both).join('-'), parameter: id, beside, both, every: fittingValue, words };
    });
  });
  return takeTurns(rows, ({ parameter }) => parameter).slice(0, MOST_BESIDE);
}

export const LIST_TABLES: Tables = {
  $limits: (binding) => listLimits(binding, [1, 2]),
  $badLimits: listBadLimits,
  $outermostLimits: listOutermostLimits,
  $defaultLimits: listDefaultLimits,
  $furtherLimits: listFurtherLimits,
  $escapedLimits: listEscapedLimits,
  $pageSizes: listPageSizes,
  $lengthsThatTell: listLengthsThatTell,
  $longPages: listLongPages,
  $totalPages: listTotalPages,
  $sorts: listSorts,
  $rankings: listRankings,
  $pagedRankings: listPagedRankings,
  $turnedRankings: listTurnedRankings,
  $filters: listFilters,
  $firstFilter: (binding) => listFilters(binding).slice(0, 1),
  $fittingFilters: listFittingFilters,
  $changedFilters: (binding) => listChangedFilters('update', binding),
  $replacedFilters: (binding) => listChangedFilters('replace', binding),
  $filterValues: listFilterValues,
  $serviceFilters: listServiceFilters,
  $choices: listChoices,
  $choicesOfSeveral: listChoicesOfSeveral,
  $totalFilters: listTotalFilters,
  $pagedFilters: listPagedFilters,
  $filteredLimits: listFilteredLimits,
  $escapedFilters: listEscapedFilters,
  $severalValues: listSeveralValues,
  $filtersBeside: listFiltersBeside,
};
