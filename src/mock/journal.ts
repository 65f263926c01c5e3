import type { Violation } from '../contract/violation.js';

/** Which side broke the contract. */
export type Side = 'client' | 'mock';

/** What a world remembers of one exchange. */
export interface Exchange {
  /** When the request was taken up, milliseconds since 1970-01-01T00:00:00Z. */
  time: number;
  /** How long the mock took, in milliseconds. */
  duration: number;
  method: string;
  /** The path as the client sent it, with its query. */
  url: string;
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
  /** A bug of the mock's that came up. */
  crash: unknown;
}

/** The bounded record of a world's exchanges. */
export interface Journal {
  add(exchange: Exchange): void;
  /** Oldest first. */
  entries(): Exchange[];
  clear(): void;
}

const DEFAULT_JOURNAL_SIZE = 1000;

/** Keeps the last `size` exchanges. */
export function createJournal(size: number = DEFAULT_JOURNAL_SIZE): Journal {
  let ring: Exchange[] = [];
  let oldest = 0;
  return {
    add(exchange) {
      if (ring.length < size) ring.push(exchange);
      else {
        ring[oldest] = exchange;
        oldest = (oldest + 1) % size;
      }
    },
    entries: () => [...ring.slice(oldest), ...ring.slice(0, oldest)],
    clear() {
      ring = [];
      oldest = 0;
    },
  };
}
