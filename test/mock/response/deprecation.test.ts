import { expect, test } from 'vitest';
import type { ApiResponse } from '../../../src/contract/message.js';
import { changeContract } from '../../support/shipped.js';
import { ask, createTestWorld, outcome, type TestWorldOptions } from '../../support/test-world.js';

const REMOVAL = '2030-12-05T00:00:00Z';
const DAY_LATER = '2030-12-06T00:00:00Z';

function getPetAt(time: string, options: TestWorldOptions = {}, offset = 0): ApiResponse {
  const clock = { now: () => Date.parse(time) + offset, elapsed: () => 0 };
  return ask(createTestWorld({ ...options, clock }), 'GET /v1/pets/1');
}

test('the removal and the successor are announced, where the mock is mounted', () => {
  const { headers } = ask(createTestWorld(), 'GET /v1/pets/1', { mountPath: '/api' });
  const Link = '</api/v1/pets>; rel="successor-version"';
  expect(headers).toMatchObject({ Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT', Link });
});

test('refusals of a deprecated operation announce it too', () => {
  const world = createTestWorld();
  expect(ask(world, 'GET /v1/pets/99').headers).toHaveProperty('Sunset');
  expect(ask(world, 'GET /v1/pets/1', { headers: { authorization: '' } }).headers).toHaveProperty('Sunset');
});

test('no other operation announces anything', () =>
  expect(Object.keys(ask(createTestWorld(), 'GET /v1/pets').headers)).toEqual(['Content-Type']));

test('a Deprecation is sent as a profile has seen it, and else none, since nobody gave its date', () => {
  const headersWith = (values: Record<string, string>) => ask(createTestWorld({ values }), 'GET /v1/pets/1').headers;
  expect(headersWith({})).not.toHaveProperty('Deprecation');
  expect(headersWith({ 'deprecation-header': '@1767225600' })['Deprecation']).toBe('@1767225600');
});

test('a millisecond before the removal the operation is served', () =>
  expect(getPetAt(REMOVAL, {}, -1).status).toBe(200));

test.each([0, 1, 1e12])('%i ms after the removal it is gone, and says what to use', (offset) => {
  const gone = '410 getPet was removed on 2030-12-05; use listPets instead';
  expect(outcome(getPetAt(REMOVAL, {}, offset))).toBe(gone);
});

test('where the removal is at the end of the day, it is a day later', () => {
  const options = { choices: { 'removal-hour': 'end-of-day' } };
  expect(getPetAt(DAY_LATER, options, -1).status).toBe(200);
  expect(getPetAt(DAY_LATER, options).status).toBe(410);
  expect(getPetAt(REMOVAL, options).headers['Sunset']).toBe('Fri, 06 Dec 2030 00:00:00 GMT');
});

test('who has no key learns nothing of a removed operation', () => {
  const clock = { now: () => Date.parse(REMOVAL), elapsed: () => 0 };
  expect(ask(createTestWorld({ clock }), 'GET /v1/pets/1', { headers: { authorization: '' } }).status).toBe(401);
});

test('another day in the contract is another removal', () => {
  const contract = changeContract(["x-sunset: '2030-12-05'", "x-sunset: '2027-02-03'"]);
  expect(getPetAt('2027-02-03T00:00:00Z', { contract }).status).toBe(410);
  expect(getPetAt('2027-02-02T23:59:59Z', { contract }).headers['Sunset']).toBe('Wed, 03 Feb 2027 00:00:00 GMT');
});

test('without a day nothing is removed, and the successor is still named', () => {
  const contract = changeContract(["      x-sunset: '2030-12-05'\n", '']);
  const { status, headers } = getPetAt('2099-01-01T00:00:00Z', { contract });
  expect(status).toBe(200);
  expect(headers).not.toHaveProperty('Sunset');
  expect(headers).toHaveProperty('Link');
});
