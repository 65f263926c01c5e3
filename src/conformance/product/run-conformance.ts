import { wordsOf } from '../../contract/gaps/gaps.js';
import type { LeftBehind } from '../model/left-behind.js';
import { readSubjects } from '../subjects/subject.js';
import { estimateRequests } from '../run/order/estimate-requests.js';
import { readGapsOf } from '../subjects/read-gaps.js';
import { loadProfile } from '../../contract/gaps/profile.js';
import { prepareSpec, type Contract } from '../../contract/contract.js';
import { checkCodeGeneration } from '../../contract/schemas/compile-schemas.js';
import { PetstoreMockError } from '../../errors.js';
import { listKnown } from '../run/known/apply-baseline.js';
import { readBaseline } from '../run/known/baseline.js';
import { composeResult, type Asked } from './compose-result.js';
import type { RunListener } from '../model/events.js';
import { detectDrift } from './profile/detect-drift.js';
import { lookOnceMore } from '../confirm/flaky.js';
import { lookLast } from '../confirm/last-look.js';
import { reportFlaky, reportVanished } from '../run/report-end.js';
import { openProxiedRoute, openRoute, type Route } from '../wire/http/route.js';
import { createRunRedactor, type RunRedactor } from '../run/redact/list-secrets.js';
import type { ConformanceOptions } from '../model/options.js';
import { planRun } from './plan-run.js';
import { createGuard } from './select-operations.js';
import { logIn, probeTarget } from '../run/probe/probe-target.js';
import { readRunKeys } from '../wire/request/choose-keys.js';
import { takeAuthorization } from '../wire/request/take-authorization.js';
import { checkHeaders, readProxy, readTarget, showTarget } from '../wire/http/read-given.js';
import {
  redactBaseline,
  redactDrift,
  redactError,
  redactEvent,
  redactLeft,
  redactResult,
} from '../run/redact/redact-result.js';
import type { RunResult } from '../model/result.js';
import { createRun, type Running } from '../run/create-run.js';
import { leaveOut, type ScenarioOutcome } from '../run/run-scenario.js';
import { runSuite } from '../run/run-suite.js';
import type { Scenario } from '../model/scenario.js';
import { asksForCredentials, asksNowhere, describeUnasked } from '../wire/request/choose-security.js';
import { findExpectProblem } from '../run/expected-here.js';
import { findSourceProblem } from '../wire/credentials/read-source.js';

export const DEFAULT_CONCURRENCY = 4;

/**
 * Runs scenarios against a base URL. Deviations are in the result that is
 * returned, not thrown. Throws a {@link PetstoreMockError} when nothing can be
 * run: `target-unreachable`, `wrong-target`, `key-refused`, `login-failed`, `unusable-scenario`,
 * `unusable-contract`, `unusable-baseline`, `unusable-profile`, `empty-selection`, `bad-option`.
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
    options.baseline === undefined ? undefined : redactBaseline(readBaseline(options.baseline, ids), redact);
  const known = baseline === undefined ? new Map() : listKnown(baseline, started.at.slice(0, 10));
  const { asked: gaps, known: answerable } = readGapsOf(contract);
  const profile = options.profile === undefined ? undefined : loadProfile(options.profile, answerable);
  const onEvent: RunListener = (event) => options.onEvent?.(redactEvent(event, redact));
  const route = await openGivenRoute(options, target);
  const isNever = createGuard(contract, options, basePathOf(target));
  const running = createRun({ ...options, onEvent }, { target, contract, known, route, redact, scenarios, isNever });
  for (const note of [...noteKeys(options, contract), ...notes, ...(baseline?.notes ?? [])]) running.notes.set(note, 1);
  const asked: Asked = { options, target, contract, gaps, known, baseline: baseline?.file, untested, started };
  try {
    await running.hooks.before({ target: showTarget(target) });
    const stopped = await probe(running, options, target);
    const outcomes =
      stopped === undefined
        ? await runAll(scenarios, running, { ...options, onEvent }, target)
        : scenarios.map((scenario) => leaveOut(scenario, running.run, 'inconclusive', stopped.message));
    const unsteady = stopped === undefined ? await lookOnceMore(running.run) : [];
    const vanished = stopped === undefined ? await lookLast(running.run) : [];
    const flaky = reportFlaky(
      unsteady,
      outcomes.map(({ result }) => result),
      running,
    );
    const scenarioResults = reportVanished(vanished, flaky, running.run);
    const result = await tidyAfter(running, redact, () => {
      const found = redactResult(composeResult(running, scenarioResults, asked, stopped), redact);
      if (profile !== undefined && options.profile !== undefined)
        found.drift = redactDrift(detectDrift({ file: options.profile, profile }, found, gaps), redact);
      onEvent({ type: 'runConcluded', result: found });
      return found;
    });
    onEvent({ type: 'runFinished', result });
    await running.hooks.after({ target: showTarget(target) });
    // Listeners can still record the result, although nothing was concluded.
    if (stopped !== undefined) throw stopped;
    return result;
  } finally {
    running.close();
  }
}

/** What a run has found is told before it tidies up; what is wrong with telling it does not keep it from tidying up. */
async function tidyAfter(running: Running, redact: RunRedactor, tell: () => RunResult): Promise<RunResult> {
  let told: RunResult;
  try {
    told = tell();
  } catch (error) {
    await running.cleanUp();
    throw error;
  }
  const { left: found, notes } = await running.cleanUp();
  const { leftBehind: _, ...result } = told;
  const left = found.map((each) => Object.assign({}, each, { why: whyLeft(each, running) ?? each.why }));
  if (left.length > 0 && running.credentials.whyExpired() !== undefined)
    notes.push('what the run created was not cleaned up, since no credential is left that the target accepts');
  return {
    ...result,
    summary: { ...result.summary, requests: running.counts.requests },
    notes: [...result.notes, ...notes.map(redact)],
    ...(left.length === 0 ? {} : { leftBehind: redactLeft(left, redact) }),
  };
}

