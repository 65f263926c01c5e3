import { expect, test } from 'vitest';
import type { RunResult } from '../../../../src/conformance/index.js';
import { makeFile } from '../../../support/folder.js';
import { integer, object, text, type Schema } from '../../resources/support/odd-resource.js';
import type { Habits } from '../../resources/support/shelf.js';
import { fail, listTold, type Answer, type Item } from '../../resources/support/stranger.js';
import { id, listOpen, runStranger } from '../../resources/support/strangers.js';

const fields = { name: text, colour: text, hosts: { type: 'array', items: text }, size: integer };
const item = object({ id, ...fields }, ['id']);
const related = object({ id, ...fields, ownerId: text, note: { ...text, maxLength: 40 }, flag: { type: 'boolean' } }, [
  'id',
]);
const itemWith = (more: Schema, required = ['id']): Schema => object({ id, ...fields, ...more }, required);

interface Given {
  record?: Schema;
  /** A file of records of the user. */
  records?: string;
  /** The refusals that the create has in the document. */
  documented?: number[];
  /** What stands beside the schema of the create's body. */
  example?: Schema;
}

interface Asked {
  result: RunResult;
  /** What the create was sent. */
  sent: Item[];
  left: number;
  told: string[];
  open: string[];
}

/** A service with rules of its own, which its document does not state. */
async function judge(
  habits: Habits,
  { record = item, records, example = {}, documented = [400, 409, 422] }: Given = {},
) {
  const sent: Item[] = [];
  let kept: Item[] = [];
  const result = await runStranger({
    plan: { name: 'items', record, refusals: { create: documented } },
    paths: (paths) => {
      const { content } = (paths['/items']?.['post']?.requestBody ?? {}) as { content?: Record<string, Schema> };
      Object.assign(content?.['application/json'] ?? {}, example);
    },
    habits: () => ({
      refuse: () => undefined,
      ...habits,
      answer: (asked, items) => {
        kept = items;
        if (asked.method === 'POST') sent.push(asked.body as Item);
        return habits.answer?.(asked, items);
      },
    }),
    only: ['items/records/*', 'items/changes/*', 'items/refusals/victim'],
    ...(records !== undefined && { options: { records: makeFile('records.yaml', records) } }),
  });
  return { result, sent, left: kept.length, told: listTold(result), open: listOpen(result) } satisfies Asked;
}

type Refuse = (body: Item) => Answer | undefined;
/** Refuses bodies of which this is so. */
const refusing =
  (isWrong: (body: Item) => boolean, answer: Answer): Refuse =>
  (body) =>
    isWrong(body) ? answer : undefined;
const CREATE = ['items/records/create'];
const CREATE_FULL = ['items/records/create-full'];
/** Whether the last ones that were sent have what nothing is wrong with. */
const areFull = ({ sent }: Asked): boolean =>
  sent.slice(-3).every(({ colour, size }) => colour !== undefined && size !== undefined);

test('a field that the service misses and names is sent from then on', async () => {
  const refuse = refusing(({ name }) => typeof name !== 'string', fail(422, "Key 'name' not present"));
  const asked = await judge({ refuse });
  expect(asked).toMatchObject({ open: CREATE, told: [], left: 0 });
  expect(asked.sent.slice(0, 2)).toEqual([{}, { name: expect.stringContaining('cf') }]);
  expect(asked.result.notes).toContainEqual(expect.stringMatching(/^items are created with `name`, since/));
});

test.each([
  ['in a path of the body', { message: 'No', detail: [{ loc: ['body', 'hosts', 0], msg: 'invalid' }] }],
  ['as a key', { message: 'No', hosts: ['This is none.'] }],
  ['in a sentence', { message: 'The hosts are not canonical' }],
  ['not at all', { message: 'Unprocessable' }],
])('a field that the service does not take is left out of the whole record, named %s', async (_, body) => {
  const refuse = refusing(({ hosts }) => Array.isArray(hosts) && hosts.length > 0, { status: 422, body });
  const asked = await judge({ refuse });
  expect(asked).toMatchObject({ open: CREATE_FULL, told: [] });
  expect(areFull(asked)).toBe(true);
});

test('where only the whole record is taken, everything builds on that', async () => {
  const isPart = (body: Item): boolean => Object.keys(fields).some((name) => body[name] === undefined);
  const refuse = refusing(isPart, fail(400, 'Incomplete'));
  expect(await judge({ refuse })).toMatchObject({ open: CREATE, told: [] });
});

test("the user's record is sent as it stands where its smallest part is refused", async () => {
  const isOther = ({ name, colour }: Item): boolean => !String(name).startsWith('AB-') || colour !== 'teal';
  const records = "records:\n  items:\n    - { name: 'AB-{$unique}', colour: teal }\n";
  const record = itemWith({}, ['id', 'name']);
  const { open, sent } = await judge({ refuse: refusing(isOther, fail(400, 'No')) }, { record, records });
  expect(open).toEqual(CREATE);
  expect(sent[1]).toEqual({ name: expect.stringMatching(/^AB-cf/), colour: 'teal' });
});

const GOOD = { colour: 'teal', size: 3 };

