// How a list is read page by page: whether a response is the last page, and what to ask for next.
import { sameJson } from '../../contract/document/json.js';
import { followPointer, type AskedPage, type PageWalk } from '../model/records.js';

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
  const isTooLong =
    walk.isForAll === true && records.length > 0 && isCount(total) && Number(total) > walk.atMost * records.length;
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

export function announcesMore(answer: PageAnswer, count: number, { walk }: AskedPage): boolean {
  return readEnd(answer, count, walk) === false;
}

function readEnd(answer: PageAnswer, count: number, walk: PageWalk): boolean | undefined {
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
  if (walk.kind === 'cursor') return findCursor(answer, records.at(-1), walk);
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

function findCursor(answer: PageAnswer, last: unknown, walk: PageWalk): unknown {
  const own = walk.cursorOf === undefined ? undefined : read(last, `/${walk.cursorOf}`);
  const found = read(answer.body, walk.cursorAt) ?? readLinked(answer, walk) ?? own;
  return isEmpty(found) ? undefined : found;
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
  let more: string | undefined;
  if (isCount(total) && Number(total) > count)
    more = `says that there are ${String(total)} records, of which it has ${count}`;
  if (!isCount(total) && read(answer.body, page.walk.moreAt) === true) more = 'says that there are more records';
  if (page.walk.kind === 'cursor')
    return more === undefined
      ? `${NEEDED}: this one says neither that it ends nor what to send as ${parameter} for more (the response should say either)`
      : `${NEEDED}: this one ${more}, but not what to send as ${parameter} for more (the response should say it)`;
  return more === undefined
    ? `${NEEDED}: this one does not say that it ends, and ${parameter} returns the same records again (the response should say where it ends)`
    : `${NEEDED}: this one ${more}, but ${parameter} returns no others (pages should have as many records as the response says)`;
}
