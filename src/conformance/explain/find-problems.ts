import { createHash } from 'node:crypto';
import type { Finding, ScenarioResult } from '../model/result.js';
import { foldConsequences } from './consequences.js';
import { groupBySign, isWithinAnswers, keyOfSign, type Group } from './group.js';
import { writeHeadline } from './headline.js';
import { joinWords, listOccurrences, listOperations, type Occurrence } from './occurrence.js';
import type { Problem, ProblemCause } from '../model/problem.js';
import { pickShown } from './pick-shown.js';
import { mergeMissing } from './merges/merge-missing.js';
import { mergeRecords } from './records/merge-records.js';
import { mergeServiceWide } from './records/merge-service-wide.js';
import { showDifference, spellValue } from '../judge/show-difference.js';
import { readSign, star, type Sign, type Topic } from './sign.js';
import { compareWeight } from './weight.js';

/** What is wrong with the target, the most important first. Problems that the baseline accepts are kept apart. */
export function findProblems(run: { scenarios: readonly ScenarioResult[] }): Problem[] {
  return explainProblems(run).map(({ problem }) => problem);
}

/** A problem with all deviations that it causes. */
export interface ExplainedProblem {
  problem: Problem;
  occurrences: Occurrence[];
}

/** {@link findProblems}, with the deviations attributed to each. */
export function explainProblems({ scenarios }: { scenarios: readonly ScenarioResult[] }): ExplainedProblem[] {
  const byReason = new Map<string, Occurrence[]>();
  for (const occurrence of listOccurrences(scenarios)) {
    const { baseline } = occurrence.finding;
    const reason = baseline?.state === 'known' ? `known: ${baseline.reason}` : '';
    byReason.set(reason, [...(byReason.get(reason) ?? []), occurrence]);
  }
  return [...byReason.values()].flatMap((occurrences) =>
    mergeServiceWide(foldConsequences(mergeRecords(mergeMissing(groupBySign(occurrences)))), scenarios)
      .toSorted(compareWeight)
      .map((group) => ({ problem: describeProblem(group, scenarios), occurrences: listAll(group) })),
  );
}

/** How many of them fail a run. */
export function countProblems(problems: readonly Problem[]): number {
  return problems.filter(({ baseline }) => baseline?.state !== 'known').length;
}

function listAll(group: Group): Occurrence[] {
  return [group, ...group.consequences].flatMap(({ occurrences }) => occurrences);
}

function describeProblem(group: Group, scenarios: readonly ScenarioResult[]): Problem {
  const shown = pickShown(group);
  const { finding } = shown;
  const all = listAll(group);
  const example = showDifference(finding.expected, finding.actual);
  const doubt = describeDoubt(group);
  const hides = describeHidden(all);
  const also = listAlso(group, shown, scenarios);
  return {
    id: identify(group.sign),
    headline: writeHeadline({ ...group, occurrences: [shown, ...group.occurrences] }, scenarios),
    cause: describeCause(group.sign, shown),
    operations: listOperations(all),
    answers: new Set(all.map(({ exchange }) => exchange)).size,
    scenarios: [...new Set([shown, ...all].map(({ scenario }) => scenario.id))],
    shown: shown.place,
    expected: spellValue(example.expected),
    actual: spellValue(example.actual),
    ...(finding.contract === undefined ? {} : { contract: finding.contract }),
    ...(doubt === undefined ? {} : { uncertain: doubt }),
    ...(hides === undefined ? {} : { hides }),
    ...(also.length === 0 ? {} : { also }),
    ...(finding.baseline === undefined ? {} : { baseline: finding.baseline }),
  };
}

/** What of these deviations the headline does not say: nothing that was seen is in no line of a report. */
function listAlso(group: Group, shown: Occurrence, scenarios: readonly ScenarioResult[]): NonNullable<Problem['also']> {
  const own = new Set([readSign(shown), group.sign].map(({ topic, detail }) => `${topic} ${detail ?? ''}`));
  const isOfHeadline = (sign: Sign): boolean => own.has(`${sign.topic} ${sign.detail ?? ''}`);
  const groups = new Map<string, Group>();
  const add = (occurrence: Occurrence, isConsequence: boolean): void => {
    const sign = readSign(occurrence);
    if (!isConsequence && isOfHeadline(sign)) return;
    const key = keyOfSign(sign);
    const same = groups.get(key);
    if (same === undefined) groups.set(key, { sign, occurrences: [occurrence], consequences: [] });
    else same.occurrences.push(occurrence);
  };
  for (const occurrence of group.occurrences) add(occurrence, false);
  for (const { occurrences } of group.consequences) for (const each of occurrences) add(each, true);
  return [...groups.values()].map((each) => ({
    id: identify(each.sign),
    headline: writeHeadline(each, scenarios),
    answers: new Set(each.occurrences.map(({ exchange }) => exchange)).size,
  }));
}

function identify(sign: Sign): string {
  return createHash('sha256').update(keyOfSign(sign)).digest('hex').slice(0, 16);
}

function describeCause({ operation }: Sign, { finding }: Occurrence): ProblemCause {
  const { check, rule, at, expected, actual } = finding;
  return {
    check,
    rule,
    place: star(at),
    ...(operation === undefined ? {} : { operation }),
    ...(at === 'status' ? { expected, actual } : {}),
  };
}

/** An effect in other answers than the cause may have a cause of its own. */
function describeDoubt(group: Group): string | undefined {
  const elsewhere = group.consequences
    .filter((each) => !isWithinAnswers(each, group) && !isOfAccepted(each, group))
    .map(({ sign }) => WORDS[sign.topic]);
  const named = [...new Set(elsewhere)].filter((word) => word !== undefined);
  if (named.length === 0) return undefined;
  return `${joinWords(named, 'and')} were found too; this may be their cause, or they have another`;
}

/** What was accepted is in later answers as it was sent, and nothing is doubtful about that. */
function isOfAccepted({ occurrences }: Group, { sign, occurrences: causes }: Group): boolean {
  const accepted = causes.flatMap(({ exchange }) => exchange.request.breaks ?? []);
  const isAccepted = ({ at, rule, actual }: Finding): boolean =>
    accepted.some(
      (each) =>
        `/${at}`.endsWith(each.at.slice('body'.length)) &&
        (each.rule === 'required' ? rule === 'required' : each.actual === actual),
    );
  return sign.topic === 'accepted' && occurrences.every(({ finding }) => isAccepted(finding));
}

const WORDS: Readonly<Partial<Record<Topic, string>>> = {
  crash: 'failures',
  changed: 'values that differ',
  refused: 'rejected requests that the contract allows',
  'missing-fields': 'missing fields',
  header: 'header fields',
  'field-value': 'values of another kind',
  unanswered: 'requests without a complete response',
};

/** What these deviations kept from being judged. Whoever mends them may find more, and should not be surprised. */
function describeHidden(occurrences: readonly Occurrence[]): string | undefined {
  const blocked = occurrences.filter(({ scenario, place }) => scenario.blockedAt === place.step);
  const hidden = new Map(blocked.map(({ scenario }) => [scenario.id, scenario.title]));
  const [first] = hidden.values();
  if (first === undefined) return undefined;
  const others = hidden.size - 1;
  const more = others === 0 ? '' : ` and ${others} ${others === 1 ? 'scenario' : 'scenarios'} more`;
  return `because of this, "${first}"${more} could not be completed`;
}
