import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { startServer } from '../../../src/server/start-petstore-mock.js';
import { exchange, type Asked } from '../../support/exchange.js';
import { JSON_TYPE } from '../../support/started-mock.js';
import { createTestWorlds, type TestWorldOptions } from '../../support/test-world.js';

type Pet = { id: number; name: string; categoryId: number; status?: string };

type Ask = (asked: Asked) => ReturnType<typeof exchange>;

async function withServer(options: TestWorldOptions, use: (ask: Ask) => Promise<void>): Promise<void> {
  const server = await startServer(createTestWorlds(options), { host: '127.0.0.1', port: 0, cors: false });
  try {
    await use((asked) => exchange(server.port, asked));
  } finally {
    server.closeNow();
    await server.close();
  }
}

const create = (pet: Omit<Pet, 'id'>): Asked => ({
  method: 'POST',
  target: '/v1/pets',
  headers: JSON_TYPE,
  body: JSON.stringify(pet),
});

const status = fc.constantFrom('available', 'pending', 'sold');
const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      create: fc.record({ name: fc.string(), categoryId: fc.maxSafeInteger() }),
      status: fc.option(status),
    }),
  },
  { weight: 1, arbitrary: fc.record({ limit: fc.integer({ min: 1, max: 100 }), status: fc.option(status) }) },
  { weight: 1, arbitrary: fc.record({ id: fc.integer({ min: 0, max: 40 }) }) },
);

/** Whatever is asked of a petstore: the request, and the answer of the simplest petstore there is, an array of pets. */
function plan(one: typeof step extends fc.Arbitrary<infer Step> ? Step : never, pets: Pet[]): [Asked, unknown] {
  if ('create' in one) {
    const pet = { ...one.create, ...(one.status === null ? {} : { status: one.status }) };
    pets.push({ id: pets.length + 1, ...pet });
    return [create(pet), pets.at(-1)];
  }
  if ('id' in one)
    return [{ method: 'GET', target: `/v1/pets/${one.id}` }, pets.find(({ id }) => id === one.id) ?? 404];
  const filter = one.status === null ? '' : `&status=${one.status}`;
  const found = pets.filter((pet) => one.status === null || pet.status === one.status);
  return [{ method: 'GET', target: `/v1/pets?limit=${one.limit}${filter}` }, found.reverse().slice(0, one.limit)];
}

test('whatever is done in whatever order, the petstore is what an array would be', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80, size: 'max' }), async (steps) => {
      const pets: Pet[] = [];
      await withServer({ pets: [] }, async (ask) => {
        for (const one of steps) {
          const [asked, expected] = plan(one, pets);
          const { status: given, text } = await ask(asked);
          expect(given === 404 ? given : JSON.parse(text)).toEqual(expected);
        }
      });
    }),
    { numRuns: 30 },
  );
});

test('of five hundred pets that are added at once, none is lost or doubled', async () => {
  await withServer({ pets: [] }, async (ask) => {
    const names = Array.from({ length: 500 }, (_, index) => `pet ${index}`);
    const answers = await Promise.all(names.map((name) => ask(create({ name, categoryId: 1 }))));
    const created = answers.map(({ text }) => JSON.parse(text) as Pet);
    expect(created.map(({ name }) => name)).toEqual(names);
    expect(new Set(created.map(({ id }) => id)).size).toBe(500);

    const fetched = await Promise.all(created.map(({ id }) => ask({ method: 'GET', target: `/v1/pets/${id}` })));
    expect(fetched.map(({ text }) => text)).toEqual(answers.map(({ text }) => text));
    const { text: page } = await ask({ method: 'GET', target: '/v1/pets?limit=100' });
    const newest = Array.from({ length: 100 }, (_, index) => 500 - index);
    expect((JSON.parse(page) as Pet[]).map(({ id }) => id)).toEqual(newest);
  });
});
