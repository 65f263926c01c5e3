import { followPointer } from '../../checks/record-like.js';
import { turnPage } from '../../checks/page-end.js';
import type { AskedPage, PageWalk } from '../../checks/page-walk.js';
import type { StepOutcome } from '../run-exchange.js';

/** The pages of a list, each asked for by what the answer to the one before it says. */
export function* walkPages(walk: PageWalk, outcomes: readonly StepOutcome[]): Generator<AskedPage> {
  const before: unknown[] = [];
  let turn: unknown = null;
  for (let number = 1; number <= walk.atMost && turn !== undefined; number++) {
    const page: AskedPage = { turn, before: [...before], isLast: number === walk.atMost, walk };
    yield page;
    const answer = outcomes.at(-1)?.record.response;
    if (answer === undefined || answer.status < 200 || answer.status > 299) return;
    turn = turnPage(answer.body, page);
    const list = followPointer(answer.body, walk.at);
    if (Array.isArray(list)) before.push(...(list as unknown[]));
  }
}
