import { expect, test } from 'vitest';
import { createStateless } from '../../../src/mock/response/from-contract.js';
import { createHandlers } from '../../../src/mock/operations/index.js';
import type { World } from '../../../src/mock/world/world.js';
import { ask, createTestWorld, outcome } from '../../support/test-world.js';
import { parseContract } from '../../support/parse-contract.js';

// A contract that has no 404: what is answered for a record that nobody has made, and for one that was removed.

const json = (schema: string): string => `{ application/json: { schema: ${schema} } }`;
const toy = "{ $ref: '#/components/schemas/Toy' }";
const part = "{ $ref: '#/components/schemas/Part' }";
const named = '{ type: object, required: [name], properties: { name: { type: string } } }';

function open(absence = ''): World {
  const responses = (more: string): string => `{ ${more}${absence} }`;
  const fine = `'200': { description: Fine., content: ${json(toy)} }`;
  const text = `openapi: 3.1.0
info: { title: Toys, version: 1.0.0 }
security: [{ key: [] }]
paths:
  /toys:
    get: { responses: ${responses(`'200': { description: Fine., content: ${json(`{ type: array, items: ${toy} }`)} }`)} }
    post: { requestBody: { content: ${json(named)} }, responses: ${responses(`'201': { description: Made., content: ${json(toy)} }`)} }
  /toys/{toyId}:
    parameters: [{ name: toyId, in: path, required: true, schema: { type: integer } }]
    get: { responses: ${responses(fine)} }
    put: { requestBody: { content: ${json(named)} }, responses: ${responses(fine)} }
    patch: { requestBody: { content: ${json('{ type: object, properties: { name: { type: string } } }')} }, responses: ${responses(fine)} }
    delete: { responses: ${responses("'204': { description: Gone. }")} }
  /toys/{toyId}/parts:
    parameters: [{ name: toyId, in: path, required: true, schema: { type: integer } }]
    get: { responses: ${responses(`'200': { description: Fine., content: ${json(`{ type: array, items: ${part} }`)} }`)} }
    post: { requestBody: { content: ${json(named)} }, responses: ${responses(`'201': { description: Made., content: ${json(part)} }`)} }
  /toys/{toyId}/parts/{partId}:
    parameters:
      - { name: toyId, in: path, required: true, schema: { type: integer } }
      - { name: partId, in: path, required: true, schema: { type: integer } }
    get: { responses: ${responses(`'200': { description: Fine., content: ${json(part)} }`)} }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
  schemas:
    Part: { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string } } }
    Toy: { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string, example: Ball } } }
`;
  const contract = parseContract(text, { shownAs: 'toys.yaml' });
  const stateful = createHandlers(contract);
  const { handlers } = createStateless({ contract, stateful, seed: 1, specPath: 'toys.yaml', prism: false });
  return createTestWorld({ contract, pets: [], stateless: handlers });
}

const REQUESTS: readonly [string, object][] = [
  ['GET /toys/7', {}],
  ['PUT /toys/7', { body: '{"name":"Kite"}' }],
  ['DELETE /toys/7', {}],
  ['GET /toys/7/parts', {}],
  ['POST /toys/7/parts', { body: '{"name":"String"}' }],
];

test.each(REQUESTS)('%s of a toy that nobody has made is answered by the contract alone', (target, options) => {
  const world = open();
  const notes: string[] = [];
  world.onExchange = (exchange) => notes.push(...exchange.notes);
  expect(ask(world, target, options).status).toBeLessThan(300);
  expect(notes).toEqual(['generated from the contract: no toy has the id 7, and the contract has no 404 for that']);
});

test('no toy is updated that is not there, also where the contract has no 404', () =>
  expect(outcome(ask(open(), 'PATCH /toys/7', { body: '{"name":"Kite"}' }))).toBe('404 no toy has the id 7'));

const error = `content: ${json('{ type: object, properties: { message: { type: string } } }')}`;

test.each([
  `, '404': { description: None. }`,
  `, '4XX': { description: Bad. }`,
  `, default: { description: Bad., ${error} }`,
])('where the contract has an answer for it (%s), that is given', (absence) => {
  const statuses = REQUESTS.map(([target, options]) => `${target} ${ask(open(absence), target, options).status}`);
  expect(statuses).toEqual(REQUESTS.map(([target]) => `${target} 404`));
});

test('what was removed stays away until it is made again, also where the contract has no 404', () => {
  const world = open();
  expect(ask(world, 'POST /toys', { body: '{"name":"Kite"}' }).value).toMatchObject({ id: 1, name: 'Kite' });
  expect(ask(world, 'DELETE /toys/1').status).toBe(204);
  expect(outcome(ask(world, 'GET /toys/1'))).toBe('404 no toy has the id 1');
  expect(outcome(ask(world, 'GET /toys/1/parts'))).toBe('404 no toy has the id 1');
  world.collections.reset();
  expect(ask(world, 'GET /toys/1').value).toMatchObject({ name: 'Ball' });
});
