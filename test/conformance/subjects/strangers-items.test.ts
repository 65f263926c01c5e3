import { expect, test } from 'vitest';
import { integer, object, text, type Schema } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item } from './support/stranger.js';

// Lists of objects: what a service makes of further items, and of members that need not be there.

const colours = ['red', 'blue', 'green'];
const members = {
  sku: { ...text, maxLength: 30 },
  note: { ...text, maxLength: 30 },
  colour: { ...text, enum: colours },
  gift: { type: 'boolean' },
  weight: { type: 'number', minimum: 0 },
};
const rules: Readonly<Record<string, (value: unknown) => boolean>> = {
  sku: (value) => typeof value === 'string' && value.length <= 30,
  note: (value) => typeof value === 'string' && value.length <= 30,
  colour: (value) => colours.some((each) => each === value),
  gift: (value) => typeof value === 'boolean',
  weight: (value) => typeof value === 'number' && value >= 0,
  productId: Number.isInteger,
};

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);
const isLine = (value: unknown): boolean =>
  isItem(value) &&
  value['sku'] !== undefined &&
  Object.entries(value).every(([name, each]) => rules[name]?.(each) ?? true);

const refuse: NonNullable<Habits['refuse']> = ({ name, lines = [] }) =>
  typeof name === 'string' && Array.isArray(lines) && lines.every(isLine) ? undefined : fail(400);

const ofLines =
  (change: (line: Item, index: number) => Item): NonNullable<Habits['keep']> =>
  (body) =>
    Array.isArray(body['lines'])
      ? { ...body, lines: body['lines'].map((line, index) => change(line as Item, index)) }
      : body;

/** What is told of orders whose lines have these members besides. */
async function judge(habits: Habits, more: Schema = {}): Promise<string[]> {
  const line = object({ ...members, ...more }, ['sku']);
  const fields = { name: text, lines: { type: 'array', items: line } };
  const record = object({ id: { ...integer, readOnly: true }, ...fields }, ['id', 'name']);
  const document = describePaths(describeShelf({ name: 'orders', record, sent: object(fields, ['name']) }));
  const serve = serveShelf('orders', { refuse, ...habits });
  return listTold(await judgeStranger(document, serve, ['orders/records/*']));
}

test.each<[string, NonNullable<Habits['keep']>]>([
  ['keeps each as it is', (body) => body],
  [
    'gives each what was not sent',
    ofLines((line, index) => ({ note: '', gift: false, colour: 'red', ...line, position: index })),
  ],
  [
    'sorts them by their texts',
    (body) => ({
      ...body,
      ...(Array.isArray(body['lines'])
        ? {
            lines: body['lines'].toSorted((one: Item, other: Item) =>
              String(one['sku']) < String(other['sku']) ? -1 : 1,
            ),
          }
        : {}),
    }),
  ],
])('a service that %s is fine', async (_, keep) => {
  expect(await judge({ keep })).toEqual([]);
});

test('a service that takes an article but once is fine, where the items name one', async () => {
  const once: NonNullable<Habits['refuse']> = (body, asked, items) => {
    const ids = Array.isArray(body['lines']) ? body['lines'].map((line) => (line as Item)['productId']) : [];
    return refuse(body, asked, items) ?? (new Set(ids).size < ids.length ? fail(409) : undefined);
  };
  expect(await judge({ refuse: once }, { productId: integer })).toEqual([]);
});

test.each<[string, string, NonNullable<Habits['keep']>]>([
  [
    'an optional member of the second item is lost',
    'note',
    ofLines(({ note, ...line }, index) => (index === 1 ? line : { ...line, note })),
  ],
  [
    'one of its choices is another',
    'colour',
    ofLines((line) => (line['colour'] === 'green' ? { ...line, colour: 'red' } : line)),
  ],
  ['a flag is always set', 'gift', ofLines((line) => (line['gift'] === undefined ? line : { ...line, gift: true }))],
  [
    'a number is rounded',
    'weight',
    ofLines((line) => (line['weight'] === undefined ? line : { ...line, weight: Math.round(Number(line['weight'])) })),
  ],
])('%s, which is told', async (_, member, keep) => {
  expect(await judge({ keep })).toEqual([
    expect.stringMatching(new RegExp(`^\`lines/\\*/${member}\` is not as it was sent in the answers of `)),
  ]);
});
