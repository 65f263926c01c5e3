import express from 'express';
import request from 'supertest';
import { describe, expect, test } from 'vitest';
import { createPetstoreApp, type PetstoreMock } from '../../src/index.js';
import { createPet, KEY, startMock as start } from '../support/started-mock.js';

const ask = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { headers: { ...KEY, ...headers } });

const create = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  createPet({ url }, undefined, { headers });

const originOf = ({ url }: PetstoreMock): string => new URL(url).origin;

describe('a world', () => {
  test('is reached by its URL and by the header, and nobody else sees what is in it', async () => {
    const mock = await start();
    const w1 = mock.world('w1');
    expect(w1.url).toBe(`${originOf(mock)}/worlds/w1/v1`);
    await create(w1.url);
    await create(mock.url, w1.headers);
    expect([await w1.pets.count(), await w1.requests.count()]).toEqual([3, 2]);
    expect([await mock.pets.count(), await mock.requests.count()]).toEqual([1, 0]);
    expect([await mock.world('w2').pets.count(), await mock.worlds()]).toEqual([1, ['default', 'w1', 'w2']]);
  });

  test('is made by the first request that names it, and keeps its prefix in Location and in the link', async () => {
    const mock = await start();
    const url = `${originOf(mock)}/worlds/w1/v1`;
    expect((await create(url)).headers.get('location')).toBe('/worlds/w1/v1/pets/2');
    expect(await mock.worlds()).toEqual(['default', 'w1']);
    expect((await ask(`${url}/pets/1`)).headers.get('link')).toBe('</worlds/w1/v1/pets>; rel="successor-version"');
    expect((await create(mock.url, { 'X-Petstore-World': 'w1' })).headers.get('location')).toBe('/v1/pets/3');
  });

  test('has faults, clock, profile and snapshots of its own', async () => {
    const mock = await start();
    const w1 = mock.world('w1');
    await w1.faults.add({ operationId: 'listPets', effect: { status: 503 } });
    await w1.clock.set('2031-01-01');
    await w1.profile.choose({ 'after-removal': 'not-found-404' });
    await w1.snapshots.save('mine');
    const paths = [w1, mock].flatMap(({ url }) => [`${url}/pets`, `${url}/pets/1`]);
    const statuses = await Promise.all(paths.map(async (url) => (await ask(url)).status));
    expect(statuses).toEqual([503, 404, 200, 200]);
    expect(await mock.snapshots.list()).toEqual([]);
  });

  test('can begin with a pack of its own, which a reset goes back to', async () => {
    const mock = await start();
    const w1 = mock.world('w1');
    await w1.useFixtures('page-bounds');
    const count = await w1.pets.count();
    await w1.pets.clear();
    await w1.reset();
    expect([await w1.pets.count(), await mock.pets.count(), count > 100]).toEqual([count, 1, true]);
    await expect(w1.useFixtures('emtpy')).rejects.toMatchObject({ code: 'unusable-fixtures' });
    await expect(w1.useFixtures('default', { count: -1 })).rejects.toMatchObject({ code: 'bad-option' });
    expect(await w1.pets.count()).toBe(count);
  });

  test('that is dropped begins anew when it is named again, and one that is reset leaves the others as they are', async () => {
    const mock = await start();
    const [w1, w2] = [mock.world('w1'), mock.world('w2')];
    for (const { pets } of [mock, w1, w2]) await pets.clear();
    await w1.reset();
    expect(await Promise.all([mock, w1, w2].map(({ pets }) => pets.count()))).toEqual([0, 1, 0]);
    await w2.drop();
    expect(await mock.worlds()).toEqual(['default', 'w1']);
    expect([await w2.pets.count(), await mock.worlds()]).toEqual([1, ['default', 'w1', 'w2']]);
  });

  test('called default is the one of whoever names none, and cannot be dropped', async () => {
    const mock = await start();
    await create(mock.url, { 'X-Petstore-World': 'default' });
    await create(`${originOf(mock)}/worlds/default/v1`);
    expect([await mock.pets.count(), mock.world('default').url]).toEqual([3, mock.url]);
    await expect(mock.world('default').drop()).rejects.toMatchObject({ code: 'bad-world' });
  });
});

describe('refused with the Error body', () => {
  test.each([
    ['a name with a space', 'a%20b', 'this is "a b"'],
    ['a name that is too long', 'a'.repeat(65), 'one of 65 characters'],
    ['an empty name', '', 'this is ""'],
  ])('is %s', async (_, name, message) => {
    const mock = await start();
    const response = await ask(`${originOf(mock)}/worlds/${name}/v1/pets`);
    const body = { code: 'invalid_request', message: expect.stringContaining(message), status: 400 };
    expect([response.status, await response.json()]).toEqual([400, body]);
    expect(await mock.worlds()).toEqual(['default']);
  });

  test('is a header that names another world than the path', async () => {
    const mock = await start();
    const response = await ask(mock.world('w1').url + '/pets', { 'X-Petstore-World': 'w2' });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('the world w2')]);
  });

  test('is one world more than there may be, until one is dropped', async () => {
    const mock = await start({ maxWorlds: 2 });
    const w1 = mock.world('w1');
    const response = await ask(mock.url + '/pets', { 'X-Petstore-World': 'w2' });
    expect([response.status, await response.text()]).toEqual([507, expect.stringContaining('at most 2 are allowed')]);
    expect(() => mock.world('w2')).toThrow('at most 2 are allowed');
    await w1.drop();
    expect(mock.world('w2').name).toBe('w2');
  });
});

test('what is below a world and not the API is 404', async () => {
  const mock = await start();
  for (const path of ['/worlds', '/worlds/w1', '/worlds/w1/v2/pets', '/worlds/w1/v10']) {
    expect([path, (await ask(`${originOf(mock)}${path}`)).status]).toEqual([path, 404]);
  }
  expect(await mock.worlds()).toEqual(['default']);
});

test('worlds are below the prefix of an app that the petstore is mounted in', async () => {
  const petstore = createPetstoreApp({ fixtures: 'one' });
  const app = express().use('/api', petstore);
  const response = await request(app).post('/api/worlds/w1/v1/pets').set(KEY).send({ name: 'Rex', categoryId: 1 });
  expect([response.status, response.headers['location']]).toEqual([201, '/api/worlds/w1/v1/pets/2']);
  expect([petstore.url, petstore.world('w1').url, petstore.name]).toEqual(['/v1', '/worlds/w1/v1', 'default']);
  expect([await petstore.world('w1').pets.count(), await petstore.pets.count()]).toEqual([2, 1]);
});
