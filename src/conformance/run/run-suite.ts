import { markKnown } from './known/apply-baseline.js';
import { sendsPost } from '../language/check-step.js';
import type { RunListener } from '../model/events.js';
import { redactScenario } from './redact/redact-result.js';
import { consentFor, CONSENTS, type Consent } from './creates.js';
import { chooseNext } from './order/choose-next.js';
import { putInOrder } from './order/learned-order.js';
import { describeUsedUp } from './order/request-limit.js';
import { createCorrupted, isInTheWay, keepApart, runOnceMore, type Corrupted } from './rerun.js';
import { createFounding, type Founding } from './founding/founding.js';
import { askWithoutRecord, createFindKey, type FindKey } from './founding/without-record.js';
import { describeStop, type Run } from './run.js';
import { leaveOut, runScenario, type ScenarioOutcome } from './run-scenario.js';
import type { Scenario } from '../model/scenario.js';
import { createFinder, listPredecessors } from '../language/select-scenarios.js';

export interface SuiteOptions {
  /** How many scenarios run at a time. */
  concurrency: number;
  /** Stop at the first deviation. */
  bail: boolean;
  onEvent: RunListener;
}

/** Runs scenarios in the learned order as their dependencies allow; the results are in the order of their files. */
export async function runSuite(
  scenarios: readonly Scenario[],
  run: Run,
  options: SuiteOptions,
): Promise<ScenarioOutcome[]> {
  const finished = new Map<string, ScenarioOutcome>();
  const waiting = new Set(putInOrder(scenarios));
  const running = new Map<Scenario, Promise<void>>();
  const predecessors = listPredecessors(scenarios);
  const ground = createGround(scenarios, run);
  const isReady = watchReady(scenarios, finished, (each) => [
    ...(predecessors.get(each.id) ?? []),
    ...ground.founding.listBefore(each),
  ]);

  const finish = ({ id }: Scenario, outcome: ScenarioOutcome): void => {
    finished.set(id, outcome);
    options.onEvent({ type: 'scenarioFinished', result: outcome.result, done: finished.size, of: scenarios.length });
  };

  const leave = (scenario: Scenario): void => {
    waiting.delete(scenario);
    run.limit.leftOut.add(scenario);
    finish(scenario, leaveOut(scenario, run, 'skipped', describeUsedUp()));
  };

  for (;;) {
    const ready = [...waiting].filter(isReady);
    const fitting = keepApart(ready, running.keys(), run).filter((each) => run.limit.fits(each, running.keys()));
    const next = chooseNext(fitting, { running: new Set(running.keys()), concurrency: options.concurrency });
    if (next.length === 0 && running.size === 0) {
      if (ready.length === 0) break;
      for (const scenario of ready) leave(scenario);
      continue;
    }
    for (const scenario of next) {
      waiting.delete(scenario);
      options.onEvent({ type: 'scenarioStarted', id: scenario.id });
      const job = runOne(scenario, { finished, ...ground }, run, options).then((outcome) => {
        const result = leaveForLimit(scenario, outcome, predecessors.get(scenario.id) ?? [], run);
        finish(scenario, { ...outcome, result: markKnown(redactScenario(result, run.redact), run.known) });
      });
      const ended = job.finally(() => running.delete(scenario));
      running.set(scenario, ended);
    }
    await Promise.race(running.values());
  }
  checkAllRan(waiting);
  return scenarios.flatMap(({ id }) => finished.get(id) ?? []);
}

/** Whether all that comes before a scenario has ended. It is asked for each after each other one, and looks at none twice. */
function watchReady(
  scenarios: readonly Scenario[],
  finished: ReadonlyMap<string, unknown>,
  listBefore: (scenario: Scenario) => string[],
): (scenario: Scenario) => boolean {
  const unfinished = new Map(scenarios.map((each) => [each, listBefore(each)]));
  return (scenario) => {
    const ids = unfinished.get(scenario) ?? [];
    while (finished.has(ids.at(-1) ?? '')) ids.pop();
    return ids.length === 0;
  };
}

/** On what scenarios build. */
function createGround(scenarios: readonly Scenario[], run: Run): Omit<Ended, 'finished'> {
  const find = createFinder(scenarios.map(({ id }) => id));
  const foundations = new Set(scenarios.flatMap(({ dependsOn }) => dependsOn.flatMap((pattern) => find(pattern))));
  const founding = createFounding(run.contract, scenarios);
  const corrupted = createCorrupted(scenarios, (scenario) => founding.choose(scenario));
  return { find, foundations, founding, corrupted, findKey: createFindKey() };
}

function checkAllRan(waiting: ReadonlySet<Scenario>): void {
  if (waiting.size > 0)
    throw new Error(`these scenarios wait for each other: ${[...waiting].map(({ id }) => id).join(', ')}`);
}

/** A scenario that lacks what another would have given is left out for the limit of requests as that one was, or cut. */
function leaveForLimit(
  scenario: Scenario,
  { result }: ScenarioOutcome,
  predecessors: readonly string[],
  { limit }: Run,
): ScenarioOutcome['result'] {
  const isForLimit = [...limit.leftOut].some(({ id }) => predecessors.includes(id));
  if (result.verdict !== 'inconclusive' || !isForLimit) return result;
  limit.leftOut.add(scenario);
  return { ...result, verdict: 'skipped', reason: describeUsedUp() };
}

