import { addExcerpts } from './add-excerpts.js';
import type { Contract } from '../../contract/contract.js';
import { describeNotes } from '../../contract/document/notes.js';
import type { Gap } from '../../contract/gaps/gaps.js';
import { placeIn } from '../../contract/schemas/violation.js';
import type { PetstoreMockError } from '../../errors.js';
import { summarizeBaseline, type KnownDeviations } from '../run/known/apply-baseline.js';
import { describeGaps } from '../run/gaps/observed-profile.js';
import { noteChoices } from '../run/gaps/worth-a-look.js';
import type { ConformanceOptions } from '../model/options.js';
import { rebasePointer } from './read-contract.js';
import { countProblems, findProblems } from '../problems/problems.js';
import {
  type Problem,
  RESULT_VERSION,
  type CoverageResult,
  type ResourcesResult,
  type RunResult,
  type ScenarioResult,
  type Summary,
} from '../model/result.js';
import { showTarget } from '../wire/http/read-given.js';
import type { Running } from '../run/create-run.js';
import type { Run } from '../run/run.js';
import { listLackingFree } from '../subjects/free-parameters.js';
import { bindSubjects } from '../subjects/bind-subjects.js';
import { readSubjects, type Subject } from '../subjects/subject.js';

/** The prepared inputs for the result. */
export interface Asked {
  options: ConformanceOptions;
  target: URL;
  contract: Contract;
  gaps: readonly Gap[];
  known: KnownDeviations;
  /** The file of the baseline. */
  baseline: string | undefined;
  /** Why no resource is tested. */
  untested: string | undefined;
  started: { at: string; clock: number };
}

/** The result of a run, before secrets are taken out; `stopped` is why the target could not be tested. */
export function composeResult(
  running: Running,
  results: ScenarioResult[],
  { options, target, contract, gaps, known, baseline, untested, started }: Asked,
  stopped: PetstoreMockError | undefined,
): RunResult {
  const expired = running.credentials.whyExpired();
  const lost = running.whyLost() ?? expired;
  const documentNotes = describeNotes(contract.listNotes(), Infinity);
  const problems = addExcerpts(findProblems({ scenarios: results }));
  const gapResults = describeGaps(gaps, {
    scenarios: results,
    conclusions: running.gaps.conclude(),
    locate: ({ contract: at, of }) =>
      placeIn(contract.document, of === undefined ? rebasePointer(at.slice(1), contract, options) : at.slice(1)),
  });
  return {
    version: RESULT_VERSION,
    target: showTarget(target),
    contract: {
      title: contract.title,
      version: contract.version,
      file: contract.document.file,
      ...(documentNotes.length === 0 ? {} : { notes: documentNotes }),
    },
    ...describeTested(
      countTested(running.run, results, {
        isSelected: isSelection(options),
        isChosen: namesScenarios(options),
        untested,
      }),
    ),
    ...(options.shard === undefined ? {} : { shard: options.shard }),
    startedAt: started.at,
    durationMs: performance.now() - started.clock,
    interrupted: options.signal?.aborted ?? false,
    targetLost: lost !== undefined || stopped?.code === 'target-unreachable',
    ...(lost === undefined ? {} : { lostBecause: lost }),
    ...(expired === undefined ? {} : { credentialsExpired: true }),
    outOfTime: running.isOutOfTime(),
    ...describeLimit(running, options),
    summary: summarize({ results, problems }, running.counts),
    coverage: describeCoverage(running, contract),
    problems,
    scenarios: results,
    ...(baseline === undefined
      ? {}
      : { baseline: summarizeBaseline(baseline, known, results, { isShard: options.shard !== undefined }) }),
    gaps: gapResults,
    notes: [
      ...running.run.expectations.list(),
      ...listNotes(running, results),
      ...noteChoices(gapResults, options.strict ?? false),
    ],
    ...describeLeft(running),
  };
}

/** Whether the user chose scenarios. */
function isSelection({ only = [], skip = [], shard }: ConformanceOptions): boolean {
  return only.length > 0 || skip.length > 0 || shard !== undefined;
}

/** Whether the user names scenarios, not all of a resource (`orders/*`): then what they conclude is what was asked for. */
function namesScenarios({ only = [] }: ConformanceOptions): boolean {
  return only.length > 0 && !only.some((each) => /^(?:[^/]+\/)?\*$/.test(each));
}

/** Also of several shards together. */
export function describeTested(resources: ResourcesResult | undefined): Pick<RunResult, 'resources' | 'untested'> {
  if (resources === undefined) return {};
  const [first] = resources.untested;
  return resources.tested.length > 0 || first === undefined
    ? { resources }
    : { resources, untested: `${first.name}: ${first.why}` };
}

