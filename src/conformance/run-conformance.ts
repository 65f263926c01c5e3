import { relative } from 'node:path';
import { loadContract, type Contract } from '../contract/contract.js';
import { placeIn } from '../contract/schemas/violation.js';
import { loadProfile, type ObservedProfile } from '../contract/gaps/profile.js';
import { loadGaps, type Gap } from '../contract/gaps/gaps.js';
import { PetstoreMockError } from '../errors.js';
import { packageFile } from '../package-files.js';
import { listKnown, summarizeBaseline } from './baseline/apply-baseline.js';
import { readBaseline } from './baseline/baseline.js';
import { detectDrift } from './gaps/detect-drift.js';
import { createRun, type Running } from './run/create-run.js';
import { translatePointer } from './scenarios/contract-values.js';
import { loadScenarios } from './scenarios/load-scenarios.js';
import { describeGaps } from './gaps/observed-profile.js';
import { noteChoices } from './gaps/worth-a-look.js';
import { createRunRedactor } from './list-secrets.js';
import type { Redactor } from '../redact/redactor.js';
import type { RunListener } from './events.js';
import { redactBaseline, redactDrift, redactError, redactEvent, redactResult } from './redact-result.js';
import type { ConformanceOptions } from './options.js';
import { checkHeaders, readProxy, readTarget, showTarget } from './read-given.js';
import { probeTarget } from './run/probe-target.js';
import { RESULT_VERSION, type CoverageResult, type RunResult, type ScenarioResult, type Summary } from './result.js';
import { openProxiedRoute, openRoute } from './http/route.js';
import { leaveOut } from './run/run-scenario.js';
import { runSuite } from './run/run-suite.js';
import { addExcerpts } from './problems/excerpt.js';
import { countProblems, findProblems } from './problems/find-problems.js';
import type { Problem } from './problems/problem.js';
import type { Scenario } from './scenarios/scenario.js';
import { selectScenarios } from './scenarios/select-scenarios.js';

export const DEFAULT_CONCURRENCY = 4;
const SHIPPED_GAPS = 'spec/gaps.yaml';
const SHIPPED_CONTRACT = 'spec/petstore.openapi.yaml';

/**
 * Runs scenarios against a base URL. Deviations are in the result that is
 * returned, not thrown. Throws a {@link PetstoreMockError} when nothing can be
 * run: `target-unreachable`, `wrong-target`, `key-refused`, `unusable-scenario`,
 * `unusable-contract`, `unusable-baseline`, `unusable-profile`, `empty-selection`, `bad-option`.
 *
 * @example
 * const result = await runConformance({ target: 'http://127.0.0.1:4010/v1', apiKey: 'petstore-dev-key' });
 * expect(result.summary.deviated).toBe(0);
 */
export async function runConformance(options: ConformanceOptions): Promise<RunResult> {
  const redact = createRunRedactor(options);
  try {
    return await runWith(options, redact);
  } catch (error) {
    throw redactError(error, redact);
  }
}

async function runWith(options: ConformanceOptions, redact: Redactor): Promise<RunResult> {
  const started = { at: new Date().toISOString(), clock: performance.now() };
  const target = readTarget(options.target);
  checkHeaders(options);
  const { contract, scenarios, ids } = planRun(options);
  const baseline =
    options.baseline === undefined ? undefined : redactBaseline(readBaseline(options.baseline, ids), redact);
  const known = baseline === undefined ? new Map() : listKnown(baseline, started.at.slice(0, 10));
  const gaps = loadGaps(packageFile(SHIPPED_GAPS), SHIPPED_GAPS);
  const profile = readGivenProfile(options.profile, gaps);
  const onEvent: RunListener = (event) => options.onEvent?.(redactEvent(event, redact));
  const proxy = readProxy(options.proxy);
  const route =
    proxy === undefined ? openRoute(target, options.tls) : await openProxiedRoute(target, proxy, options.tls);
  const running = createRun({ ...options, onEvent }, { target, contract, known, route, redact });
  try {
    const stopped = await probe(running, options, target);
    if (stopped === undefined) onEvent({ type: 'runStarted', target: showTarget(target), scenarios: scenarios.length });
    const outcomes =
      stopped === undefined
        ? await runSuite(scenarios, running.run, {
            concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
            readOnly: options.readOnly ?? false,
            bail: options.bail ?? false,
            onEvent,
          })
        : scenarios.map((scenario) => leaveOut(scenario, running.run, 'inconclusive', stopped.message));
    const results = outcomes.map(({ result }) => result);
    const problems = addExcerpts(findProblems({ scenarios: results }));
    const gapResults = describeGaps(gaps, {
      scenarios: results,
      conclusions: running.gaps.conclude(),
      locate: (pointer) => placeIn(contract.document, rebasePointer(pointer, contract, options)),
    });
    const raw: RunResult = {
      version: RESULT_VERSION,
      target: showTarget(target),
      contract: { title: contract.title, version: contract.version, file: contract.document.file },
      startedAt: started.at,
      durationMs: performance.now() - started.clock,
      interrupted: options.signal?.aborted ?? false,
      targetLost: running.isTargetLost() || stopped?.code === 'target-unreachable',
      outOfTime: running.isOutOfTime(),
      summary: summarize({ results, problems }, running.counts),
      coverage: describeCoverage(running, contract),
      problems,
      scenarios: results,
      ...(baseline === undefined ? {} : { baseline: summarizeBaseline(baseline.file, known, results) }),
      gaps: gapResults,
      notes: [...listNotes(running), ...noteChoices(gapResults, options.strict ?? false)],
    };
    const result = redactResult(raw, redact);
    if (profile !== undefined) result.drift = redactDrift(detectDrift(profile, result, gaps), redact);
    onEvent({ type: 'runFinished', result });
    // Whoever listens can write it down; nothing was concluded all the same.
    if (stopped !== undefined) throw stopped;
    return result;
  } finally {
    running.close();
  }
}

