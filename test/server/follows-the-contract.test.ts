import request from 'supertest';
import { expect, test } from 'vitest';
import { createExpressApp } from '../../src/server/start-petstore-mock.js';
import { changeContract } from '../support/shipped.js';
import { AUTHORIZATION, createTestWorlds, threePets } from '../support/test-world.js';

type Change = [from: string, to: string];

const manyPets = Array.from({ length: 130 }, (_, index) => ({ ...threePets[0], id: index + 1 }));

/** What the mock answers when nothing but the contract is another: the status, and the message, the pet or how many pets. */
async function ask(changes: Change[], target: string, body?: string, authorization = AUTHORIZATION): Promise<string> {
  const worlds = createTestWorlds({ contract: changeContract(...changes), pets: manyPets });
  const [method, path = ''] = target.split(' ');
  const asked = request(createExpressApp(worlds, { cors: false }));
  const asking = method === 'GET' ? asked.get(path) : asked.post(path).set('Content-Type', 'application/json');
  const answer = await asking.set('Authorization', authorization).send(body);
  const value = answer.body as unknown[] | { message?: string };
  return `${answer.status} ${Array.isArray(value) ? value.length : (value.message ?? JSON.stringify(value))}`;
}

const STATUSES = 'enum: [available, pending, sold]';
const MAXIMUM: Change[] = [['maximum: 100', 'maximum: 120']];
const MINIMUM: Change[] = [['minimum: 1\n', 'minimum: 5\n']];
const RESERVED: Change[] = [[STATUSES, 'enum: [available, pending, sold, reserved]']];
const COLOUR: Change = [
  '        status:\n          $ref',
  '        color: { type: string }\n        status:\n          $ref',
];
const LENGTHS: Change[] = [["description: The animal's name.", 'minLength: 2\n          maxLength: 3']];
const pet = (more: object): string => JSON.stringify({ name: 'Max', categoryId: 1, ...more });

test.each<[string, Change[], string, string | undefined, string | RegExp]>([
  ['another maximum of limit', MAXIMUM, 'GET /v1/pets?limit=120', undefined, '200 120'],
  ['another maximum', MAXIMUM, 'GET /v1/pets?limit=121', undefined, '400 query/limit must be at most 120, but is 121'],
  ['another minimum of limit', MINIMUM, 'GET /v1/pets?limit=5', undefined, '200 5'],
  ['another default of limit', [['default: 20', 'default: 33']], 'GET /v1/pets', undefined, '200 33'],
  ['no default of limit', [['            default: 20\n', '']], 'GET /v1/pets', undefined, '200 130'],
  ['one more status', RESERVED, 'POST /v1/pets', pet({ status: 'reserved' }), /^201/],
  ['one more status', RESERVED, 'GET /v1/pets?status=reserved', undefined, '200 0'],
  ['one status less', [[STATUSES, 'enum: [available, pending]']], 'GET /v1/pets?status=sold', undefined, /^400/],
  [
    'one more required field',
    [['required: [name, categoryId]', 'required: [name, categoryId, status]']],
    'POST /v1/pets',
    pet({}),
    '400 body/status is required',
  ],
  [
    'one more field',
    [COLOUR],
    'POST /v1/pets',
    pet({ color: 'red', age: 3 }),
    '201 {"id":131,"name":"Max","categoryId":1,"color":"red"}',
  ],
  ['a largest length', LENGTHS, 'POST /v1/pets', pet({ name: 'Maxi' }), /^400 body\/name must be at most 3 characters/],
])('with %s in the contract, %j makes the answer to %s %j another: %s', async (_, changes, target, body, told) => {
  const answer = await ask(changes, target, body);
  const isAsTold = typeof told === 'string' ? answer === told : told.test(answer);
  expect([answer, isAsTold]).toEqual([answer, true]);
});

test.each<[string, string, Change[]]>([
  ...[
    'http://localhost:4010/v2 /v2/pets',
    'https://petstore.example/api/v9/ /api/v9/pets',
    'http://localhost /pets',
  ].map((row): [string, string, Change[]] => {
    const [url = '', path = ''] = row.split(' ');
    return [
      `the server ${url}`,
      path,
      [4010, 4011].map((port) => [`default: http://localhost:${port}/v1`, `default: ${url}`]),
    ];
  }),
  ['another path', '/v1/animals', ['', '/{petId}'].map((item) => [`  /pets${item}:\n`, `  /animals${item}:\n`])],
])('with %s the pets are at %s', async (_, path, changes) => {
  expect(await ask(changes, `GET ${path}`)).toMatch(/^200/);
  expect(await ask(changes, 'GET /v1/pets')).toMatch(/^404/);
});
