import type { WorkProgress } from '../../mock/fixtures/in-steps.js';

/** Generating fewer pets than this is not worth a message. */
const EVERY_MS = 1000;

/** Reports the progress of a long generation once a second. */
export function createProgressTeller(
  tell: (message: string) => void,
  now: () => number,
): (progress: WorkProgress) => void {
  let last = now();
  return ({ made, total }) => {
    if (now() - last < EVERY_MS) return;
    last = now();
    tell(`generated ${made} of ${total} pets; press Ctrl-C to stop.`);
  };
}
