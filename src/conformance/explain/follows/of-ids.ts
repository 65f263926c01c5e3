import { parseJsonBytes } from '../../../contract/document/json.js';
import { keyOfJson } from '../../../contract/document/same-json.js';
import { OF_STATUS } from '../../judge/listed.js';
import { asList } from '../../judge/pets.js';
import type { ExchangeResult } from '../../model/result.js';
import type { Group } from '../group.js';
import { isFiltered, type Occurrence } from '../occurrence.js';
import { readPair } from '../repair.js';
import { describeRequests, readAskedId } from '../requests.js';
import { fieldOf, type Topic } from '../sign.js';
import { isBesideAnotherName, isCutName } from '../whose-pet.js';
import { whole, type Follows } from './follows.js';
import { countFound, isOfList } from './of-pages.js';

const OF_IDS: ReadonlySet<Topic> = new Set(['wrong-pet', 'id-twice', 'lost', 'surplus', 'stored-twice']);

/**
 * A client that gets a wrong id asks for it in vain. This does not follow from a missing id, with which no client can
 * ask; and an id that another operation assigns twice is simply a repeated one.
 */
export const ofId: Follows = (effect, cause) => {
  const { topic } = effect.sign;
  if (cause.sign.field?.split(' ').includes('id') !== true) return [];
  if (topic === 'id-twice') return isOfOperations(effect, cause) ? effect.occurrences.filter(isOfNoId) : [];
  if (topic === 'lost') return effect.occurrences.filter((each) => isLostById(each, cause));
  if (topic === 'wrong-pet') return effect.occurrences.filter(isBesideNoId);
  return OF_IDS.has(topic) ? effect.occurrences : [];
};

/** Whether an id that appears twice is none that a pet could have: of another kind, two pets' ids still differ. */
function isOfNoId({ finding: { actual } }: Occurrence): boolean {
  return !/^(?:"[^"]+"|-?\d)/.test(actual);
}

/** Whether one of two ids that differ is none; of two that are ids, one is that of another pet. */
function isBesideNoId({ finding }: Occurrence): boolean {
  const { before, after } = readPair(finding);
  if (fieldOf(finding.at) !== 'id') return false;
  return !/^-?\d+$/.test(before) || !/^-?\d+$/.test(after);
}

/**
 * Whether a pet is looked for in vain since its id is wrong where it was learned, or in the list that should have it. A
 * list that has it by neither its id nor its name has lost it.
 */
function isLostById(found: Occurrence, { sign, occurrences }: Group): boolean {
  if (found.finding.check === 'contains') return found.exchange.findings.some(({ at }) => at.endsWith('/name'));
  if (isOfList(found)) return occurrences.some(({ exchange }) => exchange.operationId === 'listPets');
  // Nobody asks with an id that is none.
  if (sign.topic === 'missing-fields' || sign.detail === 'null') return false;
  if (isOfOwnCreate(found) && !isOfCreates(occurrences)) return false;
  return !isFoundAsText(occurrences);
}

/** Whether some pet is found by an id that is a text, as it would be by the number: then another is not lost for that. */
function isFoundAsText(occurrences: readonly Occurrence[]): boolean {
  return occurrences.some(({ scenario, finding }) =>
    scenario.steps
      .flatMap(({ exchanges }) => exchanges)
      .some((each) => {
        const asked = readAskedId(each);
        const { response } = each;
        return finding.actual === `"${asked}"` && response?.status === 200 && response.body.includes(`${asked}`);
      }),
  );
}

/** Whether the create of the same scenario gave the id with which the pet is looked for. */
function isOfOwnCreate({ scenario, exchange }: Occurrence): boolean {
  const created = scenario.steps.flatMap(({ exchanges }) => exchanges).filter(isCreated);
  const asked = readAskedId(exchange);
  return asked !== undefined && created.some(({ response }) => readIds(response?.body)[0] === asked);
}

function isCreated({ operationId, response }: Occurrence['exchange']): boolean {
  return operationId === 'createPet' && (response?.status ?? 400) < 400;
}

function isOfCreates(occurrences: readonly Occurrence[]): boolean {
  return occurrences.some(({ exchange }) => exchange.operationId === 'createPet');
}

/**
 * A list that shows a pet twice shows its id twice. Where different pets have one id, a pet that is there twice is so for
 * another reason.
 */
export const ofShownTwice = whole(
  ({ sign, occurrences }) =>
    sign.topic === 'stored-twice' && !occurrences.some(({ exchange }) => sharesIds(exchange.response?.body)),
);

/** Whether pets of different names have one id in a list. */
function sharesIds(body = ''): boolean {
  return listShared(body)?.some(([one, other]) => one !== other) === true;
}

/** How many times a list has a pet again, as far as names tell; any number, where the list is not shown to its end. */
function countRepeated({ exchange }: Occurrence): number {
  const shared = listShared(exchange.response?.body ?? '');
  return shared?.filter(([one, other]) => one === other).length ?? Number.POSITIVE_INFINITY;
}

/** The names of each two pets of a list that have one id. */
function listShared(body: string): (readonly [unknown, unknown])[] | undefined {
  const parsed = parseJsonBytes(Buffer.from(body));
  const list = parsed.ok ? asList(parsed.value) : undefined;
  const names = new Map<unknown, unknown>();
  return list?.flatMap(({ id, name }) => {
    const key = keyOfJson(id);
    const isShared = id !== undefined && names.has(key);
    const before = names.get(key);
    names.set(key, name);
    return isShared ? [[before, name] as const] : [];
  });
}

