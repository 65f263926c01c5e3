import { PetstoreMockError } from '../../errors.js';
import { printJson } from '../../contract/document/json.js';
import type { Violation } from '../../contract/schemas/violation.js';
import { findAnswerViolations, findFaultProblems, findShapeProblems } from '../../mock/faults/check-fault.js';
import type { Fault } from '../../mock/faults/faults.js';
import type { World } from '../../mock/world/world.js';
import type { Faults } from '../petstore-world.js';

/** Every request is compared with every fault, so their number is limited. */
const MAX_FAULTS = 1000;
const MAX_FAULT_LENGTH = 16_384;
/** As long as a body that the journal keeps. */
const MAX_ANSWER_LENGTH = 65_536;

export function createFaultsHandle(find: () => World): Faults {
  return {
    async add(fault) {
      const { contract, faults } = find();
      const problems = findFaultProblems(fault, contract);
      if (problems.length === 0) problems.push(...findTooLong(fault));
      if (problems.length > 0) {
        const isReadable = findShapeProblems(fault).length === 0;
        throw badFault(problems, isReadable ? findAnswerViolations(fault, contract) : []);
      }
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

function findTooLong(fault: Fault): string[] {
  const { answer, ...effect } = { answer: undefined, ...fault.effect };
  const isLong = printJson({ ...fault, effect }).length > MAX_FAULT_LENGTH;
  if (isLong) return [`it is longer than ${MAX_FAULT_LENGTH} characters`];
  const isLongAnswer = printJson(answer ?? {}).length > MAX_ANSWER_LENGTH;
  return isLongAnswer ? [`its response is longer than ${MAX_ANSWER_LENGTH} characters`] : [];
}

/** An error that lists everything wrong with a fault. */
export function badFault(problems: readonly string[], violations: readonly Violation[] = []): BadFault {
  return new BadFault(problems, violations);
}

/** A refused fault, with what its answer breaks of the contract. */
export class BadFault extends PetstoreMockError {
  readonly violations: readonly Violation[];

  constructor(problems: readonly string[], violations: readonly Violation[]) {
    super('bad-fault', `this fault cannot be added: ${problems.join('; ')}.`);
    this.violations = violations;
  }
}
