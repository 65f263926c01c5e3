import express from 'express';
import { expect, test } from 'vitest';
import { createExpressApp } from '../../src/server/start-petstore-mock.js';
import { createMiddleware } from '../../src/server/http/middleware.js';
import { send, tell } from '../support/send.js';
import { createTestWorlds } from '../support/test-world.js';

const petstore = () => createExpressApp(createTestWorlds(), { cors: false });
const body = '{"name":"Max","categoryId":1}';

test('mounted under a prefix, the mock answers below it and its addresses begin with it', async () => {
  const app = express().use('/api', petstore());
  const created = await send(app, 'POST /api/v1/pets', { body });
  expect([created.status, created.headers['location']]).toEqual([201, '/api/v1/pets/4']);
  expect((await send(app, 'GET /api/v1/pets/4')).headers['link']).toBe('</api/v1/pets>; rel="successor-version"');
});

test('the middleware passes on what is not below the base path', async () => {
  const app = express().use(createMiddleware(createTestWorlds(), { cors: false }));
  app.use(
    (_request, response) => void response.status(418).json({ code: 'teapot', message: 'passed on', status: 418 }),
  );
  expect(tell(await send(app, 'GET /v1/pets'))).toBe('200');
  await expect(send(app, 'GET /v1pets')).rejects.toThrow('418');
});

test.each([
  ['express.json()', express.json()],
  ['express.text()', express.text({ type: '*/*' })],
  ['express.raw()', express.raw({ type: '*/*' })],
])('behind %s, which has read the body already, pets are added all the same', async (_, parser) => {
  const app = express().use(parser).use(petstore());
  expect((await send(app, 'POST /v1/pets', { body })).text).toBe('{"id":4,"name":"Max","categoryId":1}');
  expect(tell(await send(app, 'POST /v1/pets', { body: '{}' }))).toMatch(/^400 body\/name is required/);
});

test('behind a reader that keeps the body for itself, the body is missing and nobody waits for it', async () => {
  const app = express()
    .use((request, _response, next) => void request.resume().on('end', () => setImmediate(next)))
    .use(petstore());
  expect(tell(await send(app, 'POST /v1/pets', { body }))).toBe('400 createPet needs a body, and none was sent');
});
