import { asList, comparePets, show, type ReceivedPet } from './pets.js';
import type { Expectation } from '../model/scenario.js';
import { comesFromAnswer } from '../wire/request/template.js';
import type { Check, CheckContext, CheckOutcome } from './check.js';
import { within, type Keyword } from './keyword.js';
import { readListFor } from './looked-at.js';
import { createNameTest } from './own-name.js';
import { placeOfRecord } from './places.js';
import { findBadPets, findBadStatus } from './records.js';
import { NEEDS_WHOLE_LIST, pageSize } from './limit.js';
import { withoutMoved } from './moved.js';
import { keyOfJson, sameJson } from '../../contract/document/same-json.js';

export const containsCheck: Check = {
  id: 'contains',
  title: 'a complete list has every pet that belongs in it',
  comparesAnswers: true,
  onRequest: true,
  run(context) {
    const wanted = context.expect.contains;
    const read = readListFor('contains', context);
    if (wanted === undefined || 'outcomes' in read) return 'outcomes' in read ? read.outcomes : [];
    const list = read.value;
    const belonging = (asList(wanted.pets) ?? []).filter(
      (pet) => wanted.status === undefined || sameJson(pet['status'], wanted.status),
    );
    if (belonging.length === 0) return [{ needs: describeNeed(wanted.status), lacks: 'pets' }];
    const size = pageSize(context);
    const isComplete = (size === undefined || list.length < size) && !context.memory.hasShortPages;
    const places = new Map(list.map(({ id }, index) => [keyOfJson(id), index]));
    const { status } = context.sent.query;
    const found = belonging.flatMap((pet) =>
      judge(pet, { list, places, isComplete, status, source: nameSource(context), context }),
    );
    return withoutMoved(found, context.memory);
  },
};

interface Listed {
  list: ReceivedPet[];
  /** The position of each pet by its id. */
  places: ReadonlyMap<unknown, number>;
  isComplete: boolean;
  /** The status in the filter. */
  status: unknown;
  /** The origin of the wanted pets. */
  source: string;
  context: CheckContext;
}

export const containsKeyword: Keyword = {
  check: containsCheck,
  looksAt: 'list',
  findMistake(value, given) {
    const { pets, status } = value as NonNullable<Expectation['contains']>;
    if (given.stage === 'file' && Array.isArray(pets) && pets.length === 0) {
      return { at: '/pets', message: 'it has no pets, so every list contains them.' };
    }
    return (
      within('/pets', findBadPets(pets, given)) ?? (status === undefined ? undefined : findBadStatus(status, given))
    );
  },
};

function describeNeed(status: unknown): string {
  return `a pet${status === undefined ? '' : ` with the status ${show(status)}`} that the list must contain`;
}

function nameSource({ stated }: CheckContext): string {
  const { pets } = stated.contains ?? {};
  const parts = Array.isArray(pets) ? pets : [pets];
  return parts.every(comesFromAnswer) ? 'as in the answer before' : 'as the scenario states';
}

function judge(pet: ReceivedPet, listed: Listed): CheckOutcome[] {
  const { list, places, isComplete, source } = listed;
  // On another page there may be the pet itself, and here one that was stored with it.
  const place = places.get(keyOfJson(pet['id'])) ?? (isComplete ? findByName(pet, listed) : undefined);
  const found = place === undefined ? undefined : list[place];
  if (found === undefined) return isComplete ? [describeAbsence(pet, listed)] : [{ needs: NEEDS_WHOLE_LIST }];
  // Whoever knows the id alone asks whether it is there.
  const fields = Object.keys(pet).join() === 'id' ? [] : undefined;
  return comparePets(pet, found, fields).map(({ field, expected, actual, doubt }) => ({
    rule: field,
    doubt,
    at: `body/${place}/${field}`,
    expected: `${expected}, ${source}`,
    actual,
    contractPointer: placeOfRecord(listed.context),
  }));
}

/**
 * Where a list has the pet under another id: its id is wrong there, or was where it was learned, but it is not lost. Of
 * pets with one name, all have to be there.
 */
function findByName({ name }: ReceivedPet, { list, context: { memory } }: Listed): number | undefined {
  const isIts = createNameTest(name, memory);
  const found = [...list.keys()].filter((index) => isIts(list[index]?.['name']));
  const sent = memory.sentNames.get(String(name)) ?? 1;
  return found.length === sent ? found[0] : undefined;
}

function describeAbsence(pet: ReceivedPet, { status, context }: Listed): CheckOutcome {
  return {
    rule: 'present',
    at: 'body',
    expected: `the pet ${show(pet['id'])} (${show(pet['name'])})`,
    actual: 'not in the list, which is complete',
    contractPointer: context.sent.operation?.pointer,
    settles: true,
    doubt: { kind: 'absent', id: pet['id'], status },
  };
}
