import { addExcerpts } from '../add-excerpts.js';
import { NONE, NOT_OBSERVED, OTHER } from '../../../contract/gaps/profile.js';
import { isSound } from '../../run/known/apply-baseline.js';
import { describeTested, summarize } from '../compose-result.js';
import { findProblems } from '../../problems/problems.js';
import type {
  BaselineLine,
  BaselineResult,
  CoverageResult,
  DriftResult,
  GapResult,
  RequestLimitResult,
  ResourcesResult,
  RunResult,
  ScenarioResult,
  Summary,
  Verdict,
  CreatedOf,
  LeftBehind,
  Shard,
} from '../../model/result.js';
import { checkAgainstSchema, compileFileSchema } from '../../../contract/check-against-schema.js';
import { readDocument } from '../../../contract/document/document.js';
import { PetstoreMockError } from '../../../errors.js';

/**
 * Merges the JSON reports of all shards of a run. Throws a `PetstoreMockError` with the code `unusable-result` for a file
 * that is not such a report, for one of another run, and for a shard that is missing or given twice.
 *
 * @example
 * const result = mergeShards(['part1/conformance.json', 'part2/conformance.json']);
 */
export function mergeShards(paths: readonly string[]): RunResult {
  return mergeResults(readShards(paths));
}

/** The result of a run that several shards shared, as one run would have had it. */
export function mergeResults(shards: readonly ShardResult[]): RunResult {
  const [first] = shards;
  if (first === undefined) throw new Error('there are no shards to merge');
  const {
    shard: _,
    baseline: _known,
    drift: _changes,
    leftBehind: _left,
    resources: _tested,
    untested: _why,
    ...common
  } = first;
  const scenarios = mergeScenarios(shards.flatMap((each) => each.scenarios));
  const problems = addExcerpts(findProblems({ scenarios }));
  const lostBecause = shards.find((each) => each.lostBecause !== undefined)?.lostBecause;
  const baseline = mergeBaselines(
    shards.flatMap((each) => each.baseline ?? []),
    scenarios,
  );
  const drift = mergeDrifts(shards.flatMap((each) => each.drift ?? []));
  return {
    ...common,
    ...measureTime(shards),
    ...describeTested(mergeTested(shards.flatMap(({ resources }) => resources ?? []))),
    interrupted: shards.some((each) => each.interrupted),
    targetLost: shards.some((each) => each.targetLost),
    ...(lostBecause === undefined ? {} : { lostBecause }),
    outOfTime: shards.some((each) => each.outOfTime),
    ...mergeLimits(shards.flatMap((each) => each.requestLimit ?? [])),
    summary: summarize({ results: scenarios, problems }, countAll(shards)),
    coverage: mergeCoverage(shards.map((each) => each.coverage)),
    problems,
    scenarios,
    ...(baseline === undefined ? {} : { baseline }),
    gaps: first.gaps.map(({ id }) => mergeGap(shards.flatMap((each) => each.gaps.filter((gap) => gap.id === id)))),
    ...(drift === undefined ? {} : { drift }),
    notes: [...new Set(shards.flatMap((each) => each.notes))],
    ...mergeLeft(shards.flatMap((each) => each.leftBehind ?? [])),
  };
}

/** What one shard has tested is tested. */
function mergeTested(all: readonly ResourcesResult[]): ResourcesResult | undefined {
  if (all.length === 0) return undefined;
  const tested = new Set(all.flatMap((each) => each.tested));
  const others = all.flatMap(({ untested }) => untested).filter(({ name }) => !tested.has(name));
  const names = [...new Set(others.map(({ name }) => name))];
  return { tested: [...tested], untested: names.flatMap((name) => others.find((each) => each.name === name) ?? []) };
}

/** Each shard has a mark of its own. */
function mergeLeft(leftBehind: LeftBehind[]): Pick<RunResult, 'leftBehind'> {
  return leftBehind.length === 0 ? {} : { leftBehind };
}

/** From the first start to the last end. */
function measureTime(shards: readonly ShardResult[]): { startedAt: string; durationMs: number } {
  const starts = shards.map(({ startedAt }) => Date.parse(startedAt));
  const ends = shards.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs);
  const start = Math.min(...starts);
  return { startedAt: new Date(start).toISOString(), durationMs: Math.max(...ends) - start };
}

