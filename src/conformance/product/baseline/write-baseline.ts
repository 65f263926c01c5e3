import { cutText } from '../../../contract/document/json.js';
import type { Document, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { loadYaml } from '../../../contract/document/load-when-needed.js';
import { explainProblems, type ExplainedProblem } from '../../problems/problems.js';
import { joinProblemParts, readProblemParts } from '../../run/known/identify-problem.js';
import type { ProblemParts } from '../../model/problem-parts.js';
import { renameOne } from '../../language/renamed-ids.js';
import type { RunResult } from '../../model/result.js';

/** The text of a baseline, and how it differs from the one before: an entry for each problem. */
export interface WrittenBaseline {
  text: string;
  kept: number;
  added: number;
  removed: number;
}

/** A deviation accepted without review expires, so that somebody reviews it. */
const DAYS_UNTIL_EXPIRY = 90;
const DAY_MS = 86_400_000;

const HEAD = `# yaml-language-server: $schema=./node_modules/petstore-mock/spec/conformance-baseline.schema.json
#
# Known deviations. They do not fail a run until the day after "expires" (a day in
# UTC, or never). Say in "reason" why each is accepted.
known: []
`;

/**
 * The baseline for a run. Entries of the `previous` one, with which the run was
 * made, stay as they are if they still apply, with comments; those
 * that are fixed are removed. New ones are accepted for 90 days.
 */
export function writeBaseline(result: RunResult, previous: string | undefined): WrittenBaseline {
  const document = loadYaml().parseDocument(previous ?? HEAD);
  // Who removes the last line by hand leaves nothing in place of a list.
  if (!document.hasIn(['known', 0])) document.set('known', document.createNode([]));
  const known = document.get('known') as YAMLSeq<YAMLMap>;
  known.items = known.items.filter((entry) => readEntry(entry).scenarios.length > 0);
  const before = countLines(known);
  renameScenarios(known, result);
  removeFixed(known, result);
  const kept = countLines(known);
  for (const each of explainProblems(result)) {
    if (each.problem.baseline === undefined) known.add(createEntry(document, each, result.startedAt));
  }
  known.flow = false;
  const text = known.items.length === 0 ? HEAD : document.toString({ lineWidth: 0 });
  return { text, kept, added: countLines(known) - kept, removed: before - kept };
}

interface Entry extends ProblemParts {
  scenarios: string[];
}

type RawEntry = Omit<Entry, 'scenarios'> & { scenarios: string[] | null; shows?: ProblemParts[] };

/** A whole problem is known by the first thing that shows it. */
function readEntry(entry: YAMLMap): Entry {
  const { shows, scenarios, ...rest } = entry.toJSON() as RawEntry;
  return { ...shows?.[0], ...rest, scenarios: scenarios ?? [] };
}

function countLines(known: YAMLSeq<YAMLMap>): number {
  return known.items.reduce((sum, entry) => sum + readEntry(entry).scenarios.length, 0);
}

/** Ids of an earlier release become current ones. */
function renameScenarios(known: YAMLSeq<YAMLMap>, { scenarios }: RunResult): void {
  const ids = scenarios.map(({ id }) => id);
  for (const entry of known.items) {
    const list = entry.get('scenarios') as YAMLSeq<Scalar<string>>;
    for (const item of list.items) item.value = renameOne(item.value, ids);
  }
}

function removeFixed(known: YAMLSeq<YAMLMap>, { baseline }: RunResult): void {
  const fixed = new Set((baseline?.fixed ?? []).map((line) => `${line.scenario} ${joinProblemParts(line)}`));
  for (const entry of known.items) {
    const key = joinProblemParts(readEntry(entry));
    const scenarios = entry.get('scenarios') as YAMLSeq;
    const ids = readEntry(entry).scenarios;
    scenarios.items = scenarios.items.filter((_, index) => !fixed.has(`${ids[index]} ${key}`));
  }
  known.items = known.items.filter((entry) => readEntry(entry).scenarios.length > 0);
}

/** A problem that no baseline has is one entry, whatever shows it. */
function createEntry(document: Document, { problem, failures }: ExplainedProblem, now: string): YAMLMap {
  const parts = failures.map(({ exchange, finding }) => readProblemParts(exchange, finding));
  const shows = [...new Map(parts.map((each) => [joinProblemParts(each), each])).values()];
  const entry = document.createNode({
    problem: showOnLine(problem.headline),
    scenarios: [problem.shown.scenario],
    shows,
    reason: `not reviewed yet; written on ${now.slice(0, 10)}`,
    expires: new Date(Date.parse(now) + DAYS_UNTIL_EXPIRY * DAY_MS).toISOString().slice(0, 10),
  });
  (entry.get('shows') as YAMLSeq<YAMLMap>).items.forEach((each) => (each.flow = true));
  entry.commentBefore = ` ${problem.answers} ${problem.answers === 1 ? 'response' : 'responses'}, such as: expected ${showOnLine(problem.expected)}, found ${showOnLine(problem.actual)}`;
  return entry;
}

const MAX_COMMENT = 160;

/** On one line, whatever the target sent. */
function showOnLine(text: string): string {
  return cutText(text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?'), MAX_COMMENT);
}
