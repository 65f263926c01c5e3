import { asList } from '../../contract/document/plain.js';
import { escapePointer, readDocument, type SourceDocument } from '../../contract/document/document.js';
import { formatPlace, PetstoreMockError, type SourcePlace } from '../../errors.js';
import { findNearest, suggest } from '../../suggest.js';
import { checkAgainstSchema, compileFileSchema } from '../../contract/check-against-schema.js';
import { checks } from '../checks/index.js';
import { renameOne } from '../scenarios/earlier-releases.js';
import { nameTable } from '../scenarios/select-scenarios.js';
import type {
  ProblemParts,
  BaselineLine,
  BaselineResult,
  ExchangeResult,
  Finding,
  ScenarioResult,
} from '../model/result.js';

export type Baseline = { file: string; entries: BaselineEntry[]; notes: string[] };

export interface BaselineEntry extends ProblemParts {
  scenarios: { id: string; place: SourcePlace }[];
  /** All that shows of the problem, in whatever scenario. Files of an earlier release have the problem for each scenario instead. */
  shows?: ProblemParts[];
  entry: NonNullable<BaselineLine['entry']>;
  reason: string;
  expires: string;
}

/**
 * Reads a file of known deviations. Throws a {@link PetstoreMockError} with file and line for what its schema does not
 * allow, for a check that does not exist, for a scenario whose name looks mistyped, and for a deviation that is there
 * twice. Any other scenario that does not exist is noted: another release may have it, and what nobody accepts fails
 * the run anyway.
 */
export function readBaseline(path: string, scenarioIds: readonly string[]): Baseline {
  const document = readDocument(path, { code: 'unusable-baseline', kind: 'baseline' });
  checkAgainstSchema(document, compileFileSchema('spec/conformance-baseline.schema.json'), 'unusable-baseline');
  const entries = asList(document.at('/known')).map((raw, index) =>
    placeScenarios(raw as RawEntry, `/known/${index}`, document, scenarioIds),
  );
  entries.forEach((entry, index) => checkEntry(entry, `/known/${index}`, document));
  const seen = new Map<string, SourcePlace>();
  for (const entry of entries)
    for (const { id, place } of entry.scenarios) {
      const key = `${id} ${joinProblemParts(entry)}`;
      const first = seen.get(key);
      if (first !== undefined)
        throw unusable(`${id} already has this deviation in line ${first.line}; remove one of the two.`, place);
      seen.set(key, place);
    }
  const retired = entries.flatMap(({ check, shows = [], scenarios: [first] }) => {
    const found = [check, ...shows.map((each) => each.check)].find((each) => RETIRED.has(each));
    const now = 'is part of another check now; --write-baseline updates the file';
    return found === undefined || first === undefined ? [] : [`${formatPlace(first.place)}: the check ${found} ${now}`];
  });
  return { file: path, entries, notes: [...retired, ...noteGone(entries, scenarioIds)] };
}

function noteGone(entries: readonly BaselineEntry[], scenarioIds: readonly string[]): string[] {
  const ids = new Set(scenarioIds);
  const names = new Set(scenarioIds.map(nameTable));
  const gone = entries.flatMap(({ scenarios }) =>
    scenarios.filter(({ id }) => !ids.has(id)).map(({ id, place }) => ({ id, place, isOnly: scenarios.length === 1 })),
  );
  return gone.map(({ id, place, isOnly }) => {
    const meant = findNearest(id, scenarioIds);
    if (meant !== undefined && !names.has(nameTable(id)) && findNearest(nameTable(id), [...names]) !== undefined)
      throw unusable(`there is no scenario ${id}${suggest(id, scenarioIds)} --list shows them all.`, place);
    const help = meant === undefined ? '' : `; did you mean ${meant}?`;
    return `${formatPlace(place)}: there is no scenario ${id} (any more); ${isOnly ? 'remove its entry' : 'remove it from its entry'}${help}`;
  });
}

type RawEntry = Omit<BaselineEntry, 'scenarios' | 'entry'> & {
  /** `null` where every line was removed by hand: the entry then means nothing. */
  scenarios: string[] | null;
  problem?: string;
};

function placeScenarios(
  { scenarios, problem: _headline, ...rest }: RawEntry,
  pointer: string,
  document: SourceDocument,
  known: readonly string[],
): BaselineEntry {
  return {
    ...rest.shows?.[0],
    ...rest,
    scenarios: (scenarios ?? []).map((id, index) => ({
      id: renameOne(id, known),
      place: document.placeOf(`${pointer}/scenarios/${index}`),
    })),
    entry: {
      firstLine: document.placeOf(pointer).line ?? 1,
      lastLine: findLastLine(document, pointer),
      scenarios: scenarios?.length ?? 0,
    },
  };
}

function findLastLine(document: SourceDocument, pointer: string): number {
  const value = document.at(pointer);
  const parts = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const lines = parts.map((part) => findLastLine(document, `${pointer}/${escapePointer(part)}`));
  return Math.max(document.placeOf(pointer).line ?? 1, ...lines);
}

