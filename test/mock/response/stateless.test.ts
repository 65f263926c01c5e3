import { expect, test } from 'vitest';
import { loadContract, type Contract } from '../../../src/contract/contract.js';
import { createStateless, createPrismFallback, createPrismAnswer } from '../../../src/mock/response/from-contract.js';
import type { World, Handler } from '../../../src/mock/world/world.js';
import { packageFile } from '../../../src/package-files.js';
import { ask, createTestWorld, outcome, type RequestOptions } from '../../support/test-world.js';
import { parseContract } from '../../support/parse-contract.js';
import { createRequire } from 'node:module';
import { createErrorResponse } from '../../../src/mock/response/errors.js';
import { readWish } from '../../../src/mock/response/prefer.js';
import { content } from '../../support/open-paths.js';
import { NUMBER, object } from '../../support/schemas.js';

const orders = loadContract(packageFile('examples/store-orders/petstore.openapi.yaml'));

function createTeamWorld(contract: Contract = orders, seed = 1): World {
  const { handlers } = createStateless({ contract, stateful: {}, seed, specPath: undefined });
  // Nothing keeps state here, whatever could.
  return createTestWorld({ contract, pets: [], stateless: handlers, handlers });
}

/** A document with one operation, `GET /thing`, of which the responses are given as YAML in one line. */
function worldOf(responses: string, more = ''): World {
  const get = `operationId: getThing\n      responses: ${responses}`;
  const text = `openapi: 3.1.0\ninfo: { title: T }\npaths:\n  /thing:\n    get:\n      ${get}\n${more}`;
  return createTeamWorld(parseContract(text, { shownAs: 'thing.yaml' }));
}

const answered = (shown: string): string => `{ '200': { description: Fine., content: { ${shown} } } }`;
const SECURED = 'security: [{ key: [] }]\ncomponents: { securitySchemes: { key: { type: http, scheme: bearer } } }\n';

const order = { body: '{"petId": 1, "quantity": 2}' };
const prefer = (wish: string, more: RequestOptions = {}): RequestOptions => ({ ...more, headers: { prefer: wish } });

test('an operation without a handler is answered with the first example of the contract', () => {
  const answer = ask(createTeamWorld(), 'POST /v1/store/orders', order);
  expect(answer.status).toBe(201);
  expect(answer.headers).toMatchObject({ 'Content-Type': 'application/json', Location: '/v1/store/orders/100' });
  expect(answer.value).toEqual({ id: 100, petId: 7, quantity: 1, status: 'placed' });
});

test('where there is no example it is sampled from the schema', () => {
  const { status, value } = ask(createTeamWorld(), 'GET /v1/store/orders/5');
  expect(status).toBe(200);
  expect(value).toMatchObject({ id: expect.any(Number) as number, status: 'placed' });
});

test('credentials, parameters and body are judged as those of every operation', () => {
  const world = createTeamWorld();
  expect(outcome(ask(world, 'GET /v1/store/orders/0'))).toBe('400 path/orderId must be at least 1, but is 0');
  const tooMany = outcome(ask(world, 'POST /v1/store/orders', { body: '{"petId": 1, "quantity": 11}' }));
  expect(tooMany).toBe('400 body/quantity must be at most 10, but is 11');
  expect(ask(world, 'GET /v1/store/inventory', { headers: { authorization: 'Bearer wrong' } }).status).toBe(401);
});

test('Prefer: code= and example= go together, without a body or a key', () => {
  const headers = { prefer: 'code=201, example=approved', authorization: undefined };
  const answer = ask(createTeamWorld(), 'POST /v1/store/orders', { headers });
  expect([answer.status, answer.headers['Preference-Applied']]).toEqual([201, 'code=201']);
  expect(answer.value).toMatchObject({ id: 101 });
});

test('Prefer: seed= asks for an answer that another request got', () => {
  const get = (target: string): unknown => ask(createTeamWorld(), target, prefer('dynamic=true, seed=7')).value;
  expect(get('GET /v1/store/orders/5')).toEqual(get('GET /v1/store/orders/6'));
});

test('an example that breaks the contract is never sent: another value is, or who asks for it by its name is told', () => {
  const examples = 'examples: { bad: { value: seven } }';
  const world = worldOf(answered(`application/json: { schema: { type: integer }, ${examples} }`));
  expect(ask(world, 'GET /thing').value).toBe(1);
  const told = /^500 the mock's own response \(200\) breaks the contract: body must be an integer/;
  expect(outcome(ask(world, 'GET /thing', prefer('example=bad')))).toMatch(told);
  const exchange = { atFault: 'mock', violations: [{ contract: { file: 'thing.yaml' } }] };
  expect(world.journal.entries()[1]).toMatchObject({ exchange });
});

