// How a list is read page by page: whether a response is the last page, and what to ask for next.
import { sameJson } from '../../contract/document/json.js';
import { followPointer, MOST_PAGES, type AskedPage, type PageWalk } from '../model/exchange.js';
import type { Contract } from '../../contract/contract.js';
import type { Parameter } from '../../contract/model.js';
import type { Paging, RoleOperation } from '../../contract/resources/resource.js';
import { need } from './instance.js';
import type { RoleStep } from '../model/scenario.js';
import type { Subject } from './resource-under-test.js';

export function sizeParameter(paging: Paging | undefined): string | undefined {
  if (paging === undefined) return undefined;
  return paging.kind === 'page' ? paging.size : paging.limit;
}

export function findQuery(role: RoleOperation | undefined, name: string | undefined): Parameter | undefined {
  return role?.operation.parameters.find((each) => each.in === 'query' && each.name === name);
}

export function readBounds({ roles: { list } }: Subject, { validate }: Contract) {
  const parameter = findQuery(list, sizeParameter(list?.list?.paging));
  if (parameter === undefined) return undefined;
  const { schema, schemaPointer } = parameter;
  const listed = Array.isArray(schema['enum']) ? schema['enum'].filter((value) => typeof value === 'number') : [];
  const most = listed.length > 0 ? Math.max(...listed) : schema['maximum'];
  return {
    most: typeof most === 'number' ? most : undefined,
    allows: (limit: number) => schemaPointer === undefined || validate.value(schemaPointer, limit).length === 0,
  };
}

function nameCursorOf({ resource: { key }, roles: { list } }: Subject): string | undefined {
  const { paging } = list?.list ?? {};
  const isAfter =
    paging?.kind === 'cursor' && /^(?:starting_?after|after_?id|after|since_?id|last_?id)$/i.test(paging.cursor);
  const { nextCursor, nextLink } = list?.success.envelope ?? {};
  return isAfter && (nextCursor ?? nextLink) === undefined ? key.property : undefined;
}

export function isWalkable(subject: Subject): boolean {
  const { list } = subject.roles;
  const { paging } = list?.list ?? {};
  if (paging === undefined) return false;
  if (paging.kind === 'offset') return paging.offset !== undefined;
  const { nextCursor, nextLink } = list?.success.envelope ?? {};
  return paging.kind === 'page' || linksNext(list) || (nextCursor ?? nextLink ?? nameCursorOf(subject)) !== undefined;
}

/** Whether the contract has a `Link` header field in the response of a list: with `rel="next"`, it leads to the next page (RFC 8288). */
export const linksNext = (list: RoleOperation | undefined): boolean => findHeader(list, /^link$/i) !== undefined;

function findHeader(list: RoleOperation | undefined, pattern: RegExp): string | undefined {
  const response = list?.operation.responses.find(({ status }) => status === String(list.success.status));
  return response?.headers.find(({ name }) => pattern.test(name))?.name;
}

type PagesAsked = Exclude<NonNullable<RoleStep['pages']>, true>;

export function bindPages(subject: Subject, asked: unknown, contract: Contract) {
  const { list } = subject.roles;
  const { envelope } = list?.success ?? {};
  const size = sizeParameter(list?.list?.paging);
  const bounds = readBounds(subject, contract);
  const { size: own, total, first, links, from, atMost = MOST_PAGES } = asked as PagesAsked;
  const longest = bounds?.most ?? [100, 50, 20, 10].find((length) => bounds?.allows(length) === true);
  const length = size === undefined || (own ?? longest) === undefined ? undefined : Number(own ?? longest);
  const turning = turnBy(list?.list?.paging);
  const cursorOf = turning.kind === 'cursor' ? nameCursorOf(subject) : undefined;
  const hasLink = linksNext(list);
  const totalHeader = findHeader(list, /^(?:x-)?(?:total(?:-(?:count|items|records))?|count-total)$/i);
  const at = (member: readonly string[] | undefined): string | undefined => member?.map((name) => `/${name}`).join('');
  const isInHeader = envelope?.total === undefined && totalHeader !== undefined;
  const ofTotal = isInHeader ? { totalHeader: totalHeader.toLowerCase() } : {};
  const whole = envelope?.total === undefined ? undefined : { at: at(envelope.total) };
  // The statuses of a valid request for a page that there is not (RFC 9110 section 15.5.5).
  const stated = new Set(list?.operation.responses.map(({ status }) => status));
  const beyond = [404, ...[400, 416, 422].filter((status) => stated.has(String(status)))];
  return {
    walk: {
      ...turning,
      ...(cursorOf === undefined ? {} : { cursorOf }),
      total: at(envelope?.total),
      cursorAt: at(envelope?.nextCursor),
      linkAt: at(envelope?.nextLink),
      moreAt: at(envelope?.hasMore),
      ...(hasLink ? { hasLink } : {}),
      at: at(envelope?.member) ?? '',
      ...(total === undefined ? ofTotal : { total: undefined }),
      isForAll: own === undefined,
      beyond,
      atMost: turning.parameter === undefined || first === true ? 1 : atMost,
      ...(length === undefined ? {} : { length }),
      ...(links === undefined || list === undefined ? {} : followLinks(list, hasLink)),
      ...(from === undefined ? {} : { from }),
    },
    parameters: {
      ...(size === undefined || length === undefined ? {} : { [size]: length }),
      ...(turning.parameter === undefined ? {} : { [turning.parameter]: '$each#/turn' }),
    },
    given: {
      page: '$each',
      ...(total === undefined ? {} : { total: whole ?? { header: need(totalHeader, 'a total') } }),
    },
  };
}

