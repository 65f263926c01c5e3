import { groupBy } from '../../contract/document/plain.js';
import { createHash } from 'node:crypto';
import { isWithin } from '../../contract/operations/match.js';
import { showDifference, spellValue } from '../checks/check.js';
import type { Problem, ScenarioResult } from '../model/result.js';
import { listFailures, printFingerprint, showsWrongKey, star, type Failure, KINDS } from './failure.js';
import { listOperations, nameOperations, writeHeadline } from './headline.js';
import { listFurtherBroken } from './requests.js';
import { compareGroups, groupFailures, type Group } from './subsume.js';

export type ExplainedProblem = { problem: Problem; failures: readonly Failure[] };

/** What is wrong with the target, the most important first. Problems that the baseline accepts are kept apart. */
export function findProblems(run: { scenarios: readonly ScenarioResult[] }): Problem[] {
  return explainProblems(run).map(({ problem }) => problem);
}

export function explainProblems({ scenarios }: { scenarios: readonly ScenarioResult[] }): ExplainedProblem[] {
  const byReason = groupBy(listFailures(scenarios), ({ finding: { baseline } }) =>
    baseline?.state === 'known' ? baseline.reason : undefined,
  );
  return [...byReason.values()].flatMap((failures) =>
    groupFailures(failures)
      .toSorted(compareGroups)
      .map((group) => ({
        problem: describeProblem(group, scenarios),
        failures: [...group.failures, ...group.subsumed],
      })),
  );
}

export function countProblems(problems: readonly Problem[]): number {
  return problems.filter(({ baseline }) => baseline?.state !== 'known').length;
}

function describeProblem(group: Group, scenarios: readonly ScenarioResult[]): Problem {
  const shown = pickShown(group);
  const { finding } = shown;
  const all = [...group.failures, ...group.subsumed];
  const example = showDifference(finding.expected, finding.actual);
  const hides = describeHidden(all);
  const also = listAlso(group, shown);
  const { check, rule, at, expected, actual } = finding;
  const [operation, ...others] = listOperations(group.failures);
  const isOfOne = KINDS[shown.kind].scope === 'operation' && operation !== undefined && others.length === 0;
  const ofStatus = at === 'status' ? { expected, actual } : {};
  return {
    id: identify(group.failures[0] as Failure),
    headline: writeHeadline([shown, ...group.failures], scenarios),
    cause: { check, rule, place: star(at), ...(isOfOne ? { operation } : {}), ...ofStatus },
    operations: listOperations(all),
    answers: countResponses(all),
    scenarios: [...new Set([shown, ...all].map(({ scenario }) => scenario.id))],
    shown: shown.place,
    expected: spellValue(example.expected),
    actual: spellValue(example.actual),
    ...(finding.contract === undefined ? {} : { contract: finding.contract }),
    ...(hides === undefined ? {} : { hides }),
    ...(also.length === 0 ? {} : { also }),
    ...(finding.baseline === undefined ? {} : { baseline: finding.baseline }),
  };
}

function listAlso({ failures, subsumed }: Group, shown: Failure): NonNullable<Problem['also']> {
  const told = new Set([shown, failures[0] as Failure].map(printFingerprint));
  const byFingerprint = groupBy([...failures, ...subsumed], printFingerprint);
  for (const each of told) byFingerprint.delete(each);
  // What each of these requests breaks says nothing of what their errors have in common.
  const further = shown.kind === 'error-leak' ? [] : listFurtherBroken([shown, ...failures]);
  const accepted = [...new Set(further.map(({ named }) => named))].join(', ');
  const others = [...byFingerprint.values()].map((same) => {
    const [first] = same as [Failure];
    const named = first.fields.map((field) => ` \`${field}\``).join(',');
    const what = `${KINDS[first.kind].checked}${named} of ${nameOperations(same)}`;
    return { id: identify(first), what, answers: countResponses(same) };
  });
  if (accepted === '') return others;
  const what = `${KINDS[shown.kind].checked}: ${accepted}`;
  return [{ id: identify(shown), what, answers: countResponses(further.map(({ failure }) => failure)) }, ...others];
}

function identify(failure: Failure): string {
  return createHash('sha256').update(printFingerprint(failure)).digest('hex').slice(0, 16);
}

function countResponses(failures: readonly Failure[]): number {
  return new Set(failures.map(({ exchange }) => exchange)).size;
}

function describeHidden(failures: readonly Failure[]): string | undefined {
  const blocked = failures.filter(({ scenario, place }) => scenario.blockedAt === place.step);
  const titles = new Map(blocked.map(({ scenario }) => [scenario.id, scenario.title]));
  const [title] = titles.values();
  if (title === undefined) return undefined;
  const others = titles.size - 1;
  const more = others === 0 ? '' : ` and ${others} ${others === 1 ? 'scenario' : 'scenarios'} more`;
  return `because of this, "${title}"${more} could not be completed`;
}

function pickShown({ failures }: Group): Failure {
  const weigh = (each: Failure): number => {
    const isAbout = each.kind.startsWith('key-') === showsWrongKey(each.exchange.request.auth);
    return closeness(each) + (isAbout ? 2 : 0);
  };
  return failures.reduce((best, each) => (weigh(each) > weigh(best) ? each : best));
}

function closeness({ scenario: { basis }, exchange, finding: { contract, wanted = [] } }: Failure): number {
  if (contract === undefined || !basis.text.startsWith('#/')) return 0;
  const restsOn = basis.text.slice(1);
  if (contract.pointer === restsOn) return 2;
  const isOfResponse = [`${exchange.response?.status ?? ''}`, ...wanted].some((status) =>
    restsOn.endsWith(`/${exchange.request.method.toLowerCase()}/responses/${status}`),
  );
  return isWithin(restsOn, contract.pointer) || isOfResponse ? 1 : 0;
}
