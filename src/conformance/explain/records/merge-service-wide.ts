import type { ScenarioResult } from '../../model/result.js';
import { keyOfSign, type Group } from '../group.js';
import { resourceOf } from '../occurrence.js';
import { isOfResource } from './record-sign.js';

/** Stands for every resource in a sign. */
const EVERY = '*';

/**
 * A defect that each resource shows where it could: if the same scenario deviates for every resource that has it, the
 * service does it wrong in one place.
 */
export function mergeServiceWide(groups: readonly Group[], scenarios: readonly ScenarioResult[]): Group[] {
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
