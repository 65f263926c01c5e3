// Which requests the target accepted with the credentials of the run: asked again, they tell whether it still does.
import { isReading, type Answered, type WireAnswer, type WireRequest } from '../../model/exchange.js';
import type { Send } from '../http/send-politely.js';

export interface AcceptedRequests {
  /** Marks the start of a request. */
  start: () => number;
  note: (request: WireRequest, answer: Answered, startedAt: number) => void;
  /** Whether a request that began later was accepted, by an operation that asks for credentials indeed. */
  since: (startedAt: number) => boolean;
  count: () => number;
  /** Whether an operation accepted the credentials before. */
  knows: (operation: string) => boolean;
  /**
   * Whether nothing that was accepted before is accepted now. What is served without credentials as well says nothing of them.
   * Nothing is concluded where nothing was accepted, or no response comes.
   */
  areRejected: (askAgain: Send, askBare: Send) => Promise<boolean>;
}

/** How many requests of different operations are asked again, with the first. */
const MOST_ASKED_AGAIN = 4;

export function createAcceptedRequests(): AcceptedRequests {
  let started = 0;
  let newest = 0;
  let count = 0;
  let first: WireRequest | undefined;
  const last = new Map<string, WireRequest>();
  /** Operations that serve requests without credentials, and those that do not. */
  const open = new Set<string>();
  const closed = new Set<string>();
  const served = new Set<string>();
  const forget = (operation: string): void => {
    open.add(operation);
    last.delete(operation);
    if (first !== undefined && operationOf(first) === operation) first = undefined;
  };
  return {
    start: () => (started += 1),
    note(request, { status }, startedAt) {
      const operation = operationOf(request);
      if (open.has(operation)) return;
      count += 1;
      if (status < 300) served.add(operation);
      if (closed.has(operation)) newest = Math.max(newest, startedAt);
      if (!isReading(request) || status >= 300) return;
      first ??= request;
      last.delete(operation);
      last.set(operation, request);
      const [oldest] = last.keys();
      if (last.size >= MOST_ASKED_AGAIN && oldest !== undefined) last.delete(oldest);
    },
    since: (startedAt) => newest > startedAt,
    count: () => count,
    knows: (operation) => served.has(operation),
    async areRejected(askAgain, askBare) {
      let rejected = 0;
      for (const request of new Set([...(first === undefined ? [] : [first]), ...last.values()])) {
        const answer = await askAgain({ ...request, alone: true });
        if (mayBeRejection(answer)) {
          rejected += 1;
          continue;
        }
        const operation = operationOf(request);
        if (answer.kind === 'unanswered' || closed.has(operation)) return false;
        if (mayBeRejection(await askBare({ ...request, alone: true }))) {
          closed.add(operation);
          return false;
        }
        forget(operation);
      }
      return rejected > 0;
    },
  };
}

function operationOf({ shown }: WireRequest): string {
  return shown?.of ?? '';
}

/** Services also reject what has expired with 403, or lead to a login; the same statuses have other reasons. */
export function mayBeRejection(answer: WireAnswer): answer is Answered {
  return answer.kind === 'answered' && [401, 403, 302, 303, 307].includes(answer.status);
}

/** 401 (RFC 9110 section 15.5.2), or a 403 whose challenge calls the token invalid (RFC 6750 section 3.1). */
export function isRejection(answer: WireAnswer): answer is Answered {
  if (answer.kind === 'unanswered') return false;
  const { status, headers } = answer;
  return status === 401 || (status === 403 && /\binvalid_token\b/i.test(headers['www-authenticate'] ?? ''));
}
