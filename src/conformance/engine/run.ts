import { readOnce } from '../../contract/document/document.js';
import { interrupted, MACHINE_CLOCK, createPoliteSend, createSharedAnswers } from '../http/send-politely.js';
import type { Send, Ask, PoliteOptions, Timing } from '../http/send-politely.js';
import type { Contract } from '../../contract/contract.js';
import { createCoverage } from '../../contract/coverage.js';
import { createEvidenceKeeper, readExpectations, type KnownDeviations } from './baseline.js';
import { createLookBudget, createInVain, createPatience } from '../confirm/confirm.js';
import { RecordLedger, followLooks } from '../ledger/record-ledger.js';
import { readPairs } from '../http/prepare-request.js';
import { createCredentialKeeper } from '../http/keep-credentials.js';
import { MOST_RESOURCES, type Scenario, type Step } from '../model/scenario.js';
import { hasBegun, isReading, type WireRequest, type Unanswered, type WireAnswer } from '../model/exchange.js';
import { createGapRecorder } from './gaps.js';
import { isToBeRefused, sendsPost } from '../scenarios/check-scenario.js';
import { readSubjects } from '../resources/resource-under-test.js';
import { isOnThisMachine, readRunKeys, listSources, type RunKeys } from '../http/request-credentials.js';
import { setMaxListeners } from 'node:events';
import { createHttpClient, type Route } from '../http/http-client.js';
import { randomInt } from 'node:crypto';
import { readPackageVersion } from '../../package-files.js';
import type { ConformanceOptions, HookedRequest, HookedRun, RunHooks } from '../model/options.js';
import type { CreatedOf } from '../model/result.js';
import { wordsOf } from '../../contract/gaps/gaps.js';
import { isTelling, listEchoes, listSecrets, type RunRedactor } from './redact.js';
import { createMark, drawStart, RunTexts } from '../ledger/shown-records.js';
import { PetstoreMockError } from '../../errors.js';

export const DEFAULTS = { timeoutMs: 10_000, maxCreates: 60, maxTimeMs: 15 * 60_000 };

interface Given {
  target: URL;
  contract: Contract;
  known: KnownDeviations;
  route: Route;
  redact: RunRedactor;
  isNever: (request: Pick<WireRequest, 'method' | 'target'>) => boolean;
  scenarios: readonly Scenario[];
}

export type Running = ReturnType<typeof createRun>;
export type Run = Running['run'];
export type ScenarioRun = Run & { ask: Ask };

type Counts = { requests: number; created: number; createdOf?: CreatedOf[] };

