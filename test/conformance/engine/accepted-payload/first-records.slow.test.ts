import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunResult } from '../../../../src/conformance/index.js';
import { integer, object, text, type Schema } from '../../resources/support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from '../../resources/support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item } from '../../resources/support/stranger.js';
import { makeFolder } from '../../../support/folder.js';

const item = object(
  {
    id: { ...integer, readOnly: true },
    name: text,
    colour: text,
    hosts: { type: 'array', items: text },
    size: integer,
  },
  ['id'],
);
const RECORDS = ['items/records/*', 'items/changes/*', 'items/refusals/victim'];
const CREATES = { create: [400, 409, 422] };

interface Asked {
  result: RunResult;
  /** What the create was sent. */
  sent: Item[];
  left: number;
}

/** A service with rules of its own, which its document does not state. */
async function judgeItems(
  habits: Habits,
  { record = item, records, example, documented = CREATES.create }: Given = {},
): Promise<Asked> {
  const sent: Item[] = [];
  let kept: Item[] = [];
  const paths = describeShelf({ name: 'items', record, refusals: { create: documented } });
  const { post } = paths['/items'] as { post: { requestBody: { content: Record<string, Schema> } } };
  if (example !== undefined) Object.assign(post.requestBody.content['application/json'] ?? {}, example);
  const serve = serveShelf('items', {
    ...habits,
    answer: (asked, items) => {
      kept = items;
      if (asked.method === 'POST') sent.push(asked.body as Item);
      return habits.answer?.(asked, items);
    },
  });
  const given = records === undefined ? {} : { records: writeRecords(records) };
  return { result: await judgeStranger(describePaths(paths), serve, RECORDS, given), sent, left: kept.length };
}

interface Given {
  record?: Schema;
  records?: string;
  /** The refusals that the create has in the document. */
  documented?: number[];
  /** What stands beside the schema of the create's body. */
  example?: Schema;
}

function writeRecords(content: string): string {
  const file = join(makeFolder(), 'records.yaml');
  writeFileSync(file, content);
  return file;
}

const listOpen = ({ result }: Asked): string[] =>
  result.scenarios.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id);

test('a field that the service misses and names is sent from then on', async () => {
  const asked = await judgeItems({
    refuse: ({ name }) => (typeof name === 'string' ? undefined : fail(422, "Key 'name' not present")),
  });
  expect(listOpen(asked)).toEqual(['items/records/create']);
  expect(asked.sent.slice(0, 2)).toEqual([{}, { name: expect.stringContaining('cf') }]);
  expect(listTold(asked.result)).toEqual([]);
  expect(asked.left).toBe(0);
  expect(asked.result.notes).toContainEqual(expect.stringMatching(/^items are created with `name`, since/));
});

test.each([
  [
    'in a path of the body',
    (): unknown => ({ message: 'No', detail: [{ loc: ['body', 'hosts', 0], msg: 'invalid' }] }),
  ],
  ['as a key', (): unknown => ({ message: 'No', hosts: ['This is none.'] })],
  ['in a sentence', (): unknown => ({ message: 'The hosts are not canonical' })],
  ['not at all', (): unknown => ({ message: 'Unprocessable' })],
])('a field that the service does not take is left out of the whole record, named %s', async (_, say) => {
  const refuse = ({ hosts }: Item): ReturnType<typeof fail> | undefined =>
    Array.isArray(hosts) && hosts.length > 0 ? { status: 422, body: say() } : undefined;
  const asked = await judgeItems({ refuse });
  expect(listOpen(asked)).toEqual(['items/records/create-full']);
  expect(listTold(asked.result)).toEqual([]);
  expect(asked.sent.slice(-3).every(({ colour, size }) => colour !== undefined && size !== undefined)).toBe(true);
});

