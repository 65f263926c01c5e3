import { expect, onTestFinished, test } from 'vitest';
import { runConformance, type RunResult } from '../../../src/conformance/index.js';
import type { Behaviour, Change } from '../../mutation/server/behaviour.js';
import { makeSeedPets, type NewPet } from '../../mutation/server/pets.js';
import { Refusal } from '../../mutation/server/replies.js';
import { startWith } from '../../mutation/server/start-server.js';

const ONLY = 'sequences/refused-took-no-id';

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

async function judge(...changes: Change[]): Promise<Pick<RunResult['scenarios'][number], 'verdict' | 'reason'>> {
  const server = await startWith(changes);
  onTestFinished(() => server.close());
  const { scenarios } = await runConformance({
    target: server.url,
    apiKey: server.apiKey,
    settleMs: 0,
    only: [ONLY],
  });
  const { verdict, reason } = scenarios.find(({ id }) => id.startsWith(ONLY)) ?? { verdict: 'skipped' };
  return { verdict, ...(reason === undefined ? {} : { reason }) };
}

test.each([
  ['one by one', (): bigint => 1n],
  ['in steps of ten', (): bigint => 10n],
  ['downwards', (): bigint => -1n],
] as const)('what a refused request leaves is found by its id, where ids are counted %s', async (_, step) => {
  expect(await judge(many, countBy(step))).toEqual({ verdict: 'passed' });
  expect(await judge(many, countBy(step), leavesDrafts)).toMatchObject({ verdict: 'deviated' });
});

test('ids that refused requests use up are no pets', async () => {
  expect(
    await judge(
      many,
      countBy(() => 1n),
      wastesIds,
    ),
  ).toEqual({ verdict: 'passed' });
});

test.each([
  ['are drawn', (turn: number) => BigInt((turn * 7_919_191 + 104_729) % 15_485_863), 'skipped', /do not follow/],
  ['are times', (turn: number) => BigInt(50 + ((turn * 37) % 20)), 'inconclusive', /needs ids that follow/],
] as const)('where ids %s nothing is concluded, and the reason says so', async (_, step, verdict, reason) => {
  const judged = await judge(many, countBy(step), leavesDrafts);
  expect(judged).toEqual({ verdict, reason: expect.stringMatching(reason) });
});
