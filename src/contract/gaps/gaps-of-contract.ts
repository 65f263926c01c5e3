import type { Contract } from '../contract.js';
import { asksForCredentials } from '../security/read-security.js';
import { inferResources, type Described } from '../resources/infer-resources.js';
import { isOfPetstore, nameInIds } from '../resources/plain-roles.js';
import type { Resource } from '../resources/resource.js';
import { fillTexts, PETS, wordsOf, type GapWords } from './gap-words.js';
import type { Gap, GapEntry } from './gaps.js';
import { findPart } from './parts.js';

/** The gaps of one contract. */
export interface ContractGaps {
  /** What is asked of a service: the petstore's where it has those operations, the service's own, and those of each other resource. */
  asked: Gap[];
  /** What a profile may answer: also a general gap under its plain id, for every resource at once. */
  known: Gap[];
}

type Read = Described & Pick<Contract, 'security'>;

export function listGapsOf(contract: Read, entries: readonly GapEntry[]): ContractGaps {
  const isPetstore = contract.operations.some(isOfPetstore);
  const plain = entries.map((entry) => fillGap(entry, placeOf(entry, isPetstore), PETS));
  const ofService = entries.filter((entry) => isOfService(entry, contract)).map(({ id }) => id);
  const own = entries.filter(({ id, contract: at }) => (isPetstore && at !== undefined) || ofService.includes(id));
  const ids = new Set(own.map(({ id }) => id));
  const { resources } = inferResources(contract);
  const ofResources = resources.flatMap((resource) => listOf(resource, contract, entries));
  const isPlain = (gap: Gap): boolean => gap.of === undefined;
  for (const gap of ofResources.filter(isPlain)) ids.add(gap.id);
  const dotted = ofResources.filter((gap) => !isPlain(gap));
  return { asked: [...plain.filter(({ id }) => ids.has(id)), ...dotted], known: [...plain, ...dotted] };
}

/** Only the petstore's contract has the petstore's places. */
function placeOf({ contract = ANYWHERE, each }: GapEntry, isPetstore: boolean): string {
  return isPetstore || each === undefined ? contract : ANYWHERE;
}

const ANYWHERE = '#/paths';

/** Of the petstore's own resource, those that its own list does not have. */
function listOf(resource: Resource, contract: Read, entries: readonly GapEntry[]): Gap[] {
  const isPetstore = resource.operations.some(({ operation }) => isOfPetstore(operation));
  return entries.flatMap((entry) => {
    const at = entry.each === undefined ? undefined : findPart(entry.each.of, resource, contract);
    if (at === undefined || entry.each === undefined || (isPetstore && entry.contract !== undefined)) return [];
    const filled = fillGap({ ...entry, question: entry.each.question }, `#${at}`, wordsOf(resource));
    if (isPetstore) return [filled];
    const name = nameInIds(resource);
    return [{ ...filled, id: `${name}.${entry.each.id}`, of: { resource: name, gap: entry.id } }];
  });
}

function fillGap({ each: _each, ...entry }: GapEntry, contract: string, words: GapWords): Gap {
  return fillTexts({ ...entry, contract }, words);
}

function isOfService({ each }: GapEntry, { security, operations }: Read): boolean {
  if (each?.of === 'service') return true;
  const all = [security, ...operations.filter(({ secured }) => secured).map((operation) => operation.security)];
  return each?.of === 'bearer' && all.some((one) => asksForCredentials(one));
}

/** The petstore's gaps, and those of resources that are named: `orders.list-order`. */
export function listGapsNamed(ids: ReadonlySet<string>, entries: readonly GapEntry[]): Gap[] {
  const asked = entries.filter(({ id, contract }) => contract !== undefined || ids.has(id));
  const plain = asked.map((entry) => fillGap(entry, entry.contract ?? ANYWHERE, PETS));
  const named = [...ids].flatMap((id) => {
    const [, resource = '', general = ''] = /^([A-Za-z0-9-]+)\.([a-z-]+)$/.exec(id) ?? [];
    const entry = entries.find(({ each }) => each?.id === general);
    if (entry?.each === undefined) return [];
    const words = { record: 'record', records: 'records', text: 'text', number: 'number' };
    const filled = fillGap({ ...entry, question: entry.each.question }, ANYWHERE, words);
    return [{ ...filled, id, of: { resource, gap: entry.id } }];
  });
  return [...plain, ...named];
}
