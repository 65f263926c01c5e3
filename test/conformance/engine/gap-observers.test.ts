import { describe, expect, test } from 'vitest';
import {
  createSortDirectionObserver,
  observers,
  watchSubject,
  type AskedOrder,
  type Observer,
  type SeenExchange,
} from '../../../src/conformance/engine/gap-observers.js';
import { readSubjects, type Subject } from '../../../src/conformance/resources/resource-under-test.js';
import { shippedContract } from '../../support/shipped.js';
import { makeContext } from '../support/check-context.js';

type Pet = Record<string, unknown>;
type Seen = Partial<Omit<SeenExchange, 'sent'>> & { sent?: object };

const watched = watchSubject(readSubjects(shippedContract)[0] as Subject, shippedContract);

/** An exchange as observers see it: by default, a sound answer. */
const see = (operation: string, { sent = {}, ...seen }: Seen = {}): SeenExchange => ({
  status: 200,
  headers: {},
  body: [],
  sentAt: 0,
  answeredAt: 0,
  ...seen,
  sent: makeContext({ operation, sent }).sent,
});

/** What an observer concludes from exchanges. */
function concludeFrom(observer: Observer, exchanges: readonly SeenExchange[]): unknown {
  for (const exchange of exchanges) {
    observer.note?.(exchange);
    observer.hear?.(exchange);
  }
  const conclusion = observer.conclude();
  return 'answer' in conclusion ? conclusion.answer : `not observed: ${conclusion.notObserved}`;
}

const observe = (gap: string, now = '2026-11-21'): Observer =>
  observers[gap]?.({ contract: shippedContract, watched, now: Date.parse(now) }) as Observer;
const conclude = (gap: string, exchanges: readonly SeenExchange[], now?: string): unknown =>
  concludeFrom(observe(gap, now), exchanges);

/** What a conclusion is compared with. */
const as = (value: unknown): unknown => (value instanceof RegExp ? expect.stringMatching(value) : value);

let time = 0;

/** A pet that is created after all that were created before. */
function create(pet: Pet, exchange: Seen = {}): SeenExchange {
  time += 10;
  const { id: _, ...json } = pet;
  return see('createPet', { status: 201, body: pet, sentAt: time, answeredAt: time + 5, sent: { json }, ...exchange });
}

const NOT_OBSERVED = /^not observed/;
const getPet = (status: number, headers: Record<string, string> = {}, id = 1): SeenExchange =>
  see('getPet', { status, headers, body: { id }, sent: { path: { petId: id } } });
const list = (body: unknown, more: Seen = {}): SeenExchange => see('listPets', { body, ...more });
const rex = create({ id: 1, name: 'Rex', categoryId: 1 });

describe('the order of a list', () => {
  const petOf = (id: number, name: string, categoryId = 1, status = 'sold'): Pet => ({ id, name, categoryId, status });
  const [max, ben] = [petOf(1, 'Max', 2), petOf(2, 'Ben', 1, 'available')];
  const [zoe, ada] = [petOf(3, 'Zoe', 3, 'pending'), petOf(4, 'Ada')];
  /** In the order of their creation; no field of theirs is in any order. */
  const mixed = [max, ben, zoe, ada];
  const others = [petOf(900, 'Other', 9, 'available')];
  const withOthers = mixed.flatMap((each, index) => [petOf(900 - index, 'Other'), each]);
  const alike = mixed.map((pet) => Object.assign({}, pet, { status: 'sold' }));
  const having = (field: string, value: (index: number) => unknown): Pet[] =>
    mixed.map((pet, index) => Object.assign({}, pet, { [field]: value(index) }));
  const named = having('name', (index) => `Rex ${index}`);
  const ranked = having('categoryId', (index) => index);
  const order = (created: Pet[], ...lists: Pet[][]): unknown =>
    conclude('list-order', [...created.map((pet) => create(pet)), ...lists.map((body) => list(body))]);

  test.each<[string, Pet[], Pet[][], string | RegExp]>([
    ['oldest first', mixed, [mixed], 'oldest-first'],
    ['newest first', mixed, [mixed.toReversed()], 'newest-first'],
    ['oldest first, whatever pets of others stand between', mixed, [withOthers], 'oldest-first'],
    ['no order', mixed, [[ben, max, ada, zoe]], 'other'],
    ['one order and then another', mixed, [mixed, mixed.toReversed()], 'other'],
    ['too few pets', mixed.slice(0, 3), [mixed], /^not observed: this needs a list with 5 pairs/],
    ['none of the pets', mixed, [others], NOT_OBSERVED],
    ['an order that may be one by name', named, [named, others], 'not observed: the order could also be by name'],
    ['one that may be by category', ranked, [ranked, others], 'not observed: the order could also be by categoryId'],
    ['one that may be by status', alike, [alike, others], 'not observed: the order could also be by status'],
    ['an order where all pets of the target are alike in a field', alike, [alike], 'oldest-first'],
  ])('is concluded from a list with %s', (_, created, lists, concluded) => {
    expect(order(created, ...lists)).toEqual(as(concluded));
  });

  test('is not concluded from pets that were created at the same time, nor from a refused list', () => {
    const together = mixed.map((pet) => create(pet, { sentAt: 0, answeredAt: 100 }));
    expect(conclude('list-order', [...together, list(mixed)])).toMatch(NOT_OBSERVED);
    const refused = list(mixed, { status: 400 });
    expect(conclude('list-order', [...mixed.map((pet) => create(pet)), refused])).toMatch(NOT_OBSERVED);
  });
});

