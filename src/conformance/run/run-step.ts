import { printJson } from '../../contract/document/json.js';
import { keyOfJson } from '../../contract/document/same-json.js';
import type { Contract } from '../../contract/contract.js';
import { isRecord } from '../judge/shown.js';
import { followPointer } from '../model/follow-pointer.js';
import { UnknownCredentials } from '../wire/request/choose-keys.js';
import { swapCase, UnchangedCredentials } from '../wire/request/present-key.js';
import { UnfitKey } from '../wire/request/unfit-key.js';
import { isToBeRefused, sendsPost } from '../language/check-step.js';
import type { Scenario, Step } from '../model/scenario.js';
import { readSubjects, type Subject } from '../subjects/subject.js';
import { fillTemplate, UnresolvedReference, type Scope } from '../wire/request/template.js';
import { describeRun } from './describe-run.js';
import { hasOpenFinding } from './judge-scenario.js';
import { countWanted } from './creates.js';
import { findEnd, type ScenarioProgress, type Stop } from './progress.js';
import { UnmetRequirement } from './check-requirement.js';
import { runExchange, type StepOutcome } from './run-exchange.js';
import { describeStop, type Run, type ScenarioRun } from './run.js';
import { searchNames } from './series/search-limit.js';
import { announcesMore, listBeyond, readNextQuery, readPage, turnPage } from '../judge/page-end.js';
import type { AskedPage, PageWalk } from '../model/page-walk.js';
import type { RecordsRule } from '../model/record-rules.js';
import { readTotal } from '../judge/list-total.js';
import { isAllFound } from '../judge/whole-list.js';
import { Literal } from '../model/literal.js';

/** Runs a step, once or for each item, and replaces what an earlier attempt at it left. */
export async function runStep(
  step: Step,
  scenario: Scenario,
  progress: ScenarioProgress,
  run: ScenarioRun,
): Promise<void> {
  const outcomes: StepOutcome[] = [];
  progress.outcomes.set(step.id, outcomes);
  const { id, asks = readGiven(step, scenario, run) } = step;
  progress.steps.set(id, { id, ...(asks === undefined ? {} : { asks }), exchanges: [] });
  try {
    const { apiKey, credentials } = run.prepareOptions.keys;
    if (step.auth === 'otherCase' && [apiKey, ...Object.values(credentials)].every((key) => swapCase(key) === key)) {
      progress.stopped = { verdict: 'skipped', reason: 'the API key has no letters whose case could be swapped' };
      return;
    }
    const scope = createScope(scenario, progress, run, undefined);
    const before = progress.failed.get(step.id);
    progress.failed.set(step.id, new Set());
    if (step.atOnce !== undefined) {
      // One scope, so that all requests are equal.
      const sent = Array.from({ length: step.atOnce }, () => runWithinBudget(step, scope, run));
      for (const outcome of await Promise.all(sent)) keepOutcome(step, { item: undefined, outcome }, progress, run);
      return;
    }
    for (const item of chooseItems(step, { scope, before, outcomes }, run)) {
      if (run.signal.aborted) {
        progress.stopped = { verdict: 'inconclusive', reason: describeStop(run) };
        return;
      }
      const asked = fitToPage(step, item);
      const outcome = await runWithinBudget(asked, createScope(scenario, progress, run, item), run);
      if (!keepOutcome(step, { item, outcome }, progress, run)) return;
      // If one create fails, repeating it is pointless; each refusal is tried by itself.
      const isCreate = sendsPost(step, run.contract.operations) && !isToBeRefused(step);
      if (step.each !== undefined && outcome?.usable === false && isCreate) break;
    }
    if (outcomes.length === 0 && before === undefined) progress.stopped = describeNothing(step);
  } catch (error) {
    progress.stopped = describeStopped(error, step, run);
  }
}

/** Of the shipped scenarios, none has the key of a record in its file. */
function readGiven({ operationId, parameters }: Step, { isShipped }: Scenario, { contract }: Run): Step['asks'] {
  const asked = contract.operations.find(({ id }) => id === operationId);
  const key = asked?.parameters.findLast((each) => each.in === 'path')?.name;
  const given = key === undefined ? undefined : parameters[key];
  return isShipped || given === undefined || printJson(given).startsWith('"$') ? undefined : 'given';
}

/** Why a step could not be sent; what is no such reason is thrown again. */
function describeStopped(error: unknown, step: Step, { contract }: Run): Stop {
  if (error instanceof UnmetRequirement && !error.isOfAnswer) return { verdict: 'skipped', reason: error.message };
  if (error instanceof UnchangedCredentials) return { verdict: 'skipped', reason: error.message };
  if (error instanceof UnknownCredentials && error.isOfAlternative)
    return { verdict: 'skipped', reason: error.message };
  if (error instanceof UnknownCredentials || error instanceof UnfitKey)
    return { verdict: 'inconclusive', reason: error.message };
  if (!(error instanceof UnresolvedReference || error instanceof UnmetRequirement)) throw error;
  if (error instanceof UnresolvedReference && /^\$run\.(?:next|following|alias)Keys/.test(error.reference))
    return { verdict: 'skipped', reason: error.reference.startsWith('$run.nextKeys') ? NOT_MADE_UP : NOT_COUNTED };
  const why = error instanceof UnmetRequirement ? error.message : describeUnresolved(error, step, contract);
  const reason = `step ${step.id}: ${why}`;
  return { verdict: 'inconclusive', reason, isUnresolved: true };
}

const NOT_COUNTED = 'the target does not number its records one by one, as far as the run has seen';

const NOT_MADE_UP =
  'a large generated key could change the keys of all later records, since the target does not number its records one by one, as far as the run has seen';