test('where only the whole record is taken, everything builds on that', async () => {
  const refuse = (body: Item): ReturnType<typeof fail> | undefined =>
    ['name', 'colour', 'size', 'hosts'].every((name) => body[name] !== undefined) ? undefined : fail(400, 'Incomplete');
  const asked = await judgeItems({ refuse });
  expect(listOpen(asked)).toEqual(['items/records/create']);
  expect(listTold(asked.result)).toEqual([]);
});

test("the user's record is sent as it stands where its smallest part is refused", async () => {
  const refuse = ({ name, colour }: Item): ReturnType<typeof fail> | undefined =>
    String(name).startsWith('AB-') && colour === 'teal' ? undefined : fail(400, 'No');
  const records = "records:\n  items:\n    - { name: 'AB-{$unique}', colour: teal }\n";
  const asked = await judgeItems({ refuse }, { record: { ...item, required: ['id', 'name'] }, records });
  expect(listOpen(asked)).toEqual(['items/records/create']);
  expect(asked.sent[1]).toEqual({ name: expect.stringMatching(/^AB-cf/), colour: 'teal' });
});

test.each([
  ['the only one', { example: { colour: 'teal', size: 3 } }],
  ['the second', { examples: { small: { value: { colour: 'red' } }, good: { value: { colour: 'teal', size: 3 } } } }],
])('an example of the body is read: %s', async (_, example) => {
  const refuse = ({ colour, size }: Item): ReturnType<typeof fail> | undefined =>
    colour === 'teal' && size === 3 ? undefined : fail(400, 'No');
  const asked = await judgeItems({ refuse }, { example });
  expect(listOpen(asked).every((id) => /records\/create/.test(id))).toBe(true);
  expect(asked.result.summary.passed).toBeGreaterThan(5);
});

test('a service that refuses whatever it gets is asked a few times, and nothing is told of it', async () => {
  const asked = await judgeItems({ refuse: () => fail(400, 'name colour hosts size') });
  expect(listTold(asked.result)).toEqual([]);
  expect(asked.sent.length).toBeLessThan(30);
  // What only reads, or shows no key, goes on without a record.
  const passed = asked.result.scenarios.filter(({ verdict }) => verdict === 'passed');
  const exchanges = passed.flatMap(({ steps }) => steps.flatMap((step) => step.exchanges));
  expect(exchanges.every(({ request }) => request.method === 'GET' || request.auth !== 'valid')).toBe(true);
});

test('a create that fails on the way is told', async () => {
  const asked = await judgeItems({
    refuse: ({ name, colour }) => {
      if (name === undefined) return fail(422, 'name is missing');
      return colour === undefined ? fail(500) : undefined;
    },
  });
  expect(listTold(asked.result)).toContainEqual(expect.stringMatching(/^items_create fails with 500/));
});

test('a refusal that the document does not have is told, and the rest is tried all the same', async () => {
  const habits: Habits = { refuse: ({ name }) => (name === undefined ? fail(418, 'name is missing') : undefined) };
  const refused: Habits = { refuse: ({ name }) => (name === undefined ? fail(404, 'name is missing') : undefined) };
  expect(listTold((await judgeItems(habits)).result)).toContainEqual(
    expect.stringContaining('items_create rejects with 418'),
  );
  const asked = await judgeItems(refused);
  expect(listTold(asked.result)).toEqual([expect.stringContaining('items_create')]);
  expect(asked.result.summary.passed).toBeGreaterThan(5);
});

const related = object(
  { ...(item.properties as Schema), ownerId: text, note: { ...text, maxLength: 40 }, flag: { type: 'boolean' } },
  ['id'],
);

test.each([
  ['a reference', 403, ({ ownerId }: Item): boolean => ownerId !== undefined],
  ['a text with words of the service', 400, ({ colour }: Item): boolean => colour !== undefined && colour !== 'teal'],
])(
  '%s that is refused with an undocumented %i accuses nobody, where it alone is refused',
  async (_, status, isWrong) => {
    const refuse = (body: Item): ReturnType<typeof fail> | undefined =>
      isWrong(body) ? fail(status, 'No') : undefined;
    const asked = await judgeItems({ refuse }, { record: related, documented: [422] });
    expect(listTold(asked.result)).toEqual([]);
    expect(listOpen(asked)).toEqual(['items/records/create-full']);
  },
);

