import { asObject } from '../../../contract/document/plain.js';
import type { Contract } from '../../../contract/contract.js';
import { resolveAt } from '../../../contract/document/references.js';
import { isSet, type Field } from '../subject.js';

/**
 * Items in an order that is neither the one nor the other, nor that of either turned round: what sorts a list or turns it shows.
 * The order of an array is a part of it (RFC 8259 section 5), unless its items are there once each.
 */
export function mixItems(field: Field, own: unknown, contract: Contract): unknown[] | undefined {
  if (field.type !== 'array' || !Array.isArray(own) || isSet(field, contract)) return undefined;
  const [least, middle, most] = listSorted(own[0], field, contract);
  const mixed = [
    [middle, most, least],
    [most, least],
    [middle, least],
  ];
  const isAllowed = (items: unknown[]): boolean =>
    items.every((each) => each !== undefined) && contract.validate.value(field.schemaPointer, items).length === 0;
  return mixed.find((items) => isAllowed(items));
}

/** Three values that an item may have, in their order, if there are as many. */
function listSorted(first: unknown, { schemaPointer }: Field, { document }: Contract): readonly unknown[] {
  const { pointer, value } = resolveAt(document, schemaPointer);
  if (asObject(value)['items'] === undefined) return [];
  const { enum: listed } = asObject(resolveAt(document, `${pointer}/items`).value);
  if (Array.isArray(listed))
    return listed.every((each) => typeof each === 'string') ? listed.toSorted().slice(0, 3) : [];
  if (typeof first === 'number') return [first, first + 1, first + 2];
  return typeof first === 'string' ? [`${first} a`, `${first} b`, `${first} c`] : [];
}
