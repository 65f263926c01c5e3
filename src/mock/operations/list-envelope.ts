import type { StoredRecord } from '../store/kept.js';
import { readOnce } from '../../contract/document/document.js';
import { asObject } from '../../contract/document/plain.js';
import { jsonBody } from '../../contract/document/json.js';
import type { JsonBody, ResponseHeaders } from '../../contract/model.js';
import { resolveAt } from '../../contract/document/references.js';
import { isNullable, readProperties, readValueShape } from '../../contract/operations/properties.js';
import { type ListFact, readFact, splitWords, type FactNaming, isAboutList } from '../../contract/resources/bodies.js';
import type { Envelope } from '../../contract/resources/resource.js';
import type { Call } from '../world/world.js';
import { readSkeleton, sampleAround, viewAll, readHeaderPlan, withMember, type Served } from './respond.js';
import { findResponse } from '../../contract/operations/operations.js';
import { sampleValue } from '../../contract/samples/sample.js';

export type Page = { offset: number; limit: number | undefined; after: string | undefined; sort: readonly SortTerm[] };
export type SortTerm = { property: readonly string[]; sign: 1 | -1 };
export type Chosen = { records: readonly StoredRecord[]; total: () => number; offset: number };

export const isNeverEmpty = readOnce(({ contract: { document }, role }: Served): boolean => {
  const { schemaPointer = '', envelope } = role.success;
  const at = (envelope?.member ?? []).reduce(
    (pointer, member) => readProperties(document, pointer).find(({ name }) => name === member)?.schemaPointer ?? '',
    schemaPointer,
  );
  return at !== '' && Number(asObject(resolveAt(document, at).value)['minItems'] ?? 0) > 0;
});

type Named = Exclude<keyof Envelope, 'member'> | ListFact;

export function wrapPage(chosen: Chosen, page: Page, call: Call, served: Served): JsonBody {
  const { envelope } = served.role.success;
  const { validate } = served.contract;
  const facts = describePage(chosen, page, call, served);
  const filled = readPlan(served).reduce<unknown>((at, member) => {
    const { name, types, least, schemaPointer } = member;
    const value = facts[name];
    if (value === undefined && member.isNullable) return place(at, member, null);
    if (value === undefined && !member.isRequired) return at;
    // Some contracts count the empty page of an empty list.
    const told = name === 'pages' && least !== undefined ? Math.max(Number(value), least) : value;
    const isNumeric = (types.includes('integer') || types.includes('number')) && !types.includes('string');
    const isDigits = typeof told === 'string' && /^\d+$/.test(told);
    const isWritten = typeof told === 'number' && types.includes('string') && !types.includes('integer');
    const typed = isWritten ? String(told) : isNumeric && isDigits ? Number(told) : told;
    const shown = value === undefined ? (types.includes('integer') ? 0 : '') : typed;
    // What only its name explains stays as the contract has it where it cannot say this.
    const isWrong = member.isGuessed && schemaPointer !== undefined && validate.value(schemaPointer, shown).length > 0;
    return isWrong ? at : place(at, member, shown);
  }, readSkeleton(served));
  return jsonBody(withMember(filled, envelope?.member ?? [], viewAll(chosen.records, served)));
}

function place(at: unknown, { path, around }: Member, value: unknown): unknown {
  let whole = at;
  for (const holder of around) {
    const present = holder.path.reduce<unknown>((inside, name) => asObject(inside)[name], whole);
    if (present === undefined) whole = withMember(whole, holder.path, holder.sample);
  }
  return withMember(whole, path, value);
}

/** The largest page that its envelope can state: the field may have a lower maximum than the parameter. */
export const mostInPage = readOnce((served: Served): number => {
  const shown = readPlan(served).find(({ name }) => name === 'limit')?.schemaPointer;
  const most = shown === undefined ? undefined : asObject(resolveAt(served.contract.document, shown).value)['maximum'];
  return typeof most === 'number' && most >= 1 ? Math.floor(most) : Infinity;
});

