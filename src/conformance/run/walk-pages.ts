import { followPointer } from '../checks/record-like.js';
import { turnPage } from '../checks/page-end.js';
import type { AskedPage, PageWalk } from '../scenarios/scenario.js';
import type { StepOutcome } from './run-exchange.js';

/** The pages of a list, each asked for by what the answer to the one before it says. */
export function* walkPages(walk: PageWalk, outcomes: readonly StepOutcome[]): Generator<AskedPage> {
  let page: AskedPage = { turn: null, before: [], isLast: walk.atMost <= 1, walk };
  for (let number = 1; number <= walk.atMost; number++) {
    yield page;
    const answer = outcomes.at(-1)?.record.response;
    if (answer === undefined || answer.status < 200 || answer.status > 299) return;
    const turn = turnPage(answer.body, page);
    if (turn === undefined) return;
    const list = followPointer(answer.body, walk.at);
    page = {
      ...page,
      turn,
      before: [...page.before, ...(Array.isArray(list) ? (list as unknown[]) : [])],
      isLast: number + 1 >= walk.atMost,
    };
  }
}
