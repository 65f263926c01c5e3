import type { Contract } from '../contract.js';
import { asksForCredentials } from '../security/read-security.js';
import { inferResources, type Described } from '../resources/infer-resources.js';
import { escapePointer } from '../document/document.js';
import { nameInIds } from '../resources/plain-roles.js';
import type { Resource } from '../resources/resource.js';
import { fillTexts, PETS, wordsOf, type GapWords } from './gap-words.js';
import type { Gap, GapEntry } from './gaps.js';
import { findPart } from './parts.js';

/** The gaps of one contract. */
export interface ContractGaps {
  /** What is asked of a service: the service's own, those of each resource, and those that only the shipped contract has. */
  asked: Gap[];
  /** What a profile may answer: also a general gap under its plain id, for every resource at once. */
  known: Gap[];
}

type Read = Described & Pick<Contract, 'security'>;

export function listGapsOf(contract: Read, entries: readonly GapEntry[]): ContractGaps {
  const { resources } = inferResources(contract);
  const own = resources.find((resource) => isShipped(resource, entries));
  const plain = entries.map((entry) => {
    const gap = fillGap(entry, placeOf(entry, own, contract), PETS);
    return own === undefined || isOfService(entry, contract) ? gap : { ...gap, resource: nameInIds(own) };
  });
  const dotted = resources.filter((each) => each !== own).flatMap((resource) => listOf(resource, contract, entries));
  const parts = new Set(own === undefined ? [] : listOf(own, contract, entries).map(({ of }) => of?.gap));
  const isAsked = (entry: GapEntry): boolean =>
    isOfService(entry, contract) || parts.has(entry.id) || (own !== undefined && isThere(entry.contract, contract));
  const ids = new Set(entries.filter(isAsked).map(({ id }) => id));
  return { asked: [...plain.filter(({ id }) => ids.has(id)), ...dotted], known: [...plain, ...dotted] };
}

/** Whether a resource is the one whose places `gaps.yaml` names: its gaps have plain ids. */
function isShipped({ collectionPath }: Resource, entries: readonly GapEntry[]): boolean {
  const within = `#/paths/${escapePointer(collectionPath)}/`;
  return entries.some(({ contract: at, each }) => each !== undefined && at?.startsWith(within) === true);
}

function isThere(pointer: string | undefined, { document }: Described): boolean {
  return pointer !== undefined && document.at(pointer.slice(1)) !== undefined;
}

/** What `gaps.yaml` names of the shipped contract may be another parameter in a contract with the same paths. */
function placeOf({ contract: at, each }: GapEntry, own: Resource | undefined, contract: Read): string {
  const found = own === undefined || each === undefined ? undefined : findPart(each.of, own, contract);
  const part = found === undefined ? undefined : `#${found}`;
  const isOther = (place: string): boolean =>
    part !== undefined && PARAMETER.test(place) && PARAMETER.exec(place)?.[0] !== PARAMETER.exec(part)?.[0];
  return at !== undefined && isThere(at, contract) && !isOther(at) ? at : (part ?? ANYWHERE);
}

const PARAMETER = /^.*\/parameters\/\d+/;

const ANYWHERE = '#/paths';

function listOf(resource: Resource, contract: Read, entries: readonly GapEntry[]): Gap[] {
  const name = nameInIds(resource);
  return entries.flatMap((entry) => {
    const at = entry.each === undefined ? undefined : findPart(entry.each.of, resource, contract);
    if (at === undefined || entry.each === undefined) return [];
    const filled = fillGap({ ...entry, question: entry.each.question }, `#${at}`, wordsOf(resource));
    return [{ ...filled, id: `${name}.${entry.each.id}`, resource: name, of: { resource: name, gap: entry.id } }];
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
