import { INT64_MAX, INT64_MIN, keyOfJson, normalizeInteger, printJson } from '../../contract/document/json.js';
import type { Int64 } from '../../contract/document/json.js';
import type { Contract } from '../../contract/contract.js';
import { isRecord } from '../checks/check.js';
import { followPointer, type AskedPage } from '../model/records.js';
import { Unsendable, swapCase } from '../http/request-credentials.js';
import { isToBeRefused, sendsPost } from '../scenarios/check-scenario.js';
import type { Scenario, Step } from '../model/scenario.js';
import { readSubjects, type Subject } from '../resources/resource-under-test.js';
import { fillTemplate, UnresolvedReference, type Scope, type StepRecord } from '../http/template.js';
import { countWanted, type Run, type ScenarioRun, USED_UP } from './run.js';
import { runExchange, type StepOutcome, type Seen } from './run-exchange.js';
import { announcesMore, listBeyond, readNextQuery, readPage, turnPage } from '../checks/pages.js';
import { readTotal, isAllFound } from '../checks/list.js';
import { Literal } from '../model/exchange.js';
import { chooseFree } from '../resources/instantiate-resources.js';
import type { StepResult, Verdict } from '../model/result.js';
import { isAlike } from '../checks/status.js';
import { COUNTED } from '../ledger/shown-records.js';

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
    isAnnounced = announcesMore(answer, before.length, page);
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

function chooseNextKey(keys: readonly unknown[]): Int64 | undefined {
  const ids = keys.flatMap((key) => (/^\d{1,18}$/.test(String(key)) ? BigInt(String(key)) : []));
  const own = ids.length > 2 ? ids.slice(1) : ids;
  const [first = 0n] = own;
  const highest = ids.reduce((most, id) => (id > most ? id : most), 0n);
  const lowest = own.reduce((least, id) => (id < least ? id : least), highest);
  const isNear = highest - lowest <= 8n * BigInt(own.length);
  const isUpwards = first - lowest < highest - first;
  if (new Set(own).size < 2 || ids.length !== keys.length || !isNear || !isUpwards) return undefined;
  const distances = BigInt(own.length - 1);
  const apart = (highest - lowest + distances - 1n) / distances;
  const step = own.reduce((all, id) => greatestCommonDivisor(all, id - first), 0n);
  const further = 12n * apart;
  return normalizeInteger(highest + further - (further % step) + (step > 1n ? 1n : 0n));
}

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

export interface ScenarioProgress {
  steps: Map<string, StepResult>;
  records: Record<string, StepRecord>;
  outcomes: Map<string, StepOutcome[]>;
  failed: Map<string, Set<unknown>>;
  stopped: Stop | undefined;
  blockedAt: string | undefined;
}

export type Stop = { verdict: Verdict; reason: string; isUnresolved?: boolean; isUsedUp?: boolean };

export function findEnd(run: Pick<Run, 'signal' | 'limit'>): Stop | undefined {
  if (run.signal.aborted) return { verdict: 'inconclusive', reason: String(run.signal.reason) };
  return run.limit.isUsedUp() ? { verdict: 'skipped', reason: USED_UP, isUsedUp: true } : undefined;
}

export function createProgress(): ScenarioProgress {
  const empty = { records: {}, stopped: undefined, blockedAt: undefined };
  return { ...empty, steps: new Map(), outcomes: new Map(), failed: new Map() };
}

const LIKELY = [
  16, 20, 24, 30, 32, 40, 50, 60, 64, 80, 100, 120, 127, 128, 150, 200, 250, 255, 256, 300, 400, 500, 512, 1000, 1023,
  1024, 1500, 2000, 2048, 4000, 4095, 4096, 5000, 8000, 8191, 8192, 10000, 16383, 16384, 32767, 32768, 65535,
];

const FIRST = [4000];

type LimitBracket = { taken: number; refused: number | undefined };

function pickLength({ taken, refused }: LimitBracket, longest: number): number | undefined {
  if (refused === undefined)
    return FIRST.find((each) => each > taken && each < longest) ?? (taken < longest ? longest : undefined);
  if (refused - taken <= 1) return undefined;
  const telling = LIKELY.flatMap((limit) => [limit, limit + 1]).filter((each) => each > taken && each < refused);
  const distinct = [...new Set(telling)];
  return distinct[Math.floor(distinct.length / 2)] ?? Math.floor((taken + refused) / 2);
}

function* searchNames({ to, atMost, field }: Search, outcomes: readonly StepOutcome[], run: Run): Generator {
  for (let tries = 0; tries < atMost; tries++) {
    const name = run.ledger.texts.nextName();
    const bracket = readBracket(outcomes, name.length, field);
    const length = bracket === undefined ? undefined : pickLength(bracket, to);
    if (length === undefined) return;
    yield { length, name: name.padEnd(length, 'x') };
  }
}

type Search = NonNullable<Step['search']>;

function readBracket(outcomes: readonly StepOutcome[], shortest: number, field = 'name'): LimitBracket | undefined {
  const tried = outcomes.map(({ record: { request, response } }) => ({
    length: String((request.body as Record<string, unknown> | undefined)?.[field]).length,
    status: response.status,
  }));
  const taken = tried.filter(({ status }) => isAlike(status, '2XX'));
  const refused = tried.filter(({ status }) => !isAlike(status, '2XX'));
  if (!refused.every(({ status }) => [400, 413, 422].includes(status))) return undefined;
  const shortestRefused = refused.length === 0 ? undefined : Math.min(...refused.map(({ length }) => length));
  return { taken: Math.max(shortest, ...taken.map(({ length }) => length)), refused: shortestRefused };
}

export function concludeSearch(search: Search, outcomes: readonly StepOutcome[], run: Run): Seen | { needs: string } {
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

export function hasDeviation({ exchange, putOff }: StepOutcome): boolean {
  return [...putOff, exchange].some(({ findings }) => findings.some(({ severity }) => severity === 'deviation'));
}

export function hasOpenFinding(outcome: StepOutcome): boolean {
  return hasDeviation(outcome) || outcome.exchange.findings.some(({ gap }) => gap !== undefined);
}
