import type { Contract } from '../../../../contract/contract.js';
import { isTolerant } from '../../../../contract/operations/said-in-words.js';
import type { Parameter, SchemaObject } from '../../../../contract/model.js';
import type { ListRules, Paging, RoleOperation } from '../../../../contract/resources/resource.js';
import type { Row } from '../../../model/scenario.js';
import { MOST_PAGES } from '../../../model/records.js';
import type { Subject } from '../../subject.js';
import { listOrders, listRankings } from './sorts.js';
import type { TableSource } from '../table-source.js';

/** The query parameter with the length of a page. */
export function sizeParameter(paging: Paging | undefined): string | undefined {
  if (paging === undefined) return undefined;
  return paging.kind === 'page' ? paging.size : paging.limit;
}

/** Shorter than the list, so that a total is more than what a page has. */
export function listTotalPages(source: TableSource): Row[] {
  const [size] = boundLimits(source, [5]);
  return [size === undefined ? { id: 'any-size' } : { id: String(size), size }];
}

interface Bounds {
  /** The longest page; `undefined` if the contract does not say. */
  most: number | undefined;
  allows: (limit: number) => boolean;
}

/** `undefined` without a limit. */
export function readBounds({ roles: { list } }: Subject, { validate }: Contract): Bounds | undefined {
  const name = sizeParameter(list?.list?.paging);
  const parameter = list?.operation.parameters.find((each) => each.in === 'query' && each.name === name);
  if (parameter === undefined) return undefined;
  const { schema, schemaPointer } = parameter;
  const listed = Array.isArray(schema['enum']) ? schema['enum'].filter((value) => typeof value === 'number') : [];
  const { maximum } = schema;
  const most = listed.length > 0 ? Math.max(...listed) : maximum;
  return {
    most: typeof most === 'number' ? most : undefined,
    allows: (limit) => schemaPointer === undefined || validate.value(schemaPointer, limit).length === 0,
  };
}

export function boundLimits({ subject, contract }: TableSource, wanted: readonly number[]): number[] {
  const bounds = readBounds(subject, contract);
  if (bounds === undefined) return [];
  return wanted.filter((limit) => bounds.allows(limit));
}

export function listBadLimits(source: TableSource): Row[] {
  const limit = limitOf(source);
  if (limit === undefined || isTolerant(limit, source.contract.document)) return [];
  const { minimum, maximum } = limit.schema;
  const below = { atLeast: minimum, usual: '$steps.accepted.response.count' };
  const of = (bad: number, instead: object): Row => ({ id: String(bad), limit: bad, instead });
  return [
    ...(typeof minimum === 'number' ? [of(minimum - 1, below)] : []),
    ...(typeof maximum === 'number' ? [of(maximum + 1, { atMost: maximum })] : []),
  ];
}

export function listPageSizes(source: TableSource): Row[] {
  return sizesOfPages(source).map((size) => ({ id: String(size), size }));
}

/** Short enough for a list of a few records, and long enough to read what a run creates to its end. */
function sizesOfPages(source: TableSource): number[] {
  if (!isWalkable(source.subject)) return [];
  return boundLimits(source, source.subject.roles.create === undefined ? [2] : [3, 2]).slice(0, 1);
}

/** Where neither a page nor a total says that a list ends, its length alone does. */
export function listLengthsThatTell({ subject }: TableSource): Row[] {
  const { envelope } = subject.roles.list?.success ?? {};
  return isWalkable(subject) || envelope?.total !== undefined ? [] : [{ id: 'one-more' }];
}

/** Of a list that is too long for the shortest pages: long enough to read it, and several of them. */
export function listLongPages(source: TableSource): Row[] {
  const [short = 1] = sizesOfPages(source);
  if (!isWalkable(source.subject)) return [];
  const { most = Infinity } = readBounds(source.subject, source.contract) ?? {};
  const sizes = boundLimits(source, [17, 11, 7, 5, 13, 20, 10]).filter((size) => size < most);
  return sizes.slice(0, 1).map((size) => ({ id: String(size), size, beyond: short * MOST_PAGES }));
}

const AFTER = /^(?:starting_?after|after_?id|after|since_?id|last_?id)$/i;

