import type { RecordEntry } from '../ledger/record-ledger.js';
import { mapMembers, escape } from '../http/template.js';
import { markKnown } from './baseline.js';
import { sendsPost, createFinder, listPredecessors } from '../scenarios/check-scenario.js';
import type { RunListener } from '../model/options.js';
import { redactTexts } from './redact.js';
import { consentFor, CONSENTS, USED_UP, type Run } from './run.js';
import { createSetup, readFirst, type Setup } from './accepted-payload.js';
import { leaveOut, runScenario, joinSteps, type ScenarioOutcome } from './run-scenario.js';
import type { Scenario, Step } from '../model/scenario.js';
import type { Contract } from '../../contract/contract.js';
import { readOnce } from '../../contract/document/document.js';
import { printJson } from '../../contract/document/json.js';
import { resourceOf } from '../model/exchange.js';
import { readSubjects } from '../resources/resource-under-test.js';
import { SERVED_AGAIN } from '../checks/response.js';
import type { ExchangeResult, Finding } from '../model/result.js';
import { deleteRecord } from './created-records.js';

type SuiteOptions = { concurrency: number; bail: boolean; onEvent: RunListener };

/** Runs scenarios by their tiers as their dependencies allow; the results are in the order of their files. */
export async function runSuite(scenarios: readonly Scenario[], run: Run, options: SuiteOptions) {
  const finished = new Map<string, ScenarioOutcome>();
  const waiting = new Set(scenarios.toSorted((one, other) => one.tier - other.tier));
  const running = new Map<Scenario, Promise<void>>();
  const predecessors = listPredecessors(scenarios);
  const find = createFinder(scenarios.map(({ id }) => id));
  const foundations = new Set(scenarios.flatMap(({ dependsOn }) => dependsOn.flatMap((pattern) => find(pattern))));
  const setup = createSetup(run.contract, scenarios);
  const corrupted = createCorrupted(scenarios, setup.choose, run);
  const ground = { finished, find, foundations, setup, corrupted, findKey: createFindKey(run) };
  const unfinished = new Map(
    scenarios.map((each) => [each, [...(predecessors.get(each.id) ?? []), ...setup.listBefore(each)]]),
  );
  const isReady = (scenario: Scenario): boolean => {
    const ids = unfinished.get(scenario) ?? [];
    while (finished.has(ids.at(-1) ?? '')) ids.pop();
    return ids.length === 0;
  };

  const finish = ({ id }: Scenario, outcome: ScenarioOutcome): void => {
    finished.set(id, outcome);
    options.onEvent({ type: 'scenarioFinished', result: outcome.result, done: finished.size, of: scenarios.length });
  };
  for (;;) {
    const ready = [...waiting].filter(isReady);
    const fitting = run.limit.listFitting(keepApart(ready, running.keys(), run.contract), running.keys());
    const next = chooseNext(fitting, { running: new Set(running.keys()), concurrency: options.concurrency });
    if (next.length === 0 && running.size === 0) {
      if (ready.length === 0) break;
      for (const scenario of ready) {
        waiting.delete(scenario);
        run.limit.leftOut.add(scenario);
        finish(scenario, leaveOut(scenario, run, 'skipped', USED_UP));
      }
      continue;
    }
    for (const scenario of next) {
      waiting.delete(scenario);
      options.onEvent({ type: 'scenarioStarted', id: scenario.id });
      const job = runOne(scenario, ground, run, options).then((outcome) => {
        const before = predecessors.get(scenario.id) ?? [];
        const isForLimit = [...run.limit.leftOut].some(({ id }) => before.includes(id));
        const isCut = isForLimit && outcome.result.verdict === 'inconclusive';
        if (isCut) run.limit.leftOut.add(scenario);
        const result = isCut ? { ...outcome.result, verdict: 'skipped' as const, reason: USED_UP } : outcome.result;
        finish(scenario, { ...outcome, result: markKnown(redactTexts(result, run.redact), run.known) });
      });
      const ended = job.finally(() => running.delete(scenario));
      running.set(scenario, ended);
    }
    await Promise.race(running.values());
  }
  if (waiting.size > 0)
    throw new Error(`these scenarios wait for each other: ${[...waiting].map(({ id }) => id).join(', ')}`);
  return scenarios.flatMap(({ id }) => finished.get(id) ?? []);
}

