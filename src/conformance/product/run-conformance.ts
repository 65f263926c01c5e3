import type { RunResult, ScenarioResult } from '../model/result.js';
import { readSubjects, listAskedGaps, readGapsOf } from '../resources/resource-under-test.js';
import { estimateRequests, createRun, type Running, type Run } from '../engine/run.js';
import { asObject } from '../../contract/document/plain.js';
import { loadProfile } from '../../contract/gaps/profile.js';
import { prepareSpec, type Contract } from '../../contract/contract.js';
import { checkCodeGeneration } from '../../contract/schemas/compile-schemas.js';
import { PetstoreMockError, formatPlace } from '../../errors.js';
import { listKnown, readBaseline, findExpectProblem } from '../engine/baseline.js';
import { composeResult, type Asked } from './compose-result.js';
import type { RunListener, ConformanceOptions } from '../model/options.js';
import { detectDrift } from './profile-and-baseline.js';
import { recheckFlaky, lookLast } from '../confirm/end-of-run.js';
import { reportFlaky, reportVanished, readSlashed } from '../engine/run-exchange.js';
import { openProxiedRoute, openRoute } from '../http/http-client.js';
import { createRunRedactor, redactTexts, redactError, redactResult, type RunRedactor } from '../engine/redact.js';
import { planRun, createGuard } from './plan-run.js';
import {
  readRunKeys,
  asksForCredentials,
  asksNowhere,
  describeUnasked,
  takeAuthorization,
  checkHeaders,
  readProxy,
  readTarget,
  showTarget,
  findSourceProblem,
  Unsendable,
  describeSchemes,
} from '../http/request-credentials.js';
import { cleanUp } from '../engine/created-records.js';
import { toProfile } from '../engine/gaps.js';
import { leaveOut } from '../engine/run-scenario.js';
import { runSuite } from '../engine/run-suite.js';
import { hasBegun, Literal, type WireAnswer, isRedirect } from '../model/exchange.js';
import { bareStep, NOTHING_KNOWN, prepareRequest } from '../http/prepare-request.js';
import type { Step } from '../model/scenario.js';
import { pause } from '../http/send-politely.js';
import { parseAnswer } from '../http/read-response.js';
import type { Operation } from '../../contract/model.js';
import { findResponse } from '../../contract/operations/operations.js';
import { readProperties } from '../../contract/operations/properties.js';

export const DEFAULT_CONCURRENCY = 4;

/**
 * Runs scenarios against a base URL. Deviations are in the result that is returned, not thrown. When nothing can be run,
 * throws a {@link PetstoreMockError}: `target-unreachable`, `wrong-target`, `key-refused`, `login-failed`,
 * `unusable-scenario`, `unusable-contract`, `unusable-baseline`, `unusable-profile`, `empty-selection`, `bad-option`.
 *
 * @example
 * const result = await runConformance({ target: 'http://127.0.0.1:4010/v1', apiKey: 'petstore-dev-key' });
 * expect(result.summary.deviated).toBe(0);
 */
export async function runConformance(options: ConformanceOptions): Promise<RunResult> {
  checkOptions(options);
  const redact = createRunRedactor(options);
  try {
    return await runWith(options, redact);
  } catch (error) {
    throw redactError(error, redact);
  }
}

