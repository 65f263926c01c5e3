import { expect, test } from 'vitest';
import { observe } from '../../support/round-trip.js';

test.each([10, 50, 64, 137, 255, 1000])('a name limit of %i is found to the letter', async (limit) => {
  expect(await observe({ 'name-length-limit': limit }, { only: ['pets/gaps/text-length-limit*'] })).toMatchObject({
    'name-length-limit': limit,
  });
});

test('a name limit past every length that is tried counts as none', async () => {
  const seen = await observe({ 'name-length-limit': 64_000 }, { only: ['pets/gaps/text-length-limit*'] });
  expect(seen['name-length-limit']).toBe('none');
});

test('a limit that takes more tries than a guest may make is not guessed', async () => {
  const seen = await observe({ 'name-length-limit': 1499 }, { only: ['pets/gaps/text-length-limit*'] });
  expect(seen['name-length-limit']).toBe('not-observed');
});

test('a Deprecation is found as it is sent', async () => {
  const since = '@1767225600';
  expect(await observe({ 'deprecation-header': since })).toMatchObject({ 'deprecation-header': since });
});

test.each(['astral', 'non-ascii', 'control', 'markup', 'outer-spaces'])(
  'names with %s are found refused',
  async (kind) => {
    const seen = await observe({ 'name-characters': [kind] }, { only: ['pets/gaps/text-characters*'] });
    // Whoever refuses all that is not ASCII refuses what is past U+FFFF too.
    expect(seen['name-characters']).toEqual(kind === 'non-ascii' ? ['astral', 'non-ascii'] : [kind]);
  },
);

test('codes are found as they are sent, by operation and status', async () => {
  const codes = ['createPet 400 BAD_PET', 'getPet 404 NO_PET', 'listPets 400 BAD_QUERY'];
  const seen = await observe({ 'error-codes': codes });
  expect(seen['error-codes']).toEqual(expect.arrayContaining(codes));
  expect(seen['error-codes']).not.toContain('getPet 404 not_found');
});

test.each(['fraction', 'exponent', 'plus', 'zeros', 'space'])(
  'integers that are read with %s are found',
  async (form) => {
    const only = ['pets/gaps/limit-forms*', 'pets/gaps/key-forms*'];
    const seen = await observe({ 'limit-forms': [form], 'pet-id-forms': [form] }, { only });
    expect(seen).toMatchObject({ 'limit-forms': [form], 'pet-id-forms': [form] });
  },
);

test('a service that reads plain digits alone is said to read no other form', async () => {
  const only = ['pets/gaps/limit-forms*', 'pets/gaps/key-forms*'];
  expect(await observe({}, { only })).toMatchObject({ 'limit-forms': [], 'pet-id-forms': [] });
});
