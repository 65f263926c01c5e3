// Keys of records that a client sends, and the key of the user.
import { expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { startPetstoreMock } from '../../../src/index.js';
import type { Change, Exchange } from '../../mutation/server/behaviour.js';
import { startWith } from '../../mutation/server/start-server.js';
import { object, text } from '../resources/support/odd-resource.js';
import type { Habits } from '../resources/support/shelf.js';
import { fail, type Item, type Serve } from '../resources/support/stranger.js';
import { id, name, runStranger } from '../resources/support/strangers.js';
import { closeLater, listTold, runPets } from '../support/ask.js';
import { echoing } from '../support/changes.js';

/** Takes the id of the client where no pet has it. */
const takesFreeIds: Change = (base) => ({
  async createPet(pet, exchange) {
    const created = await base.createPet(pet, exchange);
    const [, digits] = /"id":(\d+)/.exec(exchange.body.toString()) ?? [];
    const { pets } = exchange.store;
    if (digits === undefined || pets.some((each) => each.id === BigInt(digits))) return created;
    const own = { ...created, id: BigInt(digits) };
    pets[pets.indexOf(created)] = own;
    return own;
  },
});

test('a service that takes an id of the client which no pet has fits no named choice, and deviates nowhere', async () => {
  const { scenarios, gaps } = await runPets([takesFreeIds], { only: ['pets/gaps/client-id'] });
  expect(scenarios.find((each) => each.id === 'pets/gaps/client-id')?.verdict).toBe('observed');
  expect(gaps.find((each) => each.id === 'client-id')?.answer).toBe('other');
});

test('a service that gives one id to all is asked for no id that it may give next, and the run goes on', async () => {
  const sameForAll: Change = (base) => ({
    createPet: async (pet, exchange: Exchange) => ({ ...(await base.createPet(pet, exchange)), id: 0n }),
  });
  const { scenarios } = await runPets([sameForAll], { only: ['pets/records/*', 'pets/gaps/client-id'] });
  expect(scenarios.some(({ verdict }) => verdict === 'deviated')).toBe(true);
});

/** Gives every key twice: of its own, or where a create has sent one. */
function giveTwice(isItself: boolean): Serve {
  const items: Item[] = [];
  let next = 0;
  return ({ method, path: [, key], body }) => {
    const index = items.findIndex((each) => String(each['id']) === key);
    const sent = (body ?? {}) as Item;
    if (method === 'GET' && key === undefined) return { status: 200, body: items };
    if (method === 'POST') {
      if (typeof sent !== 'object' || typeof sent['name'] !== 'string' || sent['name'] === '') return fail(400);
      next += 1;
      items.push(isItself ? { name: sent['name'], id: Math.ceil(next / 2) } : { id: next, ...sent });
      return { status: 201, body: items.at(-1) };
    }
    if (index === -1) return fail(404);
    if (method === 'DELETE') items.splice(index, 1);
    if (method === 'PUT') items[index] = { ...sent, id: items[index]?.['id'] };
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: items[index] };
  };
}

test.each([
  ['by itself is its own', true, ['kites/records/*']],
  ['where a create of the run has sent it says so in one problem', false, ['kites/*']],
])('a key that the service gives twice %s', async (_, isItself, only) => {
  const plan = { name: 'kites', record: object({ id, name }), sent: object({ name }) };
  const result = await runStranger({ plan, serve: () => giveTwice(isItself), only, options: { concurrency: 1 } });
  const twice = result.problems.filter(({ actual }) => actual.includes('another record was created with'));
  for (const { actual } of twice)
    expect(actual.endsWith(': a create of the run had sent `id` in its body')).toBe(!isItself);
  const told = listTold(result).filter((headline) => headline.startsWith('One key is given to several'));
  expect(told.length).toBe(1);
});

const NAMES = ['name', ...Array.from({ length: 5 }, (_, index) => `part${index}`)];

// A service that accepts nearly every invalid change: what a rejected one left alone is compared with no older state.
test.each([
  ['as it is', false],
  ['but one that stores what it rejects', true],
])('only what was accepted is reported: %s', async (_, storesRejected) => {
  const fields = Object.fromEntries(NAMES.map((each) => [each, { ...text, minLength: 2 }]));
  const isRight = (body: Item): boolean => NAMES.every((each) => typeof body[each] === 'string');
  const habits = (): Habits => ({
    refuse: (body, { method }, items) => {
      if (method === 'POST') return isRight(body) ? undefined : fail(400);
      // All that is no object is stored as text.
      if (NAMES.every((each) => Object.hasOwn(body, each) && typeof body[each] !== 'object')) return undefined;
      if (storesRejected) Object.assign(items.at(-1) ?? {}, { part3: 'changed' });
      return fail(400);
    },
    keep: (body) => Object.fromEntries(Object.entries(body).map(([own, value]) => [own, String(value)])),
  });
  const plan = { name: 'kites', record: object({ id, ...fields }), sent: object(fields) };
  const told = listTold(await runStranger({ plan, habits, only: ['kites/refusals/replace*'] }));
  expect(told.some((each) => each.startsWith('kites_replace accepts'))).toBe(true);
  expect(told.some((each) => /not as (?:it was|they were) sent/.test(each))).toBe(storesRejected);
});

test.each(['schl\u00FCssel', 'cl\u00E9-\u{1F511}'])(
  'a key beyond ASCII is sent as the mock takes it: %s',
  async (apiKey) => {
    const mock = await startPetstoreMock({ apiKey });
    closeLater(() => mock.close());
    const only = ['pets/refusals/credential*'];
    const { summary } = await runConformance({ target: mock.url, apiKey, settleMs: 0, only });
    expect(summary).toMatchObject({ deviated: 0, inconclusive: 0 });
  },
);

test('a key is seen in an answer that repeats it, however HTTP and JSON write it', async () => {
  const key = 'Odd "Key\\ with/ 100%&\u00E9';
  const sent = Buffer.from(`Bearer ${key}`).toString('latin1');
  const server = await startWith([echoing, () => ({ hasValidKey: ({ headers }) => headers.authorization === sent })]);
  closeLater(() => server.close());
  const result = await runConformance({ target: server.url, apiKey: key, only: ['pets/records/list'], settleMs: 0 });
  expect(result.problems).toHaveLength(1);
  expect(JSON.stringify(result)).not.toMatch(/Odd |Key\\/);
});
