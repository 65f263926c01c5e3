import { expect, test } from 'vitest';
import { describeChange } from '../../../src/conformance/explain/changes.js';

test.each([
  ['  Rex ', 'Rex', 'lose the spaces around them'],
  ['Rex', 'rex', 'are lower-cased'],
  ['Rex the Great', 'Rex the', 'are cut'],
  ['<b>', '&lt;b&gt;', 'are escaped as HTML'],
  ['Zo\u00EB', 'Zoe', 'lose their accents'],
  ['Zo\u00EB', 'Zoe\u0308', 'are normalised'],
  // As reports show letters that look alike.
  ['Zo‹U+00EB›', 'Zoe‹U+0308›', 'are normalised'],
  ['Rex', 'Max', undefined],
])('the name %j that comes back as %j: %s', (before, after, how) => {
  expect(describeChange(JSON.stringify(before), JSON.stringify(after))).toBe(how);
});

test.each([
  ['9007199254740993', '9007199254740992', 'past 2^53 are rounded'],
  ['4294967299', '3', 'past 2^31 wrap around'],
  ['3', '4', undefined],
  ['3', '1e400', undefined],
  ['3', '1.5e0', undefined],
  ['9'.repeat(400), '4', undefined],
])('the integer %s that comes back as %s: %s', (before, after, how) => {
  expect(describeChange(before, after)).toBe(how);
});
