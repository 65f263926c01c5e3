import { asList, groupBy } from '../../contract/document/plain.js';
import { escapePointer, readDocument, type SourceDocument } from '../../contract/document/document.js';
import { formatPlace, PetstoreMockError, type SourcePlace } from '../../errors.js';
import { findNearest, suggest } from '../../suggest.js';
import { checkAgainstSchema, compileFileSchema } from '../../contract/check-against-schema.js';
import { checks } from '../checks/index.js';
import { nameTable, matchesId } from '../scenarios/check-scenario.js';
import type * as Result from '../model/result.js';
import type { Contract } from '../../contract/contract.js';
import type { CheckContext, CheckFinding, CheckOutcome } from '../checks/check.js';
import { fitsStatus } from '../checks/status.js';
import type { ExpectedHere } from '../model/options.js';
import type { StatusPattern } from '../model/scenario.js';

export type Baseline = { file: string; entries: BaselineEntry[]; notes: string[] };

/** `shows`: all that shows of the problem, in whatever scenario. It is gone when the scenario of `line` passes. */
export type BaselineEntry = { line: Result.BaselineLine; shows: Result.ProblemParts[] };

/**
 * Reads a file of known deviations. Throws a {@link PetstoreMockError} with file and line for what its schema does not
 * allow, an unknown check, a scenario whose name looks mistyped, and a deviation that is there twice. Any other that
 * does not exist is noted: another release may have it.
 */
export function readBaseline(path: string, scenarioIds: readonly string[]): Baseline {
  const document = readDocument(path, { code: 'unusable-baseline', kind: 'baseline' });
  checkAgainstSchema(document, compileFileSchema('spec/conformance-baseline.schema.json'), 'unusable-baseline');
  const ids = checks.map(({ id }) => id);
  const seen = new Map<string, SourcePlace>();
  const entries = asList(document.at('/known')).map((raw, index): BaselineEntry => {
    const at = `/known/${index}`;
    const { scenario, shows, reason, expires } = raw as Result.BaselineLine & { shows: [Result.ProblemParts] };
    const unknown = shows.findIndex(({ check }) => !ids.includes(check));
    const { check = '' } = shows[unknown] ?? {};
    const ofCheck = document.placeOf(`${at}/shows/${unknown}/check`);
    if (unknown !== -1) throw unusable(`there is no check ${check}${suggest(check, ids)}`, ofCheck);
    const time = Date.parse(`${expires}T00:00:00Z`);
    if (expires !== 'never' && (Number.isNaN(time) || !new Date(time).toISOString().startsWith(expires)))
      throw unusable(`${expires} is not a calendar day.`, document.placeOf(`${at}/expires`));
    const entry = { firstLine: document.placeOf(at).line ?? 1, lastLine: findLastLine(document, at) };
    const place = document.placeOf(`${at}/scenario`);
    const key = `${scenario} ${joinProblemParts(shows[0])}`;
    const first = seen.get(key);
    const twice = `${scenario} already has this deviation in line ${first?.line}; remove one of the two.`;
    if (first !== undefined) throw unusable(twice, place);
    seen.set(key, place);
    return { line: { scenario, ...shows[0], reason, expires, entry, place }, shows };
  });
  return { file: path, entries, notes: noteGone(entries, scenarioIds) };
}

function noteGone(entries: readonly BaselineEntry[], scenarioIds: readonly string[]): string[] {
  const names = new Set(scenarioIds.map(nameTable));
  const gone = entries.filter(({ line }) => !scenarioIds.includes(line.scenario));
  return gone.map(({ line: { scenario, place } }) => {
    const meant = findNearest(scenario, scenarioIds);
    const name = nameTable(scenario);
    if (meant !== undefined && !names.has(name) && findNearest(name, [...names]) !== undefined)
      throw unusable(`there is no scenario ${scenario}${suggest(scenario, scenarioIds)} --list shows them all.`, place);
    const help = meant === undefined ? '' : `; did you mean ${meant}?`;
    return `${formatPlace(place)}: there is no scenario ${scenario} (any more); remove its entry${help}`;
  });
}

