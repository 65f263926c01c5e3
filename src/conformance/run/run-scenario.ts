import { printJson } from '../../contract/document/json.js';
import { pause } from '../wire/http/send-politely.js';
import type { BasisResult, ScenarioResult, Verdict } from '../model/result.js';
import { isToBeRefused, sendsPost } from '../language/check-step.js';
import type { Scenario, Step } from '../model/scenario.js';
import { hasOpenFinding, judgeScenario } from './judge-scenario.js';
import { createProgress, findEnd, type ScenarioProgress, type Stop } from './progress.js';
import type { StepOutcome } from './run-exchange.js';
import { runStep } from './run-step.js';
import type { Run, ScenarioRun } from './run.js';
import { createAsk } from '../wire/request/share-answers.js';
import { readSubjects, type Subject } from '../subjects/subject.js';
import { settleDoubts } from '../confirm/confirm.js';
import { isSuccess } from '../model/wire.js';
import { readOnce } from '../../contract/document/document.js';
import type { StepRecord } from '../wire/request/template.js';

/** A scenario's result, and whether other scenarios can build on it. */
export interface ScenarioOutcome {
  result: ScenarioResult;
  /** Whether every step got an answer that others can build on. */
  usable: boolean;
  /** Whether a record could not be created that should have been. */
  lacksCreated?: boolean;
  /** What was lacking, of a scenario that was not run because of another, or of one that failed and on which others depend. */
  cause?: string | undefined;
}

/** The state of a scenario's waiting. */
interface Wait {
  since: number | undefined;
  /** How many rounds found something that waiting may resolve. */
  rounds: number;
  pause: number;
  /** Whether the round after the last of the time has come. */
  isOver: boolean;
  /** The step that was waited for. */
  step: Step | undefined;
}

const FIRST_SETTLE_PAUSE_MS = 50;
const LONGEST_SETTLE_PAUSE_MS = 1600;

export async function runScenario(scenario: Scenario, run: Run): Promise<ScenarioOutcome> {
  const started = performance.now();
  const progress = createProgress();
  await runSteps(scenario, progress, { ...run, ask: createAsk(run.send, run.shared, scenario) });
  const outcomes = [...progress.outcomes.values()].flat();
  await settleDoubts(outcomes, run);
  const end = findEnd(run);
  if (end !== undefined && withdrawUndecided(outcomes)) progress.stopped = end;
  if (progress.stopped?.isUsedUp === true) run.limit.leftOut.add(scenario);
  run.outputs.set(scenario.id, Object.assign({}, ...Object.values(progress.records).map(({ outputs }) => outputs)));
  return {
    usable: isUsable(scenario, progress, run),
    lacksCreated: scenario.steps.some(
      (step) => creates(step, run) && progress.outcomes.get(step.id)?.some(({ usable }) => !usable) === true,
    ),
    result: {
      id: scenario.id,
      title: scenario.title,
      basis: locateBasis(scenario, run),
      ...tellAbout(scenario, run),
      ...(scenario.gap === undefined ? {} : { aboutGap: scenario.gap }),
      ...judgeScenario(scenario, outcomes, progress, run),
      durationMs: performance.now() - started,
      steps: [...progress.steps.values()],
    },
  };
}

/**
 * Takes back what a run that can send nothing more could not look at again, or wait for: it may be no defect. Returns
 * whether there was any.
 */
function withdrawUndecided(outcomes: readonly StepOutcome[]): boolean {
  const before = countFindings(outcomes);
  for (const { exchange, doubtful, maySettle: isForTime } of outcomes) {
    const open = new Set(doubtful.map(({ finding }) => finding));
    exchange.findings = exchange.findings.filter(
      (finding) => finding.severity !== 'deviation' || !(isForTime || open.has(finding)),
    );
  }
  return countFindings(outcomes) < before;
}

function countFindings(outcomes: readonly StepOutcome[]): number {
  return outcomes.reduce((sum, { exchange }) => sum + exchange.findings.length, 0);
}

/** Whether what others build on is there: what was to be created was; of a scenario that creates nothing, every answer. */
function isUsable({ steps }: Scenario, { stopped, outcomes }: ScenarioProgress, { contract }: Run): boolean {
  if (stopped !== undefined && stopped.isUnresolved !== true) return false;
  const creating = steps.filter((step) => sendsPost(step, contract.operations));
  return (creating.length === 0 ? steps : creating).every(({ id }) => {
    const ended = outcomes.get(id) ?? [];
    return ended.length > 0 && ended.every(({ usable }) => usable);
  });
}

