import { expect, test } from 'vitest';
import { loadContract } from '../../../src/contract/contract.js';
import { inferResources } from '../../../src/contract/resources/infer-resources.js';
import { packageFile } from '../../../src/package-files.js';
import { describeOperation, summarize } from './support/summarize.js';
import { shippedContract } from '../../support/shipped.js';

// Documents as they are often written, rebuilt small, and all that is inferred of each.
test.each(['shelter', 'kennel', 'gallery', 'ferry', 'chores'])('what is inferred of the document %s', (name) => {
  const contract = loadContract(packageFile(`test/contract/resources/support/documents/${name}.yaml`));
  expect(contract.listNotes()).toEqual([]);
  expect(summarize(inferResources(contract))).toMatchSnapshot();
});

test('the pets of the contract that ships are a resource like any other', () => {
  const { resources, singletons, notes } = inferResources(shippedContract);
  expect({ singletons, notes, names: resources.map(({ name }) => name) }).toEqual({
    singletons: [],
    notes: [],
    names: ['pets'],
  });
  const [pets] = resources;
  expect(pets).toMatchObject({
    singular: 'pet',
    collectionPath: '/pets',
    itemPath: '/pets/{petId}',
    schemaPointer: '/components/schemas/Pet',
    key: { property: 'id', parameter: 'petId', kind: 'integer', givenBy: 'service' },
    scope: [],
    assigned: [],
    notes: [],
  });
  expect(pets?.parent).toBeUndefined();
  expect(pets?.operations.map(describeOperation)).toEqual([
    '  list listPets: 200 list; status equals status; pages {"kind":"offset","limit":"limit"}',
    '  create createPet: 201 record',
    '  get getPet: 200 record',
  ]);
  expect(pets?.operations[1]?.requestPointer).toContain('/post/requestBody/');
});

test('orders of a document of several files are a resource beside the pets', () => {
  const { resources } = inferResources(loadContract(packageFile('examples/store-orders/petstore.openapi.yaml')));
  expect(resources.map(({ name }) => name)).toEqual(['pets', 'orders']);
  expect(resources[1]).toMatchObject({
    collectionPath: '/store/orders',
    itemPath: '/store/orders/{orderId}',
    key: { property: 'id', parameter: 'orderId', kind: 'integer', givenBy: 'service' },
    assigned: [{ name: 'status', required: true }],
    operations: [
      { role: 'create', operation: { id: 'createOrder' }, success: { status: 201, body: 'record' } },
      { role: 'get', operation: { id: 'getOrder' } },
      { role: 'remove', operation: { id: 'cancelOrder' }, success: { status: 204, body: 'none' } },
    ],
  });
});
