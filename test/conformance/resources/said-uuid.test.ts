// Keys that are UUIDs by their description alone: another text is malformed, and no record that is missing.
import { expect, test } from 'vitest';
import { object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold } from './support/stranger.js';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

test.each([
  ['nothing', 404, []],
  ['a service that says another status for an unknown UUID', 400, [/kites_get returns 400 instead of 404/]],
])('such a key is asked for: %s is reported', async (_, status, told) => {
  const paths = describeShelf({
    name: 'kites',
    record: object({ id: { type: 'string', readOnly: true }, name: text }, ['id', 'name']),
    sent: object({ name: text }, ['name']),
    methods: ['list', 'create', 'get', 'remove'],
    refusals: { get: [400, 404] },
  });
  const [parameter] = (paths['/kites/{id}'] as { parameters: object[] }).parameters;
  Object.assign(parameter ?? {}, { schema: { type: 'string' }, description: 'The UUID of the kite' });
  let made = 0;
  const serve = serveShelf('kites', {
    renames: () => `0b5b4f2c-9a55-4d0c-9d1e-${String((made += 1)).padStart(12, '0')}`,
    refuse: ({ name }) => (typeof name === 'string' && name !== '' ? undefined : fail(400)),
    answer: ({ method, path: [, key] }, items) => {
      if (key === undefined || items.some(({ id }) => id === key)) return undefined;
      return fail(UUID.test(key) && method === 'GET' ? status : 400, 'No UUID');
    },
  });
  const result = await judgeStranger(describePaths(paths), serve, ['kites/records/*']);
  expect(listTold(result)).toEqual(told.map((each) => expect.stringMatching(each)));
});
