// A create that is put off is sent again. What 503 says of the first one is open; that 429 took nothing, it says itself (RFC 6585 section 4).
import { expect, test } from 'vitest';
import { object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold } from './support/stranger.js';

const FIELDS = { name: text };
const CRATES = describePaths(
  describeShelf({
    name: 'crates',
    record: object({ id: { type: 'integer', readOnly: true }, ...FIELDS }, ['id', 'name']),
    sent: object(FIELDS, ['name']),
    methods: ['list', 'create', 'get'],
  }),
);

/** Every create is kept, and put off the first time with a status. */
async function judge(status: number): Promise<string[]> {
  const putOff = new Set<unknown>();
  let keys = 5000;
  const serve = serveShelf('crates', {
    refuse: ({ name }) => (typeof name === 'string' ? undefined : fail(400)),
    keep: ({ name }) => ({ name }),
    answer: ({ method, body }, items) => {
      const { name } = (body ?? {}) as { name?: unknown };
      if (method !== 'POST' || typeof name !== 'string' || putOff.has(name)) return undefined;
      putOff.add(name);
      items.push({ id: (keys += 1), name });
      return { ...fail(status), headers: { 'Retry-After': '0' } };
    },
  });
  return listTold(await judgeStranger(CRATES, serve, ['crates/records/*', 'crates/sequences/*'], { concurrency: 1 }));
}

test('what 503 may have taken is no second record', async () => {
  expect(await judge(503)).toEqual([]);
});

test('what 429 has taken is', async () => {
  expect(await judge(429)).toEqual([expect.stringContaining('What was sent once is kept more than once')]);
});
