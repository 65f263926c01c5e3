import type { Operation } from '../model.js';

/** Whether an operation documents both statuses with which services refuse an invalid request. */
export function statesBothRefusals({ responses }: Pick<Operation, 'responses'>): boolean {
  return ['400', '422'].every((wanted) => responses.some(({ status }) => status === wanted));
}
