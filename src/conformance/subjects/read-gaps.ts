import type { Contract } from '../../contract/contract.js';
import { readDocument } from '../../contract/document/document.js';
import { asObject } from '../../contract/document/plain.js';
import { listGapsNamed, listGapsOf, type ContractGaps } from '../../contract/gaps/gaps-of-contract.js';
import { loadGapEntries, type Gap } from '../../contract/gaps/gaps.js';
import { packageFile } from '../../package-files.js';

const SHIPPED = 'spec/gaps.yaml';

const read = new WeakMap<Contract, ContractGaps>();

/** The gaps of a contract. */
export function readGapsOf(contract: Contract): ContractGaps {
  const gaps = read.get(contract) ?? listGapsOf(contract, loadGapEntries(packageFile(SHIPPED), SHIPPED));
  read.set(contract, gaps);
  return gaps;
}

/** The gaps that profiles may name where no contract says which resources there are. */
export function readGapsNamed(profiles: readonly string[]): Gap[] {
  const ids = profiles.flatMap((path) =>
    Object.keys(asObject(asObject(readDocument(path, { code: 'unusable-profile', kind: 'profile' }).root)['gaps'])),
  );
  return listGapsNamed(new Set(ids), loadGapEntries(packageFile(SHIPPED), SHIPPED));
}