async function runWith(written: ConformanceOptions, redact: RunRedactor): Promise<RunResult> {
  const started = { at: new Date().toISOString(), clock: performance.now() };
  const target = readTarget(written.target);
  checkHeaders(written);
  // The schemas of scenarios are compiled as answers come; if that is impossible, nothing is sent.
  checkCodeGeneration();
  const given = { ...written, spec: await prepareSpec(written) };
  const { contract, scenarios, ids, notes, untested } = planRun(given);
  const options = takeAuthorization(given, contract);
  const baseline =
    options.baseline === undefined ? undefined : redactTexts(readBaseline(options.baseline, ids), redact);
  const known = baseline === undefined ? new Map() : listKnown(baseline, started.at.slice(0, 10));
  const { known: answerable } = readGapsOf(contract);
  const gaps = listAskedGaps(contract, options.credentialB !== undefined);
  const profile = options.profile === undefined ? undefined : loadProfile(options.profile, answerable);
  const onEvent: RunListener = (event) => {
    const isRaw = event.type === 'waiting' || event.type === 'runStarted';
    options.onEvent?.(isRaw ? redactTexts(event, redact) : event);
  };
  const running = await openRun({ ...options, onEvent }, { target, contract, known, redact, scenarios });
  for (const note of [...noteKeys(options, contract), ...notes, ...(baseline?.notes ?? [])]) running.notes.set(note, 1);
  const asked: Asked = { options, target, contract, gaps, known, baseline: baseline?.file, untested, started };
  try {
    await running.hooks.before({ target: showTarget(target) });
    const stopped = await probe(running, options, target);
    let scenarioResults: ScenarioResult[];
    if (stopped === undefined) {
      const requests = estimateRequests(scenarios);
      onEvent({ type: 'runStarted', target: showTarget(target), scenarios: scenarios.length, requests });
      const { concurrency = DEFAULT_CONCURRENCY, bail = false } = options;
      const outcomes = await runSuite(scenarios, running.run, { concurrency, bail, onEvent });
      const unsteady = await recheckFlaky(running.run);
      const vanished = await lookLast(running.run);
      const results = outcomes.map(({ result }) => result);
      scenarioResults = reportVanished(vanished, reportFlaky(unsteady, results, running.run), running.run);
    } else
      scenarioResults = scenarios.map((each) => leaveOut(each, running.run, 'inconclusive', stopped.message).result);
    const result = await cleanUpAfter(running, redact, () => {
      const found = redactResult(composeResult(running, scenarioResults, asked, stopped), redact);
      if (profile !== undefined && options.profile !== undefined)
        found.drift = redactTexts(detectDrift(options.profile, profile, toProfile(found), gaps), redact);
      onEvent({ type: 'runConcluded', result: found });
      return found;
    });
    onEvent({ type: 'runFinished', result });
    await running.hooks.after({ target: showTarget(target) });
    if (stopped !== undefined) throw stopped;
    return result;
  } finally {
    running.close();
  }
}

async function cleanUpAfter(running: Running, redact: RunRedactor, tell: () => RunResult): Promise<RunResult> {
  let told: RunResult | undefined;
  let cleaned: Awaited<ReturnType<typeof cleanUp>>;
  try {
    told = tell();
  } finally {
    cleaned = await cleanUp(running.run, running.open);
  }
  const { left, notes } = cleaned;
  const { leftBehind: _, ...result } = told;
  if (left.length > 0 && running.credentials.whyExpired() !== undefined)
    notes.push('what the run created was not cleaned up, since no credential is left that the target accepts');
  return {
    ...result,
    summary: { ...result.summary, requests: running.counts.requests },
    notes: [...result.notes, ...notes.map(redact)],
    ...(left.length === 0 ? {} : { leftBehind: redactTexts(left, redact) }),
  };
}

/** A first look without a key. Throws a {@link PetstoreMockError} if the target cannot be reached, or is none of the contract. */
export async function lookAtTarget(options: ConformanceOptions): Promise<void> {
  const target = readTarget(options.target);
  const redact = createRunRedactor(options);
  const running = await openRun(options, { ...planRun(options), target, known: new Map(), redact });
  try {
    const stopped = await probe(running, options, target);
    if (stopped !== undefined && stopped.code !== 'key-refused') throw redactError(stopped, redact);
  } finally {
    running.close();
  }
}

type Opened = Omit<Parameters<typeof createRun>[1], 'route' | 'isNever'>;