/** Why records stay that the run was not free to remove; `undefined` if that is not why. */
function whyLeft({ many }: LeftBehind, { run, credentials }: Running): string | undefined {
  const expired = credentials.whyExpired();
  if (expired !== undefined) return `since ${expired}`;
  const subject = readSubjects(run.contract).find(({ resource }) => wordsOf(resource).records === many);
  const remove = subject?.roles.remove?.operation;
  const isNever =
    remove !== undefined &&
    run.isNever({ method: remove.method, target: `${run.prepareOptions.basePath}${remove.path}` });
  return isNever ? `since ${remove.method} ${remove.path} is never to be sent (--never)` : undefined;
}

/** A first look without a key. Throws a {@link PetstoreMockError} if the target cannot be reached, or is none of the contract. */
export async function lookAtTarget(options: ConformanceOptions): Promise<void> {
  const target = readTarget(options.target);
  const { contract, scenarios } = planRun(options);
  const redact = createRunRedactor(options);
  const route = await openGivenRoute(options, target);
  const isNever = createGuard(contract, options, basePathOf(target));
  const known = new Map();
  const running = createRun(options, { target, contract, known, route, redact, scenarios, isNever });
  try {
    const stopped = await probe(running, options, target);
    if (stopped !== undefined && stopped.code !== 'key-refused') throw redactError(stopped, redact);
  } finally {
    running.close();
  }
}

function basePathOf({ pathname }: URL): string {
  return pathname.replace(/\/+$/, '');
}

async function openGivenRoute(options: ConformanceOptions, target: URL): Promise<Route> {
  const proxy = readProxy(options.proxy);
  return proxy === undefined ? openRoute(target, options) : openProxiedRoute(target, proxy, options);
}

function runAll(
  scenarios: readonly Scenario[],
  { run }: Running,
  { concurrency, bail, onEvent }: ConformanceOptions & { onEvent: RunListener },
  target: URL,
): Promise<ScenarioOutcome[]> {
  onEvent({
    type: 'runStarted',
    target: showTarget(target),
    scenarios: scenarios.length,
    requests: estimateRequests(scenarios),
  });
  return runSuite(scenarios, run, {
    concurrency: concurrency ?? DEFAULT_CONCURRENCY,
    bail: bail ?? false,
    onEvent,
  });
}

