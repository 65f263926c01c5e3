import { expect, test } from 'vitest';
import { authenticate, challenge } from '../../../src/mock/request/authenticate.js';
import { createKeyRing } from '../../../src/mock/request/credentials.js';
import type { ApiRequest } from '../../../src/contract/message.js';
import { profileWith, shippedContract } from '../../support/shipped.js';
import { createTestWorld, KEY, makeRequest } from '../../support/test-world.js';

const keys = createKeyRing(['secret', 'clé-🔑']);
const challengeAt = (request: ApiRequest): ReturnType<typeof challenge> =>
  challenge(request, shippedContract.security, createTestWorld());
const judge = (field: string | undefined): string => authenticate(field, keys, profileWith());

test.each(['Bearer secret', 'bearer secret', 'BEARER  secret', 'Bearer secret  '])('%j is accepted', (field) => {
  expect(judge(field)).toBe('accepted');
});

test('any of several keys is accepted, one of other characters as its bytes arrive', () => {
  expect(judge(`Bearer ${Buffer.from('clé-🔑').toString('latin1')}`)).toBe('accepted');
});

test.each([
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'Bearersecret',
  'secret',
  'Basic secret',
  'Bearer a b',
  'Bearer secret, Bearer x',
  ' Bearer secret',
])('%j carries no token', (field) => {
  expect(judge(field)).toBe('no-token');
});

test.each(['Bearer Secret', 'Bearer secre', 'Bearer secrets', 'Bearer "secret"', 'Bearer clé-🔑', 'Bearer undefined'])(
  '%j carries a wrong token',
  (field) => {
    expect(judge(field)).toBe('wrong-token');
  },
);

test('where the profile compares the scheme exactly, only Bearer is one', () => {
  const profile = profileWith({ 'bearer-case': 'exact' });
  expect(authenticate('bearer secret', keys, profile)).toBe('no-token');
  expect(authenticate('Bearer secret', keys, profile)).toBe('accepted');
});

test('a request with a valid key is not challenged', () => {
  expect(challengeAt(makeRequest('GET /v1/pets'))).toBeUndefined();
});

test('a missing key is challenged without an error, a wrong one with invalid_token', () => {
  const challengeOf = (authorization: string): unknown =>
    challengeAt(makeRequest('GET /v1/pets', { headers: { authorization } }))?.headers;
  expect(challengeOf('')).toEqual({ 'WWW-Authenticate': 'Bearer realm="petstore"' });
  expect(challengeOf('Bearer wrong')).toEqual({ 'WWW-Authenticate': 'Bearer realm="petstore", error="invalid_token"' });
});

test('no key is told to who does not have one', () => {
  const told = challengeAt(makeRequest('GET /v1/pets', { headers: { authorization: 'Bearer x' } }));
  expect(JSON.stringify(told)).not.toContain(KEY);
});

// Work that grew with the square of the length would outlast the test.
test('a megabyte of spaces is judged', () => {
  expect(judge(`Bearer ${' '.repeat(1_000_000)}x y`)).not.toBe('accepted');
  expect(judge(`Bearer x${' '.repeat(1_000_000)}y`)).not.toBe('accepted');
});
