import { readFileSync } from 'node:fs';
import type { Contract } from '../../src/contract/contract.js';
import { fillTexts, createDefaultProfile, loadGapEntries, loadGaps } from '../../src/contract/gaps/gaps.js';
import type { Gap, GapEntry, Profile } from '../../src/contract/gaps/gaps.js';
import { listGapsOf } from '../../src/contract/gaps/gaps-of-contract.js';
import { packageFile } from '../../src/package-files.js';
import { parseContract } from './parse-contract.js';

const SPEC = 'spec/petstore.openapi.yaml';

export const shippedSpec: string = readFileSync(packageFile(SPEC), 'utf8');
/** What every resource is asked, in words that fit any. */
export function listGeneralGaps(): { id: string; gap: Gap }[] {
  const words = { record: 'record', records: 'records', text: 'text', number: 'number' };
  return gapEntries.flatMap(({ each, ...entry }) => {
    if (each === undefined || each.of === 'service' || each.of === 'bearer') return [];
    const gap = fillTexts({ ...entry, question: each.question, contract: entry.contract ?? '' }, words);
    return [{ id: each.id, gap }];
  });
}

/** Those of the petstore. */
export const shippedGaps: readonly Gap[] = loadGaps(packageFile('spec/gaps.yaml'));
export const gapEntries: readonly GapEntry[] = loadGapEntries(packageFile('spec/gaps.yaml'));
export const shippedContract: Contract = parseContract(shippedSpec, { shownAs: SPEC });

/** The shipped contract with one text in it replaced. The text must be there, or the test would prove nothing. */
export const changeContract = (...changes: [from: string, to: string][]): Contract =>
  parseContract(changeSpec(...changes), { shownAs: 'changed.yaml' });

/** The text of the shipped contract with some of it replaced. */
export function changeSpec(...changes: [from: string, to: string][]): string {
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the contract has no ${from}`);
    return text.replace(from, to);
  }, shippedSpec);
}

/** The default profile with other choices for some gaps. */
export function profileWith(choices: Record<string, string> = {}): Profile {
  const { name, choices: defaults } = createDefaultProfile(listGapsOf(shippedContract, gapEntries).known);
  return { name, choices: { ...defaults, ...choices } };
}
