import { expect, test } from 'vitest';
import { integer, object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits, type ShelfPlan } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item } from './support/stranger.js';

const record = object({ id: { ...integer, readOnly: true }, note: { ...text, minLength: 1 } }, ['note']);
const refuse: NonNullable<Habits['refuse']> = ({ note }) =>
  typeof note === 'string' && note !== '' ? undefined : fail(400);

const LATE_MS = 150;

/** A service that shows a record some time after it was made, and until then answers as for a key that nobody has. */
async function judgeLate(
  status: number,
  refusals: NonNullable<ShelfPlan['refusals']>,
  lateOf = (_key: number): number => LATE_MS,
): Promise<string[]> {
  const since = new Map<string, number>();
  const answer: NonNullable<Habits['answer']> = ({ method, path: [, key] }, items) => {
    if (method !== 'GET' || key === undefined) return undefined;
    if (!items.some(({ id }) => String(id) === key)) return fail(status);
    if (!since.has(key)) since.set(key, performance.now());
    return performance.now() - (since.get(key) ?? 0) < lateOf(Number(key)) ? fail(status) : undefined;
  };
  const serve = serveShelf('sites', { refuse, answer });
  const document = describePaths(describeShelf({ name: 'sites', record, refusals }));
  const only = ['sites/records/*'];
  return listTold(await judgeStranger(document, serve, only, { settleMs: 2000 }));
}

test.each([
  [403, [403]],
  [403, [403, 404]],
  [410, [410]],
])(
  'a record that is late is waited for, also where %i is what is documented for one that is not there',
  async (status, get) => {
    expect(await judgeLate(status, { get })).toEqual([]);
  },
);

test('a record that never shows up is told, where others do', async () => {
  const told = await judgeLate(403, { get: [403] }, (key) => (key > 102 ? Infinity : 0));
  expect(told).toEqual([expect.stringMatching(/^sites_get (?:answers|refuses with) 403/)]);
});

const named = object({ kind: { ...text, minLength: 1 }, note: { ...text, minLength: 1 } });

/** A service whose records have names, of which it takes some and refuses others. */
async function judgeNames(
  isKnown: (kind: string) => boolean,
  refusals: NonNullable<ShelfPlan['refusals']>,
): Promise<string[]> {
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
  const serve = serveShelf('settings', {
    keyProperty: 'kind',
    refuse: ({ kind, note }: Item) => (isText(kind) && isText(note) ? undefined : fail(400)),
    answer: ({ method, path: [, key] }, items) =>
      method === 'PUT' && key !== undefined && !items.some(({ kind }) => kind === key) && !isKnown(key)
        ? fail(422)
        : undefined,
  });
  const plan = { name: 'settings', record: named, key: text, keyName: 'kind', refusals };
  return listTold(await judgeStranger(describePaths(describeShelf(plan)), serve));
}

test('a name that the run made up may be refused by a status that the contract has, and by no other', async () => {
  expect(await judgeNames(() => false, { replace: [400, 404, 422] })).toEqual([]);
  expect(await judgeNames(() => false, { replace: [400, 404] })).toEqual([
    'settings_replace answers 422 instead of 404 for a record that is not there',
  ]);
});
