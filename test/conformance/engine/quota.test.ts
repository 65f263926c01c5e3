import { expect, test } from 'vitest';
import { object, text } from '../resources/support/odd-resource.js';
import { describeShelf, serveShelf } from '../resources/support/shelf.js';
import { describePaths, fail, judgeStranger, listTold } from '../resources/support/stranger.js';

test.each([402, 403])('a quota of records that is used up, answered with %i, names --max-creates', async (status) => {
  const record = object({ id: { type: 'integer', readOnly: true }, name: text }, ['id', 'name']);
  const paths = describeShelf({
    name: 'kites',
    record,
    sent: object({ name: text }, ['name']),
    refusals: { create: [400, status] },
  });
  let created = 0;
  const serve = serveShelf('kites', {
    refuse: ({ name }, { method }) => {
      if (typeof name !== 'string' || name === '') return fail(400);
      if (method !== 'POST') return undefined;
      created += 1;
      return created > 12 ? fail(status, 'The quota is used up.') : undefined;
    },
  });
  const result = await judgeStranger(describePaths(paths), serve, ['kites/*']);
  expect(listTold(result)).toEqual([]);
  const reasons = result.scenarios.flatMap(({ reason = '' }) => reason);
  expect(reasons.some((each) => each.includes('--max-creates'))).toBe(true);
  expect(reasons.some((each) => /key that may/.test(each))).toBe(false);
});