/** Why the target cannot be tested; `undefined` if it can. */
async function probe(
  { run, sendPatiently }: Running,
  { waitForTargetMs, apiKey, credentials = {}, isKeyGuessed }: ConformanceOptions,
  target: URL,
): Promise<PetstoreMockError | undefined> {
  try {
    const shownAs = showTarget(target);
    await logIn({ ...run, send: sendPatiently }, { waitForTargetMs, shownAs });
    const got = { ...credentials, ...run.credentials.values };
    Object.assign(run.prepareOptions.keys, readRunKeys(apiKey, got, isKeyGuessed));
    await probeTarget({ ...run, send: sendPatiently }, { waitForTargetMs, shownAs });
    run.credentials.beginJudging();
    return undefined;
  } catch (error) {
    if (error instanceof PetstoreMockError && !run.signal.aborted) return error;
    throw error;
  }
}

/** The key of a run without a given key. */
const TRIED_DEFAULT_KEY =
  "no API key was given, so the mock's documented default key was used, as for any target on this machine";

/** What a user may not expect of the credentials of a run: sentences without a full stop. */
function noteKeys(
  {
    apiKey,
    credentials = {},
    isKeyGuessed = false,
  }: Pick<ConformanceOptions, 'apiKey' | 'credentials' | 'isKeyGuessed'>,
  contract: Contract,
): string[] {
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
const KINDS = {
  target: 'a text',
  apiKey: 'a text',
  isKeyGuessed: 'true or false',
  credentials: 'an object',
  parameter: 'a list of texts',
  spec: 'a text',
  resources: 'a text',
  records: 'a text',
  allowOutsideRefs: 'true or false',
  allowRemoteRefs: 'true or false',
  allowPrivateHosts: 'true or false',
  scenarios: 'a list of texts',
  only: 'a list of texts',
  skip: 'a list of texts',
  tag: 'a list of texts',
  operation: 'a list of texts',
  method: 'a list of texts',
  path: 'a list of texts',
  deprecated: 'a text',
  never: 'a list of texts',
  expect: 'a list',
  hooks: 'an object',
  shard: 'an object',
  readOnly: 'true or false',
  may: 'a list of texts',
  keep: 'true or false',
  waitForTargetMs: 'a number from 0',
  timeoutMs: 'a number from 0',
  maxTimeMs: 'a number from 0',
  rate: 'a number from 0',
  concurrency: 'a number from 0',
  freshConnections: 'true or false',
  settleMs: 'a number from 0',
  maxCreates: 'a number from 0',
  maxRequests: 'a number from 0',
  bail: 'true or false',
  baseline: 'a text',
  strict: 'true or false',
  headers: 'an object',
  tls: 'an object',
  proxy: 'a text',
  profile: 'a text',
  onEvent: 'a function',
  signal: 'an AbortSignal',
} as const satisfies Record<keyof ConformanceOptions, string>;

const IS: Readonly<Record<(typeof KINDS)[keyof typeof KINDS], (value: unknown) => boolean>> = {
  'a text': (value) => typeof value === 'string',
  'a list of texts': (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  'a list': Array.isArray,
  'an object': (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'true or false': (value) => typeof value === 'boolean',
  'a number from 0': (value) => typeof value === 'number' && value >= 0,
  'a function': (value) => typeof value === 'function',
  'an AbortSignal': (value) => value instanceof AbortSignal,
};

/** Throws a `PetstoreMockError` with the code `bad-option` for what the types would have refused. */
function checkOptions(options: unknown): void {
  if (!IS['an object'](options)) throw bad('runConformance takes options: { target, apiKey }');
  const given = options as Readonly<Record<string, unknown>>;
  for (const [name, kind] of Object.entries(KINDS)) {
    const value = given[name];
    // What is missing of the target is said where it is read.
    if (name === 'target' || (value === undefined && name !== 'apiKey')) continue;
    // A value may be a secret in the wrong place, so it is not shown.
    if (!IS[kind](value)) throw bad(`${name} must be ${kind}${name === 'apiKey' ? KEY : ''}`);
  }
  const wrong = given['expect'] === undefined ? undefined : findExpectProblem(given['expect']);
  if (wrong !== undefined) throw bad(`expect${wrong.startsWith('[') ? '' : ' '}${wrong}`);
  for (const [name, value] of Object.entries(given['credentials'] ?? {})) {
    const problem = typeof value === 'string' ? undefined : findSourceProblem(value);
    if (problem !== undefined) throw bad(`credentials.${name} ${problem}`);
  }
}

const KEY = ', the key that the target accepts; empty if the contract requires none';

function bad(sentence: string): PetstoreMockError {
  return new PetstoreMockError('bad-option', `${sentence}.`);
}