interface Items {
  scope: Scope;
  before: ReadonlySet<unknown> | undefined;
  outcomes: readonly StepOutcome[];
}

function chooseItems(step: Step, { scope, before, outcomes }: Items, run: Run): Iterable<unknown> {
  if (step.search !== undefined) return searchNames(step.search, outcomes, run);
  return step.pages === undefined ? listItems(step, scope, before) : walkPages(step, scope, outcomes);
}

/** What would have to be there, for what most often is not. */
function describeUnresolved(
  { reference, message }: UnresolvedReference,
  { operationId }: Step,
  contract: Contract,
): string {
  if (/^\$scenarios\..*\.outputs\.sent$/.test(reference))
    return 'needs a record that no earlier request has changed: invalid changes were accepted, and the run creates no more in its place';
  if (!reference.endsWith('.outputs.key')) return message;
  const isIts = ({ roles }: Subject): boolean => Object.values(roles).some((each) => each.operation.id === operationId);
  const subject = readSubjects(contract).find(isIts);
  const named = subject === undefined ? '' : ` (\`${subject.resource.key.property}\`)`;
  if (subject?.roles.list !== undefined && subject.roles.create === undefined)
    return `it needs a list whose records have their key${named}`;
  return `it needs a response to the create that has the key of the record${named}, in its body or in Location`;
}

/** `false` when the step must not go on. */
function keepOutcome(
  step: Step,
  { item, outcome }: { item: unknown; outcome: StepOutcome | undefined },
  progress: ScenarioProgress,
  run: Run,
): boolean {
  if (outcome === undefined) {
    progress.stopped = {
      verdict: 'inconclusive',
      reason: `the run has reached its limit of created records; raise it with --max-creates ${countWanted(run)}`,
    };
    return false;
  }
  if (outcome.isInterrupted) progress.stopped = findEnd(run);
  noteLength(step, outcome, run);
  const outcomes = progress.outcomes.get(step.id);
  outcomes?.push(outcome);
  if (outcome.unmet !== undefined || hasOpenFinding(outcome)) progress.failed.get(step.id)?.add(identify(item));
  const answers = (outcomes ?? []).map(({ record }) => record.response);
  const responses = answers.filter(({ status }) => status >= 200 && status < 300).map(({ body }) => body);
  progress.records[step.id] = { ...outcome.record, responses };
  progress.steps.get(step.id)?.exchanges.push(...outcome.putOff, outcome.exchange);
  return true;
}

function noteLength(
  { operationId, expect, pages }: Step,
  { record: { response } }: StepOutcome,
  { ledger: { learned } }: Run,
): void {
  const at = expect?.records?.at ?? pages?.at;
  const list = at === undefined || response.status > 299 ? undefined : followPointer(response.body, at);
  if (operationId === undefined || !Array.isArray(list)) return;
  // A list is not cut at a length that another response exceeds.
  learned.longest.set(operationId, Math.max(list.length, learned.longest.get(operationId) ?? 0));
}

/** `undefined` if the exchange might create more records than the run may. */
async function runWithinBudget(step: Step, scope: Scope, run: ScenarioRun): Promise<StepOutcome | undefined> {
  if (!sendsPost(step, run.contract.operations)) return runExchange(step, scope, run);
  const budget = isToBeRefused(step) ? run.wrongCreates : run.creates;
  if (!(await budget.reserve())) return undefined;
  try {
    return await runExchange(step, scope, run);
  } finally {
    budget.release();
  }
}

/**
 * The items that a step runs for: one without `each`, otherwise up to `atMost` of the list,
 * spread evenly, with both ends. If the step runs again: those that failed
 * (or all, if none did) and are still in the list, since others may have removed a record.
 */
function listItems(step: Step, scope: Scope, again: ReadonlySet<unknown> | undefined): unknown[] {
  if (step.each === undefined) return [undefined];
  const all = fillTemplate(step.each.in, scope);
  if (!Array.isArray(all)) return [];
  const isAgain = again !== undefined && again.size > 0;
  const list = isAgain ? all.filter((item) => again.has(identify(item))) : all;
  const count = Math.min(step.each.atMost, list.length);
  if (count <= 1) return list.slice(0, count);
  return Array.from(
    { length: count },
    (_, index) => list[Math.round((index * (list.length - 1)) / (count - 1))] as unknown,
  );
}

/** Why a step had no items. */
function describeNothing({ id, pages }: Step): Stop {
  if (pages?.from !== undefined)
    return {
      verdict: 'inconclusive',
      reason: 'it needs more records than one page holds; give some in a file (--records)',
    };
  return { verdict: 'inconclusive', reason: `step ${id} had nothing to check` };
}

/** Identifies an item across rounds. */
function identify(item: unknown): unknown {
  return keyOfJson(isRecord(item) ? item['id'] : item);
}

function createScope(scenario: Scenario, progress: ScenarioProgress, run: Run, each: unknown): Scope {
  let unique: string | undefined;
  return {
    case: scenario.case,
    each,
    steps: progress.records,
    outputsOf: (id) => run.outputs.get(id),
    request: undefined,
    response: undefined,
    unique: () => (unique ??= run.ledger.texts.nextName()),
    contract: run.contract.document.root,
    run: describeRun(run),
  };
}

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
function fitToPage(step: Step, item: unknown): Step {
  if (step.pages === undefined) return step;
  const page = item as AskedPage;
  const { link } = page;
  const asked = link === undefined ? step : { ...step, query: new Literal(link) };
  const { status } = step.expect ?? {};
  const beyond = listBeyond(page);
  if (beyond.length === 0 || status === undefined) return asked;
  return { ...asked, expect: { ...step.expect, status: [...[status].flat(), ...beyond] } };
}
