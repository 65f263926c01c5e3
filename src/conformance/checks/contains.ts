import { asList, compareAnimals, show, type Animal } from './pets.js';
import { successBody, type Check, type CheckOutcome } from './check.js';
import { pageSize } from './limit.js';
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
    const isComplete = size === undefined || list.length < size;
    const places = new Map(list.map(({ id }, index) => [keyOfJson(id), index]));
    return belonging.flatMap((animal) => judge(animal, { list, places, isComplete }));
  },
};

interface Listed {
  list: Animal[];
  /** Where each animal stands, by its id. */
  places: ReadonlyMap<unknown, number>;
  isComplete: boolean;
}

function judge(animal: Animal, { list, places, isComplete }: Listed): CheckOutcome[] {
  const place = places.get(keyOfJson(animal['id']));
  const found = place === undefined ? undefined : list[place];
  if (found === undefined) return isComplete ? [describeAbsence(animal)] : [{ needs: NEEDS_COMPLETE }];
  return compareAnimals(animal, found).map(({ field, expected, actual }) => ({
    rule: field,
    at: `body/${place}/${field}`,
    expected: `${expected}, as in the answer before`,
    actual,
    contractPointer: '/components/schemas/Pet',
  }));
}

function describeAbsence(animal: Animal): CheckOutcome {
  return {
    rule: 'present',
    at: 'body',
    expected: `the animal ${show(animal['id'])} (${show(animal['name'])})`,
    actual: 'it is not in the list, which is complete',
    contractPointer: '/paths/~1pets/get',
    settles: true,
  };
}

const NEEDS_COMPLETE =
  'a list that ends before its limit: the animal may be on a page that the contract has no way to ask for';