interface Ended {
  finished: ReadonlyMap<string, ScenarioOutcome>;
  find: (pattern: string) => readonly string[];
  foundations: ReadonlySet<string>;
  setup: Setup;
  corrupted: ReturnType<typeof createCorrupted>;
  findKey: ReturnType<typeof createFindKey>;
}

async function runOne(scenario: Scenario, ended: Ended, run: Run, { bail }: SuiteOptions): Promise<ScenarioOutcome> {
  if (scenario.leftOut !== undefined) return leaveOut(scenario, run, 'skipped', scenario.leftOut);
  if (run.signal.aborted) return leaveOut(scenario, run, 'inconclusive', String(run.signal.reason));
  if (bail && [...ended.finished.values()].some(({ result }) => result.verdict === 'deviated'))
    return leaveOut(scenario, run, 'skipped', 'the run stopped at the first deviation (--bail)');
  const { may, contract, readOnly } = run;
  if (readOnly && scenario.steps.some((step) => sendsPost(step, contract.operations)))
    return leaveOut(scenario, run, 'skipped', 'it would send a POST (--read-only)');
  const needed = may.length === CONSENTS.length ? [] : scenario.steps.map((step) => consentFor(step, contract));
  const forbidden = needed.find((consent) => consent !== undefined && !may.includes(consent));
  if (forbidden !== undefined)
    return leaveOut(scenario, run, 'skipped', `it would ${forbidden} a record (--may ${forbidden})`);
  const missing = findMissing(scenario, ended, run);
  const unusable = missing === undefined ? [] : listEnded(missing, ended).filter(({ usable }) => !usable);
  const isLeftOut = unusable.every(({ result }) => result.verdict === 'skipped');
  const without =
    missing === undefined || (isLeftOut && !missing.endsWith('/records/found'))
      ? undefined
      : await findWithout(scenario, ended, run);
  if (missing !== undefined && without === undefined) {
    if (isLeftOut) return leaveOut(scenario, run, 'skipped', `it depends on ${missing}, which was skipped`);
    const open = listEnded(missing, ended).find(
      ({ usable, cause, result }) => !usable && (result.verdict === 'inconclusive' || cause !== undefined),
    );
    const cause = open?.cause ?? (open?.result.steps.length === 0 ? undefined : open?.result.reason);
    const why = cause === undefined ? ', which was inconclusive' : `: ${cause}`;
    return { ...leaveOut(scenario, run, 'inconclusive', `it depends on ${missing}${why}`), cause };
  }
  const chosen = without ?? ended.setup.choose(scenario);
  if (chosen === undefined)
    return leaveOut(scenario, run, 'skipped', 'it tests fields that the target rejects in every record');
  await ended.corrupted.renew(chosen);
  const first = await runScenario(chosen, run);
  if (isLeftOut && without !== undefined && first.result.verdict === 'inconclusive')
    return { ...first, result: { ...first.result, verdict: 'skipped' } };
  const isFoundation = ended.foundations.has(scenario.id);
  const outcome = isInTheWay(first, isFoundation, run) ? await runOnceMore(chosen, first, run) : first;
  await ended.corrupted.note(chosen, outcome);
  return ended.setup.settle(scenario, outcome, run);
}

function findMissing(scenario: Scenario, ended: Ended, run: Run): string | undefined {
  for (;;) {
    const { dependsOn } = ended.setup.choose(scenario) ?? scenario;
    const missing = dependsOn.find((pattern) => !listEnded(pattern, ended).every(({ usable }) => usable));
    if (missing === undefined || !ended.setup.leaveOut(scenario, missing, run)) return missing;
  }
}

async function findWithout(scenario: Scenario, ended: Ended, run: Run): Promise<Scenario | undefined> {
  const chosen = ended.setup.choose(scenario);
  if (chosen === undefined) return undefined;
  const missing = chosen.dependsOn.filter((pattern) => !listEnded(pattern, ended).every(({ usable }) => usable));
  const creators = missing.flatMap((pattern) => ended.find(pattern));
  const areCreators = creators.every((id) => /\/records\/(?:create|create-full|created-alone|found)$/.test(id));
  return areCreators ? askWithoutRecord(chosen, creators, ended, run) : undefined;
}

