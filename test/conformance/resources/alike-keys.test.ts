// What the run takes for a key may be none: several records are alike in it, and nothing is found by it.
import { expect, test } from 'vitest';
import { object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold } from './support/stranger.js';

test.each([
  ['as it is', false],
  ['but one that shows a record twice', true],
])('records of one name are several, where the path has another key: %s', async (_, repeats) => {
  const paths = describeShelf({
    name: 'tokens',
    record: object({ name: text, note: text }, ['name', 'note']),
    methods: ['list', 'create', 'get', 'remove'],
    key: { type: 'string' },
    keyName: 'token',
  });
  const first = [
    { name: 'Old', note: 'one' },
    { name: 'Old', note: 'another' },
  ];
  const serve = serveShelf(
    'tokens',
    {
      keyProperty: 'secret',
      keep: (body) => ({ ...body, secret: `s${String(body['name'])}` }),
      refuse: (body) => (['name', 'note'].every((each) => typeof body[each] === 'string') ? undefined : fail(400)),
      show: ({ secret: _secret, ...shown }) => shown,
      list: (items) => {
        const shown = items.map(({ secret: _secret, ...each }) => each);
        return { status: 200, body: repeats ? [...shown, ...shown.slice(-1)] : shown };
      },
    },
    first,
  );
  const result = await judgeStranger(describePaths(paths), serve, [
    'tokens/records/*',

    'tokens/sequences/*',
  ]);
  const told = listTold(result).filter((each) => /twice|several|once/.test(each));
  expect(told.length > 0).toBe(repeats);
});