function describeLimit(
  { run: { limit } }: Running,
  { maxRequests: most }: ConformanceOptions,
): Pick<RunResult, 'requestLimit'> {
  if (most === undefined) return {};
  return { requestLimit: { most, wanted: limit.foreseeAll(), leftOut: limit.leftOut.size } };
}

/** Before the run tidies up, everything that it created is there. */
function describeLeft(running: Running): Pick<RunResult, 'leftBehind'> {
  const left = running.listLeftovers();
  return left.length === 0 ? {} : { leftBehind: left };
}

function listNotes({ notes, run }: Running, results: readonly ScenarioResult[]): string[] {
  const shown = results.flatMap(({ steps }) =>
    steps.flatMap(({ exchanges }) => exchanges.flatMap(({ findings }) => findings)),
  );
  // Of findings that were taken back, nothing is shown.
  const omitted = shown.reduce((sum, { severity, more = 0 }) => (severity === 'deviation' ? sum + more : sum), 0);
  const others = run.evidence.leftOut();
  if (others > 0) notes.set(`${others} findings are in no report: too many kinds are wrong in one response`, 1);
  if (omitted > 0) notes.set(`${omitted} more findings like those shown are omitted`, 1);
  return [...notes].map(([note, times]) => (times === 1 ? note : `${note} (${times} times)`));
}

function describeCoverage({ run }: Running, { document }: Contract): CoverageResult {
  const { total, covered, missing } = run.coverage.summarize();
  const placed = missing.map(({ id, kind, pointer, sent }) =>
    Object.assign({ id, kind, contract: placeIn(document, pointer) }, sent === undefined ? {} : { sent }),
  );
  return { total, covered, missing: placed };
}

/** How many scenarios came to which verdict, beside what was counted of the whole run. */
export function summarize(
  { results, problems }: { results: readonly ScenarioResult[]; problems: readonly Problem[] },
  counts: Pick<Summary, 'requests' | 'created' | 'createdOf'>,
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

// Which resources of its contract a run has tested: those of which it saw a record, and concluded something.

const CONCLUDED: ReadonlySet<string> = new Set(['passed', 'deviated', 'known', 'observed']);

/** `undefined` where the contract has no resource, or what was selected is about none. */
function countTested(
  run: Run,
  results: readonly ScenarioResult[],
  { isSelected, isChosen, untested }: { isSelected: boolean; isChosen: boolean; untested: string | undefined },
): ResourcesResult | undefined {
  const subjects = readSubjects(run.contract);
  const ownOf = ({ name }: Subject): ScenarioResult[] => results.filter(({ about }) => about?.resource === name);
  if (subjects.length === 0 || (isSelected && subjects.every((subject) => ownOf(subject).length === 0)))
    return undefined;
  const isTested = (subject: Subject): boolean =>
    // Who chose the scenarios knows what they ask for.
    ownOf(subject).some(({ verdict }) => CONCLUDED.has(verdict)) && (isChosen || isSeen(subject, run));
  const tested = subjects.filter(isTested).map(({ name }) => name);
  const others = subjects.filter(({ name }) => !tested.includes(name));
  return {
    tested,
    untested: others.map((subject) => ({
      name: subject.name,
      why: untested ?? explain(subject, ownOf(subject), run),
    })),
  };
}

function isSeen(subject: Subject, { ledger }: Run): boolean {
  const isCreated = [...ledger.records.values()].some(
    ({ id, state }) => id.resource === subject.name && state !== undefined,
  );
  return isCreated || ledger.countShown(subject) > 0;
}

/** What most of its scenarios lack; else why there are none, or what was not seen. */
function explain(
  { resource, roles }: Subject,
  own: readonly ScenarioResult[],
  { contract, prepareOptions: { parameters } }: Run,
): string {
  const counts = new Map<string, number>();
  for (const { verdict, reason = '' } of own) {
    const lack = reason.replace(/^it builds on \S+: /, '').replace(/^step \S+: /, '');
    if (!CONCLUDED.has(verdict) && lack !== '') counts.set(lack, (counts.get(lack) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  const path = `${resource.collectionPath}: `;
  const { notes, found } = bindSubjects(contract);
  const note = [...notes, ...found].find((each) => each.startsWith(path))?.slice(path.length);
  const lacking = new Map(listLackingFree(contract, parameters));
  const lack = Object.values(roles).map(({ operation }) => lacking.get(operation.id));
  if (own.length === 0) return note ?? lack.find((each) => each !== undefined) ?? 'no scenario of it was selected';
  return most?.[0] ?? note ?? 'it had no record to read';
}
