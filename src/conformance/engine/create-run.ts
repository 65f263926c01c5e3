import { randomInt } from 'node:crypto';
import type { Contract } from '../../contract/contract.js';
import { createCoverage } from '../../contract/coverage.js';
import { readPackageVersion } from '../../package-files.js';
import type { KnownDeviations } from './baseline.js';
import { followSignal, giveUpWhenSilent, limitTime, waitOutOutages } from './outages.js';
import { createEvidenceKeeper, readExpectations } from './findings.js';
import { readRunKeys, type RunKeys } from '../http/request-credentials.js';
import type { Scenario } from '../model/scenario.js';
import { createHttpClient, type Route } from '../http/http-client.js';
import type { ConformanceOptions, HookedRequest, HookedRun, RunHooks } from '../model/options.js';
import type { CreatedOf, LeftBehind } from '../model/result.js';
import { readSubjects } from '../resources/resource-under-test.js';
import { wordsOf } from '../../contract/gaps/gaps.js';
import { cleanUp, listLeftovers, type CleanedUp } from './created-records.js';
import { countAllowed, createBudget, defaultConsents, createRequestLimit, type Run } from './run.js';
import { createLookBudget, createInVain, createPatience } from '../confirm/confirm.js';
import { isTelling, listEchoes, listSecrets, type RunRedactor } from './redact.js';
import { createGapRecorder, type GapRecorder } from './gaps.js';
import { followLooks } from '../ledger/looks.js';
import { RecordLedger } from '../ledger/record-ledger.js';
import { createMark, drawStart, RunTexts } from '../ledger/run-texts.js';
import { createCredentialKeeper, type CredentialKeeper } from '../http/keep-credentials.js';
import { listSources } from '../http/read-given.js';
import { createPoliteSend, type Send, createSharedAnswers } from '../http/send-politely.js';
import { readPairs } from '../http/parameters.js';
import { PetstoreMockError } from '../../errors.js';
import type { WireAnswer, WireRequest } from '../model/exchange.js';

export interface Running {
  run: Run;
  sendPatiently: Send;
  counts: { requests: number; created: number; createdOf?: CreatedOf[] };
  gaps: GapRecorder;
  notes: Map<string, number>;
  /** Why the run gave its target up, as a sentence without a full stop; `undefined` if it did not. */
  whyLost: () => string | undefined;
  credentials: CredentialKeeper;
  hooks: ReturnType<typeof callHooks>;
  listLeftovers: () => LeftBehind[];
  cleanUp: () => Promise<CleanedUp>;
  isOutOfTime: () => boolean;
  close: () => void;
}

export const DEFAULTS = { timeoutMs: 10_000, maxCreates: 60, maxTimeMs: 15 * 60_000 };

interface Given {
  target: URL;
  contract: Contract;
  known: KnownDeviations;
  route: Route;
  redact: RunRedactor;
  isNever: Run['isNever'];
  scenarios: readonly Scenario[];
}

