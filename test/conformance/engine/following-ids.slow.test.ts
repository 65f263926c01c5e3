import { expect, test } from 'vitest';
import type { Behaviour, Change } from '../../mutation/server/behaviour.js';
import { makeSeedPets, type NewPet } from '../../mutation/server/pets.js';
import { Refusal } from '../../mutation/server/replies.js';
import { listTold, runPets } from '../support/ask.js';

const SCENARIO = 'pets/sequences/took-no-key[at-all]';
/** What gives the run enough keys to see how they are counted. */
const CREATING = ['pets/records/create', 'pets/records/created-alone', 'pets/records/values'];

/** More pets than any list shows, so that no list is complete. */
const many: Change = () => ({ seed: () => makeSeedPets(120) });

function countBy(step: (turn: number) => bigint): Change {
  let last = 70_000n;
  let turn = 0;
  const nextId: Behaviour['nextId'] = () => (last += step(turn++));
  return () => ({ nextId });
}

const draft: NewPet = { name: '', categoryId: 1n };

const leavesDrafts: Change = (base) => ({
  readNewPet: (body, exchange) => {
    const pet = base.readNewPet(body, exchange);
    if (pet instanceof Refusal) void exchange.server.createPet(draft, exchange);
    return pet;
  },
});

/** A sequence of a database goes on though what took its number was refused. */
const wastesIds: Change = (base) => ({
  readNewPet: (body, exchange) => {
    const pet = base.readNewPet(body, exchange);
    if (pet instanceof Refusal) exchange.server.nextId(exchange.store, draft);
    return pet;
  },
});

type Judged = { verdict: string | undefined; reason: string | undefined; headlines: string[] };

async function judge(changes: Change[], only = [...CREATING, SCENARIO]): Promise<Judged> {
  const result = await runPets(changes, { only });
  const { verdict, reason } = result.scenarios.find(({ id }) => id === SCENARIO) ?? {};
  return { verdict, reason, headlines: listTold(result) };
}

const FINE = { verdict: 'passed', reason: undefined, headlines: [] };

test.each([
  ['one by one', (): bigint => 1n],
  ['in steps of ten', (): bigint => 10n],
  ['downwards', (): bigint => -1n],
] as const)('what a refused request leaves is found by its id, where ids are counted %s', async (_, step) => {
  expect(await judge([many, countBy(step)])).toEqual(FINE);
  expect(await judge([many, countBy(step), leavesDrafts])).toMatchObject({
    verdict: 'deviated',
    headlines: ['A rejected record is stored anyway, in responses of getPet'],
  });
});

test('ids that refused requests use up are no pets', async () => {
  const oneByOne = countBy(() => 1n);
  expect(await judge([many, oneByOne, wastesIds])).toEqual(FINE);
});

const NOT_COUNTED = 'the target does not number its records one by one, as far as the run has seen';

test.each([
  ['are drawn', (turn: number) => BigInt((turn * 7_919_191 + 104_729) % 15_485_863), NOT_COUNTED],
  [
    'are times',
    (turn: number) => BigInt(50 + ((turn * 37) % 20)),
    'the service assigned another key than the next ones',
  ],
] as const)('where ids %s nothing is concluded, and the reason says so', async (_, step, reason) => {
  expect(await judge([many, countBy(step), leavesDrafts])).toEqual({ verdict: 'skipped', reason, headlines: [] });
});

test('nor is it where the run has created too few to see how ids are counted', async () => {
  const judged = await judge([many, countBy(() => 1n), leavesDrafts], [SCENARIO]);
  expect(judged).toEqual({ verdict: 'skipped', reason: NOT_COUNTED, headlines: [] });
});
