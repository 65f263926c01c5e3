import { expect, test } from 'vitest';
import { loadContract } from '../../../src/contract/contract.js';
import { inferResources } from '../../../src/contract/resources/infer-resources.js';
import { packageFile } from '../../../src/package-files.js';
import { summarize } from './support/summarize.js';
import { shippedContract } from '../../support/shipped.js';

// Documents as they are often written, rebuilt small, and all that is inferred of each.
test.each(['shelter', 'kennel', 'gallery', 'ferry', 'chores'])('what is inferred of the document %s', (name) => {
  const contract = loadContract(packageFile(`test/contract/resources/support/documents/${name}.yaml`));
  expect(contract.listNotes()).toEqual([]);
  expect(summarize(inferResources(contract))).toMatchSnapshot();
});

test('the pets of the contract that ships are a resource like any other', () => {
  const inferred = inferResources(shippedContract);
  expect(summarize(inferred)).toEqual([
    'pets (a pet) at /pets and /pets/{petId}, Pet; key id from {petId}, integer, given by service',
    '  list listPets: 200 list; status equals status; pages {"kind":"offset","limit":"limit"}',
    '  create createPet: 201 record',
    '  get getPet: 200 record',
  ]);
  expect(inferred.resources[0]?.schemaPointer).toBe('/components/schemas/Pet');
  expect(inferred.resources[0]?.operations[1]?.requestPointer).toContain('/post/requestBody/');
});

test('orders of a document of several files are a resource beside the pets', () => {
  const contract = loadContract(packageFile('examples/store-orders/petstore.openapi.yaml'));
  const lines = summarize(inferResources(contract));
  expect(lines.slice(lines.findIndex((line) => line.startsWith('orders')))).toEqual([
    'orders (a order) at /store/orders and /store/orders/{orderId}, Order; key id from {orderId}, integer, given by service; assigned: status',
    '  create createOrder: 201 record',
    '  get getOrder: 200 record',
    '  remove cancelOrder: 204 none',
  ]);
});
