// Not the globals, which tests may replace by fake timers: a page must still get its news.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import { clearInterval, setInterval } from 'node:timers';
import { spellOut } from '../../redact/spell-out.js';
import type { JournalEntry } from '../../mock/world/journal.js';
import type { World } from '../../mock/world/world.js';
import type { Worlds } from '../../mock/world/worlds.js';
import type { FileNews } from '../moving.js';
import { actOn, type Profile } from '../../contract/gaps/gaps.js';
import { profileOf } from '../../contract/gaps/profile.js';
import { nameInIds } from '../../contract/resources/resource.js';
import { listOrder } from '../../mock/operations/list-records.js';
import type { Collection } from '../../mock/store/collection.js';
import { keyOf, type StoredRecord } from '../../mock/store/kept.js';
import { findPlace } from '../handles/records.js';

const TICK_MS = 100;
const MOST_WAITING = 1000;
const QUIET_TICKS = 50;
const MOST_URL = 500;
const MOST_REASON = 300;

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Accel-Buffering': 'no',
};

type FeedOptions = { worlds: Worlds; world: string; ids: EntryIds; news: FileNews };

/** Sends a world's exchanges as Server-Sent Events until either side closes. If a page is slow, exchanges are dropped, not queued. */
export function serveFeed(
  request: IncomingMessage,
  response: ServerResponse,
  { worlds, world: name, ids, news }: FeedOptions,
): void {
  response.writeHead(200, HEADERS);
  // The default world if there is none with this name: looking does not create one.
  const find = (): World => (worlds.has(name) ? worlds.make(name) : worlds.default);
  let watched = watch(find());
  let told = '';
  let quiet = 0;
  const write = (isFirst: boolean): void => {
    const { waiting, skipped, world } = watched;
    const state = describeState(worlds, world, ids, news);
    const text = JSON.stringify(state);
    if (!isFirst && waiting.length === 0 && text === told) return keepAlive();
    told = text;
    quiet = 0;
    const batch: FeedBatch = { rows: waiting.map((entry) => toRow(entry, world, ids)), skipped, ...state };
    Object.assign(watched, { waiting: [], skipped: 0 });
    response.write(`data: ${JSON.stringify(batch)}\n\n`);
  };
  const keepAlive = (): void => {
    quiet += 1;
    if (quiet % QUIET_TICKS === 0) response.write(':\n\n');
  };
  const { revision } = news;
  const tick = (): void => {
    // An endless stream would delay the end of the server.
    const isClosing = (request.socket as { server?: Server }).server?.listening === false;
    if (isClosing || news.revision !== revision) return void response.end();
    if (response.writableNeedDrain) return;
    const world = find();
    // A world that was dropped and named again is a new one.
    const isNew = world !== watched.world;
    if (isNew) {
      watched.stop();
      watched = watch(world);
    }
    write(isNew);
  };
  const timer = setInterval(tick, TICK_MS).unref();
  response.once('close', () => {
    clearInterval(timer);
    watched.stop();
  });
  write(true);
}

const CLOCKS_AGREE_MS = 1000;

export type FeedBatch = { rows: FeedRow[]; skipped: number } & ReturnType<typeof describeState>;

function describeState(worlds: Worlds, world: World, ids: EntryIds, { changed, lost, problem }: FileNews) {
  // A message may quote a file.
  const show = (text: string | undefined): string | undefined => (text === undefined ? undefined : world.redact(text));
  return {
    oldest: ids.oldest(world),
    worlds: worlds.names().map(world.redact),
    files: { changed: show(changed), lost: show(lost), problem: show(problem) },
    injected: describeInjected(world),
  };
}

export function describeInjected(world: World) {
  const { faults, delay, clock } = world;
  const { shift, frozen } = clock.setting;
  const isActive = ({ hits, times }: { hits: number; times?: number | undefined }): boolean =>
    times === undefined || hits < times;
  return {
    faults: faults.list().filter(isActive).length,
    delay: delay === undefined || delay.to === 0 ? undefined : delay,
    clock: frozen === undefined && Math.abs(shift) < CLOCKS_AGREE_MS ? undefined : { shift, frozen },
    choices: countChoices(world),
  };
}

