import { asList, show, type Animal } from './pets.js';
import { successBody, type Check, type CheckOutcome } from './check.js';
import { pageSize } from './limit.js';
import { keyOfJson, sameJson } from '../../contract/document/same-json.js';

export const coversCheck: Check = {
  id: 'covers',
  title: 'a filtered list has just those animals of the whole list that have the status',
  run(context) {
    const list = asList(successBody(context));
    const wanted = context.expect.covers;
    const all = asList(wanted?.all);
    if (wanted === undefined || list === undefined || all === undefined) return [];
    const size = pageSize(context) ?? Number.POSITIVE_INFINITY;
    const belonging = list.length < size ? all.filter((animal) => sameJson(animal['status'], wanted.status)) : [];
    const missing = findMissing(belonging, list);
    const isWhole = all.length < size;
    if (!isWhole && belonging.length === 0) return [{ needs: NEEDS_WHOLE }];
    const surplus = isWhole ? findMissing(list, all) : [];
    return [
      ...missing.map((animal) =>
        describe(animal, 'in the list, since the whole list has it with this status', 'absent'),
      ),
      ...surplus.map((animal) => describe(animal, 'absent, since the whole list does not have it', 'in the list')),
    ];
  },
};

const NEEDS_WHOLE = 'a list that ends before its limit, so that it shows every animal';

function findMissing(animals: Animal[], list: Animal[]): Animal[] {
  const ids = new Set(list.map(({ id }) => keyOfJson(id)));
  return animals.filter(({ id }) => !ids.has(keyOfJson(id)));
}

function describe(animal: Animal, expected: string, actual: string): CheckOutcome {
  return {
    rule: actual === 'absent' ? 'missing' : 'surplus',
    at: 'body',
    expected: `the animal ${show(animal['id'])} ${expected}`,
    actual,
    contractPointer: '/paths/~1pets/get/parameters/1',
    // Others write meanwhile, and lists may lag behind one another.
    settles: true,
  };
}
