import { keyOfJson } from '../../contract/document/same-json.js';
import { isPet } from '../checks/pets.js';
import { sendsPost } from '../scenarios/check-step.js';
import type { BasisResult, ScenarioResult, StepResult, Verdict } from '../result.js';
import { describeRun } from './describe-run.js';
import { describeStop, type Run } from './run.js';
import { concludeSearch, searchNames } from './search-limit.js';
import { runExchange, UnmetRequirement, type StepOutcome } from './run-step.js';
import type { Scenario, Step } from '../scenarios/scenario.js';
import { describeChoice } from '../gaps/worth-a-look.js';
import { settleDoubts } from './look-again.js';
import { pause } from '../http/send-politely.js';
import { swapCase } from './prepare-request.js';
import { nextName } from '../checks/target-memory.js';
import { letGoOfBodies } from './let-go.js';
import { fillTemplate, UnresolvedReference, type Scope, type StepRecord } from '../scenarios/template.js';

/** A scenario's result, and whether others may build on it. */
export interface ScenarioOutcome {
  result: ScenarioResult;
  /** Whether every step had an answer that can be built on. */
  usable: boolean;
}

/** What is known while a scenario runs. */
interface Progress {
  steps: Map<string, StepResult>;
  records: Record<string, StepRecord>;
  outcomes: Map<string, StepOutcome[]>;
  /** The items of a step with `each` that did not hold when it ran last. */
  failed: Map<string, Set<unknown>>;
  /** Why nothing more can be concluded. */
  stopped: { verdict: Verdict; reason: string } | undefined;
}

/** How a scenario waits for what settles. */
interface Wait {
  since: number | undefined;
  /** How often something was found that may settle. */
  rounds: number;
  pause: number;
  /** The step that was waited for. */
  step: Step | undefined;
}

const FIRST_SETTLE_PAUSE_MS = 50;
const LONGEST_SETTLE_PAUSE_MS = 400;

export async function runScenario(scenario: Scenario, run: Run): Promise<ScenarioOutcome> {
  const started = performance.now();
  const progress: Progress = {
    steps: new Map(),
    records: {},
    outcomes: new Map(),
    failed: new Map(),
    stopped: undefined,
  };
  await runSteps(scenario, progress, run);
  const outcomes = [...progress.outcomes.values()].flat();
  await settleDoubts(outcomes, run);
  run.outputs.set(scenario.id, Object.assign({}, ...Object.values(progress.records).map(({ outputs }) => outputs)));
  return {
    usable: progress.stopped === undefined && outcomes.every(({ usable }) => usable),
    result: {
      id: scenario.id,
      title: scenario.title,
      basis: locateBasis(scenario, run),
      ...(scenario.gap === undefined ? {} : { aboutGap: scenario.gap }),
      ...judge(scenario, outcomes, progress, run),
      durationMs: performance.now() - started,
      steps: [...progress.steps.values()],
    },
  };
}

/** The result of a scenario that was not run. */
export function leaveOut(scenario: Scenario, run: Run, verdict: Verdict, reason: string): ScenarioOutcome {
  const { id, title, gap } = scenario;
  const aboutGap = gap === undefined ? {} : { aboutGap: gap };
  const basis = locateBasis(scenario, run);
  return {
    usable: false,
    result: { id, title, basis, ...aboutGap, verdict, reason, durationMs: 0, steps: [] },
  };
}

async function runSteps(scenario: Scenario, progress: Progress, run: Run): Promise<void> {
  const wait: Wait = { since: undefined, rounds: 0, pause: FIRST_SETTLE_PAUSE_MS, step: undefined };
  for (let index = 0; index < scenario.steps.length; index++) {
    const step = scenario.steps[index] as Step;
    await runStep(step, scenario, progress, run);
    const outcomes = progress.outcomes.get(step.id) ?? [];
    letGoOfBodies(step.id, progress, scenario);
    if (step.retryFrom !== undefined && maySettle(outcomes, run) && progress.stopped === undefined) {
      wait.since ??= performance.now();
      wait.step = step;
      wait.rounds += 1;
      if (mayGoOn(step, wait, run) && !run.signal.aborted) {
        await pause(wait.pause, run.signal);
        wait.pause = Math.min(wait.pause * 2, LONGEST_SETTLE_PAUSE_MS);
        index = scenario.steps.findIndex(({ id }) => id === step.retryFrom) - 1;
        continue;
      }
    } else if (wait.step === step && wait.since !== undefined && step.rounds === undefined) {
      run.patience.settled(performance.now() - wait.since);
    }
    const unmet = outcomes.find((outcome) => outcome.unmet !== undefined)?.unmet;
    if (unmet !== undefined) {
      progress.stopped ??= { verdict: unmet.verdict ?? 'inconclusive', reason: unmet.otherwise };
    }
    // Later steps build on this one.
    if (progress.stopped !== undefined || outcomes.some(({ usable }) => !usable)) return;
  }
}

