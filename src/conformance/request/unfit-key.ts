import type { SentRequest } from '../checks/check.js';
import { followPointer } from '../checks/record-like.js';
import type { Step } from '../scenarios/scenario.js';

/** Thrown if the contract does not allow the key of another record, as the target made it, where a record refers to it. */
export class UnfitKey extends Error {
  override readonly name = 'UnfitKey';
}

/** A refusal of such a request says nothing about the target: one schema allows the key, and the other does not. */
export function checkKeys(
  { requestBody, parameters }: Pick<Step, 'requestBody' | 'parameters'>,
  { violations }: SentRequest,
): void {
  const unfit = violations.find(({ part, pointer }) =>
    isOfAnother(followPointer(part === 'body' ? requestBody?.json : parameters, pointer)),
  );
  if (unfit === undefined) return;
  const { at, expected, actual } = unfit;
  const reason = `it needs a key that ${at} may have (${expected}); the target makes keys such as ${actual}`;
  throw new UnfitKey(`${reason}: the contract should state the same form for both`);
}

/** Whether a template refers to a record that another scenario created. */
function isOfAnother(template: unknown): boolean {
  return typeof template === 'string' && /^\{?\$scenarios\./.test(template);
}
