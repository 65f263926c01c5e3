import { RESULT_VERSION } from '../model/result.js';
import type * as Result from '../model/result.js';
import type { Contract } from '../../contract/contract.js';
import { describeNotes, readDocument, readText, rejectEndless } from '../../contract/document/document.js';
import type { Gap } from '../../contract/gaps/gaps.js';
import { inferResources } from '../../contract/resources/infer-resources.js';
import { placeIn } from '../../contract/schemas/violation.js';
import { formatPlace, PetstoreMockError, type SourcePlace } from '../../errors.js';
import { summarizeBaseline, isSound, type KnownDeviations } from '../engine/baseline.js';
import { describeGaps, noteChoices } from '../engine/gaps.js';
import type { ConformanceOptions } from '../model/options.js';
import { rebasePointer } from './plan-run.js';
import { countProblems, findProblems } from '../problems/problems.js';
import { showTarget } from '../http/request-credentials.js';
import type { Running, Run } from '../engine/run.js';
import { listLeftovers } from '../engine/created-records.js';
import { listLackingFree, bindSubjects } from '../resources/instantiate-resources.js';
import { readSubjects, type Subject } from '../resources/resource-under-test.js';
import { NONE, NOT_OBSERVED, OTHER } from '../../contract/gaps/profile.js';
import { checkAgainstSchema, compileFileSchema } from '../../contract/check-against-schema.js';

export interface Asked {
  options: ConformanceOptions;
  target: URL;
  contract: Contract;
  gaps: readonly Gap[];
  known: KnownDeviations;
  baseline: string | undefined;
  untested: string | undefined;
  started: { at: string; clock: number };
}

type Scenarios = Result.ScenarioResult[];

export function composeResult(running: Running, results: Scenarios, asked: Asked, stopped?: PetstoreMockError) {
  const { options, target, contract, gaps, known, baseline, started } = asked;
  const expired = running.credentials.whyExpired();
  const lost = running.whyLost() ?? expired;
  const documentNotes = describeNotes(contract.listNotes(), Infinity);
  const problems = addExcerpts(findProblems({ scenarios: results }));
  const left = listLeftovers(running.run);
  const { limit, coverage } = running.run;
  const { total, covered, missing } = coverage.summarize();
  const placed = missing.map(({ id, kind, pointer, sent }) =>
    Object.assign({ id, kind, contract: placeIn(contract.document, pointer) }, sent === undefined ? {} : { sent }),
  );
  const { maxRequests: most, shard } = options;
  const found = { scenarios: results, conclusions: running.gaps.conclude() };
  const gapResults = describeGaps(gaps, found, ({ contract: at, of }) =>
    placeIn(contract.document, of === undefined ? rebasePointer(at.slice(1), contract, options) : at.slice(1)),
  );
  const { notes, run } = running;
  const shown = results.flatMap(({ steps }) =>
    steps.flatMap(({ exchanges }) => exchanges.flatMap(({ findings }) => findings)),
  );
  const omitted = shown.reduce((sum, { severity, more = 0 }) => (severity === 'deviation' ? sum + more : sum), 0);
  const others = run.evidence.leftOut();
  if (others > 0) notes.set(`${others} findings are in no report: too many kinds are wrong in one response`, 1);
  if (omitted > 0) notes.set(`${omitted} more findings like those shown are omitted`, 1);
  return {
    version: RESULT_VERSION,
    target: showTarget(target),
    contract: {
      title: contract.title,
      version: contract.version,
      file: contract.document.file,
      ...(documentNotes.length === 0 ? {} : { notes: documentNotes }),
    },
    ...describeTested(countTested(running.run, results, asked)),
    ...(shard === undefined ? {} : { shard }),
    startedAt: started.at,
    durationMs: performance.now() - started.clock,
    interrupted: options.signal?.aborted ?? false,
    targetLost: lost !== undefined || stopped?.code === 'target-unreachable',
    ...(lost === undefined ? {} : { lostBecause: lost }),
    ...(expired === undefined ? {} : { credentialsExpired: true }),
    outOfTime: running.isOutOfTime(),
    ...(most === undefined ? {} : { requestLimit: { most, wanted: limit.foreseeAll(), leftOut: limit.leftOut.size } }),
    summary: summarize(results, problems, running.counts),
    coverage: { total, covered, missing: placed },
    problems,
    scenarios: results,
    ...(baseline === undefined ? {} : { baseline: summarizeBaseline(baseline, known, results, shard !== undefined) }),
    gaps: gapResults,
    notes: [
      ...running.run.expectations.list(),
      ...[...notes].map(([note, times]) => (times === 1 ? note : `${note} (${times} times)`)),
      ...noteChoices(gapResults, options.strict ?? false),
      ...listWarnings(results),
    ],
    ...(left.length === 0 ? {} : { leftBehind: left }),
  } satisfies Result.RunResult;
}

