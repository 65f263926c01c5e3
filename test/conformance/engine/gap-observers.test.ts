import { describe, expect, test } from 'vitest';
import { type AskedOrder, createSortDirectionObserver } from '../../../src/conformance/engine/gap-observers.js';
import { shippedContract } from '../../support/shipped.js';
import { conclude, concludeWhole, create, type Pet, see, watchedPets } from './gaps/seen.js';

const petOf = (id: number, name: string, categoryId = 1, status = 'sold'): Pet => ({ id, name, categoryId, status });
/** In the order of their creation; no field of theirs is in any order. */
const mixed = [
  petOf(1, 'Max', 2, 'sold'),
  petOf(2, 'Ben', 1, 'available'),
  petOf(3, 'Zoe', 3, 'pending'),
  petOf(4, 'Ada', 1, 'sold'),
];
const order = (created: Pet[], ...lists: Pet[][]): unknown =>
  conclude('list-order', [...created.map((pet) => create(pet)), ...lists.map((body) => see('listPets', { body }))]);

test('pets in the order of their creation are oldest first, in the reverse of it newest first', () => {
  expect(order(mixed, mixed)).toBe('oldest-first');
  expect(order(mixed, mixed.toReversed())).toBe('newest-first');
});

test('pets of others between them tell nothing', () => {
  const withOthers = mixed.flatMap((each, index) => [petOf(900 - index, 'Other'), each]);
  expect(order(mixed, withOthers)).toBe('oldest-first');
});

test('pets in no order are other', () => {
  const [a, b, c, d] = mixed as [Pet, Pet, Pet, Pet];
  expect(order(mixed, [b, a, d, c])).toBe('other');
  expect(order(mixed, mixed, mixed.toReversed())).toBe('other');
});

test('three pets are too few', () =>
  expect(order(mixed.slice(0, 3), mixed)).toMatch(/^not observed: this needs a list with 5 pairs/));

test('pets that are on no page tell nothing', () =>
  expect(order(mixed, [petOf(900, 'Other'), petOf(901, 'Another')])).toMatch(/^not observed/));

test('pets that were created at the same time tell nothing', () => {
  const together = mixed.map((pet) => create(pet, { sentAt: 0, answeredAt: 100 }));
  expect(conclude('list-order', [...together, see('listPets', { body: mixed })])).toMatch(/^not observed/);
});

test.each([
  ['name', mixed.map((pet, index) => ({ ...pet, name: `Rex ${index}` }))],
  ['categoryId', mixed.map((pet, index) => ({ ...pet, categoryId: index }))],
  ['status', mixed.map((pet) => ({ ...pet, status: 'sold' }))],
])('an order that may as well be one by %s is not taken for one by creation', (key, pets) => {
  const lists = [pets, [petOf(900, 'Other', 9, 'available')]];
  expect(order(pets, ...lists)).toBe(`not observed: the order could also be by ${key}`);
});

test('where every pet of the target is alike in a field, no order is one by it', () => {
  const alike = mixed.map((pet) => ({ ...pet, status: 'sold' }));
  expect(order(alike, alike)).toBe('oldest-first');
});

test('a refused list is no list', () => {
  const refused = see('listPets', { body: mixed, status: 400 });
  expect(conclude('list-order', [...mixed.map((pet) => create(pet)), refused])).toMatch(/^not observed/);
});

const getPet = (status: number, headers: Record<string, string> = {}, id = 1) =>
  see('getPet', { status, headers, body: { id }, sent: { path: { petId: id } } });
const rex = create({ id: 1, name: 'Rex', categoryId: 1 });