function findLastLine(document: SourceDocument, pointer: string): number {
  const value = document.at(pointer);
  const parts = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const lines = parts.map((part) => findLastLine(document, `${pointer}/${escapePointer(part)}`));
  return Math.max(document.placeOf(pointer).line ?? 1, ...lines);
}

export type KnownDeviations = ReadonlyMap<string, { line: Result.BaselineLine; expired: boolean }>;

/** `today` is a day in UTC, `YYYY-MM-DD`. */
export function listKnown({ entries }: Pick<Baseline, 'entries'>, today: string): KnownDeviations {
  const known = entries.flatMap(({ line, shows }) => {
    const deviation = { line, expired: line.expires !== 'never' && line.expires < today };
    return shows.map((parts) => [joinProblemParts(parts), deviation] as const);
  });
  return new Map(known.toReversed());
}

export function markKnown(result: Result.ScenarioResult, known: KnownDeviations): Result.ScenarioResult {
  if (result.verdict !== 'deviated') return result;
  const mark = (exchange: Result.ExchangeResult): Result.ExchangeResult => ({
    ...exchange,
    findings: exchange.findings.map((finding) => {
      if (finding.severity !== 'deviation') return finding;
      const found = known.get(joinProblemParts(readProblemParts(exchange.operationId, finding)));
      if (found === undefined) return finding;
      const { reason, expires, place } = found.line;
      return { ...finding, baseline: { state: found.expired ? 'expired' : 'known', reason, expires, place } };
    }),
  });
  const steps = result.steps.map((step) => ({ ...step, exchanges: step.exchanges.map(mark) }));
  const findings = steps.flatMap(({ exchanges }) => exchanges.flatMap((exchange) => exchange.findings));
  const isNew = findings.some(({ severity, baseline }) => severity === 'deviation' && baseline?.state !== 'known');
  return { ...result, verdict: isNew ? 'deviated' : 'known', steps };
}

type Results = readonly Result.ScenarioResult[];

/** Fixed if its scenario passed or was observed; one that deviates otherwise may have ended before, and a shard cannot tell. */
export function summarizeBaseline(file: string, known: KnownDeviations, results: Results, isShard = false) {
  const summary: Result.BaselineResult = { file, known: [], expired: [], fixed: [], unseen: [] };
  const exchanges = results.flatMap(({ steps }) => steps.flatMap((step) => step.exchanges));
  const seen = new Set(
    exchanges.flatMap((exchange) => {
      const marked = exchange.findings.filter(({ baseline }) => baseline !== undefined);
      return marked.map((each) => known.get(joinProblemParts(readProblemParts(exchange.operationId, each))));
    }),
  );
  for (const deviation of new Set([...known.values()].toReversed())) {
    const { line, expired } = deviation;
    if (seen.has(deviation)) summary[expired ? 'expired' : 'known'].push(line);
    else if (!isShard && isSound(line, results)) summary.fixed.push(line);
    else summary.unseen.push(line);
  }
  return summary;
}

export function isSound({ scenario }: Result.BaselineLine, results: Results): boolean {
  const verdict = results.find(({ id }) => id === scenario)?.verdict;
  return verdict === 'passed' || verdict === 'observed';
}

export function readProblemParts(operationId: string | undefined, finding: Result.Finding): Result.ProblemParts {
  const { check, rule, at, expected, actual } = finding;
  return {
    ...(operationId === undefined ? {} : { operation: operationId }),
    check,
    rule,
    at: at.replace(/\/\d+(?=\/|$)/g, '/*'),
    ...(at === 'status' ? { expected, actual } : {}),
  };
}

export function joinProblemParts({ operation = '', check, rule, at, expected, actual }: Result.ProblemParts): string {
  const statuses = expected === undefined ? [] : [expected, actual];
  return JSON.stringify([operation, check, rule, at, ...statuses]);
}

function unusable(message: string, place: SourcePlace): PetstoreMockError {
  return new PetstoreMockError('unusable-baseline', message, place);
}

type Found = readonly { check: string; outcomes: CheckOutcome[] }[];

