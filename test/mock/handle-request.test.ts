import { expect, test } from 'vitest';
import { jsonBody } from '../../src/contract/document/json.js';
import type { ApiResponse } from '../../src/contract/model.js';
import type { RecordedExchange } from '../../src/mock/world/journal.js';
import type { Handler, World } from '../../src/mock/world/world.js';
import { changeContract } from '../support/shipped.js';
import { ask, createTestWorld, outcome } from '../support/test-world.js';
import type { Contract } from '../../src/contract/contract.js';
import { createStateless } from '../../src/mock/response/from-contract.js';
import { parseContract } from '../support/parse-contract.js';
import { keep } from '../support/open-paths.js';
import { NUMBER, object, type Schema } from '../support/schemas.js';

function lastExchange(world: World): RecordedExchange {
  const last = world.journal.entries().at(-1)?.exchange;
  if (last === undefined) throw new Error('the journal is empty');
  return last;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const json = (status: number, value: unknown, more: Record<string, string> = {}): ApiResponse => {
  return { status, headers: { ...JSON_TYPE, ...more }, body: jsonBody(value) };
};
const raise = (error: unknown) => (): never => {
  throw error;
};
const rex = { id: 1, name: 'Rex', categoryId: 1 };

test('an answer is noted in the journal with its operation and nobody at fault', () => {
  const world = createTestWorld();
  ask(world, 'GET /v1/pets?limit=2&color=red', { mountPath: '/api' });
  const exchange = { method: 'GET', url: '/api/v1/pets?limit=2&color=red', status: 200, operationId: 'listPets' };
  const notes = ['query/color is not in the contract and was ignored'];
  expect(lastExchange(world)).toMatchObject({ ...exchange, atFault: undefined, violations: [], notes });
});

test('a refusal is noted with the client at fault and what it violated, one of a handler with its reason', () => {
  const world = createTestWorld();
  ask(world, 'GET /v1/pets?limit=0&status=lost');
  expect(lastExchange(world)).toMatchObject({ atFault: 'client', operationId: 'listPets' });
  expect(lastExchange(world).violations.map(({ at }) => at)).toEqual(['query/limit', 'query/status']);
  ask(world, 'GET /v1/pets/99');
  expect(lastExchange(world)).toMatchObject({ status: 404, reason: 'no pet has the id 99', atFault: undefined });
});

const BROKEN: [what: string, handler: Handler, rule: string][] = [
  ['a field of a wrong type', () => json(200, { ...rex, name: 7 }), 'body/name type'],
  ['no id', () => json(200, { name: 'Rex', categoryId: 1 }), 'body/id required'],
  ['a status that is not documented', () => json(202, rex), 'status responses'],
  ['no body', () => ({ ...json(200, rex), body: undefined }), 'body content'],
  ['an error without a code', () => json(404, { message: 'no', status: 404 }), 'body/code required'],
  ['a promise', () => Promise.resolve(json(200, rex)) as unknown as ApiResponse, 'status responses'],
];

test.each(BROKEN)('a handler that answers with %s is found out', (_, getPet, rule) => {
  const world = createTestWorld({ handlers: { getPet } });
  const { status, value, headers } = ask(world, 'GET /v1/pets/1');
  expect([status, headers['Content-Type']]).toEqual([500, 'application/json']);
  expect(value).toMatchObject({ code: 'internal_error', status: 500 });
  expect(lastExchange(world)).toMatchObject({ atFault: 'mock', status: 500, operationId: 'getPet' });
  expect(lastExchange(world).violations.map((violation) => `${violation.at} ${violation.rule}`)).toEqual([rule]);
});

test.each<[string, Handler]>([
  ['throws', raise(new Error('boom'))],
  ['answers with nothing', () => undefined as unknown as ApiResponse],
  ['answers with a body that has no value', () => ({ ...json(200, rex), body: null as unknown as undefined })],
])('a handler that %s is a bug of the mock, told as such', (_, getPet) => {
  const world = createTestWorld({ handlers: { getPet } });
  const told = '500 the mock failed to respond; this is a bug of the mock';
  expect(outcome(ask(world, 'GET /v1/pets/1'))).toBe(told);
  expect(lastExchange(world)).toMatchObject({ atFault: 'mock', operationId: 'getPet', status: 500 });
});

test('what was thrown reaches the journal and never the client', () => {
  const world = createTestWorld({ handlers: { getPet: raise(new Error('secret')) } });
  expect(JSON.stringify(ask(world, 'GET /v1/pets/1'))).not.toContain('secret');
  expect(lastExchange(world).crash).toEqual(new Error('secret'));
});

test.each<[string, Record<string, string>, string]>([
  ['a field value beyond Latin-1', { Link: '</✓>' }, 'the header field Link holds U+2713, which HTTP cannot carry'],
  ['a line break', { Location: '/a\r\nX: y' }, 'the header field Location holds U+000D, which HTTP cannot carry'],
  ['a field name with a space', { 'X Y': 'z' }, '"X Y" is not a valid name of a header field'],
  ['a field value that is no text', { X: undefined as unknown as string }, 'the header field X is not a text'],
])('an answer with %s cannot be sent, and is told as a bug of the mock', (_, headers, why) => {
  const world = createTestWorld({ handlers: { listPets: () => json(200, [], headers) } });
  expect(outcome(ask(world, 'GET /v1/pets'))).toBe(`500 the mock's own response (200) cannot be sent: ${why}`);
  expect(lastExchange(world)).toMatchObject({ atFault: 'mock', operationId: 'listPets', status: 500 });
});

test.each([0, 99, 199, 600, 200.5, Number.NaN, '200' as never])('the status %j of an answer is not sent', (status) => {
  const world = createTestWorld({ handlers: { getPet: () => json(status, rex) } });
  expect(ask(world, 'GET /v1/pets/1').status).toBe(500);
});

test('a path of the contract beyond ASCII is found, and told in header fields, as a URL has it', () => {
  const contract = changeContract(['  /pets:\n', '  /tiere-✓:\n'], ['  /pets/{petId}:\n', '  /tiere-✓/{petId}:\n']);
  const world = createTestWorld({ contract });
  expect(ask(world, 'GET /v1/tiere-%E2%9C%93').status).toBe(200);
  const created = ask(world, 'POST /v1/tiere-%E2%9C%93', { body: '{"name":"Max","categoryId":1}' });
  expect(created.headers['Location']).toBe('/v1/tiere-%E2%9C%93/1');
  const { headers } = ask(world, 'GET /v1/tiere-%E2%9C%93/1');
  expect(headers['Link']).toBe('</v1/tiere-%E2%9C%93>; rel="successor-version"');
});

test('the duration of an exchange is what its clock says', () => {
  let elapsed = 100;
  const clock = { now: () => 5000, elapsed: () => (elapsed += 7) };
  const world = createTestWorld({ clock });
  ask(world, 'GET /v1/pets');
  expect(lastExchange(world).duration).toBe(7);
});

// Documents as teams write them: what they load as, and what they answer.

function serveTeam(text: string): World {
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
  ['GET /api/v3/pet/x', {}, '404 path/petId must be an integer, but is "x"'],
  ['POST /api/v3/pet/1', form('name=Rex&age=3&tags=a&tags=b'), '204'],
  ['POST /api/v3/pet/1', form('name=Rex&age=0'), '400 body/age must be more than 0, but is 0'],
  [IMAGE, sent('image/png', '\u0089PNG'), '204'],
  [IMAGE, sent('text/plain', 'four'), '400 body must be at most 3 characters long, but is "four"'],
  [IMAGE, sent('application/json', '{}'), `415 the body is sent as application/json; ${SEND}`],
])('%s with %j is answered as OpenAPI 3.0 has it', (target, options, told) => {
  expect(outcome(ask(serveTeam(WRITTEN_30), target, options))).toBe(told);
});

