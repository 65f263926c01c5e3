// The contract of a run, with what its user says of it.
import { relative } from 'node:path';
import { leaveOutElsewhere, loadContract, type Contract } from '../../contract/contract.js';
import { readOnce } from '../../contract/document/document.js';
import { loadCorrections } from '../../contract/resources/candidates.js';
import { loadGivenRecords } from '../../contract/resources/resource.js';
import { createTranslator } from '../../contract/translate-pointer.js';
import { packageFile } from '../../package-files.js';
import type { ConformanceOptions } from '../model/options.js';
import { checkGivenRecords } from '../subjects/records/given-records.js';

const SHIPPED_CONTRACT = 'spec/petstore.openapi.yaml';

/** What ships is read once in a process. */
const shipped = new Map<string, Contract>();

type SpecOptions = Pick<ConformanceOptions, 'spec'>;

/** A place of the shipped contract in the contract of the run. */
export function rebasePointer(pointer: string, contract: Contract, { spec }: SpecOptions): string {
  return spec === undefined ? pointer : translatorTo(contract)(pointer);
}

const translatorTo = readOnce((contract: Contract) => createTranslator(readContract({}), contract));

/** The contract of a run, with the user's own records. */
export function readGivenContract({
  records,
  readOnly = false,
  ...options
}: Parameters<typeof readContract>[0] & Pick<ConformanceOptions, 'records' | 'readOnly'>): Contract {
  const read = readContract(options);
  const contract = readOnly ? { ...read, readOnly } : read;
  if (records === undefined) return contract;
  const whole = { ...contract, givenRecords: loadGivenRecords(records) };
  checkGivenRecords(whole);
  return whole;
}

function readContract({
  spec,
  allowOutsideRefs = false,
  allowRemoteRefs = false,
  allowPrivateHosts = false,
  resources,
}: Pick<
  ConformanceOptions,
  'spec' | 'resources' | 'allowOutsideRefs' | 'allowRemoteRefs' | 'allowPrivateHosts'
>): Contract {
  const corrections = resources === undefined ? undefined : loadCorrections(resources);
  if (spec !== undefined)
    return leaveOutElsewhere(loadContract(spec, { allowOutsideRefs, allowRemoteRefs, allowPrivateHosts, corrections }));
  const shownAs = showFromHere(packageFile(SHIPPED_CONTRACT));
  const known = shipped.get(shownAs);
  if (known !== undefined) return known;
  const contract = loadContract(packageFile(SHIPPED_CONTRACT), { shownAs, trusted: true });
  shipped.set(shownAs, contract);
  return contract;
}

/** The path of a file, relative to the working directory if it is below it. */
function showFromHere(path: string): string {
  const fromHere = relative('', path);
  return fromHere.startsWith('..') ? path : fromHere;
}