type Rule = ReturnType<typeof readRule>;

const OF_STATUS: ReadonlySet<string> = new Set(['status', 'server-error', 'error-body']);

/** Throws a {@link PetstoreMockError} for an operation, a path or a check that there is not. */
export function readExpectations(given: readonly ExpectedHere[], contract: Contract) {
  const rules = given.map((each, index) => readRule(each, { contract, name: `expect[${index}]` }));
  return {
    apply(found: Found, context: CheckContext): Found {
      const own = rules.filter(({ operations }) => operations.has(context.sent.operation?.id ?? ''));
      return own.reduce((left, rule) => left.map((each) => leaveOut(each, rule, context)), found);
    },
    list: (): string[] =>
      rules.map(({ given: each, count }) => {
        const seen = count === 0 ? 'not met in this run' : `met ${count} ${count === 1 ? 'time' : 'times'}`;
        const where =
          [each.operation, each.path].filter((part) => part !== undefined).join(' at ') || 'every operation';
        const [statuses, off, formats] = [listOf(each.status), listOf(each.off), listOf(each.formats)];
        const parts = [
          statuses.length === 0 ? [] : `status ${statuses.join(' or ')} is fine`,
          off.length === 0 ? [] : `${off.join(' and ')} ${off.length === 1 ? 'is' : 'are'} off`,
          formats.length === 0 ? [] : `the format ${formats.join(' or ')} is only noted`,
        ];
        return `expected at ${where}: ${parts.flat().join(', ')} (${each.reason.replace(/\.$/, '')}); ${seen}`;
      }),
  };
}

function readRule(given: ExpectedHere, { contract, name }: { contract: Contract; name: string }) {
  const ids = checks.map(({ id }) => id);
  const off = listOf(given.off).map(String);
  const unknown = off.find((id) => !ids.includes(id));
  const where = `${name}.off names the check ${unknown}, which does not exist`;
  if (unknown !== undefined) throw bad(`${where}${suggest(unknown, ids)} The checks are ${ids.join(', ')}.`);
  const operations = contract.operations.filter(({ id: own, method, path }) => {
    const isOperation = given.operation === undefined || [own, `${method} ${path}`].includes(given.operation);
    return isOperation && (given.path === undefined || matchesId(path, given.path));
  });
  const meant = given.operation ?? given.path ?? '';
  if (operations.length === 0) {
    const known = contract.operations.flatMap(({ id, method, path }) => [id, `${method} ${path}`, path]);
    throw bad(`${name} names ${meant}, which is not an operation of the contract${suggest(meant, known)}`);
  }
  const statuses = listOf(given.status).map(String);
  return {
    given,
    statuses: statuses.map((each): StatusPattern => (/^\d+$/.test(each) ? Number(each) : each)),
    off: new Set(off),
    formats: new Set(listOf(given.formats).map(String)),
    operations: new Set(operations.map(({ id }) => id)),
    count: 0,
  };
}

function listOf<T>(value: T | readonly T[] | undefined): T[] {
  return value === undefined ? [] : ([value].flat() as T[]);
}

function leaveOut(found: Found[number], rule: Rule, { answer, contract }: CheckContext): Found[number] {
  const isFine = answer.kind === 'answered' && rule.statuses.some((status) => fitsStatus(answer.status, status));
  const isOff = rule.off.has(found.check) || (isFine && OF_STATUS.has(found.check));
  const outcomes = found.outcomes.flatMap((outcome): CheckOutcome[] => {
    if ('needs' in outcome) return isOff ? [] : [outcome];
    if (isOff) {
      rule.count += 1;
      return [];
    }
    if (rule.formats.size === 0 || outcome.rule !== 'format') return [outcome];
    const stated: unknown = contract.document.at(outcome.contract?.pointer ?? outcome.contractPointer ?? '');
    if (!rule.formats.has(typeof stated === 'string' ? stated : outcome.expected)) return [outcome];
    rule.count += 1;
    return [{ ...outcome, severity: 'information' }];
  });
  return { check: found.check, outcomes };
}

const bad = (message: string): PetstoreMockError => new PetstoreMockError('bad-option', message);

