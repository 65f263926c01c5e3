import type { Contract } from '../../contract/contract.js';
import { readDocument, readOnce } from '../../contract/document/document.js';
import { asObject } from '../../contract/document/plain.js';
import { listGapsNamed, listGapsOf, type ContractGaps } from '../../contract/gaps/gaps-of-contract.js';
import { loadGapEntries, type Gap } from '../../contract/gaps/gaps.js';
import { packageFile } from '../../package-files.js';

const SHIPPED = 'spec/gaps.yaml';

export const readGapsOf = readOnce((contract: Contract): ContractGaps =>
  listGapsOf(contract, loadGapEntries(packageFile(SHIPPED), SHIPPED)),
);

const OF_SECOND = 'second-key';

export function listAskedGaps(contract: Contract, hasSecond: boolean): Gap[] {
  return readGapsOf(contract).asked.filter(({ id, of }) => hasSecond || (of?.gap ?? id) !== OF_SECOND);
}

/** The gaps that profiles may name where no contract says which resources there are. */
export function readGapsNamed(profiles: readonly string[]): Gap[] {
  const ids = profiles.flatMap((path) =>
    Object.keys(asObject(asObject(readDocument(path, { code: 'unusable-profile', kind: 'profile' }).root)['gaps'])),
  );
  return listGapsNamed(new Set(ids), loadGapEntries(packageFile(SHIPPED), SHIPPED));
}
