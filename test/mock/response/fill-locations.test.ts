import { expect, test } from 'vitest';
import { content, inPath, openPaths } from '../../support/open-paths.js';
import { ask, KEY } from '../../support/test-world.js';
import { yaml } from '../../support/yaml.js';
import { listOf, object, TEXT, YES } from '../../support/schemas.js';

// As FastAPI writes its documents.
const components = yaml<object>`
schemas:
  Item: { type: object, required: [title, sizes], properties: { id: { type: integer }, title: { type: string, minLength: 3 },
    sizes: { type: array, items: { type: integer } } } }
  HTTPValidationError: { title: HTTPValidationError, type: object, properties: {
    detail: { title: Detail, type: array, items: { $ref: '#/components/schemas/ValidationError' } } } }
  ValidationError: { title: ValidationError, type: object, required: [loc, msg, type], properties: {
    loc: { title: Location, type: array, items: { anyOf: [{ type: string }, { type: integer }] } },
    msg: { title: Message, type: string }, type: { title: Error Type, type: string } } }
`;
const item = { $ref: '#/components/schemas/Item' };
const refused = content({ $ref: '#/components/schemas/HTTPValidationError' });
const PATHS = {
  '/items': { post: { requestBody: content(item), responses: { 200: content(item), 422: refused } } },
  '/items/{item_id}': { parameters: [inPath('item_id')], get: { responses: { 200: content(item), 422: refused } } },
};

const ask422 = (target: string, body?: string): unknown => {
  const { status, value } = ask(openPaths(PATHS, { components }), target, body === undefined ? {} : { body });
  expect(status).toBe(422);
  return value;
};

test('each fault of a body is at its field', () => {
  expect(ask422('POST /items', '{"title":"a","sizes":[1,"x"]}')).toEqual({
    detail: [
      { loc: ['body', 'title'], msg: expect.stringContaining('title') as string, type: 'string_too_short' },
      { loc: ['body', 'sizes', 1], msg: expect.stringContaining('integer') as string, type: 'type_error' },
    ],
  });
});

test('a missing field is named, and so is a parameter', () => {
  const missing = { loc: ['body', 'sizes'], msg: 'body/sizes is required', type: 'missing' };
  expect(ask422('POST /items', '{"title":"abc"}')).toEqual({ detail: [missing] });
  expect(ask422('GET /items/x')).toMatchObject({ detail: [{ loc: ['path', 'item_id'], type: 'type_error' }] });
});

test('what is no fault of a field is one of the body', () =>
  expect(ask422('POST /items', '{')).toMatchObject({ detail: [{ loc: ['body'], type: 'value_error' }] }));

test('no message has the key of the service', () => {
  const told = JSON.stringify(ask422('POST /items', JSON.stringify({ title: 'abc', sizes: [KEY] })));
  expect(told).toContain('sizes');
  expect(told).not.toContain(KEY);
});

const vote = object({ file_key: TEXT, up: YES }, ['file_key']);

function open(answer: object): ReturnType<typeof openPaths> {
  const fixed = content(object({ name: { const: 'vote' } }, ['name']));
  const get = (name: string, shown: object): object => ({
    parameters: [inPath(name, 'string')],
    get: { responses: { 200: shown } },
  });
  const paths = { '/files/{FileKey}/votes': get('FileKey', answer), '/votes/{name}': get('name', fixed) };
  return openPaths(paths, { answersAll: true });
}

test.each([
  ['a record', vote, { file_key: 'ABC' }],
  ['a list', { ...listOf(vote), minItems: 2 }, [{ file_key: 'ABC' }, { file_key: 'ABC' }]],
  ['an envelope', object({ data: { ...listOf(vote), minItems: 1 } }, ['data']), { data: [{ file_key: 'ABC' }] }],
])('what keeps no state repeats what its path says: %s', (_, schema, expected) => {
  expect(ask(open(content(schema)), 'GET /files/ABC/votes').value).toMatchObject(expected);
});

test('an example has the key of the request, unless the client asks for the example by name', () => {
  const examples = { one: { value: { file_key: 'shown' } } };
  const world = open({ description: 'Fine.', content: { 'application/json': { schema: vote, examples } } });
  expect(ask(world, 'GET /files/ABC/votes').value).toEqual({ file_key: 'ABC' });
  const asked = ask(world, 'GET /files/ABC/votes', { headers: { prefer: 'example=one' } });
  expect(asked.value).toEqual({ file_key: 'shown' });
});

test('what the contract does not allow there stays as it was', () => {
  const fixed = object({ file_key: { enum: ['K1'] } }, ['file_key']);
  expect(ask(open(content(fixed)), 'GET /files/ABC/votes').value).toEqual({ file_key: 'K1' });
  expect(ask(open(content(vote)), 'GET /votes/anything').value).toEqual({ name: 'vote' });
});
