import { expect, test } from 'vitest';
import { visit, type Board, type Habits } from './pinboard.js';

/** The greatest key that a pin ever had in the visit. */
function findGreatest({ log, pins }: Board): number {
  const removed = log.flatMap(({ line }) => /^DELETE \/pins\/(\d+)$/.exec(line)?.[1] ?? []);
  return Math.max(...[...removed, ...pins.map(({ id }) => id)].map(Number));
}

test.each<[string, Habits]>([
  ['takes the key of a client', { takesKeys: true }],
  ['takes the key of a client, which only the service sets', { takesKeys: true, isKeyReadOnly: true }],
  ['creates by PUT at any key', { putsNew: true }],
])('where a service %s, the next record of its owner has the key after those of the visit', async (_, habits) => {
  const { board, result } = await visit(habits);
  expect(result.leftBehind).toBeUndefined();
  expect(board.peek()).toBe(findGreatest(board) + 1);
  expect(Number(board.peek())).toBeLessThan(3 + result.summary.created + 40);
});

test('a service that counts in steps is not said to take a key that it would have given', async () => {
  const { result } = await visit({ isKeyReadOnly: true, nextKey: (count) => 1000 + 2 * count });
  expect(result.problems.map(({ headline }) => headline)).toEqual([]);
  expect(result.gaps.find(({ id }) => id === 'pins.client-id')?.answer).toBe('ignored');
});

test('that a service takes the key of a client is seen all the same', async () => {
  const { result } = await visit({ takesKeys: true });
  expect(result.gaps.find(({ id }) => id === 'pins.client-id')?.answer).toBe('other');
  expect((await visit({})).result.gaps.find(({ id }) => id === 'pins.client-id')?.answer).toBe('ignored');
});

test('no key is made up where keys are numbers that are not counted', async () => {
  const { board, result } = await visit({ takesKeys: true, nextKey: (count) => 4000 + ((count * 7919) % 3001) * 4217 });
  const sent = board.log.filter(
    ({ line, body }) => line === 'POST /pins' && Object.hasOwn(Object(body) as object, 'id'),
  );
  expect(sent).toEqual([]);
  const skipped = result.scenarios.find(({ id }) => id === 'pins/gaps/client-id');
  expect(skipped).toMatchObject({
    verdict: 'skipped',
    reason: expect.stringContaining('does not number its records one by one'),
  });
});

test('a number that only the service sets is sent below all that it counts', async () => {
  const fields = { serial: { type: 'integer', readOnly: true } };
  const { board } = await visit({ fields });
  const sent = board.log.map(({ body }) => (body as Record<string, unknown> | undefined)?.['serial']);
  expect(sent.filter((each) => each !== undefined).every((each) => Number(each) < 0)).toBe(true);
  expect(sent.some((each) => each !== undefined)).toBe(true);
});

test('what can be set of one record alone is not set of those of a visit', async () => {
  const { board } = await visit({ fields: { isDefault: { type: 'boolean' }, primary: { type: 'boolean' } } });
  const sent = board.log.map(({ body }) => Object(body) as Record<string, unknown>);
  expect(sent.filter((each) => each['isDefault'] === true || each['primary'] === true)).toEqual([]);
  expect(sent.some((each) => each['isDefault'] === false)).toBe(true);
});

test('no request to a path with a method that the contract does not have there could remove everything', async () => {
  const { board } = await visit({});
  expect(board.log.filter(({ line }) => line === 'DELETE /pins')).toEqual([]);
  expect(board.log.some(({ line }) => /^(?:PUT|PATCH) \/pins$/.test(line))).toBe(true);
});

test('what a service might do with such a method needs the same consent', async () => {
  const { board } = await visit({}, { may: ['create'] });
  expect(board.log.filter(({ line }) => /^(?:PUT|PATCH|DELETE)/.test(line))).toEqual([]);
});
