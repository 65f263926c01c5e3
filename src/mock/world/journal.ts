import type { ApiRequest, ApiResponse, Operation } from '../../contract/model.js';
import type { Violation } from '../../contract/schemas/violation.js';
import { getHeapStatistics } from 'node:v8';

/** Memory for one kind of data from clients, in estimated bytes. */
export type Pool = { readonly most: number; used: number };
export type Sheddable = { readonly held: number; shed(): boolean };
export type Memory = { records: Pool; journals: Pool & { members: Set<Sheddable> }; bodies: Pool };

export const MIB: number = 1024 * 1024;
const DEFAULT_MIB = 1024;

/** Half of Node's own limit leaves room for what the pools do not count. */
export const defaultMaxMemory = (): number =>
  Math.min(DEFAULT_MIB, Math.floor(getHeapStatistics().heap_size_limit / 2 / MIB));

/** Divides `maxMemory`, in MiB: half for records, a quarter each for journals and bodies. */
export function createMemory(maxMemory: number = defaultMaxMemory()): Memory {
  const whole = maxMemory * MIB;
  return {
    records: { most: whole / 2, used: 0 },
    journals: { most: whole / 4, used: 0, members: new Set() },
    bodies: { most: whole / 4, used: 0 },
  };
}

const TARGET = 0.95;

export function makeRoom(pool: Memory['journals']): void {
  while (pool.used > pool.most * TARGET) {
    const largest = [...pool.members].reduce((one, other) => (other.held > one.held ? other : one));
    const enough = Math.max(largest.held / 2, largest.held - (pool.used - pool.most * TARGET));
    if (!largest.shed()) return;
    while (largest.held > enough && largest.shed());
  }
}

export type Side = 'client' | 'mock';

/** A world's unredacted record of one exchange, credentials included. */
export interface RecordedExchange {
  world: string;
  /** When the request arrived, by the world's clock, in milliseconds since 1970-01-01T00:00:00Z. */
  time: number;
  /** How long the mock took, in milliseconds. */
  duration: number;
  method: string;
  /** The path as the client sent it, with its query. */
  url: string;
  status: number;
  operationId: string | undefined;
  atFault: Side | undefined;
  /** Why the request was refused or the answer withheld, a sentence without a full stop. */
  reason: string | undefined;
  violations: readonly Violation[];
  /** Remarks about an exchange without a violation, such as query parameters that were ignored. */
  notes: readonly string[];
  faults: readonly string[];
  crash: unknown;
}

export interface JournalEntry {
  exchange: RecordedExchange;
  operation: Operation | undefined;
  request: ApiRequest;
  response: ApiResponse;
}

const MAX_KEPT_BODY = 65_536;
const DEFAULT_JOURNAL_SIZE = 1000;

export type Journal = ReturnType<typeof createJournal>;

/** Keeps the last `size` exchanges, and the first `size` with a side at fault; fewer if the `pool` is full. */
export function createJournal(pool: Memory['journals'] = createMemory(Infinity).journals, size = DEFAULT_JOURNAL_SIZE) {
  const last = keepLast<JournalEntry>(size);
  let faulty: { entry: JournalEntry; weight: number }[] = [];
  let faultyCount = 0;
  const watchers = new Set<(entry: JournalEntry) => void>();
  let held = 0;
  let isOpen = true;
  const take = (weight: number): void => {
    if (!isOpen) return;
    held += weight;
    pool.used += weight;
  };
  const member: Sheddable = {
    get held() {
      return held;
    },
    shed() {
      // The latest exchange stays for inspection; of the faulty ones, the earliest stay longest.
      const freed = last.count > 1 ? last.dropOldest() : faulty.pop()?.weight;
      if (freed !== undefined) take(-freed);
      return freed !== undefined;
    },
  };
  pool.members.add(member);
  const clear = (): void => {
    take(-held);
    last.clear();
    [faulty, faultyCount] = [[], 0];
  };
  return {
    add(given: JournalEntry): void {
      const entry = lighten(given);
      const weight = weighEntry(entry);
      if (last.count === size) take(-last.dropOldest());
      last.add(entry, weight);
      take(weight);
      if (entry.exchange.atFault !== undefined) {
        faultyCount += 1;
        if (faulty.length < size && faulty.push({ entry, weight })) take(weight);
      }
      if (pool.used > pool.most) makeRoom(pool);
      if (watchers.size > 0) for (const callback of watchers) callback(entry);
    },
    entries: () => last.list(),
    faulty: () => faulty.map(({ entry }) => entry),
    get faultyCount() {
      return faultyCount;
    },
    clear,
    release(): void {
      clear();
      isOpen = false;
      pool.members.delete(member);
    },
    watch(callback: (entry: JournalEntry) => void): () => void {
      watchers.add(callback);
      return () => void watchers.delete(callback);
    },
  };
}

