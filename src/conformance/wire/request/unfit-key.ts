import type { SentRequest } from '../../model/exchange.js';
import { followPointer } from '../../model/records.js';
import type { Step } from '../../model/scenario.js';

/** Thrown if the contract does not allow the key of another record, as the target made it, where a record refers to it. */
export class UnfitKey extends Error {
  override readonly name = 'UnfitKey';
}

/**
 * A refusal of such a request says nothing about the target: one schema allows the key, and the other does not. A key
 * that does not fit the path of its own record is for the answers to show.
 */
export function checkKeys(
  { requestBody, parameters }: Pick<Step, 'requestBody' | 'parameters'>,
  { violations, operation }: Pick<SentRequest, 'violations' | 'operation'>,
): void {
  const unfit = violations.find(({ part, pointer }) => {
    if (part === 'path' && operation?.path.endsWith(`{${pointer.slice(1)}}`) === true) return false;
    return isOfAnother(followPointer(part === 'body' ? requestBody?.json : parameters, pointer));
  });
  if (unfit === undefined) return;
  const { at, expected, actual } = unfit;
  const reason = `it needs a key that ${at} may have (${expected}); the target makes keys such as ${actual}`;
  throw new UnfitKey(`${reason}: the contract should state the same form for both`);
}

/** Whether a template is the key of a record that another scenario created, and not a form of it that is tried on purpose. */
function isOfAnother(template: unknown): boolean {
  return typeof template === 'string' && /^(?:\$scenarios\.[^{}]*|\{\$scenarios\.[^{}]*\})$/.test(template);
}
