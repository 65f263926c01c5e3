// Services that lose what a run created, after every scenario has seen it.
import { expect, test } from 'vitest';
import { object, text } from '../resources/support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from '../resources/support/shelf.js';
import { describePaths, judgeStranger, listTold, type Item } from '../resources/support/stranger.js';

const sent = object({ name: text }, ['name']);

function describe(record: object = { name: text }): object {
  const whole = object({ id: { type: 'integer', readOnly: true }, ...record }, ['id', 'name']);
  return describePaths(describeShelf({ name: 'kites', record: whole, sent }));
}

const SEEDS: Item[] = [1, 2, 3].map((id) => ({ id, name: `Kite ${id}` }));

const judge = async (habits: Habits, only: readonly string[], document: object = describe()): Promise<string[]> =>
  listTold(await judgeStranger(document, serveShelf('kites', habits, SEEDS), only, { settleMs: 100 }));

const LOST = 'A created record is missing in responses of kites_list';

/** Scenarios that create and fetch, and never read the list. */
const FETCHES = ['kites/records/get', 'kites/records/create'];

/** Takes back what was created as soon as the list is asked for. */
const ROLLED_BACK: Habits = {
  answer: ({ method, path: [, key] }, items) => {
    const isList = method === 'GET' && key === undefined;
    if (isList) items.splice(0, items.length, ...SEEDS.map((seed) => ({ ...seed })));
    return undefined;
  },
};

test('creates that are rolled back after the last scenario has seen them are reported', async () =>
  expect(await judge(ROLLED_BACK, FETCHES)).toEqual([LOST]));

test('the same of records that expire, as the contract says, is none', async () =>
  expect(await judge(ROLLED_BACK, FETCHES, describe({ name: text, expiresAt: { type: 'string' } }))).toEqual([]));

test('a list that is empty once it has shown what was created, while the records are there, is reported', async () => {
  let wasShown = false;
  const empties: Habits = {
    list: (items) => {
      const body = wasShown ? [] : items;
      wasShown ||= items.length > SEEDS.length;
      return { status: 200, body };
    },
  };
  expect(await judge(empties, ['kites/sequences/later-listed'])).toEqual([LOST]);
});

test('a service that keeps the newest records alone does not lose them', async () => {
  const keepsOne: Habits = {
    answer: ({ method, path: [, key] }, items) => {
      if (method === 'GET' && key === undefined) items.splice(0, items.length - 1);
      return undefined;
    },
  };
  expect(await judge(keepsOne, FETCHES)).toEqual([]);
});

test('a list that leaves out what it has never shown does not lose it', async () => {
  const drafts: Habits = { list: () => ({ status: 200, body: SEEDS }) };
  expect(await judge(drafts, FETCHES)).toEqual([]);
});