describe('the direction in which a list is sorted', () => {
  const bySize: AskedOrder = { field: 'size', isDirected: false };
  const sized = (...sizes: unknown[]): Pet[] => sizes.map((size, id) => ({ id, size }));

  test.each<[string, [AskedOrder | undefined, ...unknown[]][], string | RegExp]>([
    ['up', [[bySize, 1, 2, 2, 5, 10]], 'ascending'],
    ['down', [[bySize, 10, 9, 2, 1]], 'descending'],
    ['neither', [[bySize, 10, 9, 20, 1]], 'ignored'],
    ['one that the request names', [[{ ...bySize, isDirected: true }, 4, 3, 2, 1]], NOT_OBSERVED],
    ['not told by records that are alike', [[bySize, 1, 1, 1, 1, 2]], NOT_OBSERVED],
    ['not told by few', [[bySize, 1, 2, 3]], NOT_OBSERVED],
    [
      'unclear beside a list that nobody sorted',
      [
        [undefined, 1, 2, 3, 4],
        [bySize, 1, 2, 3, 4],
      ],
      NOT_OBSERVED,
    ],
    [
      'clear beside one in another order',
      [
        [undefined, 4, 3, 2, 1],
        [bySize, 1, 2, 3, 4],
      ],
      'ascending',
    ],
    ['up, with capitals among others', [[bySize, 'a', 'B', 'c', 'd', 'e']], 'ascending'],
    ['up, with capitals first', [[bySize, 'B', 'a', 'c', 'd', 'e']], 'ascending'],
  ])('is %s', (_, lists, concluded) => {
    const orders = lists.map(([order]) => order);
    const readSort = (): AskedOrder | undefined => orders.shift();
    const observer = createSortDirectionObserver({
      watched: { ...watched, readSort },
      contract: shippedContract,
      now: 0,
    });
    const seen = lists.map(([, ...sizes]) => list(sized(...sizes)));
    expect(concludeFrom(observer, seen)).toEqual(as(concluded));
  });
});

