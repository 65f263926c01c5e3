import type { Contract } from '../../contract/contract.js';
import type { Operation } from '../../contract/model.js';
import { nameInIds } from '../../contract/resources/resource.js';
import { listKept } from '../store/kept.js';

/** What the parameters of an operation do, according to its inferred resource. */
export interface ParameterRoles {
  /** The query parameter that sets the number of records on a page. */
  limit: string | undefined;
  /** The query parameters that select records by one of the values that the contract lists. */
  filters: ReadonlySet<string>;
  /** The path parameter that identifies the record, if it is an integer. */
  key: string | undefined;
  /** The resource of the operation, under the name that profiles use. */
  resource: string | undefined;
}

const NO_NAMES: ReadonlySet<string> = new Set();

const known = new WeakMap<Operation, ParameterRoles>();

export function readParameterRoles(operation: Operation, contract: Contract): ParameterRoles {
  const read = known.get(operation) ?? findRoles(operation, contract);
  known.set(operation, read);
  return read;
}

function findRoles(operation: Operation, contract: Contract): ParameterRoles {
  for (const kept of listKept(contract)) {
    const { key, operations } = kept;
    const role = operations.find((each) => each.operation === operation);
    if (role === undefined) continue;
    const { paging, filters = [] } = role.list ?? {};
    const equal = filters.filter(({ relation }) => relation === 'equals' || relation === 'contains');
    return {
      limit: paging?.kind === 'page' ? paging.size : paging?.limit,
      filters: new Set(equal.map(({ parameter }) => parameter)),
      key: key?.kind === 'integer' ? key.parameter : undefined,
      resource: key === undefined ? undefined : nameInIds(kept),
    };
  }
  return { limit: undefined, filters: NO_NAMES, key: findLastInPath(operation), resource: undefined };
}

/** The parameter at the end of a path identifies the requested thing, even where no state is kept. */
function findLastInPath({ path, parameters }: Operation): string | undefined {
  const [, name] = /\{([^{}]+)\}\/?$/.exec(path) ?? [];
  const last = parameters.find((each) => each.in === 'path' && each.name === name);
  return last?.schema['type'] === 'integer' ? name : undefined;
}