export function createRun(options: ConformanceOptions, given: Given): Running {
  const counts: Running['counts'] = { requests: 0, created: 0 };
  const onSent = (): void => void (counts.requests += 1);
  const notes = new Map<string, number>();
  if (options.tls?.insecure === true && given.target.protocol === 'https:')
    notes.set('certificates were not checked (--insecure): another server may have responded', 1);
  if (given.route.proxy !== undefined) notes.set(`every request went through the proxy ${given.route.proxy}`, 1);
  const gaps = createGapRecorder({ contract: given.contract, now: Date.now() });
  const stop = followSignal(options.signal);
  const clock = limitTime(options.maxTimeMs ?? DEFAULTS.maxTimeMs, stop, (note) => notes.set(note, 1));
  const timeoutMs = options.timeoutMs ?? DEFAULTS.timeoutMs;
  const own = readOptions(options, given);
  const credentials = keepCredentials(options, given, { notes, stop, timeoutMs, keys: own.prepareOptions.keys });
  const hooks = callHooks(options.hooks ?? {}, (why) => {
    notes.set(`the run ended early: ${why}`, 1);
    stop.abort(why);
  });
  const follow = (send: Send): Send => credentials.follow(rejectNever(hooks.follow(send), given.isNever));
  const sending = { gaps, notes, clock, stop, onSent, timeoutMs, follow };
  const { client, watched } = createSending(options, given, sending);
  const limit = createRequestLimit(options.maxRequests, () => counts.requests);
  const shared = createSharedAnswers();
  const send = followLooks(own.ledger, shared.follow(limit.keep(watched.send)), own.prepareOptions);
  const run: Run = {
    ...own,
    credentials,
    isNever: given.isNever,
    follow,
    send,
    looks: createLookBudget(send),
    limit,
    shared,
    ...countCreates(options.maxCreates ?? countAllowed(given.contract, DEFAULTS.maxCreates), counts, given.contract),
    observe: (exchange) => gaps.note(exchange),
    note: (text, isFirst = false) => {
      const others = isFirst ? [...notes] : [];
      if (isFirst) notes.clear();
      notes.set(text, 1);
      for (const [other, times] of others) notes.set(other, times);
    },
    signal: stop.signal,
  };
  const cleaning = { ...given, timeoutMs, rate: options.rate, keep: options.keep ?? false, onSent };
  return {
    run,
    sendPatiently: watched.listen,
    counts,
    gaps,
    notes,
    listLeftovers: () => listLeftovers(run, cleaning.keep),
    cleanUp: () => cleanUp(run, cleaning),
    whyLost: watched.whyLost,
    credentials,
    hooks,
    isOutOfTime: clock.isOver,
    close: () => {
      clock.stop();
      client.close();
    },
  };
}

interface Sending {
  gaps: GapRecorder;
  notes: Map<string, number>;
  clock: ReturnType<typeof limitTime>;
  stop: ReturnType<typeof followSignal>;
  onSent: () => void;
  timeoutMs: number;
  follow: Run['follow'];
}

function rejectNever(send: Send, isNever: Run['isNever']): Send {
  const detail = 'it is never to be sent (--never)';
  return async (request, onPutOff) =>
    isNever(request) ? { kind: 'unanswered', reason: 'interrupted', detail, durationMs: 0 } : send(request, onPutOff);
}

function keepCredentials(
  { credentials = {}, tls }: ConformanceOptions,
  { contract, target, redact }: Given,
  { notes, stop, timeoutMs, keys }: Pick<Sending, 'notes' | 'stop' | 'timeoutMs'> & { keys: RunKeys },
): CredentialKeeper {
  return createCredentialKeeper({
    contract,
    target,
    sources: listSources(credentials),
    userAgent: nameUserAgent(),
    timeoutMs,
    tls,
    onSecret: redact.learn,
    onExpired: (why) => {
      notes.set(`the run ended early: ${why}`, 1);
      stop.abort(why);
    },
    onUnstated: (operation, alone) => {
      const sent = alone === undefined ? 'those that were given are' : `that of \`${alone}\` alone is`;
      const note = `the target asks for credentials where the contract does not, as for ${operation}: ${sent} sent there`;
      if (keys.unstated === undefined) notes.set(note, 1);
      keys.alone ??= alone;
      keys.unstated = (keys.unstated ?? new Set()).add(operation);
    },
    signal: stop.signal,
  });
}

function createSending(options: ConformanceOptions, given: Given, sending: Sending) {
  const { gaps, notes, clock, stop, follow } = sending;
  const client = createHttpClient({ ...given, timeoutMs: sending.timeoutMs, signal: stop.signal });
  const onWait = (reason: string, ms: number): void => options.onEvent?.({ type: 'waiting', reason, ms });
  const onNote = (note: string): void => void notes.set(note, (notes.get(note) ?? 0) + 1);
  const send = async (request: WireRequest): Promise<WireAnswer> => {
    const answer = await client.send(request);
    gaps.hear(answer);
    return answer;
  };
  const sendPatiently = createPoliteSend({
    client: { ...client, send },
    rate: options.rate,
    onWait,
    onNote,
    onSent: sending.onSent,
    deadline: clock.deadline,
    signal: stop.signal,
  });
  let whyUnavailable: string | undefined;
  const steady = waitOutOutages(follow(sendPatiently), {
    onWait,
    onNote,
    onLost: (why) => {
      whyUnavailable = why;
      notes.set(`the run ended early: ${why}`, 1);
      stop.abort(why);
    },
    signal: stop.signal,
  });
  const watched = giveUpWhenSilent(steady, stop, (note) => notes.set(note, 1));
  return { client, watched: { ...watched, whyLost: () => watched.whyLost() ?? whyUnavailable } };
}

