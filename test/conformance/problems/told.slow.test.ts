import { expect, test } from 'vitest';
import type { RunResult } from '../../../src/conformance/index.js';
import type { MutantId } from '../../mutation/mutants/index.js';
import type { Change, Exchange, OperationId } from '../../mutation/server/behaviour.js';
import { Refusal } from '../../mutation/server/replies.js';
import { listTold, runPets } from '../support/ask.js';

// What a run tells of a service, whole: how many problems, in which words, at which place of the contract.

const listPlaces = ({ problems }: RunResult): unknown[] => problems.map(({ contract }) => contract?.pointer);

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

test.each<[MutantId[], string[], ...RegExp[]]>([
  [['list-in-data-envelope'], ['pets/records/list'], /^listPets wraps the response in `data`/],
  [
    ['list-name-null', 'list-in-data-envelope'],
    ['pets/records/list'],
    /^`name` of a record is null/,
    /^listPets wraps/,
  ],
  [
    ['list-status-null', 'create-accepts-null-status'],
    ['pets/records/*', 'pets/refusals/create'],
    /^`status` of a record is null/,
    /accepts `status` null/,
  ],
])('%j are told, whatever hides them', async (planted, only, ...headlines) => {
  const told = listTold(await runPets(planted, { only }));
  expect(told.toSorted()).toEqual(headlines.map((each) => expect.stringMatching(each)));
});
