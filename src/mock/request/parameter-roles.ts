import type { Contract } from '../../contract/contract.js';
import type { Operation } from '../../contract/model.js';
import { listKept } from '../store/kept.js';

/** What the parameters of an operation do, by what is inferred of its resource. */
export interface ParameterRoles {
  /** The query parameter that says how many records a page has. */
  limit: string | undefined;
  /** The query parameters of which a value that is listed in the contract chooses records. */
  filters: ReadonlySet<string>;
  /** The path parameter that names the record, where that is an integer. */
  key: string | undefined;
}

const NONE: ParameterRoles = { limit: undefined, filters: new Set(), key: undefined };

const known = new WeakMap<Operation, ParameterRoles>();

export function readParameterRoles(operation: Operation, contract: Contract): ParameterRoles {
  const read = known.get(operation) ?? findRoles(operation, contract);
  known.set(operation, read);
  return read;
}

function findRoles(operation: Operation, contract: Contract): ParameterRoles {
  for (const { key, operations } of listKept(contract)) {
    const role = operations.find((each) => each.operation === operation);
    if (role === undefined) continue;
    const { paging, filters = [] } = role.list ?? {};
    const equal = filters.filter(({ relation }) => relation === 'equals' || relation === 'contains');
    return {
      limit: paging?.kind === 'page' ? paging.size : paging?.limit,
      filters: new Set(equal.map(({ parameter }) => parameter)),
      key: key?.kind === 'integer' ? key.parameter : undefined,
    };
  }
  return NONE;
}
