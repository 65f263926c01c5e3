import { sameJson } from '../../contract/document/json.js';
import type { AskedPage, PageWalk } from '../model/page-walk.js';
import { followPointer } from '../model/follow-pointer.js';

/** Lengths at which servers cut a list that the contract does not let them cut. */
const USUAL_LENGTHS = new Set([
  5, 10, 15, 16, 20, 24, 25, 30, 32, 40, 50, 60, 64, 75, 80, 99, 100, 128, 150, 200, 250, 256, 300, 500, 512, 1000,
]);

/** What a page is answered with. */
export interface PageAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/** A page as it counts: a page beyond the last has no records, whatever stands in its answer. */
export interface ReadPage {
  records: readonly unknown[];
  /** Whether there are no more records. */
  isLast: boolean;
  /** Whether the answer says that there are more than a run reads. */
  isTooLong?: boolean;
}

/** `undefined` for an answer without a list. `longest` is how many records the operation has shown in one answer. */
export function readPage(answer: PageAnswer, page: AskedPage, longest: number): ReadPage | undefined {
  if (isRefusedBeyond(answer, page)) return { records: [], isLast: true };
  if (answer.status < 200 || answer.status > 299) return undefined;
  const list = followPointer(answer.body, page.walk.at);
  if (!Array.isArray(list)) return undefined;
  const records = list as readonly unknown[];
  if (repeatsLast(records, page)) return { records: [], isLast: true };
  const isTooLong = isOutOfReach(answer, records.length, page.walk);
  return { records, isLast: isLast(answer, records.length, { page, longest }), isTooLong };
}

/** A service may refuse a page beyond the last, unless the page before said that there are more. */
function isRefusedBeyond({ status }: PageAnswer, page: AskedPage): boolean {
  return listBeyond(page).includes(status);
}

/** The statuses with which a page may be refused because it is beyond the last. */
export function listBeyond({ lastLength, isAnnounced, walk }: AskedPage): readonly number[] {
  return lastLength === undefined || isAnnounced === true ? [] : (walk.beyond ?? []);
}

/** Whether an answer says that there is a page after it. */
export function announcesMore(answer: PageAnswer, count: number, page: AskedPage): boolean {
  return readEnd(answer, count, page) === false;
}

/** A service may answer a page beyond the last with the last: a page that is not full comes again. */
function repeatsLast(records: readonly unknown[], { lastLength, before, walk: { length } }: AskedPage): boolean {
  if (lastLength === undefined || length === undefined || lastLength >= length || records.length !== lastLength)
    return false;
  return records.length > 0 && sameJson(records, before.slice(-lastLength));
}

/**
 * What the answer says of the end counts first. Where it says nothing, a page may be shorter than its limit while there are
 * more (the gap `short-pages`): only an empty one ends a list that can be read on.
 */
function isLast(answer: PageAnswer, count: number, { page, longest }: { page: AskedPage; longest: number }): boolean {
  const { walk, before } = page;
  // A total that counts more than there is, other checks tell: an empty page after others is the end.
  if (count === 0 && before.length > 0 && walk.kind !== 'cursor') return true;
  const said = readEnd(answer, before.length + count, page);
  if (said !== undefined) return said;
  if (count === 0) return true;
  if (walk.parameter !== undefined) return false;
  return (walk.length === undefined || count < walk.length) && (!USUAL_LENGTHS.has(count) || longest > count);
}

/** `undefined` where the answer does not say. */
function readEnd(answer: PageAnswer, count: number, { walk }: AskedPage): boolean | undefined {
  const { body } = answer;
  const hasLink = walk.linkAt !== undefined || walk.hasLink === true;
  const total = readTotal(answer, walk);
  if (isCount(total)) return count >= Number(total);
  const more = read(body, walk.moreAt);
  if (typeof more === 'boolean') return !more;
  if (walk.cursorAt !== undefined) return isEmpty(read(body, walk.cursorAt));
  if (hasLink && walk.kind === 'cursor') return isEmpty(readNext(answer, walk));
  return hasLink && !isEmpty(readNext(answer, walk)) ? false : undefined;
}

/** Nobody reads a list of a million records to its end: where an answer says how many there are, the first page tells. */
function isOutOfReach(answer: PageAnswer, count: number, walk: PageWalk): boolean {
  const total = readTotal(answer, walk);
  return walk.isForAll === true && count > 0 && isCount(total) && Number(total) > walk.atMost * count;
}