function isOfOperations(inner: Group, outer: Group): boolean {
  const operations = new Set(outer.occurrences.map(({ exchange }) => exchange.operationId));
  return inner.occurrences.every(({ exchange }) => operations.has(exchange.operationId));
}

/** A pet that was created with another id is looked for in vain everywhere; an id that another answer has wrong, in such answers alone. */
export const ofOtherId: Follows = ({ sign, occurrences }, cause) => {
  if (!['lost', 'surplus', 'id-twice'].includes(sign.topic)) return [];
  const operations = new Set(cause.occurrences.map(({ exchange }) => exchange.operationId));
  if (operations.has('createPet')) return occurrences;
  const fetches = cause.occurrences.filter(({ exchange }) => readAskedId(exchange) !== undefined);
  const wrong = new Set(cause.occurrences.map(({ finding }) => /^-?\d+/.exec(finding.actual)?.[0]));
  const others = occurrences.filter((found) => !isOfAskedPet(found));
  return others.filter((found) => {
    if (found.finding.at === 'status') return wrong.has(readAskedId(found.exchange));
    return isOfList(found)
      ? operations.has(found.exchange.operationId)
      : describeRequests([found, ...fetches]) === describeRequests(fetches);
  });
};

/** Whether an answer shows the pet that was asked for, rather than another one under its id. */
function isOfAskedPet({ exchange, finding }: Occurrence): boolean {
  return finding.check === 'listed' && readAskedId(exchange) === /^-?\d+/.exec(finding.actual)?.[0];
}

/**
 * A status decides in which filtered lists a pet is, not whether it can be fetched, or is in the whole list. What fetches
 * show as the status is compared with no list.
 */
export const ofStatus: Follows = (effect, { sign, occurrences }) => {
  const isOf =
    sign.field?.split(' ').includes('status') === true &&
    ['lost', 'surplus'].includes(effect.sign.topic) &&
    occurrences.some(({ exchange }) => exchange.operationId !== 'getPet');
  return isOf ? effect.occurrences.filter(isFiltered) : [];
};

/**
 * If two pets have one id, one of them is not found by it; a list that shows a pet twice has so much less room for others,
 * and what is looked for in another list may be what that one lacks.
 */
export const ofRepeatedIds: Follows = (effect, { occurrences }) => {
  if (effect.sign.topic !== 'lost') return [];
  const ids = listRepeated(occurrences);
  return effect.occurrences.filter((found) => {
    if (isOfList(found)) return ids.has(readLostId(found)) || isDisplaced(found, occurrences);
    return (
      ids.has(readAskedId(found.exchange)) ||
      occurrences.some((each) => each.scenario === found.scenario) ||
      isLearnedAmiss(found)
    );
  });
};

/** Whether the id with which a pet is asked for was learned from a list that shows pets under the ids of others. */
function isLearnedAmiss({ scenario, exchange }: Occurrence): boolean {
  const id = readAskedId(exchange);
  const lists = scenario.steps
    .flatMap(({ exchanges }) => exchanges)
    .filter(({ operationId, response }) => operationId === 'listPets' && readIds(response?.body).includes(id));
  return lists.some((list) => list.findings.some((finding) => isBesideAnotherName({ exchange: list, finding })));
}

function readIds(body = ''): (string | undefined)[] {
  return [...body.matchAll(/"id"\s*:\s*(-?\d+)/g)].map(([, id]) => id);
}

/**
 * Whether a name is hardly that of another pet: it is cut, in the answer to a request by an id that only one pet has.
 */
export function isOfLoneId({ exchange, finding }: Occurrence, { occurrences }: Group): boolean {
  const id = readAskedId(exchange);
  return id !== undefined && isCutName(finding) && !listRepeated(occurrences).has(id);
}

/** The ids that several pets have, as far as findings name them. */
function listRepeated(occurrences: readonly Occurrence[]): ReadonlySet<string | undefined> {
  return new Set(occurrences.map(({ finding }) => /^[^,]+/.exec(finding.actual)?.[0]));
}

function isDisplaced({ exchange, finding, scenario }: Occurrence, repeated: readonly Occurrence[]): boolean {
  const countLost = ({ findings }: ExchangeResult): number =>
    countFound({ findings: findings.filter(({ rule }) => LACKS.has(rule)) }, finding.check);
  if (finding.check !== 'listed') return countLost(exchange) <= countFound(exchange, 'unique-ids');
  // What lacks room for a pet has another one again; two pets of one id have a place each.
  const fetched = scenario.steps.flatMap(({ exchanges }) => exchanges);
  const lost = fetched.reduce((sum, each) => sum + countLost(each), 0);
  return repeated.some((each) => each.scenario === scenario && lost <= countRepeated(each));
}

/** What the checks call a pet that a list lacks. */
const LACKS: ReadonlySet<string> = new Set(['present', OF_STATUS, 'missing']);

/** The id of a pet that a list lacks: `the pet 146 ("Rex")`. */
function readLostId({ finding }: Occurrence): string | undefined {
  return /^the pet (\S+)/.exec(finding.expected)?.[1];
}
