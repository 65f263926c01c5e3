import { asList, compareAnimals, show, type Animal } from './pets.js';
import { successBody, type Check, type CheckOutcome } from './check.js';
import { pageSize } from './limit.js';
import { withoutMoved } from './moved.js';
import { keyOfJson, sameJson } from '../../contract/document/same-json.js';

export const containsCheck: Check = {
  id: 'contains',
  title: 'a list that is complete has every animal that belongs into it',
  run(context) {
    const list = asList(successBody(context));
    const wanted = context.expect.contains;
    if (wanted === undefined || list === undefined) return [];
    const belonging = (asList(wanted.animals) ?? []).filter(
      (animal) => wanted.status === undefined || sameJson(animal['status'], wanted.status),
    );
    if (belonging.length === 0) return [{ needs: 'an animal that this run created and that belongs into the list' }];
    const size = pageSize(context);
    const isComplete = (size === undefined || list.length < size) && !context.memory.hasShortPages;
    const places = new Map(list.map(({ id }, index) => [keyOfJson(id), index]));
    const { status } = context.sent.query;
    const found = belonging.flatMap((animal) => judge(animal, { list, places, isComplete, status }));
    return withoutMoved(found, context.memory);
  },
};

interface Listed {
  list: Animal[];
  /** Where each animal stands, by its id. */
  places: ReadonlyMap<unknown, number>;
  isComplete: boolean;
  /** What the list was filtered by. */
  status: unknown;
}

function judge(animal: Animal, { list, places, isComplete, status }: Listed): CheckOutcome[] {
  const place = places.get(keyOfJson(animal['id']));
  const found = place === undefined ? undefined : list[place];
  if (found === undefined) return isComplete ? [describeAbsence(animal, status)] : [{ needs: NEEDS_COMPLETE }];
  return compareAnimals(animal, found).map(({ field, expected, actual, doubt }) => ({
    rule: field,
    doubt,
    at: `body/${place}/${field}`,
    expected: `${expected}, as in the answer before`,
    actual,
    contractPointer: '/components/schemas/Pet',
  }));
}

function describeAbsence(animal: Animal, status: unknown): CheckOutcome {
  return {
    rule: 'present',
    at: 'body',
    expected: `the animal ${show(animal['id'])} (${show(animal['name'])})`,
    actual: 'it is not in the list, which is complete',
    contractPointer: '/paths/~1pets/get',
    settles: true,
    doubt: { kind: 'absent', id: animal['id'], status },
  };
}

const NEEDS_COMPLETE =
  'a list that ends before its limit: the animal may be on a page that the contract has no way to ask for';