/** What to ask for next; `undefined` after the last page, and where a page brings nothing new. */
export function turnPage(answer: PageAnswer, page: AskedPage): unknown {
  const { walk, before, lastLength, turn } = page;
  const { records, isLast: isEnd, isTooLong } = readPage(answer, page, 0) ?? { records: [], isLast: true };
  if (walk.parameter === undefined || isEnd || isTooLong === true) return undefined;
  const isAgain = records.length > 0 && records.length === lastLength && sameJson(records, before.slice(-lastLength));
  if (isAgain) return undefined;
  if (walk.kind === 'cursor') return findCursor(answer, records.at(-1), walk);
  if (records.length === 0) return undefined;
  return walk.kind === 'page' ? Number(turn ?? walk.first) + 1 : walk.first + before.length + records.length;
}

function read(body: unknown, pointer: string | undefined): unknown {
  return pointer === undefined ? undefined : followPointer(body, pointer);
}

function readTotal({ body, headers }: PageAnswer, { total, totalHeader }: PageWalk): unknown {
  return totalHeader === undefined ? read(body, total) : readCount(headers[totalHeader]);
}

function readCount(text: string | undefined): unknown {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

function isCount(value: unknown): boolean {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value) && value >= 0);
}

/** Where an answer has an address alone, the cursor stands in it; a member of such a name may be the cursor itself. */
function readLinked(answer: PageAnswer, walk: PageWalk): unknown {
  const { parameter = '' } = walk;
  const link = readNext(answer, walk);
  if (typeof link !== 'string') return typeof link === 'number' || typeof link === 'bigint' ? link : undefined;
  if (!/^[./?]|:\/\/|\?/.test(link)) return link;
  return new URLSearchParams(splitLink(link).query).get(parameter) ?? undefined;
}

/** What leads to the next page: in the body, or in the header field. */
function readNext({ body, headers }: PageAnswer, { linkAt }: PageWalk): unknown {
  return read(body, linkAt) ?? NEXT.exec(headers['link'] ?? '')?.[1];
}

/** Whether an answer has an address of the next page in which no cursor is found: nobody knows how to read on. */
export function isCutShort(body: unknown, page: AskedPage | undefined): boolean {
  if (page?.walk.kind !== 'cursor' || isEmpty(read(body, page.walk.linkAt))) return false;
  return turnPage({ status: 200, headers: {}, body }, { ...page, lastLength: undefined }) === undefined;
}

/** The query of the link to the next page; `undefined` without one, and if it leads to another list. */
export function readNextQuery(answer: PageAnswer, walk: PageWalk): string | undefined {
  const { follows } = walk;
  if (follows === undefined) return undefined;
  const { path, query } = splitLink(readNext(answer, walk));
  const isOfList = path === '' || new RegExp(follows).test(path);
  // What may not stand in an address is escaped, as every client does (RFC 3986 section 2.1).
  return query !== '' && isOfList ? new URL(`?${query}`, 'http://list').search.slice(1) : undefined;
}

/** RFC 8288 section 3. */
const NEXT = /<([^<>]*)>(?:\s*;[^,<]*)?;\s*rel="?next\b/i;

function splitLink(link: unknown): { path: string; query: string } {
  const [, path = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(typeof link === 'string' ? link : '') ?? [];
  return { path, query };
}

/** In the answer, in its link to the next page, or in its last record. Without one there is no further page, whatever else it says. */
function findCursor(answer: PageAnswer, last: unknown, walk: PageWalk): unknown {
  const own = walk.cursorOf === undefined ? undefined : read(last, `/${walk.cursorOf}`);
  const found = read(answer.body, walk.cursorAt) ?? readLinked(answer, walk) ?? own;
  return isEmpty(found) ? undefined : found;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === false;
}

/** What a list needs to be read to its end, and why it was not. */
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
  const more = describeMore(answer, count, page.walk);
  if (page.walk.kind === 'cursor')
    return more === undefined
      ? `${NEEDED}: this one says neither that it ends nor what to send as ${parameter} for more (the response should say either)`
      : `${NEEDED}: this one ${more}, but not what to send as ${parameter} for more (the response should say it)`;
  return more === undefined
    ? `${NEEDED}: this one does not say that it ends, and ${parameter} returns the same records again (the response should say where it ends)`
    : `${NEEDED}: this one ${more}, but ${parameter} returns no others (pages should have as many records as the response says)`;
}

/** Where the answer says that there are more records than it and the pages before it have. */
function describeMore(answer: PageAnswer, count: number, walk: PageWalk): string | undefined {
  const total = readTotal(answer, walk);
  if (isCount(total))
    return Number(total) > count ? `says that there are ${String(total)} records, of which it has ${count}` : undefined;
  return read(answer.body, walk.moreAt) === true ? 'says that there are more records' : undefined;
}