function mergeLimits(limits: readonly RequestLimitResult[]): Pick<RunResult, 'requestLimit'> {
  const add = (name: keyof RequestLimitResult): number => limits.reduce((sum, limit) => sum + limit[name], 0);
  if (limits.length === 0) return {};
  return { requestLimit: { most: add('most'), wanted: add('wanted'), leftOut: add('leftOut') } };
}

function countAll(shards: readonly ShardResult[]): Pick<Summary, 'requests' | 'created' | 'createdOf'> {
  const add = (name: 'requests' | 'created'): number => shards.reduce((sum, { summary }) => sum + summary[name], 0);
  const createdOf = addKinds(shards);
  const counts = { requests: add('requests'), created: add('created') };
  return createdOf.every(({ one }) => one === 'pet') ? counts : { ...counts, createdOf };
}

/** A run that created only pets does not list kinds. */
function addKinds(shards: readonly ShardResult[]): CreatedOf[] {
  const kinds = new Map<string, CreatedOf>();
  for (const { created, createdOf = [{ one: 'pet', many: 'pets', count: created }] } of shards.map(
    (each) => each.summary,
  )) {
    for (const { count, ...words } of createdOf) {
      const before = kinds.get(words.many)?.count ?? 0;
      if (before + count > 0) kinds.set(words.many, { ...words, count: before + count });
    }
  }
  return [...kinds.values()];
}

/** A scenario that several shards ran, since others build on it, counts once: with its worst verdict. */
const WORST_FIRST: readonly Verdict[] = ['deviated', 'known', 'observed', 'passed', 'inconclusive', 'skipped'];

function mergeScenarios(results: readonly ScenarioResult[]): ScenarioResult[] {
  const merged = new Map<string, ScenarioResult>();
  for (const result of results) {
    const other = merged.get(result.id);
    const isWorse = other === undefined || rank(result) < rank(other);
    if (isWorse) merged.set(result.id, result);
  }
  return [...merged.values()];
}

function rank({ verdict }: ScenarioResult): number {
  return WORST_FIRST.indexOf(verdict);
}

/** Only what no shard exercised is missing. */
function mergeCoverage(parts: readonly CoverageResult[]): CoverageResult {
  const [first, ...others] = parts;
  if (first === undefined) throw new Error('there is no coverage to merge');
  const isMissing = ({ id }: CoverageResult['missing'][number]): boolean =>
    others.every(({ missing }) => missing.some((each) => each.id === id));
  const isSent = (id: string): boolean =>
    parts.some(({ missing }) => missing.some((each) => each.id === id && each.sent === true));
  const missing = first.missing
    .filter(isMissing)
    .map((item) => (isSent(item.id) ? Object.assign({}, item, { sent: true as const }) : item));
  return { total: first.total, covered: first.total - missing.length, missing };
}

/** An answer takes precedence over none; if two shards saw different things, the result has both. */
function mergeGap(parts: readonly GapResult[]): GapResult {
  const seen = parts.filter(({ answer }) => answer !== NOT_OBSERVED);
  const [first, ...others] = seen.length === 0 ? parts : seen;
  if (first === undefined) throw new Error('there is no gap to merge');
  const evidence = [...new Set([first, ...others].map((each) => each.evidence))].join('; ');
  if (others.every(({ answer }) => JSON.stringify(answer) === JSON.stringify(first.answer)))
    return { ...first, evidence };
  if (first.kind === 'observation') {
    const entries = [
      ...new Set(seen.flatMap(({ answer }) => (Array.isArray(answer) ? (answer as string[]) : []))),
    ].sort();
    return { ...first, answer: entries, meaning: entries.join(', '), evidence };
  }
  // The largest number that was seen holds; `none` is less than any number.
  if (first.kind === 'value') return { ...pickLargest(seen, first), evidence };
  const told = seen.map((each) => `${String(each.answer)}: ${each.evidence}`);
  return { ...first, answer: OTHER, meaning: 'none of the named choices', evidence: [...new Set(told)].join('; ') };
}

