import { expect, test } from 'vitest';
import { object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item } from './support/stranger.js';

const uuid = { type: 'string', format: 'uuid' };
const record = object({ id: { ...uuid, readOnly: true }, alias: uuid, name: { ...text, minLength: 1 } }, ['name']);

/** Stubs, whose id a client may choose under another name: one that is taken is refused, and none is ever changed. */
async function judgeStubs(loses: boolean): Promise<{ told: string[]; inconclusive: number }> {
  let count = 0;
  const serve = serveShelf('stubs', {
    refuse: ({ name, alias }, { method }, items) => {
      const isTaken = method === 'POST' && alias !== undefined && items.some((each) => each['alias'] === alias);
      const isUuid = typeof alias === 'string' && /^[-\da-f]{36}$/.test(alias);
      const isText = typeof name === 'string' && name !== '' && (alias === undefined || isUuid);
      return isText && !isTaken ? undefined : fail(400);
    },
    renames: () => `00000000-0000-4000-9000-${String((count += 1)).padStart(12, '0')}`,
    answer: ({ method, path, body }, items) => {
      const index = items.findIndex(({ id }) => id === path[1]);
      const found = items[index];
      const { name } = (body ?? {}) as Item;
      if (method !== 'PUT' || found === undefined || typeof name !== 'string' || name === '') return undefined;
      items[index] = { ...found, name };
      return { status: 200, body: items[index] };
    },
    show: (item) => ({ ...item, alias: loses ? item['id'] : (item['alias'] ?? item['id']) }),
  });
  const document = describePaths(describeShelf({ name: 'stubs', record, key: uuid }));
  const result = await judgeStranger(document, serve, ['stubs/records/*', 'stubs/changes/*']);
  return { told: listTold(result), inconclusive: result.summary.inconclusive };
}

test('no two records of a run have one UUID, and a replacement gives a record no other', async () => {
  expect(await judgeStubs(false)).toEqual({ told: [], inconclusive: 0 });
});

test('a UUID that is not kept as it was sent is told', async () => {
  expect((await judgeStubs(true)).told).toEqual([expect.stringMatching(/^`alias` is not as it was sent/)]);
});
