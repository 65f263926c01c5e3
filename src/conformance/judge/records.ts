import { suggest } from '../../suggest.js';
import { within, type Given, type Mistake } from './keyword.js';
import { isPet, show } from './pets.js';

/** What is wrong with a value that must be a list of pets by which others are found; or that are counted: then lists of them may stand in it. */
export function findBadPets(value: unknown, given: Given, areCounted = false): Mistake | undefined {
  if (given.isOpen(value)) return undefined;
  if (!Array.isArray(value)) {
    return { at: '', message: `it must be a list of pets, or a reference to one, but is ${show(value)}.` };
  }
  for (const [index, item] of value.entries()) {
    const isList = areCounted && Array.isArray(item);
    const mistake = isList ? findBadPets(item, given, areCounted) : findBadPet(item, given, areCounted);
    if (mistake !== undefined) return within(`/${index}`, mistake);
  }
  return undefined;
}

/** {@link findBadPets}, of what an answer lists: an item that is no pet is told by the check of the body, and hides no other. */
export function findBadListed(value: unknown, given: Given): Mistake | undefined {
  return findBadPets(given.stage === 'run' && Array.isArray(value) ? value.filter(isPet) : value, given);
}

function findBadPet(value: unknown, given: Given, isCounted: boolean): Mistake | undefined {
  if (given.isOpen(value)) return undefined;
  // What a service answered is as many items, whatever they are.
  if (!isPet(value) && isCounted && given.stage !== 'file') return undefined;
  if (!isPet(value)) return { at: '', message: `it must be a pet, but is ${show(value)}.` };
  return !isCounted && (value['id'] ?? undefined) === undefined
    ? { at: '', message: 'the pet has no `id` by which to find it in the list.' }
    : undefined;
}

/** What is wrong with a value that must be the limit of a list. */
export function findBadLimit(value: unknown, { isOpen }: Given): Mistake | undefined {
  if (isOpen(value) || isCount(value)) return undefined;
  return { at: '/limit', message: `it must be an integer of at least 1, but is ${show(value)}.` };
}

function isCount(value: unknown): boolean {
  return typeof value === 'bigint' ? value >= 1n : typeof value === 'number' && Number.isInteger(value) && value >= 1;
}

/** What is wrong with a value that must be the status of pets. */
export function findBadStatus(value: unknown, { isOpen, statuses }: Given): Mistake | undefined {
  if (isOpen(value)) return undefined;
  if (typeof value !== 'string') return { at: '/status', message: `it must be a status, but is ${show(value)}.` };
  if (statuses.length === 0 || statuses.includes(value)) return undefined;
  const known = statuses.map(String);
  return {
    at: '/status',
    message: `the contract has no status ${show(value)}; it has ${known.join(', ')}${suggest(value, known)}`,
  };
}
