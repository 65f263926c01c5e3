import { expect, test } from 'vitest';
import { content, inPath, openPaths } from '../../support/open-paths.js';
import { ask } from '../../support/test-world.js';

const text = { type: 'string' };
const vote = { type: 'object', required: ['file_key'], properties: { file_key: text, up: { type: 'boolean' } } };

function open(answer: object): ReturnType<typeof openPaths> {
  return openPaths(
    {
      '/files/{FileKey}/votes': { parameters: [inPath('FileKey', 'string')], get: { responses: { 200: answer } } },
      '/votes/{name}': {
        parameters: [inPath('name', 'string')],
        get: {
          responses: { 200: content({ type: 'object', required: ['name'], properties: { name: { const: 'vote' } } }) },
        },
      },
    },
    { answersAll: true },
  );
}

test.each([
  ['a record', vote, { file_key: 'ABC' }],
  ['a list', { type: 'array', minItems: 2, items: vote }, [{ file_key: 'ABC' }, { file_key: 'ABC' }]],
  [
    'an envelope',
    { type: 'object', required: ['data'], properties: { data: { type: 'array', minItems: 1, items: vote } } },
    { data: [{ file_key: 'ABC' }] },
  ],
])('what keeps no state repeats what its path says: %s', (_, schema, expected) => {
  expect(ask(open(content(schema)), 'GET /files/ABC/votes').value).toMatchObject(expected);
});

test('an example has the key of the request, unless the client asks for the example by name', () => {
  const example = { value: { file_key: 'shown' } };
  const world = open({
    description: 'Fine.',
    content: { 'application/json': { schema: vote, examples: { one: example } } },
  });
  expect(ask(world, 'GET /files/ABC/votes').value).toEqual({ file_key: 'ABC' });
  const asked = ask(world, 'GET /files/ABC/votes', {
    headers: { authorization: 'Bearer test-key', prefer: 'example=one' },
  });
  expect(asked.value).toEqual({ file_key: 'shown' });
});

test('what the contract does not allow there stays as it was', () => {
  const fixed = { type: 'object', required: ['file_key'], properties: { file_key: { enum: ['K1'] } } };
  expect(ask(open(content(fixed)), 'GET /files/ABC/votes').value).toEqual({ file_key: 'K1' });
  expect(ask(open(content(vote)), 'GET /votes/anything').value).toEqual({ name: 'vote' });
});
