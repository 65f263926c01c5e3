import { randomInt } from 'node:crypto';
import type { Contract } from '../../contract/contract.js';
import { createCoverage } from '../../contract/coverage.js';
import { readPackageVersion } from '../../package-files.js';
import type { KnownDeviations } from './known/apply-baseline.js';
import { followSignal, giveUpWhenSilent, limitTime } from './end-early.js';
import { createEvidenceKeeper } from './evidence.js';
import { readRunKeys } from '../wire/request/choose-keys.js';
import type { RunKeys } from '../wire/request/present-key.js';
import type { PrepareOptions } from '../wire/request/prepare-request.js';
import type { Scenario } from '../model/scenario.js';
import { createHttpClient, type HttpClient } from '../wire/http/http-client.js';
import type { ConformanceOptions } from '../model/options.js';
import type { CreatedOf, LeftBehind } from '../model/left-behind.js';
import { readSubjects } from '../subjects/subject.js';
import { wordsOf } from '../../contract/gaps/gap-words.js';
import { cleanUp, listLeftovers, type CleanedUp } from './cleanup.js';
import { countAllowed, createBudget, defaultConsents } from './creates.js';
import { readExpectations } from './expected-here.js';
import { waitOutOutages } from './outages.js';
import { createLookBudget } from '../confirm/budget.js';
import { createInVain, createPatience } from '../confirm/wait.js';
import { isTelling, listEchoes, listSecrets, type RunRedactor } from './redact/list-secrets.js';
import { createGapRecorder, type GapRecorder } from './gaps/observed-profile.js';
import { followLooks } from '../ledger/looks.js';
import { RecordLedger } from '../ledger/record-ledger.js';
import { createMark, drawStart, RunTexts } from '../ledger/run-texts.js';
import { createRequestLimit } from './order/request-limit.js';
import { createCredentialKeeper, type CredentialKeeper } from '../wire/credentials/keep-credentials.js';
import { listSources } from '../wire/credentials/read-source.js';
import { callHooks, type Hooks } from '../wire/http/call-hooks.js';
import type { Route } from '../wire/http/route.js';
import type { Run } from './run.js';
import { createPoliteSend, type Send } from '../wire/http/send-politely.js';
import { createSharedAnswers } from '../wire/request/share-answers.js';
import { readPairs } from '../wire/request/needed-parameters.js';

/** A run under way, and its counters. */
export interface Running {
  run: Run;
  /** Sends without giving up on a silent target: for the first look. */
  sendPatiently: Send;
  counts: { requests: number; created: number; createdOf?: CreatedOf[] };
  gaps: GapRecorder;
  /** Notes about the target, with how often each was seen. */
  notes: Map<string, number>;
  /** Why the run gave its target up, as a sentence without a full stop; `undefined` if it did not. */
  whyLost: () => string | undefined;
  credentials: CredentialKeeper;
  hooks: Hooks;
  /** What the run created and has not deleted. */
  listLeftovers: () => LeftBehind[];
  /** Deletes what the run created, where it may, and says what is left over. */
  cleanUp: () => Promise<CleanedUp>;
  isOutOfTime: () => boolean;
  close: () => void;
}

export const DEFAULTS = { timeoutMs: 10_000, maxCreates: 60, maxTimeMs: 15 * 60_000 };

/** The prepared inputs of a run. */
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
  const notes = new Map(noteWays(options, given.target, given.route).map((note) => [note, 1]));
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
  const follow = (send: Send): Send => credentials.follow(refuseNever(hooks.follow(send), given.isNever));
  const { client, watched } = createSending(options, given, {
    gaps,
    notes,
    clock,
    stop,
    onSent,
    timeoutMs,
    follow,
  });
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
    ...countCreates(options.maxCreates ?? countAllowed(given.contract, DEFAULTS.maxCreates), {
      counts,
      contract: given.contract,
    }),
    observe: (exchange) => gaps.note(exchange),
    note: (text, isFirst = false) => {
      const others = isFirst ? [...notes] : [];
      if (isFirst) notes.clear();
      notes.set(text, 1);
      for (const [other, times] of others) notes.set(other, times);
    },
    signal: stop.signal,
  };
  return {
    run,
    sendPatiently: watched.listen,
    counts,
    gaps,
    notes,
    ...endRun(run, { ...given, timeoutMs, rate: options.rate, keep: options.keep ?? false, onSent }),
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

/** What the ways of sending share with the run. */
interface Sending {
  gaps: GapRecorder;
  notes: Map<string, number>;
  clock: ReturnType<typeof limitTime>;
  stop: ReturnType<typeof followSignal>;
  onSent: () => void;
  timeoutMs: number;
  follow: Run['follow'];
}

/** What is never to be sent is not, whoever asks for it. */
function refuseNever(send: Send, isNever: Run['isNever']): Send {
  return (request, onPutOff) =>
    isNever(request)
      ? Promise.resolve({ kind: 'unanswered', reason: 'interrupted', detail: NEVER_SENT, durationMs: 0 })
      : send(request, onPutOff);
}

const NEVER_SENT = 'it is never to be sent (--never)';

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
      if (keys.unstated === undefined)
        notes.set(
          `the target asks for credentials where the contract does not, as for ${operation}: ${sent} sent there`,
          1,
        );
      keys.alone ??= alone;
      keys.unstated = (keys.unstated ?? new Set()).add(operation);
    },
    signal: stop.signal,
  });
}