const counted = new WeakMap<Profile, number>();

function countChoices({ profile, gaps }: World): number {
  const known = counted.get(profile);
  if (known !== undefined) return known;
  const made = gaps.asked.filter(({ id, kind, mock }) => kind === 'choice' && (profile.choices[id] ?? mock) !== mock);
  counted.set(profile, made.length);
  return made.length;
}

type Watched = { world: World; waiting: JournalEntry[]; skipped: number; stop: () => void };

function watch(world: World): Watched {
  const watched: Watched = { world, waiting: world.journal.entries(), skipped: 0, stop: () => {} };
  watched.stop = world.journal.watch((entry) => {
    if (watched.waiting.length >= MOST_WAITING) {
      watched.waiting.splice(0, MOST_WAITING / 2);
      watched.skipped += MOST_WAITING / 2;
    }
    watched.waiting.push(entry);
  });
  return watched;
}

export type FeedRow = ReturnType<typeof toRow>;

function toRow(entry: JournalEntry, { redact }: World, ids: EntryIds) {
  const { time, duration, method, url, status, operationId, atFault, reason, faults } = entry.exchange;
  const show = (text: string, most: number): string => spellOut(redact(text)).slice(0, most);
  return {
    id: ids.of(entry),
    time,
    duration,
    method: show(method, MOST_URL),
    url: show(url, MOST_URL),
    status,
    operationId,
    verdict: atFault ?? ('ok' as const),
    reason: reason === undefined ? undefined : show(reason, MOST_REASON),
    faults: faults.length,
  };
}

const MOST = 2000;
const MOST_USED = 100;

export function describeCollections({ collections }: World): object[] {
  return collections.kept.map((kept) => ({
    name: kept.name,
    key: kept.key?.property,
    within: kept.scope,
    parent: kept.parent?.resource,
    create: kept.operations.find(({ role }) => role === 'create')?.operation.id,
    singular: kept.singular,
    count: kept.scope.length > 0 ? undefined : collections.open(kept).size,
    countAtStart: kept.scope.length > 0 ? undefined : collections.open(kept).startSize,
    used: collections
      .list()
      .filter((open) => open.kept === kept && open.within.length > 0)
      .slice(0, MOST_USED)
      .map(({ within }) => within.map(String)),
  }));
}

/** Some records of a collection with who made them, in the order in which the API lists them. Throws a `PetstoreMockError` where there is none. */
export function listRecords(world: World, asked: URLSearchParams): object {
  const { kept, within } = findPlace(world, asked.get('collection') ?? '', asked.getAll('within'));
  const collection = world.collections.open(kept, within);
  const order = actOn(profileOf(world.profile, nameInIds(kept)), 'list-order', listOrder);
  const limit = Math.min(MOST, readWhole(asked.get('limit'), MOST));
  const records = collection.list({ order, offset: readWhole(asked.get('offset'), 0), limit });
  return {
    total: collection.size,
    records: records.map((stored) => ({ record: stored.record, origin: findOrigin(stored, collection) })),
  };
}

const readWhole = (text: string | null, otherwise: number): number =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : otherwise;

function findOrigin(stored: StoredRecord, collection: Collection): 'fixture' | 'changed' | 'client' {
  const key = keyOf(stored.record, collection.key);
  const start = key === undefined ? undefined : collection.atStart(key);
  if (start === undefined) return 'client';
  return start === stored || start.text === stored.text ? 'fixture' : 'changed';
}

export type EntryIds = ReturnType<typeof createEntryIds>;

export function createEntryIds() {
  const ids = new WeakMap<JournalEntry, number>();
  let next = 1;
  const of = (entry: JournalEntry): number => {
    const known = ids.get(entry);
    if (known !== undefined) return known;
    ids.set(entry, next);
    next += 1;
    return next - 1;
  };
  return {
    of,
    find: ({ journal }: World, id: number) => journal.entries().find((entry) => of(entry) === id),
    oldest({ journal }: World): number {
      const [first] = journal.entries();
      return first === undefined ? next : of(first);
    },
  };
}
