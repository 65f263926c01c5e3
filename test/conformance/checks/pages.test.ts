import { expect, test } from 'vitest';
import {
  describeOpenEnd,
  isCutShort,
  readNextQuery,
  readPage,
  turnPage,
} from '../../../src/conformance/resources/paging.js';
import type { PageAnswer } from '../../../src/conformance/resources/paging.js';
import type { AskedPage, PageWalk } from '../../../src/conformance/model/exchange.js';

function ask(walk: Partial<PageWalk>, page: Partial<AskedPage> = {}): AskedPage {
  const whole: PageWalk = { kind: 'offset', parameter: 'offset', first: 0, at: '', atMost: 9, ...walk };
  return { turn: null, before: [], isLast: false, walk: whole, ...page };
}

function answer(body: unknown, rest: Partial<PageAnswer> = {}): PageAnswer {
  return { status: 200, headers: {}, body, ...rest };
}

function isLast(body: unknown, page: AskedPage, longest = 0): boolean | undefined {
  return readPage(answer(body), page, longest)?.isLast;
}

const listOf = (length: number): unknown[] => Array.from({ length }, (_, index) => index);

test('a list that cannot be read on is whole if it is shorter than its limit', () => {
  expect(isLast([1, 2], ask({ parameter: undefined, length: 3 }))).toBe(true);
  expect(isLast([1, 2, 3], ask({ parameter: undefined, length: 3 }))).toBe(false);
});

test('a list of a length at which servers cut lists may be cut, unless a longer one was seen', () => {
  expect(isLast(listOf(50), ask({ parameter: undefined, length: 100 }))).toBe(false);
  expect(isLast(listOf(50), ask({ parameter: undefined, length: 100 }), 51)).toBe(true);
  expect(isLast(listOf(49), ask({ parameter: undefined }))).toBe(true);
});

test('a page beyond the last may be refused as the contract says, or be the last again', () => {
  const refusal = answer({ title: 'No such page' }, { status: 404 });
  expect(readPage(refusal, ask({ beyond: [404] }, { lastLength: 2 }), 0)).toEqual({ records: [], isLast: true });
  expect(readPage(refusal, ask({ beyond: [404] }), 0)).toBeUndefined();
  expect(readPage(refusal, ask({ beyond: [] }, { lastLength: 2 }), 0)).toBeUndefined();
  const before = [1, 2, 3];
  expect(readPage(answer([3]), ask({ length: 2 }, { before, lastLength: 1 }), 0)?.records).toEqual([]);
  expect(readPage(answer([2, 3]), ask({ length: 2 }, { before, lastLength: 2 }), 0)?.records).toEqual([2, 3]);
});

test('a page that repeats the one before it is the last that is asked for; one into which a record has moved is not', () => {
  const page = { before: [7, 8, 9], lastLength: 2 };
  expect(turnPage(answer([8, 9]), ask({ length: 2 }, page))).toBeUndefined();
  expect(turnPage(answer([9]), ask({ length: 9 }, { ...page, lastLength: 3 }))).toBe(4);
});

test('where an answer has only the address of the next page, the cursor is read from it', () => {
  const walk = { kind: 'cursor', parameter: 'after_id', at: '/data', linkAt: '/next' } as const;
  const first = answer({ data: [1, 2], next: 'https://example.com/keys?limit=2&after_id=k%202' });
  expect([turnPage(first, ask(walk)), readPage(first, ask(walk), 0)?.isLast]).toEqual(['k 2', false]);
  const last = answer({ data: [3] });
  expect([turnPage(last, ask(walk)), readPage(last, ask(walk), 0)?.isLast]).toEqual([undefined, true]);
  expect(turnPage(answer({ data: [1], next: '/keys?cursor=k2' }), ask(walk))).toBeUndefined();
});

