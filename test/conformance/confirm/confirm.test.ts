import { expect, test } from 'vitest';
import type { ExchangeResult, Finding } from '../../../src/conformance/model/result.js';
import { createLookBudget, MOST_LOOK_REQUESTS } from '../../../src/conformance/confirm/confirm.js';
import { confirmMove } from '../../../src/conformance/confirm/confirm.js';
import { createInVain, createPatience, type Patience } from '../../../src/conformance/confirm/confirm.js';
import type { Run } from '../../../src/conformance/engine/run.js';
import { printChoice, RecordLedger } from '../../../src/conformance/ledger/record-ledger.js';
import { RunTexts } from '../../../src/conformance/ledger/shown-records.js';
import type { WireAnswer, WireRequest } from '../../../src/conformance/model/exchange.js';
import { readSubjects, type Subject } from '../../../src/conformance/resources/resource-under-test.js';
import { changePets } from '../../mutation/mutants/planting.js';
import { shippedContract } from '../../support/shipped.js';
import { listTold, runPets } from '../support/ask.js';

/** What a look comes to where it is no defect. */
const UNDECIDED = { needs: 'a service that keeps what was created' };
const request: WireRequest = { method: 'GET', target: '/v1/pets/7', headers: {}, body: undefined };
const answer = (body: unknown): WireAnswer => ({
  kind: 'answered',
  status: 200,
  headers: { 'content-type': 'application/json' },
  bytes: Buffer.from(JSON.stringify(body)),
  durationMs: 1,
});

function createBudget(): { budget: ReturnType<typeof createLookBudget>; sent: () => number } {
  let sent = 0;
  const budget = createLookBudget(() => {
    sent += 1;
    return Promise.resolve(answer([]));
  });
  return { budget, sent: () => sent };
}

test('no more requests are sent than all second looks may cost, and what is left is undecided', async () => {
  const { budget, sent } = createBudget();
  for (let count = 0; count < MOST_LOOK_REQUESTS + 50; count++) await budget.send(request);
  expect(sent()).toBe(MOST_LOOK_REQUESTS);
  expect(budget.foresee('status listPets')).toEqual({ needs: expect.stringContaining(String(MOST_LOOK_REQUESTS)) });
  // A look that was cut short would have called a defect what it could not see.
  expect(budget.conclude('status listPets', 'defect')).toEqual({ needs: expect.any(String) });
});

test('looks that all come to a defect tell what the next one comes to, and others do not', () => {
  const { budget } = createBudget();
  for (let count = 0; count < 6; count++) {
    expect(budget.foresee('status listPets')).toBeUndefined();
    budget.conclude('status listPets', 'defect');
    budget.conclude('status getPet', count === 0 ? UNDECIDED : 'defect');
    budget.conclude('absent listPets', UNDECIDED);
  }
  expect(budget.foresee('status listPets')).toBe('defect');
  expect(budget.foresee('status getPet')).toBeUndefined();
  expect(budget.foresee('absent listPets')).toBeUndefined();
});

test('a status that is null in every list is one problem, for about as many requests as a run without it', async () => {
  let estimate = 0;
  const result = await runPets([changePets('listPets', (pet) => ({ ...pet, status: null }))], {
    only: ['pets/records/*', 'pets/lists/*'],
    settleMs: 50,
    onEvent: (event) => {
      if (event.type === 'runStarted') estimate = event.requests;
    },
  });
  expect(listTold(result)).toEqual([expect.stringMatching(/^`status` of a record is null/)]);
  expect(result.summary.requests).toBeLessThan(3 * estimate + MOST_LOOK_REQUESTS);
});

const pets = readSubjects(shippedContract)[0] as Subject;
const pet = (status: string): object => ({ id: 7, name: 'Rex', categoryId: 1, status });

/** What is made of pet 7, created as sold: how its own address shows it, and what lists show. */
async function look(own: string, listed: readonly object[]): Promise<unknown> {
  const ledger = new RecordLedger(shippedContract, new RunTexts('x'));
  ledger.learned.keptChoices.add(printChoice(pets, 'status', 'sold'));
  const notes: string[] = [];
  const keys = { apiKey: 'key', credentials: {}, tokens: [] };
  const run = {
    ledger,
    contract: shippedContract,
    prepareOptions: {
      basePath: '/v1',
      contract: shippedContract,
      keys,
      parameters: {},
      extraHeaders: {},
      userAgent: 'x',
    },
    signal: new AbortController().signal,
    strict: false,
    note: (note: string) => notes.push(note),
    send: ({ target }: WireRequest) => Promise.resolve(answer(target.startsWith('/v1/pets/7') ? pet(own) : listed)),
  } as unknown as Run;
  const outcome = await confirmMove({ of: 'move', id: 7, field: 'status', expected: 'sold' } as never, request, run);
  return [outcome, notes.length, ledger.learned.moving.size];
}

