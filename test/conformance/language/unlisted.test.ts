import { expect, test } from 'vitest';
import { listUnlisted } from '../../../src/conformance/wire/request/unlisted.js';

const CREATED = [{ id: 7 }, { id: 8 }];

test.each([
  [
    [{ id: 3 }, { id: 5 }],
    [2, 4, 6],
  ],
  [[], [7, 8]],
  [[{ name: 'without an id' }], []],
  ['no list', undefined],
])('beside what is listed in %j may be %j', (list, ids) => {
  expect(listUnlisted(list, CREATED)).toEqual(ids);
});