/** The property of a record that is the cursor after it, where no answer has a cursor. */
export function nameCursorOf({ resource: { key }, roles: { list } }: Subject): string | undefined {
  const { paging } = list?.list ?? {};
  const isAfter = paging?.kind === 'cursor' && AFTER.test(paging.cursor);
  const { nextCursor, nextLink } = list?.success.envelope ?? {};
  return isAfter && (nextCursor ?? nextLink) === undefined ? key.property : undefined;
}

/** Whether a run can tell what to ask for after a page. */
export function isWalkable(subject: Subject): boolean {
  const { list } = subject.roles;
  const { paging } = list?.list ?? {};
  if (paging === undefined) return false;
  if (paging.kind === 'offset') return paging.offset !== undefined;
  const { nextCursor, nextLink } = list?.success.envelope ?? {};
  return paging.kind === 'page' || linksNext(list) || (nextCursor ?? nextLink ?? nameCursorOf(subject)) !== undefined;
}

/** Whether the contract has a `Link` header field in the answer of a list: with `rel="next"`, it leads to the next page (RFC 8288). */
export function linksNext(list: RoleOperation | undefined): boolean {
  const response = list?.operation.responses.find(({ status }) => status === String(list.success.status));
  return response?.headers.some(({ name }) => name.toLowerCase() === 'link') === true;
}

/** The first order by numbers or times, in pages that are shorter than what the run has created. */
export function listPagedRankings(source: TableSource): Row[] {
  const [size] = isWalkable(source.subject) ? boundLimits(source, [5, 2]) : [];
  if (size === undefined) return [];
  return listRankings(source)
    .slice(0, 1)
    .map(({ id, words, field, filter }) => ({ id, words, field, filter, size }));
}

/** The least and the most that the contract allows, if other scenarios do not ask for them. Below 1, none is a number of records. */
export function listOutermostLimits(source: TableSource): Row[] {
  const schema = limitSchema(source);
  const ends = [schema['minimum'], schema['maximum']].filter((end) => typeof end === 'number' && ![1, 2].includes(end));
  return boundLimits(source, [...new Set(ends)] as number[]).map((limit) => ({
    id: String(limit),
    limit,
    most: limit < 1 ? Infinity : limit,
  }));
}

export function listDefaultLimits(source: TableSource): Row[] {
  const limit = limitSchema(source)['default'];
  return typeof limit === 'number' ? [{ id: String(limit), limit }] : [];
}

/** The default, asked for, and limits between those that others ask for: what one of them alone does shows nowhere else. */
export function listFurtherLimits(source: TableSource): Row[] {
  const { default: standard } = limitSchema(source);
  const wanted = [...(typeof standard === 'number' ? [standard] : []), 10, 11, 16, 32, 50, 64, 99];
  return boundLimits(source, [...new Set(wanted)]).map((limit) => ({ id: String(limit), limit }));
}

function limitOf({ subject: { roles } }: TableSource): Parameter | undefined {
  const name = sizeParameter(roles.list?.list?.paging);
  return roles.list?.operation.parameters.find((each) => each.in === 'query' && each.name === name);
}

function limitSchema(source: TableSource): SchemaObject {
  return limitOf(source)?.schema ?? {};
}

const MOST_VALUES = 6;

/** The values that the contract names for parameters which are neither a limit nor a filter. */
export function listNamedValues(source: TableSource): Row[] {
  const { list } = source.subject.roles;
  const orders = listOrders(source);
  const isOrder = (name: string, value: unknown): boolean =>
    orders.some((order) => order.parameter === name && order.value === value);
  const others = new Set([
    sizeParameter(list?.list?.paging),
    ...(list?.list?.filters ?? []).map(({ parameter }) => parameter),
  ]);
  const named = (list?.operation.parameters ?? []).filter(
    ({ in: place, name, shape }) => place === 'query' && !others.has(name) && !shape.types.includes('array'),
  );
  return named.flatMap(({ name, schema }) =>
    listNamed(schema)
      .slice(0, MOST_VALUES)
      .map((value) => ({
        id: `${name}-${value}`,
        parameter: name,
        value,
        filter: { [name]: value },
        status: isOrder(name, value) ? '$done' : '$doneOrRefused',
      })),
  );
}

