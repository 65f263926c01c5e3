import type { Timing } from '../../../src/conformance/http/send-politely.js';

/** A clock that stands at 0, and jumps to the end of the next wait once nothing else is left to do. */
export function createTestClock(): Timing & { pause: (ms: number, signal?: AbortSignal) => Promise<void> } {
  let now = 0;
  const waits: { until: number; end: () => void }[] = [];
  const jump = (): void => {
    waits.sort((one, other) => one.until - other.until);
    const next = waits.shift();
    if (next === undefined) return;
    now = Math.max(now, next.until);
    next.end();
  };
  return {
    now: () => now,
    pause: (ms, signal) => {
      if (signal?.aborted === true) return Promise.resolve();
      return new Promise((end) => {
        waits.push({ until: now + ms, end });
        setImmediate(jump);
      });
    },
  };
}