test('a link to the next page is followed as it is, unless it leads to another list', () => {
  const { walk } = ask({ linkAt: '/next', follows: '/keys/?$' });
  const follow = (next: unknown, headers = {}): unknown => readNextQuery(answer({ next }, { headers }), walk);
  expect(follow('https://example.com/v1/keys?after=k2&state=on#top')).toBe('after=k2&state=on');
  expect(follow('?after=k2')).toBe('after=k2');
  expect(follow('?after=k 2é\r\n"')).toBe('after=k%202%C3%A9%22');
  expect([follow('/v1/locks?after=k2'), follow('/v1/keys'), follow(null)]).toEqual([undefined, undefined, undefined]);
  const link = '</v1/keys?page=1>; rel="prev", </v1/keys?page=3>; title="more"; rel="next"';
  expect(follow(undefined, { link })).toBe('page=3');
  expect(readNextQuery(answer({ next: '/keys?after=k2' }), ask({ linkAt: '/next' }).walk)).toBeUndefined();
});

const AFTER = { kind: 'cursor', parameter: 'after' } as const;
const SILENT = 'this one says neither that it ends nor what to send as after for more';

test.each([
  [3, ask({ parameter: undefined, length: 3 }), 'has the 3 records that were asked for, and the contract has no'],
  [50, ask({ parameter: undefined }), 'this one has 50 records, as a page may have, and the contract has no parameter'],
  [90, ask({ length: 10 }, { isLast: true }), 'this one has more than 9 pages; test a target with fewer records'],
  [3, ask(AFTER), SILENT],
  [3, ask({}), 'does not say that it ends, and offset returns the same records again'],
])('why the end of a list of %i records is not known: %j', (count, page, reason) => {
  expect(describeOpenEnd(count, page, answer([]))).toContain(reason);
});

const OF_57 = 'this one says that there are 57 records, of which it has 3, but';

test.each([
  [
    ask({ ...AFTER, total: '/total', cursorAt: '/next' }),
    { total: 57, next: null },
    `${OF_57} not what to send as after`,
  ],
  [
    ask({ ...AFTER, moreAt: '/more' }),
    { more: true },
    'there are more records, but not what to send as after for more',
  ],
  [ask({ total: '/total' }), { total: 57 }, `${OF_57} offset returns no others`],
  [ask({ ...AFTER, cursorAt: '/next' }), { total: 57 }, SILENT],
])('of a list that says that it goes on, the reason does not say that it is silent: %j %j', (page, body, reason) => {
  expect(describeOpenEnd(3, page, answer(body))).toContain(reason);
});

test('a list whose answer names more records than a run reads is not accused of repeating itself', () => {
  const walk = ask({ kind: 'page', at: '/d', total: '/total', atMost: 3, isForAll: true });
  const read = (total: number): boolean | undefined => readPage(answer({ d: [1, 2], total }), walk, 0)?.isTooLong;
  expect([read(6), read(7)]).toEqual([false, true]);
  expect(describeOpenEnd(2, walk, answer({ d: [1, 2], total: 7 }))).toContain(
    'has more than 3 pages; test a target with fewer records',
  );
});

test('what is called next may be the cursor itself', () => {
  const walk = { kind: 'cursor', parameter: 'cursor', at: '/data', linkAt: '/next' } as const;
  const turn = (next: unknown): unknown => turnPage(answer({ data: [1], next }), ask(walk));
  expect(turn('eyJpZCI6M30=')).toBe('eyJpZCI6M30=');
  expect(turn(17)).toBe(17);
  expect(turn('https://example.com/keys?cursor=k2&limit=1')).toBe('k2');
  expect(turn('/keys?after=k2')).toBeUndefined();
  expect(turn(null)).toBeUndefined();
});

test('a page with an address of the next one in which no cursor is found is cut short', () => {
  const page = ask({ kind: 'cursor', parameter: 'cursor', at: '/data', linkAt: '/next', moreAt: '/more' });
  expect(isCutShort({ data: [1], next: '/keys?after=k2' }, page)).toBe(true);
  expect(isCutShort({ data: [1], next: '/keys?cursor=k2' }, page)).toBe(false);
  expect(isCutShort({ data: [1], more: true, next: null }, page)).toBe(false);
  expect(isCutShort({ data: [1], next: '/keys?after=k2' }, undefined)).toBe(false);
});
