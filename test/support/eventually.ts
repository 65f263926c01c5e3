import { vi } from 'vitest';

/** Waits for what another process does, as long as a busy machine may take for it; the time limit of the test is longer. */
export const eventually = <Value>(attempt: () => Value | Promise<Value>): Promise<Value> =>
  vi.waitFor(attempt, { timeout: 120_000, interval: 50 });
