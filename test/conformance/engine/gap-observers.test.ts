import { describe, expect, test } from 'vitest';
import { observers, watchSubject, type Observer, type SeenExchange } from '../../../src/conformance/engine/gaps.js';
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

const petOf = (id: number, name: string, categoryId = 1, status = 'sold'): Pet => ({ id, name, categoryId, status });
/** In the order of their creation; no field of theirs is in any order. */
const mixed = [petOf(1, 'Max', 2), petOf(2, 'Ben', 1, 'available'), petOf(3, 'Zoe', 3, 'pending'), petOf(4, 'Ada')];
const named = mixed.map((pet, index) => Object.assign({}, pet, { name: `Rex ${index}` }));
const alike = mixed.map((pet) => Object.assign({}, pet, { status: 'sold' }));
const others = [petOf(900, 'Other', 9, 'available')];

test.each<[string, Pet[], Pet[][], string | RegExp]>([
  ['one order and then another', mixed, [mixed, mixed.toReversed()], 'other'],
  ['too few pets', mixed.slice(0, 3), [mixed], /^not observed: this needs a list with 5 pairs/],
  ['an order that may be one by name', named, [named, others], 'not observed: the order could also be by name'],
  ['one that may be by status', alike, [alike, others], 'not observed: the order could also be by status'],
  ['an order where all pets of the target are alike in a field', alike, [alike], 'oldest-first'],
])('the order of a list is concluded from %s', (_, created, lists, concluded) => {
  const seen = [...created.map((pet) => create(pet)), ...lists.map((body) => list(body))];
  expect(conclude('list-order', seen)).toEqual(as(concluded));
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
const slow = refusal(429, { code: 'slow', extra: 1 });
const down = refusal(503, { code: 'down', extra: 1 });
const codes = [refusal(401, { code: 'key' }), ...['b', 'a', 'a'].map((code) => refusal(400, { code }))];
const served = (headers: Record<string, string>, status = 200): SeenExchange[] => [list([], { headers, status })];
test.each<[gap: string, string, SeenExchange[], unknown]>([
  ['deprecation-header', 'what stands in every response', [dated, dated], '@1'],
  ['deprecation-header', 'what changes', [dated, getPet(200)], NOT_OBSERVED],
  ['error-codes', 'each, by operation and status', codes, ['listPets 400 a', 'listPets 400 b', 'listPets 401 key']],
  ['error-codes', 'what asks to wait or broke down', [slow, down], NOT_OBSERVED],
  ['error-fields', 'what asks to wait or broke down', [slow, down], NOT_OBSERVED],
  ['pet-fields', 'what the run itself has sent', [create({ id: 1, name: '', categoryId: 1, color: 'red' })], []],
  ['paging-headers', 'a link to a page', served({ link: '</v1/pets?page=2>; rel="next"' }), ['link']],
  ['paging-headers', 'another link', served({ link: '</docs>; rel="help"' }), []],
  ['rate-limiting', 'a 429', served({ 'retry-after': '1' }, 429), ['429']],
])('%s is concluded from %s', (gap, _, seen, concluded) => {
  expect(conclude(gap, seen)).toEqual(as(concluded));
});

test('of more names of fields than anyone reads the first are kept, and no name is longer than a line', () => {
  const fields = Array.from({ length: 5000 }, (_, index) => [`f${index}`.padEnd(300, '-'), 1] as const);
  const names = conclude('pet-fields', [list([Object.fromEntries(fields)])]) as string[];
  expect(names).toHaveLength(1000);
  expect(names.every((name) => name.length <= 120)).toBe(true);
});