function listNamed({ type, enum: listed }: SchemaObject): (string | boolean)[] {
  if (type === 'boolean') return [true, false];
  return Array.isArray(listed) ? listed.filter((value) => typeof value === 'string' && value !== '') : [];
}

/** Of each parameter, one value of another kind, and one beyond each bound. */
export function listBadParameters({ subject, contract }: TableSource): Row[] {
  const { list } = subject.roles;
  const size = sizeParameter(list?.list?.paging);
  const asked = (list?.operation.parameters ?? []).filter(
    (each) => each.in === 'query' && each.style === 'form' && !isTolerant(each, contract.document),
  );
  return asked.flatMap(({ name, schema, schemaPointer }) => {
    if (schemaPointer === undefined) return [];
    const bounds = name === size ? [] : listBeyond(schema);
    const status = isOfPage(name, list?.list) ? '$invalidPage' : '$invalid';
    const isChoice = list?.list?.filters.some((each) => each.parameter === name && each.relation === 'equals') === true;
    return [...bounds, ...listOfOtherKind(schema)]
      .filter((value) => contract.validate.value(schemaPointer, value).length > 0)
      .map((value) => {
        const row = { id: `${name}-${value}`, parameter: name, value, filter: { [name]: value }, status };
        return Object.assign(row, isChoice && isOfKind(value, schema) ? NONE : REFUSED);
      });
  });
}

/** Nothing has a value that there is not. */
const NONE = { due: 'rejected, or has no records', instead: { atMost: 0 } };
const REFUSED = { due: 'rejected' };

function isOfKind(value: string | number, { type, enum: listed }: SchemaObject): boolean {
  return typeof value === 'number' || (type === 'string' && Array.isArray(listed));
}

/** Whether a parameter says which records a list has: services make the best of a page or a value that there is not. */
function isOfPage(name: string, list: ListRules | undefined): boolean {
  const { paging, filters = [] } = list ?? {};
  return Object.values(paging ?? {}).includes(name) || filters.some(({ parameter }) => parameter === name);
}

function listBeyond({ minimum, maximum }: SchemaObject): number[] {
  return [...(typeof minimum === 'number' ? [minimum - 1] : []), ...(typeof maximum === 'number' ? [maximum + 1] : [])];
}

function listOfOtherKind({ type, format, enum: listed }: SchemaObject): string[] {
  const isNumber = type === 'integer' || type === 'number';
  const isOther =
    isNumber || type === 'boolean' || Array.isArray(listed) || format === 'date' || format === 'date-time';
  return isOther ? ['no-such-value'] : [];
}

const ANY_TEXT = 'no-such-value-cf';

/** Parameters of which the contract says no more than that they are texts, such as cursors: whatever a text is, it is no failure. */
export function listOpenTexts({ subject, contract }: TableSource): Row[] {
  const parameters = subject.roles.list?.operation.parameters ?? [];
  return parameters
    .filter(({ in: place, shape, schemaPointer }) => {
      const isText = place === 'query' && shape.types.includes('string');
      return isText && (schemaPointer === undefined || contract.validate.value(schemaPointer, ANY_TEXT).length === 0);
    })
    .map(({ name }) => ({ id: name, filter: { [name]: ANY_TEXT } }));
}

/**
 * The length of a page, with all of its name and value in percent escapes, of which letters may be in either case (RFC 3986 sections
 * 2.1 and 6.2.2.2).
 */
export function listEscapedLimits(source: TableSource): Row[] {
  const size = sizeParameter(source.subject.roles.list?.list?.paging);
  if (size === undefined || boundLimits(source, [1]).length === 0 || !/^[\w.~-]+$/.test(size)) return [];
  const escape = (text: string): string => Array.from(text, (sign) => `%${sign.charCodeAt(0).toString(16)}`).join('');
  return [
    { id: '1', limit: 1, query: `${escape(size)}=1` },
    { id: '2', limit: 1, query: `${size}=${escape('1').toUpperCase()}` },
  ];
}
