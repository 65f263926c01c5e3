import { printJson } from '../../contract/document/json.js';
import { pause, createAsk } from '../http/send-politely.js';
import type { ScenarioResult, Verdict, ExchangeResult, StepResult } from '../model/result.js';
import { isToBeRefused, sendsPost } from '../scenarios/check-scenario.js';
import type { Scenario, Step } from '../model/scenario.js';
import { concludeSearch, createProgress, findEnd, hasDeviation, hasOpenFinding, runStep } from './run-step.js';
import type { ScenarioProgress, Stop } from './run-step.js';
import type { StepOutcome } from './run-exchange.js';
import type { Run, ScenarioRun } from './run.js';
import { readSubjects, type Subject } from '../resources/resource-under-test.js';
import { settleDoubts } from '../confirm/confirm.js';
import { isSuccess } from '../model/exchange.js';
import { readOnce } from '../../contract/document/document.js';
import { describeChoice } from './gaps.js';

export interface ScenarioOutcome {
  result: ScenarioResult;
  usable: boolean;
  lacksCreated?: boolean;
  cause?: string | undefined;
}

type Wait = { since: number | undefined; rounds: number; pause: number; isOver: boolean; step: Step | undefined };

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
      ...describeScenario(scenario, run),
      ...concludeScenario(scenario, outcomes, progress, run),
      durationMs: performance.now() - started,
      steps: [...progress.steps.values()],
    },
  };
}

function withdrawUndecided(outcomes: readonly StepOutcome[]): boolean {
  const count = (): number => outcomes.reduce((sum, { exchange }) => sum + exchange.findings.length, 0);
  const before = count();
  for (const { exchange, doubtful, maySettle: isForTime } of outcomes) {
    const open = new Set(doubtful.map(({ finding }) => finding));
    exchange.findings = exchange.findings.filter(
      (finding) => finding.severity !== 'deviation' || !(isForTime || open.has(finding)),
    );
  }
  return count() < before;
}

function isUsable({ steps }: Scenario, { stopped, outcomes }: ScenarioProgress, { contract }: Run): boolean {
  if (stopped !== undefined && stopped.isUnresolved !== true) return false;
  const creating = steps.filter((step) => sendsPost(step, contract.operations));
  return (creating.length === 0 ? steps : creating).every(({ id }) => {
    const ended = outcomes.get(id) ?? [];
    return ended.length > 0 && ended.every(({ usable }) => usable);
  });
}

export function leaveOut(scenario: Scenario, run: Run, verdict: Verdict, reason: string): ScenarioOutcome {
  return { usable: false, result: { ...describeScenario(scenario, run), verdict, reason, durationMs: 0, steps: [] } };
}

function describeScenario(scenario: Scenario, run: Run) {
  const { id, title, gap, basis } = scenario;
  const place = basis.startsWith('#') ? { place: run.contract.document.placeOf(basis.slice(1)) } : {};
  const aboutGap = gap === undefined ? {} : { aboutGap: gap };
  return { id, title, basis: { text: basis, ...place }, ...describeAbout(scenario, run), ...aboutGap };
}

