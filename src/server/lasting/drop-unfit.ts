import { keyOf } from '../../mock/store/keys.js';
import type { Changes } from '../../mock/world/changes.js';
import type { World } from '../../mock/world/world.js';
import type { Worlds } from '../../mock/world/worlds.js';
import { findProblem } from '../moving/move-records.js';

/** Drops kept records that the contract does not allow, as it is now. Returns what was dropped, a sentence for each collection. */
export function dropUnfit(worlds: Worlds, changes: Changes): string[] {
  return changes.quietly(() => worlds.all().flatMap(dropIn));
}

function dropIn({ name: world, collections, contract }: World): string[] {
  return collections.list().flatMap(({ kept, within, collection }) => {
    const { records } = collection.state();
    const unfit = records.flatMap(({ record }) => {
      const problem = findProblem(record, kept, contract);
      return problem === undefined ? [] : [{ key: keyOf(record, collection.key), problem }];
    });
    for (const { key } of unfit) if (key !== undefined) collections.remove(kept, within, key);
    const [first] = unfit;
    return first === undefined
      ? []
      : [
          `of the world ${world}, ${unfit.length} of ${records.length} stored ${kept.name} were dropped, since the contract does not allow them: ${first.problem}.`,
        ];
  });
}
