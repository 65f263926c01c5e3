import { expect, test } from 'vitest';
import { compareProfiles, NOT_OBSERVED, type ProfileAnswer } from '../../../src/contract/gaps/profile.js';
import { shippedGaps } from '../../support/shipped.js';

const profile = (id: string, answer: ProfileAnswer | undefined) => ({
  entries: answer === undefined ? {} : { [id]: { answer } },
});

/** `same`, `changed`, or `noted` for a difference that proves nothing. */
function compare(id: string, before: ProfileAnswer | undefined, now: ProfileAnswer | undefined): string {
  const [difference] = compareProfiles(profile(id, before), profile(id, now), shippedGaps);
  if (difference === undefined) return 'same';
  return difference.isChange ? 'changed' : 'noted';
}

test.each<[string, ProfileAnswer | undefined, ProfileAnswer | undefined, string]>([
  ['head', 'answered', 'answered', 'same'],
  ['head', 'answered', 'refused-405', 'changed'],
  ['head', 'answered', 'other', 'changed'],
  ['head', 'other', 'other', 'same'],
  ['head', NOT_OBSERVED, 'answered', 'noted'],
  ['head', undefined, 'answered', 'noted'],
  ['head', undefined, NOT_OBSERVED, 'same'],
  ['name-length-limit', 50, 255, 'changed'],
  ['name-length-limit', 'none', 50, 'changed'],
  ['name-length-limit', 50, 50, 'same'],
  ['pet-fields', ['a'], ['a'], 'same'],
  ['pet-fields', ['a'], [], 'noted'],
  ['rate-limiting', [], ['429'], 'noted'],
  ['error-codes', ['getPet 404 a'], ['getPet 404 a', 'getPet 401 b'], 'noted'],
  ['error-codes', ['getPet 404 a'], ['getPet 401 b'], 'noted'],
  ['error-codes', ['getPet 404 a', 'getPet 404 b'], ['getPet 404 b'], 'noted'],
  ['error-codes', ['getPet 404 a'], ['getPet 404 A'], 'changed'],
])('%s: from %j to %j is %s, both ways', (id, before, now, verdict) => {
  expect(compare(id, before, now)).toBe(verdict);
  expect(compare(id, now, before)).toBe(verdict);
});

test('differences are sorted by the id of their gap', () => {
  const all = (answer: string) => ({
    entries: Object.fromEntries(['wrong-method', 'head'].map((id) => [id, { answer }])),
  });
  expect(compareProfiles(all('a'), all('b'), shippedGaps).map(({ id }) => id)).toEqual(['head', 'wrong-method']);
});
