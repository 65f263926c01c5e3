import { expect, test } from 'vitest';
import { integer, object, text, type Schema } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item } from './support/stranger.js';

// Objects with members that the contract does not define, and maps with entries of another kind: one cause, one problem.

const parts = ['street', 'city', 'zip', 'country', 'box', 'state'];
const address = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(parts.map((name) => [name, text])),
};
const counts = { type: 'object', additionalProperties: integer };
const named = { type: 'object', additionalProperties: { $ref: '#/components/schemas/Count' } };

function describeHouses(fields: Schema, isClosed = false): object {
  const close = (schema: Schema): Schema => (isClosed ? { ...schema, additionalProperties: false } : schema);
  const record = close(object({ id: { ...integer, readOnly: true }, name: text, ...fields }, ['id', 'name']));
  const paths = describeShelf({ name: 'houses', record, sent: close(object({ name: text, ...fields }, ['name'])) });
  return { ...describePaths(paths), components: { schemas: { Count: integer } } };
}

const isObject = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === 'string';

const rules: Readonly<Record<string, (value: unknown) => boolean>> = {
  name: isText,
  note: isText,
  address: (value) =>
    isObject(value) && Object.entries(value).every(([name, each]) => parts.includes(name) && isText(each)),
  counts: (value) => isObject(value) && Object.values(value).every(Number.isInteger),
};

const refuse: NonNullable<Habits['refuse']> = (body) =>
  body['name'] !== undefined && Object.entries(body).every(([name, value]) => rules[name]?.(value) === true)
    ? undefined
    : fail(400);

async function judge(document: object, show?: (item: Item) => Item): Promise<string[]> {
  const habits = { refuse, ...(show === undefined ? {} : { show }) };
  return listTold(await judgeStranger(document, serveShelf('houses', habits), ['houses/records/*']));
}

const withAddress = describeHouses({ address });
const changeNames = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name.toUpperCase(), each])) : value;

test('objects that have what the contract gives them are fine, and so is more where it may be', async () => {
  expect(await judge(describeHouses({ address, counts, note: text }, true))).toEqual([]);
  expect(await judge(withAddress, (item) => ({ ...item, links: [1], extra: 2 }))).toEqual([]);
});

test('members by other names are one problem, that names them', async () => {
  const show = ({ address: own, ...item }: Item): Item =>
    own === undefined ? item : { ...item, address: changeNames(own) };
  expect(await judge(withAddress, show)).toEqual([
    expect.stringMatching(
      /^`address\/STREET`, `address\/CITY`, .* of a record, which the contract does not define, are in the answers of /,
    ),
  ]);
});

test('a required member by another name is one problem, too', async () => {
  const show = ({ name, ...item }: Item): Item => ({ ...item, Name: name });
  expect(await judge(describeHouses({ note: text }, true), show)).toEqual([
    expect.stringMatching(/^`Name` of a record, which the contract does not define, is in the answers of /),
  ]);
});

test('what is lost beside something else that is there is told apart', async () => {
  const show = ({ note: _, ...item }: Item): Item => ({ ...item, links: 1 });
  expect((await judge(describeHouses({ note: text }, true), show)).toSorted()).toEqual([
    expect.stringMatching(/^`links` of a record, which the contract does not define, is in /),
    expect.stringMatching(/^`note` is not as it was sent in /),
  ]);
});

test('many members that are undefined are one problem, with some of their names', async () => {
  const many = Object.fromEntries(Array.from('abcdefghijkl', (letter) => [`${letter}s`, 1]));
  expect(await judge(describeHouses({ note: text }, true), (item) => ({ ...item, ...many }))).toEqual([
    expect.stringMatching(/^`as`, `bs`, .*, `js` and 2 more of a record, which the contract does not define, are in /),
  ]);
});

test.each([
  ['in the schema of the map', counts, /^`counts\/\*` of a record is text \("1"\), not an integer, in the answers of /],
  ['in one of its own', named, /^`\w+` and `\w+` of a record are text \("1"\), not an integer, in the answers of /],
])('entries of another kind, which stands %s, are one problem', async (_, schema, headline) => {
  const show = ({ counts: own, ...item }: Item): Item =>
    isObject(own)
      ? { ...item, counts: Object.fromEntries(Object.entries(own).map(([name, each]) => [name, String(each)])) }
      : item;
  expect(await judge(describeHouses({ counts: schema }))).toEqual([]);
  expect(await judge(describeHouses({ counts: schema }), show)).toEqual([expect.stringMatching(headline)]);
});
