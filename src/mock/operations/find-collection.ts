import type { Contract } from '../../contract/contract.js';
import type { Match } from '../../contract/operations/match.js';
import { readOnce } from '../../contract/document/document.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import type { Key } from '../store/keys.js';
import { listKept, toKey, type Kept } from '../store/kept.js';
import type { World } from '../world/world.js';
import { listScope } from './served.js';

interface About {
  kept: Kept;
  within: readonly Key[];
}

/** What a request's method and path are in the contract. */
export type Matched = Extract<Match, { kind: 'operation' }>;

/** The collection that an operation is about; `undefined` if it is about none, or its path names no parent. */
export function findCollection(
  { operation, pathValues }: Matched,
  { contract, collections }: World,
): About | undefined {
  const known = readRoles(contract).get(operation.id);
  if (known === undefined) return undefined;
  const { kept, role } = known;
  const parents = listParents(kept, collections.kept);
  const within = listScope(kept, role).map((name, index) => toKey(pathValues[name], parents[index]?.key));
  return within.includes(undefined) ? undefined : { kept, within: within as Key[] };
}

const readRoles = readOnce(
  (contract: Contract): ReadonlyMap<string, { kept: Kept; role: RoleOperation }> =>
    new Map(listKept(contract).flatMap((kept) => kept.operations.map((role) => [role.operation.id, { kept, role }]))),
);

/** What a resource's records belong to, outermost first. */
function listParents({ parent }: Kept, all: readonly Kept[]): Kept[] {
  const owner = all.find(({ name }) => name === parent?.resource);
  return owner === undefined ? [] : [...listParents(owner, all), owner];
}
