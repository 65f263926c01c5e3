import { expect, test } from 'vitest';
import { loadContract } from '../../../src/contract/contract.js';
import { inferResources } from '../../../src/contract/resources/infer-resources.js';
import { packageFile } from '../../../src/package-files.js';
import { shippedContract } from '../../support/shipped.js';

test('the pets of the contract that ships are a resource like any other', () => {
  const { resources, singletons, notes } = inferResources(shippedContract);
  expect({ singletons, notes }).toEqual({ singletons: [], notes: [] });
  expect(resources).toHaveLength(1);
  const [pets] = resources;
  expect(pets).toMatchObject({
    name: 'pets',
    singular: 'pet',
    collectionPath: '/pets',
    itemPath: '/pets/{petId}',
    schemaPointer: '/components/schemas/Pet',
    key: { property: 'id', parameter: 'petId', kind: 'integer', givenBy: 'service' },
    scope: [],
    parent: undefined,
    assigned: [],
    notes: [],
  });
  expect(
    pets?.operations.map(({ role, operation, success }) => [role, operation.id, success.status, success.body]),
  ).toEqual([
    ['list', 'listPets', 200, 'list'],
    ['create', 'createPet', 201, 'record'],
    ['get', 'getPet', 200, 'record'],
  ]);
  const [list, create] = pets?.operations ?? [];
  expect(list?.success.envelope).toBeUndefined();
  expect(list?.list).toEqual({
    filters: [{ parameter: 'status', property: ['status'], relation: 'equals' }],
    paging: { kind: 'offset', limit: 'limit' },
    unused: [],
  });
  expect(create?.requestMember).toBeUndefined();
  expect(create?.requestPointer).toContain('/post/requestBody/');
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