test.each([
  ['disagree are a defect', [pet('sold')], ['defect', 0, 0]],
  ['agree are a state that moved', [pet('pending')], ['fine', 1, 1]],
  ['are one alone say nothing', [], [{ needs: expect.stringContaining('a second response with the record') }, 0, 0]],
])('views of a record that %s', async (_, listed, outcome) => {
  expect(await look('pending', listed)).toEqual(outcome);
});

const STATES = ['available', 'pending', 'sold'];

test('a state that moves on with each request is seen to change in lists and by its address, and is no defect', async () => {
  let asked = 0;
  const result = await runPets(
    [
      (base) => ({
        intercept: (exchange) => {
          asked += exchange.method === 'GET' ? 1 : 0;
          return base.intercept(exchange);
        },
      }),
      // At first, each state is seen to be kept.
      changePets(['listPets', 'getPet'], (shown) =>
        asked > 16 ? { ...shown, status: STATES[asked % 3] ?? '' } : shown,
      ),
    ],
    { concurrency: 1, only: ['pets/records/*'] },
  );
  expect(listTold(result)).toEqual([]);
  expect(result.notes.join('\n')).toMatch(/records show another `status` than they were created with/);
});

/** Whether scenarios that have waited so long may go on. */
const allowsAfter = (patience: Patience, ...waitedMs: number[]): boolean[] =>
  waitedMs.map((ms) => patience.allows(performance.now() - ms, 0));

test('a time that was given is kept to, even when it was seen to be too short; no time at all is none', () => {
  const patience = createPatience(1000);
  patience.settled(5000);
  expect(allowsAfter(patience, 900, 1100)).toEqual([true, false]);
  expect(allowsAfter(createPatience(0), 0)).toEqual([false]);
});

test('the first scenario that needs it may wait ten seconds, those after it two', () => {
  expect(allowsAfter(createPatience(undefined), 1900, 9900)).toEqual([true, true]);
  expect(allowsAfter(createPatience(undefined), 10_100, 1900, 2100)).toEqual([false, true, false]);
});

test('twice what the target was seen to need is given to all, up to ten seconds', () => {
  const patience = createPatience(undefined);
  allowsAfter(patience, 10_100);
  patience.settled(3000);
  patience.settled(100);
  expect(allowsAfter(patience, 5900, 6100)).toEqual([true, false]);
  patience.settled(9000);
  expect(allowsAfter(patience, 9900, 10_100)).toEqual([true, false]);
});

const outcomeOf = (...found: [rule: string, at: string, check?: string][]) => {
  const findings = found.map(([rule, at, check = 'record']) => ({ check, rule, at }) as Finding);
  return { exchange: { operationId: 'getTool', findings } as unknown as ExchangeResult, unmet: undefined as unknown };
};
const weight = outcomeOf(['weight', 'body/3/weight']);

test('a field that stayed wrong after three waits is not waited for, whatever record it is of', () => {
  const inVain = createInVain();
  inVain.stayed([weight]);
  inVain.stayed([outcomeOf(['weight', 'body/7/weight'])]);
  expect(inVain.isHopeless([weight])).toBe(false);
  inVain.stayed([weight]);
  expect(inVain.isHopeless([weight])).toBe(true);
  inVain.settled();
  expect(inVain.isHopeless([weight])).toBe(false);
});

test('a filter that let others through after three waits is not waited for, and another one is', () => {
  const inVain = createInVain();
  const through = (field: string) => [outcomeOf(['filter', `body/0/${field}`, 'records'])];
  for (let count = 0; count < 3; count += 1) inVain.stayed(through('status'));
  expect(inVain.isHopeless(through('status'))).toBe(true);
  expect(inVain.isHopeless(through('kind'))).toBe(false);
});

test.each([
  ['another field', outcomeOf(['name', 'body/3/name'])],
  ['another field beside it', outcomeOf(['weight', 'body/3/weight'], ['name', 'body/3/name'])],
  ['a record that is missing', outcomeOf(['present', 'body'])],
  ['what another check says', outcomeOf(['weight', 'body/3/weight', 'body'])],
  ['an assumption that does not hold', { ...weight, unmet: {} }],
  ['nothing', outcomeOf()],
])('%s is waited for', (_, outcome) => {
  const inVain = createInVain();
  for (let count = 0; count < 3; count += 1) inVain.stayed([weight]);
  expect(inVain.isHopeless([outcome])).toBe(false);
});
