import { PetstoreMockError } from '../../errors.js';
import { describeMissing, findMissingParent } from '../../mock/operations/served.js';
import type { Key } from '../../mock/store/keys.js';
import type { Kept } from '../../mock/store/kept.js';
import type { World } from '../../mock/world/world.js';
import { suggest } from '../../suggest.js';
import type { PetstoreWorld } from '../petstore-world.js';
import { createRecords, type RecordsPlace } from './records.js';

/** Direct access to the records of every resource. */
export function createCollectionHandles(find: () => World): Pick<PetstoreWorld, 'collection' | 'collections'> {
  return {
    collection: (name, { within = [] } = {}) => createRecords(() => findPlace(find(), name, within)) as never,
    collections: async () => {
      const { collections } = find();
      return collections.kept.map((kept) => ({
        name: kept.name,
        key: kept.key?.property,
        within: kept.scope,
        count: kept.scope.length > 0 ? undefined : collections.open(kept).size,
      }));
    },
  };
}

/** What there can be collections of, by name. Throws a `PetstoreMockError` (`bad-collection`) for an unknown one. */
export function findKept({ collections: { kept: all } }: World, name: string): Kept {
  const kept = all.find((each) => each.name === name);
  if (kept === undefined) throw badCollection(`there is no collection ${name}${tellNames(name, all)}`);
  return kept;
}

/** The records of a collection by its name. Throws a `PetstoreMockError` (`bad-collection`) for an unknown one. */
export function findPlace(world: World, name: string, within: readonly Key[]): RecordsPlace {
  const kept = findKept(world, name);
  if (kept.scope.length !== within.length) {
    const needed = kept.scope.length === 0 ? 'belongs to no record' : `belongs to ${kept.scope.join(' and ')}`;
    throw badCollection(`the collection ${name} ${needed}; \`within\` names ${within.length}.`);
  }
  const missing = findMissingParent(kept, within, world);
  if (missing !== undefined) throw badCollection(`${describeMissing(missing)}.`);
  return { world, kept, within, invalid: 'bad-record' };
}

function tellNames(name: string, all: readonly Kept[]): string {
  const names = all.map((each) => each.name);
  return names.length === 0 ? '; the contract has none.' : `${suggest(name, names)} There are ${names.join(', ')}.`;
}

function badCollection(message: string): PetstoreMockError {
  return new PetstoreMockError('bad-collection', message);
}
