import { readRateLimit } from './rate-limit.js';
import type { WireAnswer } from '../../model/wire.js';

/** A pause that keeps the next request from being refused. */
export interface Foreseen {
  ms: number;
  reason: string;
}

/** Follows the rate limit that answers tell, so that the run pauses before it is refused. */
export interface Foresight {
  countSent(): void;
  /** What an answer means for the requests to come; both times are on the clock of the run, in milliseconds. */
  note(answer: WireAnswer, at: { sentAt: number; now: number }): Foreseen | undefined;
}

/**
 * A field that says "none left" of requests that are answered all the same is not believed a second time: some services
 * send a fixed text.
 */
export function createForesight(): Foresight {
  let inFlight = 0;
  let pausedUntil: number | undefined;
  let isBelieved = true;
  return {
    countSent: () => void (inFlight += 1),
    note(answer, { sentAt, now }) {
      inFlight -= 1;
      if (!isBelieved || answer.kind !== 'answered' || answer.status === 429) return undefined;
      const told = readRateLimit(answer.headers);
      if (told === undefined) return undefined;
      const isAfterPause = pausedUntil !== undefined && sentAt >= pausedUntil;
      if (isAfterPause && told.remaining === 0 && (told.limit ?? Number.POSITIVE_INFINITY) > inFlight + 1) {
        isBelieved = false;
        return undefined;
      }
      if (isAfterPause) pausedUntil = undefined;
      if (told.remaining > inFlight || told.resetMs === 0) return undefined;
      pausedUntil = Math.max(pausedUntil ?? 0, now + told.resetMs);
      return { ms: told.resetMs, reason: describeLimit(told) };
    },
  };
}

function describeLimit({ remaining, limit }: { remaining: number; limit?: number }): string {
  const allowed = limit === undefined ? '' : ` of ${limit}`;
  return `the target reports its rate limit: ${remaining}${allowed} requests remain; the run continues when there are more`;
}