export function createRun(options: ConformanceOptions, given: Given) {
  const { contract, target, route, redact, isNever } = given;
  const { timeoutMs = DEFAULTS.timeoutMs, maxTimeMs = DEFAULTS.maxTimeMs, rate, onEvent } = options;
  const counts: Counts = { requests: 0, created: 0 };
  const notes = new Map<string, number>();
  const note = (text: string): void => void notes.set(text, 1);
  if (options.tls?.insecure === true && target.protocol === 'https:')
    note('certificates were not checked (--insecure): another server may have responded');
  if (route.proxy !== undefined) note(`every request went through the proxy ${route.proxy}`);
  const stop = followSignal(options.signal);
  const signal: AbortSignal = stop.signal;
  const end = (why: string): void => {
    note(`the run ended early: ${why}`);
    stop.abort(why);
  };
  const gaps = createGapRecorder({ contract, now: Date.now() });
  const clock = limitTime(maxTimeMs, signal, end);
  const own = readOptions(options, given);
  const credentials = createCredentialKeeper({
    contract,
    target,
    sources: listSources(options.credentials ?? {}),
    userAgent: own.prepareOptions.userAgent,
    timeoutMs,
    tls: options.tls,
    onSecret: redact.learn,
    onExpired: end,
    onUnstated: (operation, alone) => noteUnstated(own.prepareOptions.keys, operation, alone, note),
    signal,
  });
  const hooks = callHooks(options.hooks ?? {}, end);
  const follow = (send: Send): Send => {
    const hooked = hooks.follow(send);
    return credentials.follow(async (request, onPutOff) =>
      isNever(request) ? interrupted('it is never to be sent (--never)') : hooked(request, onPutOff),
    );
  };
  const client = createHttpClient({ target, route, timeoutMs, signal });
  const heard = async (request: WireRequest): Promise<WireAnswer> => {
    const answer = await client.send(request);
    gaps.hear(answer);
    return answer;
  };
  const onSent = (): void => void (counts.requests += 1);
  const onWait = (reason: string, ms: number): void => onEvent?.({ type: 'waiting', reason, ms });
  const onNote = (text: string): void => void notes.set(text, (notes.get(text) ?? 0) + 1);
  const around = { rate, onWait, onNote, onSent, signal };
  const polite = createPoliteSend({ ...around, client: { ...client, send: heard }, deadline: clock.deadline });
  let whyUnavailable: string | undefined;
  const onLost = (why: string): void => end((whyUnavailable = why));
  const watched = giveUpWhenSilent(waitOutOutages(follow(polite), { onWait, onNote, onLost, signal }), stop, note);
  const limit = createRequestLimit(options.maxRequests, () => counts.requests);
  const shared = createSharedAnswers();
  const send = followLooks(own.ledger, shared.follow(limit.keep(watched.send)), own.prepareOptions);
  const run = {
    ...Object.assign(own, { credentials, isNever, send, limit, shared, signal, note }),
    looks: createLookBudget(send),
    ...countCreates(options.maxCreates ?? countAllowed(contract), counts, contract),
    observe: gaps.note,
    noteOnce: createFirstNotes(notes),
  };
  const open = (until: AbortSignal): Send => {
    const last = createHttpClient({ target, route, timeoutMs, signal: until });
    const quiet = { client: last, rate, onWait: () => {}, onNote: () => {}, onSent, signal: until };
    return stopWhenSilent(follow(sendUntilServed(createPoliteSend(quiet), until)));
  };
  const close = (): void => {
    clock.stop();
    client.close();
  };
  const whyLost = (): string | undefined => watched.whyLost() ?? whyUnavailable;
  const parts = { run, counts, gaps, notes, whyLost, credentials, hooks, close };
  return { ...parts, sendPatiently: watched.listen, isOutOfTime: clock.isOver, open };
}

/** Notes each thing once, before all that was noted until then. */
function createFirstNotes(notes: Map<string, number>) {
  const told = new Set<string>();
  return (key: string, text: string): void => {
    if (told.has(key)) return;
    told.add(key);
    const others = [...notes];
    notes.clear();
    for (const [note, times] of [[text, 1] as const, ...others]) notes.set(note, times);
  };
}

function noteUnstated(keys: RunKeys, operation: string, alone: string | undefined, note: (text: string) => void): void {
  const sent = alone === undefined ? 'those that were given are' : `that of \`${alone}\` alone is`;
  const text = `the target asks for credentials where the contract does not, as for ${operation}: ${sent} sent there`;
  if (keys.unstated === undefined) note(text);
  keys.alone ??= alone;
  keys.unstated = (keys.unstated ?? new Set()).add(operation);
}

function countCreates(most: number, counts: Counts, contract: Contract) {
  let wrong = 0;
  return {
    creates: createBudget(most, () => counts.created - wrong),
    wrongCreates: createBudget(most, () => wrong),
    countCreated: (operationId: string | undefined, isAllowed: boolean): void => {
      counts.created += 1;
      if (!isAllowed) wrong += 1;
      const subject = readSubjects(contract).find(({ roles }) => roles.create?.operation.id === operationId);
      if (subject === undefined) return;
      const { record: one, records: many } = wordsOf(subject.resource);
      const known = counts.createdOf?.find((each) => each.many === many);
      if (known === undefined) (counts.createdOf ??= []).push({ one, many, count: 1 });
      else known.count += 1;
    },
  };
}

