import { createHash } from 'node:crypto';
import type { Finding, ScenarioResult } from '../model/result.js';
import { foldConsequences } from './consequences.js';
import { groupBySign, isWithinAnswers, keyOfSign, type Group } from './group.js';
import { nameChecked } from './name-checked.js';
import { writeHeadline } from './headline.js';
import { joinWords, listOccurrences, listOperations, type Occurrence, resourceOf } from './occurrence.js';
import type { Problem, ProblemCause } from '../model/problem.js';
import { mergeMissing } from './merges/merge-missing.js';
import { mergeRecords } from './records/merge-records.js';
import { showDifference, spellValue } from '../judge/show-difference.js';
import { readSign, star, type Sign, type Topic } from './sign.js';
import { isWithin } from '../../contract/paths.js';
import { type RecordKind, isOfResource } from './records/record-sign.js';

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
  const also = listAlso(group, shown);
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
function listAlso(group: Group, shown: Occurrence): NonNullable<Problem['also']> {
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
    what: nameChecked(each),
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

/** The first occurrence in a scenario that is most about the rule. */
function pickShown({ sign, occurrences }: Group): Occurrence {
  const weigh = (each: Occurrence): number => closeness(each) + (isAbout(each, sign.topic) ? 2 : 0);
  return occurrences.reduce((best, each) => (weigh(each) > weigh(best) ? each : best));
}

/** Requests without the key meet every defect; they are about those of keys. */
function isAbout({ exchange: { request } }: Occurrence, topic: Topic): boolean {
  return topic.startsWith('key-') !== (request.auth === 'valid');
}

/**
 * How much a scenario is about the broken rule: its basis is that place of the contract (2), a place around it, the
 * answer that shows the problem or the one that was due (1), or another place (0).
 */
function closeness({ scenario: { basis }, exchange, finding: { contract, wanted = [] } }: Occurrence): number {
  if (contract === undefined || !basis.text.startsWith('#/')) return 0;
  const restsOn = basis.text.slice(1);
  if (contract.pointer === restsOn) return 2;
  const isOfAnswer = [`${exchange.response?.status ?? ''}`, ...wanted].some((status) =>
    restsOn.endsWith(`/${exchange.request.method.toLowerCase()}/responses/${status}`),
  );
  return isWithin(restsOn, contract.pointer) || isOfAnswer ? 1 : 0;
}

/** What leaves requests without an answer comes first. */
const FAILS: ReadonlySet<Topic> = new Set(['crash', 'unanswered']);

/** Then what lets strangers in, or tells them what they should not know. */
const LEAKS: ReadonlySet<Topic> = new Set(['key-accepted', 'scope-accepted', 'key-echo']);
const LEAKING_RECORDS: ReadonlySet<string> = new Set<RecordKind>(['write-only', 'leaked']);

/** Then what loses data, or changes it. */
const LOSES: ReadonlySet<Topic> = new Set(['changed', 'record', 'now-and-then']);

/** Defects of form, to which few clients pay attention, come last. */
const SLIGHT: ReadonlySet<Topic> = new Set([
  'refusal-status',
  'key-status',
  'error-shape',
  'error-status',
  'content-type',
  'header',
  'body-forbidden',
  'other',
]);

/**
 * The most important first: by what is at stake, then by how much else they cause, then by how many answers show them.
 */
function compareWeight(one: Group, other: Group): number {
  return rank(one) - rank(other) || reach(other) - reach(one) || other.occurrences.length - one.occurrences.length;
}

function rank({ sign: { topic, field, detail } }: Group): number {
  if (FAILS.has(topic)) return 0;
  if (LEAKS.has(topic) || (topic === 'record' && LEAKING_RECORDS.has(detail?.split(' ')[1] ?? ''))) return 1;
  if (LOSES.has(topic)) return 2;
  return SLIGHT.has(topic) || field === 'error' ? 4 : 3;
}

/** How many other deviations are attributed to it in answers that do not show it themselves. */
function reach(group: Group): number {
  return group.consequences.filter((each) => !isWithinAnswers(each, group)).length;
}

/** Stands for every resource in a sign. */
const EVERY = '*';

/**
 * A defect that each resource shows where it could: if the same scenario deviates for every resource that has it, the
 * service does it wrong in one place.
 */
function mergeServiceWide(groups: readonly Group[], scenarios: readonly ScenarioResult[]): Group[] {
  const merged: Group[] = [];
  for (const group of groups) {
    const same = group.occurrences.every(isOfResource)
      ? merged.find((each) => isSame(each, group) && isOfEvery([each, group], groups, scenarios))
      : undefined;
    if (same === undefined) {
      merged.push(group);
      continue;
    }
    const { operation: _operation, ...sign } = same.sign;
    same.sign = { ...sign, ...(sign.topic === 'record' ? { detail: `${EVERY} ${kindOf(same)}` } : {}) };
    absorb(same, group);
  }
  return mergeEqual(merged);
}

/** What has become equal by leaving the operation out is one problem, whichever of its scenarios each resource has. */
function mergeEqual(groups: readonly Group[]): Group[] {
  const byKey = new Map<string, Group>();
  for (const group of groups) {
    const same = byKey.get(keyOfSign(group.sign));
    if (same === undefined) byKey.set(keyOfSign(group.sign), group);
    else absorb(same, group);
  }
  return [...byKey.values()];
}

function absorb(into: Group, group: Group): void {
  into.occurrences.push(...group.occurrences);
  into.consequences.push(...group.consequences);
}

function kindOf({ sign }: Group): string {
  return sign.topic === 'record' ? (sign.detail?.split(' ')[1] ?? '') : (sign.detail ?? '');
}

function isSame(one: Group, other: Group): boolean {
  return one.sign.topic === other.sign.topic && kindOf(one) === kindOf(other) && one.sign.field === other.sign.field;
}

/** Whether all resources that have a scenario which both show are among those with the defect. */
function isOfEvery(pair: readonly Group[], groups: readonly Group[], scenarios: readonly ScenarioResult[]): boolean {
  const [one, other] = pair.map(listScenarios);
  const common = [...(one ?? [])].filter((each) => other?.has(each) === true);
  const alike = groups.filter((each) => isSame(each, pair[0] as Group));
  const shown = new Set(alike.flatMap(({ occurrences }) => occurrences.map(({ scenario }) => resourceOf(scenario))));
  return common.some((each) =>
    scenarios
      .filter(({ about, verdict }) => about?.scenario === each && (verdict === 'passed' || verdict === 'deviated'))
      .every((scenario) => shown.has(resourceOf(scenario))),
  );
}

function listScenarios({ occurrences }: Group): Set<string> {
  return new Set(occurrences.flatMap(({ scenario }) => scenario.about?.scenario ?? []));
}
