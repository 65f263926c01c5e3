import { expect, test } from 'vitest';
import { ask, createTestWorld, outcome } from '../../support/test-world.js';

const create = (name: string, options: Parameters<typeof createTestWorld>[0]): string =>
  outcome(ask(createTestWorld(options), 'POST /v1/pets', { body: JSON.stringify({ name, categoryId: 1 }) }));

test('without a profile, a name is any text', () => expect(create(`${'x'.repeat(100_000)}<🐈>\n `, {})).toBe('201'));

test('a name up to the limit of the profile is taken, a longer one is refused', () => {
  const values = { 'name-length-limit': 5 };
  expect(create('Rexxy', { values })).toBe('201');
  expect(create('Rexxyz', { values })).toBe('400 body/name must have at most 5 characters');
});

test('a character of two UTF-16 units is one', () =>
  expect(create('🐈🐈🐈🐈🐈', { values: { 'name-length-limit': 5 } })).toBe('201'));

test.each([
  ['astral', '🐈', 'Žofinka'],
  ['non-ascii', 'Žofinka', 'Rex\t'],
  ['control', 'a\tb', 'Žofinka'],
  ['markup', 'a<b', 'a&b'],
  ['outer-spaces', ' Rex', 'a b'],
])('a profile that has seen %s refused refuses %j, and not %j', (kind, refused, taken) => {
  const seen = { 'name-characters': [kind] };
  expect(create(refused, { seen })).toBe(`400 body/name has characters that are not allowed: ${kind}`);
  expect(create(taken, { seen })).toBe('201');
});

test('errors have the codes that a profile has seen for their operation and status', () => {
  const world = createTestWorld({
    seen: { 'error-codes': ['getPet 404 NO_PET', 'getPet 404 OTHER', 'listPets 400 BAD'] },
  });
  const code = (target: string): unknown => (ask(world, target).value as { code: string }).code;
  expect(code('GET /v1/pets/99')).toBe('NO_PET');
  expect(code('GET /v1/pets?limit=0')).toBe('BAD');
  expect(code('GET /v1/pets?limit=0')).toBe('BAD');
  expect(code('PUT /v1/pets')).toBe('method_not_allowed');
});
