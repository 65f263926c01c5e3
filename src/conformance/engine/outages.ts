import { isReading, type WireAnswer, type WireRequest, hasBegun, type Unanswered } from '../model/exchange.js';
import { MACHINE_CLOCK, type Send, type Timing } from '../http/send-politely.js';
import { setMaxListeners } from 'node:events';

interface OutageOptions {
  onWait: (reason: string, ms: number) => void;
  onNote: (note: string) => void;
  onLost: (why: string) => void;
  signal: AbortSignal;
  clock?: Timing;
}

export const MOST_OUTAGE_MS = 15_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2000;

const MOST_REPEATS = 2;
const MOST_ASKED = 2;

/** Why nothing was served: 502, 503 and 504 come from what stands before a service (RFC 9110 section 15.6), or nothing listens. */
function readUnavailable(answer: WireAnswer): string | undefined {
  if (answer.kind === 'answered')
    return answer.status >= 502 && answer.status <= 504 ? String(answer.status) : undefined;
  return answer.reason === 'refused' ? answer.detail : undefined;
}

function isDropped(answer: WireAnswer): boolean {
  return answer.kind === 'unanswered' && answer.reason === 'dropped';
}

/** An outage: a request was not served, and what was served before is not served either. One note; all is sent again. */
export function waitOutOutages(send: Send, { clock = MACHINE_CLOCK, ...options }: OutageOptions): Send {
  const served = new Map<string, WireRequest>();
  let outage: Promise<boolean> | undefined;
  let endedAt = Number.NEGATIVE_INFINITY;
  let isLost = false;
  // What drops every connection is no outage, and not asked again until it serves something.
  let isSilent = false;
  const askElse = async (request: WireRequest): Promise<WireAnswer[]> => {
    const others = [...served].filter(([path]) => path !== pathOf(request)).map(([, each]) => each);
    const asked = (others.length === 0 ? [...served.values()] : others).slice(-MOST_ASKED);
    return Promise.all(asked.map((each) => send({ ...each, alone: true })));
  };
  const waitUntilOver = async (request: WireRequest): Promise<boolean> => {
    let told: string | undefined;
    const since = clock.now();
    for (let pauseMs = FIRST_PAUSE_MS, round = 0; !options.signal.aborted; round++) {
      const answers = await askElse(request);
      isSilent = answers.every(isDropped);
      const whys = answers.map(readUnavailable);
      const isOver = whys.includes(undefined);
      if (isOver && round === 0) return false;
      told ??= whys[0] ?? '';
      if (isOver) {
        options.onNote(`the target was unavailable for a while (${told}); the run waited and went on`);
        endedAt = clock.now();
        return true;
      }
      if (clock.now() - since > MOST_OUTAGE_MS) break;
      options.onWait(`the target is unavailable (${told})`, pauseMs);
      await clock.pause(pauseMs, options.signal);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
    if (options.signal.aborted) return false;
    isLost = true;
    options.onLost(`the target was unavailable for ${MOST_OUTAGE_MS / 1000} s (${told})`);
    return false;
  };
  return async (request, onPutOff) => {
    for (let repeats = 0; ; repeats++) {
      await outage;
      const sentAt = clock.now();
      const answer = await send(request, onPutOff);
      if (readUnavailable(answer) === undefined && !isDropped(answer)) {
        isSilent = false;
        if (isReading(request) && answer.kind === 'answered' && answer.status < 500)
          noteLast(served, request, MOST_SERVED);
        return repeats > 0 && isOfFirst(request, answer) ? UNKNOWN : answer;
      }
      if (isLost || (isSilent && isDropped(answer)) || repeats === MOST_REPEATS) return answer;
      if (served.size === 0 || options.signal.aborted) return answer;
      if (sentAt < endedAt) continue;
      outage ??= waitUntilOver(request).finally(() => (outage = undefined));
      if (!(await outage)) return answer;
    }
  };
}

/** What was sent before an outage may have been carried out, and what is refused now may be so for that. */
function isOfFirst(request: WireRequest, answer: WireAnswer): boolean {
  return !isReading(request) && answer.kind === 'answered' && [404, 409, 410, 412].includes(answer.status);
}

const UNKNOWN: WireAnswer = {
  kind: 'unanswered',
  reason: 'unavailable',
  detail: 'the target was unavailable while it was asked, and may have carried the request out',
  durationMs: 0,
};

function pathOf({ target }: WireRequest): string {
  return target.split('?', 1)[0] ?? '';
}

const MOST_SERVED = 4;

function noteLast(last: Map<string, WireRequest>, request: WireRequest, most: number): void {
  last.delete(pathOf(request));
  last.set(pathOf(request), request);
  const [oldest] = last.keys();
  if (last.size > most && oldest !== undefined) last.delete(oldest);
}

const MOST_TRIES = 6;

export function sendUntilServed(send: Send, signal: AbortSignal, { now, pause }: Timing = MACHINE_CLOCK): Send {
  let waitedMs = 0;
  return async (request, onPutOff) => {
    for (let round = 0; ; round++) {
      const answer = await send(request, onPutOff);
      if (readUnavailable(answer) === undefined) return answer;
      if (round === MOST_TRIES || waitedMs >= MOST_OUTAGE_MS || signal.aborted) return answer;
      const since = now();
      await pause(FIRST_PAUSE_MS * 2 ** round, signal);
      waitedMs += now() - since;
    }
  };
}

export function followSignal(signal: AbortSignal | undefined): AbortController {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const interrupt = (): void => stop.abort('the run was interrupted');
  signal?.addEventListener('abort', interrupt, { once: true });
  if (signal?.aborted === true) interrupt();
  return stop;
}

export function limitTime(maxTimeMs: number, stop: AbortController, onNote: (note: string) => void) {
  const reason = `the time of the run was over (--max-time ${maxTimeMs / 1000})`;
  let isOver = false;
  const end = (): void => {
    if (stop.signal.aborted) return;
    isOver = true;
    onNote(`the run ended early: ${reason}`);
    stop.abort(reason);
  };
  const timer = setTimeout(end, Math.min(maxTimeMs, LONGEST_TIMER_MS));
  const deadline = performance.now() + maxTimeMs;
  return { deadline, isOver: (): boolean => isOver, stop: (): void => clearTimeout(timer) };
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

const MAX_UNANSWERED = 5;
const MOST_ASKED_AGAIN = 3;

/** Gone is what no longer answers what it answered before: requests of one kind without an answer are a defect. */
export function giveUpWhenSilent(send: Send, stop: AbortController, onNote: (note: string) => void) {
  let first: WireRequest | undefined;
  const last = new Map<string, WireRequest>();
  let silent = 0;
  let why: string | undefined;
  let asking: Promise<boolean> | undefined;
  const listen: Send = async (request, onPutOff) => {
    const answer = await send(request, onPutOff);
    if (!isReading(request) || answer.kind !== 'answered' || answer.cutOff !== undefined) return answer;
    first ??= request;
    noteLast(last, request, MOST_ASKED_AGAIN);
    return answer;
  };
  const answersStill = async (): Promise<boolean> => {
    const known = new Set([...(first === undefined ? [] : [first]), ...last.values()]);
    const again = [...known].map((request) => send({ ...request, alone: true }));
    return (await Promise.all(again)).some(({ kind }) => kind === 'answered');
  };
  const checkSilence = async (answer: Unanswered): Promise<void> => {
    asking ??= answersStill();
    const isThere = await asking;
    asking = undefined;
    if (isThere) silent = 0;
    if (isThere || why !== undefined || stop.signal.aborted) return;
    const none = 'the target stopped responding';
    why = hasBegun(answer) ? `no response of the target was complete: ${answer.detail}` : none;
    const what = `${silent} requests in a row got no complete response`;
    onNote(`the run ended early: ${what}, and neither did requests that had got one before`);
    stop.abort(why);
  };
  return {
    whyLost: (): string | undefined => why,
    listen,
    send: async (request: WireRequest, onPutOff?: Parameters<Send>[1]): Promise<WireAnswer> => {
      const answer = await listen(request, onPutOff);
      // An exchange that the run itself cancelled, or was too busy for, says nothing about the target.
      if (answer.kind === 'unanswered' && ['interrupted', 'starved', 'unavailable'].includes(answer.reason))
        return answer;
      silent = answer.kind === 'answered' ? 0 : silent + 1;
      if (answer.kind === 'unanswered' && silent >= MAX_UNANSWERED) await checkSilence(answer);
      return answer;
    },
  };
}
