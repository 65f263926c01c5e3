import { expect, test } from 'vitest';
import { content } from '../../support/open-paths.js';
import { integer, object, text, type Schema } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item } from './support/stranger.js';

// What services that were written apart do, and a run took for defects; beside each what is one.

const states = ['open', 'paid', 'closed'];
const record = object(
  { id: { ...integer, readOnly: true }, name: { ...text, minLength: 1 }, note: text, state: { ...text, enum: states } },
  ['id', 'name'],
);
const sent = object({ name: { ...text, minLength: 1 }, note: text, state: { ...text, enum: states } }, ['name']);
const isState = (value: unknown): boolean => typeof value === 'string' && states.includes(value);
const refuse: NonNullable<Habits['refuse']> = ({ name, note = '', state = 'open' }) =>
  typeof name === 'string' && name !== '' && typeof note === 'string' && isState(state) ? undefined : fail(400);

const plan = { name: 'bills', record, sent };

/** The document, with an operation whose responses a test changes. */
function describeBills(path?: string, method = '', responses: Schema = {}): object {
  const paths = describeShelf(plan) as Record<string, Record<string, { responses: Schema }>>;
  const operation = path === undefined ? undefined : paths[path]?.[method];
  if (operation !== undefined) operation.responses = { ...operation.responses, ...responses };
  return describePaths(paths);
}

async function judge(
  habits: Habits,
  { document = describeBills(), only = ['bills/*'], settleMs = 20 } = {},
): Promise<string[]> {
  return listTold(await judgeStranger(document, serveShelf('bills', { refuse, ...habits }), only, { settleMs }));
}

test('a service that keeps its records has no problem', async () => {
  expect(await judge({})).toEqual([]);
});

const summary = object({ id: integer, name: text, note: { ...text, description: 'How it begins.' } }, ['id', 'name']);
const withSummaries = describeBills('/bills', 'get', { 200: content({ type: 'array', items: summary }) });

test.each([
  [
    'shows how texts begin',
    ({ id, name, note }: Item) => ({ id, name, note: typeof note === 'string' ? note.slice(0, 3) : '' }),
  ],
  ['leaves out what it need not have', ({ id, name }: Item) => ({ id, name })],
])('a list by a schema of its own that %s is fine', async (_, show) => {
  const list = (items: Item[]) => ({ status: 200, body: items.map(show) });
  expect(await judge({ list }, { document: withSummaries })).toEqual([]);
});

test('another text in such a list is told', async () => {
  const list = (items: Item[]) => ({
    status: 200,
    body: items.map(({ id, name, note }) => ({ id, name, ...(note === undefined ? {} : { note: 'another' }) })),
  });
  expect(await judge({ list }, { document: withSummaries })).toEqual([
    expect.stringMatching(/^`note` is not as it was sent in the answers of bills_list/),
  ]);
});

/** Which refusal is due for what is not there, it does not say. */
const withDefault = describeBills('/bills/{id}', 'get', { default: content(object({ message: text })) });

test('what is removed a little later is waited for, and what stays is told', async () => {
  const remove =
    (afterMs: number): NonNullable<Habits['answer']> =>
    ({ method, path: [, key] }, items) => {
      if (method !== 'DELETE') return undefined;
      const go = (): void => void items.splice(0, items.length, ...items.filter(({ id }) => String(id) !== key));
      if (Number.isFinite(afterMs)) setTimeout(go, afterMs);
      return { status: 204 };
    };
  const more = { document: withDefault, only: ['bills/changes/remove'], settleMs: 3000 };
  expect(await judge({ answer: remove(60) }, more)).toEqual([]);
  expect(await judge({ answer: remove(Infinity) }, { ...more, settleMs: 60 })).toEqual([
    expect.stringMatching(/^(?:A record that was removed is still there|bills_get answers 200 instead of 4XX)/),
  ]);
});

