import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpClient } from './http-client.js';
import { isRepeatable, isReading } from '../model/exchange.js';
import type { Answered, WireAnswer, Unanswered, WireRequest } from '../model/exchange.js';

/** Sends a request politely; `onPutOff` is called with each answer that only asks to come back later. */
export type Send = (request: WireRequest, onPutOff?: (answer: Answered) => void) => Promise<WireAnswer>;

export interface PoliteOptions {
  client: HttpClient;
  rate?: number | undefined;
  onWait: (reason: string, ms: number) => void;
  onNote: (note: string) => void;
  onSent: () => void;
  deadline?: number | undefined; // The end of the run's time, on the same clock: no wait exceeds it. Default: none.
  signal: AbortSignal;
  clock?: Timing;
  watch?: LoopWatch;
}

/** What stands for a response where the run itself sends nothing more; `detail` is a sentence without a full stop. */
export function interrupted(detail: string): Unanswered {
  return { kind: 'unanswered', reason: 'interrupted', detail, durationMs: 0 };
}

export type Timing = { now: () => number; pause: (ms: number, signal: AbortSignal) => Promise<void> };

export const MACHINE_CLOCK: Timing = { now: () => performance.now(), pause };

/**
 * Pauses before a rate limit that the target tells is used up, waits when the target asks for it (429, and 503 with Retry-After; RFC
 * 9110 section 10.2.3), and repeats what may be sent twice if the connection was dropped (RFC 9110 section 9.2.2).
 */
export function createPoliteSend(options: PoliteOptions): Send {
  const { deadline = Infinity, rate = Infinity, signal, clock = MACHINE_CLOCK, onNote, onWait } = options;
  let opensAt = 0;
  const passGate = async (): Promise<void> => {
    while (clock.now() < opensAt && !signal.aborted) await clock.pause(opensAt - clock.now(), signal);
  };
  const foresight = createForesight();
  let next = 0;
  const sendOnce: Send = async (request) => {
    await passGate();
    const at = Math.max(clock.now(), next);
    next = at + 1000 / rate;
    if (at > clock.now()) await clock.pause(at - clock.now(), signal);
    const sentAt = clock.now();
    foresight.countSent();
    const answer = await sendUnstarved(request, options);
    const now = clock.now();
    const foreseen = foresight.note(answer, { sentAt, now });
    if (foreseen === undefined || now + foreseen.ms > deadline) return answer;
    const isNews = opensAt <= clock.now();
    opensAt = Math.max(opensAt, now + foreseen.ms);
    if (!isNews) return answer;
    onWait(foreseen.reason, foreseen.ms);
    onNote('the target reports a rate limit; the run paused before it was used up');
    return answer;
  };
  let cutOff = 0;
  const sendAgain: Send = async (request) => {
    const answer = await sendOnce(request);
    const isDropped = answer.kind === 'unanswered' && (answer.reason === 'dropped' || answer.reason === 'incomplete');
    const why = answer.kind === 'answered' ? answer.cutOff : isDropped ? answer.detail : undefined;
    if (why === undefined || !isRepeatable(request) || (answer.kind === 'answered' && cutOff >= 5)) return answer;
    const again = await sendOnce({ ...request, alone: true });
    cutOff = again.kind === 'answered' && again.cutOff !== undefined ? cutOff + 1 : 0;
    if (again.kind === 'answered' && cutOff === 0) onNote(`a connection was closed (${why}); the request was repeated`);
    return again;
  };
  let patienceMs = 20_000;
  let since: number | undefined;
  return async (request, onPutOff) => {
    for (let attempt = 0; ; attempt++) {
      const answer = await sendAgain(request);
      const wait = readWait(answer, attempt);
      if (answer.kind === 'answered' && !isPutOff(answer)) [patienceMs, since] = [180_000, undefined];
      if (wait === undefined || answer.kind !== 'answered' || signal.aborted) return answer;
      const until = clock.now() + wait;
      if (until > deadline) onNote('the target asks to wait longer than the remaining time of the run (--max-time)');
      if (until > deadline || (since !== undefined && until > since + patienceMs)) return answer;
      since ??= clock.now();
      onPutOff?.(answer);
      onWait(`the target returned ${answer.status} and asked to wait`, wait);
      onNote('the target limited the rate or was unavailable for a while; the run waited and sent the requests again');
      opensAt = Math.max(opensAt, until);
      await passGate();
      if (signal.aborted) return answer;
    }
  };
}