function describeTested(resources?: Result.ResourcesResult): Pick<Result.RunResult, 'resources' | 'untested'> {
  if (resources === undefined) return {};
  const [first] = resources.untested;
  return resources.tested.length > 0 || first === undefined
    ? { resources }
    : { resources, untested: `${first.name}: ${first.why}` };
}

type Counts = Pick<Result.Summary, 'requests' | 'created' | 'createdOf'>;

function summarize(results: Scenarios, problems: readonly Result.Problem[], counts: Counts): Result.Summary {
  const verdicts = { passed: 0, deviated: 0, known: 0, observed: 0, inconclusive: 0, skipped: 0 };
  for (const { verdict } of results) verdicts[verdict] += 1;
  return { problems: countProblems(problems), ...verdicts, ...counts };
}

const CONCLUDED: ReadonlySet<string> = new Set(['passed', 'deviated', 'known', 'observed']);

function countTested(run: Run, results: readonly Result.ScenarioResult[], { options, untested }: Asked) {
  const { only = [], skip = [], shard } = options;
  const isChosen = only.length > 0 && !only.some((each) => /^(?:[^/]+\/)?\*$/.test(each));
  const isSelected = only.length > 0 || skip.length > 0 || shard !== undefined;
  const subjects = readSubjects(run.contract);
  const ownOf = ({ name }: Subject): Result.ScenarioResult[] => results.filter(({ about }) => about?.resource === name);
  if (subjects.length === 0 || (isSelected && subjects.every((subject) => ownOf(subject).length === 0)))
    return undefined;
  const records = [...run.ledger.records.values()];
  const isSeen = (subject: Subject): boolean =>
    run.ledger.countShown(subject) > 0 ||
    records.some(({ id, state }) => id.resource === subject.name && state !== undefined);
  const isTested = (subject: Subject): boolean =>
    ownOf(subject).some(({ verdict }) => CONCLUDED.has(verdict)) && (isChosen || isSeen(subject));
  const tested = subjects.filter(isTested).map(({ name }) => name);
  const others = subjects
    .filter(({ name }) => !tested.includes(name))
    .map((subject) => ({ name: subject.name, why: untested ?? explain(subject, ownOf(subject), run) }));
  const missed = inferResources(run.contract).notes.flatMap((note) => note.missed ?? []);
  const open = missed.map(({ name, why }) => ({ name, why: `${why}; a file of corrections (--resources) can say it` }));
  return { tested, untested: [...others, ...open] };
}

