import { expect, test } from 'vitest';
import type { Contract } from '../../src/contract/contract.js';
import { createStateless } from '../../src/mock/response/from-contract.js';
import type { World } from '../../src/mock/world/world.js';
import { ask, createTestWorld, outcome } from '../support/test-world.js';
import { parseContract } from '../support/parse-contract.js';
import { keep } from '../support/open-paths.js';
import { NUMBER, object, type Schema } from '../support/schemas.js';

// Documents as teams write them: what they load as, and what they answer.

function serve(text: string): World {
  const contract: Contract = parseContract(text, { shownAs: 'team.yaml' });
  const { handlers } = createStateless({ contract, stateful: {}, seed: 1, specPath: undefined });
  // What a document says of a message is looked at here, not what is kept of it.
  return createTestWorld({ contract, pets: [], stateless: handlers, handlers });
}

const WRITTEN_30 = `openapi: 3.0.3
info: { title: Pets, version: 1.0.0 }
servers: [{ url: /api/v3 }]
paths:
  /pet:
    put:
      requestBody: { $ref: '#/components/requestBodies/Pet' }
      responses: { '200': { description: Fine., content: { application/xml: &pet { schema: { $ref: '#/components/schemas/Pet' } }, application/json: *pet } } }
  /pet/{petId}:
    parameters: [{ name: petId, in: path, required: true, schema: { type: integer, format: int64 } }]
    get: { responses: { '200': { description: Fine., content: { '*/*': *pet } }, '404': { description: None. } } }
    post:
      requestBody: { content: { application/x-www-form-urlencoded: { schema: { type: object, required: [name], properties: {
        name: { type: string }, age: { type: integer, minimum: 0, exclusiveMinimum: true }, tags: { type: array, items: { type: string } } } } } } }
      responses: { '204': { description: Done. } }
  /pet/{petId}/image:
    parameters: [{ name: petId, in: path, required: true, schema: { type: integer } }]
    post:
      requestBody: { content: { 'image/*': { schema: { type: string, format: binary } }, text/plain: { schema: { type: string, maxLength: 3 } } } }
      responses: { '204': { description: Done. } }
components:
  requestBodies: { Pet: { required: true, content: { application/json: *pet } } }
  schemas:
    Category: { type: object, properties: { name: { type: string, nullable: true }, parent: { $ref: '#/components/schemas/Category' } } }
    Pet: { type: object, required: [id, name], properties: { id: { type: integer, readOnly: true, example: 10 },
      name: { type: string, example: doggie }, phone: { type: string, format: phone }, category: { $ref: '#/components/schemas/Category' } } }
`;

const SEND = 'send Content-Type: image/* or text/plain';
const IMAGE = 'POST /api/v3/pet/1/image';
const form = (body: string): object => sent('application/x-www-form-urlencoded', body);
const sent = (type: string, body: string): object => ({ body, headers: { 'content-type': type } });

test.each<[string, object, string]>([
  // Null where it may be, without what is read only.
  ['PUT /api/v3/pet', { body: '{"name":"Rex","category":{"name":null},"phone":"1"}' }, '200'],
  ['PUT /api/v3/pet', { body: '{}' }, '400 body/name is required'],
  ['GET /api/v3/pet/1', {}, '200'],
  ['GET /api/v3/pet/x', {}, '404 path/petId must be an integer, but is "x"'],
  ['POST /api/v3/pet/1', form('name=Rex&age=3&tags=a&tags=b'), '204'],
  ['POST /api/v3/pet/1', form('name=Rex&age=0'), '400 body/age must be more than 0, but is 0'],
  ['POST /api/v3/pet/1', form('age=1'), '400 body/name is required'],
  [IMAGE, sent('image/png', '\u0089PNG'), '204'],
  [IMAGE, sent('text/plain', 'four'), '400 body must be at most 3 characters long, but is "four"'],
  [IMAGE, sent('application/json', '{}'), `415 the body is sent as application/json; ${SEND}`],
])('%s with %j is answered as OpenAPI 3.0 has it', (target, options, told) => {
  expect(outcome(ask(serve(WRITTEN_30), target, options))).toBe(told);
});

test('JSON is what is written where a client takes anything, and XML as the schema names its parts', () => {
  const put = (headers = {}): ReturnType<typeof ask> =>
    ask(serve(WRITTEN_30), 'PUT /api/v3/pet', { body: '{"name":"Rex"}', headers });
  expect(put().headers['Content-Type']).toBe('application/json');
  expect(put().value).toMatchObject({ id: 10, name: 'doggie' });
  const { status, body } = put({ accept: 'application/xml' });
  expect([status, body?.text]).toEqual([200, expect.stringMatching(/<Pet>\s*<id>10<\/id>\s*<name>doggie<\/name>/)]);
});

test('three hundred operations with circular schemas load and answer', () => {
  const numbers = Array.from({ length: 150 }, (_, index) => index);
  const refTo = (n: number): Schema => ({ $ref: `#/components/schemas/T${n}` });
  const schemas = numbers.map((n) => [
    `T${n}`,
    object({ id: NUMBER, next: refTo((n + 1) % 150), own: refTo(n) }, ['id']),
  ]);
  const paths = numbers.map((n) => keep(`/things${n}/{id}`, refTo(n), 'list create')) as object[];
  const components = { schemas: Object.fromEntries(schemas) as object };
  const world = serve(
    JSON.stringify({ openapi: '3.1.0', info: { title: 'Big' }, paths: Object.assign({}, ...paths), components }),
  );
  expect(world.contract.operations).toHaveLength(300);
  expect(ask(world, 'GET /things77').status).toBe(200);
  expect(ask(world, 'POST /things149', { body: '{"id":1,"next":{"id":2,"own":{"id":3}}}' }).status).toBe(201);
  const { status, value } = ask(world, 'POST /things0', { body: '{"id":1,"next":{"id":2,"next":{}}}' });
  expect([status, value]).toEqual([400, expect.objectContaining({ message: 'body/next/next/id is required' })]);
});
