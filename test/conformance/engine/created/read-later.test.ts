// What is said to be left behind was asked for again, at its address.
import { expect, test } from 'vitest';
import { listLeft } from '../../../../src/report/problems.js';
import { object, text } from '../../resources/support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from '../../resources/support/shelf.js';
import { describePaths, fail, judgeStranger } from '../../resources/support/stranger.js';

const DOCUMENT = describePaths(
  describeShelf({
    name: 'kites',
    record: object({ id: { type: 'integer', readOnly: true }, name: text }, ['id', 'name']),
    sent: object({ name: text }, ['name']),
    methods: ['create', 'get', 'remove'],
    refusals: { remove: [404, 409] },
  }),
);
const refuse: NonNullable<Habits['refuse']> = ({ name }) =>
  typeof name === 'string' && name !== '' ? undefined : fail(400);

test('what is gone a little after its removal was refused is not claimed', async () => {
  const gone = new Set<string>();
  const answer: Habits['answer'] = ({ method, path: [, key = ''] }) => {
    if (key === '') return undefined;
    if (method === 'DELETE') {
      gone.add(key);
      return fail(409, 'It is being removed.');
    }
    return gone.has(key) ? fail(404) : undefined;
  };
  const result = await judgeStranger(DOCUMENT, serveShelf('kites', { refuse, answer }), ['kites/records/create']);
  expect(result.leftBehind).toBeUndefined();
});

test('what is there is told by its address, and not by texts that nothing searches for', async () => {
  const answer: Habits['answer'] = ({ method }) => (method === 'DELETE' ? fail(409) : undefined);
  const result = await judgeStranger(DOCUMENT, serveShelf('kites', { refuse, answer }), ['kites/records/create']);
  expect(listLeft(result)).toEqual([expect.stringMatching(/: DELETE http:\/\/127\.0\.0\.1:\d+\/kites\/\d+$/)]);
});
