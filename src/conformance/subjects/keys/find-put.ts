import { chooseCreateAtItem, type PlainRoles } from '../../../contract/resources/plain-roles.js';
import type { Resource, RoleOperation } from '../../../contract/resources/resource.js';

/**
 * How records are created at a key of the client's choice. `stated`: by a PUT with 201. `open`: the contract does not say that a
 * PUT creates (201), nor that it does not (404). `posted`: by a POST on the item.
 */
export type PutsNew = 'stated' | 'open' | 'posted';

interface CreateAtItem {
  putsNew: PutsNew;
  create: RoleOperation;
}

/** What creates a record on its own path, where nothing else does. Whether a key is free must be seen before it is used. */
export function findPut({ create, get, replace }: PlainRoles, resource: Resource): CreateAtItem | undefined {
  if (create !== undefined || get === undefined) return undefined;
  const posted = chooseCreateAtItem(resource);
  if (posted !== undefined) return { putsNew: 'posted', create: posted };
  if (replace === undefined || resource.operations.some(({ role }) => role === 'create')) return undefined;
  const has = (status: string): boolean => replace.operation.responses.some((rule) => rule.status === status);
  const isOpen = !has('201');
  if (isOpen && (has('404') || has('410'))) return undefined;
  return { putsNew: isOpen ? 'open' : 'stated', create: { ...replace, role: 'create' } };
}
