import { expect, test } from 'vitest';
import { inPath, inQuery } from '../../support/open-paths.js';
import { integer, object, text, type Schema } from './support/odd-resource.js';
import { describeShelf, serveShelf, type ShelfPlan } from './support/shelf.js';
import {
  describePaths,
  fail,
  judgeStranger,
  listTold,
  type Answer,
  type Item,
  type Serve,
} from './support/stranger.js';

const record = object({ id: { ...integer, readOnly: true }, title: { ...text, minLength: 1 } }, ['title']);
const refuse = ({ title }: Item): Answer | undefined =>
  typeof title === 'string' && title !== '' ? undefined : fail(400);

/** What is asked for beyond the bounds is brought into them, and an unknown state has no books. */
async function judgeClamping(stated: number | 'default'): Promise<string[]> {
  const state = { type: 'string', enum: ['open', 'closed'] };
  const query = [
    inQuery('limit', { ...integer, minimum: 1, maximum: 5 }),
    inQuery('offset', { ...integer, minimum: 0 }),
    inQuery('state', state),
  ];
  const plan: ShelfPlan = {
    name: 'books',
    record: { ...record, properties: { ...(record['properties'] as object), state } },
    query,
  };
  const paths = describeShelf(plan);
  const { get } = paths['/books'] as { get: { responses: Schema } };
  get.responses[stated] = {
    description: 'No.',
    content: { 'application/json': { schema: object({ message: text }) } },
  };
  const serve = serveShelf('books', {
    refuse: (body) =>
      refuse(body) ?? (['open', 'closed', undefined].includes(body['state'] as string) ? undefined : fail(400)),
    keep: (body) => ({ state: 'open', ...body }),
    list: (items, { query: asked }) => {
      const read = (name: string, usual: number): number => Number.parseInt(asked.get(name) ?? '', 10) || usual;
      const limit = Math.min(5, Math.max(1, read('limit', 5)));
      const offset = Math.max(0, read('offset', 0));
      const wanted = asked.get('state');
      const found = items.filter((each) => wanted === null || each['state'] === wanted);
      return { status: 200, body: found.slice(offset, offset + limit) };
    },
  });
  return listTold(await judgeStranger(describePaths(paths), serve, ['books/lists/*', 'books/gaps/*limit*']));
}

test('a limit out of bounds is made the best of, and what is no number is told where the contract says how it is refused', async () => {
  expect(await judgeClamping('default')).toEqual([]);
  expect(await judgeClamping(400)).toEqual([
    'books_list accepts `limit` "no-such-value", `offset` -1 and `offset` "no-such-value", which the contract does not allow',
  ]);
});

/** Items below shops; a shop may be asked to remove what another has. */
async function judgeRemovals(removes: (shop: string, items: Map<string, Serve>) => Serve): Promise<string[]> {
  const items = describeShelf({ name: 'items', record }) as Record<string, { parameters?: Schema[] }>;
  const below = Object.entries(items).map(([path, rules]) => [
    `/shops/{shopId}${path}`,
    { ...rules, parameters: [inPath('shopId'), ...(rules.parameters ?? [])] },
  ]);
  const paths = { ...describeShelf({ name: 'shops', record }), ...Object.fromEntries(below) };
  const shops = serveShelf('shops', { refuse });
  const kept = new Map<string, Serve>();
  const serve: Serve = (asked) => {
    const [, shop = '', ...rest] = asked.path;
    const own = shops({
      ...asked,
      ...(rest.length > 0 ? { method: 'GET', path: asked.path.slice(0, 2), body: undefined } : {}),
    });
    if (rest.length === 0 || own.status !== 200) return own;
    if (!kept.has(shop)) kept.set(shop, serveShelf('items', { refuse }));
    return asked.method === 'DELETE'
      ? removes(shop, kept)({ ...asked, path: rest })
      : kept.get(shop)!({ ...asked, path: rest });
  };
  const told = await judgeStranger(describePaths(paths), serve, ['items/parents/*', 'items/changes/remove*']);
  return listTold(told);
}

const done: Answer = { status: 204 };

test('a removal below another parent may count as done, as long as it removes nothing', async () => {
  const isDone: Serve = () => done;
  expect(
    await judgeRemovals((shop, kept) => (asked) => {
      const answer = kept.get(shop)!(asked);
      return answer.status === 404 ? isDone(asked) : answer;
    }),
  ).toEqual([]);
  const everywhere = await judgeRemovals((_shop, kept) => (asked) => {
    for (const serve of kept.values()) serve(asked);
    return done;
  });
  expect(everywhere).not.toEqual([]);
});
