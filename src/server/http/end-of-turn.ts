// Not the global, which tests may replace by a fake timer: the mock must still answer.
import { setImmediate } from 'node:timers';

type Callback = () => void;

let answers: Callback[] = [];
let others: Callback[] = [];

/**
 * Calls back at the end of the current turn of the event loop, in
 * the order of the calls. Sending answers together costs much
 * less than sending them with work in between, since each answer then wakes a client that
 * has gone to sleep. A client waits at most for the other requests of the turn.
 */
export function atEndOfTurn(answer: Callback): void {
  schedule();
  answers.push(answer);
}

/** Calls back after all answers of the turn have left, for work for which no client waits. */
export function afterAnswers(callback: Callback): void {
  schedule();
  others.push(callback);
}

function schedule(): void {
  if (answers.length === 0 && others.length === 0) setImmediate(callAll);
}

function callAll(): void {
  const due = [answers, others];
  [answers, others] = [[], []];
  for (const callbacks of due) for (const callback of callbacks) callAlone(callback);
}

/** A failing callback does not affect the others; its error is thrown after them, so that the bug is not hidden. */
function callAlone(callback: Callback): void {
  try {
    callback();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
