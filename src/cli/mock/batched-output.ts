import { afterAnswers } from '../../server/http/end-of-turn.js';

/** Lines on their way to an output, in the order in which they came. */
export interface BatchedOutput {
  add(line: string): void;
  /** Writes all pending lines now. */
  flush(): void;
}

/**
 * Collects the lines of one turn of the event loop and writes them together: a
 * write for each exchange takes longer than the exchange. The answers of the turn
 * leave first.
 */
export function createBatchedOutput(write: (text: string) => void): BatchedOutput {
  let waiting = '';
  const flush = (): void => {
    if (waiting === '') return;
    const text = waiting;
    waiting = '';
    write(text);
  };
  return {
    add(line) {
      if (waiting === '') afterAnswers(flush);
      waiting += `${line}\n`;
    },
    flush,
  };
}
