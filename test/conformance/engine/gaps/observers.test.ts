import { describe, expect, test } from 'vitest';
import { conclude, concludeWhole, create, see } from './seen.js';

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