function readOptions(options: ConformanceOptions, { contract, redact, known, target, scenarios }: Given) {
  const texts = new RunTexts(
    createMark(() => randomInt(26)),
    drawStart(randomInt),
  );
  return {
    contract,
    prepareOptions: {
      contract,
      basePath: target.pathname.replace(/\/+$/, ''),
      keys: {
        ...readRunKeys(options.apiKey, options.credentials ?? {}, options.isKeyGuessed),
        second: options.credentialB,
      },
      extraHeaders: options.headers ?? {},
      parameters: readPairs(options.parameter ?? []),
      userAgent: `petstore-conformance/${readPackageVersion()}`,
    },
    host: target.host,
    expectations: readExpectations(options.expect ?? [], contract),
    secrets: listSecrets(options).filter(isTelling).flatMap(listEchoes),
    redact,
    strict: options.strict ?? false,
    readOnly: options.readOnly ?? false,
    keeps: options.keep ?? false,
    may: options.may ?? (isOnThisMachine(target) ? CONSENTS : ['create' as const]),
    ledger: new RecordLedger(contract, texts),
    planned: scenarios,
    patience: createPatience(options.settleMs),
    inVain: createInVain(),
    evidence: createEvidenceKeeper(),
    coverage: createCoverage(contract),
    outputs: new Map<string, Record<string, unknown>>(),
    known,
  };
}

function callHooks({ before, after, request: change }: RunHooks, onFailed: (why: string) => void) {
  let why: string | undefined;
  const call = async (name: string, hook: RunHooks['before'], run: HookedRun): Promise<void> => {
    try {
      await hook?.(run);
    } catch (error) {
      throw new PetstoreMockError('bad-handler', `${describeFailure(name, error)}.`);
    }
  };
  return {
    before: (run: HookedRun): Promise<void> => call('before', before, run),
    after: (run: HookedRun): Promise<void> => call('after', after, run),
    follow(send: Send): Send {
      if (change === undefined) return send;
      return async (request, onPutOff) => {
        if (why !== undefined) return interrupted(why);
        let changed: WireRequest;
        try {
          changed = apply(request, await change(describe(request)));
        } catch (error) {
          if (why === undefined) onFailed((why = describeFailure('request', error)));
          return interrupted(why);
        }
        return send(changed, onPutOff);
      };
    },
  };
}

function describeFailure(name: string, error: unknown): string {
  return `the hook ${name} failed: ${(error instanceof Error ? error.message : String(error)).replace(/\.$/, '')}`;
}

function describe({ method, target, headers, body }: WireRequest): HookedRequest {
  const text = body === undefined ? undefined : Buffer.from(body).toString('utf8');
  return { method, path: target, headers: structuredClone(headers) as HookedRequest['headers'], body: text };
}

function apply(request: WireRequest, change: unknown): WireRequest {
  if (change === undefined || change === null) return request;
  if (typeof change !== 'object') throw new TypeError('it must return an object, or nothing');
  const given = change as Partial<HookedRequest>;
  const isNewBody = 'body' in given && given.body !== describe(request).body;
  const body = isNewBody ? (given.body === undefined ? undefined : Buffer.from(given.body)) : request.body;
  const headers = { ...(given.headers ?? request.headers) };
  const length = Object.keys(headers).find((name) => name.toLowerCase() === 'content-length');
  if (isNewBody && length !== undefined) headers[length] = String(body?.length ?? 0);
  return { ...request, method: given.method ?? request.method, target: given.path ?? request.target, headers, body };
}

type OutageOptions = Pick<PoliteOptions, 'onWait' | 'onNote' | 'signal' | 'clock'> & { onLost: (why: string) => void };

export const MOST_OUTAGE_MS = 15_000;
const FIRST_PAUSE_MS = 250;

/** Why nothing was served: 502, 503 and 504 come from what stands before a service (RFC 9110 section 15.6), or nothing listens. */
function readUnavailable(answer: WireAnswer): string | undefined {
  if (answer.kind === 'answered')
    return answer.status >= 502 && answer.status <= 504 ? String(answer.status) : undefined;
  return answer.reason === 'refused' ? answer.detail : undefined;
}

