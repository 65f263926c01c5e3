import type { Operation } from '../../contract/model.js';
import type { Collections } from '../../mock/store/collections.js';
import type { Key } from '../../mock/store/keys.js';
import { toKey, type Kept } from '../../mock/store/kept.js';
import type { World } from '../../mock/world/world.js';

/**
 * The keys of records that a world has now, for each parameter that names one. What removes a record names the last one of
 * its list, so that whoever tries every operation in turn still finds the others.
 */
export function findPathValues({ method, path }: Operation, world: World, others: FindOther): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const within: Key[] = [];
  for (const { index, 0: braced } of path.matchAll(/\{[^{}]+\}/g)) {
    const end = index + braced.length;
    const name = braced.slice(1, -1);
    const kept = findKept(path.slice(0, end), world);
    const isRemoved = method === 'DELETE' && /^\/?$/.test(path.slice(end));
    const found = kept === undefined ? undefined : findKey(kept, within, { world, isRemoved });
    values[name] = found ?? others(name);
    within.push(toKey(values[name], kept?.key) ?? String(values[name]));
  }
  return values;
}

/** The value of a parameter that names no record. */
type FindOther = (name: string) => unknown;

function findKept(path: string, { collections }: World): Kept | undefined {
  const shape = shapeOf(path);
  return collections.kept.find(({ itemPath }) => itemPath !== undefined && shapeOf(itemPath) === shape);
}

/** Two paths with the same shape differ in the names of their parameters alone. */
function shapeOf(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}').replace(/\/$/, '');
}

function findKey(
  kept: Kept,
  within: readonly Key[],
  { world: { collections }, isRemoved }: { world: World; isRemoved: boolean },
): Key | undefined {
  if (kept.key === undefined || kept.scope.length !== within.length) return undefined;
  openIfFew(kept, within, collections);
  return collections.foresee(kept, within, isRemoved ? 'last' : 'first');
}

/** Making the records of hundreds of collections takes seconds, so that in a large contract keys are foreseen. */
const MOST_MADE = 40;

export function openIfFew(kept: Kept, within: readonly Key[], collections: Collections): void {
  if (collections.kept.length <= MOST_MADE) collections.open(kept, within);
}
