import { expect, test } from 'vitest';
import { integer, object, text } from '../../resources/support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from '../../resources/support/shelf.js';
import {
  describePaths,
  fail,
  judgeStranger,
  listTold,
  type Item,
  type Serve,
} from '../../resources/support/stranger.js';

const id = { ...integer, readOnly: true };
const owner = object({ id, name: { ...text, minLength: 1 } }, ['id', 'name']);

/** Boats that may, or must, say whose they are; which owners there can be, the service alone decides. */
async function judgeBoats(
  habits: Habits,
  { isRequired = false, owners = { refuse: () => fail(403) } }: { isRequired?: boolean; owners?: Habits } = {},
) {
  const fields = { name: { ...text, minLength: 1 }, note: text, ownerId: integer };
  const needed = isRequired ? ['name', 'ownerId'] : ['name'];
  const boat = object({ id, ...fields }, ['id', ...needed]);
  const document = describePaths({
    ...describeShelf({ name: 'owners', record: owner, refusals: { create: [400, 403] } }),
    ...describeShelf({ name: 'boats', record: boat, sent: object(fields, needed) }),
  });
  const refuse: NonNullable<Habits['refuse']> = ({ name, note = '', ownerId = 1 }) =>
    typeof name === 'string' && name !== '' && typeof note === 'string' && Number.isInteger(ownerId)
      ? undefined
      : fail(400);
  const boats = serveShelf('boats', { refuse, ...habits });
  const own = serveShelf('owners', owners);
  const serve: Serve = (asked) => (asked.path[0] === 'owners' ? own : boats)(asked);
  const result = await judgeStranger(document, serve, ['boats/records/*', 'boats/changes/*']);
  const ofBoats = result.scenarios.filter((each) => each.id.startsWith('boats/'));
  const open = ofBoats.filter(({ verdict }) => verdict === 'inconclusive').map(({ reason }) => reason);
  return { told: listTold(result), open, notes: result.notes.join(' '), passed: ofBoats.length - open.length };
}

test('records go on without what they may refer to, where that cannot be created', async () => {
  const { told, open, notes, passed } = await judgeBoats({});
  expect({ told, open }).toEqual({ told: [], open: [] });
  expect(passed).toBeGreaterThan(10);
  expect(notes).toMatch(
    /boats are created without `ownerId`, since owners\/records\/create created no record to refer to/,
  );
});

test('what they lose is told all the same', async () => {
  const keep = ({ note: _, ...body }: Item): Item => body;
  expect((await judgeBoats({ keep })).told).toEqual([expect.stringMatching(/^`note` is not as it was sent/)]);
});

test('records that must refer to it wait for it, and nobody is accused', async () => {
  const { told, open } = await judgeBoats({}, { isRequired: true });
  expect(told).toEqual([]);
  expect(open).not.toEqual([]);
});

test('where it can be created, records refer to it', async () => {
  const sent: unknown[] = [];
  const { told, open, notes } = await judgeBoats(
    { answer: ({ method, body }) => void (method === 'POST' && sent.push((body as Item)['ownerId'])) },
    { owners: {} },
  );
  expect({ told, open }).toEqual({ told: [], open: [] });
  expect(notes).not.toMatch(/without `ownerId`/);
  expect(sent).toContain(101);
});