test.each([
  ['the only one', { example: GOOD }],
  ['the second', { examples: { small: { value: { colour: 'red' } }, good: { value: GOOD } } }],
])('an example of the body is read: %s', async (_, example) => {
  const isOther = ({ colour, size }: Item): boolean => colour !== 'teal' || size !== 3;
  const { open, result } = await judge({ refuse: refusing(isOther, fail(400, 'No')) }, { example });
  expect(open.every((each) => /records\/create/.test(each))).toBe(true);
  expect(result.summary.passed).toBeGreaterThan(5);
});

test('a service that refuses whatever it gets is asked a few times, and nothing is told of it', async () => {
  const { told, sent, result } = await judge({ refuse: () => fail(400, 'name colour hosts size') });
  expect(told).toEqual([]);
  expect(sent.length).toBeLessThan(30);
  // What only reads, or shows no key, goes on without a record.
  const passed = result.scenarios.filter(({ verdict }) => verdict === 'passed');
  const exchanges = passed.flatMap(({ steps }) => steps.flatMap((step) => step.exchanges));
  expect(exchanges.every(({ request }) => request.method === 'GET' || request.auth !== 'valid')).toBe(true);
});

const NO_NAME = ({ name }: Item): boolean => name === undefined;
const fails500: Refuse = ({ name, colour }) => {
  if (name === undefined) return fail(422, 'name is missing');
  return colour === undefined ? fail(500) : undefined;
};

test.each<[string, Refuse, RegExp]>([
  ['a failure on the way', fails500, /^items_create fails with 500/],
  ['a refusal that the document does not have', refusing(NO_NAME, fail(418, 'name is missing')), /rejects with 418/],
  ['a 404, after which the rest is tried', refusing(NO_NAME, fail(404, 'name is missing')), /^items_create/],
])('what is told of a create: %s', async (_, refuse, headline) => {
  const { told, result } = await judge({ refuse });
  expect(told).toContainEqual(expect.stringMatching(headline));
  expect(result.summary.passed).toBeGreaterThan(5);
});

test.each<[string, number, (body: Item) => boolean]>([
  ['a reference', 403, ({ ownerId }) => ownerId !== undefined],
  ['a text with words of the service', 400, ({ colour }) => colour !== undefined && colour !== 'teal'],
])(
  '%s that is refused with an undocumented %i accuses nobody, where it alone is refused',
  async (_, status, isWrong) => {
    const refuse = refusing(isWrong, fail(status, 'No'));
    const asked = await judge({ refuse }, { record: related, documented: [422] });
    expect(asked).toMatchObject({ told: [], open: CREATE_FULL });
  },
);

test.each<[string, (body: Item) => boolean]>([
  ['a text that may be anything', ({ note }) => note !== undefined],
  ['a flag', ({ flag }) => flag !== undefined],
])('%s that is refused with an undocumented status is told', async (_, isWrong) => {
  const refuse = refusing(isWrong, fail(400, 'No'));
  const { told } = await judge({ refuse }, { record: related, documented: [422] });
  expect(told).toContainEqual(expect.stringMatching(/^items_create rejects with 400/));
});

test('a reference to what is not there is left out first, since a service may take each but once', async () => {
  const uuid = { ...text, format: 'uuid' };
  const owner = { oneOf: [uuid, object({ id: uuid, label: text })] };
  const record = itemWith({ owner, parts: { type: 'array', items: uuid } });
  const owners = new Set<unknown>();
  const refuse: Refuse = ({ owner: own, parts }) => {
    if (parts !== undefined) return fail(403, 'No');
    if (owners.has(own)) return fail(400, 'Taken');
    if (own !== undefined) owners.add(own);
    return undefined;
  };
  const asked = await judge({ refuse }, { record, documented: [422] });
  expect(asked).toMatchObject({ told: [], open: CREATE_FULL });
  expect(owners.size).toBeLessThanOrEqual(1);
  expect(areFull(asked)).toBe(true);
});

test.each(['ends must lie in the future', 'too late'])('a time that has to lie ahead is tried so: %s', async (said) => {
  const record = itemWith({ ends: { ...text, format: 'date-time', example: '2023-04-19T08:15:14.000Z' } }, [
    'id',
    'ends',
  ]);
  const refuse = refusing(({ ends }) => !(Date.parse(String(ends)) > Date.now()), fail(400, said));
  expect(await judge({ refuse }, { record, documented: [422] })).toMatchObject({ told: [], open: CREATE });
});

const NAMED = 'another item has that code';

test.each([
  ['where it does not say which, of all patterns', 'NP-0042', 'conflict'],
  ['of the pattern, where it takes the example but once', 'NP-0042', NAMED],
  ['of the pattern, where it takes the sample of the pattern but once', undefined, NAMED],
])('to a service that takes a text but once, which its document does not state, others are sent %s', async (...row) => {
  const [, example, said] = row;
  const code = { ...text, pattern: '^[A-Z]{2}-[0-9]{4}$', example };
  const isTaken = (items: Item[], sent: unknown): boolean =>
    items.some((each) => each['code'] === (sent as Item)['code']);
  const answer: Habits['answer'] = ({ method, body }, items) =>
    method === 'POST' && isTaken(items, body) ? fail(409, said) : undefined;
  const asked = await judge({ answer }, { record: object({ id, name: text, code }, ['id', 'code']) });
  expect(asked).toMatchObject({ open: CREATE_FULL, told: [], left: 0 });
  expect(asked.sent[0]).toMatchObject({ code: expect.stringMatching(example ?? /^[A-Z]{2}-/) });
});
