// Orders name articles in their lines, have a total of what a filter chooses, and remarks that are longer than a column.
import { expect, test } from 'vitest';
import { inQuery } from '../../support/open-paths.js';
import { integer, object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item, type Serve } from './support/stranger.js';

const LINE = object({ articleId: text, count: { ...integer, minimum: 1, example: 2 } });
const ORDER = object({
  id: { ...text, readOnly: true },
  buyer: { ...text, minLength: 1, maxLength: 40 },
  remarks: { ...text, minLength: 1, maxLength: 2000 },
  lines: { type: 'array', items: LINE, minItems: 1 },
});
const ARTICLE = object({ id: { ...text, readOnly: true }, title: { ...text, minLength: 1 } });
const PAGE = object({ items: { type: 'array', items: ORDER }, total: integer });

function describeOrders(): object {
  const query = [
    inQuery('buyer'),
    inQuery('limit', { ...integer, minimum: 1, maximum: 100 }),
    inQuery('offset', integer),
  ];
  const orders = describeShelf({ name: 'orders', record: ORDER, key: text, query, methods: ['list', 'create', 'get'] });
  const page = { description: 'A page.', content: { 'application/json': { schema: PAGE } } };
  const paths = orders as Record<string, { get: { responses: Record<string, object> } }>;
  Object.assign(paths['/orders']?.get.responses ?? {}, { 200: page });
  return describePaths({ ...describeShelf({ name: 'articles', record: ARTICLE, key: text }), ...orders });
}

type Defect = 'first-line-alone' | 'total-of-all' | 'remarks-cut';

function serveOrders(defect?: Defect): Serve {
  const known = new Set<string>();
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
  const renames = (
    (next: number) => (): string =>
      `a-${(next += 1)}`
  )(0);
  const articles = serveShelf('articles', { renames, refuse: ({ title }) => (isText(title) ? undefined : fail(400)) });
  const isLine = (line: Item | null): boolean =>
    typeof line === 'object' && known.has(line?.['articleId'] as string) && Number.isInteger(line?.['count']);
  const isOrder = ({ buyer, remarks, lines }: Item): boolean => {
    if (!isText(buyer) || buyer.length > 40 || !isText(remarks) || remarks.length > 2000) return false;
    if (!Array.isArray(lines) || lines.length === 0) return false;
    const looked = (lines as Item[]).slice(0, defect === 'first-line-alone' ? 1 : undefined);
    return looked.every((line) => isLine(line) && Number(line['count']) > 0);
  };
  const habits: Habits = {
    renames: (
      (next: number) => (): string =>
        `o-${(next += 1)}`
    )(0),
    refuse: (body) => (isOrder(body) ? undefined : fail(400)),
    keep: (body) => ({
      ...body,
      remarks: defect === 'remarks-cut' ? String(body['remarks']).slice(0, 1024) : body['remarks'],
    }),
    list: (items, { query }) => {
      const buyer = query.get('buyer');
      const chosen = items.filter((item) => buyer === null || item['buyer'] === buyer);
      const [limit, offset] = [Number(query.get('limit') ?? 100), Number(query.get('offset') ?? 0)];
      const total = defect === 'total-of-all' ? items.length : chosen.length;
      return { status: 200, body: { items: chosen.slice(offset, offset + limit), total } };
    },
  };
  const orders = serveShelf('orders', habits);
  return (asked) => {
    if (asked.path[0] !== 'articles') return orders(asked);
    const answer = articles(asked);
    if (answer.status === 201) known.add(String((answer.body as Item)['id']));
    return answer;
  };
}

const only = ['orders/records/*', 'orders/refusals/create*', 'orders/lists/total*'];

test('an order is of articles that there are, and all of it is concluded', async () => {
  const result = await judgeStranger(describeOrders(), serveOrders(), only);
  expect(listTold(result)).toEqual([]);
  expect(result.scenarios.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id)).toEqual([]);
  expect(result.scenarios.find(({ id }) => id === 'orders/records/create-full')?.verdict).toBe('passed');
});

test.each<[Defect, RegExp]>([
  ['first-line-alone', /^orders_create accepts .*`lines\/1/],
  ['total-of-all', /^orders_list says that there are \d+ records, and lists 1$/],
  ['remarks-cut', /^`remarks` is not as it was sent/],
])('orders with %s are told of', async (defect, headline) => {
  const told = listTold(await judgeStranger(describeOrders(), serveOrders(defect), only));
  expect(told).toEqual([expect.stringMatching(headline)]);
});
