import { wordsOf } from '../../contract/gaps/gap-words.js';
import type { LeftBehind } from '../model/left-behind.js';
import { readSubjects } from '../subjects/subject.js';
import { estimateRequests } from '../run/order/estimate-requests.js';
import { readGapsOf } from '../subjects/read-gaps.js';
import { loadProfile } from '../../contract/gaps/profile.js';
import { prepareSpec } from '../../contract/remote/contract-at-url.js';
import { checkCodeGeneration } from '../../contract/schemas/code-generation.js';
import { PetstoreMockError } from '../../errors.js';
import { listKnown } from '../run/known/apply-baseline.js';
import { readBaseline } from '../run/known/baseline.js';
import { checkOptions } from './check-options.js';
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
import { noteKeys } from '../wire/request/note-keys.js';
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

async function openGivenRoute({ proxy: given, tls }: ConformanceOptions, target: URL): Promise<Route> {
  const proxy = readProxy(given);
  return proxy === undefined ? openRoute(target, tls) : openProxiedRoute(target, proxy, tls);
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
