// A service that accepts nearly every invalid change: what a rejected one left alone is compared with no older state.
import { expect, test } from 'vitest';
import { object, text } from '../resources/support/odd-resource.js';
import { describeShelf, serveShelf } from '../resources/support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item } from '../resources/support/stranger.js';

const NAMES = ['name', ...Array.from({ length: 14 }, (_, index) => `part${index}`)];
const FIELDS = Object.fromEntries(NAMES.map((name) => [name, { ...text, minLength: 2 }]));

test.each([
  ['as it is', false],
  ['but one that stores what it rejects', true],
])('only what was accepted is reported: %s', async (_, storesRejected) => {
  const paths = describeShelf({
    name: 'kites',
    record: object({ id: { type: 'integer', readOnly: true }, ...FIELDS }, ['id', ...NAMES]),
    sent: object(FIELDS, NAMES),
  });
  const isRight = (body: Item): boolean => NAMES.every((name) => typeof body[name] === 'string');
  const serve = serveShelf('kites', {
    refuse: (body, { method }, items) => {
      if (method === 'POST') return isRight(body) ? undefined : fail(400);
      // All that is no object is stored as text.
      if (NAMES.every((name) => Object.hasOwn(body, name) && typeof body[name] !== 'object')) return undefined;
      const last = items.at(-1);
      if (storesRejected && last !== undefined) last['part3'] = 'changed';
      return fail(400);
    },
    keep: (body) => Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)])),
  });
  const result = await judgeStranger(describePaths(paths), serve, ['kites/refusals/replace*']);
  const told = listTold(result);
  expect(told.some((each) => each.startsWith('kites_replace accepts'))).toBe(true);
  expect(told.some((each) => each.includes('not as it was sent') || each.includes('not as they were sent'))).toBe(
    storesRejected,
  );
});