function explain({ resource, roles }: Subject, own: readonly Result.ScenarioResult[], run: Run): string {
  const { contract, prepareOptions } = run;
  const counts = new Map<string, number>();
  for (const { verdict, reason = '' } of own) {
    const lack = reason.replace(/^it builds on \S+: /, '').replace(/^step \S+: /, '');
    if (!CONCLUDED.has(verdict) && lack !== '') counts.set(lack, (counts.get(lack) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  const path = `${resource.collectionPath}: `;
  const { notes, found } = bindSubjects(contract);
  const note = [...notes, ...found].find((each) => each.startsWith(path))?.slice(path.length);
  const lacking = new Map(listLackingFree(contract, prepareOptions.parameters));
  const lack = Object.values(roles).map(({ operation }) => lacking.get(operation.id));
  if (own.length === 0) return note ?? lack.find((each) => each !== undefined) ?? 'no scenario of it was selected';
  return most?.[0] ?? note ?? 'it had no record to read';
}

export function addExcerpts(problems: readonly Result.Problem[]): Result.Problem[] {
  const files = new Map<string, string[]>();
  const linesOf = (file: string): string[] => {
    const lines = files.get(file) ?? readLines(file);
    files.set(file, lines);
    return lines;
  };
  return problems.map((problem) => {
    const excerpt = problem.contract === undefined ? '' : cutOut(problem.contract, linesOf);
    if (problem.contract === undefined || excerpt === '') return problem;
    return { ...problem, contract: { ...problem.contract, excerpt } };
  });
}

function readLines(file: string): string[] {
  try {
    rejectEndless(file);
    return readText(file).split(/\r?\n/);
  } catch {
    return [];
  }
}

function cutOut({ file, line = 1 }: SourcePlace, linesOf: (file: string) => string[]): string {
  const [first = '', ...following] = linesOf(file).slice(line - 1, line - 1 + 3);
  const indentOf = (text: string): number => text.length - text.trimStart().length;
  const indent = indentOf(first);
  const end = following.findIndex((each) => indentOf(each) <= indent);
  const lines = [first, ...(end === -1 ? following : following.slice(0, end))];
  return lines.map((each) => each.slice(indent, indent + 120).trimEnd()).join('\n');
}

/**
 * Merges the JSON reports of all shards of a run. Throws a `PetstoreMockError` with the code `unusable-result` for a file
 * that is not such a report, for one of another run, and for a shard that is missing or given twice.
 *
 * @example
 * const result = mergeShards(['part1/conformance.json', 'part2/conformance.json']);
 */
export function mergeShards(paths: readonly string[]): Result.RunResult {
  const shards = readShards(paths);
  const [first] = shards as [ShardResult];
  const { shard: _, baseline: _b, drift: _d, leftBehind: _l, resources: _r, untested: _u, ...common } = first;
  const results = shards.flatMap((each) => each.scenarios);
  const order = ({ verdict }: Result.ScenarioResult): number => WORST_FIRST.indexOf(verdict);
  const merged = new Map<string, Result.ScenarioResult>();
  for (const result of results) {
    const other = merged.get(result.id);
    if (other === undefined || order(result) < order(other)) merged.set(result.id, result);
  }
  const scenarios = [...merged.values()];
  const problems = addExcerpts(findProblems({ scenarios }));
  const lostBecause = shards.find((each) => each.lostBecause !== undefined)?.lostBecause;
  const baseline = mergeBaselines(
    shards.flatMap((each) => each.baseline ?? []),
    scenarios,
  );
  const drift = mergeDrifts(shards.flatMap((each) => each.drift ?? []));
  const leftBehind = shards.flatMap((each) => each.leftBehind ?? []);
  const limits = shards.flatMap((each) => each.requestLimit ?? []);
  const add = (name: keyof Result.RequestLimitResult): number => limits.reduce((sum, limit) => sum + limit[name], 0);
  const requestLimit = { most: add('most'), wanted: add('wanted'), leftOut: add('leftOut') };
  const starts = shards.map(({ startedAt }) => Date.parse(startedAt));
  const start = Math.min(...starts);
  const end = Math.max(...shards.map(({ durationMs }, index) => (starts[index] ?? 0) + durationMs));
  const total = (name: 'requests' | 'created'): number => shards.reduce((sum, { summary }) => sum + summary[name], 0);
  const kinds = new Map<string, Result.CreatedOf>();
  for (const { count, ...words } of shards.flatMap(({ summary }) => summary.createdOf ?? []))
    kinds.set(words.many, { ...words, count: count + (kinds.get(words.many)?.count ?? 0) });
  const createdOf = kinds.size === 0 ? {} : { createdOf: [...kinds.values()] };
  const counts = { requests: total('requests'), created: total('created'), ...createdOf };
  const parts = shards.map((each) => each.coverage);
  const whole = first.coverage;
  const isMissing = ({ id }: Result.CoverageResult['missing'][number]): boolean =>
    parts.every(({ missing }) => missing.some((each) => each.id === id));
  const isSent = (id: string): boolean =>
    parts.some(({ missing }) => missing.some((each) => each.id === id && each.sent === true));
  const missing = whole.missing
    .filter(isMissing)
    .map((item) => (isSent(item.id) ? Object.assign({}, item, { sent: true as const }) : item));
  return {
    ...common,
    startedAt: new Date(start).toISOString(),
    durationMs: end - start,
    ...describeTested(mergeTested(shards.flatMap((each) => each.resources ?? []))),
    interrupted: shards.some((each) => each.interrupted),
    targetLost: shards.some((each) => each.targetLost),
    ...(lostBecause === undefined ? {} : { lostBecause }),
    outOfTime: shards.some((each) => each.outOfTime),
    ...(limits.length === 0 ? {} : { requestLimit }),
    summary: summarize(scenarios, problems, counts),
    coverage: { total: whole.total, covered: whole.total - missing.length, missing },
    problems,
    scenarios,
    ...(baseline === undefined ? {} : { baseline }),
    gaps: first.gaps.map(({ id }) => mergeGap(shards.flatMap((each) => each.gaps.filter((gap) => gap.id === id)))),
    ...(drift === undefined ? {} : { drift }),
    notes: [...new Set(shards.flatMap((each) => each.notes))],
    ...(leftBehind.length === 0 ? {} : { leftBehind }),
  };
}

function mergeTested(all: readonly Result.ResourcesResult[]): Result.ResourcesResult | undefined {
  if (all.length === 0) return undefined;
  const tested = new Set(all.flatMap((each) => each.tested));
  const others = all.flatMap(({ untested }) => untested).filter(({ name }) => !tested.has(name));
  const names = [...new Set(others.map(({ name }) => name))];
  return { tested: [...tested], untested: names.flatMap((name) => others.find((each) => each.name === name) ?? []) };
}

const WORST_FIRST: readonly Result.Verdict[] = ['deviated', 'known', 'observed', 'passed', 'inconclusive', 'skipped'];

function mergeGap(parts: readonly Result.GapResult[]): Result.GapResult {
  const seen = parts.filter(({ answer }) => answer !== NOT_OBSERVED);
  const [first, ...others] = seen.length === 0 ? parts : seen;
  if (first === undefined) throw new Error('there is no gap to merge');
  const evidence = [...new Set([first, ...others].map((each) => each.evidence))].join('; ');
  if (others.every(({ answer }) => JSON.stringify(answer) === JSON.stringify(first.answer)))
    return { ...first, evidence };
  if (first.kind === 'observation') {
    const all = seen.flatMap(({ answer }) => (Array.isArray(answer) ? (answer as string[]) : []));
    const entries = [...new Set(all)].sort();
    return { ...first, answer: entries, meaning: entries.join(', '), evidence };
  }
  // The largest number that was seen holds; `none` is less than any number.
  if (first.kind === 'value') {
    const size = ({ answer }: Result.GapResult): number => (answer === NONE ? -1 : Number(answer));
    return { ...seen.reduce((largest, each) => (size(each) > size(largest) ? each : largest), first), evidence };
  }
  const told = seen.map((each) => `${String(each.answer)}: ${each.evidence}`);
  return { ...first, answer: OTHER, meaning: 'none of the named choices', evidence: [...new Set(told)].join('; ') };
}

function mergeBaselines(parts: readonly Result.BaselineResult[], scenarios: readonly Result.ScenarioResult[]) {
  const [first] = parts;
  if (first === undefined) return undefined;
  const unite = (lines: readonly Result.BaselineLine[]) => [
    ...new Map(lines.map((line) => [keyOf(line), line])).values(),
  ];
  const known = unite(parts.flatMap((each) => each.known));
  const expired = unite(parts.flatMap((each) => each.expired));
  const seen = new Set([...known, ...expired].map(keyOf));
  const rest = unite(parts.flatMap((each) => each.unseen)).filter((line) => !seen.has(keyOf(line)));
  const fixed = rest.filter((line) => isSound(line, scenarios));
  return { file: first.file, known, expired, fixed, unseen: rest.filter((line) => !fixed.includes(line)) };
}

const keyOf = ({ place }: Result.BaselineLine): string => formatPlace(place);

function mergeDrifts(parts: readonly Result.DriftResult[]): Result.DriftResult | undefined {
  const [first] = parts;
  if (first === undefined) return undefined;
  const changes = [...new Map(parts.flatMap((each) => each.changes.map((change) => [change.id, change]))).values()];
  const notes = first.notes.filter(({ id }) => parts.every((each) => each.notes.some((note) => note.id === id)));
  return { profile: first.profile, changes, notes: notes.filter(({ id }) => !changes.some((each) => each.id === id)) };
}

type ShardResult = Result.RunResult & { shard: Result.Shard };

function readShards(paths: readonly string[]): ShardResult[] {
  const given = paths.map((path) => {
    const document = readDocument(path, { code: 'unusable-result', kind: 'report' });
    checkAgainstSchema(document, compileFileSchema('spec/conformance-result.schema.json'), 'unusable-result');
    const result = document.root as Result.RunResult;
    const { shard } = result;
    if (shard === undefined) throw unusable(`${path} is the result of a whole run; merge those of runs with --shard.`);
    return { path, result: { ...result, shard } };
  });
  const [first] = given;
  if (first === undefined) throw unusable('there is no result to merge; name the JSON results of all shards.');
  for (const { path, result } of given) {
    const [told, wanted] = [describeRun(result), describeRun(first.result)];
    if (told !== wanted) throw unusable(`${path} belongs to another run than ${first.path}: ${told}, not ${wanted}.`);
  }
  for (let index = 1; index <= first.result.shard.of; index++) {
    const same = given.filter(({ result }) => result.shard.index === index);
    const name = `shard ${index}/${first.result.shard.of}`;
    if (same.length === 0) throw unusable(`${name} is missing; name the JSON results of all shards.`);
    if (same.length > 1)
      throw unusable(`${name} is there ${same.length} times: ${same.map(({ path }) => path).join(', ')}.`);
  }
  return given.map(({ result }) => result).toSorted((a, b) => a.shard.index - b.shard.index);
}

function describeRun({ target, contract, shard }: ShardResult): string {
  return `${shard.of} shards of ${contract.title} ${contract.version} at ${target}`;
}

const unusable = (message: string): PetstoreMockError => new PetstoreMockError('unusable-result', message);

/**
 * What the contract allows and hardly anyone intends: JSON that is none, a slow number, 417 (RFC 9110 section 10.1.1).
 *
 * @example `warning: createPet accepts a pet with a comment; RFC 8259 section 9 lets a parser read it`
 */
export function listWarnings(results: readonly Result.ScenarioResult[]): string[] {
  const listExchanges = ({ steps }: Result.ScenarioResult): Result.ExchangeResult[] =>
    steps.flatMap(({ exchanges }) => exchanges);
  const all = results.flatMap(listExchanges);
  const inMs = (ms: number): string => `${Math.round(ms)} ms`;
  return results.flatMap((result) => {
    const what = result.title.replace(/ gets a documented response.*$/, '');
    const exchanges = listExchanges(result).filter(({ request: { method } }) => method !== 'DELETE');
    if (result.about?.scenario === 'sequences/lenient-json')
      return exchanges
        .filter(({ response }) => response !== undefined && response.status < 300)
        .map((each) => `warning: ${each.operationId} accepts ${what}; RFC 8259 section 9 lets a parser read it`);
    if (result.about?.scenario === 'sequences/costly-number')
      return exchanges.flatMap((each) => {
        const like = all.filter((other) => other !== each && other.operationId === each.operationId);
        const times = like.map(({ durationMs }) => durationMs).toSorted((one, other) => one - other);
        const usual = times[Math.floor(times.length / 2)];
        const isSlow = each.durationMs >= 1000 && each.durationMs >= 20 * (usual ?? Infinity);
        const than = `takes ${inMs(each.durationMs)} for ${what}, and ${inMs(usual ?? 0)} otherwise`;
        return isSlow ? [`warning: ${each.operationId} ${than}`] : [];
      });
    const unmet = exchanges.find(({ response }) => response?.status === 417);
    const sent = 'returns 417 to Expect: 100-continue, which curl sends with long bodies';
    return unmet === undefined ? [] : [`warning: ${unmet.operationId} ${sent}`];
  });
}
