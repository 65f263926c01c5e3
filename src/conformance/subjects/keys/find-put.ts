import type { PlainRoles, Resource } from '../../../contract/resources/resource.js';

/** `open`: the contract does not say that it creates (201), nor that it does not (404). */
export type PutsNew = 'stated' | 'open';

/** Whether a PUT on an item is the only create. Whether a key is free must be seen before it is used. */
export function findPut({ create, get, replace }: PlainRoles, { operations }: Resource): PutsNew | undefined {
  if (create !== undefined || get === undefined || replace === undefined) return undefined;
  if (operations.some(({ role }) => role === 'create')) return undefined;
  const has = (status: string): boolean => replace.operation.responses.some((rule) => rule.status === status);
  if (has('201')) return 'stated';
  return has('404') || has('410') ? undefined : 'open';
}
