import type { Group } from '../group.js';
import { listOperations, resourceOf, type Occurrence } from '../occurrence.js';
import { describeDifference } from './describe-difference.js';
import { isOfResource } from './record-sign.js';

/** Problems with the records of one resource that are one: of several fields, or of a rule that several operations forget. */
export function mergeRecords(groups: readonly Group[]): Group[] {
  return mergeBy(mergeBy(groups, areChangedAlike), areAcceptedAlike);
}

/** Each group with those before it that are the same; its field then names all of theirs. */
function mergeBy(groups: readonly Group[], areAlike: (one: Group, other: Group) => boolean): Group[] {
  const merged: Group[] = [];
  for (const group of groups) {
    const same = merged.find((each) => areAlike(each, group));
    if (same === undefined) merged.push({ ...group, occurrences: [...group.occurrences] });
    else {
      const fields = new Set([same, group].flatMap(({ sign }) => sign.field?.split(' ') ?? []));
      same.sign = { ...same.sign, ...(fields.size === 0 ? {} : { field: [...fields].join(' ') }) };
      same.occurrences.push(...group.occurrences);
    }
  }
  return merged;
}

/** Fields that differ in the same way in answers of the same operations, or in the same answers and in no way of their own. */
function areChangedAlike(one: Group, other: Group): boolean {
  if (one.sign.topic !== 'record' || one.sign.detail !== other.sign.detail) return false;
  if (one.sign.detail?.endsWith(' changed') !== true || !haveSameOperations(one, other)) return false;
  const [how, way] = [howOf(one), howOf(other)];
  if (how !== undefined && how === way) return true;
  return (!isWayOfItsOwn(how) || !isWayOfItsOwn(way)) && shareAnswers(one, other);
}

/** Whatever another request sent may stand in any field. */
function isWayOfItsOwn(how: string | undefined): boolean {
  return how !== undefined && !how.endsWith('sent it');
}

function shareAnswers(one: Group, other: Group): boolean {
  const answers = new Set(one.occurrences.map(({ exchange }) => exchange));
  return other.occurrences.some(({ exchange }) => answers.has(exchange));
}

function haveSameOperations(one: Group, other: Group): boolean {
  const [names, others] = [one, other].map(({ occurrences }) => new Set(listOperations(occurrences)));
  return names !== undefined && others !== undefined && (isWithin(names, others) || isWithin(others, names));
}

/** How all values of a group came to differ, if they did so in one way. */
function howOf({ occurrences }: Group): string | undefined {
  const ways = new Set(occurrences.map(describeDifference));
  return ways.size === 1 ? [...ways][0] : undefined;
}

/** A create and a replacement that forget to check the same fields. */
function areAcceptedAlike(one: Group, other: Group): boolean {
  if (one.sign.topic !== 'accepted' || other.sign.topic !== 'accepted') return false;
  if (!haveSameResource(one, other)) return false;
  const [fields, others] = [one, other].map(({ occurrences }) => listBroken(occurrences));
  if (fields === undefined || others === undefined || fields.size === 0 || others.size === 0) return false;
  return isWithin(fields, others) || isWithin(others, fields);
}

function isWithin(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return [...some].every((each) => all.has(each));
}

function haveSameResource(one: Group, other: Group): boolean {
  const names = new Set([...one.occurrences, ...other.occurrences].map(({ scenario }) => resourceOf(scenario)));
  return names.size === 1 && [...one.occurrences, ...other.occurrences].every(isOfResource);
}

function listBroken(occurrences: readonly Occurrence[]): Set<string> {
  return new Set(
    occurrences.flatMap(({ exchange }) => (exchange.request.breaks ?? []).slice(0, 1).map(({ at }) => at)),
  );
}
