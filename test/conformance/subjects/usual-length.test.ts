// A list without pages, of as many records as servers cut lists at: whether it is cut, what the run has seen of it tells.
import { expect, test } from 'vitest';
import type { RunResult } from '../../../src/conformance/index.js';
import { object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf } from './support/shelf.js';
import { describePaths, judgeStranger, type Item } from './support/stranger.js';

const SHELF = describePaths(
  describeShelf({
    name: 'boats',
    record: object({ id: { type: 'integer', readOnly: true }, name: text }, ['id', 'name']),
    sent: object({ name: text }, ['name']),
  }),
);

const CUT_AT = 30;
const SCENARIO = 'boats/changes/remove-from-list';

interface Length {
  first: number;
  /** How many come to be, of somebody else's, when the run removes one: the list that is read then was no longer before. */
  after: number;
  /** Whether somebody else's stand around each of the run's own until then. */
  between?: boolean;
  /** Whether the list has another order then. */
  isTurned?: boolean;
}

async function judge({
  first,
  after,
  between = false,
  isTurned = false,
}: Length): Promise<Pick<RunResult, 'problems'> & { said: string }> {
  const others = (count: number, from: number): Item[] =>
    Array.from({ length: count }, (_, index) => ({ id: from + index, name: "Somebody else's" }));
  const serve = serveShelf(
    'boats',
    {
      answer({ method }, items) {
        if (method === 'POST' && between) items.push(...others(1, 1000 + items.length));
        if (method !== 'DELETE') return undefined;
        const kept = items.filter(({ id }) => Number(id) < 1000);
        items.splice(0, items.length, ...others(after, 2000), ...(isTurned ? kept.toReversed() : kept));
        return undefined;
      },
      list: (items) => ({ status: 200, body: items.slice(0, CUT_AT) }),
    },
    others(first, 1),
  );
  const { problems, scenarios } = await judgeStranger(SHELF, serve, [SCENARIO], { concurrency: 1 });
  const { verdict, reason } = scenarios.find(({ id }) => id === SCENARIO) ?? {};
  return { problems, said: reason ?? String(verdict) };
}

test('that has all that was seen in it but what the run removed is whole', async () => {
  expect(await judge({ first: CUT_AT - 5, after: 2, isTurned: true })).toEqual({ problems: [], said: 'passed' });
});

test('does not have what stood in it between records that are there, whoever removed those next to it', async () => {
  expect(await judge({ first: CUT_AT - 9, after: 6, between: true })).toEqual({ problems: [], said: 'passed' });
});

test('that lacks what was seen in it may be cut', async () => {
  expect(await judge({ first: CUT_AT - 4, after: 2 })).toEqual({
    problems: [],
    said: expect.stringContaining('has 30 records, as a page may have') as string,
  });
});
