import { expect, test } from 'vitest';
import { coversMediaType } from '../../src/contract/media-types.js';

test.each([
  ['application/json', 'application/json', true],
  ['*/*', 'image/png', true],
  ['image/*', 'image/png', true],
  ['image/*', 'text/png', false],
  ['application/*+json', 'application/vnd.a+json', true],
  ['application/*+json', 'application/json', false],
  ['application/*+json', 'text/a+json', false],
])('%s takes in %s: %s', (range, mediaType, takes) => {
  expect(coversMediaType(range, mediaType)).toBe(takes);
});