function pickLargest(seen: readonly GapResult[], first: GapResult): GapResult {
  const size = ({ answer }: GapResult): number => (answer === NONE ? -1 : Number(answer));
  return seen.reduce((largest, each) => (size(each) > size(largest) ? each : largest), first);
}

/** A line is seen if any shard saw it; only all shards together can tell which are fixed. */
function mergeBaselines(
  parts: readonly BaselineResult[],
  scenarios: readonly ScenarioResult[],
): BaselineResult | undefined {
  const [first] = parts;
  if (first === undefined) return undefined;
  const known = unite(parts.flatMap((each) => each.known));
  const expired = unite(parts.flatMap((each) => each.expired));
  const seen = new Set([...known, ...expired].map(keyOf));
  const rest = unite(parts.flatMap((each) => each.unseen)).filter((line) => !seen.has(keyOf(line)));
  const fixed = rest.filter((line) => isSound(line, scenarios));
  return { file: first.file, known, expired, fixed, unseen: rest.filter((line) => !fixed.includes(line)) };
}

function unite(lines: readonly BaselineLine[]): BaselineLine[] {
  return [...new Map(lines.map((line) => [keyOf(line), line])).values()];
}

function keyOf({ place, scenario }: BaselineLine): string {
  return `${place.file}:${place.line}:${place.column} ${scenario}`;
}

/** What changed in any shard; what no shard saw is noted. */
function mergeDrifts(parts: readonly DriftResult[]): DriftResult | undefined {
  const [first] = parts;
  if (first === undefined) return undefined;
  const changes = [...new Map(parts.flatMap((each) => each.changes.map((change) => [change.id, change]))).values()];
  const notes = first.notes.filter(({ id }) => parts.every((each) => each.notes.some((note) => note.id === id)));
  return { profile: first.profile, changes, notes: notes.filter(({ id }) => !changes.some((each) => each.id === id)) };
}

/** The result of one shard. */
type ShardResult = RunResult & { shard: Shard };

const SCHEMA_FILE = 'spec/conformance-result.schema.json';

/**
 * Reads the JSON results of all shards of a run, in their order. Throws a {@link PetstoreMockError} for a file that is not
 * such a result, for one of another run, and for a shard that is missing or given twice.
 */
function readShards(paths: readonly string[]): ShardResult[] {
  const given = paths.map((path) => ({ path, result: readShard(path) }));
  const [first] = given;
  if (first === undefined) throw unusable('there is no result to merge; name the JSON results of all shards.');
  for (const { path, result } of given) refuseOther(path, result, first);
  for (let index = 1; index <= first.result.shard.of; index++) {
    const same = given.filter(({ result }) => result.shard.index === index);
    const name = `shard ${index}/${first.result.shard.of}`;
    if (same.length === 0) throw unusable(`${name} is missing; name the JSON results of all shards.`);
    if (same.length > 1)
      throw unusable(`${name} is there ${same.length} times: ${same.map(({ path }) => path).join(', ')}.`);
  }
  return given.map(({ result }) => result).toSorted((a, b) => a.shard.index - b.shard.index);
}

function readShard(path: string): ShardResult {
  const document = readDocument(path, { code: 'unusable-result', kind: 'report' });
  checkAgainstSchema(document, compileFileSchema(SCHEMA_FILE), 'unusable-result');
  const result = document.root as RunResult;
  const { shard } = result;
  if (shard === undefined) throw unusable(`${path} is the result of a whole run; merge those of runs with --shard.`);
  return { ...result, shard };
}

/** All parts of a run have the same target, contract and number of shards. */
function refuseOther(path: string, result: ShardResult, first: { path: string; result: ShardResult }): void {
  const told = describeRun(result);
  const wanted = describeRun(first.result);
  if (told !== wanted) throw unusable(`${path} belongs to another run than ${first.path}: ${told}, not ${wanted}.`);
}

function describeRun({ target, contract, shard }: ShardResult): string {
  return `${shard.of} shards of ${contract.title} ${contract.version} at ${target}`;
}

function unusable(message: string): PetstoreMockError {
  return new PetstoreMockError('unusable-result', message);
}
