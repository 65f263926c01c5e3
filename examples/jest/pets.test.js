import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startPetstoreMock } from 'petstore-mock';

const KEY = { Authorization: 'Bearer petstore-dev-key' };
let mock;
beforeAll(async () => {
  mock = await startPetstoreMock();
});
beforeEach(() => mock.reset());
afterEach(() => mock.assertNoViolations());
afterAll(() => mock.close());

test('sold pets are listed', async () => {
  await mock.pets.replace([{ name: 'Rex', categoryId: 1, status: 'sold' }]);
  const response = await fetch(`${mock.url}/pets?status=sold`, { headers: KEY });
  expect(await response.json()).toEqual([expect.objectContaining({ name: 'Rex' })]);
});

test('the next call fails, and the one after does not', async () => {
  await mock.faults.add({ operationId: 'listPets', times: 1, effect: { status: 503 } });
  const statuses = [];
  for (let call = 0; call < 2; call++) {
    statuses.push((await fetch(`${mock.url}/pets`, { headers: KEY })).status);
  }
  expect(statuses).toEqual([503, 200]);
});

test('a request that breaks the contract is found', async () => {
  await fetch(`${mock.url}/pets?limit=101`, { headers: KEY });
  await expect(mock.assertNoViolations()).rejects.toThrow('query/limit');
  await mock.requests.clear();
});
