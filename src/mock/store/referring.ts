import type { Contract } from '../../contract/contract.js';
import { readProperties } from '../../contract/operations/properties.js';
import { readTemplate, type Segment } from '../../contract/operations/match.js';
import { readOnce } from '../../contract/document/document.js';
import { plainName } from '../../contract/resources/words.js';
import { listKept, type Kept } from './kept.js';

/** What a property with the key of another record is called: `petId`, `pet_uuid`; or like the record, if its key is not a word. */
export function namesOf({ singular, key, scope }: Kept): string[] {
  if (key === undefined || scope.length > 0) return [];
  const word = plainName(singular);
  return [`${word}id`, `${word}${plainName(key.property)}`, ...(key.kind === 'text' ? [] : [word])];
}

/** JSON Pointers to the schemas of the places that have the key of a record, apart from the record itself. */
export function listReferring(kept: Kept, contract: Contract): string[] {
  const named = readNamed(contract);
  const byName = [...new Set(namesOf(kept))].flatMap((name) => named.get(name) ?? []);
  return [...new Set([...listInPaths(kept, contract), ...byName])];
}

/** `/orders/{id}/lines/{lineId}` has the key of an order, whatever the parameter is called there. */
function listInPaths({ itemPath }: Kept, { operations }: Contract): string[] {
  if (itemPath === undefined) return [];
  const own = readTemplate(itemPath);
  return operations.flatMap(({ path, parameters }) => {
    const segments = readTemplate(path);
    const isBelow = own.every((segment, index) => isAlike(segment, segments[index]));
    const name = isBelow ? segments[own.length - 1]?.names[0] : undefined;
    return parameters.find((each) => each.in === 'path' && each.name === name)?.schemaPointer ?? [];
  });
}

/** Parameters of one place may have names of their own. */
function isAlike(one: Segment, other: Segment | undefined): boolean {
  return one.text === other?.text || (isParameter(one) && isParameter(other));
}

function isParameter(segment: Segment | undefined): boolean {
  return segment?.names.length === 1 && segment.pattern === undefined;
}

/** The schemas of all parameters, and of the properties of all records and of what creates them, by plain name. */
const readNamed = readOnce((contract: Contract): ReadonlyMap<string, readonly string[]> => {
  const named = new Map<string, string[]>();
  const add = (name: string, pointer: string | undefined): void => {
    if (pointer !== undefined) named.set(plainName(name), [...(named.get(plainName(name)) ?? []), pointer]);
  };
  for (const { parameters } of contract.operations) {
    for (const { name, schemaPointer } of parameters) add(name, schemaPointer);
  }
  const kept = listKept(contract);
  const sent = kept.flatMap(({ operations }) => operations.flatMap(({ requestPointer }) => requestPointer ?? []));
  for (const pointer of new Set([...kept.map(({ schemaPointer }) => schemaPointer), ...sent])) {
    for (const { name, schemaPointer } of readProperties(contract.document, pointer)) add(name, schemaPointer);
  }
  return named;
});
