import { describe, expect, test } from 'vitest';
import { adoptProfile, loadProfile, readProfile } from '../../../src/contract/gaps/profile.js';
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

describe('what a hand has mistyped is refused with its line', () => {
  test.each([
    [
      'a gap',
      'gaps:\n  head: answered\n  list-ordr: oldest-first\n',
      ':3:3: there is no gap list-ordr; did you mean list-order?',
    ],
    [
      'a choice',
      'gaps:\n  list-order: oldest-frist\n',
      ':2:3: oldest-frist is not a choice of list-order; did you mean oldest-first?',
    ],
    [
      'a choice in full',
      'gaps:\n  head:\n    choice: refused-404\n',
      ':3:5: refused-404 is not a choice of head; did you mean refused-405?',
    ],
    ['a field', 'gaps:\n  head: { chioce: answered }\n', ':2:11: head has no `chioce`; did you mean choice?'],
    ['no answer', 'gaps:\n  head: { evidence: x }\n', ':2:3: head needs a `choice`.'],
    [
      'a text for a number',
      'gaps: { name-length-limit: many }\n',
      ':1:9: name-length-limit must be a whole number from 1, or none, not many.',
    ],
    ['a number for a text', 'gaps: { deprecation-header: 3 }\n', ':1:9: deprecation-header must be a text, or none.'],
    [
      'a text for a list',
      'gaps: { pet-fields: tags }\n',
      ':1:9: pet-fields must be a list of texts, each the name of a field.',
    ],
    ['a head', 'tarket: x\n', ':1:1: a profile has no `tarket`; did you mean target?'],
    ['a date that is none', 'date: 3\n', ':1:1: `date` must be a text.'],
    [
      'a list of gaps',
      'gaps: [head]\n',
      ':1:1: `gaps` must be a mapping from gap to choice, such as `list-order: oldest-first`.',
    ],
    ['no mapping', '- head\n', ':1:1: a profile must be a mapping with `gaps`, a choice for each gap.'],
    ['evidence that is not', 'gaps: { head: { choice: answered, evidence: [] } }\n', ':1:35: evidence must be a text.'],
  ])('%s', (_, text, message) => expect(() => load(text)).toThrow(`staging.profile.yaml${message}`));
});

test('a profile in memory is refused with the path in it', () => {
  expect(() => readProfile({ gaps: { head: 'no' } }, shippedGaps)).toThrow(
    'profile/gaps/head: no is not a choice of head',
  );
});

test('a mock makes its own choice where a profile has none that it can make', () => {
  const gaps = { 'list-order': 'other', head: 'not-observed', 'bearer-case': 'exact', 'name-length-limit': 'none' };
  const profile = adoptProfile(readProfile({ gaps }, shippedGaps), shippedGaps, 'mine');
  expect(profile.choices).toMatchObject({ 'list-order': 'newest-first', head: 'answered', 'bearer-case': 'exact' });
  expect(profile).toMatchObject({ name: 'mine', values: {}, seen: {}, unknown: ['list-order', 'head'] });
});
