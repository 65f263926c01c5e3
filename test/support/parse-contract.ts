import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadContract, type Contract, type LoadContractOptions } from '../../src/contract/contract.js';

let folder: string | undefined;

/**
 * A contract from its text, or from a document of which only what matters is given: it is one of OpenAPI 3.1 where it says
 * nothing else. `shownAs` is the name by which it is shown.
 */
export function parseContract(
  document: string | object,
  { shownAs = 'contract.json', ...options }: Partial<LoadContractOptions> = {},
): Contract {
  folder ??= mkdtempSync(join(tmpdir(), 'petstore-contract-'));
  const path = join(folder, shownAs.endsWith('.json') ? 'contract.json' : 'contract.yaml');
  const version = 'swagger' in Object(document) ? {} : { openapi: '3.1.0' };
  const whole = { ...version, info: { title: 'T', version: '1' }, ...Object(document) } as object;
  writeFileSync(path, typeof document === 'string' ? document : JSON.stringify(whole));
  return loadContract(path, { shownAs, ...options });
}
