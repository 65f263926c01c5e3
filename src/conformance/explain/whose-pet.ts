import { NAME_PREFIX } from '../judge/target-memory.js';
import type { Finding } from '../model/result.js';
import { describeChange, withoutSource } from './changes.js';
import type { Occurrence } from './occurrence.js';

/** What is wrong with a pet, and the answer that shows it. */
type Shown = Pick<Occurrence, 'finding' | 'exchange'>;

/**
 * Whether a value differs as the values of two pets do, rather than in a way in which services change one. Names
 * decide: if they are those of two pets, all other fields may look as if one pet were a changed form of the other.
 */
export function isOfAnotherPet(each: Occurrence): boolean {
  if (isLeftOut(each.finding)) return false;
  return isBesideAnotherName(each) || (mayLackName(each) && !isChanged(each.finding));
}

/** Whether an answer lacks what every pet has. */
export function isLeftOut({ at, expected, actual }: Finding): boolean {
  return /\/(?:name|categoryId)$/.test(at) && [expected, actual].some((text) => withoutSource(text) === 'absent');
}

/** Whether the name beside a wrong value is that of another pet. */
export function isBesideAnotherName(each: Shown): boolean {
  const name = findNameBeside(each);
  if (name === undefined || isChanged(name)) return false;
  return each.finding.check !== 'echo' || OWN_NAME.test(name.actual);
}

/** Whether an answer that lacks the id is another pet than the one that was asked for: by its name and more. */
export function isAnotherWithoutId(each: Shown): boolean {
  const { findings, operationId } = each.exchange;
  const lacksId = findings.some(({ check, rule, at }) => check === 'body' && rule === 'required' && at === 'body/id');
  if (operationId !== 'getPet' || !lacksId || !isBesideAnotherName(each)) return false;
  return findings.filter(({ check }) => check === each.finding.check).length > 1;
}

function isChanged({ expected, actual }: Finding): boolean {
  const [before, after] = [withoutSource(expected), withoutSource(actual)];
  return describeChange(before, after) !== undefined || isOfOneName({ expected, actual });
}

/** Whether two texts are names that the run gave to one pet, or one is the other with more after it. */
export function isOfOneName({ expected, actual }: Pick<Finding, 'expected' | 'actual'>): boolean {
  const [one, other] = [expected, actual].map((text) => OWN_NAME.exec(text)?.[0]);
  return (one !== undefined && one === other) || isLonger(withoutSource(actual), withoutSource(expected));
}

/** Whether the pet was compared as a whole, and has its own name: then it is no other pet, whatever its id says. */
export function hasOwnName(each: Occurrence): boolean {
  return OF_WHOLE.has(each.finding.check) && findNameBeside(each) === undefined && !mayLackName(each);
}

const OF_WHOLE: ReadonlySet<string> = new Set(['echo', 'same-pet', 'equals', 'contains']);

/** Whether of a name that the run gave only the beginning is left, or nothing. */
export function isCutName({ at, expected, actual }: Finding): boolean {
  const left = withoutSource(actual).replace(/"$/, '');
  return at.endsWith('/name') && OWN_NAME.test(expected) && !OWN_NAME.test(actual) && expected.startsWith(left);
}

function isLonger(after: string, before: string): boolean {
  const begin = before.replace(/(?:…|")$/, '');
  return begin.length > SHORTEST && begin.startsWith('"') && after !== before && after.startsWith(begin);
}

/** Shorter texts may begin alike by chance. */
const SHORTEST = 4;

/** By what the names that a run gives differ from one another. */
const OWN_NAME = new RegExp(`${NAME_PREFIX}[a-z]{5}`);

/** Whether the name beside a value may differ although no finding says so: of a long list, not each is kept. */
function mayLackName({ finding: { check }, exchange }: Occurrence): boolean {
  return exchange.findings.some(
    (other) => other.check === check && other.at.endsWith('/name') && (other.more ?? 0) > 0,
  );
}

/** What was found wrong with the name of the same pet, by the same check. */
function findNameBeside({ finding, exchange }: Shown): Finding | undefined {
  const at = finding.at.replace(/[^/]+$/, 'name');
  return exchange.findings.find((other) => other.at === at && other.check === finding.check);
}

/** Whether the run created the pet that is shown, as the contract allows: what it should be was known. */
export function isOfOwnPet({ finding, exchange }: Shown): boolean {
  const item = itemOf(finding.at);
  return exchange.findings.some(({ at, check }) => OF_OWN.has(check) && itemOf(at) === item);
}

const OF_OWN: ReadonlySet<string> = new Set(['echo', 'same-pet', 'contains']);

/** The place of the pet in whose field something is wrong. */
export function itemOf(at: string): string {
  return at
    .split('/')
    .slice(0, /^body\/\d+/.test(at) ? 2 : 1)
    .join('/');
}
