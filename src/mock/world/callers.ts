import type { ApiRequest } from '../../contract/message.js';

/** Somebody who still calls a deprecated operation. */
export interface DeprecatedCaller {
  operationId: string;
  /** As the caller states it; `undefined` if it does not. */
  userAgent: string | undefined;
  /** The page's origin, from a browser. */
  origin: string | undefined;
  /** The page, from a browser. */
  referer: string | undefined;
  count: number;
  /** The first and the last call, milliseconds since 1970-01-01T00:00:00Z by the world's clock. */
  first: number;
  last: number;
}

/** Who calls deprecated operations. */
export interface CallerList {
  note(operationId: string, request: ApiRequest, time: number): void;
  /** The most frequent first. */
  list(): DeprecatedCaller[];
  clear(): void;
}

/** Later callers are not listed: a longer list would be of no use to a reader. */
const MAX_CALLERS = 200;

/** The longest text that is kept of a caller's header fields. */
const MAX_TEXT = 512;

/** A copy, since V8 keeps the whole of a text as long as a part of it is kept. */
function shorten(text: string | undefined): string | undefined {
  return text === undefined || text.length <= MAX_TEXT ? text : Buffer.from(`${text.slice(0, MAX_TEXT)}…`).toString();
}

export function createCallerList(): CallerList {
  let callers: DeprecatedCaller[] = [];
  return {
    note(operationId, { headers }, time) {
      const userAgent = shorten(headers['user-agent']);
      const origin = shorten(headers['origin']);
      const referer = shorten(headers['referer']);
      const known = callers.find(
        (each) =>
          each.operationId === operationId &&
          each.userAgent === userAgent &&
          each.origin === origin &&
          each.referer === referer,
      );
      if (known !== undefined) {
        known.count += 1;
        known.last = time;
      } else if (callers.length < MAX_CALLERS) {
        callers.push({ operationId, userAgent, origin, referer, count: 1, first: time, last: time });
      }
    },
    list: () => structuredClone(callers).sort((a, b) => b.count - a.count),
    clear: () => {
      callers = [];
    },
  };
}