async function openRun(options: ConformanceOptions, given: Opened): Promise<Running> {
  const { contract, target } = given;
  const proxy = readProxy(options.proxy);
  const route = await (proxy === undefined ? openRoute(target, options) : openProxiedRoute(target, proxy, options));
  const isNever = createGuard(contract, options, target.pathname.replace(/\/+$/, ''));
  return createRun(options, { ...given, route, isNever });
}

async function probe({ run, sendPatiently }: Running, options: ConformanceOptions, target: URL) {
  const { waitForTargetMs, apiKey, credentials = {}, isKeyGuessed } = options;
  try {
    const shownAs = showTarget(target);
    const patient = { ...run, send: sendPatiently };
    await logIn(patient, { waitForTargetMs, shownAs });
    const got = { ...credentials, ...run.credentials.values };
    Object.assign(run.prepareOptions.keys, readRunKeys(apiKey, got, isKeyGuessed));
    await probeTarget(patient, { waitForTargetMs, shownAs });
    run.credentials.beginChecks();
    return undefined;
  } catch (error) {
    if (error instanceof PetstoreMockError && !run.signal.aborted) return error;
    throw error;
  }
}

const TRIED_DEFAULT_KEY =
  "no API key was given, so the mock's documented default key was used, as for any target on this machine";

function noteKeys({ apiKey, credentials = {}, isKeyGuessed = false }: ConformanceOptions, contract: Contract) {
  const hasOwn = Object.keys(credentials).length > 0;
  const unasked = describeUnasked(credentials, contract);
  if (unasked !== undefined && apiKey === '') return [`${unasked}; it is sent where nothing else was given`];
  if (unasked !== undefined) return [unasked];
  if (isKeyGuessed && !hasOwn) return asksForCredentials(contract) ? [TRIED_DEFAULT_KEY] : [];
  if ((apiKey === '' && !hasOwn) || asksForCredentials(contract)) return [];
  return [
    asksNowhere(contract)
      ? 'the contract declares security schemes, but no operation requires them; the given credentials are sent with every request'
      : 'no credentials were sent, since the contract requires none; to send them, add a security scheme to the contract or use --header',
  ];
}

/** What the value of each option must be, for callers whose code no compiler checks. The program hands on more than these. */
const OPTIONS = {
  'a text': 'target apiKey credentialB spec resources records deprecated baseline proxy profile',
  'a list of texts': 'parameter scenarios only skip tag operation method path never may',
  'a list': 'expect',
  'an object': 'credentials hooks shard headers tls',
  'true or false':
    'isKeyGuessed allowOutsideRefs allowRemoteRefs allowPrivateHosts readOnly keep freshConnections bail strict',
  'a number from 0': 'waitForTargetMs timeoutMs maxTimeMs rate concurrency settleMs maxCreates maxRequests',
  'a function': 'onEvent',
  'an AbortSignal': 'signal',
} as const;

type Kind = keyof typeof OPTIONS;
type Split<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Split<Rest> : Text;
const KIND_OF = Object.fromEntries(
  Object.entries(OPTIONS).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind])),
) as Record<Split<(typeof OPTIONS)[Kind]>, Kind> satisfies Record<keyof ConformanceOptions, Kind>;