async function sendUnstarved(request: WireRequest, options: PoliteOptions): Promise<WireAnswer> {
  const { client, onNote, onSent, watch = sendWatched } = options;
  const most = isRepeatable(request) ? 3 : 0;
  for (let again = 0; ; again++) {
    onSent();
    const asked = again === 0 ? request : { ...request, alone: true };
    const { answer, isStarved: isLost } = await watch(() => client.send(asked));
    if (!isLost) return answer;
    onNote(
      'this machine was too busy to read some responses in time; those requests were repeated where that is safe, and the others are ignored',
    );
    if (again < most) continue;
    const detail = 'this machine was too busy to read the response';
    return { kind: 'unanswered', reason: 'starved', detail, durationMs: answer.durationMs };
  }
}

function readWait(answer: WireAnswer, attempt: number): number | undefined {
  if (answer.kind !== 'answered' || !isPutOff(answer)) return undefined;
  const header = answer.headers['retry-after'];
  const backoff = Math.min(500 * 2 ** attempt, 30_000);
  const limit = readRateLimit(answer.headers);
  const resetMs = limit?.remaining === 0 && limit.resetMs > 0 ? limit.resetMs : undefined;
  if (header === undefined) return answer.status === 429 ? (resetMs ?? backoff) : undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? backoff : Math.max(ms, backoff / 10);
}

const isPutOff = ({ status }: Answered): boolean => status === 429 || status === 503;

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

function createForesight() {
  let inFlight = 0;
  let pausedUntil: number | undefined;
  let isBelieved = true;
  return {
    countSent: () => void (inFlight += 1),
    note(answer: WireAnswer, { sentAt, now }: { sentAt: number; now: number }) {
      inFlight -= 1;
      if (!isBelieved || answer.kind !== 'answered' || answer.status === 429) return undefined;
      const told = readRateLimit(answer.headers);
      if (told === undefined) return undefined;
      const isAfterPause = pausedUntil !== undefined && sentAt >= pausedUntil;
      if (isAfterPause && told.remaining === 0 && (told.limit ?? Infinity) > inFlight + 1) {
        isBelieved = false;
        return undefined;
      }
      if (isAfterPause) pausedUntil = undefined;
      if (told.remaining > inFlight || told.resetMs === 0) return undefined;
      pausedUntil = Math.max(pausedUntil ?? 0, now + told.resetMs);
      const left = `${told.remaining}${told.limit === undefined ? '' : ` of ${told.limit}`}`;
      const reason = `the target reports its rate limit: ${left} requests remain; the run continues when there are more`;
      return { ms: told.resetMs, reason };
    },
  };
}

export type LoopWatch = (send: () => Promise<WireAnswer>) => Promise<{ answer: WireAnswer; isStarved: boolean }>;

/** `monitorEventLoopDelay` sees no delay before its own first turn, and a request may fail before that. */
const sendWatched: LoopWatch = async (send) => {
  const started = performance.now();
  let turned = started;
  let blockedMs = 0;
  const turn = (): void => {
    blockedMs = Math.max(blockedMs, performance.now() - turned);
    turned = performance.now();
  };
  const timer = setInterval(turn, 50).unref();
  try {
    const answer = await send();
    turn();
    const isIncomplete =
      answer.kind === 'answered'
        ? answer.cutOff !== undefined
        : ['timeout', 'dropped', 'incomplete'].includes(answer.reason);
    return { answer, isStarved: isIncomplete && isStarved({ blockedMs, lastedMs: turned - started }) };
  } finally {
    clearInterval(timer);
  }
};

/** A quarter of a second and a fifth of the exchange, in one piece: what is shorter is no reason for a timeout. */
export function isStarved({ blockedMs, lastedMs }: { blockedMs: number; lastedMs: number }): boolean {
  return blockedMs >= 250 && blockedMs >= lastedMs / 5;
}

type RateLimit = { remaining: number; resetMs: number; limit: number | undefined };

/**
 * `RateLimit` as a list of policies, of which the first that is used up counts, or as one dictionary
 * (draft-ietf-httpapi-ratelimit-headers), or a field each (`X-RateLimit-Remaining`). `undefined` if it is not told when it ends.
 */
export function readRateLimit(headers: Readonly<Record<string, string>>, now = Date.now()): RateLimit | undefined {
  const { ratelimit } = headers;
  // The earlier `limit=100, remaining=50, reset=30` is one policy.
  const isOne = /\bremaining\s*=/i.test(ratelimit ?? '');
  const policies = isOne ? [ratelimit?.replaceAll(',', ';') ?? ''] : ratelimit?.split(',');
  const told = policies?.flatMap(readPolicy) ?? readFields(headers, now);
  return told.toSorted((a, b) => a.remaining - b.remaining || b.resetMs - a.resetMs)[0];
}

/** `"burst";r=3;t=1`. */
function readPolicy(policy: string): RateLimit[] {
  const read = (names: string): number | undefined =>
    readCount(new RegExp(String.raw`(?:^|;)\s*(?:${names})\s*=\s*(\d{1,15})(?![\d.])`, 'i').exec(policy)?.[1]);
  const [remaining, seconds, limit] = [read('r|remaining'), read('t|reset'), read('limit')];
  return remaining === undefined || seconds === undefined ? [] : [{ remaining, resetMs: seconds * 1000, limit }];
}

