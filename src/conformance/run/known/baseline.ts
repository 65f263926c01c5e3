import { asList } from '../../../contract/document/plain.js';
import { escapePointer, readDocument, type SourceDocument } from '../../../contract/document/document.js';
import { formatPlace, PetstoreMockError, type SourcePlace } from '../../../errors.js';
import { findNearest, suggest } from '../../../suggest.js';
import { checkAgainstSchema, compileFileSchema } from '../../../contract/check-against-schema.js';
import { checks } from '../../checks/index.js';
import { renameOne } from '../../scenarios/earlier-releases.js';
import { nameTable } from '../../scenarios/select-scenarios.js';
import { joinProblemParts } from './identify-problem.js';
import type { ProblemParts, BaselineLine } from '../../model/result.js';

/** The known deviations of a target, as in the file. */
export interface Baseline {
  file: string;
  entries: BaselineEntry[];
  /** What is worth knowing of it: the scenarios that are gone. */
  notes: string[];
}

/** One known problem of the target. */
export interface BaselineEntry extends ProblemParts {
  /** The scenarios that show it, with their lines; of a whole problem, the one that is about it. */
  scenarios: { id: string; place: SourcePlace }[];
  /** All that shows of the problem, in whatever scenario. Files of an earlier release have the problem for each scenario instead. */
  shows?: ProblemParts[];
  entry: NonNullable<BaselineLine['entry']>;
  reason: string;
  /** The last day on which it is accepted, `YYYY-MM-DD`, or `never`. */
  expires: string;
}

const SCHEMA_FILE = 'spec/conformance-baseline.schema.json';

/**
 * Reads a file of known deviations. Throws a {@link PetstoreMockError} with
 * file and line for what its schema does not allow, for a check that does not
 * exist, for a scenario whose name looks mistyped, and for a deviation that is
 * there twice. Any other scenario that does not exist is noted: another release
 * may have it, and what nobody accepts fails the run anyway.
 */
export function readBaseline(path: string, scenarioIds: readonly string[]): Baseline {
  const document = readDocument(path, { code: 'unusable-baseline', kind: 'baseline' });
  checkAgainstSchema(document, compileFileSchema(SCHEMA_FILE), 'unusable-baseline');
  const entries = asList(document.at('/known')).map((raw, index) =>
    placeScenarios(raw as RawEntry, `/known/${index}`, document, scenarioIds),
  );
  entries.forEach((entry, index) => checkEntry(entry, `/known/${index}`, document));
  refuseRepeated(entries);
  return { file: path, entries, notes: [...noteRetired(entries), ...noteGone(entries, scenarioIds)] };
}

function noteGone(entries: readonly BaselineEntry[], scenarioIds: readonly string[]): string[] {
  const ids = new Set(scenarioIds);
  const names = new Set(scenarioIds.map(nameTable));
  const gone = entries.flatMap(({ scenarios }) =>
    scenarios.filter(({ id }) => !ids.has(id)).map(({ id, place }) => ({ id, place, isOnly: scenarios.length === 1 })),
  );
  return gone.map(({ id, place, isOnly }) => {
    const meant = findNearest(id, scenarioIds);
    // Rows come and go with a release; a name that is nearly another was mistyped.
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

/** The last line on which a value of an entry begins. */
function findLastLine(document: SourceDocument, pointer: string): number {
  const value = document.at(pointer);
  const parts = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const lines = parts.map((part) => findLastLine(document, `${pointer}/${escapePointer(part)}`));
  return Math.max(document.placeOf(pointer).line ?? 1, ...lines);
}

function checkEntry({ check, shows = [], expires }: BaselineEntry, pointer: string, document: SourceDocument): void {
  const known = checks.map(({ id }) => id);
  const parts = shows.length === 0 ? [{ check, at: `${pointer}/check` }] : shows.map(placeCheck(pointer));
  const bad = parts.find((part) => !known.includes(part.check) && !RETIRED.has(part.check));
  if (bad !== undefined)
    throw unusable(`there is no check ${bad.check}${suggest(bad.check, known)}`, document.placeOf(bad.at));
  if (expires !== 'never' && !isDay(expires)) {
    throw unusable(`${expires} is not a calendar day.`, document.placeOf(`${pointer}/expires`));
  }
}

/** Checks of earlier releases, which judged pets alone: what they told, `records` and `own-records` tell. */
const RETIRED = new Set(
  'unique-ids stored-once limit filter right-pet echo new-id same-pet contains page covers listed none-refused left-behind'.split(
    ' ',
  ),
);

function noteRetired(entries: readonly BaselineEntry[]): string[] {
  return entries.flatMap(({ check, shows = [], scenarios }) => {
    const retired = [check, ...shows.map((each) => each.check)].find((each) => RETIRED.has(each));
    const [first] = scenarios;
    if (retired === undefined || first === undefined) return [];
    return [
      `${formatPlace(first.place)}: the check ${retired} is part of another check now; --write-baseline updates the file`,
    ];
  });
}

function placeCheck(pointer: string) {
  return ({ check }: ProblemParts, index: number) => ({ check, at: `${pointer}/shows/${index}/check` });
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function refuseRepeated(entries: readonly BaselineEntry[]): void {
  const seen = new Map<string, SourcePlace>();
  for (const entry of entries) {
    for (const { id, place } of entry.scenarios) {
      const key = `${id} ${joinProblemParts(entry)}`;
      const first = seen.get(key);
      if (first !== undefined) {
        throw unusable(`${id} already has this deviation in line ${first.line}; remove one of the two.`, place);
      }
      seen.set(key, place);
    }
  }
}

function unusable(message: string, place: SourcePlace): PetstoreMockError {
  return new PetstoreMockError('unusable-baseline', message, place);
}
