import type { Listening } from '../../server/http/listen.js';

/** npm repeats a Ctrl-C that the terminal has already sent; two within this time count as one. */
const SAME_SIGNAL_MS = 50;
/** When a stop takes longer than this, the user wants to know why. */
const PATIENCE_MS = 300;

export interface Stopping {
  /** How long exchanges under way may still take. */
  drainSeconds: number;
  /** Called when a stop takes its time. */
  tell: (message: string) => void;
  /** Called when everything has ended; the process ends after it. */
  lastWords: () => unknown;
}

/**
 * The first signal stops accepting and gives exchanges under way some time; a second one cuts them off. Ends the
 * process with 0.
 */
export function stopOnSignals(server: Listening, { drainSeconds, tell, lastWords }: Stopping): void {
  let stoppedAt: number | undefined;
  const stop = (): void => {
    if (stoppedAt !== undefined) {
      if (performance.now() - stoppedAt > SAME_SIGNAL_MS) server.closeNow();
      return;
    }
    stoppedAt = performance.now();
    const waiting = setTimeout(() => {
      const count = server.openConnections;
      tell(
        `stops when ${count} exchange${count === 1 ? ' has' : 's have'} ended, in ${drainSeconds} s at most; a second signal closes ${count === 1 ? 'it' : 'them'} at once.`,
      );
    }, PATIENCE_MS);
    void server.close(drainSeconds).then(async () => {
      clearTimeout(waiting);
      await lastWords();
      process.exit(0);
    });
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
}
