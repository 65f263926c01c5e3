// Records that end by themselves, as the response to their creation says: one that is gone by then is not lost.
import { expect, test } from 'vitest';
import { object, text } from '../../resources/support/odd-resource.js';
import type { Habits } from '../../resources/support/shelf.js';
import { listTold, type Item } from '../../resources/support/stranger.js';
import { id, name, runStranger } from '../../resources/support/strangers.js';

/** What a run reports of records that say such a thing of their end, and are gone as soon as one asks for any. */
async function judge(says: () => Item): Promise<string[]> {
  const gone: Habits = {
    keep: (body) => ({ ...body, ...says() }),
    answer({ method, path }, items) {
      if (method === 'GET' && path[0] === 'visits') items.length = 0;
      return undefined;
    },
  };
  const record = object({ id, name, kind: { ...text, enum: ['web', 'app'] } }, ['name']);
  const only = ['visits/records/get', 'visits/sequences/later-listed'];
  return listTold(await runStranger({ plan: { name: 'visits', record }, habits: () => gone, only }));
}

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

test.each<[string, () => Item]>([
  ['a time that is over', () => ({ expiresAt: inSeconds(-1) })],
  ['a time within seconds', () => ({ valid_until: inSeconds(2) })],
  ['a number of seconds', () => ({ expires_in: 1 })],
  ['a time in seconds since 1970', () => ({ expires: Math.floor(Date.now() / 1000) })],
])('%s is no loss', async (_, says) => expect(await judge(says)).toEqual([]));

test('a record that is gone an hour before its end is lost', async () => {
  const told = await judge(() => ({ expiresAt: inSeconds(3600) }));
  expect(told).toEqual([expect.stringMatching(/^A created record is missing in responses of/)]);
});

test.each([
  ['ended', -1, []],
  ['not', 3600, [expect.stringMatching(/^One key is given to several records/)]],
])('the key of a record that has %s may be given to the next', async (_, seconds, told) => {
  const record = object({ id, name, expiresAt: { ...text, readOnly: true } }, ['name']);
  const habits = (): Habits => ({
    keep: (body) => ({ ...body, expiresAt: inSeconds(seconds) }),
    nextKey: () => 7,
    answer: ({ method }, items) => {
      if (method === 'POST') items.length = 0;
      return undefined;
    },
  });
  const only = ['visits/records/create', 'visits/records/create-full'];
  expect(listTold(await runStranger({ plan: { name: 'visits', record }, habits, only }))).toEqual(told);
});
