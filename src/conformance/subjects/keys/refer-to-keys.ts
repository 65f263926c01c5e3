import { escapePointer } from '../../../contract/document/document.js';
import type { RoleOperation } from '../../../contract/resources/resource.js';

/** What a run knows of the keys that a create has given, or is about to give. */
export function referToKeys(of: 'followingKeys' | 'aliasKeys', { operation }: RoleOperation): string {
  return `$run.${of}#/${escapePointer(operation.id)}`;
}
