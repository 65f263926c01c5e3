import { parseContract } from '../support/parse-contract.js';
import { expect, test } from 'vitest';
import { jsonBody } from '../../src/contract/document/json.js';
import type { ApiResponse, Operation } from '../../src/contract/model.js';
import { readParameters } from '../../src/contract/parameters.js';
import { changeContract, shippedContract } from '../support/shipped.js';

const { validate } = shippedContract;

const operation = (id: string): Operation => shippedContract.operations.find((each) => each.id === id) as Operation;

function responseOf(status: number, value?: unknown, contentType = 'application/json'): ApiResponse {
  const headers: Record<string, string> = contentType === '' ? {} : { 'Content-Type': contentType };
  return { status, headers, body: value === undefined ? undefined : jsonBody(value) };
}

const findIn = (id: string, response: ApiResponse): string[] =>
  validate.response(operation(id), response).map(({ message }) => message);

function findInParameters(id: string, raw: { pathValues?: Record<string, string>; query?: string }): string[] {
  const reading = readParameters(operation(id), { pathValues: {}, query: '', headers: {}, ...raw });
  return validate.parameters(operation(id), reading).map(({ at, rule }) => `${at} ${rule}`);
}

const rex = { id: 1, name: 'Rex', categoryId: 1 };

test.each([
  ['listPets', { query: 'limit=100&status=sold' }, []],
  ['listPets', { query: 'limit=0' }, ['query/limit minimum']],
  ['listPets', { query: 'limit=101' }, ['query/limit maximum']],
  ['listPets', { query: 'limit=1e400' }, ['query/limit type']],
  ['listPets', { query: 'limit=x&status=lost' }, ['query/limit type', 'query/status enum']],
  ['getPet', { pathValues: { petId: '9223372036854775807' } }, []],
  ['getPet', { pathValues: { petId: '9223372036854775808' } }, ['path/petId format']],
  ['getPet', { pathValues: { petId: 'abc' } }, ['path/petId type']],
  // What cannot be read is not called missing.
  ['getPet', { pathValues: { petId: '%zz' } }, []],
])('sent to %s, %j breaks %j', (id, raw, broken) => expect(findInParameters(id, raw)).toEqual(broken));

test('a required parameter that is missing is told with the line that requires it', () => {
  const schema = '\n          schema:\n            type';
  const contract = changeContract([`required: false${schema}`, `required: true${schema}`]);
  const [list] = contract.operations as [Operation];
  const reading = readParameters(list, { pathValues: {}, query: '', headers: {} });
  const [violation] = contract.validate.parameters(list, reading);
  expect(violation).toMatchObject({ message: 'query/limit is required', rule: 'required' });
  expect(violation?.contract.pointer).toBe('/paths/~1pets/get/parameters/0/required');
});

const ERROR = { code: 'x', message: 'y' };

test.each([
  ['listPets', responseOf(200, []), responseOf(200, [rex]), responseOf(200, [], 'Application/JSON; charset=utf-8')],
  ['createPet', responseOf(201, { ...rex, status: 'sold' })],
  ['getPet', responseOf(200, { ...rex, id: 9223372036854775807n })],
  ['getPet', ...[404, 418, 599].map((status) => responseOf(status, { ...ERROR, status }))],
] as [string, ...ApiResponse[]][])('%s may answer %o', (id, ...all) =>
  expect(all.flatMap((each) => findIn(id, each))).toEqual([]),
);

test.each([
  ['listPets', responseOf(201, rex), 'the status 201 is not documented for listPets; it documents 200, 401, 4XX, 5XX'],
  ['listPets', responseOf(200), 'the response 200 has no body'],
  ['listPets', responseOf(200, [], 'text/html'), 'header/content-type must be application/json, but is text/html'],
  ['listPets', responseOf(200, [], ''), 'header/content-type must be application/json, but is nothing'],
  ['listPets', responseOf(200, rex), /^body must be an array, but is \{"id":1/],
  ['listPets', responseOf(200, [rex, { ...rex, id: 'x' }]), 'body/1/id must be an integer, but is "x"'],
  ['getPet', responseOf(200, { name: 'Rex', categoryId: 1 }), 'body/id is required'],
  ['getPet', responseOf(404, { code: 'x', message: 'y' }), 'body/status is required'],
])('when %s answers with a fault, it is told', (id, response, message) => {
  const [told, ...others] = findIn(id, response);
  expect(told).toMatch(message);
  expect(others).toEqual([]);
});

test('what success looks like is open where the contract documents errors alone, and nowhere else', () => {
  const { responses, ...list } = operation('listPets');
  const findFor = (kept: RegExp, status: number): string[] => {
    const errors = responses.filter((rule) => kept.test(rule.status));
    return validate.response({ ...list, responses: errors }, responseOf(status, [])).map(({ rule }) => rule);
  };
  expect(findFor(/401/, 200)).toEqual([]);
  expect(findFor(/401/, 204)).toEqual([]);
  expect(findFor(/401/, 404)).toEqual(['responses']);
  expect(findFor(/401|200/, 201)).toEqual(['responses']);
});

test('nothing but a listed media type has rules', () => {
  expect(validate.requestBody(operation('createPet'), 'text/plain', {})).toEqual([]);
  expect(validate.requestBody(operation('createPet'), 'application/json', {})).toHaveLength(2);
});

test.each(['__proto__', 'constructor', 'toString'])('an inherited %s is no field of a body', (name) => {
  const contract = changeContract(['required: [name, categoryId]', `required: [name, categoryId, ${name}]`]);
  const found = contract.validate.value('/components/schemas/NewPet', { name: 'Rex', categoryId: 1 });
  expect(found.map(({ message }) => message)).toEqual([`body/${name} is required`]);
});

test.each([
  ['string', ['content header/x-json']],
  ['{"k":"7"}', ['type header/x-json/k']],
  ['{"k":7}', []],
])('a header field with content of JSON is judged as such: %s', (text, found) => {
  const schema = '{ type: object, properties: { k: { type: integer } } }';
  const headers = `{ X-Json: { content: { application/json: { schema: ${schema} } } } }`;
  const paths = `{ /a: { get: { responses: { '200': { description: ok, headers: ${headers} } } } } }`;
  const document = `{ openapi: 3.0.3, info: { title: T, version: '1' }, paths: ${paths} }`;
  const contract = parseContract(document, { shownAs: 'a.yaml' });
  const [rule] = contract.operations[0]?.responses ?? [];
  const violations = contract.validate.headers(rule as never, { 'x-json': text });
  expect(violations.map((each) => `${each.rule} ${each.part}${each.pointer}`)).toEqual(found);
});
