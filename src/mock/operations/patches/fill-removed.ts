import type { Contract } from '../../../contract/contract.js';
import { asObject } from '../../../contract/document/plain.js';
import { resolveAt } from '../../../contract/document/references.js';
import { readProperties, type Property, isNullable } from '../../../contract/operations/properties.js';
import type { Fields } from '../../store/stored-record.js';
import { asFields } from '../served.js';

export interface Removing {
  contract: Contract;
  /** JSON Pointers to the schemas of the object: the record's, and behind it those of requests. */
  places: readonly string[];
}

/** A record, or the JSON Pointer to what it must have and lacks. */
export type Filled = { fields: Fields } | { removed: string };

/**
 * What a merge patch has removed gets its default again, if the contract has one (RFC 7396 leaves to the service what an
 * absent member means); what a record must have and has no default cannot be removed.
 */
export function fillRemoved(merged: Fields, patch: Fields, { contract, places }: Removing): Filled {
  const filled = new Map(Object.entries(merged));
  for (const [name, sent] of Object.entries(patch)) {
    const inside = asFields(sent);
    if (sent !== null && inside === undefined) continue;
    const described = places.map((at) => readProperties(contract.document, at).find((each) => each.name === name));
    const [own] = described;
    const present = asFields(filled.get(name));
    if (inside !== undefined && present !== undefined) {
      const below = described.flatMap((property) => property?.schemaPointer ?? []);
      const deeper = fillRemoved(present, inside, { contract, places: own === undefined ? [] : below });
      if ('removed' in deeper) return { removed: `${name}/${deeper.removed}` };
      filled.set(name, deeper.fields);
    }
    if (sent !== null || filled.has(name) || own === undefined) continue;
    const value = findDefault(described, own, contract);
    if (value === undefined && own.required) return { removed: name };
    if (value !== undefined) filled.set(name, value);
  }
  return { fields: Object.fromEntries(filled) };
}

/** Documents have defaults that their own schemas refuse. */
function findDefault(described: readonly (Property | undefined)[], own: Property, contract: Contract): unknown {
  const { document, validate } = contract;
  const fallback = own.required && isNullable(document, own.schemaPointer) ? [null] : [];
  const defaults = described.map((property) => property && readDefault(document, property.schemaPointer));
  return [...defaults, ...fallback].find(
    (value) => value !== undefined && validate.value(own.schemaPointer, value).length === 0,
  );
}

/** It may stand beside a reference. */
export function readDefault(document: Contract['document'], at: string): unknown {
  return asObject(document.at(at))['default'] ?? asObject(resolveAt(document, at).value)['default'];
}
