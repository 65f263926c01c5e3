// Not the global one: tests put fake timers in its place, and the mock is to answer all the same.
import { setImmediate } from 'node:timers';

type Callback = () => void;

let answers: Callback[] = [];
let others: Callback[] = [];

/**
 * Calls back at the end of the turn of the event loop that is in progress, in
 * the order of the calls. Answers that leave one behind the other cost much
 * less than answers with work between them, each of which wakes a client that has gone
 * to sleep since. Nobody waits for more than the requests of the same turn.
 */
export function atEndOfTurn(answer: Callback): void {
  schedule();
  answers.push(answer);
}

/** Calls back when all answers of the turn are out, for what no client waits for. */
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

/** What one cannot do is no concern of the others; it is thrown behind them all, so that a bug stays loud. */
function callAlone(callback: Callback): void {
  try {
    callback();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
