import type { Send } from '../http/send-politely.js';
import { isReading, type Answered, type WireAnswer, type WireRequest } from '../../model/exchange.js';

/** An answer that serves every scenario that would send the same request. */
export interface SharedAnswer {
  answer: Answered;
  /** When the request went out, on the clock of `performance.now()`. */
  sentAt: number;
  /** Whether no check has looked at it yet, since it answered the first look at the target. Default: no. */
  isUnjudged?: boolean;
}

/** Ends the wait of the scenarios that would share an answer; without an answer, each asks for itself. */
type Share = (shared?: SharedAnswer) => void;

export interface SharedAnswers {
  /**
   * The answer to an equal request, if the run has written nothing since; for a control, even if it has, since what was
   * accepted once is acceptable. Waits for a request under way.
   */
  find(name: string, isControl: boolean): Promise<SharedAnswer | undefined> | undefined;
  /** Keeps the answer to the first look for the first scenario that would send the same request. */
  offer(request: WireRequest, answer: WireAnswer): void;
  /** Announces a request that goes out. */
  announce(name: string): Share;
  /** Sends a request, and forgets all answers if it writes something. */
  follow(send: Send): Send;
}

/** Other clients may change the target meanwhile. */
const MOST_AGE_MS = 60_000;
/** A longer body is not kept. */
const MOST_BYTES = 256 * 1024;
/** A run that writes nothing must not fill the memory: the oldest answers go first. */
const MOST_KEPT = 200;

export function createSharedAnswers(now: () => number = () => performance.now()): SharedAnswers {
  const kept = new Map<string, Promise<SharedAnswer | undefined>>();
  const controls = new Map<string, Promise<SharedAnswer | undefined>>();
  let writes = 0;
  return {
    find: (name, isControl) =>
      (kept.get(name) ?? (isControl ? controls.get(name) : undefined))?.then((shared) =>
        shared !== undefined && now() - shared.sentAt < MOST_AGE_MS ? shared : undefined,
      ),
    offer(request, answer) {
      if (answer.kind === 'unanswered' || answer.bytes.length > MOST_BYTES) return;
      const first = { answer, sentAt: now() - answer.durationMs, isUnjudged: true };
      kept.set(nameRequest(request), Promise.resolve(first));
    },
    announce(name) {
      let share: Share = () => {};
      const promise = new Promise<SharedAnswer | undefined>((resolve) => (share = resolve));
      for (const map of [kept, controls]) makeRoom(map);
      controls.set(name, promise);
      // While something is written, nobody knows whether an answer shows it.
      if (writes === 0) kept.set(name, promise);
      let isOver = false;
      return (shared) => {
        if (isOver) return;
        isOver = true;
        const isKept = shared !== undefined && shared.answer.bytes.length <= MOST_BYTES;
        if (!isKept && kept.get(name) === promise) kept.delete(name);
        if (!isKept) controls.delete(name);
        share(isKept ? shared : undefined);
      };
    },
    follow: (send) => async (request, onPutOff) => {
      if (isReading(request)) return send(request, onPutOff);
      const isToBeRefused = request.repeatable === true;
      if (!isToBeRefused) {
        kept.clear();
        writes += 1;
      }
      const answer = await send(request, onPutOff);
      if (!isToBeRefused) writes -= 1;
      if (!isRefusal(answer)) kept.clear();
      return answer;
    },
  };
}

function makeRoom(map: Map<string, unknown>): void {
  if (map.size < MOST_KEPT) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

function isRefusal(answer: WireAnswer): boolean {
  return answer.kind === 'answered' && answer.status >= 400 && answer.status < 500;
}

/** The outcome of a scenario's request. */
export interface Reply {
  answer: WireAnswer;
  sentAt: number;
  /** Whether another scenario sent the request. */
  isShared: boolean;
  /**
   * Call it once the answer is judged, since others wait for it. If the answer shows nothing wrong, it serves them too;
   * otherwise each asks for itself, so that one failure costs one scenario.
   */
  settle: (isSound: boolean) => void;
}

/** Sends a request of a scenario, unless another scenario's answer serves. */
export type Ask = (request: WireRequest, onPutOff: (answer: Answered) => void, isControl?: boolean) => Promise<Reply>;

/** For one scenario. A request that it makes twice is sent twice, since the second answer is there to be compared. */
export function createAsk(send: Send, shared: SharedAnswers, { fresh }: { fresh: boolean }): Ask {
  const asked = new Set<string>();
  return async (request, onPutOff, isControl = false) => {
    const name = nameRequest(request);
    const mayShare = isReading(request) && !fresh && !asked.has(name);
    asked.add(name);
    // Nothing may happen between a look and an announcement.
    const pending = mayShare ? shared.find(name, isControl) : undefined;
    const found = pending === undefined ? undefined : await pending;
    if (found !== undefined && found.isUnjudged !== true) return { ...found, isShared: true, settle: () => {} };
    if (found !== undefined) found.isUnjudged = false;
    const share = isReading(request) ? shared.announce(name) : () => {};
    const sentAt = found?.sentAt ?? performance.now();
    try {
      const answer = found?.answer ?? (await send(request, onPutOff));
      const settle = (isSound: boolean): void =>
        share(isSound && answer.kind === 'answered' ? { answer, sentAt } : undefined);
      return { answer, sentAt, isShared: false, settle };
    } catch (error) {
      share();
      throw error;
    }
  };
}

/** Requests with the same name are equal, byte for byte. */
export function nameRequest({ method, target, headers, form }: WireRequest): string {
  return `${method} ${target} ${JSON.stringify([headers, form])}`;
}