/** Where rounds are counted, each must find something for it to be the target's doing; else it is a matter of time. */
function mayGoOn({ rounds }: Step, wait: Wait, run: Run): boolean {
  return rounds === undefined ? run.patience.allows(wait.since ?? 0, wait.pause) : wait.rounds < rounds;
}

/** Whether waiting may mend a step: something was found, and nothing that waiting cannot mend. */
function maySettle(outcomes: readonly StepOutcome[], { memory }: Run): boolean {
  const failing = outcomes.filter((outcome) => outcome.unmet !== undefined || hasOpenFinding(outcome));
  // Of a run that created nothing, nothing is on its way that could meet an assumption.
  const isOnItsWay = memory.created.length > 0 || failing.some(hasOpenFinding);
  return isOnItsWay && failing.length > 0 && failing.every((outcome) => outcome.maySettle);
}

/** Runs a step, once or for each item, and replaces what an earlier attempt at it left. */
async function runStep(step: Step, scenario: Scenario, progress: Progress, run: Run): Promise<void> {
  const outcomes: StepOutcome[] = [];
  progress.outcomes.set(step.id, outcomes);
  progress.steps.set(step.id, { id: step.id, exchanges: [] });
  try {
    if (step.auth === 'otherCase' && swapCase(run.prepareOptions.apiKey) === run.prepareOptions.apiKey) {
      progress.stopped = { verdict: 'skipped', reason: 'the API key has no letters whose case could be swapped' };
      return;
    }
    const scope = createScope(scenario, progress, run, undefined);
    const before = progress.failed.get(step.id);
    progress.failed.set(step.id, new Set());
    if (step.atOnce !== undefined) {
      // One scope, so that all of them are equal.
      const sent = Array.from({ length: step.atOnce }, () => runWithinBudget(step, scope, run));
      for (const outcome of await Promise.all(sent)) keepOutcome(step, { item: undefined, outcome }, progress, run);
      return;
    }
    const items =
      step.search === undefined ? listItems(step, scope, before).values() : searchNames(step.search, outcomes, run);
    for (const item of items) {
      if (run.signal.aborted) {
        progress.stopped = { verdict: 'inconclusive', reason: describeStop(run) };
        return;
      }
      const outcome = await runWithinBudget(step, createScope(scenario, progress, run, item), run);
      if (!keepOutcome(step, { item, outcome }, progress, run)) return;
      // What cannot be created cannot be created again and again.
      if (step.each !== undefined && outcome?.usable === false && sendsPost(step, run.contract.operations)) break;
    }
    if (outcomes.length === 0 && before === undefined) progress.stopped = describeNothing(step);
  } catch (error) {
    if (error instanceof UnmetRequirement) {
      progress.stopped = { verdict: 'skipped', reason: error.message };
      return;
    }
    if (!(error instanceof UnresolvedReference)) throw error;
    progress.stopped = { verdict: 'inconclusive', reason: `step ${step.id}: ${error.message}` };
  }
}

/** `false` when the step must not go on. */
function keepOutcome(
  step: Step,
  { item, outcome }: { item: unknown; outcome: StepOutcome | undefined },
  progress: Progress,
  run: Run,
): boolean {
  if (outcome === undefined) {
    progress.stopped = {
      verdict: 'inconclusive',
      reason: 'the run has created all the pets it may; raise --max-creates',
    };
    return false;
  }
  if (outcome.isInterrupted) progress.stopped = { verdict: 'inconclusive', reason: describeStop(run) };
  const outcomes = progress.outcomes.get(step.id);
  outcomes?.push(outcome);
  if (outcome.unmet !== undefined || hasOpenFinding(outcome)) progress.failed.get(step.id)?.add(identify(item));
  const answers = (outcomes ?? []).map(({ record }) => record.response);
  const responses = answers.filter(({ status }) => status >= 200 && status < 300).map(({ body }) => body);
  progress.records[step.id] = { ...outcome.record, responses };
  progress.steps.get(step.id)?.exchanges.push(...outcome.putOff, outcome.exchange);
  return true;
}

/** `undefined` when the exchange could create a pet more than the run may. */
async function runWithinBudget(step: Step, scope: Scope, run: Run): Promise<StepOutcome | undefined> {
  if (!sendsPost(step, run.contract.operations)) return runExchange(step, scope, run);
  if (!(await run.creates.reserve())) return undefined;
  try {
    return await runExchange(step, scope, run);
  } finally {
    run.creates.release();
  }
}

