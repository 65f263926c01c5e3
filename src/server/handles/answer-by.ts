import type { Faults, PetstoreWorld } from '../petstore-world.js';

/** `mock.answer(...)`: a fault that gives an answer of one's own. */
export function answerBy(faults: Faults): PetstoreWorld['answer'] {
  return async (operationId, answer, options = {}) => {
    const { delay, ...fault } = options;
    return faults.add({ ...fault, operationId, effect: { answer, ...(delay !== undefined && { delay }) } });
  };
}