describe('removal-hour', () => {
  test.each([
    ['Thu, 05 Dec 2030 00:00:00 GMT', 'start-of-day'],
    ['Fri, 06 Dec 2030 00:00:00 GMT', 'end-of-day'],
    ['Thu, 05 Dec 2030 12:00:00 GMT', 'other'],
    ['soon', 'other'],
  ])('Sunset: %s is %s', (sunset, hour) => expect(conclude('removal-hour', [getPet(200, { sunset })])).toBe(hour));

  test('without a Sunset of the operation it is not observed', () => {
    const other = list([], { headers: { sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' } });
    expect(conclude('removal-hour', [getPet(200), other])).toMatch(/^not observed: no Sunset/);
  });
});

describe('after-removal', () => {
  test('a 410 tells on any day', () => expect(conclude('after-removal', [getPet(410)])).toBe('gone-410'));

  test.each([
    [200, 'still-served'],
    [404, 'not-found-404'],
    [403, 'other'],
  ])('%i for a pet that is there tells once the day is over, and not before', (status, choice) => {
    const seen = [rex, getPet(status)];
    expect(conclude('after-removal', seen, '2030-12-06T00:00:00Z')).toBe(choice);
    expect(conclude('after-removal', seen, '2030-12-05T23:59:59Z')).toMatch(/^not observed: .*2030-12-05/);
  });

  test('a pet that is not the run’s own may not be there', () =>
    expect(conclude('after-removal', [rex, getPet(404, {}, 7)], '2031-01-01')).toMatch(NOT_OBSERVED));
});

describe('status-after-create', () => {
  const sold = { id: 1, name: 'Rex', categoryId: 1, status: 'sold' };
  const readAt = (sentAt: number, status = 'sold'): SeenExchange =>
    see('getPet', { body: { ...sold, status }, sentAt });
  const made = create(sold, { answeredAt: 100 });
  const shown = list([{ ...sold, status: 'pending' }], { sentAt: 300, answeredAt: 320 });
  const changed = (sentAt: number): SeenExchange =>
    see('getPet', { sent: { method: 'PATCH', path: { petId: '1' } }, sentAt, answeredAt: 330 });

  test.each([
    [900, 'within a minute'],
    [130_000, 'up to 2 min later'],
  ])('what is read again at %i ms stays, and the evidence says for how long', (ms, told) => {
    const observer = observe('status-after-create');
    expect(concludeFrom(observer, [made, readAt(120), readAt(ms)])).toBe('stays');
    expect(observer.conclude()).toMatchObject({ evidence: `records that this run created, read again ${told}` });
  });

  test.each<[string, SeenExchange[], string | RegExp]>([
    ['another status', [made, readAt(120), readAt(5000, 'pending'), readAt(9000)], 'moves-by-itself'],
    ['a pet that is not the run’s own', [made, see('getPet', { body: { ...sold, id: 7 }, sentAt: 500 })], NOT_OBSERVED],
    ['a pet that was created without a status', [rex, readAt(500)], NOT_OBSERVED],
    [
      'a list that shows what the run changes before that is answered',
      [made, readAt(120), shown, changed(310)],
      'stays',
    ],
    ['one that shows it before it is sent', [made, readAt(120), shown, changed(325)], 'moves-by-itself'],
  ])('is concluded from %s', (_, seen, concluded) => expect(conclude('status-after-create', seen)).toMatch(concluded));
});

const dated = getPet(200, { deprecation: '@1' });
const refusal = (status: number, body: object): SeenExchange => list(body, { status });
const error = { code: 'a', message: '', status: 400 };
const tagged = { id: 1, name: '', categoryId: 1, status: 'sold', tags: [] };
const slow = refusal(429, { code: 'slow', extra: 1 });
const down = refusal(503, { code: 'down', extra: 1 });
const codes = [refusal(401, { code: 'key' }), ...['b', 'a', 'a'].map((code) => refusal(400, { code }))];
const served = (headers: Record<string, string>, status = 200): SeenExchange[] => [list([], { headers, status })];
const RANGE = { 'content-range': 'items 0-19/40', 'x-page': '1', 'x-next-cursor': 'a' };
const LIMITED = { 'ratelimit-limit': '5', 'x-ratelimit-remaining': '4' };

test.each<[gap: string, string, SeenExchange[], unknown]>([
  ['deprecation-header', 'what stands in every response', [dated, dated], '@1'],
  ['deprecation-header', 'none', [getPet(200)], 'none'],
  ['deprecation-header', 'what changes', [dated, getPet(200)], NOT_OBSERVED],
  ['deprecation-header', 'nothing served', [getPet(404)], NOT_OBSERVED],
  ['error-codes', 'each, by operation and status', codes, ['listPets 400 a', 'listPets 400 b', 'listPets 401 key']],
  ['error-codes', 'what asks to wait or broke down', [slow, down], NOT_OBSERVED],
  ['error-fields', 'what asks to wait or broke down', [slow, down], NOT_OBSERVED],
  ['error-fields', 'more', [refusal(400, { ...error, traceId: 1, details: [] })], ['details', 'traceId']],
  ['error-fields', 'those of the contract', [refusal(400, error)], []],
  ['pet-fields', 'one more', [list([tagged])], ['tags']],
  ['pet-fields', 'those of the contract', [list([{ id: 1, name: '', categoryId: 1 }])], []],
  ['pet-fields', 'what the run itself has sent', [create({ id: 1, name: '', categoryId: 1, color: 'red' })], []],
  ['pet-fields', 'no pet', [list([])], NOT_OBSERVED],
  ['paging-headers', 'a count', served({ 'x-total-count': '3' }), ['x-total-count']],
  ['paging-headers', 'a link to a page', served({ link: '</v1/pets?page=2>; rel="next"' }), ['link']],
  ['paging-headers', 'another link', served({ link: '</docs>; rel="help"' }), []],
  ['paging-headers', 'several', served(RANGE), ['content-range', 'x-next-cursor', 'x-page']],
  ['paging-headers', 'none', served({ 'content-type': 'application/json', etag: '1' }), []],
  ['rate-limiting', 'header fields', served(LIMITED), ['ratelimit-limit', 'x-ratelimit-remaining']],
  ['rate-limiting', 'a 429', served({ 'retry-after': '1' }, 429), ['429']],
  ['rate-limiting', 'none', served({}), []],
])('%s is concluded from %s', (gap, _, seen, concluded) => {
  expect(conclude(gap, seen)).toEqual(as(concluded));
});

test('of more names of fields than anyone reads the first are kept, and no name is longer than a line', () => {
  const fields = Array.from({ length: 5000 }, (_, index) => [`f${index}`.padEnd(300, '-'), 1] as const);
  const names = conclude('pet-fields', [list([Object.fromEntries(fields)])]) as string[];
  expect(names).toHaveLength(1000);
  expect(names.every((name) => name.length <= 120)).toBe(true);
});
