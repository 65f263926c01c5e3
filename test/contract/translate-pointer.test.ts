import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/contract.js';
import { createTranslator } from '../../src/contract/translate-pointer.js';
import { packageFile } from '../../src/package-files.js';
import { changeContract, shippedContract } from '../support/shipped.js';

const team = loadContract(packageFile('examples/store-orders/petstore.openapi.yaml'));
const swapped = changeContract([
  '- name: limit',
  '- name: page\n          in: query\n          schema: { type: integer }\n        - name: limit',
]);
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
const SCHEME = '/components/securitySchemes';
const NEW_NAME = '/components/schemas/NewPet/properties/name';

test.each([
  ['a parameter at another index', swapped, `${LIMIT}/0/schema/maximum`, `${LIMIT}/1/schema/maximum`],
  ['a place that is the same', team, '/components/schemas/NewPet', '/components/schemas/NewPet'],
  ['a path', renamed, '/paths/~1pets', '/paths/~1animals'],
  ['a response', renamed, `${PET}/responses/404`, `${ANIMAL}/responses/404`],
  ['the parameter of a path', renamed, `${PET}/parameters/0`, `${ANIMAL}/parameters/0`],
  ['a schema', renamed, NEW_NAME, '/components/schemas/Draft/properties/name'],
  ['a scheme of keys', renamed, `${SCHEME}/apiKey/scheme`, `${SCHEME}/token/scheme`],
  ['what nobody has', renamed, '/components/schemas/Nowhere/properties', '/components/schemas'],
  ['what is around a keyword that is not there', swapped, `${NEW_NAME}/maxLength`, NEW_NAME],
])('%s of the shipped contract is found in another one', (_, contract, pointer, expected) => {
  expect(createTranslator(shippedContract, contract)(pointer)).toBe(expected);
});
