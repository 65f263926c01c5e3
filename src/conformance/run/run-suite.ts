import { markKnown } from './known/apply-baseline.js';
import { sendsPost } from '../scenarios/check-step.js';
import type { RunListener } from '../model/options.js';
import { redactScenario } from './redact/redact-result.js';
import { consentFor, CONSENTS, type Consent } from './creates.js';
import { describeUsedUp } from './order/request-limit.js';
import { createCorrupted, isInTheWay, keepApart, runOnceMore, type Corrupted } from './rerun.js';
import { createFounding, type Founding } from './founding/founding.js';
import { describeStop, type Run } from './run.js';
import { leaveOut, runScenario, type ScenarioOutcome } from './run-scenario.js';
import type { Scenario, Step } from '../model/scenario.js';
import { createFinder, listPredecessors } from '../scenarios/select-scenarios.js';
import type { Contract } from '../../contract/contract.js';
import { printJson } from '../../contract/document/json.js';
import { readShown } from '../ledger/shown-records.js';
import { resourceOf } from '../model/records.js';
import { readSubjects } from '../subjects/subject.js';
import { escape } from '../wire/request/template.js';
import { readBody } from '../wire/http/read-body.js';
import { askRole } from '../confirm/ask.js';

export interface SuiteOptions {
  /** How many scenarios run at a time. */
  concurrency: number;
  /** Stop at the first deviation. */
  bail: boolean;
  onEvent: RunListener;
}

/** Runs scenarios by their tiers as their dependencies allow; the results are in the order of their files. */
export async function runSuite(
  scenarios: readonly Scenario[],
  run: Run,
  options: SuiteOptions,
): Promise<ScenarioOutcome[]> {
  const finished = new Map<string, ScenarioOutcome>();
  const waiting = new Set(scenarios.toSorted((one, other) => one.tier - other.tier));
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
  const open = listEnded(pattern, ended).find(
    ({ usable, cause, result }) => !usable && (result.verdict === 'inconclusive' || cause !== undefined),
  );
  return open?.cause ?? (open?.result.steps.length === 0 ? undefined : open?.result.reason);
}

function dependencyHolds(pattern: string, ended: Ended): boolean {
  return listEnded(pattern, ended).every(({ usable }) => usable);
}

function listEnded(pattern: string, { finished, find }: Ended): ScenarioOutcome[] {
  return find(pattern).flatMap((id) => finished.get(id) ?? []);
}

/** Which scenarios are running, and how many may run at once. */
interface Busy {
  running: ReadonlySet<Scenario>;
  concurrency: number;
}

/** Which of the scenarios that are ready start now. One that runs alone waits until nothing else runs, and nothing overtakes it. */
export function chooseNext(ready: readonly Scenario[], { running, concurrency }: Busy): Scenario[] {
  if ([...running].some(({ alone }) => alone)) return [];
  const alone = ready.findIndex((scenario) => scenario.alone);
  if (alone === 0) return running.size === 0 ? ready.slice(0, 1) : [];
  return ready.slice(0, alone === -1 ? undefined : alone).slice(0, concurrency - running.size);
}

// What is asked where the record on which a scenario builds could not be created: all that only reads, of a record that is there.

/** The key of a record that is there; `undefined` where a list shows none. */
type FindKey = (creator: string, run: Run) => Promise<unknown>;

/** Reads each list once. */
function createFindKey(): FindKey {
  const keys = new Map<string, Promise<unknown>>();
  return (creator, run) => {
    const name = resourceOf(creator);
    const found = keys.get(name) ?? readFirstKey(name, run);
    keys.set(name, found);
    return found;
  };
}

async function readFirstKey(name: string, run: Run): Promise<unknown> {
  const subject = readSubjects(run.contract).find((each) => each.name === name);
  const list = subject?.roles.list;
  if (subject === undefined || list === undefined || subject.resource.scope.length > 0) return undefined;
  const answer = await askRole(list, {}, run);
  const body = answer.kind === 'answered' && answer.status <= 299 ? readBody(answer) : undefined;
  return body?.kind === 'json' ? readShown({ subject, role: list }, body.value)[0]?.key : undefined;
}

/**
 * A scenario without what these creates were to give; `undefined` if it really builds on it. Nothing that is there is changed: what
 * is left only reads, or is refused for its credentials.
 *
 * @example `known: GET $records.create.key; unknown: GET $unknownKey` asks for the first record of the list, and for the unknown.
 */
async function askWithoutRecord(
  scenario: Scenario,
  creators: readonly string[],
  find: FindKey,
  run: Run,
): Promise<Scenario | undefined> {
  if (!scenario.isShipped || !scenario.steps.every((step) => isHarmless(step, run.contract))) return undefined;
  let { steps } = scenario;
  let isOfOther = false;
  for (const creator of creators) {
    const reference = `$scenarios.${creator}.outputs.key`;
    const asks = (step: Step): boolean => printJson(step).includes(reference);
    if (!steps.some(asks)) continue;
    const key = await find(creator, run);
    // Without a record, there is nothing to show that the operation serves any.
    steps =
      key === undefined
        ? steps.filter((step) => !step.control || !asks(step))
        : steps.map((step) => (asks(step) ? leaveValues(putKey(step, reference, key) as Step) : step));
    isOfOther ||= key !== undefined;
  }
  steps = steps.map((step) => leaveSent(step, creators) as Step);
  const left = printJson(steps);
  const isBuilt = creators.some((creator) => left.includes(`$scenarios.${creator}.outputs.`));
  if (steps.length === 0 || isBuilt) return undefined;
  const title = isOfOther ? `${scenario.title} (tested with an existing record)` : scenario.title;
  return { ...scenario, title, steps, dependsOn: scenario.dependsOn.filter((each) => !creators.includes(each)) };
}

function isHarmless(step: Step, { operations }: Contract): boolean {
  const method = step.request?.method ?? operations.find(({ id }) => id === step.operationId)?.method ?? '';
  if (method === 'GET' || method === 'HEAD') return true;
  // At a new address: with a key in the path, it would be about what is there.
  const isRefused = step.auth === 'missing' || step.auth === 'wrong';
  return method === 'POST' && isRefused && !printJson(step.parameters).includes('.outputs.');
}

function putKey(value: unknown, reference: string, key: unknown): unknown {
  if (value === reference) return escape(key);
  if (typeof value === 'string') return value.replaceAll(`{${reference}}`, String(key));
  return mapMembers(value, (inside) => putKey(inside, reference, key));
}

/** Of a record that somebody else made, nobody knows what it has to have. */
function leaveValues(step: Step): Step {
  const expect = step.expect === undefined ? undefined : { ...step.expect, record: undefined };
  const assume = step.assume === undefined ? undefined : { ...step.assume, record: undefined };
  return { ...step, expect, assume } as Step;
}

/** What was sent cannot be compared, since nothing was. */
function leaveSent(value: unknown, creators: readonly string[]): unknown {
  const isOfSent = (inside: unknown): boolean =>
    creators.some((creator) => inside === `$scenarios.${creator}.outputs.sent`);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Array.isArray(value)
    ? (value as unknown[])
    : Object.fromEntries(Object.entries(value).filter(([name, inside]) => name !== 'like' || !isOfSent(inside)));
  return mapMembers(kept, (inside) => leaveSent(inside, creators));
}

function mapMembers(value: unknown, change: (inside: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, change(inside)]));
}