/** Why the target cannot be tested; `undefined` when it can. */
async function probe(
  { run, sendPatiently }: Running,
  { waitForTargetMs, categoryId }: ConformanceOptions,
  target: URL,
): Promise<PetstoreMockError | undefined> {
  try {
    const shownAs = showTarget(target);
    await probeTarget({ ...run, send: sendPatiently }, { waitForTargetMs, categoryId, shownAs });
    return undefined;
  } catch (error) {
    if (error instanceof PetstoreMockError && !run.signal.aborted) return error;
    throw error;
  }
}

/** What a run would do, without a request. Throws as {@link runConformance} does for files and selections. */
export function planRun(options: Pick<ConformanceOptions, 'spec' | 'scenarios' | 'only' | 'skip'>): {
  contract: Contract;
  scenarios: Scenario[];
  /** The ids of all scenarios, selected or not. */
  ids: string[];
} {
  const contract = readContract(options);
  const loaded = loadScenarios([packageFile('scenarios'), ...(options.scenarios ?? [])], contract);
  const all = rebase(loaded, contract, options);
  const scenarios = selectScenarios(all, { only: options.only ?? [], skip: options.skip ?? [] });
  return { contract, scenarios, ids: all.map(({ id }) => id) };
}

/** Shipped scenarios rest on places in the shipped contract. */
function rebase(scenarios: readonly Scenario[], contract: Contract, options: SpecOptions): Scenario[] {
  return scenarios.map((scenario) =>
    scenario.hasShippedBasis && scenario.basis.startsWith('#')
      ? { ...scenario, basis: `#${rebasePointer(scenario.basis.slice(1), contract, options)}` }
      : scenario,
  );
}

type SpecOptions = Pick<ConformanceOptions, 'spec'>;

/** A place of the shipped contract in the contract of the run. */
function rebasePointer(pointer: string, contract: Contract, { spec }: SpecOptions): string {
  return spec === undefined ? pointer : translatePointer(pointer, readContract({}), contract);
}

function readGivenProfile(
  file: string | undefined,
  gaps: readonly Gap[],
): { file: string; profile: ObservedProfile } | undefined {
  return file === undefined ? undefined : { file, profile: loadProfile(file, gaps) };
}

function readContract({
  spec,
  allowOutsideRefs = false,
}: Pick<ConformanceOptions, 'spec' | 'allowOutsideRefs'>): Contract {
  if (spec !== undefined) return loadContract(spec, { allowOutsideRefs });
  return loadContract(packageFile(SHIPPED_CONTRACT), {
    shownAs: showFromHere(packageFile(SHIPPED_CONTRACT)),
    trusted: true,
  });
}

/** The path of a file by which a reader finds it from the working directory. */
function showFromHere(path: string): string {
  const fromHere = relative('', path);
  return fromHere.startsWith('..') ? path : fromHere;
}

function listNotes({ notes, run }: Running): string[] {
  const leftOut = run.evidence.leftOut();
  if (leftOut > 0) notes.set(`${leftOut} further findings like those that are told are left out`, 1);
  return [...notes].map(([note, times]) => (times === 1 ? note : `${note} (${times} times)`));
}

function describeCoverage({ run }: Running, { document }: Contract): CoverageResult {
  const { total, covered, missing } = run.coverage.summarize();
  const placed = missing.map(({ id, kind, pointer }) => ({
    id,
    kind,
    contract: placeIn(document, pointer),
  }));
  return { total, covered, missing: placed };
}

function summarize(
  { results, problems }: { results: readonly ScenarioResult[]; problems: readonly Problem[] },
  counts: Running['counts'],
): Summary {
  const count = (verdict: ScenarioResult['verdict']): number =>
    results.filter((each) => each.verdict === verdict).length;
  return {
    problems: countProblems(problems),
    passed: count('passed'),
    deviated: count('deviated'),
    known: count('known'),
    observed: count('observed'),
    inconclusive: count('inconclusive'),
    skipped: count('skipped'),
    ...counts,
  };
}
