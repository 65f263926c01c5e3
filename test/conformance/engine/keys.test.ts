import { expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/index.js';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { startPetstoreMock } from '../../../src/index.js';
import type { Change, Exchange } from '../../mutation/server/behaviour.js';
import { startWith } from '../../mutation/server/start-server.js';
import { object, text } from '../resources/support/odd-resource.js';
import { describeShelf, serveShelf } from '../resources/support/shelf.js';
import { describePaths, fail, type Item, judgeStranger, listTold, type Serve } from '../resources/support/stranger.js';
import { closeLater, KEY } from '../support/ask.js';
import { echoing } from '../support/changes.js';

function sentId({ body }: Exchange): bigint | undefined {
  const [, digits] = /"id":(\d+)/.exec(body.toString()) ?? [];
  return digits === undefined ? undefined : BigInt(digits);
}

/** Takes the id of the client where it allows. */
const takesIds =
  (allows: (id: bigint, exchange: Exchange) => boolean): Change =>
  (base) => ({
    async createPet(pet, exchange) {
      const created = await base.createPet(pet, exchange);
      const id = sentId(exchange);
      if (id === undefined || !allows(id, exchange)) return created;
      const own = { ...created, id };
      exchange.store.pets[exchange.store.pets.indexOf(created)] = own;
      return own;
    },
  });

async function judge(change: Change): Promise<unknown[]> {
  const server = await startWith([change], KEY);
  closeLater(() => server.close());
  const only = ['pets/gaps/client-id'];
  const { scenarios, gaps } = await runConformance({ target: server.url, apiKey: KEY, only, settleMs: 0 });
  const verdicts = scenarios.filter(({ id }) => id.includes('client-id')).map(({ id, verdict }) => `${id} ${verdict}`);
  return [...verdicts, gaps.find(({ id }) => id === 'client-id')?.answer];
}

test('a service that takes an id of the client which no pet has fits no named choice, and deviates nowhere', async () => {
  const isFree = (id: bigint, { store }: Exchange): boolean => store.pets.every((pet) => pet.id !== id);
  expect(await judge(takesIds(isFree))).toEqual(['pets/gaps/client-id observed', 'other']);
});

test('a service that gives one id to all is asked for no id that it may give next, and the run goes on', async () => {
  const sameForAll: Change = (base) => ({
    createPet: async (pet, exchange) => ({ ...(await base.createPet(pet, exchange)), id: 0n }),
  });
  const server = await startWith([sameForAll], KEY);
  closeLater(() => server.close());
  const only = ['pets/records/*', 'pets/gaps/client-id'];
  const { scenarios } = await runConformance({ target: server.url, apiKey: KEY, only, settleMs: 0 });
  expect(scenarios.some(({ verdict }) => verdict === 'deviated')).toBe(true);
});

const RECORD = object({ id: { type: 'integer', readOnly: true }, name: text }, ['id', 'name']);
const DOCUMENT = describePaths(
  describeShelf({ name: 'kites', record: RECORD, sent: object({ name: text }, ['name']) }),
);

/** Gives every key twice: of its own, or where a create has sent one. */
function serve(isTwice: boolean): Serve {
  const items: Item[] = [];
  let next = 0;
  return ({ method, path: [, key], body }) => {
    const index = items.findIndex(({ id }) => String(id) === key);
    if (method === 'GET' && key === undefined) return { status: 200, body: items };
    if (method === 'POST') {
      const sent = body as Item;
      if (typeof sent !== 'object' || typeof sent['name'] !== 'string' || sent['name'] === '') return fail(400);
      next += 1;
      const item = { id: isTwice ? Math.ceil(next / 2) : next, ...(isTwice ? { name: sent['name'] } : sent) };
      items.push(item);
      return { status: 201, body: item };
    }
    if (index === -1) return fail(404);
    if (method === 'DELETE') items.splice(index, 1);
    if (method === 'PUT') items[index] = { ...(body as Item), id: items[index]?.['id'] };
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: items[index] };
  };
}

test('a key that a create of the run has sent, and that the service gives later, says so in one problem', async () => {
  const result = await judgeStranger(DOCUMENT, serve(false), ['kites/*'], { concurrency: 1 });
  const problems = result.problems.filter(({ actual }) => actual.includes('another record was created with'));
  for (const { actual } of problems) expect(actual).toMatch(/: a create of the run had sent `id` in its body$/);
  expect(listTold(result).filter((headline) => headline.startsWith('One key is given to several')).length).toBeLessThan(
    2,
  );
});

test('a key that the service alone gives twice is its own', async () => {
  const result = await judgeStranger(DOCUMENT, serve(true), ['kites/records/*']);
  const problem = result.problems.find(({ actual }) => actual.includes('another record was created with'));
  expect(problem?.actual).not.toContain('had sent');
});

test.each(['schl\u00FCssel', 'cl\u00E9-\u{1F511}'])(
  'a key beyond ASCII is sent as the mock takes it: %s',
  async (apiKey) => {
    const mock = await startPetstoreMock({ apiKey });
    try {
      const { summary } = await runConformance({
        target: mock.url,
        apiKey,
        settleMs: 0,
        only: ['pets/refusals/credential*'],
      });
      expect(summary).toMatchObject({ deviated: 0, inconclusive: 0 });
    } finally {
      await mock.close();
    }
  },
);

test('a key is seen in an answer that repeats it, however HTTP and JSON write it', async () => {
  const key = 'Odd "Key\\ with/ 100%&\u00E9';
  const server = await startWith([
    echoing,
    () => ({ hasValidKey: ({ headers }) => headers.authorization === Buffer.from(`Bearer ${key}`).toString('latin1') }),
  ]);
  try {
    const result = await runConformance({ target: server.url, apiKey: key, only: ['pets/records/list'] });
    expect(result.problems).toHaveLength(1);
    expect(JSON.stringify(result)).not.toMatch(/Odd |Key\\/);
  } finally {
    await server.close();
  }
});

// A service that accepts nearly every invalid change: what a rejected one left alone is compared with no older state.

const NAMES = ['name', ...Array.from({ length: 14 }, (_, index) => `part${index}`)];
const FIELDS = Object.fromEntries(NAMES.map((name) => [name, { ...text, minLength: 2 }]));

test.each([
  ['as it is', false],
  ['but one that stores what it rejects', true],
])('only what was accepted is reported: %s', async (_, storesRejected) => {
  const paths = describeShelf({
    name: 'kites',
    record: object({ id: { type: 'integer', readOnly: true }, ...FIELDS }, ['id', ...NAMES]),
    sent: object(FIELDS, NAMES),
  });
  const isRight = (body: Item): boolean => NAMES.every((name) => typeof body[name] === 'string');
  const serve = serveShelf('kites', {
    refuse: (body, { method }, items) => {
      if (method === 'POST') return isRight(body) ? undefined : fail(400);
      // All that is no object is stored as text.
      if (NAMES.every((name) => Object.hasOwn(body, name) && typeof body[name] !== 'object')) return undefined;
      const last = items.at(-1);
      if (storesRejected && last !== undefined) last['part3'] = 'changed';
      return fail(400);
    },
    keep: (body) => Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)])),
  });
  const result = await judgeStranger(describePaths(paths), serve, ['kites/refusals/replace*']);
  const told = listTold(result);
  expect(told.some((each) => each.startsWith('kites_replace accepts'))).toBe(true);
  expect(told.some((each) => each.includes('not as it was sent') || each.includes('not as they were sent'))).toBe(
    storesRejected,
  );
});