test('an operation whose answer contradicts itself is not implemented, and the response says why', () => {
  const only = (name: string): string =>
    `{ type: object, required: [${name}], properties: { ${name}: {} }, additionalProperties: false }`;
  const world = worldOf(answered(`application/json: { schema: { allOf: [${only('id')}, ${only('name')}] } }`));
  const why = 'no response that the contract allows could be generated: body/(?:id|name) must be absent';
  expect(outcome(ask(world, 'GET /thing'))).toMatch(new RegExp(`^501 getThing cannot be served: ${why}`));
  expect(world.journal.entries()[0]).toMatchObject({ exchange: { atFault: 'mock' } });
});

test('a schema that contains itself is answered', () => {
  const node = "{ $ref: '#/components/schemas/Node' }";
  const schema = `{ type: object, required: [name], properties: { name: { type: string }, next: ${node} } }`;
  const components = `components: { schemas: { Node: ${schema} } }\n`;
  const world = worldOf(answered(`application/json: { schema: ${node} }`), components);
  const name = expect.stringMatching(/^[A-Z][^ ]* [^ ]+$/) as string;
  expect(ask(world, 'GET /thing')).toMatchObject({ status: 200, value: { name } });
  expect(ask(world, 'GET /thing', prefer('dynamic=true')).status).toBe(200);
});

test('a refusal whose body the contract wants otherwise is its example, with what is wrong in its text', () => {
  const shown = 'schema: { type: object, required: [title] }, example: { title: No key, status: 1 }';
  const problem = `{ description: A problem., content: { application/problem+json: { ${shown} } } }`;
  const world = worldOf(`{ '200': { description: Fine. }, '401': ${problem} }`, SECURED);
  const answer = ask(world, 'GET /thing', { headers: { authorization: undefined } });
  const title = expect.stringMatching(/^the API key is missing/) as string;
  expect(answer).toMatchObject({ status: 401, value: { title, status: 401 } });
  expect(answer.headers['Content-Type']).toBe('application/problem+json');
  expect(world.journal.entries()[0]?.exchange.reason).toMatch(/^the API key is missing/);
});

const thing = object({ a: NUMBER }, ['a']);
const get = { operationId: 'getThing', responses: { 200: content(thing) } };
const contract = parseContract({ paths: { '/thing': { get } } });
const real = createRequire(createRequire(import.meta.url).resolve('@stoplight/prism-http'));

/** Two answers of a mock whose Prism loads its parts so, with what is noted of them. */
function askTwice(load: (id: string) => unknown): unknown[] {
  const askPrism = createPrismFallback(contract, () => createPrismAnswer(load as NodeJS.Require, contract));
  const handler: Handler = (call) => askPrism(call, readWish(call.request, 1)) ?? createErrorResponse(501, 'none');
  const handlers = { getThing: handler };
  const world = createTestWorld({ contract, pets: [], stateless: handlers, handlers });
  const notes: unknown[] = [];
  world.onExchange = (exchange) => notes.push(exchange.notes);
  return [1, 2].map(() => {
    const { status, value } = ask(world, 'GET /thing');
    return [status, value, notes.at(-1)];
  });
}

test('Prism answers where nothing is wrong with it', () => {
  const answer = [200, { a: expect.any(Number) as number }, []];
  expect(askTwice((id) => real(id))).toEqual([answer, answer]);
});

test('Prism is not asked for what the mock makes itself', () => {
  const { handlers } = createStateless({ contract, stateful: {}, seed: 1, specPath: undefined });
  // Prism makes another number at each request.
  const value = (): unknown => ask(createTestWorld({ contract, pets: [], stateless: handlers }), 'GET /thing').value;
  expect([value(), value()]).toEqual([{ a: 1 }, { a: 1 }]);
});

const raise = (error: Error) => (): never => {
  throw error;
};
const MISSING = "Cannot find module './mocker'";
const oddSpec = { transformOas3Operations: raise(new Error('odd')) };
const oddMocker = { default: () => raise(new RangeError('Maximum call stack')) };

test.each<[string, (id: string) => unknown, string]>([
  ['cannot be loaded', raise(new Error(`${MISSING}\nRequire stack:`)), `Prism cannot be loaded (${MISSING})`],
  ['cannot read', (id) => (id.includes('http-spec') ? oddSpec : real(id)), 'Prism cannot read the document (odd)'],
  ['fails', (id) => (id === './mocker' ? oddMocker : real(id)), 'Prism cannot respond (Maximum call stack)'],
])('where Prism %s, the log says so', (_, load, note) => {
  const answer = [501, expect.anything(), [note]];
  expect(askTwice(load)).toEqual([answer, answer]);
});
