import { PetstoreMockError } from '../../errors.js';
import { printJson } from '../../contract/document/json.js';
import { findFaultProblems } from '../../mock/faults/check-fault.js';
import type { World } from '../../mock/world/world.js';
import type { Faults } from '../petstore-world.js';

/** Every request is compared with every fault, so their number is limited. */
const MAX_FAULTS = 1000;
const MAX_FAULT_LENGTH = 16_384;

export function createFaultsHandle(find: () => World): Faults {
  return {
    async add(fault) {
      const { contract, faults } = find();
      const problems = findFaultProblems(fault, contract);
      if (problems.length === 0 && printJson(fault).length > MAX_FAULT_LENGTH) {
        problems.push(`it is longer than ${MAX_FAULT_LENGTH} characters`);
      }
      if (problems.length > 0) throw badFault(problems);
      if (faults.size >= MAX_FAULTS) throw badFault([`there are ${MAX_FAULTS} faults already; remove one first`]);
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

/** An error that lists everything wrong with a fault. */
export function badFault(problems: readonly string[]): PetstoreMockError {
  return new PetstoreMockError('bad-fault', `this fault cannot be added: ${problems.join('; ')}.`);
}