function describePage({ records, total, offset }: Chosen, page: Page, call: Call, served: Served) {
  const { paging } = served.role.list ?? {};
  const all = total();
  const end = offset + records.length;
  const hasMore = end < all;
  const [head, last] = [records[0], records.at(-1)].map((each) => each?.record[served.kept.key?.property ?? '']);
  const size = page.limit ?? Math.max(all, 1);
  const first = paging?.kind === 'page' ? paging.first : 1;
  const cursorAt = readPlan(served).find(({ name }) => name === 'nextCursor')?.schemaPointer;
  const nextCursor = (): string =>
    paging?.kind === 'offset'
      ? String(end + (paging.first ?? 0))
      : paging?.kind === 'page'
        ? String(first + Math.floor(end / size))
        : writeCursor(last, served, cursorAt);
  const leadsBack = offset > 0 && paging?.kind !== 'cursor';
  return {
    total: all,
    count: records.length,
    pages: Math.ceil(all / Math.max(size, 1)),
    page: first + Math.floor(offset / Math.max(size, 1)),
    limit: page.limit ?? records.length,
    offset: offset + (paging?.kind === 'offset' ? (paging.first ?? 0) : 0),
    hasMore,
    nextCursor: hasMore ? nextCursor() : undefined,
    nextLink: hasMore ? linkTo(end, last, page, call, served) : undefined,
    hasPrevious: offset > 0,
    isFirst: offset === 0,
    isLast: !hasMore,
    isEmpty: records.length === 0,
    firstKey: head,
    lastKey: last,
    previousLink: leadsBack ? linkTo(Math.max(0, offset - size), undefined, page, call, served) : undefined,
  };
}

interface Member {
  name: Named;
  path: readonly string[];
  schemaPointer?: string;
  around: readonly { path: readonly string[]; sample: unknown }[];
  types: readonly string[];
  least?: number;
  isRequired: boolean;
  isNullable: boolean;
  isGuessed: boolean;
}

const readPlan = readOnce((served: Served): Member[] => {
  const { envelope, schemaPointer } = served.role.success;
  if (envelope === undefined || schemaPointer === undefined) return [];
  const { member: _records, ...others } = envelope;
  const told = Object.entries(others).map(([name, path]) => describeMember(served, schemaPointer, name as Named, path));
  const guessed = listOtherFacts(served).map(({ name, path }) =>
    Object.assign(describeMember(served, schemaPointer, name, path), { isGuessed: true }),
  );
  return [...told, ...guessed];
});

function describeMember({ contract }: Served, from: string, name: Named, path: readonly string[]): Member {
  const { document } = contract;
  let [at, isRequired] = [from, true];
  const around: { path: readonly string[]; sample: unknown }[] = [];
  for (const [index, step] of path.entries()) {
    const property = readProperties(document, at).find((each) => each.name === step);
    if (property === undefined)
      return { name, path, around: [], types: [], isRequired: false, isNullable: false, isGuessed: false };
    isRequired = property.required;
    at = property.schemaPointer;
    const inside = path.slice(0, index + 1);
    if (inside.length < path.length) around.push({ path: inside, sample: sampleAround(contract, at, []) });
  }
  const { types } = readValueShape(document, at, 0);
  const { minimum } = asObject(resolveAt(document, at).value);
  const least = typeof minimum === 'number' ? { least: minimum } : {};
  const allows = { isNullable: isNullable(document, at), isGuessed: false };
  return { name, path, schemaPointer: at, around, types, ...least, isRequired, ...allows };
}

/** What else an envelope says of its list: `articlesCount`, `first_id`. Only the mock fills in such guesses. */
function listOtherFacts(served: Served): { name: ListFact; path: readonly string[] }[] {
  const { envelope, schemaPointer } = served.role.success;
  if (envelope === undefined || schemaPointer === undefined) return [];
  const { member, ...told } = envelope;
  const known = new Set([member, ...Object.values(told)].map((path) => path.join('/')));
  const found = listAround(served, schemaPointer, member).filter(({ path }) => !known.has(path.join('/')));
  const hasTotal = told.total !== undefined || found.some(({ name }) => name === 'total');
  const either = hasTotal ? 'count' : 'total';
  return found.map(({ name, path }) => ({ name: name === 'count or total' ? either : name, path }));
}

type Found = { name: NonNullable<ReturnType<typeof readFact>>; path: readonly string[] };

function listAround({ contract: { document }, kept }: Served, body: string, member: readonly string[]): Found[] {
  const records = new Set([kept.name, kept.singular, member.at(-1) ?? ''].flatMap(splitWords));
  const naming: Omit<FactNaming, 'types'> = { records, key: kept.key?.property };
  const listIn = (at: string, path: readonly string[], depth: number): Found[] =>
    readProperties(document, at).flatMap(({ name, schemaPointer }): Found[] => {
      const here = [...path, name];
      const isOnTheWay = name === member[path.length] && path.every((step, index) => step === member[index]);
      if (isOnTheWay) return here.length < member.length ? listIn(schemaPointer, here, 0) : [];
      const { types } = readValueShape(document, schemaPointer, 0);
      const isInside = depth < 2 && types.includes('object') && isAboutList(name);
      if (isInside) return listIn(schemaPointer, here, depth + 1);
      const fact = readFact(name, { ...naming, types });
      return fact === undefined ? [] : [{ name: fact, path: here }];
    });
  return listIn(body, [], 0);
}

