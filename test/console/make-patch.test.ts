import { expect, test } from 'vitest';
import { makePatch } from '../../src/console/collections/draft.js';

test('a patch has what changed, and null for what was taken out', () => {
  const before = { id: 1, name: 'Rex', status: 'sold', address: { street: 'A', city: 'B' }, tags: [1, 2] };
  const after = { id: 1, name: 'Max', address: { city: 'B', zip: '1' }, tags: [1], large: 9007199254740993n };
  expect(makePatch(before, after)).toEqual({
    name: 'Max',
    status: null,
    address: { street: null, zip: '1' },
    tags: [1],
    large: 9007199254740993n,
  });
  expect(makePatch(before, { ...before })).toEqual({});
});