/** The result of a scenario that was not run. */
export function leaveOut(scenario: Scenario, run: Run, verdict: Verdict, reason: string): ScenarioOutcome {
  const { id, title, gap } = scenario;
  const aboutGap = gap === undefined ? {} : { aboutGap: gap };
  const basis = locateBasis(scenario, run);
  return {
    usable: false,
    result: { id, title, basis, ...tellAbout(scenario, run), ...aboutGap, verdict, reason, durationMs: 0, steps: [] },
  };
}

async function runSteps(scenario: Scenario, progress: ScenarioProgress, run: ScenarioRun): Promise<void> {
  const wait: Wait = { since: undefined, rounds: 0, pause: FIRST_SETTLE_PAUSE_MS, isOver: false, step: undefined };
  const missing: Missing = { steps: new Set(), because: undefined };
  let wasAccepted = false;
  for (let index = 0; index < scenario.steps.length; index++) {
    const step = scenario.steps[index] as Step;
    if (missing.steps.size > 0 && !standsAlone(step, missing, run)) {
      progress.blockedAt ??= [...missing.steps][0];
      missing.steps.add(step.id);
      continue;
    }
    // What was changed although it should not have been is not as before.
    if (wasAccepted && step.expect?.record?.like !== undefined) continue;
    await runStep(step, scenario, progress, run);
    const outcomes = progress.outcomes.get(step.id) ?? [];
    letGoOfBodies(step.id, progress, scenario);
    wasAccepted ||= changes(step, run) && outcomes.some(({ record }) => isSuccess(record.response.status));
    const retryFrom = findRetry(step, outcomes, run);
    if (retryFrom !== undefined && maySettle(step, outcomes) && progress.stopped === undefined) {
      wait.since ??= performance.now();
      wait.step = step;
      wait.rounds += 1;
      const pauseMs = run.signal.aborted ? undefined : findPause(step, wait, outcomes, run);
      if (pauseMs !== undefined) {
        if (step.rounds !== undefined) forget(step, progress);
        await pause(pauseMs, run.signal);
        wait.pause = Math.min(wait.pause * 2, LONGEST_SETTLE_PAUSE_MS);
        index = scenario.steps.findIndex(({ id }) => id === retryFrom) - 1;
        continue;
      }
      run.inVain.stayed(outcomes);
    } else if (wait.step === step && wait.since !== undefined && step.rounds === undefined) {
      run.patience.settled(performance.now() - wait.since);
      run.inVain.settled();
    }
    if (removesLater(scenario, index, run)) {
      // What is in doubt is looked at while it is there.
      await settleDoubts(outcomes, run);
      for (const outcome of outcomes) outcome.doubtful = [];
    }
    const unmet = outcomes.find((outcome) => outcome.unmet !== undefined)?.unmet;
    if (unmet !== undefined) {
      const { verdict = 'inconclusive', otherwise } = unmet;
      progress.stopped ??= { verdict, reason: otherwise };
    }
    const areUsable = outcomes.every(({ usable }) => usable);
    const isMissing = progress.stopped?.isUnresolved === true || (!areUsable && isBuiltOn(step, scenario, run));
    if (!isMissing && progress.stopped === undefined) continue;
    if (!isMissing || creates(step, run)) {
      if (index < scenario.steps.length - 1) progress.blockedAt ??= step.id;
      break;
    }
    missing.steps.add(step.id);
    missing.because ??= progress.stopped;
    progress.stopped = undefined;
  }
  progress.stopped ??= missing.because;
}

/**
 * Where a step goes back to while a target may still show what was: a step that only reads repeats itself, whatever it looks for,
 * since what is seen of every answer depends on what other scenarios changed just before. What none has changed is as it should be
 * at once, unless the step says otherwise.
 */
function findRetry(step: Step, outcomes: readonly StepOutcome[], { contract }: Run): string | undefined {
  if (step.retryFrom !== undefined) return step.retryFrom;
  const isFirm = sendsPost(step, contract.operations) || outcomes.some(({ isUntouched }) => isUntouched);
  return isFirm ? undefined : step.id;
}

/** Steps that gave nothing to build on, and why the first of them did not. */
interface Missing {
  steps: Set<string>;
  because: Stop | undefined;
}

/** Whether a step only reads, and asks for nothing that a missing one was to give: what it shows, it shows by itself. */
function standsAlone(step: Step, { steps }: Missing, { contract }: Run): boolean {
  if (sendsPost(step, contract.operations) || step.outcomes !== undefined || step.assume !== undefined) return false;
  const text = printJson(step);
  return ![...steps].some((id) => text.includes(`$steps.${id}.`));
}