test.each([
  ['a text that may be anything', ({ note }: Item): boolean => note !== undefined],
  ['a flag', ({ flag }: Item): boolean => flag !== undefined],
])('%s that is refused with an undocumented status is told', async (_, isWrong) => {
  const refuse = (body: Item): ReturnType<typeof fail> | undefined => (isWrong(body) ? fail(400, 'No') : undefined);
  const asked = await judgeItems({ refuse }, { record: related, documented: [422] });
  expect(listTold(asked.result)).toContainEqual(expect.stringMatching(/^items_create rejects with 400/));
});

test('a reference to what is not there is left out first, since a service may take each but once', async () => {
  const uuid = { ...text, format: 'uuid' };
  const owner = { oneOf: [uuid, object({ id: uuid, label: text })] };
  const record = object({ ...(item.properties as Schema), owner, parts: { type: 'array', items: uuid } }, ['id']);
  const owners = new Set<unknown>();
  const asked = await judgeItems(
    {
      refuse: ({ owner: own, parts }) => {
        if (parts !== undefined) return fail(403, 'No');
        if (owners.has(own)) return fail(400, 'Taken');
        if (own !== undefined) owners.add(own);
        return undefined;
      },
    },
    { record, documented: [422] },
  );
  expect(listTold(asked.result)).toEqual([]);
  expect(listOpen(asked)).toEqual(['items/records/create-full']);
  expect(owners.size).toBeLessThanOrEqual(1);
  expect(asked.sent.slice(-3).every(({ colour, size }) => colour !== undefined && size !== undefined)).toBe(true);
});

test.each(['ends must lie in the future', 'too late'])('a time that has to lie ahead is tried so: %s', async (said) => {
  const ends = { ...text, format: 'date-time', example: '2023-04-19T08:15:14.000Z' };
  const record = object({ ...(item.properties as Schema), ends }, ['id', 'ends']);
  const refuse = ({ ends: end }: Item): ReturnType<typeof fail> | undefined =>
    Date.parse(String(end)) > Date.now() ? undefined : fail(400, said);
  const asked = await judgeItems({ refuse }, { record, documented: [422] });
  expect(listTold(asked.result)).toEqual([]);
  expect(listOpen(asked)).toEqual(['items/records/create']);
});

/** A service that takes each code but once, which its document does not state. */
function judgeCodes(code: Schema, said = 'another item has that code'): Promise<Asked> {
  return judgeItems(
    {
      answer: ({ method, body }, items) =>
        method === 'POST' && items.some((each) => each['code'] === (body as Item)['code'])
          ? fail(409, said)
          : undefined,
    },
    { record: object({ id: { ...integer, readOnly: true }, name: text, code }, ['id', 'code']) },
  );
}

test('where a service that takes a text but once does not say which, others of all patterns are sent', async () => {
  const asked = await judgeCodes({ ...text, pattern: '^[A-Z]{2}-[0-9]{4}$', example: 'NP-0042' }, 'conflict');
  expect(listOpen(asked)).toEqual(['items/records/create-full']);
  expect(listTold(asked.result)).toEqual([]);
  expect(asked.left).toBe(0);
});

test.each([
  ['example', { example: 'NP-0042' }],
  ['sample of the pattern', { example: undefined }],
])('where a service takes the %s but once, others of the pattern are sent', async (_, shown) => {
  const asked = await judgeCodes({ ...text, pattern: '^[A-Z]{2}-[0-9]{4}$', ...shown });
  expect(asked.sent[0]).toMatchObject({ code: expect.stringMatching(shown.example ?? /^[A-Z]{2}-/) });
  expect(listOpen(asked)).toEqual(['items/records/create-full']);
  expect(listTold(asked.result)).toEqual([]);
  expect(asked.left).toBe(0);
});
