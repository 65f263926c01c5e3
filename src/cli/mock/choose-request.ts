import type { Contract } from '../../contract/contract.js';
import type { Operation } from '../../contract/model.js';
import { listKept } from '../../mock/store/kept.js';
import { fillRequest, type ShownRequest, type KnownRecords } from '../../server/example-requests/fill-request.js';

/**
 * The request that is the easiest to send: a GET of a list, without a record's key, with little to fill in; `undefined` if
 * the contract has no operation at all.
 */
export function chooseRequest(contract: Contract, records?: KnownRecords): ShownRequest | undefined {
  const lists = new Set(
    listKept(contract).flatMap(({ operations }) =>
      operations
        .filter(({ role, within }) => role === 'list' && within === undefined)
        .map(({ operation }) => operation),
    ),
  );
  const ranked = contract.operations.map((operation) => ({ operation, rank: rank(operation, lists) }));
  const [easiest] = ranked.toSorted((a, b) => a.rank - b.rank);
  return easiest === undefined ? undefined : fillRequest(easiest.operation, contract, records);
}

function rank(operation: Operation, lists: ReadonlySet<Operation>): number {
  const { method, path, parameters, requestBody, deprecated } = operation;
  const inPath = path.split('{').length - 1;
  const asked = parameters.filter(({ required }) => required).length;
  return (
    (method === 'GET' ? 0 : 1000) +
    inPath * 100 +
    (deprecated ? 50 : 0) +
    (requestBody === undefined ? 0 : 10) +
    (lists.has(operation) ? 0 : 5) +
    asked
  );
}
