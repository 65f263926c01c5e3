import { expect, test } from 'vitest';
import { withArticle } from '../../../src/contract/resources/words.js';

test.each([
  'an order',
  'an update',
  'an upload',
  'an hour',
  'an API key',
  'a pet',
  'a user',
  'a unit',
  'a utility',
  'a usage record',
  'a URL',
  'a UUID',
  'a European order',
])('the article of %s is that of its first sound', (expected) => {
  expect(withArticle(expected.slice(expected.indexOf(' ') + 1))).toBe(expected);
});
