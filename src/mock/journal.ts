import type { ApiRequest, ApiResponse } from '../contract/message.js';
import type { Operation } from '../contract/model.js';
import type { Violation } from '../contract/schemas/violation.js';

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
  /** Calls back with each entry to come until the returned function is called. */
  watch(callback: (entry: JournalEntry) => void): () => void;
}

const DEFAULT_JOURNAL_SIZE = 1000;

/** Keeps the last `size` exchanges, and the first `size` in which a side is at fault. */
export function createJournal(size: number = DEFAULT_JOURNAL_SIZE): Journal {
  let ring: JournalEntry[] = [];
  let oldest = 0;
  let faulty: JournalEntry[] = [];
  let faultyCount = 0;
  const watchers = new Set<(entry: JournalEntry) => void>();
  return {
    add(given) {
      const entry = isLight(given) ? given : lighten(given);
      if (ring.length < size) ring.push(entry);
      else {
        ring[oldest] = entry;
        oldest = (oldest + 1) % size;
      }
      if (entry.exchange.atFault !== undefined) {
        faultyCount += 1;
        if (faulty.length < size) faulty.push(entry);
      }
      if (watchers.size > 0) for (const callback of watchers) callback(entry);
    },
    entries: () => [...ring.slice(oldest), ...ring.slice(0, oldest)],
    faulty: () => [...faulty],
    get faultyCount() {
      return faultyCount;
    },
    clear() {
      ring = [];
      oldest = 0;
      faulty = [];
      faultyCount = 0;
    },
    watch(callback) {
      watchers.add(callback);
      return () => void watchers.delete(callback);
    },
  };
}

function isLight({ request, response }: JournalEntry): boolean {
  return (request.body?.length ?? 0) <= MAX_KEPT_BODY && (response.body?.text.length ?? 0) <= MAX_KEPT_BODY;
}

function lighten({ request, response, ...rest }: JournalEntry): JournalEntry {
  const isLong = (request.body?.length ?? 0) > MAX_KEPT_BODY;
  return {
    ...rest,
    request: isLong ? { ...request, body: undefined, bodyLongerThan: MAX_KEPT_BODY } : request,
    response: (response.body?.text.length ?? 0) > MAX_KEPT_BODY ? { ...response, body: OMITTED_BODY } : response,
  };
}

/** Stands where a response's body was too long to be kept. */
export const OMITTED_BODY = Object.freeze({ value: undefined, text: '' });