function readFields(headers: Readonly<Record<string, string>>, now: number): RateLimit[] {
  const told = ['ratelimit-', 'x-ratelimit-', 'x-rate-limit-'].flatMap((prefix) => {
    const [remaining, limit] = [readCount(headers[`${prefix}remaining`]), readCount(headers[`${prefix}limit`])];
    const resetMs = readReset(headers[`${prefix}reset`], now);
    return remaining === undefined || resetMs === undefined ? [] : [{ remaining, resetMs, limit }];
  });
  return told.slice(0, 1);
}

function readCount(text: string | undefined): number | undefined {
  const digits = /^\s*(\d{1,15})\b/.exec(text ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Seconds from now in the drafts; a time of day, in seconds, milliseconds or words, at services that were first. */
function readReset(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\s*\d{1,15}(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
  if (number !== undefined && number < 1e9) return number * 1000;
  const at = number === undefined ? Date.parse(text) : number * (number >= 1e12 ? 1 : 1000);
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0);
}

type SharedAnswer = { answer: Answered; sentAt: number };
export type SharedAnswers = ReturnType<typeof createSharedAnswers>;

export function createSharedAnswers(now: () => number = () => performance.now()) {
  const kept = new Map<string, Promise<SharedAnswer | undefined>>();
  const controls = new Map<string, Promise<SharedAnswer | undefined>>();
  let writes = 0;
  return {
    find: (name: string, isControl: boolean): Promise<SharedAnswer | undefined> | undefined =>
      (kept.get(name) ?? (isControl ? controls.get(name) : undefined))?.then((shared) =>
        shared !== undefined && now() - shared.sentAt < 60_000 ? shared : undefined,
      ),
    announce(name: string): (shared?: SharedAnswer) => void {
      let share: (shared?: SharedAnswer) => void = () => {};
      const promise = new Promise<SharedAnswer | undefined>((resolve) => (share = resolve));
      for (const map of [kept, controls]) {
        const [oldest = ''] = map.keys();
        if (map.size >= 200) map.delete(oldest);
      }
      controls.set(name, promise);
      if (writes === 0) kept.set(name, promise);
      let isOver = false;
      return (shared) => {
        if (isOver) return;
        isOver = true;
        const isKept = shared !== undefined && shared.answer.bytes.length <= 256 * 1024;
        if (!isKept && kept.get(name) === promise) kept.delete(name);
        if (!isKept) controls.delete(name);
        share(isKept ? shared : undefined);
      };
    },
    follow:
      (send: Send): Send =>
      async (request, onPutOff) => {
        if (isReading(request)) return send(request, onPutOff);
        const isToBeRefused = request.repeatable === true;
        if (!isToBeRefused) {
          kept.clear();
          writes += 1;
        }
        const answer = await send(request, onPutOff);
        if (!isToBeRefused) writes -= 1;
        if (!(answer.kind === 'answered' && answer.status >= 400 && answer.status < 500)) kept.clear();
        return answer;
      },
  };
}

export interface Reply {
  answer: WireAnswer;
  sentAt: number;
  isShared: boolean;
  settle: (isSound: boolean) => void; // Others wait for it: a sound answer serves them too, otherwise each asks for itself.
}

export type Ask = (request: WireRequest, onPutOff: (answer: Answered) => void, isControl?: boolean) => Promise<Reply>;

/** For one scenario. A request that it makes twice is sent twice, since the second answer is there to be compared. */
export function createAsk(send: Send, shared: SharedAnswers, { fresh }: { fresh: boolean }): Ask {
  const asked = new Set<string>();
  return async (request, onPutOff, isControl = false) => {
    const name = nameRequest(request);
    const mayShare = isReading(request) && !fresh && !asked.has(name);
    asked.add(name);
    const pending = mayShare ? shared.find(name, isControl) : undefined;
    const found = pending === undefined ? undefined : await pending;
    if (found !== undefined) return { ...found, isShared: true, settle: () => {} };
    const share = isReading(request) ? shared.announce(name) : () => {};
    const sentAt = performance.now();
    try {
      const answer = await send(request, onPutOff);
      const settle = (isSound: boolean): void =>
        share(isSound && answer.kind === 'answered' ? { answer, sentAt } : undefined);
      return { answer, sentAt, isShared: false, settle };
    } catch (error) {
      share();
      throw error;
    }
  };
}

export function nameRequest({ method, target, headers, form }: WireRequest): string {
  return `${method} ${target} ${JSON.stringify([headers, form])}`;
}
