import { expect, test } from 'vitest';
import { integer, object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Answer, type Item } from './support/stranger.js';

// What one piece of a service's code does for all of its records, and how each fault of it is told.

const record = object(
  {
    id: { ...integer, readOnly: true },
    name: { ...text, minLength: 1 },
    notes: text,
    rank: { ...integer, format: 'int32' },
    kind: { ...text, enum: ['small', 'large'] },
  },
  ['name', 'rank', 'kind'],
);

/** All that the contract says of a record. */
function refuseAll({ name, notes = '', rank, kind, ...more }: Item): Answer | undefined {
  const isText = typeof name === 'string' && name !== '' && typeof notes === 'string';
  const isInt32 = typeof rank === 'number' && Number.isInteger(rank) && Math.abs(rank) < 2 ** 31;
  return isText && isInt32 && isKind(kind) && !Object.hasOwn(more, 'Name') ? undefined : fail(400);
}

function isKind(kind: unknown): boolean {
  return kind === 'small' || kind === 'large';
}

async function tell(habits: Habits): Promise<string[]> {
  const document = describePaths(describeShelf({ name: 'boxes', record }));
  return listTold(await judgeStranger(document, serveShelf('boxes', { refuse: refuseAll, ...habits })));
}

test('a service that reads what it gets is told of nothing', async () => {
  expect(await tell({})).toEqual([]);
});

test('a service that refuses odd texts, or has no such keys, is told of nothing', async () => {
  const refuse: Habits['refuse'] = (body) =>
    /^(?:null|constructor|__proto__|~)$/.test(String(body['notes'])) ? fail(400) : refuseAll(body);
  const answer: Habits['answer'] = ({ method, path: [, key] }) =>
    method === 'GET' && key !== undefined && !/^\d{1,9}$/.test(key) ? fail(404) : undefined;
  expect(await tell({ refuse, answer })).toEqual([]);
});

const lenient = (change: (body: Item) => Item): Habits => ({ refuse: (body) => refuseAll(change(body)) });

test.each<[string, Habits, RegExp]>([
  [
    'takes a choice in any case',
    lenient((body) => ({ ...body, kind: String(body['kind']).toLowerCase() })),
    /accepts? .*`kind`/,
  ],
  [
    'takes a choice with spaces',
    lenient((body) => ({ ...body, kind: String(body['kind']).trim() })),
    /accepts? .*`kind`/,
  ],
  ['takes a text for a number', lenient((body) => ({ ...body, rank: Number(body['rank']) })), /accepts? .*`rank`/],
  ['takes a list for a text', lenient((body) => ({ ...body, name: String(body['name']) || 'x' })), /accepts? .*`name`/],
  [
    'reads words as values',
    { keep: (body) => (body['notes'] === 'null' ? { ...body, notes: undefined } : body) },
    /`notes` is not as it was sent/,
  ],
  [
    'computes numbers in texts',
    {
      keep: (body) =>
        /^\d+e\d+$/.test(String(body['notes'])) ? { ...body, notes: String(Number(body['notes'])) } : body,
    },
    /`notes` is not as it was sent/,
  ],
  [
    'fails for a key past 32 bits',
    { answer: ({ method, path: [, key] }) => (method === 'GET' && Number(key) >= 2 ** 31 ? fail(500) : undefined) },
    /boxes_get fails with 500/,
  ],
  [
    'takes a key of none for that of the first',
    {
      answer: ({ method, path: [, key] }, items) =>
        method === 'GET' && key === '0' && items[0] !== undefined ? { status: 200, body: items[0] } : undefined,
    },
    /boxes_get/,
  ],
])('a service that %s is told', async (_, habits, told) => {
  expect(await tell(habits)).toEqual([expect.stringMatching(told)]);
});