const ENTRY_BYTES = 1500;
const VIOLATION_BYTES = 500;

function weighEntry({ exchange, request, response }: JournalEntry): number {
  let weight = ENTRY_BYTES + exchange.url.length + (exchange.reason?.length ?? 0);
  weight += exchange.violations.length * VIOLATION_BYTES + (response.body?.text.length ?? 0);
  // A body is a slice of a larger buffer, which stays in memory as long as the slice.
  if (request.body !== undefined) weight += request.body.buffer.byteLength;
  for (const name in request.headers) weight += request.headers[name]?.length ?? 0;
  return weight;
}

function lighten(entry: JournalEntry): JournalEntry {
  const { request, response } = entry;
  const omitsRequest = request.body !== undefined && (response.status === 401 || request.body.length > MAX_KEPT_BODY);
  const omitsResponse = (response.body?.text.length ?? 0) > MAX_KEPT_BODY;
  if (!omitsRequest && !omitsResponse) return entry;
  return {
    ...entry,
    request: omitsRequest ? { ...request, body: undefined, bodyLongerThan: MAX_KEPT_BODY } : request,
    response: omitsResponse ? { ...response, body: OMITTED_BODY } : response,
  };
}

export const OMITTED_BODY = Object.freeze({ value: undefined, text: '' });

/** The last `size` items with their weights in bytes, in arrays of their own: another field costs too much time. */
function keepLast<T>(size: number) {
  let ring: (T | undefined)[] = [];
  let weights: number[] = [];
  let start = 0;
  let count = 0;
  return {
    get count() {
      return count;
    },
    add(item: T, weight: number): void {
      const place = (start + count) % size;
      ring[place] = item;
      weights[place] = weight;
      count += 1;
    },
    dropOldest(): number {
      const weight = weights[start] ?? 0;
      ring[start] = undefined;
      start = (start + 1) % size;
      count -= 1;
      return weight;
    },
    list: () => Array.from({ length: count }, (_, index) => ring[(start + index) % size] as T),
    clear(): void {
      [ring, weights, start, count] = [[], [], 0, 0];
    },
  };
}

export interface DeprecatedCaller {
  operationId: string;
  userAgent: string | undefined;
  /** The page's origin, from a browser. */
  origin: string | undefined;
  referer: string | undefined;
  count: number;
  /** The first and the last call, milliseconds since 1970-01-01T00:00:00Z by the world's clock. */
  first: number;
  last: number;
}

const MAX_CALLERS = 200;
const MAX_TEXT = 512;

// A copy, since V8 keeps the whole of a text as long as a part of it is kept.
const shorten = (text: string | undefined): string | undefined =>
  text === undefined || text.length <= MAX_TEXT ? text : Buffer.from(`${text.slice(0, MAX_TEXT)}…`).toString();

export type CallerList = ReturnType<typeof createCallerList>;

export function createCallerList() {
  const callers = new Map<string, DeprecatedCaller>();
  return {
    note(operationId: string, { headers }: ApiRequest, time: number): void {
      const [userAgent, origin, referer] = [headers['user-agent'], headers['origin'], headers['referer']].map(shorten);
      // No field value holds a line break.
      const id = `${operationId}\n${userAgent}\n${origin}\n${referer}`;
      const known = callers.get(id);
      if (known !== undefined) {
        known.count += 1;
        known.last = time;
      } else if (callers.size < MAX_CALLERS)
        callers.set(id, { operationId, userAgent, origin, referer, count: 1, first: time, last: time });
    },
    list: () => structuredClone([...callers.values()]).sort((a, b) => b.count - a.count),
    clear: () => callers.clear(),
  };
}
