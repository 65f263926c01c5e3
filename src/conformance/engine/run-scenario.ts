import { printJson, INT64_MAX, INT64_MIN, keyOfJson, normalizeInteger } from '../../contract/document/json.js';
import type { Int64 } from '../../contract/document/json.js';
import { pause, createAsk } from '../http/send-politely.js';
import type { ScenarioResult, Verdict, ExchangeResult, Finding, StepResult } from '../model/result.js';
import { isToBeRefused, sendsPost } from '../scenarios/check-scenario.js';
import type { Scenario, Step } from '../model/scenario.js';
import { runExchange, type StepOutcome, type Seen } from './run-exchange.js';
import { countWanted, USED_UP, type Run, type ScenarioRun } from './run.js';
import { readSubjects, type Subject } from '../resources/resource-under-test.js';
import { settleDoubts } from '../confirm/confirm.js';
import { isSuccess, Literal, followPointer, type AskedPage } from '../model/exchange.js';
import { readOnce } from '../../contract/document/document.js';
import { describeChoice } from './gaps.js';
import type { Contract } from '../../contract/contract.js';
import { isRecord } from '../checks/check.js';
import { Unsendable, swapCase } from '../http/request-credentials.js';
import { fillTemplate, UnresolvedReference, type Scope, type StepRecord } from '../http/template.js';
import { readEnd, listBeyond, readNextQuery, readPage, turnPage } from '../resources/paging.js';
import { readTotal, isAllFound } from '../checks/list.js';
import { chooseFree } from '../resources/instantiate-resources.js';
import { isAlike } from '../checks/status.js';
import { COUNTED } from '../ledger/shown-records.js';

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
      ...concludeScenario(scenario, progress, run),
      durationMs: performance.now() - started,
      steps: [...progress.steps.values()],
    },
  };
}

