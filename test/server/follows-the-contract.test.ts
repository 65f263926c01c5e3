import { expect, test } from 'vitest';
import { createExpressApp } from '../../src/server/http/express-app.js';
import { findResponse } from '../../src/contract/operations/operations.js';
import request from 'supertest';
import { changeContract } from '../support/shipped.js';
import { AUTHORIZATION, createTestWorlds, threePets } from '../support/test-world.js';

type Change = [from: string, to: string];

/** What the mock answers when nothing but the contract is another. */
async function answerUnder(
  changes: Change[],
  target: string,
  body?: string,
): Promise<{ status: number; body: unknown }> {
  const worlds = createTestWorlds({ contract: changeContract(...changes), pets: manyPets });
  const [method, path = ''] = target.split(' ');
  const app = createExpressApp(worlds, { cors: false });
  const asking =
    method === 'GET' ? request(app).get(path) : request(app).post(path).set('Content-Type', 'application/json');
  return asking.set('Authorization', AUTHORIZATION).send(body);
}

const manyPets = Array.from({ length: 130 }, (_, index) => ({
  ...threePets[0],
  id: index + 1,
  name: 'Rex',
  categoryId: 1,
}));

const lengthOf = ({ body }: { body: unknown }): number => (body as unknown[]).length;
const messageOf = ({ body }: { body: unknown }): string => (body as { message: string }).message;

test('another maximum of limit is another bound', async () => {
  const changes: Change[] = [['maximum: 100', 'maximum: 120']];
  expect(lengthOf(await answerUnder(changes, 'GET /v1/pets?limit=120'))).toBe(120);
  expect(messageOf(await answerUnder(changes, 'GET /v1/pets?limit=121'))).toBe(
    'query/limit must be at most 120, but is 121',
  );
});

test('another minimum of limit is another bound', async () => {
  const changes: Change[] = [['minimum: 1\n', 'minimum: 5\n']];
  expect((await answerUnder(changes, 'GET /v1/pets?limit=4')).status).toBe(400);
  expect(lengthOf(await answerUnder(changes, 'GET /v1/pets?limit=5'))).toBe(5);
});

test('another default of limit is the length of a page', async () =>
  expect(lengthOf(await answerUnder([['default: 20', 'default: 33']], 'GET /v1/pets'))).toBe(33));

test('without a default of limit a page has all', async () =>
  expect(lengthOf(await answerUnder([['            default: 20\n', '']], 'GET /v1/pets'))).toBe(130));

test('one more status can be given and asked for', async () => {
  const changes: Change[] = [['enum: [available, pending, sold]', 'enum: [available, pending, sold, reserved]']];
  const pet = '{"name":"Max","categoryId":1,"status":"reserved"}';
  expect((await answerUnder(changes, 'POST /v1/pets', pet)).status).toBe(201);
  expect((await answerUnder(changes, 'GET /v1/pets?status=reserved')).status).toBe(200);
  expect((await answerUnder([], 'POST /v1/pets', pet)).status).toBe(400);
  expect((await answerUnder([], 'GET /v1/pets?status=reserved')).status).toBe(400);
});

test('one status less can be given and asked for no more', async () => {
  const changes: Change[] = [['enum: [available, pending, sold]', 'enum: [available, pending]']];
  expect((await answerUnder(changes, 'GET /v1/pets?status=sold')).status).toBe(400);
});

test('one more required field is asked for', async () => {
  const changes: Change[] = [['required: [name, categoryId]', 'required: [name, categoryId, status]']];
  expect(messageOf(await answerUnder(changes, 'POST /v1/pets', '{"name":"Max","categoryId":1}'))).toBe(
    'body/status is required',
  );
});

test('one more field is taken and given back', async () => {
  const changes: Change[] = [
    ['        status:\n          $ref', '        color:\n          type: string\n        status:\n          $ref'],
  ];
  const answer = await answerUnder(changes, 'POST /v1/pets', '{"name":"Max","categoryId":1,"color":"red","age":3}');
  expect(answer.body).toEqual({ id: 131, name: 'Max', categoryId: 1, color: 'red' });
});

test('a bound on the length of a name holds', async () => {
  const changes: Change[] = [["description: The animal's name.", 'minLength: 2\n          maxLength: 3']];
  const post = async (name: string): Promise<string> =>
    messageOf(await answerUnder(changes, 'POST /v1/pets', JSON.stringify({ name, categoryId: 1 })));
  expect(await post('M')).toBe('body/name must be at least 2 characters long, but is "M"');
  expect(await post('Maxi')).toBe('body/name must be at most 3 characters long, but is "Maxi"');
});

test.each([
  ['http://localhost:4010/v2', '/v2/pets'],
  ['https://petstore.example/api/v9/', '/api/v9/pets'],
  ['http://localhost', '/pets'],
])('with the server %s the pets are at %s', async (url, path) => {
  const changes: Change[] = [
    ['default: http://localhost:4010/v1', `default: ${url}`],
    ['default: http://localhost:4011/v1', `default: ${url}`],
  ];
  expect((await answerUnder(changes, `GET ${path}`)).status).toBe(200);
  expect((await answerUnder(changes, 'GET /v1/pets')).status).toBe(404);
});

test('another path is another address', async () => {
  const changes: Change[] = [
    ['  /pets:\n', '  /animals:\n'],
    ['  /pets/{petId}:\n', '  /animals/{petId}:\n'],
  ];
  expect((await answerUnder(changes, 'GET /v1/animals')).status).toBe(200);
  expect((await answerUnder(changes, 'GET /v1/pets')).status).toBe(404);
});

test('an operation that needs no credentials asks for none', async () => {
  const contract = changeContract([
    '      operationId: listPets\n',
    '      operationId: listPets\n      security: []\n',
  ]);
  const app = createExpressApp(createTestWorlds({ contract }), { cors: false });
  expect((await request(app).get('/v1/pets')).status).toBe(200);
  expect((await request(app).get('/v1/pets/1')).status).toBe(401);
});

test('a success that the contract gives another status is answered with that one', async () => {
  const contract = changeContract([
    "        '201':\n          description: The created",
    "        '202':\n          description: The created",
  ]);
  expect(contract.operations.map((operation) => findResponse(operation, 201))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  const answer = await answerUnder(
    [["        '201':\n          description: The created", "        '202':\n          description: The created"]],
    'POST /v1/pets',
    '{"name":"Max","categoryId":1}',
  );
  expect([answer.status, messageOf(answer)]).toEqual([202, undefined]);
});