/** A round that ends before it finds anything is one in which nothing was found. */
function forget({ id }: Step, { outcomes, steps, failed }: ScenarioProgress): void {
  failed.delete(id);
  outcomes.delete(id);
  steps.delete(id);
}

/** Whether steps after this one mean nothing without a good answer to it. */
function isBuiltOn(step: Step, { steps }: Scenario, run: Run): boolean {
  const later = printJson(steps.slice(steps.indexOf(step) + 1));
  return creates(step, run) || later.includes(`$steps.${step.id}.`);
}

/** Whether a step after this one removes something. */
function removesLater({ steps }: Scenario, index: number, { contract }: Run): boolean {
  const later = new Set(steps.slice(index + 1).map(({ operationId }) => operationId));
  return contract.operations.some(({ id, method }) => method === 'DELETE' && later.has(id));
}

/** Whether a step asks for a change of a record that should be refused. */
function changes(step: Step, { contract }: Run): boolean {
  const method = contract.operations.find(({ id }) => id === step.operationId)?.method;
  return isToBeRefused(step) && ['PUT', 'PATCH', 'DELETE'].includes(method ?? '');
}

/** Whether a step is to change what is stored; nothing is built on a request that should have been refused. */
function creates(step: Step, { contract }: Run): boolean {
  return sendsPost(step, contract.operations) && !isToBeRefused(step);
}

/**
 * How long to wait before the next round, in milliseconds; `undefined` after the last. If rounds are limited, every round must find
 * something for the target to be blamed, and the time that it was seen to need must be over; otherwise time decides.
 */
function findPause({ rounds }: Step, wait: Wait, outcomes: readonly StepOutcome[], run: Run): number | undefined {
  const since = wait.since ?? 0;
  const when = (mayGoOn: boolean): number | undefined => (mayGoOn ? wait.pause : undefined);
  if (rounds !== undefined) return when(wait.rounds < rounds || run.patience.mayNeed(since, wait.pause));
  // Once more, since it costs no time.
  if (run.inVain.isHopeless(outcomes)) return when(wait.rounds < 2);
  if (run.patience.allows(since, wait.pause)) return wait.pause;
  const mostMs = run.patience.mayNeedMs();
  if (wait.isOver || mostMs === 0) return undefined;
  // The target has all of the time, whatever part of it a slow machine spent between two rounds.
  wait.isOver = true;
  return Math.max(0, since + mostMs - performance.now());
}

/** Whether waiting may help a step: something was found, and all of it may change with time. */
function maySettle({ rounds }: Step, outcomes: readonly StepOutcome[]): boolean {
  const failing = outcomes.filter((outcome) => outcome.unmet !== undefined || hasOpenFinding(outcome));
  // What is assumed may never be so; rounds wait for others.
  const isOnItsWay = rounds !== undefined || failing.some(hasOpenFinding);
  return isOnItsWay && failing.length > 0 && failing.every((outcome) => outcome.maySettle);
}

/** What a scenario is about; one that names operations is about the resource of the first that has one. */
function tellAbout({ id, about, steps }: Scenario, { contract }: Run): Pick<ScenarioResult, 'about'> {
  if (about !== undefined) return { about };
  const asked = new Set(steps.map(({ operationId }) => operationId));
  const isAsked = ({ roles }: Subject): boolean =>
    Object.values(roles).some(({ operation }) => asked.has(operation.id));
  const subject = readSubjects(contract).find(isAsked);
  if (subject === undefined) return {};
  return { about: { resource: subject.name, key: subject.resource.key.property, scenario: id.replace(/\[.*\]$/, '') } };
}

/** The line of the contract that a scenario is based on, if it names one. */
function locateBasis({ basis }: Scenario, { contract }: Run): BasisResult {
  if (!basis.startsWith('#')) return { text: basis };
  return { text: basis, place: contract.document.placeOf(basis.slice(1)) };
}

/** Releases the bodies of a step's answers, which may be long, unless its scenario refers to them. */
function letGoOfBodies(stepId: string, { outcomes, records }: Kept, scenario: Scenario): void {
  if (listReferred(scenario).has(stepId)) return;
  for (const { record } of outcomes.get(stepId) ?? []) record.response.body = undefined;
  const record = records[stepId];
  if (record !== undefined) records[stepId] = { ...record, responses: [] };
}

/** What a scenario keeps about its steps so far, by their ids. */
interface Kept {
  outcomes: ReadonlyMap<string, readonly StepOutcome[]>;
  records: Record<string, StepRecord>;
}

const listReferred = readOnce(
  (scenario: Scenario): ReadonlySet<string> =>
    new Set(Array.from(printJson(scenario).matchAll(/\$steps\.([^.#{}"\s]+)/g), ([, id = '']) => id)),
);