function followLinks({ operation, success }: RoleOperation, hasHeader: boolean): Pick<PageWalk, 'follows'> {
  const { security, path } = operation;
  const hasKeyInQuery = security.flat().some((scheme) => scheme.kind === 'query');
  if (hasKeyInQuery || (success.envelope?.nextLink === undefined && !hasHeader)) return {};
  const parts = path.split(/\{[^{}]*\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return { follows: `${parts.join('[^/]+')}/?$` };
}

function turnBy(paging: Paging | undefined): Pick<PageWalk, 'kind' | 'parameter' | 'first'> {
  if (paging?.kind === 'page') return { kind: 'page', parameter: paging.page, first: paging.first };
  if (paging?.kind === 'cursor') return { kind: 'cursor', parameter: paging.cursor, first: 0 };
  return { kind: 'offset', parameter: paging?.offset, first: paging?.first ?? 0 };
}

const USUAL_LENGTHS = new Set([
  5, 10, 15, 16, 20, 24, 25, 30, 32, 40, 50, 60, 64, 75, 80, 99, 100, 128, 150, 200, 250, 256, 300, 500, 512, 1000,
]);

export type PageAnswer = { status: number; headers: Readonly<Record<string, string>>; body: unknown };
export type ReadPage = { records: readonly unknown[]; isLast: boolean; isTooLong?: boolean };

/** `undefined` for a response without a list. `longest` is how many records the operation has shown in one response. */
export function readPage(answer: PageAnswer, page: AskedPage, longest: number): ReadPage | undefined {
  const { walk, lastLength, before } = page;
  if (listBeyond(page).includes(answer.status)) return { records: [], isLast: true };
  if (answer.status < 200 || answer.status > 299) return undefined;
  const list = followPointer(answer.body, walk.at);
  if (!Array.isArray(list)) return undefined;
  const records = list as readonly unknown[];
  const isShort = lastLength !== undefined && walk.length !== undefined && lastLength < walk.length;
  if (isShort && isPageAgain(records, page)) return { records: [], isLast: true };
  const total = readTotal(answer, walk);
  const isWhole = walk.isForAll === true && records.length > 0;
  const isTooLong = isWhole && isCount(total) && Number(total) > walk.atMost * records.length;
  const isEmptyAfter = records.length === 0 && before.length > 0 && walk.kind !== 'cursor';
  const isLast =
    isEmptyAfter || (readEnd(answer, before.length + records.length, walk) ?? mayEnd(records.length, walk, longest));
  return { records, isLast, isTooLong };
}

/** Of a list that can be read on, only an empty page is the end: others may be shorter than their limit (the gap `short-pages`). */
function mayEnd(count: number, { parameter, length }: PageWalk, longest: number): boolean {
  if (count === 0 || parameter !== undefined) return count === 0;
  return (length === undefined || count < length) && (!USUAL_LENGTHS.has(count) || longest > count);
}

function isPageAgain(records: readonly unknown[], { lastLength, before }: AskedPage): boolean {
  return records.length > 0 && records.length === lastLength && sameJson(records, before.slice(-lastLength));
}

export function listBeyond({ lastLength, isAnnounced, walk }: AskedPage): readonly number[] {
  return lastLength === undefined || isAnnounced === true ? [] : (walk.beyond ?? []);
}

export function readEnd(answer: PageAnswer, count: number, walk: PageWalk): boolean | undefined {
  const hasLink = walk.linkAt !== undefined || walk.hasLink === true;
  const total = readTotal(answer, walk);
  if (isCount(total)) return count >= Number(total);
  const more = read(answer.body, walk.moreAt);
  if (typeof more === 'boolean') return !more;
  if (walk.cursorAt !== undefined) return isEmpty(read(answer.body, walk.cursorAt));
  if (hasLink && walk.kind === 'cursor') return isEmpty(readNext(answer, walk));
  return hasLink && !isEmpty(readNext(answer, walk)) ? false : undefined;
}

/** What to ask for next; `undefined` after the last page, and where a page brings nothing new. */
export function turnPage(answer: PageAnswer, page: AskedPage): unknown {
  const { walk, before, turn } = page;
  const { records, isLast, isTooLong } = readPage(answer, page, 0) ?? { records: [], isLast: true };
  if (walk.parameter === undefined || isLast || isTooLong === true || isPageAgain(records, page)) return undefined;
  if (walk.kind === 'cursor') {
    const own = walk.cursorOf === undefined ? undefined : read(records.at(-1), `/${walk.cursorOf}`);
    const found = read(answer.body, walk.cursorAt) ?? readLinked(answer, walk) ?? own;
    return isEmpty(found) ? undefined : found;
  }
  if (records.length === 0) return undefined;
  return walk.kind === 'page' ? Number(turn ?? walk.first) + 1 : walk.first + before.length + records.length;
}

function read(body: unknown, pointer: string | undefined): unknown {
  return pointer === undefined ? undefined : followPointer(body, pointer);
}

function readTotal({ body, headers }: PageAnswer, { total, totalHeader }: PageWalk): unknown {
  if (totalHeader === undefined) return read(body, total);
  const text = headers[totalHeader];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

function isCount(value: unknown): boolean {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value) && value >= 0);
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '' || value === false;

/** RFC 8288 section 3. */
export const NEXT = /<([^<>]*)>(?:\s*;[^,<]*)?;\s*rel="?next\b/i;

function readNext({ body, headers }: PageAnswer, { linkAt }: PageWalk): unknown {
  return read(body, linkAt) ?? NEXT.exec(headers['link'] ?? '')?.[1];
}

function splitLink(link: unknown): { path: string; query: string } {
  const [, path = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(typeof link === 'string' ? link : '') ?? [];
  return { path, query };
}

function readLinked(answer: PageAnswer, walk: PageWalk): unknown {
  const link = readNext(answer, walk);
  if (typeof link !== 'string') return typeof link === 'number' || typeof link === 'bigint' ? link : undefined;
  if (!/^[./?]|:\/\/|\?/.test(link)) return link;
  return new URLSearchParams(splitLink(link).query).get(walk.parameter ?? '') ?? undefined;
}

export function isCutShort(body: unknown, page: AskedPage | undefined): boolean {
  if (page?.walk.kind !== 'cursor' || isEmpty(read(body, page.walk.linkAt))) return false;
  return turnPage({ status: 200, headers: {}, body }, { ...page, lastLength: undefined }) === undefined;
}

export function readNextQuery(answer: PageAnswer, walk: PageWalk): string | undefined {
  if (walk.follows === undefined) return undefined;
  const { path, query } = splitLink(readNext(answer, walk));
  const isOfList = path === '' || new RegExp(walk.follows).test(path);
  // What may not stand in an address is escaped, as every client does (RFC 3986 section 2.1).
  return query !== '' && isOfList ? new URL(`?${query}`, 'http://list').search.slice(1) : undefined;
}

export function describeOpenEnd(count: number, page: AskedPage | undefined, answer: PageAnswer): string {
  const NEEDED = 'a list that can be read to its end';
  if (page === undefined) return `${NEEDED}: the contract should describe its paging`;
  const { parameter, length, atMost } = page.walk;
  if (parameter === undefined) {
    const what = count === length ? `the ${count} records that were asked for` : `${count} records, as a page may have`;
    return `${NEEDED}: this one has ${what}, and the contract has no parameter for the next page (add one, or a total in the response, or remove records of earlier runs)`;
  }
  if (page.isLast || readPage(answer, page, 0)?.isTooLong === true)
    return `${NEEDED}: this one has more than ${atMost} pages; test a target with fewer records`;
  const total = readTotal(answer, page.walk);
  const isMore = isCount(total) ? Number(total) > count : read(answer.body, page.walk.moreAt) === true;
  const there = isCount(total) ? `are ${String(total)} records, of which it has ${count}` : 'are more records';
  const more = isMore ? `says that there ${there}` : undefined;
  if (page.walk.kind === 'cursor')
    return more === undefined
      ? `${NEEDED}: this one says neither that it ends nor what to send as ${parameter} for more (the response should say either)`
      : `${NEEDED}: this one ${more}, but not what to send as ${parameter} for more (the response should say it)`;
  return more === undefined
    ? `${NEEDED}: this one does not say that it ends, and ${parameter} returns the same records again (the response should say where it ends)`
    : `${NEEDED}: this one ${more}, but ${parameter} returns no others (pages should have as many records as the response says)`;
}
