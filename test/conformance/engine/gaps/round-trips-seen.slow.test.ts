import { expect, test } from 'vitest';
import { observe } from '../../support/round-trip.js';

test('a name limit past every length that is tried counts as none', async () => {
  const seen = await observe({ 'name-length-limit': 64_000 }, { only: ['pets/gaps/text-length-limit*'] });
  expect(seen['name-length-limit']).toBe('none');
});

test('a Deprecation is found as it is sent', async () => {
  const since = '@1767225600';
  expect(await observe({ 'deprecation-header': since })).toMatchObject({ 'deprecation-header': since });
});

test('codes are found as they are sent, by operation and status', async () => {
  const codes = ['createPet 400 BAD_PET', 'getPet 404 NO_PET', 'listPets 400 BAD_QUERY'];
  const seen = await observe({ 'error-codes': codes });
  expect(seen['error-codes']).toEqual(expect.arrayContaining(codes));
  expect(seen['error-codes']).not.toContain('getPet 404 not_found');
});
