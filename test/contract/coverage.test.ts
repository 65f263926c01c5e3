import { expect, test } from 'vitest';
import { createCoverage, type CoveredExchange } from '../../src/contract/coverage.js';
import { readParameters } from '../../src/contract/parameters.js';
import { changeContract, shippedContract as contract } from '../support/shipped.js';
import { createTranslator } from '../../src/contract/translate-pointer.js';

const REX = { name: 'Rex', categoryId: 1 };

function exchange(operationId: string, status: number, query = '', body?: unknown): CoveredExchange {
  const operation = contract.operations.find(({ id }) => id === operationId);
  if (operation === undefined) throw new Error(`there is no operation ${operationId}`);
  const parameters = readParameters(operation, { pathValues: { petId: '7' }, query, headers: {} });
  const violations = [
    ...contract.validate.parameters(operation, parameters),
    ...(body === undefined ? [] : contract.validate.requestBody(operation, 'application/json', body)),
  ];
  return { operation, status, parameters, body, violations };
}

function missingAfter(...exchanges: CoveredExchange[]): string[] {
  const coverage = createCoverage(contract);
  for (const each of exchanges) coverage.add(each);
  return coverage.summarize().missing.map(({ id }) => id);
}

test('without an exchange everything is missing, and every item is somewhere in the contract', () => {
  const { total, covered, missing } = createCoverage(contract).summarize();
  expect([covered, missing.length]).toEqual([0, total]);
  expect(missing.filter(({ pointer }) => contract.document.at(pointer) === undefined)).toEqual([]);
  expect(new Set(missing.map(({ id }) => id)).size).toBe(total);
});

test('a value of which the answer could not have been wrong is sent, and not covered; the parameter is', () => {
  const coverage = createCoverage(contract);
  coverage.add({ ...exchange('listPets', 200, 'limit=100&status=sold'), untried: ['limit'] });
  const { missing } = coverage.summarize();
  expect(missing.filter(({ sent }) => sent).map(({ id }) => id)).toEqual(['listPets is sent query/limit = 100']);
  const ids = missing.map(({ id }) => id);
  expect(ids).toContain('listPets is sent query/limit = 100');
  expect(ids).not.toContain('listPets is sent query/limit');
  expect(ids).not.toContain('listPets is sent query/status = "sold"');
});

test.each([
  ['listPets is called', exchange('listPets', 200)],
  ['getPet answers 404', exchange('getPet', 404)],
  ['listPets is sent query/limit', exchange('listPets', 200, 'limit=5')],
  ['listPets is sent query/limit = 100', exchange('listPets', 200, 'limit=100')],
  ['listPets is sent query/status = "sold"', exchange('listPets', 200, 'status=sold')],
  ['listPets is sent query/limit against its maximum', exchange('listPets', 400, 'limit=101')],
  ['listPets is sent query/status against its enum', exchange('listPets', 400, 'status=unknown')],
  ['createPet is sent body/status = "pending"', exchange('createPet', 201, '', { ...REX, status: 'pending' })],
  ['createPet is sent body/name against its required', exchange('createPet', 400, '', { categoryId: 1 })],
])('"%s" is missing until an exchange shows it', (id, shown) => {
  expect(missingAfter()).toContain(id);
  expect(missingAfter(shown)).not.toContain(id);
});

test('what another operation was sent does not count, and an answer that only a range documents is no item', () => {
  expect(missingAfter(exchange('getPet', 401))).toContain('listPets answers 401');
  const answered = missingAfter(exchange('listPets', 200)).length;
  expect(missingAfter(exchange('listPets', 422))).toHaveLength(answered + 1);
});

const PAGE = '- name: page\n          in: query\n          schema: { type: integer }\n        ';
const swapped = changeContract(['- name: limit', `${PAGE}- name: limit`]);
const renamed = changeContract(
  ['  /pets:', '  /animals:'],
  ['  /pets/{petId}:', '  /animals/{id}:'],
  ['- name: petId', '- name: id'],
  ['    NewPet:', '    Draft:'],
  ["'#/components/schemas/NewPet'", "'#/components/schemas/Draft'"],
  ["'#/components/schemas/NewPet'", "'#/components/schemas/Draft'"],
  ['    apiKey:', '    token:'],
  ['- apiKey: []', '- token: []'],
);

const PET = '/paths/~1pets~1{petId}/get';
const ANIMAL = '/paths/~1animals~1{id}/get';
const LIMIT = '/paths/~1pets/get/parameters';

const NEW_NAME = '/components/schemas/NewPet/properties/name';

test.each([
  ['a parameter at another index', swapped, `${LIMIT}/0/schema/maximum`, `${LIMIT}/1/schema/maximum`],
  ['a path', renamed, '/paths/~1pets', '/paths/~1animals'],
  ['a response', renamed, `${PET}/responses/404`, `${ANIMAL}/responses/404`],
  ['a schema', renamed, NEW_NAME, '/components/schemas/Draft/properties/name'],
  ['what nobody has', renamed, '/components/schemas/Nowhere/properties', '/components/schemas'],
  ['what is around a keyword that is not there', swapped, `${NEW_NAME}/maxLength`, NEW_NAME],
])('%s of the shipped contract is found in another one', (_, other, pointer, expected) => {
  expect(createTranslator(contract, other)(pointer)).toBe(expected);
});