/** What has run, and what a pattern means of it. */
interface Ended {
  finished: ReadonlyMap<string, ScenarioOutcome>;
  find: (pattern: string) => readonly string[];
  /** The scenarios on which others build. */
  foundations: ReadonlySet<string>;
  founding: Founding;
  corrupted: Corrupted;
  /** The key of a record that is there, of a resource of which none could be created. */
  findKey: FindKey;
}

async function runOne(scenario: Scenario, ended: Ended, run: Run, { bail }: SuiteOptions): Promise<ScenarioOutcome> {
  if (scenario.leftOut !== undefined) return leaveOut(scenario, run, 'skipped', scenario.leftOut);
  if (run.signal.aborted) return leaveOut(scenario, run, 'inconclusive', describeStop(run));
  if (bail && [...ended.finished.values()].some(({ result }) => result.verdict === 'deviated')) {
    return leaveOut(scenario, run, 'skipped', 'the run stopped at the first deviation (--bail)');
  }
  if (run.readOnly && scenario.steps.some((step) => sendsPost(step, run.contract.operations))) {
    return leaveOut(scenario, run, 'skipped', 'it would send a POST (--read-only)');
  }
  const forbidden = findForbidden(scenario, run);
  if (forbidden !== undefined)
    return leaveOut(scenario, run, 'skipped', `it would ${forbidden} a record (--may ${forbidden})`);
  const missing = findMissing(scenario, ended, run);
  if (missing !== undefined && wasLeftOut(missing, ended)) {
    return leaveOut(scenario, run, 'skipped', `it depends on ${missing}, which was skipped`);
  }
  const without = missing === undefined ? undefined : await findWithout(scenario, ended, run);
  if (missing !== undefined && without === undefined) {
    const cause = findCause(missing, ended);
    const why = cause === undefined ? ', which was inconclusive' : `: ${cause}`;
    return { ...leaveOut(scenario, run, 'inconclusive', `it depends on ${missing}${why}`), cause };
  }
  const chosen = without ?? ended.founding.choose(scenario);
  if (chosen === undefined)
    return leaveOut(scenario, run, 'skipped', 'it tests fields that the target rejects in every record');
  await ended.corrupted.renew(chosen, run);
  const first = await runScenario(chosen, run);
  const isFoundation = ended.foundations.has(scenario.id);
  const outcome = isInTheWay(first, isFoundation, run) ? await runOnceMore(chosen, first, run) : first;
  await ended.corrupted.note(chosen, outcome, run);
  return ended.founding.settle(scenario, outcome, run);
}

/** What a scenario would do that nobody has allowed. */
function findForbidden({ steps }: Scenario, { may, contract }: Run): Consent | undefined {
  if (may.length === CONSENTS.length) return undefined;
  const needed = steps.flatMap((step) => consentFor(step, contract) ?? []);
  return needed.find((consent) => !may.includes(consent));
}

/** What a scenario builds on and cannot go on without, if it did not come about. */
function findMissing(scenario: Scenario, ended: Ended, run: Run): string | undefined {
  for (;;) {
    const { dependsOn } = ended.founding.choose(scenario) ?? scenario;
    const missing = dependsOn.find((pattern) => !dependencyHolds(pattern, ended));
    if (missing === undefined || !ended.founding.leaveOut(scenario, missing, run)) return missing;
  }
}

/** A scenario without the records that could not be created, where it can go on without them. */
async function findWithout(scenario: Scenario, ended: Ended, run: Run): Promise<Scenario | undefined> {
  const chosen = ended.founding.choose(scenario);
  if (chosen === undefined) return undefined;
  const missing = chosen.dependsOn.filter((pattern) => !dependencyHolds(pattern, ended));
  const creators = missing.flatMap((pattern) => ended.find(pattern));
  const areCreators = creators.every((id) => /\/records\/(?:create|create-full|created-alone)$/.test(id));
  return areCreators ? askWithoutRecord(chosen, creators, ended.findKey, run) : undefined;
}

/** If a scenario is left out on purpose, so is everything that builds on it. */
function wasLeftOut(pattern: string, ended: Ended): boolean {
  return listEnded(pattern, ended)
    .filter(({ usable }) => !usable)
    .every(({ result }) => result.verdict === 'skipped');
}

/** What was lacking first, where scenarios build on each other. */
function findCause(pattern: string, ended: Ended): string | undefined {
  const open = listEnded(pattern, ended).find(({ usable, result }) => !usable && result.verdict === 'inconclusive');
  return open?.result.steps.length === 0 ? open.cause : open?.result.reason;
}

function dependencyHolds(pattern: string, ended: Ended): boolean {
  return listEnded(pattern, ended).every(({ usable }) => usable);
}

function listEnded(pattern: string, { finished, find }: Ended): ScenarioOutcome[] {
  return find(pattern).flatMap((id) => finished.get(id) ?? []);
}