/** The state that a record has after it was fetched so often. */
function moveAfter(looks: number): NonNullable<Habits['show']> {
  const seen = new Map<unknown, number>();
  return (item, { method, path: [, key] }) => {
    if (method === 'GET' && key !== undefined) seen.set(item['id'], (seen.get(item['id']) ?? 0) + 1);
    if ((seen.get(item['id']) ?? 0) > looks && item['state'] !== undefined) item['state'] = 'closed';
    return { ...item };
  };
}

test('a state that moves on after it was seen as it was sent is no problem', async () => {
  expect(await judge({ show: moveAfter(2) }, { only: ['bills/records/*'] })).toEqual([]);
});

test('a list that shows another state than the record has is told', async () => {
  const list = (items: Item[]) => ({
    status: 200,
    body: items.map((item) => (item['state'] === undefined ? item : { ...item, state: 'closed' })),
  });
  expect(await judge({ list }, { only: ['bills/records/*'] })).toEqual([
    expect.stringMatching(/^`state` is not as it was sent in the answers of bills_list/),
  ]);
});

test('what others create is not what was refused, and what is kept of that is told', async () => {
  const only = ['bills/sequences/*'];
  let requests = 0;
  const busy: Habits = {
    answer({ method }, items) {
      const greatest = Math.max(100, ...items.map(({ id }) => Number(id)));
      if (++requests % 3 === 0 && method !== 'DELETE') items.push({ id: greatest + 1, name: 'of another' });
      return undefined;
    },
    nextKey: (items) => Math.max(100, ...items.map(({ id }) => Number(id))) + 1,
  };
  expect(await judge(busy, { only })).toEqual([]);
  const leaving: Habits = {
    nextKey: busy.nextKey as NonNullable<Habits['nextKey']>,
    refuse(body, asked, items) {
      const wrong = refuse(body, asked, items);
      const next = Math.max(100, ...items.map(({ id }) => Number(id))) + 1;
      if (wrong !== undefined && asked.method === 'POST') items.push({ id: next, name: 'draft' });
      return wrong;
    },
  };
  expect(await judge(leaving, { only })).toEqual([
    expect.stringMatching(/^A record that was refused is stored all the same, in the answers of bills_get/),
  ]);
});

const inText = describeBills('/bills/{id}', 'get', {
  404: {
    description: 'None.',
    content: { 'application/json': { schema: object({ message: text }) }, 'text/plain': { schema: text } },
  },
});

test('an error in another media type that the contract gives it is no broken JSON', async () => {
  const noneAs =
    (type: string): NonNullable<Habits['answer']> =>
    ({ method, path: [, key] }, items) =>
      method === 'GET' && key !== undefined && !items.some(({ id }) => String(id) === key)
        ? { status: 404, text: 'nothing here', headers: { 'Content-Type': type } }
        : undefined;
  expect(await judge({ answer: noneAs('text/plain') }, { document: inText })).toEqual([]);
  expect(await judge({ answer: noneAs('application/json') }, { document: inText })).toEqual([
    expect.stringMatching(/not JSON/),
  ]);
});

test('a key alone is shown to the scheme that takes one, wherever a user and a password come first', async () => {
  const schemes = {
    login: { type: 'http', scheme: 'basic' },
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  };
  const document = {
    ...describeBills(),
    components: { securitySchemes: schemes },
    security: [{ login: [] }, { key: [] }],
  };
  const answer: Habits['answer'] = ({ headers }) => (headers['x-key'] === 'any' ? undefined : fail(401));
  expect(await judge({ answer }, { document, only: ['bills/records/*'] })).toEqual([]);
});

test('a record that a list changes is told, whoever asked for the list', async () => {
  const list = (items: Item[]) => ({
    status: 200,
    body: items.map((item) => ({ ...item, name: String(item['name']).replaceAll('\u2026', '...') })),
  });
  expect(await judge({ list })).toEqual([
    expect.stringMatching(/^`name` is not as it was sent in the answers of bills_list/),
  ]);
});