function checkEntry({ check, shows = [], expires }: BaselineEntry, pointer: string, document: SourceDocument): void {
  const known = checks.map(({ id }) => id);
  const shown = shows.map((each, index) => ({ check: each.check, at: `${pointer}/shows/${index}/check` }));
  const parts = shows.length === 0 ? [{ check, at: `${pointer}/check` }] : shown;
  const bad = parts.find((part) => !known.includes(part.check) && !RETIRED.has(part.check));
  if (bad !== undefined)
    throw unusable(`there is no check ${bad.check}${suggest(bad.check, known)}`, document.placeOf(bad.at));
  if (expires === 'never') return;
  const time = Date.parse(`${expires}T00:00:00Z`);
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(expires))
    throw unusable(`${expires} is not a calendar day.`, document.placeOf(`${pointer}/expires`));
}

/** Checks of earlier releases, which judged pets alone: what they told, `records` and `own-records` tell. */
const RETIRED = new Set(
  `unique-ids stored-once limit filter right-pet echo new-id same-pet contains page covers listed
  none-refused left-behind`.split(/\s+/),
);

export type KnownDeviations = ReadonlyMap<string, { line: BaselineLine; expired: boolean }>;

/** `today` is a day in UTC, `YYYY-MM-DD`. */
export function listKnown({ entries }: Pick<Baseline, 'entries'>, today: string): KnownDeviations {
  const known = entries.flatMap((entry) =>
    entry.scenarios.flatMap(({ id, place }) => {
      const { scenarios: _, shows, ...problem } = entry;
      const line: BaselineLine = { scenario: id, ...problem, place };
      const deviation = { line, expired: entry.expires !== 'never' && entry.expires < today };
      const where = shows === undefined ? id : ANYWHERE;
      return (shows ?? [entry]).map((parts) => [keyOf(where, joinProblemParts(parts)), deviation] as const);
    }),
  );
  return new Map(known.toReversed());
}

const ANYWHERE = '*';

function keyOf(scenario: string, problem: string): string {
  return `${scenario} ${problem}`;
}

export function markKnown(result: ScenarioResult, known: KnownDeviations): ScenarioResult {
  if (result.verdict !== 'deviated') return result;
  const mark = (exchange: ExchangeResult): ExchangeResult => ({
    ...exchange,
    findings: exchange.findings.map((finding) => {
      if (finding.severity !== 'deviation') return finding;
      const problem = joinProblemParts(readProblemParts(exchange, finding));
      const found = known.get(keyOf(result.id, problem)) ?? known.get(keyOf(ANYWHERE, problem));
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

/** Fixed if its scenario passed or was observed; one that deviates otherwise may have ended before, and a shard cannot tell. */
export function summarizeBaseline(
  file: string,
  known: KnownDeviations,
  results: readonly ScenarioResult[],
  { isShard = false }: { isShard?: boolean } = {},
): BaselineResult {
  const summary: BaselineResult = { file, known: [], expired: [], fixed: [], unseen: [] };
  const marked = new Set(results.flatMap(listMarked));
  const seen = new Set([...known].flatMap(([key, deviation]) => (marked.has(key) ? [deviation] : [])));
  for (const deviation of new Set([...known.values()].toReversed())) {
    const { line, expired } = deviation;
    if (seen.has(deviation)) summary[expired ? 'expired' : 'known'].push(line);
    else if (!isShard && isSound(line, results)) summary.fixed.push(line);
    else summary.unseen.push(line);
  }
  return summary;
}

export function isSound({ scenario }: BaselineLine, results: readonly ScenarioResult[]): boolean {
  const verdict = results.find(({ id }) => id === scenario)?.verdict;
  return verdict === 'passed' || verdict === 'observed';
}

function listMarked({ id, steps }: ScenarioResult): string[] {
  const exchanges = steps.flatMap((step) => step.exchanges);
  return exchanges.flatMap((exchange) => {
    const marked = exchange.findings.filter(({ baseline }) => baseline !== undefined);
    return marked.flatMap((each) =>
      [id, ANYWHERE].map((where) => keyOf(where, joinProblemParts(readProblemParts(exchange, each)))),
    );
  });
}

export function readProblemParts(
  { operationId }: Pick<ExchangeResult, 'operationId'>,
  { check, rule, at, expected, actual }: Finding,
): ProblemParts {
  return {
    ...(operationId === undefined ? {} : { operation: operationId }),
    check,
    rule,
    at: at.replace(/\/\d+(?=\/|$)/g, '/*'),
    ...(at === 'status' ? { expected, actual } : {}),
  };
}

export function joinProblemParts({ operation = '', check, rule, at, expected, actual }: ProblemParts): string {
  const statuses = expected === undefined ? [] : [expected, actual];
  return JSON.stringify([operation, check, rule, at, ...statuses]);
}

function unusable(message: string, place: SourcePlace): PetstoreMockError {
  return new PetstoreMockError('unusable-baseline', message, place);
}
