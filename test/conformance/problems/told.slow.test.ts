import { expect, test } from 'vitest';
import type { RunResult } from '../../../src/conformance/index.js';
import type { Change, Exchange, OperationId } from '../../mutation/server/behaviour.js';
import { changeNames } from '../../mutation/mutants/planting.js';
import { Refusal } from '../../mutation/server/replies.js';
import type { Asked, Item } from '../resources/support/stranger.js';
import { listTold, runPets } from '../support/ask.js';
import { judgeNotes, OPTIONAL, type Defect } from './notes.js';

// What a run tells of small services, whole: how many problems, in which order, in which words, at which place of the
// contract.

const listPlaces = ({ problems }: RunResult): unknown[] => problems.map(({ contract }) => contract?.pointer);

const asksList = ({ method, path }: Asked): boolean => method === 'GET' && path.length === 1;

/** Changes each note of a list. */
const inLists =
  (change: (note: Item) => Item): Defect =>
  (answer, asked) =>
    asksList(asked) && answer.status === 200 ? { ...answer, body: (answer.body as Item[]).map(change) } : answer;

/** Changes every note that is answered. */
const everywhere =
  (change: (note: Item) => Item): Defect =>
  (answer, asked) => {
    const isNote = answer.status < 300 && answer.body !== undefined && !Array.isArray(answer.body);
    return isNote ? { ...answer, body: change(answer.body as Item) } : inLists(change)(answer, asked);
  };

const nulls = Object.fromEntries(OPTIONAL.map((name) => [name, null]));
const withOwner = (note: Item, more: object): Item =>
  note['owner'] === undefined ? note : { ...note, owner: { ...(note['owner'] as Item), ...more } };

test('a service that is right is accused of nothing', async () => {
  expect(listTold(await judgeNotes())).toEqual([]);
});

test.each<[string, Defect, RegExp]>([
  [
    'null in nine fields',
    inLists((note) => ({ ...nulls, ...note })),
    /^`body`, .* and `label` of a record are null, not a string/,
  ],
  [
    'an envelope around everything',
    (answer) =>
      answer.status < 300 && answer.body !== undefined ? { ...answer, body: { data: answer.body } } : answer,
    /^notes\w+(?:, | and )notes.* wrap the response in `data`, which the contract does not describe$/,
  ],
  [
    'an envelope around one operation',
    (answer, asked) =>
      asked.method === 'GET' && !asksList(asked) && answer.status === 200
        ? { ...answer, body: { note: answer.body } }
        : answer,
    /^notes_get wraps the response in `note`, which the contract does not describe$/,
  ],
  [
    'a header field that is a component, missing',
    (answer) => ({ ...answer, headers: {} }),
    /^notes_list returns 200 without the header field `x-total-count`$/,
  ],
  [
    'a header field that is a component, of another kind',
    (answer, asked) => (asksList(asked) ? { ...answer, headers: { 'x-total-count': 'many' } } : answer),
    /^notes_list returns 200 with `x-total-count` "many", not an integer$/,
  ],
  [
    'a part of an object',
    inLists((note) => withOwner(note, { name: 5 })),
    /^`owner\/name` of a record is a number \(5\), not a string/,
  ],
  [
    'a part of an object that changes',
    everywhere((note) => withOwner(note, { desk: 7 })),
    /^`owner\/desk` is not as it was sent .*: 7 instead of 1$/,
  ],
  [
    'a create with another success',
    (answer) => (answer.status === 201 ? { ...answer, status: 202 } : answer),
    /^notes_create returns 202 instead of 201$/,
  ],
  [
    'a removal with another success',
    (answer, { method }) =>
      method === 'DELETE' && answer.status === 204 ? { ...answer, status: 202, body: {} } : answer,
    /^notes_remove returns 202 instead of 204$/,
  ],
])('%s is one problem, called by its name', async (_, defect, headline) => {
  expect(listTold(await judgeNotes(defect))).toEqual([expect.stringMatching(headline)]);
});

