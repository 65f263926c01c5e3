import type { Key } from './keys.js';
import type { Kept } from './kept.js';

/** Whether a collection belongs to the record at a path, directly or through other records. */
export function belongsTo(
  { kept, within }: { kept: Kept; within: readonly Key[] },
  owner: Kept,
  path: readonly Key[],
  all: readonly Kept[],
): boolean {
  if (within.length < path.length || !path.every((key, index) => String(within[index]) === String(key))) return false;
  for (let at: Kept | undefined = kept; at?.parent !== undefined;) {
    const above: string = at.parent.resource;
    if (above === owner.name) return true;
    at = all.find(({ name }) => name === above);
  }
  return false;
}
