import { expect, test } from 'vitest';
import {
  adoptProfile,
  compareProfiles,
  loadProfile,
  NOT_OBSERVED,
  readProfile,
  type ProfileAnswer,
} from '../../../src/contract/gaps/profile.js';
import { shippedGaps } from '../../support/shipped.js';
import { makeFile } from '../../support/folder.js';

function load(text: string): ReturnType<typeof loadProfile> {
  const path = makeFile('staging.profile.yaml', text);
  try {
    return loadProfile(path, shippedGaps);
  } catch (error) {
    // The folder is another one each time.
    throw new Error((error as Error).message.replace(path, 'staging.profile.yaml'), { cause: error });
  }
}

test('a profile is read with what it says of itself', () => {
  const profile = load(`target: https://staging.example/v1
date: 2026-11-21
contract: Petstore 1.0.0
gaps:
  list-order: { choice: oldest-first, evidence: GET /pets }
  name-length-limit: { value: 50 }
  error-codes: { seen: [getPet 404 gone_fishing] }
`);
  expect(profile).toEqual({
    target: 'https://staging.example/v1',
    date: '2026-11-21',
    contract: 'Petstore 1.0.0',
    entries: {
      'list-order': { answer: 'oldest-first', evidence: 'GET /pets' },
      'name-length-limit': { answer: 50 },
      'error-codes': { answer: ['getPet 404 gone_fishing'] },
    },
  });
});

test('an answer may stand alone', () => {
  const { entries } = load('gaps:\n  head: refused-405\n  name-length-limit: none\n  name-characters: [markup]\n');
  expect(entries).toEqual({
    head: { answer: 'refused-405' },
    'name-length-limit': { answer: 'none' },
    'name-characters': { answer: ['markup'] },
  });
});

test.each([
  ['gaps:\n  head: answered\n  list-ordr: oldest-first\n', ':3:3: there is no gap list-ordr; did you mean list-order?'],
  [
    'gaps: { list-order: oldest-frist }',
    ':1:9: oldest-frist is not a choice of list-order; did you mean oldest-first?',
  ],
  ['gaps:\n  head:\n    choice: refused-404\n', ':3:5: refused-404 is not a choice of head; did you mean refused-405?'],
  ['gaps:\n  head: { chioce: answered }\n', ':2:11: head has no `chioce`; did you mean choice?'],
  ['gaps:\n  head: { evidence: x }\n', ':2:3: head needs a `choice`.'],
  ['gaps: { name-length-limit: many }', ':1:9: name-length-limit must be a whole number from 1, or none, not many.'],
  ['gaps: { deprecation-header: 3 }\n', ':1:9: deprecation-header must be a text, or none.'],
  ['gaps: { pet-fields: tags }\n', ':1:9: pet-fields must be a list of texts, each the name of a field.'],
  ['tarket: x\n', ':1:1: a profile has no `tarket`; did you mean target?'],
  ['date: 3\n', ':1:1: `date` must be a text.'],
  ['gaps: [head]', ':1:1: `gaps` must be a mapping from gap to choice, such as `list-order: oldest-first`.'],
  ['- head\n', ':1:1: a profile must be a mapping with `gaps`, a choice for each gap.'],
  ['gaps: { head: { choice: answered, evidence: [] } }\n', ':1:35: evidence must be a text.'],
])('what a hand has mistyped in %j is rejected with its line', (text, message) =>
  expect(() => load(text)).toThrow(`staging.profile.yaml${message}`),
);

test('a profile in memory is refused with the path in it', () => {
  const message = 'profile/gaps/head: no is not a choice of head';
  expect(() => readProfile({ gaps: { head: 'no' } }, shippedGaps)).toThrow(message);
});

test('a mock makes its own choice where a profile has none that it can make', () => {
  const gaps = { 'list-order': 'other', head: 'not-observed', 'bearer-case': 'exact', 'name-length-limit': 'none' };
  const profile = adoptProfile(readProfile({ gaps }, shippedGaps), shippedGaps, 'mine');
  expect(profile.choices).toMatchObject({ 'list-order': 'newest-first', head: 'answered', 'bearer-case': 'exact' });
  expect(profile).toMatchObject({ name: 'mine', values: {}, seen: {}, unknown: ['list-order', 'head'] });
});

const profileOf = (id: string, answer: ProfileAnswer | undefined) => ({
  entries: answer === undefined ? {} : { [id]: { answer } },
});

/** `same`, `changed`, or `noted` for a difference that proves nothing. */
function compare(id: string, before: ProfileAnswer | undefined, now: ProfileAnswer | undefined): string {
  const [difference] = compareProfiles(profileOf(id, before), profileOf(id, now), shippedGaps);
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
  const all = (answer: string) => ({ entries: { 'wrong-method': { answer }, head: { answer } } });
  expect(compareProfiles(all('a'), all('b'), shippedGaps).map(({ id }) => id)).toEqual(['head', 'wrong-method']);
});