/**
 * The items that a step runs for: one without `each`, else so many of the list,
 * spread evenly, with both ends. When the step runs again, those that did not
 * hold (all, where all of them did), as far as the list still has them: others may have removed a pet.
 */
function listItems(step: Step, scope: Scope, again: ReadonlySet<unknown> | undefined): unknown[] {
  if (step.each === undefined) return [undefined];
  const all = fillTemplate(step.each.in, scope);
  if (!Array.isArray(all)) return [];
  const most = step.each.below === undefined ? Number.POSITIVE_INFINITY : Number(fillTemplate(step.each.below, scope));
  const isAgain = again !== undefined && again.size > 0;
  const wanted = isAgain ? all.filter((item) => again.has(identify(item))) : all;
  const list = step.each.below === undefined ? wanted : wanted.filter((item) => Number(item) < most);
  const count = Math.min(step.each.atMost, list.length);
  if (count <= 1) return list.slice(0, count);
  return Array.from(
    { length: count },
    (_, index) => list[Math.round((index * (list.length - 1)) / (count - 1))] as unknown,
  );
}

/** Why a step had nothing to run for. */
function describeNothing({ id, each }: Step): Progress['stopped'] {
  if (each?.in === '$run.lacking')
    return { verdict: 'skipped', reason: '--max-creates allows no further pet that would prove more' };
  return {
    verdict: 'inconclusive',
    reason:
      each?.below === undefined
        ? `step ${id} had nothing to check`
        : `step ${id} needs more pets than the smallest limit that it tries`,
  };
}

/** By what an item is known again. */
function identify(item: unknown): unknown {
  return keyOfJson(isPet(item) ? item['id'] : item);
}

function createScope(scenario: Scenario, progress: Progress, run: Run, each: unknown): Scope {
  let unique: string | undefined;
  return {
    case: scenario.case,
    each,
    steps: progress.records,
    outputsOf: (id) => run.outputs.get(id),
    request: undefined,
    response: undefined,
    unique: () => (unique ??= nextName(run.memory)),
    contract: run.contract.document.root,
    run: describeRun(run),
  };
}

function judge(
  scenario: Scenario,
  outcomes: readonly StepOutcome[],
  { stopped }: Progress,
  run: Run,
): Pick<ScenarioResult, 'verdict' | 'reason' | 'gap'> {
  const search = scenario.steps.find((step) => step.search !== undefined)?.search;
  const found = search === undefined || stopped !== undefined ? undefined : concludeSearch(search, outcomes, run);
  const seen =
    found !== undefined && 'name' in found ? found : outcomes.find(({ choice }) => choice !== undefined)?.choice;
  const noticed = findNoticed(outcomes);
  const gap =
    scenario.gap === undefined || seen === undefined
      ? noticed === undefined
        ? {}
        : { gap: noticed }
      : { gap: { id: scenario.gap, choice: seen.name, evidence: seen.evidence } };
  if (outcomes.some(hasDeviation)) return { verdict: 'deviated', ...gap };
  if (stopped !== undefined) return { verdict: stopped.verdict, reason: stopped.reason, ...gap };
  const needs = outcomes.flatMap((outcome) => outcome.needs);
  if (found !== undefined && 'needs' in found) needs.push(found.needs);
  if (needs.length > 0) return { verdict: 'inconclusive', reason: `needs ${[...new Set(needs)].join('; ')}`, ...gap };
  if (noticed !== undefined) return { verdict: 'observed', ...gap };
  if (scenario.gap !== undefined && seen === undefined)
    return { verdict: 'inconclusive', reason: 'no answer showed what the target does' };
  if (outcomes.length === 0) return { verdict: 'inconclusive', reason: 'there was nothing to check' };
  return { verdict: seen === undefined ? 'passed' : 'observed', ...gap };
}

function hasDeviation({ exchange, putOff }: StepOutcome): boolean {
  return [...putOff, exchange].some(({ findings }) => findings.some(({ severity }) => severity === 'deviation'));
}

/** Whether something was found that stays unless it settles. */
function hasOpenFinding(outcome: StepOutcome): boolean {
  return hasDeviation(outcome) || outcome.exchange.findings.some(({ gap }) => gap !== undefined);
}

/** The choice of a gap that findings show. */
function findNoticed(outcomes: readonly StepOutcome[]): ScenarioResult['gap'] {
  const gap = outcomes.flatMap(({ exchange }) => exchange.findings).find((finding) => finding.gap !== undefined)?.gap;
  return gap === undefined ? undefined : { ...gap, evidence: describeChoice(gap) };
}

/** The line of the contract that a scenario rests on, when it names one. */
function locateBasis({ basis }: Scenario, { contract }: Run): BasisResult {
  if (!basis.startsWith('#')) return { text: basis };
  return { text: basis, place: contract.document.placeOf(basis.slice(1)) };
}
