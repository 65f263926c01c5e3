import { setMaxListeners } from 'node:events';
import type { Send } from '../wire/http/send-politely.js';
import { hasBegun, isReading, type Unanswered, type WireAnswer, type WireRequest } from '../model/exchange.js';

const INTERRUPTED = 'the run was interrupted';

/** The controller that ends a run; it follows the caller's signal. */
export function followSignal(signal: AbortSignal | undefined): AbortController {
  const stop = new AbortController();
  // Each exchange under way adds a listener.
  setMaxListeners(0, stop.signal);
  signal?.addEventListener('abort', () => stop.abort(INTERRUPTED), { once: true });
  if (signal?.aborted === true) stop.abort(INTERRUPTED);
  return stop;
}

/** Ends a run when its time is over, whatever it is waiting for. */
export function limitTime(
  maxTimeMs: number,
  stop: AbortController,
  onNote: (note: string) => void,
): { deadline: number; isOver: () => boolean; stop: () => void } {
  const reason = `the time of the run was over (--max-time ${maxTimeMs / 1000})`;
  let isOver = false;
  const timer = setTimeout(
    () => {
      if (stop.signal.aborted) return;
      isOver = true;
      onNote(`the run ended early: ${reason}`);
      stop.abort(reason);
    },
    Math.min(maxTimeMs, LONGEST_TIMER_MS),
  );
  return { deadline: performance.now() + maxTimeMs, isOver: () => isOver, stop: () => clearTimeout(timer) };
}

/** The longest delay of Node's timers. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** After this many requests in a row without an answer, what was answered before is asked again. */
const MAX_UNANSWERED = 5;

/** How many requests that were answered last are asked again, beside the first. */
const MOST_ASKED_AGAIN = 3;

/** What tells a target that has gone from one that answers some requests badly. */
interface Watch {
  /** Sends, and ends the run once nothing is answered any more. */
  send: Send;
  /** Sends, and notes what was answered: for the first look. */
  listen: Send;
  whyLost: () => string | undefined;
}

/**
 * Ends a run against a target that has gone, instead of waiting out a timeout for every scenario. Gone is what no longer
 * answers what it answered before: requests of one kind that get no answer are a defect of the target.
 */
export function giveUpWhenSilent(send: Send, stop: AbortController, onNote: (note: string) => void): Watch {
  const known = createKnown();
  let silent = 0;
  let why: string | undefined;
  let asking: Promise<boolean> | undefined;
  const listen: Send = async (request, onPutOff) => {
    const answer = await send(request, onPutOff);
    known.note(request, answer);
    return answer;
  };
  const answersStill = async (): Promise<boolean> => {
    const again = known.list().map((request) => send({ ...request, alone: true }));
    return (await Promise.all(again)).some(({ kind }) => kind === 'answered');
  };
  const judgeSilence = async (answer: Unanswered): Promise<void> => {
    asking ??= answersStill();
    const isThere = await asking;
    asking = undefined;
    if (isThere) silent = 0;
    if (isThere || why !== undefined || stop.signal.aborted) return;
    why = hasBegun(answer)
      ? `no response of the target was complete: ${answer.detail}`
      : 'the target stopped responding';
    onNote(
      `the run ended early: ${silent} requests in a row got no complete response, and neither did requests that had got one before`,
    );
    stop.abort(why);
  };
  return {
    whyLost: () => why,
    listen,
    send: async (request, onPutOff) => {
      const answer = await listen(request, onPutOff);
      // An exchange that the run itself cancelled, or was too busy for, says nothing about the target.
      if (answer.kind === 'unanswered' && ['interrupted', 'starved', 'unavailable'].includes(answer.reason))
        return answer;
      if (answer.kind === 'answered') {
        silent = 0;
        return answer;
      }
      silent += 1;
      if (silent >= MAX_UNANSWERED) await judgeSilence(answer);
      return answer;
    },
  };
}

/** The requests that may be sent again and were answered whole: the first, and the last of different paths. */
function createKnown(): { note: (request: WireRequest, answer: WireAnswer) => void; list: () => WireRequest[] } {
  let first: WireRequest | undefined;
  const last = new Map<string, WireRequest>();
  return {
    note(request, answer) {
      if (!isReading(request) || answer.kind !== 'answered' || answer.cutOff !== undefined) return;
      first ??= request;
      const [path = ''] = request.target.split('?', 1);
      last.delete(path);
      last.set(path, request);
      const [oldest] = last.keys();
      if (last.size > MOST_ASKED_AGAIN && oldest !== undefined) last.delete(oldest);
    },
    list: () => [...new Set([...(first === undefined ? [] : [first]), ...last.values()])],
  };
}