function isOf(kind: Kind, value: unknown): boolean {
  if (kind === 'a text') return typeof value === 'string';
  if (kind === 'a list of texts') return Array.isArray(value) && value.every((each) => typeof each === 'string');
  if (kind === 'a list') return Array.isArray(value);
  if (kind === 'an object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (kind === 'a number from 0') return typeof value === 'number' && value >= 0;
  if (kind === 'an AbortSignal') return value instanceof AbortSignal;
  return typeof value === (kind === 'a function' ? 'function' : 'boolean');
}

function checkOptions(options: unknown): void {
  if (!isOf('an object', options)) throw bad('runConformance takes options: { target, apiKey }');
  const given = options as Readonly<Record<string, unknown>>;
  for (const [name, kind] of Object.entries(KIND_OF)) {
    const value = given[name];
    if (name === 'target' || (value === undefined && name !== 'apiKey')) continue;
    // A value may be a secret in the wrong place, so it is not shown.
    const more = name === 'apiKey' ? ', the key that the target accepts; empty if the contract requires none' : '';
    if (!isOf(kind, value)) throw bad(`${name} must be ${kind}${more}`);
  }
  const { credentialB, apiKey, credentials } = given;
  if (credentialB !== undefined && [apiKey, ...Object.values(asObject(credentials))].includes(credentialB))
    throw bad("credentialB is the same as the other credential; a second one has to be somebody else's");
  const wrong = given['expect'] === undefined ? undefined : findExpectProblem(given['expect']);
  if (wrong !== undefined) throw bad(`expect${wrong.startsWith('[') ? '' : ' '}${wrong}`);
  for (const [name, value] of Object.entries(credentials ?? {})) {
    const problem = typeof value === 'string' ? undefined : findSourceProblem(value);
    if (problem !== undefined) throw bad(`credentials.${name} ${problem}`);
  }
}

const bad = (sentence: string): PetstoreMockError => new PetstoreMockError('bad-option', `${sentence}.`);

/** A run as a source of tests for a test suite, one per scenario. */
export interface ConformancePlan {
  readonly scenarios: readonly { id: string; title: string }[];
  /**
   * Waits for a scenario; the first call starts the whole run. Throws an error that says what deviates, unless the
   * baseline contains it. The verdict of the returned result may be `inconclusive` or `skipped`, with the reason.
   */
  check(id: string): Promise<ScenarioResult>;
  finish(): Promise<RunResult>;
  close(): Promise<void>;
}

/**
 * Lists the scenarios at once, without a request, and runs them when the first
 * one is asked for. Takes the options of `runConformance` and throws as it does.
 *
 * @example
 * const plan = planConformance({ target: 'http://127.0.0.1:4010/v1', apiKey: 'petstore-dev-key' });
 * afterAll(() => plan.close());
 * for (const { id, title } of plan.scenarios) {
 *   test(`${id}: ${title}`, async ({ skip }) => {
 *     const { verdict, reason } = await plan.check(id);
 *     skip(verdict === 'inconclusive' || verdict === 'skipped', reason);
 *   });
 * }
 */
export function planConformance(options: ConformanceOptions): ConformancePlan {
  const scenarios = planRun(options).scenarios.map(({ id, title }) => ({ id, title }));
  const stop = new AbortController();
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, options.signal]);
  const done = new Map<string, (result: ScenarioResult) => void>();
  const results = new Map(
    scenarios.map(({ id }) => [id, new Promise<ScenarioResult>((resolve) => done.set(id, resolve))]),
  );
  let running: Promise<RunResult> | undefined;
  const finish = (): Promise<RunResult> =>
    (running ??= runConformance({
      ...options,
      signal,
      onEvent(event) {
        if (event.type === 'scenarioFinished') done.get(event.result.id)?.(event.result);
        options.onEvent?.(event);
      },
    }));
  return {
    scenarios,
    finish,
    async check(id) {
      const result = results.get(id);
      if (result === undefined)
        throw new PetstoreMockError('empty-selection', `there is no scenario ${id} in this plan.`);
      const scenario = await Promise.race([result, finish().then(() => result)]);
      if (scenario.verdict === 'deviated') throw new Error(explainDeviations(scenario, options.target));
      return scenario;
    },
    async close() {
      stop.abort();
      await running?.catch(() => {});
    },
  };
}

