import type { Document, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { loadYaml } from '../../contract/document/load-when-needed.js';
import { identifyProblem, joinProblemParts, readProblemParts } from '../problems/identify-problem.js';
import type { ProblemParts } from '../problems/problem-parts.js';
import { renameId } from '../scenarios/renamed-ids.js';
import type { ExchangeResult, Finding, RunResult } from '../result.js';

/** The text of a baseline, and how many lines (one for each scenario that shows a problem) differ from the previous one. */
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
  const known = document.get('known') as YAMLSeq<YAMLMap>;
  const before = countLines(known);
  renameScenarios(known, result);
  removeFixed(known, result);
  const kept = countLines(known);
  for (const problem of listNew(result)) known.add(createEntry(document, problem, result.startedAt));
  known.flow = false;
  const text = known.items.length === 0 ? HEAD : document.toString({ lineWidth: 0 });
  return { text, kept, added: countLines(known) - kept, removed: before - kept };
}

interface Entry extends ProblemParts {
  scenarios: string[];
}

function readEntry(entry: YAMLMap): Entry {
  return entry.toJSON() as Entry;
}

function countLines(known: YAMLSeq<YAMLMap>): number {
  return known.items.reduce((sum, entry) => sum + readEntry(entry).scenarios.length, 0);
}

/** Ids of an earlier release become current ones. */
function renameScenarios(known: YAMLSeq<YAMLMap>, { scenarios }: RunResult): void {
  const ids = scenarios.map(({ id }) => id);
  for (const entry of known.items) {
    const list = entry.get('scenarios') as YAMLSeq<Scalar<string>>;
    for (const item of list.items) item.value = renameId(item.value, ids);
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

interface NewProblem {
  parts: ProblemParts;
  exchange: ExchangeResult;
  finding: Finding;
  scenarios: string[];
}

/** The deviations that are in no baseline, each once, with the scenarios that show it. */
function listNew({ scenarios }: RunResult): NewProblem[] {
  const problems = new Map<string, NewProblem>();
  for (const { id, steps } of scenarios) {
    for (const exchange of steps.flatMap(({ exchanges }) => exchanges)) {
      for (const finding of exchange.findings) {
        if (finding.severity !== 'deviation' || finding.baseline !== undefined) continue;
        const key = identifyProblem(exchange, finding);
        const problem = problems.get(key) ?? {
          parts: readProblemParts(exchange, finding),
          exchange,
          finding,
          scenarios: [],
        };
        if (!problem.scenarios.includes(id)) problem.scenarios.push(id);
        problems.set(key, problem);
      }
    }
  }
  return [...problems.values()];
}

function createEntry(document: Document, { parts, exchange, finding, scenarios }: NewProblem, now: string): YAMLMap {
  const entry = document.createNode({
    scenarios,
    ...parts,
    reason: `not reviewed yet; written on ${now.slice(0, 10)}`,
    expires: new Date(Date.parse(now) + DAYS_UNTIL_EXPIRY * DAY_MS).toISOString().slice(0, 10),
  });
  entry.commentBefore = ` ${describe(exchange, finding)}`;
  return entry;
}

const MAX_COMMENT = 160;

/** Keeps the target's text on one line. */
function describe({ request }: ExchangeResult, { expected, actual, at }: Finding): string {
  const text = `${request.method} ${request.path}: expected ${expected}, found ${actual} at ${at}`;
  const line = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
  return line.length <= MAX_COMMENT ? line : `${line.slice(0, MAX_COMMENT - 1)}…`;
}
