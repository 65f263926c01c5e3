import { expect, test } from 'vitest';
import { content, inPath, openPaths } from '../../support/open-paths.js';
import { ask } from '../../support/test-world.js';
import { listOf, object, TEXT, YES } from '../../support/schemas.js';

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