function explainDeviations({ id, title, steps }: ScenarioResult, target: string): string {
  const lines = steps
    .flatMap(({ exchanges }) => exchanges)
    .flatMap(({ request, response, failure, findings }) => {
      const told = findings.filter(({ severity, baseline }) => severity === 'deviation' && baseline?.state !== 'known');
      const body = request.body === undefined ? '' : ` ${request.body}`;
      const head = `${request.method} ${request.path}${body} → ${response?.status ?? failure ?? 'no answer'}`;
      const deviations = told.map(({ at, expected, actual, contract }) => {
        const place = contract === undefined ? '' : ` (${formatPlace(contract)})`;
        return `  ${at}: expected ${expected}, but found ${actual}${place}`;
      });
      return told.length === 0 ? [] : [[head, ...deviations].join('\n')];
    });
  const { origin, pathname } = new URL(target);
  const again = `again: petstore-conformance --target ${origin}${pathname} --again '${id}'`;
  return [`${id} deviates: ${title}`, ...lines, again].join('\n');
}

type ProbeOptions = Pick<ConformanceOptions, 'waitForTargetMs'> & { shownAs: string };

const RETRY_PAUSE_MS = 250;

/** Whether the target answers, is the API, and accepts the key. Throws a {@link PetstoreMockError}. */
async function probeTarget(run: Run, options: ProbeOptions): Promise<void> {
  const { contract } = run;
  const subjects = readSubjects(contract);
  const lists = subjects.flatMap(({ roles }) => roles.list?.operation ?? []);
  const isPlain = ({ method, path, parameters }: Operation): boolean =>
    method === 'GET' && !path.includes('{') && parameters.every(({ required }) => !required);
  const all = [...lists, ...contract.operations].filter(isPlain);
  const ownFirst = all.toSorted((a, b) => Number(a.server !== undefined) - Number(b.server !== undefined));
  const plain = [...new Set(ownFirst)].map(({ id }) => bareStep({ id: 'probe', operationId: id }));
  const records = subjects.flatMap(({ roles: { get }, resource: { key, scope } }) => {
    const missing = get === undefined || scope.length > 0 ? undefined : findResponse(get.operation, 404);
    if (get === undefined || !missing?.content.some(({ schemaPointer }) => schemaPointer !== undefined)) return [];
    return bareStep({ id: 'probe', operationId: get.operation.id, parameters: { [key.parameter]: 1_999_999_973 } });
  });
  const steps = [...plain, ...(plain.length === 0 ? [] : records)].filter((step) => mayAsk(step, run)).slice(0, 3);
  const [first = bareStep({ id: 'probe' }), second = first] = steps;
  const answer = await reach(run, first, options);
  if (hasStatus(answer, UNAVAILABLE) && hasStatus(await ask(run, second), UNAVAILABLE))
    throw describeUnreachable(answer, options);
  if (steps.length > 0)
    await checkFirstLook(steps, answer, (step, path) => ask(run, step, path), { shownAs: options.shownAs, run });
}

export async function logIn(run: Run, options: ProbeOptions): Promise<void> {
  const deadline = performance.now() + (options.waitForTargetMs ?? 0);
  for (;;) {
    const missing = await run.credentials.start(run.send);
    if (missing === undefined) return;
    if (performance.now() >= deadline || run.signal.aborted) throw describeUnreachable(missing, options);
    await pause(RETRY_PAUSE_MS, run.signal);
  }
}

async function reach(run: Run, list: Step, options: ProbeOptions): Promise<WireAnswer> {
  const deadline = performance.now() + (options.waitForTargetMs ?? 0);
  for (;;) {
    const answer = await ask(run, list);
    if (hasBegun(answer) && !(answer.kind === 'answered' && answer.status >= 502 && performance.now() < deadline))
      return answer;
    if (performance.now() >= deadline || run.signal.aborted) {
      // One operation alone gets no answer, since the target answers another address: a defect, and no outage.
      const isConnected = answer.kind === 'unanswered' && ['dropped', 'no-http', 'timeout'].includes(answer.reason);
      if (isConnected && (await ask(run, bareStep({ id: 'probe' }))).kind === 'answered') return answer;
      throw describeUnreachable(answer, options);
    }
    await pause(RETRY_PAUSE_MS, run.signal);
  }
}

