import { announcesMore, listBeyond, readNextQuery, readPage, turnPage } from '../../judge/page-end.js';
import type { AskedPage, PageWalk } from '../../model/page-walk.js';
import type { RecordsRule } from '../../model/record-rules.js';
import { readTotal } from '../../judge/list-total.js';
import { isAllFound } from '../../judge/whole-list.js';
import type { Step } from '../../model/scenario.js';
import { fillTemplate, type Scope } from '../../wire/request/template.js';
import { Literal } from '../../model/literal.js';
import type { StepOutcome } from '../run-exchange.js';

/** The pages of a list, each asked for by what the answer to the one before it says, until what is looked for was found. */
export function* walkPages(step: Step, scope: Scope, outcomes: readonly StepOutcome[]): Generator<AskedPage> {
  const { pages: walk } = step;
  if (walk === undefined) return;
  if (walk.from !== undefined) {
    yield* askForSecond(walk, fillTemplate(walk.from, scope));
    return;
  }
  const rule = step.expect?.records;
  let before: readonly unknown[] = [];
  let lastLength: number | undefined;
  let turn: unknown = null;
  let link: string | undefined;
  let isAnnounced = false;
  const totals: unknown[] = [];
  for (let number = 1; number <= walk.atMost && turn !== undefined; number++) {
    const isLast = number === walk.atMost;
    const page: AskedPage = {
      turn,
      link,
      before,
      lastLength,
      totals: [...totals],
      isAnnounced,
      isLast,
      walk,
    };
    yield page;
    const answer = outcomes.at(-1)?.record.response;
    const read = answer === undefined ? undefined : readPage(answer, page, 0);
    if (answer === undefined || read === undefined) return;
    turn = turnPage(answer, page);
    link = readNextQuery(answer, walk);
    // A million arguments are more than a call may have.
    before = before.concat(read.records);
    isAnnounced = announcesMore(answer, before.length, page);
    lastLength = read.records.length;
    totals.push(readTotal(rule ?? {}, answer));
    if (rule !== undefined && isAllFound(fillHas(rule, scope), before)) return;
  }
}

/** The page after the one that an earlier step saw. */
function* askForSecond(walk: PageWalk, body: unknown): Generator<AskedPage> {
  const page: AskedPage = { turn: null, before: [], isLast: false, walk };
  const turn = turnPage({ status: 200, headers: {}, body }, page);
  if (turn !== undefined) yield { ...page, turn, isLast: true };
}

function fillHas(rule: RecordsRule, scope: Scope): RecordsRule {
  const has = fillTemplate(
    rule.has?.map(({ key }) => ({ key })),
    scope,
  ) as { key: unknown }[] | undefined;
  return has === undefined ? rule : { ...rule, has };
}

/** The step for one page: by the link to it, if there is one. A page that may be beyond the last may be refused. */
export function fitToPage(step: Step, item: unknown): Step {
  if (step.pages === undefined) return step;
  const page = item as AskedPage;
  const { link } = page;
  const asked = link === undefined ? step : { ...step, query: new Literal(link) };
  const { status } = step.expect ?? {};
  const beyond = listBeyond(page);
  if (beyond.length === 0 || status === undefined) return asked;
  return { ...asked, expect: { ...step.expect, status: [...[status].flat(), ...beyond] } };
}