test('JSON is what is written where a client takes anything, and XML as the schema names its parts', () => {
  const put = (headers = {}): ReturnType<typeof ask> =>
    ask(serveTeam(WRITTEN_30), 'PUT /api/v3/pet', { body: '{"name":"Rex"}', headers });
  expect(put().headers['Content-Type']).toBe('application/json');
  expect(put().value).toMatchObject({ id: 10, name: 'doggie' });
  const { status, body } = put({ accept: 'application/xml' });
  expect([status, body?.text]).toEqual([200, expect.stringMatching(/<Pet>\s*<id>10<\/id>\s*<name>doggie<\/name>/)]);
});

test('three hundred operations with circular schemas load and answer', () => {
  const numbers = Array.from({ length: 150 }, (_, index) => index);
  const refTo = (n: number): Schema => ({ $ref: `#/components/schemas/T${n}` });
  const kind = (n: number): Schema => object({ id: NUMBER, next: refTo((n + 1) % 150), own: refTo(n) }, ['id']);
  const schemas = numbers.map((n) => [`T${n}`, kind(n)]);
  const paths = numbers.map((n) => keep(`/things${n}/{id}`, refTo(n), 'list create')) as object[];
  const components = { schemas: Object.fromEntries(schemas) as object };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Big' },
    paths: Object.assign({}, ...paths) as object,
    components,
  };
  const world = serveTeam(JSON.stringify(document));
  expect(world.contract.operations).toHaveLength(300);
  expect(ask(world, 'GET /things77').status).toBe(200);
  expect(ask(world, 'POST /things149', { body: '{"id":1,"next":{"id":2,"own":{"id":3}}}' }).status).toBe(201);
  const { status, value } = ask(world, 'POST /things0', { body: '{"id":1,"next":{"id":2,"next":{}}}' });
  expect([status, value]).toEqual([400, expect.objectContaining({ message: 'body/next/next/id is required' })]);
});