function describeUnreachable(answer: WireAnswer, { shownAs, waitForTargetMs }: ProbeOptions): PetstoreMockError {
  let why = answer.kind === 'unanswered' ? answer.detail : `it responds with ${answer.status} to every request`;
  // Where TLS is spoken, a plain request is dropped, or answered with what is no HTTP.
  if (answer.kind === 'unanswered' && ['dropped', 'no-http'].includes(answer.reason) && shownAs.startsWith('http:'))
    why += ' (should the URL begin with https://?)';
  const waited = waitForTargetMs === undefined ? '' : `, after waiting ${waitForTargetMs / 1000} s`;
  return new PetstoreMockError('target-unreachable', `${shownAs} cannot be tested: ${why}${waited}.`);
}

const UNAVAILABLE = [429, 502, 503, 504];
const REJECTED = [401, 403];

function hasStatus(answer: WireAnswer, statuses: readonly number[]): boolean {
  return answer.kind === 'answered' && statuses.includes(answer.status);
}

function mayAsk(step: Step, { prepareOptions, isNever }: Run): boolean {
  try {
    return !isNever(prepareRequest(step, NOTHING_KNOWN, prepareOptions).wire);
  } catch (error) {
    if (error instanceof Unsendable) return false;
    throw error;
  }
}

async function ask(run: Run, step: Step, basePath = run.prepareOptions.basePath): Promise<WireAnswer> {
  return run.send(prepareRequest(step, NOTHING_KNOWN, { ...run.prepareOptions, basePath }).wire);
}

/** Throws a {@link PetstoreMockError} where every one of the answers shows that the key, or the API, is not right. */
export async function checkFirstLook(
  steps: readonly Step[],
  first: WireAnswer,
  askStep: (step: Step, basePath?: string) => Promise<WireAnswer>,
  { shownAs, run }: { shownAs: string; run: Run },
): Promise<void> {
  const answers = [first];
  for (const step of steps.slice(1)) {
    if (answers.some((answer) => !hasStatus(answer, REJECTED) && !isForeign(answer))) return;
    answers.push(await askStep(step));
  }
  if (answers.every((answer) => hasStatus(answer, REJECTED))) {
    const unasked = describeUnasked(run.prepareOptions.keys.credentials, run.contract);
    const why = unasked === undefined ? '' : `${unasked.charAt(0).toUpperCase()}${unasked.slice(1)}. `;
    const what = `${shownAs} rejects the credentials for every operation that was tried; give valid ones.`;
    throw new PetstoreMockError('key-refused', `${what} ${why}${describeSchemes(run.contract)}`.trimEnd());
  }
  if (!answers.every(isForeign)) return;
  const contractPath = run.contract.basePath.replace(/\/+$/, '');
  const { basePath } = run.prepareOptions;
  const [step] = steps;
  const path = contractPath === basePath ? undefined : contractPath;
  if (step !== undefined && path !== undefined && !isForeign(await askStep(step, path))) {
    const there = `${new URL(shownAs).origin}${path}`;
    throw wrongTarget(`${shownAs} is not the base URL of the API, which responds at ${there}; try --target ${there}`);
  }
  if (answers.some((answer, index) => isOwnError(answer, steps[index], run.contract))) return;
  const slashed = describeSlashes(steps, answers, shownAs, run.contract);
  if (slashed !== undefined) throw wrongTarget(slashed);
  const moved = step === undefined ? undefined : findMoved(step, answers, shownAs, run.contract);
  if (moved !== undefined)
    throw wrongTarget(`${shownAs} redirects every request, for example to ${moved.to}; try --target ${moved.base}`);
  const asked = steps.map(({ operationId }) => operationId).join(', ');
  const seen = `${asked} returned ${answers.map(describeAnswer).join(', ')}`;
  const help = 'give the base URL to which the paths of the contract are appended';
  throw wrongTarget(`the API is not at ${shownAs}: ${seen}; ${help}`);
}

