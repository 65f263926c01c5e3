// @vitest-environment node
import { describe, expect } from 'vitest';
import { test } from 'petstore-mock/vitest';
import type { PetstoreWorld } from 'petstore-mock';
import { createApi, type Api } from '../src/api.js';

function apiOf(petstore: PetstoreWorld, timeout?: number): Api {
  return createApi({ baseUrl: petstore.url, key: 'petstore-dev-key', ...(timeout !== undefined && { timeout }) });
}

const LUNA = { name: 'Luna', categoryId: 1, status: 'available' } as const;

test('a list is asked for again when the service fails for a moment', async ({ petstore }) => {
  await petstore.faults.add({ operationId: 'listPets', times: 2, effect: { status: 503 } });
  expect(await apiOf(petstore).listPets({ status: 'sold' })).not.toEqual([]);
  expect(await petstore.requests.count({ operationId: 'listPets' })).toBe(3);
});

test('a list that takes too long is given up', async ({ petstore }) => {
  await petstore.faults.add({ operationId: 'listPets', effect: { delay: 5000 } });
  await expect(apiOf(petstore, 30).listPets({})).rejects.toMatchObject({ kind: 'unreachable' });
});

test('a key that is refused is told apart', async ({ petstore }) => {
  // Whatever else breaks the contract fails this test.
  petstore.allowViolations({ status: 401 });
  const api = apiOf(petstore);
  api.useKey('another');
  await expect(api.listPets({})).rejects.toMatchObject({ kind: 'unauthorized' });
});

describe('a pet is added', () => {
  test('once', async ({ petstore }) => {
    await apiOf(petstore).addPet(LUNA);
    expect((await petstore.pets.list()).filter(({ name }) => name === 'Luna')).toHaveLength(1);
  });

  test('once, when the service fails after it has stored it', async ({ petstore }) => {
    await petstore.faults.add({ operationId: 'createPet', at: 'after', times: 1, effect: { status: 500 } });
    expect(await apiOf(petstore).addPet(LUNA)).toMatchObject(LUNA);
    expect((await petstore.pets.list()).filter(({ name }) => name === 'Luna')).toHaveLength(1);
    expect(await petstore.requests.count({ operationId: 'createPet' })).toBe(1);
  });

  test('once, when the connection breaks after it was stored', async ({ petstore }) => {
    await petstore.faults.add({ operationId: 'createPet', at: 'after', times: 1, effect: { reset: true } });
    expect(await apiOf(petstore).addPet(LUNA)).toMatchObject(LUNA);
    expect(await petstore.requests.count({ operationId: 'createPet' })).toBe(1);
  });

  test('not at all, when the service fails before', async ({ petstore }) => {
    await petstore.faults.add({ operationId: 'createPet', effect: { status: 500 } });
    await expect(apiOf(petstore).addPet(LUNA)).rejects.toMatchObject({ kind: 'failed' });
    expect((await petstore.pets.list()).filter(({ name }) => name === 'Luna')).toEqual([]);
  });
});
