import type { Group } from '../group.js';
import { listOperations, resourceOf, type Occurrence } from '../occurrence.js';
import { isOfResource } from './record-sign.js';
import { describeChange, valueOf } from '../changes.js';
import { kindOf } from '../kind-of.js';

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

/**
 * How a field came to differ from what was sent: it is missing, is what another request of the scenario sent, is of
 * another type, or changed as services change values. `undefined` if the values do not tell.
 */
function describeDifference(each: Occurrence): string | undefined {
  const { actual } = each.finding;
  const before = valueOf(each.finding);
  if (actual === 'absent') return 'is missing';
  const sender = findSender(each);
  if (sender !== undefined) return `is as ${sender} sent it`;
  const isOfOtherType = kindOf(before) !== kindOf(actual) && ![before, actual].includes('null');
  return isOfOtherType ? `is ${kindOf(actual)}` : describeChange(before, actual);
}

/** The method of the request before that sent the value in the field. */
function findSender({ scenario, exchange, finding }: Occurrence): string | undefined {
  const all = scenario.steps.flatMap((step) => step.exchanges);
  const [field = '', above = ''] = finding.at.split('/').toReversed();
  // An item of a list stands there with others.
  const isItem = /^\d+$/.test(field);
  const begin = isItem ? `"${above}":[` : `"${field}":${finding.actual}`;
  const sends = (body = ''): boolean =>
    body
      .split(begin)
      .slice(1)
      .some((behind) =>
        isItem ? behind.slice(0, behind.indexOf(']')).includes(finding.actual) : /^[,}]/.test(behind),
      );
  return all.slice(0, all.indexOf(exchange)).find(({ request }) => sends(request.body))?.request.method;
}
