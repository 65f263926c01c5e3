import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadContract, type Contract, type LoadContractOptions } from '../../src/contract/contract.js';

let folder: string | undefined;

/** A contract from its text, shown by the name that it is given. */
export function parseContract(text: string, options: LoadContractOptions & { shownAs: string }): Contract {
  folder ??= mkdtempSync(join(tmpdir(), 'petstore-contract-'));
  const path = join(folder, options.shownAs.endsWith('.json') ? 'contract.json' : 'contract.yaml');
  writeFileSync(path, text);
  return loadContract(path, options);
}