describe('removal-hour', () => {
  test.each([
    ['Thu, 05 Dec 2030 00:00:00 GMT', 'start-of-day'],
    ['Fri, 06 Dec 2030 00:00:00 GMT', 'end-of-day'],
    ['Thu, 05 Dec 2030 12:00:00 GMT', 'other'],
    ['soon', 'other'],
  ])('Sunset: %s is %s', (sunset, hour) => expect(conclude('removal-hour', [getPet(200, { sunset })])).toBe(hour));

  test('without a Sunset it is not observed', () =>
    expect(conclude('removal-hour', [getPet(200)])).toMatch(/^not observed: no Sunset/));

  test('the Sunset of another operation is not one of it', () => {
    const list = see('listPets', { headers: { sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' } });
    expect(conclude('removal-hour', [list])).toMatch(/^not observed/);
  });
});

describe('after-removal', () => {
  test('a 410 tells on any day', () => expect(conclude('after-removal', [getPet(410)])).toBe('gone-410'));

  test.each([
    [200, 'still-served'],
    [404, 'not-found-404'],
    [403, 'other'],
  ])('%i for a pet that is there tells once the day is over, and not before', (status, choice) => {
    expect(conclude('after-removal', [rex, getPet(status)], '2030-12-06T00:00:00Z')).toBe(choice);
    expect(conclude('after-removal', [rex, getPet(status)], '2030-12-05T23:59:59Z')).toMatch(
      /^not observed: .*2030-12-05/,
    );
  });

  test('a pet that is not the run’s own may not be there', () =>
    expect(conclude('after-removal', [rex, getPet(404, {}, 7)], '2031-01-01')).toMatch(/^not observed/));
});

describe('status-after-create', () => {
  const sold = { id: 1, name: 'Rex', categoryId: 1, status: 'sold' };
  const readAt = (ms: number, status = 'sold') => see('getPet', { body: { ...sold, status }, sentAt: ms });
  const made = create(sold, { answeredAt: 100 });

  test.each([
    [900, 'within a minute'],
    [130_000, 'up to 2 min later'],
  ])('what is read again at %i ms stays, and the evidence says for how long', (ms, told) => {
    expect(concludeWhole('status-after-create', [made, readAt(120), readAt(ms)])).toEqual({
      answer: 'stays',
      evidence: `records that this run created, read again ${told}`,
    });
  });

  test('another status is one that moved, whatever it was before and after', () => {
    expect(conclude('status-after-create', [made, readAt(120), readAt(5000, 'pending'), readAt(9000)])).toBe(
      'moves-by-itself',
    );
  });

  test('a pet that is not the run’s own, or that was created without a status, tells nothing', () => {
    const other = see('getPet', { body: { ...sold, id: 7 }, sentAt: 500 });
    expect(conclude('status-after-create', [made, other])).toMatch(/^not observed/);
    expect(conclude('status-after-create', [rex, readAt(500)])).toMatch(/^not observed/);
  });

  test('what the run changes does not move by itself, also where a list shows it before the change is answered', () => {
    const shown = see('listPets', { body: [{ ...sold, status: 'pending' }], sentAt: 300, answeredAt: 320 });
    const changed = (sentAt: number) =>
      see('getPet', { sent: { method: 'PATCH', path: { petId: '1' } }, sentAt, answeredAt: 330 });
    expect(conclude('status-after-create', [made, readAt(120), shown, changed(310)])).toBe('stays');
    expect(conclude('status-after-create', [made, readAt(120), shown, changed(325)])).toBe('moves-by-itself');
  });
});

describe('deprecation-header', () => {
  test('is what stands in every response', () => {
    expect(
      conclude('deprecation-header', [getPet(200, { deprecation: '@1' }), getPet(200, { deprecation: '@1' })]),
    ).toBe('@1');
    expect(conclude('deprecation-header', [getPet(200)])).toBe('none');
  });

  test('is not observed where it changes, or nothing was served', () => {
    expect(conclude('deprecation-header', [getPet(200, { deprecation: '@1' }), getPet(200)])).toMatch(/^not observed/);
    expect(conclude('deprecation-header', [getPet(404)])).toMatch(/^not observed/);
  });
});

describe('errors', () => {
  const refusal = (status: number, body: object) => see('listPets', { status, body });

  test('codes stand by operation and status, sorted, each once', () => {
    const seen = [
      refusal(401, { code: 'key' }),
      refusal(400, { code: 'b' }),
      refusal(400, { code: 'a' }),
      refusal(400, { code: 'a' }),
    ];
    expect(conclude('error-codes', seen)).toEqual(['listPets 400 a', 'listPets 400 b', 'listPets 401 key']);
  });

  test('what asks to wait and what broke down have no code of interest', () => {
    const seen = [refusal(429, { code: 'slow', extra: 1 }), refusal(503, { code: 'down', extra: 1 })];
    expect(conclude('error-codes', seen)).toMatch(/^not observed/);
    expect(conclude('error-fields', seen)).toMatch(/^not observed/);
  });

  test('fields beyond the contract are noted', () => {
    expect(
      conclude('error-fields', [refusal(400, { code: 'a', message: '', status: 400, traceId: 1, details: [] })]),
    ).toEqual(['details', 'traceId']);
    expect(conclude('error-fields', [refusal(400, { code: 'a', message: '', status: 400 })])).toEqual([]);
  });
});

describe('pet-fields', () => {
  test('are those that the contract does not have', () => {
    expect(
      conclude('pet-fields', [
        see('listPets', { body: [{ id: 1, name: '', categoryId: 1, status: 'sold', tags: [] }] }),
      ]),
    ).toEqual(['tags']);
    expect(conclude('pet-fields', [see('listPets', { body: [{ id: 1, name: '', categoryId: 1 }] })])).toEqual([]);
  });

  test('what the run itself has sent is no news', () => {
    expect(conclude('pet-fields', [create({ id: 1, name: '', categoryId: 1, color: 'red' })])).toEqual([]);
  });

  test('of more names than anyone reads the first are kept, and no name is longer than a line', () => {
    const fields = Array.from({ length: 5000 }, (_, index) => [`f${index}`.padEnd(300, '-'), 1] as const);
    const names = conclude('pet-fields', [see('listPets', { body: [Object.fromEntries(fields)] })]);
    expect(names).toHaveLength(1000);
    expect((names as string[]).every((name) => name.length <= 120)).toBe(true);
  });

  test('without a pet nothing is observed', () =>
    expect(conclude('pet-fields', [see('listPets')])).toMatch(/^not observed/));
});

test.each([
  [{ 'x-total-count': '3' }, ['x-total-count']],
  [{ link: '</v1/pets?page=2>; rel="next"' }, ['link']],
  [{ link: '</docs>; rel="help"' }, []],
  [
    { 'content-range': 'items 0-19/40', 'x-page': '1', 'x-next-cursor': 'a' },
    ['content-range', 'x-next-cursor', 'x-page'],
  ],
  [{ 'content-type': 'application/json', etag: '1' }, []],
])('of %j the paging headers are %j', (headers, names) => {
  expect(conclude('paging-headers', [see('listPets', { headers })])).toEqual(names);
});

test.each([
  [200, { 'ratelimit-limit': '5', 'x-ratelimit-remaining': '4' }, ['ratelimit-limit', 'x-ratelimit-remaining']],
  [429, { 'retry-after': '1' }, ['429']],
  [200, {}, []],
])('%i with %j tells of a rate limit by %j', (status, headers, seen) => {
  expect(conclude('rate-limiting', [see('listPets', { status, headers })])).toEqual(seen);
});

type Item = Record<string, unknown>;

/** What is concluded from lists, each with the order that it was asked for. */
function conclude(...lists: [order: AskedOrder | undefined, records: Item[]][]): unknown {
  const orders = lists.map(([order]) => order);
  const watched = { ...watchedPets, readSort: () => orders.shift() };
  const observer = createSortDirectionObserver({ watched, contract: shippedContract, now: 0 });
  for (const [, body] of lists) observer.note?.(see('listPets', { body }));
  const concluded = observer.conclude();
  return 'answer' in concluded ? concluded.answer : `not observed: ${concluded.notObserved}`;
}

const sized = (...sizes: unknown[]): Item[] => sizes.map((size, id) => ({ id, size }));
const bySize: AskedOrder = { field: 'size', isDirected: false };

test('a list that is sorted by a field alone shows which way', () => {
  expect(conclude([bySize, sized(1, 2, 2, 5, 10)])).toBe('ascending');
  expect(conclude([bySize, sized(10, 9, 2, 1)])).toBe('descending');
  expect(conclude([bySize, sized(10, 9, 20, 1)])).toBe('ignored');
});

test('a direction that the request names, and records that are alike or too few, tell nothing', () => {
  expect(conclude([{ ...bySize, isDirected: true }, sized(4, 3, 2, 1)])).toMatch(/^not observed/);
  expect(conclude([bySize, sized(1, 1, 1, 1, 2)])).toMatch(/^not observed/);
  expect(conclude([bySize, sized(1, 2, 3)])).toMatch(/^not observed/);
});

test('a list that nobody sorted and that is in the same order makes it unclear', () => {
  expect(conclude([undefined, sized(1, 2, 3, 4)], [bySize, sized(1, 2, 3, 4)])).toMatch(/^not observed/);
  expect(conclude([undefined, sized(4, 3, 2, 1)], [bySize, sized(1, 2, 3, 4)])).toBe('ascending');
});

test('services differ in where capitals stand, and that is no other order', () => {
  expect(conclude([bySize, sized('a', 'B', 'c', 'd', 'e')])).toBe('ascending');
  expect(conclude([bySize, sized('B', 'a', 'c', 'd', 'e')])).toBe('ascending');
});
