// Rounds of waiting come at 0, 50, 150 and 350 milliseconds, and then every 400: the time that a target has ends with one more.
import { expect, test } from 'vitest';
import { object, text } from '../resources/support/odd-resource.js';
import { describeShelf, serveShelf } from '../resources/support/shelf.js';
import { describePaths, fail, judgeStranger, listTold } from '../resources/support/stranger.js';

const RECORD = object({ id: { type: 'integer', readOnly: true }, name: text }, ['id', 'name']);
const KITES = describePaths(describeShelf({ name: 'kites', record: RECORD, sent: object({ name: text }, ['name']) }));

/** A service that shows a record so many milliseconds after its creation. */
async function judge(lateMs: number): Promise<string[]> {
  const madeAt = new Map<string, number>();
  const serve = serveShelf('kites', {
    answer: ({ method, path: [, key = ''] }, items) => {
      for (const { id } of items) if (!madeAt.has(String(id))) madeAt.set(String(id), performance.now());
      const isLate = performance.now() < (madeAt.get(key) ?? 0) + lateMs;
      return method === 'GET' && key !== '' && isLate ? fail(404) : undefined;
    },
  });
  return listTold(await judgeStranger(KITES, serve, ['kites/records/get'], { settleMs: 700, concurrency: 1 }));
}

test('what a target shows before its time is over is in time', async () => expect(await judge(600)).toEqual([]));

test('what it does not show by then is told', async () =>
  expect(await judge(60_000)).toEqual(['A created record is missing in responses of kites_get']));
