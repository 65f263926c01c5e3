import { keyOfJson } from '../../contract/document/same-json.js';
import { asList, show } from './pets.js';
import { successBody, type Check, type CheckFinding } from './check.js';
import { placeOfBody } from './places.js';

export const uniqueIdsCheck: Check = {
  id: 'unique-ids',
  title: 'a list has no id twice',
  ofPets: true,
  run(context) {
    const ids = (asList(successBody(context)) ?? []).map(({ id }) => id);
    const repeated = listRepeated(ids);
    if (repeated.length === 0) return [];
    const contractPointer = placeOfBody(context);
    const told = repeated.slice(0, MOST_TOLD).map((each) => describe(each, contractPointer));
    const last = told.at(-1);
    if (last !== undefined && repeated.length > told.length) last.more = repeated.length - told.length;
    return told;
  },
};

/** A list may be as long as a server likes. */
const MOST_TOLD = 100;

interface Repeated {
  id: unknown;
  index: number;
  before: number;
}

function listRepeated(ids: readonly unknown[]): Repeated[] {
  const first = new Map<unknown, number>();
  return ids.flatMap((id, index) => {
    if (id === undefined) return [];
    const before = first.get(keyOfJson(id));
    if (before === undefined) first.set(keyOfJson(id), index);
    return before === undefined ? [] : [{ id, index, before }];
  });
}

function describe({ id, index, before }: Repeated, contractPointer: CheckFinding['contractPointer']): CheckFinding {
  return {
    rule: 'unique',
    at: `body/${index}/id`,
    expected: 'an id of its own',
    actual: `${show(id)}, as at body/${before}/id`,
    contractPointer,
  };
}