function countCreates(
  most: number,
  counts: Running['counts'],
  contract: Contract,
): Pick<Run, 'creates' | 'wrongCreates' | 'countCreated'> {
  let wrong = 0;
  return {
    creates: createBudget(most, () => counts.created - wrong),
    wrongCreates: createBudget(most, () => wrong),
    countCreated: (operationId, isAllowed) => {
      counts.created += 1;
      if (!isAllowed) wrong += 1;
      const subject = readSubjects(contract).find(({ roles }) => roles.create?.operation.id === operationId);
      if (subject === undefined) return;
      counts.createdOf ??= [];
      const { record: one, records: many } = wordsOf(subject.resource);
      const known = counts.createdOf.find((each) => each.many === many);
      if (known === undefined) counts.createdOf.push({ one, many, count: 1 });
      else known.count += 1;
    },
  };
}

function readOptions(options: ConformanceOptions, given: Given) {
  const { contract, redact, known, target } = given;
  const mark = createMark(() => randomInt(26));
  const texts = new RunTexts(mark, drawStart(randomInt));
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
      userAgent: nameUserAgent(),
    },
    host: target.host,
    expectations: readExpectations(options.expect ?? [], contract),
    secrets: listSecrets(options).filter(isTelling).flatMap(listEchoes),
    redact,
    strict: options.strict ?? false,
    readOnly: options.readOnly ?? false,
    keeps: options.keep ?? false,
    may: options.may ?? defaultConsents(target),
    ledger: new RecordLedger(contract, texts),
    planned: given.scenarios,
    patience: createPatience(options.settleMs),
    inVain: createInVain(),
    evidence: createEvidenceKeeper(),
    coverage: createCoverage(contract),
    outputs: new Map<string, Record<string, unknown>>(),
    known,
  };
}

function nameUserAgent(): string {
  return `petstore-conformance/${readPackageVersion()}`;
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
  const fail = (reason: string): WireAnswer => {
    if (why === undefined) onFailed((why = reason));
    return { kind: 'unanswered', reason: 'interrupted', detail: why, durationMs: 0 };
  };
  return {
    before: (run: HookedRun): Promise<void> => call('before', before, run),
    after: (run: HookedRun): Promise<void> => call('after', after, run),
    follow(send: Send): Send {
      if (change === undefined) return send;
      return async (request, onPutOff) => {
        if (why !== undefined) return fail(why);
        let changed: WireRequest;
        try {
          changed = apply(request, await change(describe(request)));
        } catch (error) {
          return fail(describeFailure('request', error));
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
  const copied = Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]);
  return {
    method,
    path: target,
    headers: Object.fromEntries(copied) as HookedRequest['headers'],
    body: body === undefined ? undefined : Buffer.from(body).toString('utf8'),
  };
}

function apply(request: WireRequest, change: unknown): WireRequest {
  if (change === undefined || change === null) return request;
  if (typeof change !== 'object') throw new TypeError('it must return an object, or nothing');
  const given = change as Partial<HookedRequest>;
  // A body that is no text stays as it was, byte for byte.
  const isNewBody = 'body' in given && given.body !== describe(request).body;
  const body = isNewBody ? (given.body === undefined ? undefined : Buffer.from(given.body)) : request.body;
  const headers = { ...(given.headers ?? request.headers) };
  const length = Object.keys(headers).find((name) => name.toLowerCase() === 'content-length');
  if (isNewBody && length !== undefined) headers[length] = String(body?.length ?? 0);
  return { ...request, method: given.method ?? request.method, target: given.path ?? request.target, headers, body };
}
