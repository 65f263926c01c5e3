// Which resources of its contract a run has tested: those of which it saw a record, and concluded something.
import type { Contract } from '../../contract/contract.js';
import type { ResourcesResult, ScenarioResult } from '../model/result.js';
import type { Run } from '../run/run.js';
import { bindSubjects } from '../subjects/bind-subjects.js';
import { readSubjects, type Subject } from '../subjects/subject.js';

const CONCLUDED: ReadonlySet<string> = new Set(['passed', 'deviated', 'known', 'observed']);

/** `undefined` where the contract has no resource, or what was selected is about none. */
export function countTested(
  run: Run,
  results: readonly ScenarioResult[],
  { isSelected, untested }: { isSelected: boolean; untested: string | undefined },
): ResourcesResult | undefined {
  const subjects = readSubjects(run.contract);
  const ownOf = ({ name }: Subject): ScenarioResult[] => results.filter(({ about }) => about?.resource === name);
  if (subjects.length === 0 || (isSelected && subjects.every((subject) => ownOf(subject).length === 0)))
    return undefined;
  const isTested = (subject: Subject): boolean =>
    ownOf(subject).some(({ verdict }) => CONCLUDED.has(verdict)) && isSeen(subject, run);
  const tested = subjects.filter(isTested).map(({ name }) => name);
  const others = subjects.filter(({ name }) => !tested.includes(name));
  return {
    tested,
    untested: others.map((subject) => ({
      name: subject.name,
      why: untested ?? explain(subject, ownOf(subject), run.contract),
    })),
  };
}

function isSeen(subject: Subject, { ledger }: Run): boolean {
  const isCreated = [...ledger.records.values()].some(
    ({ id, state }) => id.resource === subject.name && state !== undefined,
  );
  return isCreated || ledger.countShown(subject) > 0;
}

/** What most of its scenarios lack; else why there are none, or what was not seen. */
function explain({ resource }: Subject, own: readonly ScenarioResult[], contract: Contract): string {
  const counts = new Map<string, number>();
  for (const { verdict, reason = '' } of own) {
    const lack = reason.replace(/^it builds on \S+: /, '').replace(/^step \S+: /, '');
    if (!CONCLUDED.has(verdict) && lack !== '') counts.set(lack, (counts.get(lack) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  const path = `${resource.collectionPath}: `;
  const { notes, found } = bindSubjects(contract);
  const note = [...notes, ...found].find((each) => each.startsWith(path))?.slice(path.length);
  if (own.length === 0) return note ?? 'no scenario of it was selected';
  return most?.[0] ?? note ?? 'there was no record of it to read';
}