const MEMBERS = ['operation', 'path', 'status', 'off', 'formats', 'reason'];

/** What is wrong with a list of expectations, after its name; `undefined` if nothing is. */
export function findExpectProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'must be a list';
  const problems = value.map(findRuleProblem);
  const at = problems.findIndex((problem) => problem !== undefined);
  return at === -1 ? undefined : `[${at}] ${problems[at]}`;
}

function findRuleProblem(rule: unknown): string | undefined {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) return 'must be an object';
  const unknown = Object.keys(rule).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined)
    return `has ${unknown}, which it cannot have${suggest(unknown, MEMBERS)} It may have ${MEMBERS.join(', ')}`;
  const { reason, status, off, formats, operation, path } = rule as Readonly<Record<string, unknown>>;
  if (typeof reason !== 'string' || reason.trim() === '') return 'lacks a reason, which every report shows';
  if (status === undefined && off === undefined && formats === undefined) return 'has none of status, off and formats';
  const isStatus = (each: unknown): boolean => /^(?:[1-5]\d\d|[1-5]XX)$/i.test(String(each));
  if (!listOf(status).every(isStatus)) return 'has status, which must be one such as 409 or 5XX, or a list of them';
  const isText = (each: unknown): boolean => typeof each === 'string' && each !== '';
  if (![off, formats, operation, path].flatMap((each) => listOf(each)).every(isText))
    return 'has operation, path, off or formats, which must be texts';
  return undefined;
}

export type KeptFinding = { check: string; finding: CheckFinding; more: number };

const MOST_IN_RUN = 4000;
const MOST_SHOWN = 16 * 1024;
const MOST_IN_ALL = 16 * 1024 * 1024;
const SHOWN_LATER = 1024;

/** Keeps a target's answers from filling memory and reports. */
export function createEvidenceKeeper() {
  const texts = new Map<string, string>();
  let [shown, kept, leftOut] = [0, 0, 0];
  return {
    limit(found: Found): KeptFinding[] {
      const isFull = kept >= MOST_IN_RUN;
      const all = keepSome(found, isFull ? 1 : 3);
      const limited = all.slice(0, isFull ? 1 : 40);
      kept += limited.length;
      leftOut += all.length - limited.length;
      return limited;
    },
    leftOut: (): number => leftOut,
    mostShown: (): number => (shown < MOST_IN_ALL ? MOST_SHOWN : SHOWN_LATER),
    keep(text: string): string {
      const same = texts.get(text);
      if (same !== undefined) return same;
      shown += text.length;
      texts.set(text, text);
      return text;
    },
  };
}

function keepSome(found: Found, most: number): KeptFinding[] {
  const kindOf = ({ severity, rule, at }: CheckFinding): string =>
    `${severity ?? ''} ${rule} ${at.replace(/\d+/g, '*')}`;
  const itemOf = ({ at }: CheckFinding): string | undefined => /^.*\/\d+(?=\/[^/]+$)/.exec(at)?.[0];
  const kept = found.flatMap(({ check, outcomes }) => {
    const findings = outcomes.filter((outcome): outcome is CheckFinding => !('needs' in outcome));
    const firsts = [...groupBy(findings, kindOf).values()].flatMap((alike) => alike.slice(0, most));
    const items = new Set(firsts.map(itemOf));
    const alike = new Map<string, KeptFinding[]>();
    for (const finding of findings) {
      const { more = 0 } = finding;
      const group = alike.get(kindOf(finding));
      const last = group?.at(-1);
      const item = itemOf(finding);
      if (group === undefined || last === undefined) alike.set(kindOf(finding), [{ check, finding, more }]);
      else if (group.length < most || (item !== undefined && items.has(item))) group.push({ check, finding, more });
      else last.more += 1 + more;
    }
    return [...alike.values()].flat();
  });
  const isDeviation = ({ finding }: KeptFinding): boolean => (finding.severity ?? 'deviation') === 'deviation';
  return [...kept.filter(isDeviation), ...kept.filter((each) => !isDeviation(each))];
}
