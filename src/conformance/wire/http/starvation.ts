// Whether this process itself was blocked while it waited for a response: then a timeout says nothing about the target.
import type { WireAnswer } from '../../model/exchange.js';

/** How often the event loop is looked at, in milliseconds. */
const RESOLUTION_MS = 50;

/** How a response is waited for: with it, whether the event loop was blocked meanwhile so long that it may have been missed. */
export type LoopWatch = (send: () => Promise<WireAnswer>) => Promise<{ answer: WireAnswer; isStarved: boolean }>;

/**
 * Sends, and notes the longest time without a turn of the event loop until the response is there. Only what did not come whole
 * can have been missed. (`monitorEventLoopDelay` sees no delay before its own first turn, and a request may fail before that.)
 */
export const sendWatched: LoopWatch = async (send) => {
  const started = performance.now();
  let turned = started;
  let blockedMs = 0;
  const turn = (): void => {
    blockedMs = Math.max(blockedMs, performance.now() - turned);
    turned = performance.now();
  };
  const timer = setInterval(turn, RESOLUTION_MS).unref();
  try {
    const answer = await send();
    turn();
    return { answer, isStarved: isIncomplete(answer) && isStarved({ blockedMs, lastedMs: turned - started }) };
  } finally {
    clearInterval(timer);
  }
};

/** A quarter of a second and a fifth of the exchange, in one piece: what is shorter is no reason for a timeout. */
export function isStarved({ blockedMs, lastedMs }: { blockedMs: number; lastedMs: number }): boolean {
  return blockedMs >= 250 && blockedMs >= lastedMs / 5;
}

function isIncomplete(answer: WireAnswer): boolean {
  if (answer.kind === 'answered') return answer.cutOff !== undefined;
  return ['timeout', 'dropped', 'incomplete'].includes(answer.reason);
}
