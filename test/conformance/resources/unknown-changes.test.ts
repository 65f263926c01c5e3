// Resources without a create: their records stay as they are, and changes at keys that none has are rejected.
import { expect, test } from 'vitest';
import { object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Asked } from './support/stranger.js';

const RECORD = object({ id: { type: 'integer', readOnly: true }, name: text }, ['id', 'name']);
const PATHS = describeShelf({
  name: 'kites',
  record: RECORD,
  sent: object({ name: text }, ['name']),
  methods: ['list', 'get', 'replace', 'update', 'remove'],
});

test.each([
  ['a sound service', undefined, []],
  ['an update that succeeds', 'PATCH', [expect.stringMatching(/^kites_update .*200.*404|kites_update/)]],
  ['a replacement that succeeds', 'PUT', [expect.stringMatching(/^kites_replace/)]],
])('of records that a run cannot create: %s', async (_, wrong, told) => {
  const writes: Asked[] = [];
  const first = [{ id: 7, name: 'Red' }];
  const serve = serveShelf(
    'kites',
    {
      refuse: ({ name }) => (typeof name === 'string' && name !== '' ? undefined : fail(400)),
      answer: (asked, items) => {
        const [, key] = asked.path;
        if (key === undefined || asked.method === 'GET') return undefined;
        writes.push(asked);
        const isThere = items.some(({ id }) => String(id) === key);
        return asked.method === wrong && !isThere && typeof asked.body === 'object'
          ? { status: 200, body: { id: Number(key), name: 'None' } }
          : undefined;
      },
    },
    first,
  );
  const result = await judgeStranger(describePaths(PATHS), serve);
  expect(listTold(result)).toEqual(told);
  expect(new Set(writes.map(({ method }) => method))).toEqual(new Set(['PATCH', 'PUT', 'DELETE']));
  expect(writes.every(({ path }) => path[1] !== '7')).toBe(true);
});
