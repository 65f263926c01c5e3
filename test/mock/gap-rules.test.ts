import { describe, expect, test } from 'vitest';
import { parseContract } from '../support/parse-contract.js';
import { ask, createTestWorld } from '../support/test-world.js';

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const book = {
  type: 'object',
  required: ['isbn', 'shelf'],
  properties: { isbn: { type: 'integer', format: 'int64' }, shelf: { type: 'string', enum: ['low', 'high'] } },
};

/** A library whose names are not those of the petstore. */
function openLibrary(
  choices: Record<string, string>,
  { answers = {}, seen = {} } = {},
): ReturnType<typeof createTestWorld> {
  const paths = {
    '/books': {
      get: {
        operationId: 'browse',
        parameters: [
          { name: 'pageSize', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 2, default: 2 } },
          { name: 'pageNumber', in: 'query', schema: { type: 'integer' } },
          { name: 'shelf', in: 'query', schema: { type: 'string', enum: ['low', 'high'] } },
        ],
        responses: { 200: { description: 'All.', ...json({ type: 'array', items: book }) } },
      },
      post: {
        operationId: 'shelve',
        requestBody: json(book),
        responses: { 201: { description: 'One.', ...json(book) } },
      },
    },
    '/books/{isbn}': {
      parameters: [{ name: 'isbn', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } }],
      get: { operationId: 'read', responses: { 200: { description: 'One.', ...json(book) }, ...answers } },
    },
  };
  return createTestWorld({ contract: parseContract({ paths }), others: 3, choices, seen });
}

describe('a gap is about what a parameter does, whatever it is called', () => {
  test.each([
    ['limit-above-maximum', 'clamped', '/books?pageSize=9', 200, 2],
    ['limit-above-maximum', 'refused-422', '/books?pageSize=9', 422, undefined],
    ['limit-below-minimum', 'clamped', '/books?pageSize=0', 200, 1],
    ['limit-not-integer', 'ignored', '/books?pageSize=two', 200, 2],
    ['empty-limit', 'ignored', '/books?pageSize=', 200, 2],
    ['unknown-status-filter', 'empty-list', '/books?shelf=middle', 200, 0],
    ['unknown-status-filter', 'refused-422', '/books?shelf=middle', 422, undefined],
    ['status-filter-case', 'matched', '/books?shelf=LOW', 200, 2],
    ['empty-status-filter', 'ignored', '/books?shelf=', 200, 2],
    ['pet-id-not-integer', 'not-found', '/books/one', 404, undefined],
    ['pet-id-not-integer', 'refused-422', '/books/one', 422, undefined],
    ['pet-id-out-of-range', 'not-found', '/books/9223372036854775808', 404, undefined],
  ])('%s: %s, of %s', (gap, choice, target, status, length) => {
    const answer = ask(openLibrary({ [gap]: choice }), `GET ${target}`);
    expect([answer.status, Array.isArray(answer.value) ? answer.value.length : undefined]).toEqual([status, length]);
  });

  test('what has another role is refused as the contract says', () => {
    const choices = { 'limit-not-integer': 'ignored', 'limit-below-minimum': 'clamped' };
    expect(ask(openLibrary(choices), 'GET /books?pageNumber=two').status).toBe(400);
  });

  test('a contract that says how it refuses an invalid key is not asked for a choice', () => {
    const answers = { 400: { description: 'No key.' }, 404: { description: 'No book.' } };
    expect(ask(openLibrary({ 'pet-id-not-integer': 'not-found' }, { answers }), 'GET /books/one').status).toBe(400);
  });
});

test('forms of integers that a target was seen to read are read of any page size and any key', () => {
  const seen = { 'limit-forms': ['exponent'], 'pet-id-forms': ['zeros'] };
  expect(ask(openLibrary({}), 'GET /books?pageSize=1e0').status).toBe(400);
  expect(ask(openLibrary({}, { seen }), 'GET /books?pageSize=1e0').value).toHaveLength(1);
  expect(ask(openLibrary({}, { seen }), 'GET /books/01').value).toMatchObject({ isbn: 1 });
});
