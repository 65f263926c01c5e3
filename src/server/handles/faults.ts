import { PetstoreMockError } from '../../errors.js';
import { findFaultProblems } from '../../mock/faults/check-fault.js';
import type { World } from '../../mock/world.js';
import type { Faults } from '../petstore-world.js';

export function createFaultsHandle(find: () => World): Faults {
  return {
    async add(fault) {
      const { contract, faults } = find();
      const problems = findFaultProblems(fault, contract);
      if (problems.length > 0) throw badFault(problems);
      const planted = faults.add(fault);
      return {
        ...planted,
        async remove() {
          find().faults.remove(planted.id);
        },
      };
    },
    list: async () => find().faults.list(),
    remove: async (id) => find().faults.remove(id),
    clear: async () => find().faults.clear(),
  };
}

/** An error with all that is wrong with a fault. */
export function badFault(problems: readonly string[]): PetstoreMockError {
  return new PetstoreMockError('bad-fault', `this fault cannot be planted: ${problems.join('; ')}.`);
}