const isDropped = (answer: WireAnswer): boolean => answer.kind === 'unanswered' && answer.reason === 'dropped';

/** An outage: a request was not served, and what was served before is not served either. One note; all is sent again. */
export function waitOutOutages(send: Send, { clock = MACHINE_CLOCK, ...options }: OutageOptions): Send {
  const served = new Map<string, WireRequest>();
  let outage: Promise<boolean> | undefined;
  let endedAt = Number.NEGATIVE_INFINITY;
  let isLost = false;
  let isSilent = false; // What drops every connection is no outage, and not asked again until it serves something.
  const waitUntilOver = async (request: WireRequest): Promise<boolean> => {
    let told: string | undefined;
    const since = clock.now();
    for (let pauseMs = FIRST_PAUSE_MS, round = 0; !options.signal.aborted; round++) {
      const others = [...served].filter(([path]) => path !== pathOf(request)).map(([, each]) => each);
      const asked = (others.length === 0 ? [...served.values()] : others).slice(-2);
      const answers = await Promise.all(asked.map((each) => send({ ...each, alone: true })));
      isSilent = answers.every(isDropped);
      const whys = answers.map(readUnavailable);
      const isOver = whys.includes(undefined);
      if (isOver && round === 0) return false;
      told ??= whys[0] ?? '';
      if (isOver) {
        options.onNote(`the target was unavailable for a while (${told}); the run waited and went on`);
        endedAt = clock.now();
        return true;
      }
      if (clock.now() - since > MOST_OUTAGE_MS) break;
      options.onWait(`the target is unavailable (${told})`, pauseMs);
      await clock.pause(pauseMs, options.signal);
      pauseMs = Math.min(2 * pauseMs, 2000);
    }
    if (options.signal.aborted) return false;
    isLost = true;
    options.onLost(`the target was unavailable for ${MOST_OUTAGE_MS / 1000} s (${told})`);
    return false;
  };
  return async (request, onPutOff) => {
    for (let repeats = 0; ; repeats++) {
      await outage;
      const sentAt = clock.now();
      const answer = await send(request, onPutOff);
      if (readUnavailable(answer) === undefined && !isDropped(answer)) {
        isSilent = false;
        if (isReading(request) && answer.kind === 'answered' && answer.status < 500) noteLast(served, request, 4);
        if (repeats === 0 || isReading(request) || answer.kind === 'unanswered') return answer;
        // What was sent before an outage may have been carried out, and what is refused now may be so for that.
        return [404, 409, 410, 412].includes(answer.status) ? UNKNOWN : answer;
      }
      if (isLost || (isSilent && isDropped(answer)) || repeats === 2) return answer;
      if (served.size === 0 || options.signal.aborted) return answer;
      if (sentAt < endedAt) continue;
      outage ??= waitUntilOver(request).finally(() => (outage = undefined));
      if (!(await outage)) return answer;
    }
  };
}

const UNKNOWN: WireAnswer = {
  kind: 'unanswered',
  reason: 'unavailable',
  detail: 'the target was unavailable while it was asked, and may have carried the request out',
  durationMs: 0,
};

const pathOf = ({ target }: WireRequest): string => target.split('?', 1)[0] ?? '';

function noteLast(last: Map<string, WireRequest>, request: WireRequest, most: number): void {
  last.delete(pathOf(request));
  last.set(pathOf(request), request);
  const [oldest] = last.keys();
  if (last.size > most && oldest !== undefined) last.delete(oldest);
}

export function sendUntilServed(send: Send, signal: AbortSignal, { now, pause }: Timing = MACHINE_CLOCK): Send {
  let waitedMs = 0;
  return async (request, onPutOff) => {
    for (let round = 0; ; round++) {
      const answer = await send(request, onPutOff);
      if (readUnavailable(answer) === undefined) return answer;
      if (round === 6 || waitedMs >= MOST_OUTAGE_MS || signal.aborted) return answer;
      const since = now();
      await pause(FIRST_PAUSE_MS * 2 ** round, signal);
      waitedMs += now() - since;
    }
  };
}

