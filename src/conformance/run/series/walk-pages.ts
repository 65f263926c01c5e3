import { readPage, turnPage } from '../../checks/page-end.js';
import type { AskedPage, PageWalk } from '../../checks/page-walk.js';
import type { Step } from '../../scenarios/scenario.js';
import type { StepOutcome } from '../run-exchange.js';

/** The pages of a list, each asked for by what the answer to the one before it says. */
export function* walkPages(walk: PageWalk, outcomes: readonly StepOutcome[]): Generator<AskedPage> {
  const before: unknown[] = [];
  let lastLength: number | undefined;
  let turn: unknown = null;
  for (let number = 1; number <= walk.atMost && turn !== undefined; number++) {
    const page: AskedPage = { turn, before: [...before], lastLength, isLast: number === walk.atMost, walk };
    yield page;
    const answer = outcomes.at(-1)?.record.response;
    const read = answer === undefined ? undefined : readPage(answer, page, 0);
    if (answer === undefined || read === undefined) return;
    turn = turnPage(answer, page);
    before.push(...read.records);
    lastLength = read.records.length;
  }
}

/** A page that may be beyond the last may be refused as the contract says. */
export function allowBeyond(step: Step, item: unknown): Step {
  const { lastLength, walk } = (step.pages === undefined ? {} : item) as Partial<AskedPage>;
  const { status } = step.expect ?? {};
  if (lastLength === undefined || walk?.beyond === undefined || status === undefined) return step;
  return { ...step, expect: { ...step.expect, status: [...[status].flat(), ...walk.beyond] } };
}