function isOwnError(answer: WireAnswer, step: Step | undefined, { operations, document, validate }: Contract): boolean {
  const operation = operations.find(({ id }) => id === step?.operationId);
  if (answer.kind === 'unanswered' || answer.status < 400 || operation === undefined) return false;
  const stated = [findResponse(operation, answer.status), findResponse(operation, 404)];
  const schemas = stated.flatMap((each) => each?.content ?? []).flatMap(({ schemaPointer }) => schemaPointer ?? []);
  const body = parseAnswer(answer.bytes);
  const isTelling = (pointer: string): boolean => readProperties(document, pointer).some(({ required }) => required);
  return body.ok && schemas.filter(isTelling).some((pointer) => validate.value(pointer, body.value).length === 0);
}

/** What stands behind a path may be secret. */
function describeAnswer(answer: WireAnswer): string {
  if (answer.kind === 'unanswered') return 'nothing';
  const to = isRedirect(answer) ? answer.headers['location'] : undefined;
  return to === undefined ? String(answer.status) : `${answer.status} to ${to.replace(/[?#].*$/s, '')}`;
}

function findMoved({ operationId }: Step, answers: readonly WireAnswer[], shownAs: string, { operations }: Contract) {
  const path = operations.find(({ id }) => id === operationId)?.path;
  const [location] = answers.map((answer) => (isRedirect(answer) ? answer.headers['location'] : undefined));
  if (path === undefined || !answers.every(isRedirect) || location === undefined) return undefined;
  if (!URL.canParse(location, shownAs)) return undefined;
  const { origin, pathname } = new URL(location, shownAs);
  const above = pathname.replace(/\/+$/, '');
  const base = `${origin}${above.slice(0, -path.length)}`;
  const isElsewhere = above.endsWith(path) && base !== shownAs.replace(/\/+$/, '');
  return isElsewhere ? { to: `${origin}${pathname}`, base } : undefined;
}

function describeSlashes(steps: readonly Step[], answers: readonly WireAnswer[], shownAs: string, contract: Contract) {
  const base = shownAs.replace(/\/+$/, '');
  const found = answers.flatMap((answer, index) => {
    const step = steps[index];
    const path = contract.operations.find(({ id }) => id === step?.operationId)?.path ?? '';
    const asked = path.replaceAll(/\{[^{}]*\}/g, (name) => {
      const value = step?.parameters[name.slice(1, -1)];
      return String(value instanceof Literal ? value.value : value);
    });
    const to = path === '' ? undefined : readSlashed(answer, `${base}${asked}`);
    return to === undefined ? [] : [{ path, isLonger: to.endsWith('/') }];
  });
  const [first] = found;
  if (first === undefined || found.length < answers.length) return undefined;
  const { isLonger } = first;
  const [ours, theirs] = isLonger ? ['lack', 'have'] : ['have', 'lack'];
  const paths = found.map(({ path }) => path);
  const others = paths.map((path) => (isLonger ? `${path}/` : path.replace(/\/$/, '')));
  const what = `the paths of the contract ${ours} a slash at the end that those of the service ${theirs}`;
  const help = 'change one of them, no other --target helps';
  return `${shownAs} redirects ${paths.join(', ')} to ${others.join(', ')}: ${what}; ${help}`;
}

function isForeign(answer: WireAnswer): boolean {
  if (answer.kind === 'unanswered') return false;
  const { status, headers, bytes } = answer;
  if (isRedirect(answer) || status === 404 || status === 405) return true;
  return /^text\/html\b/i.test(headers['content-type'] ?? '') && !parseAnswer(bytes).ok;
}

const wrongTarget = (sentence: string): PetstoreMockError => new PetstoreMockError('wrong-target', `${sentence}.`);
