import { readFileSync } from 'node:fs';
import type { Contract } from '../../src/contract/contract.js';
import { createDefaultProfile, loadGaps, type Gap, type Profile } from '../../src/contract/gaps/gaps.js';
import { packageFile } from '../../src/package-files.js';
import { parseContract } from './parse-contract.js';

const SPEC = 'spec/petstore.openapi.yaml';

export const shippedSpec: string = readFileSync(packageFile(SPEC), 'utf8');
export const shippedGaps: readonly Gap[] = loadGaps(packageFile('spec/gaps.yaml'));
export const shippedContract: Contract = parseContract(shippedSpec, { shownAs: SPEC });

/** The shipped contract with one text in it replaced. The text must be there, or the test would prove nothing. */
export function changeContract(...changes: [from: string, to: string][]): Contract {
  return parseContract(changeSpec(...changes), { shownAs: 'changed.yaml' });
}

/** The text of the shipped contract with some of it replaced. */
export function changeSpec(...changes: [from: string, to: string][]): string {
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the contract has no ${from}`);
    return text.replace(from, to);
  }, shippedSpec);
}

/** The default profile with other choices for some gaps. */
export function profileWith(choices: Record<string, string> = {}): Profile {
  const { name, choices: defaults } = createDefaultProfile(shippedGaps);
  return { name, choices: { ...defaults, ...choices } };
}