function followSignal(signal: AbortSignal | undefined): AbortController {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const interrupt = (): void => stop.abort('the run was interrupted');
  signal?.addEventListener('abort', interrupt, { once: true });
  if (signal?.aborted === true) interrupt();
  return stop;
}

function limitTime(maxTimeMs: number, signal: AbortSignal, onEnd: (why: string) => void) {
  let isOver = false;
  const end = (): void => {
    if (signal.aborted) return;
    isOver = true;
    onEnd(`the time of the run was over (--max-time ${maxTimeMs / 1000})`);
  };
  const timer = setTimeout(end, Math.min(maxTimeMs, LONGEST_TIMER_MS));
  const deadline = performance.now() + maxTimeMs;
  return { deadline, isOver: (): boolean => isOver, stop: (): void => clearTimeout(timer) };
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Gone is what no longer answers what it answered before: requests of one kind without an answer are a defect. */
export function giveUpWhenSilent(send: Send, stop: AbortController, onNote: (note: string) => void) {
  let first: WireRequest | undefined;
  const last = new Map<string, WireRequest>();
  let silent = 0;
  let why: string | undefined;
  let asking: Promise<boolean> | undefined;
  const listen: Send = async (request, onPutOff) => {
    const answer = await send(request, onPutOff);
    if (!isReading(request) || answer.kind !== 'answered' || answer.cutOff !== undefined) return answer;
    first ??= request;
    noteLast(last, request, 3);
    return answer;
  };
  const answersStill = async (): Promise<boolean> => {
    const known = new Set([first ?? [], ...last.values()].flat());
    const again = [...known].map((request) => send({ ...request, alone: true }));
    return (await Promise.all(again)).some(({ kind }) => kind === 'answered');
  };
  const checkSilence = async (answer: Unanswered): Promise<void> => {
    const isThere = await (asking ??= answersStill());
    asking = undefined;
    if (isThere) silent = 0;
    if (isThere || why !== undefined || stop.signal.aborted) return;
    const none = 'the target stopped responding';
    why = hasBegun(answer) ? `no response of the target was complete: ${answer.detail}` : none;
    const what = `${silent} requests in a row got no complete response`;
    onNote(`the run ended early: ${what}, and neither did requests that had got one before`);
    stop.abort(why);
  };
  return {
    whyLost: (): string | undefined => why,
    listen,
    send: async (request: WireRequest, onPutOff?: Parameters<Send>[1]): Promise<WireAnswer> => {
      const answer = await listen(request, onPutOff);
      // An exchange that the run itself cancelled, or was too busy for, says nothing about the target.
      if (answer.kind === 'unanswered' && ['interrupted', 'starved', 'unavailable'].includes(answer.reason))
        return answer;
      silent = answer.kind === 'answered' ? 0 : silent + 1;
      if (answer.kind === 'unanswered' && silent >= 5) await checkSilence(answer);
      return answer;
    },
  };
}

function stopWhenSilent(send: Send): Send {
  let silent = 0;
  return async (request) => {
    if (silent >= 3) return interrupted('gone');
    const answer = await send(request);
    silent = answer.kind === 'unanswered' ? silent + 1 : 0;
    return answer;
  };
}

export const CONSENTS = ['create', 'update', 'remove'] as const;
export type Consent = (typeof CONSENTS)[number];

export function consentFor(step: Pick<Step, 'operationId' | 'isAtNewKey'> & Partial<Step>, contract: Contract) {
  const { operationId, isAtNewKey, request, changes } = step;
  if (request !== undefined) return OF_METHODS[request.method.toUpperCase()];
  if (changes !== undefined) return changes;
  for (const { roles } of readSubjects(contract)) {
    const isChange = [roles.replace, roles.update].some((role) => role?.operation.id === operationId);
    // A PUT creates at a key that the step before it found to be free, and changes at any other.
    if (isChange && !isAtNewKey) return 'update';
    if (isChange || roles.create?.operation.id === operationId) return 'create';
    if (roles.remove?.operation.id === operationId) return 'remove';
  }
  return undefined;
}

const OF_METHODS: Record<string, Consent> = { POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'remove' };

export function createBudget(most: number, countCreated: () => number) {
  let underWay = 0;
  const waiting: (() => void)[] = [];
  return {
    async reserve(): Promise<boolean> {
      while (countCreated() < most && countCreated() + underWay >= most)
        await new Promise<void>((resolve) => waiting.push(resolve));
      if (countCreated() >= most) return false;
      underWay += 1;
      return true;
    },
    made: countCreated,
    wanted: undefined as number | undefined,
    release(): void {
      underWay -= 1;
      for (const wake of waiting.splice(0)) wake();
    },
  };
}

const CREATES_PER_RESOURCE = 60;
const CREATES_FOR_ALL = 80;

function countAllowed(contract: Contract): number {
  const { length } = readSubjects(contract);
  const all = length * CREATES_PER_RESOURCE + Math.min(length, MOST_RESOURCES) * CREATES_FOR_ALL;
  return Math.max(DEFAULTS.maxCreates, all);
}

/** Worked out once, so that whoever raises --max-creates to it is not told a larger number by the next reason. */
export function countWanted({ contract, creates, planned }: Pick<Run, 'contract' | 'creates' | 'planned'>): number {
  if (creates.wanted !== undefined) return creates.wanted;
  const isCreate = (step: Step): boolean => {
    const asked = contract.operations.find(({ id }) => id === step.operationId);
    const method = step.request?.method ?? asked?.method ?? 'GET';
    return sendsPost(step, contract.operations) && method.toUpperCase() === 'POST' && !isToBeRefused(step);
  };
  const creating = planned.flatMap(({ steps }) => steps).filter(isCreate);
  const all = creating.reduce((sum, { each, atOnce = 1 }) => sum + (each?.atMost ?? atOnce), 0);
  creates.wanted = Math.max(creates.made() + 1, all);
  return creates.wanted;
}

export function createRequestLimit(most = Number.POSITIVE_INFINITY, countSent: () => number) {
  let allowed = 0;
  const leftOut = new Set<Scenario>();
  return {
    leftOut,
    foreseeAll: (): number => countSent() + foreseeRequests(leftOut),
    listFitting(scenarios: readonly Scenario[], running: Iterable<Scenario>): Scenario[] {
      const left = most - countSent() - foreseeRequests(running);
      return scenarios.filter((scenario) => foreseeSteps(scenario.steps) <= left);
    },
    isUsedUp: (): boolean => allowed > most,
    keep:
      (send: Send): Send =>
      async (request, onPutOff) => {
        allowed = Math.max(allowed, countSent()) + 1;
        if (allowed > most) return interrupted('the run has reached its limit of requests');
        return send(request, onPutOff);
      },
  };
}

export const USED_UP = 'the run has reached its limit of requests; raise --max-requests';

export function estimateRequests(scenarios: readonly Scenario[]): number {
  const count = foreseeRequests(scenarios);
  const unit = 10 ** Math.max(0, String(count).length - 2);
  return Math.ceil(count / unit) * unit;
}

export const foreseeRequests = (scenarios: Iterable<Pick<Scenario, 'steps'>>): number =>
  [...scenarios].reduce((sum, { steps }) => sum + foreseeSteps(steps), 0);

const foreseeSteps = readOnce((steps: Scenario['steps']): number =>
  steps.reduce((sum, { control, each, pages, search, atOnce = 1 }) => {
    if (control) return sum;
    if (search !== undefined) return sum + 2;
    if (pages !== undefined) return sum + (pages.parameter === undefined ? 1 : 2);
    return sum + (each === undefined ? atOnce : Math.min(3, each.atMost));
  }, 0),
);
