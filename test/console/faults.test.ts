import { expect, test } from 'vitest';
import { parseFault } from '../../src/cli/mock/options.js';
import { toAnswer, describeEffect, describeTarget, toFlag } from '../../src/console/describe-fault.js';
import { fits, NO_FILTER, verdictOf, writeRanges } from '../../src/console/exchanges/filter.js';
import type { Fault } from '../../src/console/types.js';

test.each<[Fault, string]>([
  [{ effect: { status: 503 } }, "--fault '*:503'"],
  [{ operationId: 'getPet', effect: { delay: { from: 1, to: 9 } }, rate: 0.5 }, "--fault 'getPet:delay=1-9:rate=0.5'"],
  [{ operationId: 'createPet', effect: { truncate: true }, at: 'after' }, "--fault 'createPet:truncate:after'"],
  [
    { effect: { invalidJson: true }, when: { method: 'GET', path: '/pets', query: { status: 'sold' } } },
    "--fault '*:invalid-json:method=GET:path=/pets:query.status=sold'",
  ],
])('the flag of %j is one that the command line reads so', (fault, flag) => {
  expect(toFlag(fault)).toBe(flag);
  expect(parseFault(/'(.*)'/.exec(flag)?.[1] ?? '')).toEqual({ fault });
});

test('what the command line cannot write has no flag', () =>
  expect(toFlag({ effect: { status: 500 }, when: { path: '/a:b' } })).toBeUndefined());

test('an answer of one’s own is a flag too, with every digit', () => {
  const fault: Fault = { operationId: 'getPet', effect: { answer: { status: 200, body: { id: 9007199254740993n } } } };
  const flag = toFlag(fault);
  expect(flag).toBe(
    `--fault '{"operationId":"getPet","effect":{"answer":{"status":200,"body":{"id":9007199254740993}}}}'`,
  );
  expect(parseFault(/'(.*)'/.exec(flag ?? '')?.[1] ?? '')).toEqual({ fault });
  expect(describeEffect(fault)).toBe('responds with 200 and your body');
});

test.each([
  ['', '', {}],
  ['404', '{"id": 1}', { status: 404, body: { id: 1 } }],
  ['200', 'Rex', { status: 200, body: 'Rex' }],
])('the status %s and the body %s are an answer', (status, body, answer) => {
  expect(toAnswer(status, { headers: '', body, breaks: false })).toEqual(answer);
  const headers = 'Retry-After: 5\nX-Url: http://a:1\nodd';
  const more = { headers: { 'Retry-After': '5', 'X-Url': 'http://a:1' }, breaksContract: true };
  expect(toAnswer(status, { headers, body, breaks: true })).toEqual({ ...answer, ...more });
});

test('a fault is told in words', () => {
  const effect = { status: 503, delay: 20 };
  const fault: Fault = { operationId: 'listPets', effect, times: 1, when: { path: '/pets' } };
  expect(describeEffect(fault)).toBe('responds with 503, delays 20 ms');
  expect(describeTarget(fault)).toBe('listPets · /pets · once');
});

const told = { id: 1, time: 100_000, duration: 1, method: 'GET', url: '/v1/Pets', status: 404 } as const;
const row = { ...told, verdict: 'client', faults: 0, reason: 'none has it' } as const;

test.each([
  [{ text: 'NONE HAS' }, true],
  [{ method: 'POST' }, false],
  [{ status: '4' }, true],
  [{ status: '2' }, false],
  [{ operation: '-' }, true],
  [{ operation: 'listPets' }, false],
  [{ verdict: 'ok' as const }, false],
  [{ minutes: '1' }, false],
  [{ minutes: '5' }, true],
])('the filter %j lets it through: %s', (filter, isThrough) => {
  expect(fits(row, { ...NO_FILTER, ...filter }, 200_000, new Set())).toBe(isThrough);
});

test('what a fault made is not valid, and is found by it', () => {
  const struck = { ...row, verdict: 'ok', faults: 1 } as const;
  const isShown = (verdict: 'ok' | 'fault' | 'client', of: typeof struck | typeof row): boolean =>
    fits(of, { ...NO_FILTER, verdict }, 0, new Set());
  expect([isShown('ok', struck), isShown('fault', struck)]).toEqual([false, true]);
  expect([verdictOf(struck), verdictOf({ ...struck, faults: 0 }), verdictOf(row)]).toEqual(['fault', 'ok', 'client']);
  // What the client did wrong, it did wrong with a fault, too.
  expect(verdictOf({ ...row, faults: 1 })).toBe('client');
});

test('an exchange that the mock has found a text in is shown, wherever the text stands', () => {
  const filter = { ...NO_FILTER, text: 'whiskers' };
  expect(fits(row, filter, 0, new Set([row.id]))).toBe(true);
  expect(fits(row, filter, 0, new Set([row.id + 1]))).toBe(false);
  expect(fits(row, { ...filter, method: 'POST' }, 0, new Set([row.id]))).toBe(false);
});

test('numbers are written as ranges', () => {
  expect(writeRanges([])).toBe('');
  expect(writeRanges([9, 3, 4, 5, 1])).toBe('1,3-5,9');
});