function listEnded(pattern: string, { finished, find }: Ended): ScenarioOutcome[] {
  return find(pattern).flatMap((id) => finished.get(id) ?? []);
}

/** One that runs alone waits until nothing else runs, and nothing overtakes it. */
export function chooseNext(ready: readonly Scenario[], now: { running: ReadonlySet<Scenario>; concurrency: number }) {
  const { running, concurrency } = now;
  if ([...running].some(({ alone }) => alone)) return [];
  const alone = ready.findIndex((scenario) => scenario.alone);
  if (alone === 0) return running.size === 0 ? ready.slice(0, 1) : [];
  return ready.slice(0, alone === -1 ? undefined : alone).slice(0, concurrency - running.size);
}

function createFindKey(run: Run) {
  const records = new Map<string, ReturnType<typeof readFirst>>();
  return async (creator: string): Promise<unknown> => {
    const subject = readSubjects(run.contract).find(({ name }) => name === resourceOf(creator));
    if (subject === undefined) return undefined;
    const found = records.get(subject.name) ?? readFirst(subject, run);
    records.set(subject.name, found);
    return (await found)?.key;
  };
}

async function askWithoutRecord(scenario: Scenario, creators: readonly string[], ended: Ended, { contract }: Run) {
  if (!scenario.isShipped || !scenario.steps.every((step) => isHarmless(step, contract))) return undefined;
  let { steps } = scenario;
  let isOfOther = false;
  for (const creator of creators) {
    const reference = `$scenarios.${creator}.outputs.key`;
    const asks = (step: Step): boolean => printJson(step).includes(reference);
    if (!steps.some(asks)) continue;
    const key = await ended.findKey(creator);
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

function leaveValues(step: Step): Step {
  const { expect, assume } = step;
  const none = { record: undefined };
  return { ...step, expect: expect && { ...expect, ...none }, assume: assume && { ...assume, ...none } } as Step;
}

function leaveSent(value: unknown, creators: readonly string[]): unknown {
  const isOfSent = (inside: unknown): boolean => creators.some((id) => inside === `$scenarios.${id}.outputs.sent`);
  const isPlain = typeof value !== 'object' || value === null || Array.isArray(value);
  const kept = isPlain ? [] : Object.entries(value).filter(([name, inside]) => name !== 'like' || !isOfSent(inside));
  return mapMembers(isPlain ? value : Object.fromEntries(kept), (inside) => leaveSent(inside, creators));
}

// A service that stores what it should reject may fail at that record from then on: what makes it runs again.

function isInTheWay({ lacksCreated, result }: ScenarioOutcome, isFoundation: boolean, run: Run): boolean {
  if (lacksCreated !== true || result.verdict !== 'deviated' || run.signal.aborted) return false;
  const failed = result.steps.flatMap(({ exchanges }) => exchanges.filter(isFailure));
  return isFoundation || failed.some(({ operationId = '' }) => run.ledger.learned.served.has(operationId));
}

const isFailure = ({ response }: ExchangeResult): boolean => (response?.status ?? 0) >= 500;

async function runOnceMore(scenario: Scenario, first: ScenarioOutcome, run: Run): Promise<ScenarioOutcome> {
  const second = await runScenario(scenario, run);
  if (!second.usable) return first;
  const { steps, durationMs } = first.result;
  const exchangesOf = (outcome: ScenarioOutcome, id: string): ExchangeResult[] =>
    outcome.result.steps.flatMap((step) => (step.id === id ? step.exchanges : []));
  const join = (id: string): ExchangeResult[] => {
    const again = exchangesOf(second, id);
    const isServed = again.length > 0 && !again.some(isFailure);
    const change = (finding: Finding): Finding =>
      isServed && finding.check === 'server-error' ? { ...finding, rule: SERVED_AGAIN } : finding;
    const mark = (each: ExchangeResult): ExchangeResult => ({ ...each, findings: each.findings.map(change) });
    return [...exchangesOf(first, id).map(mark), ...again];
  };
  const { result } = second;
  const all = joinSteps([...steps, ...result.steps], join);
  const lasted = durationMs + result.durationMs;
  return { usable: true, result: { ...result, verdict: 'deviated', durationMs: lasted, steps: all } };
}

function createCorrupted(scenarios: readonly Scenario[], choose: Setup['choose'], run: Run) {
  const listChanges = listChanged(run.contract);
  const isLookedAt = (id: string): boolean =>
    scenarios.some((reader) => readMakers(reader).has(id) && !listChanges(reader).includes(id));
  const removed = new Set<string>();
  const corrupted = new Set<string>();
  const underWay = new Map<string, Promise<void>>();
  const renewed = new Map<string, number>();
  const countRenewed = (id: string): number => renewed.get(resourceOf(id)) ?? 0;
  const renewOne = async (id: string): Promise<void> => {
    const planned = scenarios.find((scenario) => scenario.id === id);
    const maker = planned === undefined ? undefined : choose(planned);
    if (maker === undefined || run.signal.aborted) return;
    renewed.set(resourceOf(id), countRenewed(id) + 1);
    const before = run.outputs.get(id);
    const { usable } = await runScenario(maker, run);
    if (!usable && before !== undefined && !removed.has(id)) run.outputs.set(id, forgetSent(before));
  };
  return {
    async note(scenario: Scenario, { result }: ScenarioOutcome): Promise<void> {
      for (const id of listChanges(scenario)) {
        const ids = readMakers(scenario).get(id) ?? [];
        const exchanges = result.steps.filter((step) => ids.includes(step.id)).flatMap((step) => step.exchanges);
        const last = exchanges.at(-1);
        const isRead = last !== undefined && !isWrong(last) && last.request.method === 'GET';
        if (isRead || !exchanges.some(isWrong) || corrupted.has(id) || isLookedAt(id)) continue;
        if (countRenewed(id) >= 24) {
          run.outputs.set(id, forgetSent(run.outputs.get(id) ?? {}));
          continue;
        }
        corrupted.add(id);
        const key = String(run.outputs.get(id)?.['key']);
        const isIt = ({ id: own }: RecordEntry): boolean => own.resource === resourceOf(id) && String(own.key) === key;
        const entry = run.ledger.listPresent().find(isIt);
        if (entry === undefined || run.keeps || !run.may.includes('remove')) continue;
        await deleteRecord(entry, run.ledger, run);
        if (run.ledger.find(entry.id)?.state === 'deleted') removed.add(id);
      }
    },
    async renew(scenario: Scenario): Promise<void> {
      for (const id of readMakers(scenario).keys()) {
        const renewal = corrupted.delete(id) ? renewOne(id).finally(() => underWay.delete(id)) : undefined;
        if (renewal !== undefined) underWay.set(id, renewal);
        await underWay.get(id);
      }
    },
  };
}

const forgetSent = ({ sent: _, ...known }: Record<string, unknown>): Record<string, unknown> => known;
const isWrong = ({ findings }: ExchangeResult): boolean => findings.some(({ severity }) => severity === 'deviation');

const readMakers = readOnce((scenario: Scenario): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  for (const step of scenario.steps) {
    for (const [, id = ''] of printJson(step.parameters ?? {}).matchAll(/\$scenarios\.([^"{}]+?)\.outputs\.key"/g))
      if (resourceOf(id) === resourceOf(scenario.id)) found.set(id, [...(found.get(id) ?? []), step.id]);
  }
  return found;
});

const listChanged = readOnce(({ operations }: Contract) =>
  readOnce((scenario: Scenario): readonly string[] => {
    const isChange = ({ operationId }: Step): boolean =>
      operations.find(({ id }) => id === operationId)?.method !== 'GET';
    const changing = scenario.steps.filter(isChange).map(({ id }) => id);
    return [...readMakers(scenario)].filter(([, ids]) => ids.some((id) => changing.includes(id))).map(([id]) => id);
  }),
);

function keepApart(ready: readonly Scenario[], running: Iterable<Scenario>, contract: Contract): Scenario[] {
  const listChanges = listChanged(contract);
  const busy = new Set([...running].flatMap(listChanges));
  return ready.filter((scenario) => {
    const own = listChanges(scenario);
    const isFree = own.every((id) => !busy.has(id));
    for (const id of own) busy.add(id);
    return isFree;
  });
}
