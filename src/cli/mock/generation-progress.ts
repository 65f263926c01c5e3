import type { Progress } from '../../mock/fixtures/in-steps.js';

/** Who starts with a few thousand pets need not read of it. */
const EVERY_MS = 1000;

/** Tells once a second how far a long generation is. */
export function createProgressTeller(tell: (message: string) => void, now: () => number): (progress: Progress) => void {
  let last = now();
  return ({ made, total }) => {
    if (now() - last < EVERY_MS) return;
    last = now();
    tell(`generated ${made} of ${total} pets; press Ctrl-C to stop.`);
  };
}
