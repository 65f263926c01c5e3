import { setMaxListeners } from 'node:events';
import type { Send } from '../http/send-politely.js';
import { hasBegun } from '../http/wire.js';

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

/** After this many requests in a row without an answer, the target is taken to be gone. */
const MAX_UNANSWERED = 5;

/** Ends a run against a target that has gone, instead of waiting out a timeout for every scenario. */
export function giveUpWhenSilent(
  send: Send,
  stop: AbortController,
  onNote: (note: string) => void,
): { send: Send; whyLost: () => string | undefined } {
  let silent = 0;
  let why: string | undefined;
  return {
    whyLost: () => why,
    send: async (request, onPutOff) => {
      const answer = await send(request, onPutOff);
      // An exchange that the run itself cancelled says nothing about the target.
      if (answer.kind === 'unanswered' && answer.reason === 'interrupted') return answer;
      if (answer.kind === 'answered') {
        silent = 0;
        return answer;
      }
      silent += 1;
      if (silent < MAX_UNANSWERED || why !== undefined) return answer;
      why = hasBegun(answer) ? `no answer of the target came whole: ${answer.detail}` : 'the target stopped answering';
      onNote(`the run ended early: ${silent} requests in a row got no complete answer`);
      stop.abort(why);
      return answer;
    },
  };
}