const TOTAL = /^x-(?:total(?:-?(?:count|items|results|records|elements))?|count|pagination-total(?:-?count)?)$/i;

interface ListHeaders {
  total: string | undefined;
  /** Whether the contract has the field `Link` (RFC 8288). */
  hasLink: boolean;
  required: ResponseHeaders | undefined;
}

const readListHeaders = readOnce((served: Served): ListHeaders => {
  const { operation, success } = served.role;
  const names = findResponse(operation, success.status)?.headers.map(({ name }) => name) ?? [];
  const { required } = readHeaderPlan(served);
  return {
    total: names.find((name) => TOTAL.test(name)),
    hasLink: names.some((name) => name.toLowerCase() === 'link'),
    required: Object.keys(required).length === 0 ? undefined : required,
  };
});

export function describeTotal(chosen: Chosen, page: Page, call: Call, served: Served): ResponseHeaders | undefined {
  const { total, hasLink, required } = readListHeaders(served);
  if (total === undefined && !hasLink && required === undefined) return undefined;
  const end = chosen.offset + chosen.records.length;
  const last = chosen.records.at(-1)?.record[served.kept.key?.property ?? ''];
  const hasMore = hasLink && end < chosen.total();
  return {
    ...required,
    ...(total === undefined ? {} : { [total]: String(chosen.total()) }),
    ...(hasMore ? { Link: `<${linkTo(end, last, page, call, served)}>; rel="next"` } : {}),
  };
}

function linkTo(end: number, last: unknown, page: Page, { request }: Call, served: Served): string {
  const { paging } = served.role.list ?? {};
  const query = new URLSearchParams(request.query);
  for (const { kind, at } of served.role.operation.security.flat()) if (kind === 'query') query.delete(at);
  if (paging?.kind === 'cursor') query.set(paging.cursor, writeCursor(last, served));
  if (paging?.kind === 'offset' && paging.offset !== undefined)
    query.set(paging.offset, String(end + (paging.first ?? 0)));
  if (paging?.kind === 'page')
    query.set(paging.page, String(paging.first + Math.floor(end / Math.max(page.limit ?? 1, 1))));
  const { host } = request.headers;
  const origin = host === undefined ? 'http://localhost' : `http://${host}`;
  return `${origin}${request.mountPath}${request.path}?${query.toString()}`;
}

type Form = { write: (key: string) => string; read: (cursor: string) => string };

const FORMS: readonly Form[] = [
  { write: (key) => key, read: (cursor) => cursor },
  ...(['base64', 'base64url', 'hex'] as const).map((encoding) => ({
    write: (key: string) => Buffer.from(key).toString(encoding),
    read: (cursor: string) => Buffer.from(cursor, encoding).toString(),
  })),
];

function writeCursor(key: unknown, served: Served, shownAt?: string): string {
  const { validate } = served.contract;
  const pointers = [findParameterSchema(served), shownAt].filter((pointer) => pointer !== undefined);
  const isTaken = (text: string): boolean => pointers.every((at) => validate.value(at, text).length === 0);
  const texts = listForms(served).map(({ write }) => write(String(key)));
  return texts.find(isTaken) ?? String(key);
}

/** The keys that a cursor may stand for, the likeliest first. */
export const readCursor = (cursor: string, served: Served): string[] =>
  listForms(served).map(({ read }) => read(cursor));

function listForms(served: Served): readonly Form[] {
  const pointer = findParameterSchema(served);
  const prefix = pointer === undefined ? undefined : sampleValue(served.contract.document, pointer);
  if (typeof prefix !== 'string') return FORMS;
  // A pattern that is not anchored takes any text in which something fits it.
  const read = (cursor: string): string => (cursor.startsWith(prefix) ? cursor.slice(prefix.length) : cursor);
  return [...FORMS, { write: (key) => `${prefix}${key}`, read }];
}

function findParameterSchema({ role: { list, operation } }: Served): string | undefined {
  const paging = list?.paging;
  if (paging?.kind !== 'cursor') return undefined;
  return operation.parameters.find(({ name }) => name === paging.cursor)?.schemaPointer;
}