/** The client, and how the run sends by it: politely, heard by the gaps, and not for ever to a silent target. */
function createSending(
  options: ConformanceOptions,
  given: Given,
  { gaps, notes, clock, stop, follow, ...sending }: Sending,
) {
  const client = createHttpClient({ ...given, timeoutMs: sending.timeoutMs, signal: stop.signal });
  const sendPatiently = createPoliteSend({
    client: { ...client, send: hearAnswers(client.send, gaps) },
    rate: options.rate,
    onWait: (reason, ms) => options.onEvent?.({ type: 'waiting', reason, ms }),
    onNote: (note) => notes.set(note, (notes.get(note) ?? 0) + 1),
    onSent: sending.onSent,
    deadline: clock.deadline,
    signal: stop.signal,
  });
  const outages: { why?: string } = {};
  const steady = waitOutOutages(follow(sendPatiently), {
    onWait: (reason, ms) => options.onEvent?.({ type: 'waiting', reason, ms }),
    onNote: (note) => notes.set(note, (notes.get(note) ?? 0) + 1),
    onLost: (why) => {
      outages.why = why;
      notes.set(`the run ended early: ${why}`, 1);
      stop.abort(why);
    },
    signal: stop.signal,
  });
  const watched = giveUpWhenSilent(steady, stop, (note) => notes.set(note, 1));
  return { client, watched: { ...watched, whyLost: () => watched.whyLost() ?? outages.why } };
}

function endRun(run: Run, cleaning: Parameters<typeof cleanUp>[1]): Pick<Running, 'listLeftovers' | 'cleanUp'> {
  return { listLeftovers: () => listLeftovers(run, cleaning.keep), cleanUp: () => cleanUp(run, cleaning) };
}

function countOf(counts: Running['counts'], operationId: string | undefined, contract: Contract): void {
  counts.created += 1;
  const subject = readSubjects(contract).find(({ roles }) => roles.create?.operation.id === operationId);
  if (subject === undefined) return;
  counts.createdOf ??= [];
  const { record: one, records: many } = wordsOf(subject.resource);
  const known = counts.createdOf.find((each) => each.many === many);
  if (known === undefined) counts.createdOf.push({ one, many, count: 1 });
  else known.count += 1;
}

/** What the target should refuse is counted apart. */
function countCreates(
  most: number,
  { counts, contract }: { counts: Running['counts']; contract: Contract },
): Pick<Run, 'creates' | 'wrongCreates' | 'countCreated'> {
  let wrong = 0;
  return {
    creates: createBudget(most, () => counts.created - wrong),
    wrongCreates: createBudget(most, () => wrong),
    countCreated: (operationId, isAllowed) => {
      countOf(counts, operationId, contract);
      if (!isAllowed) wrong += 1;
    },
  };
}

/** What of a run is as it was asked for, or empty at its start. */
function readOptions(
  options: ConformanceOptions,
  given: Given,
): Omit<
  Run,
  | 'send'
  | 'looks'
  | 'limit'
  | 'shared'
  | 'creates'
  | 'wrongCreates'
  | 'countCreated'
  | 'observe'
  | 'note'
  | 'signal'
  | 'credentials'
  | 'isNever'
  | 'follow'
> {
  const { contract, redact, known, target } = given;
  return {
    contract,
    prepareOptions: choosePrepareOptions(options, given),
    host: target.host,
    expectations: readExpectations(options.expect ?? [], contract),
    secrets: listSecrets(options).filter(isTelling).flatMap(listEchoes),
    redact,
    strict: options.strict ?? false,
    readOnly: options.readOnly ?? false,
    keeps: options.keep ?? false,
    may: options.may ?? defaultConsents(target),
    ledger: new RecordLedger(
      contract,
      new RunTexts(
        createMark(() => randomInt(26)),
        drawStart(randomInt),
      ),
    ),
    planned: given.scenarios,
    patience: createPatience(options.settleMs),
    inVain: createInVain(),
    evidence: createEvidenceKeeper(),
    coverage: createCoverage(contract),
    outputs: new Map(),
    known,
  };
}

function choosePrepareOptions(
  { apiKey, isKeyGuessed, credentials = {}, headers, parameter = [] }: ConformanceOptions,
  { contract, target }: Given,
): PrepareOptions {
  return {
    contract,
    basePath: target.pathname.replace(/\/+$/, ''),
    keys: readRunKeys(apiKey, credentials, isKeyGuessed),
    extraHeaders: headers ?? {},
    parameters: readPairs(parameter),
    userAgent: nameUserAgent(),
  };
}

function nameUserAgent(): string {
  return `petstore-conformance/${readPackageVersion()}`;
}

/** Every answer, including those to repeated requests, may show what the target does where the contract is silent. */
function hearAnswers(send: HttpClient['send'], gaps: GapRecorder): HttpClient['send'] {
  return async (request) => {
    const answer = await send(request);
    gaps.hear(answer);
    return answer;
  };
}

/** Reasons why the answers may not come from the target itself. */
function noteWays({ tls }: ConformanceOptions, { protocol }: URL, { proxy }: Route): string[] {
  return [
    ...(tls?.insecure === true && protocol === 'https:'
      ? ['certificates were not checked (--insecure): another server may have responded']
      : []),
    ...(proxy === undefined ? [] : [`every request went through the proxy ${proxy}`]),
  ];
}