async function runSteps(scenario: Scenario, progress: ScenarioProgress, run: ScenarioRun): Promise<void> {
  const wait: Wait = { since: undefined, rounds: 0, pause: 50, isOver: false, step: undefined };
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
    releaseBodies(step.id, progress, scenario);
    const asked = run.contract.operations.find(({ id }) => id === step.operationId)?.method ?? '';
    const isRejected = isToBeRefused(step) && ['PUT', 'PATCH', 'DELETE'].includes(asked);
    wasAccepted ||= isRejected && outcomes.some(({ record }) => isSuccess(record.response.status));
    const retryFrom = findRetry(step, outcomes, run);
    if (retryFrom !== undefined && maySettle(step, outcomes) && progress.stopped === undefined) {
      wait.since ??= performance.now();
      wait.step = step;
      wait.rounds += 1;
      const pauseMs = run.signal.aborted ? undefined : findPause(step, wait, outcomes, run);
      if (pauseMs !== undefined) {
        if (step.rounds !== undefined)
          for (const each of [progress.failed, progress.outcomes, progress.steps]) each.delete(step.id);
        await pause(pauseMs, run.signal);
        wait.pause = Math.min(wait.pause * 2, 1600);
        index = scenario.steps.findIndex(({ id }) => id === retryFrom) - 1;
        continue;
      }
      run.inVain.stayed(outcomes);
    } else if (wait.step === step && wait.since !== undefined && step.rounds === undefined) {
      run.patience.settled(performance.now() - wait.since);
      run.inVain.settled();
    }
    const later = new Set(scenario.steps.slice(index + 1).map(({ operationId }) => operationId));
    if (run.contract.operations.some(({ id, method }) => method === 'DELETE' && later.has(id))) {
      await settleDoubts(outcomes, run);
      for (const outcome of outcomes) outcome.doubtful = [];
    }
    const unmet = outcomes.find((outcome) => outcome.unmet !== undefined)?.unmet;
    if (unmet !== undefined) {
      const { verdict = 'inconclusive', otherwise } = unmet;
      progress.stopped ??= { verdict, reason: otherwise };
    }
    const areUsable = outcomes.every(({ usable }) => usable);
    const isBuiltOn = (): boolean =>
      creates(step, run) || printJson(scenario.steps.slice(index + 1)).includes(`$steps.${step.id}.`);
    const isMissing = progress.stopped?.isUnresolved === true || (!areUsable && isBuiltOn());
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

function findRetry(step: Step, outcomes: readonly StepOutcome[], { contract }: Run): string | undefined {
  if (step.retryFrom !== undefined) return step.retryFrom;
  const isFirm = sendsPost(step, contract.operations) || outcomes.some(({ isUntouched }) => isUntouched);
  return isFirm ? undefined : step.id;
}

type Missing = { steps: Set<string>; because: Stop | undefined };

function standsAlone(step: Step, { steps }: Missing, { contract }: Run): boolean {
  if (sendsPost(step, contract.operations) || step.outcomes !== undefined || step.assume !== undefined) return false;
  const text = printJson(step);
  return ![...steps].some((id) => text.includes(`$steps.${id}.`));
}

function creates(step: Step, { contract }: Run): boolean {
  return sendsPost(step, contract.operations) && !isToBeRefused(step);
}

function findPause({ rounds }: Step, wait: Wait, outcomes: readonly StepOutcome[], run: Run): number | undefined {
  const since = wait.since ?? 0;
  const when = (mayGoOn: boolean): number | undefined => (mayGoOn ? wait.pause : undefined);
  if (rounds !== undefined) return when(wait.rounds < rounds || run.patience.mayNeed(since, wait.pause));
  if (run.inVain.isHopeless(outcomes)) return when(wait.rounds < 2);
  if (run.patience.allows(since, wait.pause)) return wait.pause;
  const mostMs = run.patience.mayNeedMs();
  if (wait.isOver || mostMs === 0) return undefined;
  // The target has all of the time, whatever part of it a slow machine spent between two rounds.
  wait.isOver = true;
  return Math.max(0, since + mostMs - performance.now());
}

function maySettle({ rounds }: Step, outcomes: readonly StepOutcome[]): boolean {
  const failing = outcomes.filter((outcome) => outcome.unmet !== undefined || hasOpenFinding(outcome));
  const isOnItsWay = rounds !== undefined || failing.some(hasOpenFinding);
  return isOnItsWay && failing.length > 0 && failing.every((outcome) => outcome.maySettle);
}

function describeAbout({ id, about, steps }: Scenario, { contract }: Run): Pick<ScenarioResult, 'about'> {
  if (about !== undefined) return { about };
  const asked = new Set(steps.map(({ operationId }) => operationId));
  const isAsked = ({ roles }: Subject) => Object.values(roles).some(({ operation }) => asked.has(operation.id));
  const subject = readSubjects(contract).find(isAsked);
  if (subject === undefined) return {};
  return { about: { resource: subject.name, key: subject.resource.key.property, scenario: id.replace(/\[.*\]$/, '') } };
}

function releaseBodies(stepId: string, { outcomes, records }: ScenarioProgress, scenario: Scenario): void {
  if (listReferred(scenario).has(stepId)) return;
  for (const { record } of outcomes.get(stepId) ?? []) record.response.body = undefined;
  const record = records[stepId];
  if (record !== undefined) records[stepId] = { ...record, responses: [] };
}

const listReferred = readOnce(
  (scenario: Scenario): ReadonlySet<string> =>
    new Set(Array.from(printJson(scenario).matchAll(/\$steps\.([^.#{}"\s]+)/g), ([, id = '']) => id)),
);

type Concluded = Pick<ScenarioResult, 'verdict' | 'reason' | 'gap' | 'blockedAt'>;

function concludeScenario(
  scenario: Scenario,
  outcomes: readonly StepOutcome[],
  progress: ScenarioProgress,
  run: Run,
): Concluded {
  const { stopped } = progress;
  const search = scenario.steps.find((step) => step.search !== undefined)?.search;
  const found = search === undefined || stopped !== undefined ? undefined : concludeSearch(search, outcomes, run);
  const seen =
    found !== undefined && 'name' in found ? found : outcomes.find(({ choice }) => choice !== undefined)?.choice;
  const shown = outcomes.flatMap(({ exchange }) => exchange.findings).find((finding) => finding.gap !== undefined)?.gap;
  const noticed = shown === undefined ? undefined : { ...shown, evidence: describeChoice(shown) };
  const told =
    scenario.gap === undefined || seen === undefined
      ? noticed
      : { id: scenario.gap, choice: seen.name, evidence: seen.evidence };
  const gap = told === undefined ? {} : { gap: told };
  if (outcomes.some(hasDeviation)) {
    const isLacking = (each: StepOutcome): boolean => each.needs.length > 0 && hasDeviation(each);
    const blockedAt = progress.blockedAt ?? [...progress.outcomes].find(([, all]) => all.some(isLacking))?.[0];
    return { verdict: 'deviated', ...gap, ...(blockedAt === undefined ? {} : { blockedAt }) };
  }
  if (stopped !== undefined) return { verdict: stopped.verdict, reason: stopped.reason, ...gap };
  const needs = outcomes.flatMap((outcome) => outcome.needs);
  if (found !== undefined && 'needs' in found) needs.push(found);
  if (needs.length > 0) {
    const texts = [...new Set(needs.map((need) => need.needs))];
    return { verdict: 'inconclusive', reason: `needs ${texts.join('; ')}`, ...gap };
  }
  if (noticed !== undefined) return { verdict: 'observed', ...gap };
  const silent = 'no response showed how the target behaves; --verbose shows the responses';
  if (scenario.gap !== undefined && seen === undefined) return { verdict: 'inconclusive', reason: silent };
  const none = 'no rule applies to the responses; --verbose shows them';
  if (outcomes.length === 0) return { verdict: 'inconclusive', reason: none };
  return { verdict: seen === undefined ? 'passed' : 'observed', ...gap };
}

export function joinSteps(steps: readonly StepResult[], exchangesOf: (id: string) => ExchangeResult[]): StepResult[] {
  const firsts = new Map(steps.toReversed().map((step) => [step.id, step]));
  const ids = new Set(steps.map(({ id }) => id));
  return [...ids].map((id) => Object.assign({}, firsts.get(id), { id, exchanges: exchangesOf(id) }));
}
