import { expect, test } from 'vitest';
import { createWorldFactory, createWorlds, type Worlds } from '../../../src/mock/world/worlds.js';
import {
  createMemory,
  MIB,
  type Memory,
  createJournal,
  type Journal,
  type JournalEntry,
} from '../../../src/mock/world/journal.js';
import { profileWith, shippedContract } from '../../support/shipped.js';
import { ask, KEY, outcome, petsOf, threePets } from '../../support/test-world.js';

function createBounded(maxMemory: number): { worlds: Worlds; memory: Memory } {
  const memory = createMemory(maxMemory);
  const fixtures = { name: 'test', seed: 1, pets: threePets, nextId: undefined };
  const profile = profileWith({});
  const create = createWorldFactory({ contract: shippedContract, profile, fixtures, apiKeys: [KEY], memory });
  return { worlds: createWorlds({ create, maxWorlds: 100_000 }), memory };
}

const pet = (length: number): string => JSON.stringify({ name: 'a'.repeat(length), categoryId: 1 });

test('a pet for which there is no memory is refused with 507, and one that fits is stored after', () => {
  const world = createBounded(4).worlds.default;
  const create = (length: number): string => outcome(ask(world, 'POST /v1/pets', { body: pet(length) }));
  const answers = Array.from({ length: 6 }, () => create(300_000));
  expect(answers.slice(0, 3)).toEqual(['201', '201', '201']);
  expect(answers[5]).toBe('507 the stores are full: they hold 2 MiB, half of what max-memory allows');
  expect(create(10)).toBe('201');
  world.collections.reset();
  expect(create(300_000)).toBe('201');
});

test('the stores of all worlds share what there is, and a world that is dropped gives its share back', () => {
  const { worlds, memory } = createBounded(4);
  const before = memory.records.used;
  const entry = worlds.enter('other');
  if (!('world' in entry)) throw new Error('there is no world');
  while (outcome(ask(entry.world, 'POST /v1/pets', { body: pet(100_000) })) === '201');
  expect(outcome(ask(worlds.default, 'POST /v1/pets', { body: pet(200_000) }))).toMatch(/^507 /);
  worlds.drop('other');
  expect(memory.records.used).toBe(before);
  expect(memory.journals.members.size).toBe(1);
  expect(outcome(ask(worlds.default, 'POST /v1/pets', { body: pet(200_000) }))).toBe('201');
});

test('a store gives back what it no longer holds, by whatever way', () => {
  const { worlds, memory } = createBounded(4);
  const { collections } = worlds.default;
  const store = petsOf(worlds.default);
  const before = memory.records.used;
  store.add({ name: 'a'.repeat(1000), categoryId: 1 });
  const state = store.state();
  expect(memory.records.used).toBeGreaterThan(before + 2000);
  store.replace([{ name: 'Rex', categoryId: 1 }]);
  store.restore(state);
  store.begin(state);
  store.reset();
  expect(store.size).toBe(4);
  store.replace([]);
  collections.release();
  expect(memory.records.used).toBe(0);
});

test('worlds end where memory does, however many may be', () => {
  const { worlds } = createBounded(2);
  const enter = (index: number): object => worlds.enter(`world-${index}`);
  const refused = Array.from({ length: 40 }, (_, index) => enter(index)).filter((entry) => 'rejected' in entry);
  expect(refused.length).toBeGreaterThan(5);
  expect(refused[0]).toMatchObject({ rejected: { status: 507 } });
});

test('journals that grow too large let go of their oldest exchanges, the largest first', () => {
  const { worlds, memory } = createBounded(4);
  const quiet = worlds.enter('quiet');
  if (!('world' in quiet)) throw new Error('there is no world');
  ask(quiet.world, 'GET /v1/pets');
  for (let sent = 0; sent < 100; sent++) ask(worlds.default, 'POST /v1/pets?bad', { body: `"${'a'.repeat(40_000)}"` });
  expect(memory.journals.used).toBeLessThanOrEqual(MIB);
  expect(worlds.default.journal.entries().length).toBeLessThan(30);
  expect(worlds.default.journal.faultyCount).toBe(100);
  expect(quiet.world.journal.entries()).toHaveLength(1);
  worlds.default.journal.clear();
  expect(memory.journals.used).toBeLessThan(10_000);
});

test('an exchange is still written down when all room is taken', () => {
  const { default: world } = createBounded(1).worlds;
  for (let sent = 0; sent < 100; sent++) ask(world, 'GET /v1/pets', { headers: { 'x-long': 'a'.repeat(300_000) } });
  expect(world.journal.entries().length).toBeGreaterThanOrEqual(1);
});

test('nothing of a body without a valid key is kept', () => {
  const { default: world } = createBounded(4).worlds;
  ask(world, 'POST /v1/pets', { body: pet(10), headers: { authorization: 'Bearer wrong' } });
  const [entry] = world.journal.entries();
  expect(entry).toMatchObject({ exchange: { status: 401 }, request: { bodyLongerThan: expect.any(Number) as number } });
  expect(entry?.request.body).toBeUndefined();
});

test('a snapshot takes memory until it is removed', () => {
  const { worlds, memory } = createBounded(1);
  const { collections, snapshots } = worlds.default;
  petsOf(worlds.default).add({ name: 'a'.repeat(60_000), categoryId: 1 });
  const before = memory.records.used;
  expect(Array.from({ length: 10 }, (_, index) => snapshots.save(`s${index}`, collections.state()))).toContain(false);
  for (const name of snapshots.names()) snapshots.remove(name);
  expect(memory.records.used).toBe(before);
});

const exchange = (url: string): JournalEntry =>
  ({ exchange: { url, violations: [] }, request: {}, response: {} }) as unknown as JournalEntry;
const urlsOf = (journal: Journal): string[] => journal.entries().map((entry) => entry.exchange.url);

test.each([
  [2, ['1', '2']],
  [4, ['2', '3', '4']],
])(
  'of %i exchanges a journal of three keeps the last, oldest first, and starts anew when it is cleared',
  (count, kept) => {
    const journal = createJournal(undefined, 3);
    for (let index = 1; index <= count; index++) journal.add(exchange(String(index)));
    expect(urlsOf(journal)).toEqual(kept);
    journal.entries().push(exchange('of the reader'));
    expect(urlsOf(journal)).toEqual(kept);
    journal.clear();
    expect(urlsOf(journal)).toEqual([]);
    journal.add(exchange('8'));
    expect(urlsOf(journal)).toEqual(['8']);
  },
);
