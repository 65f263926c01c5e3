import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpClient } from './http-client.js';
import { readRateLimit } from './rate-limit.js';
import { sendWatched, type LoopWatch } from './starvation.js';
import { isRepeatable, type Answered, type WireAnswer, type WireRequest } from '../../model/exchange.js';

/** Sends a request politely; `onPutOff` is called with each answer that only asks to come back later. */
export type Send = (request: WireRequest, onPutOff?: (answer: Answered) => void) => Promise<WireAnswer>;

export interface PoliteOptions {
  client: HttpClient;
  /** The most requests per second. Default: no limit. */
  rate?: number | undefined;
  /** Called before a wait that the target asked for. */
  onWait: (reason: string, ms: number) => void;
  /** Called when a request had to be sent again. */
  onNote: (note: string) => void;
  /** Called for every request that goes out. */
  onSent: () => void;
  /** The end of the run's time, on the same clock: no wait exceeds it. Default: none. */
  deadline?: number | undefined;
  signal: AbortSignal;
  /** Default: the machine's. */
  clock?: Timing;
  /** Default: {@link sendWatched}. */
  watch?: LoopWatch;
}

/** Milliseconds from some start, and a wait that ends on interruption. */
export interface Timing {
  now: () => number;
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const MACHINE_CLOCK: Timing = { now: () => performance.now(), pause };

/** How long the target may put off every request, apart from the first wait that it asks for; and before it has served any. */
const MAX_PATIENCE_MS = 180_000;
const FIRST_PATIENCE_MS = 20_000;
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;

/**
 * Observes the rate, pauses before a rate limit that the target tells is used up, waits when the target asks for it
 * (429, and 503 with Retry-After; RFC 9110 section 10.2.3), and repeats a request that may be sent twice if the
 * connection was dropped (RFC 9110 section 9.2.2). A wait applies to every request, as a rate limit does.
 */
export function createPoliteSend(options: PoliteOptions): Send {
  const { deadline = Number.POSITIVE_INFINITY, signal, clock = MACHINE_CLOCK } = options;
  const gate = createGate(signal, clock);
  const sendAgain = createSendAgain(createSendOnce(options, gate, clock), options);
  const tolerance = createTolerance(clock);
  return async (request, onPutOff) => {
    for (let attempt = 0; ; attempt++) {
      const answer = await sendAgain(request);
      const wait = readWait(answer, attempt);
      tolerance.note(answer);
      if (wait === undefined || answer.kind !== 'answered' || signal.aborted) return answer;
      const until = clock.now() + wait;
      if (until > deadline)
        options.onNote('the target asks to wait longer than the remaining time of the run (--max-time)');
      if (until > deadline || !tolerance.allows(until)) return answer;
      onPutOff?.(answer);
      options.onWait(`the target returned ${answer.status} and asked to wait`, wait);
      options.onNote(
        'the target limited the rate or was unavailable for a while; the run waited and sent the requests again',
      );
      gate.closeUntil(until);
      await gate.pass();
      if (signal.aborted) return answer;
    }
  };
}

/** What a target may ask for that serves nothing: to be waited for once, not for each request anew. */
interface Tolerance {
  note(answer: WireAnswer): void;
  /** Whether a request may wait until then. */
  allows(until: number): boolean;
}

function createTolerance(clock: Timing): Tolerance {
  let most = FIRST_PATIENCE_MS;
  let since: number | undefined;
  return {
    note(answer) {
      if (answer.kind !== 'answered' || isPutOff(answer)) return;
      most = MAX_PATIENCE_MS;
      since = undefined;
    },
    allows(until) {
      if (since !== undefined) return until <= since + most;
      since = clock.now();
      return true;
    },
  };
}

/** What every request passes before it goes out. */
interface Gate {
  pass(): Promise<void>;
  closeUntil(time: number): void;
  isOpen(): boolean;
}

function createGate(signal: AbortSignal, clock: Timing): Gate {
  let opensAt = 0;
  return {
    async pass() {
      for (let now = clock.now(); now < opensAt && !signal.aborted; now = clock.now()) {
        await clock.pause(opensAt - now, signal);
      }
    },
    closeUntil: (time) => void (opensAt = Math.max(opensAt, time)),
    isOpen: () => opensAt <= clock.now(),
  };
}

/** Sends when the gate is open, at the rate that was asked for, and closes the gate when an answer tells that no more are allowed. */
function createSendOnce(options: PoliteOptions, gate: Gate, clock: Timing): Send {
  const { deadline = Number.POSITIVE_INFINITY } = options;
  const pace = createPace(options, clock);
  const foresight = createForesight();
  const foresee = (answer: WireAnswer, sentAt: number): void => {
    const now = clock.now();
    const foreseen = foresight.note(answer, { sentAt, now });
    if (foreseen === undefined || now + foreseen.ms > deadline) return;
    // Requests that were on their way tell of the same window.
    const isNews = gate.isOpen();
    gate.closeUntil(now + foreseen.ms);
    if (!isNews) return;
    options.onWait(foreseen.reason, foreseen.ms);
    options.onNote('the target reports a rate limit; the run paused before it was used up');
  };
  return async (request) => {
    await gate.pass();
    await pace();
    const sentAt = clock.now();
    foresight.countSent();
    const answer = await sendUnstarved(request, options);
    foresee(answer, sentAt);
    return answer;
  };
}

/** How often a request is sent again that this machine was too busy to wait for. */
const MOST_STARVED = 3;

/**
 * A response that was lost while this process was blocked is no failure of the target: the request is sent again. Where it may
 * not be sent twice, or that happens each time, nothing is concluded.
 */
async function sendUnstarved(
  request: WireRequest,
  { client, onNote, onSent, watch = sendWatched }: PoliteOptions,
): Promise<WireAnswer> {
  const most = isRepeatable(request) ? MOST_STARVED : 0;
  for (let again = 0; ; again++) {
    onSent();
    const { answer, isStarved } = await watch(() => client.send(again === 0 ? request : { ...request, alone: true }));
    if (!isStarved) return answer;
    onNote(TOO_BUSY);
    if (again === most)
      return { kind: 'unanswered', reason: 'starved', detail: STARVED, durationMs: answer.durationMs };
  }
}

const STARVED = 'this machine was too busy to read the response';
const TOO_BUSY =
  'this machine was too busy to read some responses in time; those requests were repeated where that is safe, and the others are ignored';

/** After so many answers that were cut off the second time too, no other is asked for twice. */
const MOST_CUT_OFF = 5;

function createSendAgain(sendOnce: Send, { onNote }: PoliteOptions): Send {
  let cutOff = 0;
  return async (request) => {
    const answer = await sendOnce(request);
    const why = whyDropped(answer);
    if (why === undefined || !isRepeatable(request)) return answer;
    if (answer.kind === 'answered' && cutOff >= MOST_CUT_OFF) return answer;
    // Another idle connection may have been closed in the same way.
    const again = await sendOnce({ ...request, alone: true });
    cutOff = again.kind === 'answered' && again.cutOff !== undefined ? cutOff + 1 : 0;
    if (again.kind === 'answered' && again.cutOff === undefined)
      onNote(`a connection was closed (${why}); the request was repeated`);
    return again;
  };
}

function whyDropped(answer: WireAnswer): string | undefined {
  if (answer.kind === 'answered') return answer.cutOff;
  return answer.reason === 'dropped' || answer.reason === 'incomplete' ? answer.detail : undefined;
}

/** How long the target asks the run to wait, in milliseconds; `undefined` if it does not. */
function readWait(answer: WireAnswer, attempt: number): number | undefined {
  if (answer.kind !== 'answered' || !isPutOff(answer)) return undefined;
  const header = answer.headers['retry-after'];
  const backoff = Math.min(FIRST_BACKOFF_MS * 2 ** attempt, LONGEST_BACKOFF_MS);
  if (header === undefined) return answer.status === 429 ? (readReset(answer) ?? backoff) : undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  // What asks to come back at once, and puts off again, is asked less and less often.
  return Number.isNaN(ms) ? backoff : Math.max(ms, backoff / 10);
}

function isPutOff({ status }: Answered): boolean {
  return status === 429 || status === 503;
}

/** When a used-up rate limit starts again, for a 429 without Retry-After. */
function readReset({ headers }: Answered): number | undefined {
  const told = readRateLimit(headers);
  return told?.remaining === 0 && told.resetMs > 0 ? told.resetMs : undefined;
}

function createPace({ rate, signal }: PoliteOptions, clock: Timing): () => Promise<void> {
  if (rate === undefined) return () => Promise.resolve();
  const gap = 1000 / rate;
  let next = 0;
  return async () => {
    const now = clock.now();
    const at = Math.max(now, next);
    next = at + gap;
    if (at > now) await clock.pause(at - now, signal);
  };
}

/** Waits, unless interrupted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

/** A pause that keeps the next request from being refused. */
interface Foreseen {
  ms: number;
  reason: string;
}

/** Follows the rate limit that answers tell, so that the run pauses before it is refused. */
interface Foresight {
  countSent(): void;
  /** What an answer means for the requests to come; both times are on the clock of the run, in milliseconds. */
  note(answer: WireAnswer, at: { sentAt: number; now: number }): Foreseen | undefined;
}

/**
 * A field that says "none left" of requests that are answered all the same is not believed a second time: some services
 * send a fixed text.
 */
function createForesight(): Foresight {
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
