import type { ApiRequest, ApiResponse } from '../../contract/message.js';
import type { Operation } from '../../contract/model.js';
import type { Violation } from '../../contract/schemas/violation.js';

import { keepFirst, keepLast } from './kept-items.js';
import { createMemory, makeRoom, type Memory, type Sheddable } from './memory.js';

/** Which side broke the contract. */
export type Side = 'client' | 'mock';

/** What a world keeps of one exchange, as it was: credentials stand in it. */
export interface RecordedExchange {
  /** The world's name. */
  world: string;
  /** When the request was taken up, milliseconds since 1970-01-01T00:00:00Z by the world's clock. */
  time: number;
  /** How long the mock took, in milliseconds. */
  duration: number;
  method: string;
  /** The path as the client sent it, with its query. */
  url: string;
  /** 0 when the connection was reset on purpose instead of an answer. */
  status: number;
  /** `undefined` for a path or a method that the contract does not have. */
  operationId: string | undefined;
  /** Who is at fault; `undefined` when nobody is. */
  atFault: Side | undefined;
  /** Why the request was refused or the answer withheld, a sentence without a full stop. */
  reason: string | undefined;
  violations: readonly Violation[];
  /** What is worth knowing although nothing is wrong, such as query parameters that were passed over. */
  notes: readonly string[];
  /** The ids of the faults that struck it on purpose. */
  faults: readonly string[];
  /** A bug of the mock's that came up. */
  crash: unknown;
}

/** A {@link RecordedExchange} with its messages, which are kept as they are and not copied. */
export interface JournalEntry {
  exchange: RecordedExchange;
  operation: Operation | undefined;
  request: ApiRequest;
  response: ApiResponse;
}

/** Longer bodies are not kept, in bytes of a request and characters of a response. */
export const MAX_KEPT_BODY = 65_536;

/** The bounded record of a world's exchanges. */
export interface Journal {
  add(entry: JournalEntry): void;
  /** The last ones, oldest first. */
  entries(): JournalEntry[];
  /** The first ones in which a side is at fault, oldest first; they stay when the record wraps. */
  faulty(): JournalEntry[];
  /** How many had a side at fault, those that are not kept included. */
  readonly faultyCount: number;
  clear(): void;
  /** Forgets all for good, when its world is dropped. */
  release(): void;
  /** Calls back with each entry to come until the returned function is called. */
  watch(callback: (entry: JournalEntry) => void): () => void;
}

const DEFAULT_JOURNAL_SIZE = 1000;

/**
 * Keeps the last `size` exchanges, and the first `size` in which a side is at
 * fault; fewer when the journals of all worlds together take more than `pool` has room for.
 */
export function createJournal(
  pool: Memory['journals'] = createMemory(Infinity).journals,
  size: number = DEFAULT_JOURNAL_SIZE,
): Journal {
  const last = keepLast<JournalEntry>(size);
  const faulty = keepFirst<JournalEntry>(size);
  let faultyCount = 0;
  const watchers = new Set<(entry: JournalEntry) => void>();
  const share = joinPool(pool, () => {
    // The last exchange stays to be looked at; of those at fault the first ones do.
    const freed = last.count > 1 ? last.dropOldest() : faulty.dropNewest();
    if (freed !== undefined) share.take(-freed);
    return freed !== undefined;
  });
  const clear = (): void => {
    share.giveBack();
    last.clear();
    faulty.clear();
    faultyCount = 0;
  };
  return {
    add(given) {
      const entry = isLight(given) ? given : lighten(given);
      const weight = weighEntry(entry);
      if (last.count === size) share.take(-last.dropOldest());
      last.add(entry, weight);
      share.take(weight);
      if (entry.exchange.atFault !== undefined) {
        faultyCount += 1;
        if (faulty.add(entry, weight)) share.take(weight);
      }
      if (pool.used > pool.most) makeRoom(pool);
      if (watchers.size > 0) for (const callback of watchers) callback(entry);
    },
    entries: () => last.list(),
    faulty: () => faulty.list(),
    get faultyCount() {
      return faultyCount;
    },
    clear,
    release() {
      clear();
      share.leave();
    },
    watch(callback) {
      watchers.add(callback);
      return () => void watchers.delete(callback);
    },
  };
}

/** What a journal takes of the pool that all journals share, until it leaves it. */
function joinPool(pool: Memory['journals'], shed: () => boolean) {
  let held = 0;
  let isOpen = true;
  const member: Sheddable = {
    get held() {
      return held;
    },
    shed,
  };
  pool.members.add(member);
  const take = (weight: number): void => {
    if (!isOpen) return;
    held += weight;
    pool.used += weight;
  };
  return {
    take,
    giveBack: () => take(-held),
    leave(): void {
      isOpen = false;
      pool.members.delete(member);
    },
  };
}

/** What an exchange takes beside its texts. */
const ENTRY_BYTES = 1500;
const VIOLATION_BYTES = 500;

function weighEntry({ exchange, request, response }: JournalEntry): number {
  let weight = ENTRY_BYTES + exchange.url.length + (exchange.reason?.length ?? 0);
  weight += exchange.violations.length * VIOLATION_BYTES + (response.body?.text.length ?? 0);
  // A body is a part of what came with it, all of which stays as long as the part does.
  if (request.body !== undefined) weight += request.body.buffer.byteLength;
  for (const name in request.headers) weight += request.headers[name]?.length ?? 0;
  return weight;
}

function isLight({ request, response }: JournalEntry): boolean {
  return !isBodyOmitted(request, response) && (response.body?.text.length ?? 0) <= MAX_KEPT_BODY;
}

/** Whoever has no key can send whatever they like, so nothing of it is kept. */
function isBodyOmitted({ body }: ApiRequest, { status }: ApiResponse): boolean {
  return body !== undefined && (status === 401 || body.length > MAX_KEPT_BODY);
}

function lighten({ request, response, ...rest }: JournalEntry): JournalEntry {
  return {
    ...rest,
    request: isBodyOmitted(request, response)
      ? { ...request, body: undefined, bodyLongerThan: MAX_KEPT_BODY }
      : request,
    response: (response.body?.text.length ?? 0) > MAX_KEPT_BODY ? { ...response, body: OMITTED_BODY } : response,
  };
}

/** Stands where a response's body was too long to be kept. */
export const OMITTED_BODY = Object.freeze({ value: undefined, text: '' });