test('what is wrong within an envelope is told beside it', async () => {
  const result = await judgeNotes((answer, asked) => {
    const wrong = inLists((note) => ({ ...note, title: 5 }))(answer, asked);
    return asksList(asked) && answer.status === 200 ? { ...wrong, body: { data: wrong.body } } : answer;
  });
  expect(listTold(result).toSorted()).toEqual([
    expect.stringMatching(/title` of a record is a number/),
    expect.stringMatching(/^notes_list wraps the response in `data`/),
  ]);
});

test('a null in lists is told, whatever else is accepted as null', async () => {
  const acceptsNull: Defect = (answer, { method, body }) =>
    method === 'POST' && answer.status === 400 && (body as Item | undefined)?.['body'] === null
      ? { status: 201, headers: {}, body: { ...(body as Item), id: 99_000 } }
      : answer;
  const both: Defect = (answer, asked) =>
    inLists((note) => ({ ...note, body: note['body'] ?? null }))(acceptsNull(answer, asked), asked);
  expect(listTold(await judgeNotes(acceptsNull))).toEqual([expect.stringMatching(/^notes_create accepts `body` null/)]);
  expect(listTold(await judgeNotes(both)).toSorted()).toEqual([
    expect.stringMatching(/^`body` of a record is null, not a string, in responses of notes_list/),
    expect.stringMatching(/^notes_create accepts `body` null/),
  ]);
});

test.each<[string, (note: Item) => Item, string]>([
  ['a space at the end', (note) => ({ ...note, tag: `${String(note['tag'])} ` }), '"string‹U+0020›"'],
  ['a space that does not break', (note) => ({ ...note, tag: `${String(note['tag'])}\u00A0` }), '"string‹U+00A0›"'],
  ['a joiner', (note) => ({ ...note, tag: `${String(note['tag'])}\u200D` }), '"string‹U+200D›"'],
  ['a tab', (note) => ({ ...note, tag: `${String(note['tag'])}\t` }), String.raw`"string\t"`],
])('%s can be seen where a value is shown', async (_, change, shown) => {
  const { problems } = await judgeNotes(
    everywhere((note) => (note['tag'] === undefined ? note : change(note))),
    ['notes/records/create-full'],
  );
  // The text itself is another one in each run.
  expect(problems.map(({ actual }) => actual.replace(/[a-z]{7}/, 'string'))).toEqual([shown]);
});

const fails =
  (is: (asked: Exchange) => boolean, status: number): Change =>
  (base) => ({
    intercept: (asked) => (is(asked) ? new Refusal(status, 'failed', 'It failed.') : base.intercept(asked)),
  });
const of = (id: OperationId) => (asked: Exchange) => asked.operation === id;

test.each([
  ['listPets', 503, '/paths/~1pets/get/responses/5XX'],
  ['getPet', 500, '/paths/~1pets~1{petId}/get/responses/5XX'],
] as const)(
  '%s that fails, wherever it is met, is one problem, at what the contract says of it',
  async (id, status, place) => {
    const result = await runPets([fails(of(id), status)]);
    expect(listTold(result)).toEqual([`${id} fails with ${status}`]);
    expect(listPlaces(result)).toEqual([place]);
  },
);

test('a failure without the key is a problem of its own, where requests with the key are served', async () => {
  const result = await runPets([
    fails((asked) => of('listPets')(asked) && asked.headers.authorization === undefined, 500),
  ]);
  expect(listTold(result)).toEqual(['listPets fails with 500 without a key']);
});

test('a key that is not checked is told at the answer that was due', async () => {
  const result = await runPets([() => ({ hasValidKey: () => true })]);
  expect(listTold(result)).toEqual([expect.stringMatching(/^The key is not checked/)]);
  expect(listPlaces(result)).toEqual(['/paths/~1pets/get/responses/401']);
});

test('a 404 for one way to write a key says so', async () => {
  const result = await runPets([fails(({ path }) => path.includes('%3'), 404)]);
  expect(listTold(result)).toEqual([expect.stringMatching(/^A created record is missing in responses of getPet/)]);
});

test('failures come first, then what strangers get, then what is lost, whatever more answers show', async () => {
  const result = await runPets([
    fails((asked) => asked.path.includes('%3'), 500),
    (base) => ({ hasValidKey: (asked) => asked.operation === 'getPet' || base.hasValidKey(asked) }),
    changeNames(['listPets', 'createPet', 'getPet'], () => 'Rex'),
  ]);
  expect(listTold(result).slice(0, 3)).toEqual([
    expect.stringMatching(/^getPet fails with 500/),
    expect.stringMatching(/^The key is not checked/),
    expect.stringMatching(/name/),
  ]);
});