function withdrawUndecided(outcomes: readonly StepOutcome[]): boolean {
  let isWithdrawn = false;
  for (const { exchange, doubtful, maySettle: isForTime } of outcomes) {
    const isOpen = (finding: Finding): boolean => isForTime || doubtful.some((each) => each.finding === finding);
    const left = exchange.findings.filter((each) => each.severity !== 'deviation' || !isOpen(each));
    isWithdrawn ||= left.length < exchange.findings.length;
    exchange.findings = left;
  }
  return isWithdrawn;
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

function describeScenario({ id, title, gap, basis, about: own, steps }: Scenario, { contract }: Run) {
  const place = basis.startsWith('#') ? { place: contract.document.placeOf(basis.slice(1)) } : {};
  const asked = new Set(steps.map(({ operationId }) => operationId));
  const isAsked = ({ roles }: Subject) => Object.values(roles).some(({ operation }) => asked.has(operation.id));
  const subject = own === undefined ? readSubjects(contract).find(isAsked) : undefined;
  const scenario = id.replace(/\[.*\]$/, '');
  const about = own ?? (subject && { resource: subject.name, key: subject.resource.key.property, scenario });
  return {
    id,
    title,
    basis: { text: basis, ...place },
    ...(about && { about }),
    ...(gap === undefined ? {} : { aboutGap: gap }),
  };
}

async function runSteps(scenario: Scenario, progress: ScenarioProgress, run: ScenarioRun): Promise<void> {
  const wait: Wait = { since: undefined, rounds: 0, pause: 50, isOver: false, step: undefined };
  const missing = { steps: new Set<string>(), because: undefined as Stop | undefined };
  let wasAccepted = false;
  for (let index = 0; index < scenario.steps.length; index++) {
    const step = scenario.steps[index] as Step;
    const isTelling =
      sendsPost(step, run.contract.operations) || step.outcomes !== undefined || step.assume !== undefined;
    const takes = (id: string): boolean => printJson(step).includes(`$steps.${id}.`);
    if (missing.steps.size > 0 && (isTelling || [...missing.steps].some(takes))) {
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
    const isFirm = sendsPost(step, run.contract.operations) || outcomes.some(({ isUntouched }) => isUntouched);
    const retryFrom = step.retryFrom ?? (isFirm ? undefined : step.id);
    const failing = outcomes.filter((outcome) => outcome.unmet !== undefined || hasOpenFinding(outcome));
    const isOnItsWay = failing.length > 0 && (step.rounds !== undefined || failing.some(hasOpenFinding));
    const maySettle = isOnItsWay && failing.every((outcome) => outcome.maySettle);
    if (retryFrom !== undefined && maySettle && progress.stopped === undefined) {
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

function concludeScenario(scenario: Scenario, progress: ScenarioProgress, run: Run): Concluded {
  const outcomes = [...progress.outcomes.values()].flat();
  const { stopped } = progress;
  const search = scenario.steps.find((step) => step.search !== undefined)?.search;
  const found = search === undefined || stopped !== undefined ? undefined : concludeSearch(search, outcomes, run);
  const seen =
    found !== undefined && 'name' in found ? found : outcomes.find(({ choice }) => choice !== undefined)?.choice;
  const shown = outcomes.flatMap(({ exchange }) => exchange.findings).find((finding) => finding.gap !== undefined)?.gap;
  const noticed = shown === undefined ? undefined : { ...shown, evidence: describeChoice(shown) };
  const { gap: id } = scenario;
  const told = id === undefined || seen === undefined ? noticed : { id, choice: seen.name, evidence: seen.evidence };
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

export async function runStep(step: Step, scenario: Scenario, progress: ScenarioProgress, run: ScenarioRun) {
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
      const sent = Array.from({ length: step.atOnce }, () => runWithinBudget(step, scope, run));
      for (const outcome of await Promise.all(sent)) keep(step, undefined, outcome, progress, run);
      return;
    }
    const turns = step.pages === undefined ? listItems(step, scope, before) : walkPages(step, scope, outcomes);
    for (const item of step.search === undefined ? turns : searchNames(step.search, outcomes, run)) {
      if (run.signal.aborted) {
        progress.stopped = { verdict: 'inconclusive', reason: String(run.signal.reason) };
        return;
      }
      const asked = step.pages === undefined ? step : askPage(step, item as AskedPage);
      const outcome = await runWithinBudget(asked, createScope(scenario, progress, run, item), run);
      if (!keep(step, item, outcome, progress, run)) return;
      const isCreate = sendsPost(step, run.contract.operations) && !isToBeRefused(step);
      if (step.each !== undefined && outcome?.usable === false && isCreate) break;
    }
    if (outcomes.length > 0 || before !== undefined) return;
    const isSecondPage = step.pages?.from !== undefined;
    const reason = isSecondPage
      ? 'it needs more records than one page holds; give some in a file (--records)'
      : `step ${id} had nothing to check`;
    progress.stopped = { verdict: 'inconclusive', reason };
  } catch (error) {
    progress.stopped = describeStopped(error, step, run);
  }
}

function readGiven({ operationId, parameters }: Step, { isShipped }: Scenario, { contract }: Run): Step['asks'] {
  const asked = contract.operations.find(({ id }) => id === operationId);
  const key = asked?.parameters.findLast((each) => each.in === 'path')?.name;
  const given = key === undefined ? undefined : parameters[key];
  return isShipped || given === undefined || printJson(given).startsWith('"$') ? undefined : 'given';
}

function describeStopped(error: unknown, step: Step, { contract }: Run): Stop {
  if (error instanceof Unsendable && error.verdict === 'unresolved')
    return { verdict: 'inconclusive', reason: `step ${step.id}: ${error.message}`, isUnresolved: true };
  if (error instanceof Unsendable) return { verdict: error.verdict as Verdict, reason: error.message };
  if (!(error instanceof UnresolvedReference)) throw error;
  if (/^\$run\.(?:next|following|alias)Keys/.test(error.reference))
    return { verdict: 'skipped', reason: error.reference.startsWith('$run.nextKeys') ? NOT_MADE_UP : NOT_COUNTED };
  const reason = `step ${step.id}: ${describeUnresolved(error, step, contract)}`;
  return { verdict: 'inconclusive', reason, isUnresolved: true };
}

const NOT_COUNTED = 'the target does not number its records one by one, as far as the run has seen';
const NOT_MADE_UP = `a large generated key could change the keys of all later records, since ${NOT_COUNTED}`;

function describeUnresolved({ reference, message }: UnresolvedReference, { operationId }: Step, contract: Contract) {
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

function keep(step: Step, item: unknown, outcome: StepOutcome | undefined, progress: ScenarioProgress, run: Run) {
  if (outcome === undefined) {
    const reason = `the run has reached its limit of created records; raise it with --max-creates ${countWanted(run)}`;
    progress.stopped = { verdict: 'inconclusive', reason };
    return false;
  }
  if (outcome.isInterrupted) progress.stopped = findEnd(run);
  const { response } = outcome.record;
  const at = step.expect?.records?.at ?? step.pages?.at;
  const list = at === undefined || response.status > 299 ? undefined : followPointer(response.body, at);
  if (step.operationId !== undefined && Array.isArray(list)) {
    const { longest } = run.ledger.learned;
    longest.set(step.operationId, Math.max(list.length, longest.get(step.operationId) ?? 0));
  }
  const outcomes = progress.outcomes.get(step.id);
  outcomes?.push(outcome);
  if (outcome.unmet !== undefined || hasOpenFinding(outcome)) progress.failed.get(step.id)?.add(identify(item));
  const answers = (outcomes ?? []).map(({ record }) => record.response);
  const responses = answers.filter(({ status }) => status >= 200 && status < 300).map(({ body }) => body);
  progress.records[step.id] = { ...outcome.record, responses };
  progress.steps.get(step.id)?.exchanges.push(...outcome.putOff, outcome.exchange);
  return true;
}

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

function listItems(step: Step, scope: Scope, again: ReadonlySet<unknown> | undefined): unknown[] {
  if (step.each === undefined) return [undefined];
  const all = fillTemplate(step.each.in, scope);
  if (!Array.isArray(all)) return [];
  const list: unknown[] =
    again === undefined || again.size === 0 ? all : all.filter((item) => again.has(identify(item)));
  const count = Math.min(step.each.atMost, list.length);
  if (count <= 1) return list.slice(0, count);
  return Array.from({ length: count }, (_, index) => list[Math.round((index * (list.length - 1)) / (count - 1))]);
}

const identify = (item: unknown): unknown => keyOfJson(isRecord(item) ? (item['id'] ?? item) : item);

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

export function* walkPages(step: Step, scope: Scope, outcomes: readonly StepOutcome[]): Generator<AskedPage> {
  const { pages: walk } = step;
  if (walk === undefined) return;
  if (walk.from !== undefined) {
    const first: AskedPage = { turn: null, before: [], isLast: false, walk };
    const second = turnPage({ status: 200, headers: {}, body: fillTemplate(walk.from, scope) }, first);
    if (second !== undefined) yield { ...first, turn: second, isLast: true };
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
    const page: AskedPage = { turn, link, before, lastLength, totals: [...totals], isAnnounced, isLast, walk };
    yield page;
    const answer = outcomes.at(-1)?.record.response;
    const read = answer === undefined ? undefined : readPage(answer, page, 0);
    if (answer === undefined || read === undefined) return;
    turn = turnPage(answer, page);
    link = readNextQuery(answer, walk);
    // A million arguments are more than a call may have.
    before = before.concat(read.records);
    isAnnounced = readEnd(answer, before.length, walk) === false;
    lastLength = read.records.length;
    totals.push(readTotal(rule ?? {}, answer));
    const keys = rule?.has?.map(({ key }) => ({ key }));
    const has = fillTemplate(keys, scope) as typeof keys;
    if (rule !== undefined && isAllFound(has === undefined ? rule : { ...rule, has }, before)) return;
  }
}

function askPage(step: Step, page: AskedPage): Step {
  const { link } = page;
  const asked = link === undefined ? step : { ...step, query: new Literal(link) };
  const { status } = step.expect ?? {};
  const beyond = listBeyond(page);
  if (beyond.length === 0 || status === undefined) return asked;
  return { ...asked, expect: { ...step.expect, status: [...[status].flat(), ...beyond] } };
}

function describeRun(run: Run): Scope['run'] {
  return {
    // At one time, since what is asked for with it and what is sent must be the same.
    nextKeys: ofEachCreate(run, chooseNextKey),
    get followingKeys() {
      return ofEachCreate(run, (keys) => {
        const ids = keys.slice(1).map(readInteger);
        const isNew = (key: bigint): boolean => !run.ledger.isKeyShown(key);
        const following = ids.every((id) => id !== undefined) ? listFollowing(ids, isNew) : [];
        return following.length === 0 ? undefined : following;
      });
    },
    get aliasKeys() {
      return ofEachCreate(run, ([, key]) => nameAliases(key));
    },
    get shown() {
      const subjects = readSubjects(run.contract);
      return Object.fromEntries(subjects.map((subject) => [subject.name, run.ledger.countShown(subject)]));
    },
    get parameters() {
      return chooseFree(run.contract, run.prepareOptions.parameters);
    },
  };
}

function ofEachCreate<T>({ ledger }: Run, read: (keys: readonly unknown[]) => T): Record<string, T> {
  const found = [...ledger.createdKeys].map(([operation, keys]) => [operation, read(keys)] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

function readInteger(key: unknown): bigint | undefined {
  return /^-?\d{1,18}$/.test(String(key)) ? BigInt(String(key)) : undefined;
}

function nameAliases(key: unknown): Record<string, Int64 | string> {
  const exact = readInteger(key);
  if (exact === undefined || exact <= 0n) return {};
  const found = { sign: -exact, bits: exact + 2n ** 32n, 'last-digit': exact / 10n, 'another-digit': exact * 10n + 1n };
  const integers = Object.entries(found).map(([name, other]) => [name, normalizeInteger(other)] as const);
  return { ...Object.fromEntries(integers), fraction: `${exact}.5`, letters: `${exact}abc` };
}

const chooseNextKey = readOnce((keys: readonly unknown[]): Int64 | undefined => {
  const ids = keys.flatMap((key) => (/^\d{1,18}$/.test(String(key)) ? BigInt(String(key)) : []));
  const own = ids.length > 2 ? ids.slice(1) : ids;
  const [first = 0n] = own;
  const highest = ids.reduce((most, id) => (id > most ? id : most), 0n);
  const lowest = own.reduce((least, id) => (id < least ? id : least), highest);
  const isRising = highest - lowest <= 8n * BigInt(own.length) && first - lowest < highest - first;
  if (new Set(own).size < 2 || ids.length !== keys.length || !isRising) return undefined;
  const distances = BigInt(own.length - 1);
  const apart = (highest - lowest + distances - 1n) / distances;
  const step = own.reduce((all, id) => greatestCommonDivisor(all, id - first), 0n);
  const further = 12n * apart;
  return normalizeInteger(highest + further - (further % step) + (step > 1n ? 1n : 0n));
});

const FOLLOWING = 5;
const NEAR = 10_000n;

function listFollowing(all: readonly bigint[], isNew: (id: bigint) => boolean): Int64[] {
  const ids = all.slice(-FOLLOWING);
  const [first = 0n, last = 0n] = [ids[0], ids.at(-1)];
  const distances = ids.slice(1).map((id, index) => id - (ids[index] ?? 0n));
  const apart = distances.reduce(greatestCommonDivisor, 0n);
  if (apart === 0n || distances.some((distance) => distance > NEAR || distance < -NEAR)) return [];
  const found = new Set<bigint>();
  for (const step of [1n, apart].map((each) => (last < first ? -each : each)))
    for (let id = last + step, count = 0; count < FOLLOWING && id >= INT64_MIN && id <= INT64_MAX; id += step) {
      if (!isNew(id)) continue;
      found.add(id);
      count += 1;
    }
  return [...found].map(normalizeInteger);
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  if (other === 0n) return one < 0n ? -one : one;
  return greatestCommonDivisor(other, one % other);
}

export type ScenarioProgress = ReturnType<typeof createProgress>;

export type Stop = { verdict: Verdict; reason: string; isUnresolved?: boolean; isUsedUp?: boolean };

export function findEnd(run: Pick<Run, 'signal' | 'limit'>): Stop | undefined {
  if (run.signal.aborted) return { verdict: 'inconclusive', reason: String(run.signal.reason) };
  return run.limit.isUsedUp() ? { verdict: 'skipped', reason: USED_UP, isUsedUp: true } : undefined;
}

export function createProgress() {
  return {
    steps: new Map<string, StepResult>(),
    records: {} as Record<string, StepRecord>,
    outcomes: new Map<string, StepOutcome[]>(),
    failed: new Map<string, Set<unknown>>(),
    stopped: undefined as Stop | undefined,
    blockedAt: undefined as string | undefined,
  };
}

const LIKELY = [
  16, 20, 24, 30, 32, 40, 50, 60, 64, 80, 100, 120, 127, 128, 150, 200, 250, 255, 256, 300, 400, 500, 512, 1000, 1023,
  1024, 1500, 2000, 2048, 4000, 4095, 4096, 5000, 8000, 8191, 8192, 10000, 16383, 16384, 32767, 32768, 65535,
];

const FIRST_LENGTH = 4000;

function* searchNames({ to, atMost, field }: Search, outcomes: readonly StepOutcome[], run: Run): Generator {
  for (let tries = 0; tries < atMost; tries++) {
    const name = run.ledger.texts.nextName();
    const bracket = readBracket(outcomes, name.length, field);
    if (bracket === undefined) return;
    const { taken, refused } = bracket;
    let length = [FIRST_LENGTH, to].find((each) => each > taken && each <= to);
    if (refused !== undefined) {
      const telling = LIKELY.flatMap((limit) => [limit, limit + 1]).filter((each) => each > taken && each < refused);
      const distinct = [...new Set(telling)];
      const middle = distinct[Math.floor(distinct.length / 2)] ?? Math.floor((taken + refused) / 2);
      length = refused - taken <= 1 ? undefined : middle;
    }
    if (length === undefined) return;
    yield { length, name: name.padEnd(length, 'x') };
  }
}

type Search = NonNullable<Step['search']>;

function readBracket(outcomes: readonly StepOutcome[], shortest: number, field = 'name') {
  const lengthOf = ({ record: { request } }: StepOutcome): number =>
    String((request.body as Record<string, unknown> | undefined)?.[field]).length;
  const isTaken = ({ record: { response } }: StepOutcome): boolean => isAlike(response.status, '2XX');
  const rejected = outcomes.filter((each) => !isTaken(each));
  if (!rejected.every(({ record: { response } }) => [400, 413, 422].includes(response.status))) return undefined;
  const taken = Math.max(shortest, ...outcomes.filter(isTaken).map(lengthOf));
  return { taken, refused: rejected.length === 0 ? undefined : Math.min(...rejected.map(lengthOf)) };
}

function concludeSearch(search: Search, outcomes: readonly StepOutcome[], run: Run): Seen | { needs: string } {
  const { to, field = 'name' } = search;
  const bracket = readBracket(outcomes, run.ledger.texts.mark.length + COUNTED, field);
  if (bracket === undefined || outcomes.length === 0)
    return { needs: 'a target that either accepts or rejects each name' };
  const { taken, refused } = bracket;
  if (refused === undefined)
    return { name: 'none', evidence: `a ${field} of ${to} letters was accepted, and no longer one was sent` };
  const evidence = `a ${field} of ${taken} letters was accepted, one of ${refused} rejected`;
  return refused - taken > 1 ? { needs: `more attempts: ${evidence}` } : { name: String(taken), evidence };
}

function hasDeviation({ exchange, putOff }: StepOutcome): boolean {
  return [...putOff, exchange].some(({ findings }) => findings.some(({ severity }) => severity === 'deviation'));
}

function hasOpenFinding(outcome: StepOutcome): boolean {
  return hasDeviation(outcome) || outcome.exchange.findings.some(({ gap }) => gap !== undefined);
}
