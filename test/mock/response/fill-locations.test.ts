import { expect, test } from 'vitest';
import { content, inPath, openPaths } from '../../support/open-paths.js';
import { ask, KEY } from '../../support/test-world.js';
import { yaml } from '../../support/yaml.js';

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
