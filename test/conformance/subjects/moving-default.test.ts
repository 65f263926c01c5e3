// A default is what a new record has. Where a service moves its records on, a later answer says nothing of it.
import { expect, test } from 'vitest';
import { object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold } from './support/stranger.js';

const STATES = ['planned', 'running', 'done'];
const FIELDS = { name: text, state: { type: 'string', enum: STATES, default: 'planned' } };
const JOBS = describePaths(
  describeShelf({
    name: 'jobs',
    record: object({ id: { type: 'integer', readOnly: true }, ...FIELDS }, ['id', 'name', 'state']),
    sent: object(FIELDS, ['name']),
    methods: ['list', 'create', 'get'],
  }),
);

/** A job begins in a state, and is in the next one after so many milliseconds. */
async function judge(begin: string, runsAfterMs: number): Promise<string[]> {
  const madeAt = new Map<unknown, number>();
  const serve = serveShelf('jobs', {
    refuse: ({ name, state = 'done' }) =>
      typeof name === 'string' && STATES.includes(state as string) ? undefined : fail(400),
    keep: ({ name, state = begin }) => ({ name, state }),
    answer: (_asked, items) => {
      for (const item of items) {
        if (!madeAt.has(item['id'])) madeAt.set(item['id'], performance.now());
        const isOver = performance.now() - (madeAt.get(item['id']) ?? 0) > runsAfterMs;
        if (isOver && item['state'] === 'planned') item['state'] = 'running';
      }
      return undefined;
    },
  });
  return listTold(await judgeStranger(JOBS, serve, ['jobs/records/*'], { concurrency: 1 }));
}

test('a state that moves on is not taken for another default', async () => {
  expect(await judge('planned', 10)).toEqual([]);
});

test('a state in which nothing begins is', async () => {
  expect(await judge('done', 60_000)).toEqual([
    '`state` is "done" where no request names it, not its default "planned" (jobs)',
  ]);
});
