import { expect, test } from 'vitest';
import { content } from '../../support/open-paths.js';
import { integer, object, text, type Schema } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Answer, type Item } from './support/stranger.js';

// Where the key of a record is found that the answer to its creation does not have in the place for it.

const record = object({ id: { ...integer, readOnly: true }, name: { ...text, minLength: 1 }, note: text }, [
  'id',
  'name',
]);
const sent = object({ name: { ...text, minLength: 1 }, note: text }, ['name']);
const isRight = ({ name, note = '' }: Item): boolean =>
  typeof name === 'string' && name !== '' && typeof note === 'string';

/** The document of a create with this success. */
function describeBills(success: Schema): object {
  const paths = describeShelf({ name: 'bills', record, sent }) as Record<string, Record<string, { responses: Schema }>>;
  const create = paths['/bills']?.['post'];
  if (create !== undefined) create.responses = { ...success, 400: create.responses['400'] };
  return describePaths(paths);
}

/** Answers each create as told, of a record that it keeps; the key counts on as any of the shelf's. */
function creating(answer: (item: Item) => Answer, keep = (body: Item): Item => body): Habits {
  let last = 5000;
  return {
    refuse: (body, { method }) =>
      isRight(body) || (method === 'PATCH' && body['name'] === undefined) ? undefined : fail(400),
    answer({ method, path: [, key], body }, items) {
      if (method !== 'POST' || key !== undefined || !isItem(body)) return undefined;
      if (!isRight(body)) return fail(400);
      const item = { ...keep(body), id: (last += 1) };
      items.push(item);
      return answer(item);
    },
  };
}

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);

async function judge(document: object, habits: Habits) {
  const only = ['bills/records/*', 'bills/changes/*'];
  const result = await judgeStranger(document, serveShelf('bills', habits), only);
  const open = result.scenarios.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id);
  return { told: listTold(result), open, left: result.leftBehind ?? [], notes: result.notes };
}

const nothing = describeBills({ 204: { description: 'Done.' } });

test('a create that answers nothing is concluded by what the list gained, and nothing stays', async () => {
  const { told, open, left, notes } = await judge(
    nothing,
    creating(() => ({ status: 204 })),
  );
  expect({ told, open, left }).toEqual({ told: [], open: [], left: [] });
  expect(notes.join()).toMatch(
    /bills_create answers without the key of what it creates; the run finds its records in the list/,
  );
});

test('what such a create does not keep is told', async () => {
  const lossy = creating(
    () => ({ status: 204 }),
    ({ note: _, ...body }) => body,
  );
  expect((await judge(nothing, lossy)).told).toEqual([
    expect.stringMatching(/^`note` is not as it was sent in the answers of /),
  ]);
});

test('which record is whose is no guess: where a list shows no text that was sent, nobody is accused', async () => {
  const mute = creating(
    () => ({ status: 204 }),
    () => ({ name: 'the same for all' }),
  );
  const { told, open } = await judge(nothing, mute);
  expect(told).toEqual([]);
  expect(open).not.toEqual([]);
});

const either = { oneOf: [record, { type: 'array', items: record }] };

test('a create that takes one or many, and answers either, is concluded by the key beside what was sent', async () => {
  const document = describeBills({ 201: content(object({ data: either })) });
  const shown = await judge(
    document,
    creating((item) => ({ status: 201, body: { data: item } })),
  );
  expect({ told: shown.told, open: shown.open }).toEqual({ told: [], open: [] });
});
