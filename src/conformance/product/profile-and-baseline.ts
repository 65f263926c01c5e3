import { compareProfiles, loadProfile, ANSWER_FIELD, type ObservedProfile } from '../../contract/gaps/profile.js';
import type { Gap } from '../../contract/gaps/gaps.js';
import { toProfile } from '../engine/gaps.js';
import type { DriftResult, GapChange, RunResult, ProblemParts } from '../model/result.js';
import { readGapsNamed } from '../resources/resource-under-test.js';
import { loadYaml } from '../../contract/document/load-when-needed.js';
import { cutText } from '../../contract/document/json.js';
import type { Document, YAMLMap, YAMLSeq } from 'yaml';
import { explainProblems, type ExplainedProblem } from '../problems/problems.js';
import { joinProblemParts, readProblemParts } from '../engine/baseline.js';

export function detectDrift(file: string, profile: ObservedProfile, now: ObservedProfile, gaps: readonly Gap[]) {
  return { profile: describe(file, profile), ...splitDifferences(profile, now, gaps) };
}

function splitDifferences(before: ObservedProfile, now: ObservedProfile, gaps: readonly Gap[]) {
  const [changes, notes]: [GapChange[], GapChange[]] = [[], []];
  for (const { isChange, id, before: old, now: fresh } of compareProfiles(before, now, gaps))
    (isChange ? changes : notes).push({ id, before: old, now: fresh });
  return { changes, notes };
}

export type ProfileDiff = ReturnType<typeof compareFiles>;

/** Reads two profiles and compares them. Throws a `PetstoreMockError` for one that cannot be used. */
export function compareFiles(before: string, now: string) {
  const gaps = readGapsNamed([before, now]);
  const [old, fresh] = [loadProfile(before, gaps), loadProfile(now, gaps)];
  const { changes, notes } = splitDifferences(old, fresh, gaps);
  const same = gaps.length - changes.length - notes.length;
  return { before: describe(before, old), now: describe(now, fresh), changes, notes, same };
}

function describe(file: string, { target, date }: ObservedProfile): DriftResult['profile'] {
  return { file, ...(target === undefined ? {} : { target }), ...(date === undefined ? {} : { date }) };
}

const PROFILE_HEAD = `# yaml-language-server: $schema=./node_modules/petstore-mock/spec/profile.schema.json
#
# What this service does where the contract is silent, as petstore-conformance saw
# it. petstore-mock --profile imitates it; petstore-conformance --profile reports
# what has changed since.
`;

/** The file of what a run observed: sorted and, except for its date, identical as long as the service does not change. */
export function writeProfile(result: RunResult): string {
  const { entries: _entries, ...head } = toProfile(result);
  const gaps = result.gaps
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, kind, answer, evidence }) => [id, { [ANSWER_FIELD[kind]]: answer, evidence }]);
  return `${PROFILE_HEAD}${loadYaml().stringify({ ...head, gaps: Object.fromEntries(gaps) as object }, { lineWidth: 0 })}`;
}

const DAYS_UNTIL_EXPIRY = 90;
const DAY_MS = 86_400_000;

const BASELINE_HEAD = `# yaml-language-server: $schema=./node_modules/petstore-mock/spec/conformance-baseline.schema.json
#
# Known deviations. They do not fail a run until the day after "expires" (a day in
# UTC, or never). Say in "reason" why each is accepted.
known: []
`;

/** Entries of the `previous` one that still apply stay as they are, with comments; new ones are accepted for 90 days. */
export function writeBaseline(result: RunResult, previous: string | undefined) {
  const document = loadYaml().parseDocument(previous ?? BASELINE_HEAD);
  // Who removes the last line by hand leaves nothing in place of a list.
  if (!document.hasIn(['known', 0])) document.set('known', document.createNode([]));
  const known = document.get('known') as YAMLSeq<YAMLMap>;
  const before = known.items.length;
  const nameOf = (scenario: string, parts: ProblemParts): string => `${scenario} ${joinProblemParts(parts)}`;
  const fixed = new Set((result.baseline?.fixed ?? []).map((line) => nameOf(line.scenario, line)));
  known.items = known.items.filter((entry) => {
    const { scenario, shows } = entry.toJSON() as { scenario: string; shows: [ProblemParts] };
    return !fixed.has(nameOf(scenario, shows[0]));
  });
  const kept = known.items.length;
  for (const each of explainProblems(result)) {
    if (each.problem.baseline === undefined) known.add(createEntry(document, each, result.startedAt));
  }
  known.flow = false;
  const text = known.items.length === 0 ? BASELINE_HEAD : document.toString({ lineWidth: 0 });
  return { text, kept, added: known.items.length - kept, removed: before - kept };
}

function createEntry(document: Document, { problem, failures }: ExplainedProblem, now: string): YAMLMap {
  const parts = failures.map(({ exchange, finding }) => readProblemParts(exchange.operationId, finding));
  const shows = [...new Map(parts.map((each) => [joinProblemParts(each), each])).values()];
  const entry = document.createNode({
    problem: showOnLine(problem.headline),
    scenario: problem.shown.scenario,
    shows,
    reason: `not reviewed yet; written on ${now.slice(0, 10)}`,
    expires: new Date(Date.parse(now) + DAYS_UNTIL_EXPIRY * DAY_MS).toISOString().slice(0, 10),
  });
  (entry.get('shows') as YAMLSeq<YAMLMap>).items.forEach((each) => (each.flow = true));
  entry.commentBefore = ` ${problem.answers} ${problem.answers === 1 ? 'response' : 'responses'}, such as: expected ${showOnLine(problem.expected)}, found ${showOnLine(problem.actual)}`;
  return entry;
}

const showOnLine = (text: string): string => cutText(text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?'), 160);
