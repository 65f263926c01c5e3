// A service that knows a record again may answer a create with the one that is there: a 200 says so.
import { expect, test } from 'vitest';
import { content } from '../../support/open-paths.js';
import { object, text, type Schema } from './support/odd-resource.js';
import { describeShelf, serveShelf } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item } from './support/stranger.js';

const RECORD = object({ id: { type: 'integer', readOnly: true }, name: text }, ['id', 'name']);
const PATHS = describeShelf({ name: 'buoys', record: RECORD, sent: object({ name: text }, ['name']) }) as Record<
  string,
  Record<string, { responses: Schema }>
>;
const create = PATHS['/buoys']?.['post'] as { responses: Schema };
create.responses = { ...create.responses, 200: content(RECORD) };

async function judge(status: number): Promise<string[]> {
  const isText = (body: unknown): body is Item => typeof (body as Item | null | undefined)?.['name'] === 'string';
  const serve = serveShelf('buoys', {
    answer({ method, body }, items) {
      const there = method === 'POST' && isText(body) ? items.find(({ name }) => name === body['name']) : undefined;
      return there === undefined ? undefined : { status, body: there };
    },
    refuse: (body) => (isText(body) ? undefined : fail(400, 'A name')),
  });
  return listTold(await judgeStranger(describePaths(PATHS), serve, [], { concurrency: 1 }));
}

test('is no problem where the answer is 200', async () => {
  expect(await judge(200)).toEqual([]);
});

test('is one where it says that there is a new record', async () => {
  expect(await judge(201)).toEqual(['One key is given to several records (buoys)']);
});
