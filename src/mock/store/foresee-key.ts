import type { Collection } from './collection.js';
import type { Key } from './keys.js';

/** A record in the order in which those of a collection came into being; `next` is one that there is not yet. */
export type Turn = 'first' | 'last' | 'next';

/** The key of a record of a collection; `undefined` if there is none. */
export function keyAt(collection: Collection, turn: Turn): Key | undefined {
  if (turn === 'next') return findFree(collection);
  const order = turn === 'first' ? 'oldest-first' : 'newest-first';
  const [found] = collection.list({ limit: 1, order });
  return found?.record[collection.key.property ?? ''] as Key | undefined;
}

/** Of more keys than there are records one is free. */
function findFree(collection: Collection): Key | undefined {
  const { size, key } = collection;
  for (let place = size + 1; place <= 2 * size + 1; place++) {
    const free = key.make(BigInt(place));
    if (collection.get(free) === undefined) return free;
  }
  return undefined;
}
