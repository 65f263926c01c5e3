import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:net';
// Not the globals, which tests may replace by fake timers: a page must still get its news.
import { clearInterval, setInterval } from 'node:timers';
import { spellOut } from '../../redact/spell-out.js';
import type { JournalEntry } from '../../mock/world/journal.js';
import type { World } from '../../mock/world/world.js';
import type { Worlds } from '../../mock/world/worlds.js';
import type { FileNews } from '../file-news.js';
import type { EntryIds } from './entry-ids.js';

/** An exchange as a line of the list. */
export interface FeedRow {
  id: number;
  time: number;
  duration: number;
  method: string;
  url: string;
  status: number;
  operationId: string | undefined;
  verdict: 'ok' | 'client' | 'mock';
  reason: string | undefined;
  faults: number;
}

/** One message to a page. */
export interface FeedBatch {
  rows: FeedRow[];
  /** How many exchanges since the last batch left the journal before they could be sent. */
  skipped: number;
  /** Older exchanges are no longer in the journal. */
  oldest: number;
  worlds: string[];
  /** News about the files that the mock follows. */
  files: Pick<FileNews, 'changed' | 'lost' | 'problem'>;
}

/** The interval between batches: short enough to look live, long enough for a thousand exchanges a second. */
const TICK_MS = 100;
/** The size of the journal; a page keeps no more either. */
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

export interface FeedOptions {
  worlds: Worlds;
  world: string;
  ids: EntryIds;
  news: FileNews;
}

/** Sends a world's exchanges as Server-Sent Events until either side closes. If a page is slow, exchanges are dropped, not queued. */
export function serveFeed(
  request: IncomingMessage,
  response: ServerResponse,
  { worlds, world: name, ids, news }: FeedOptions,
): void {
  response.writeHead(200, HEADERS);
  let watched = watch(find(worlds, name));
  let told = '';
  let quiet = 0;
  const write = (isFirst: boolean): void => {
    const { waiting, skipped, world } = watched;
    const files = tellFiles(news, world);
    const state = { oldest: ids.oldest(world), worlds: worlds.names().map(world.redact), files };
    const text = JSON.stringify(state);
    if (!isFirst && waiting.length === 0 && text === told) return keepAlive();
    told = text;
    quiet = 0;
    const batch: FeedBatch = { rows: waiting.map((entry) => toRow(entry, world, ids)), skipped, ...state };
    Object.assign(watched, { waiting: [], skipped: 0 });
    response.write(`data: ${JSON.stringify(batch)}\n\n`);
  };
  // Only sending reveals a broken connection.
  const keepAlive = (): void => {
    quiet += 1;
    if (quiet % QUIET_TICKS === 0) response.write(':\n\n');
  };
  const { revision } = news;
  const tick = (): void => {
    // The worlds were replaced: the page reconnects and gets the new ones.
    if (isClosing(request) || news.revision !== revision) return void response.end();
    if (response.writableNeedDrain) return;
    const world = find(worlds, name);
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

/** A message may quote a file. */
function tellFiles({ changed, lost, problem }: FileNews, { redact }: World): FeedBatch['files'] {
  const show = (text: string | undefined): string | undefined => (text === undefined ? undefined : redact(text));
  return { changed: show(changed), lost: show(lost), problem: show(problem) };
}

/** The default world if there is none with this name: looking does not create one. */
function find(worlds: Worlds, name: string): World {
  if (!worlds.has(name)) return worlds.default;
  const entry = worlds.enter(name);
  return 'world' in entry ? entry.world : worlds.default;
}

interface Watched {
  world: World;
  waiting: JournalEntry[];
  skipped: number;
  stop: () => void;
}

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

function toRow(entry: JournalEntry, { redact }: World, ids: EntryIds): FeedRow {
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
    verdict: atFault ?? 'ok',
    reason: reason === undefined ? undefined : show(reason, MOST_REASON),
    faults: faults.length,
  };
}

/** Whether the server is closing: an endless stream would delay that. */
function isClosing({ socket }: IncomingMessage): boolean {
  return (socket as { server?: Server }).server?.listening === false;
}
