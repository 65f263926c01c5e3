import type { Contract } from '../../contract/contract.js';
import { asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import type { Operation, ResponseRule } from '../../contract/model.js';
import { findResponse } from '../../contract/operations/operations.js';

/**
 * What the contract says of the bodies with these statuses: that each is a list, an object or something else that is
 * no list, or that there is none; `undefined` where it says nothing, or now this and now that.
 */
export function kindOfBody(
  contract: Contract,
  operation: Operation,
  statuses: readonly (number | string)[],
): 'list' | 'object' | 'other' | 'none' | undefined {
  const rules = statuses.flatMap((status) => findRules(operation, status));
  const kinds = new Set(rules.map((rule) => kindOf(contract, rule)));
  const [kind] = kinds;
  return kinds.size === 1 && statuses.every((status) => findRules(operation, status).length > 0) ? kind : undefined;
}

function findRules(operation: Operation, status: number | string): ResponseRule[] {
  const text = String(status).toUpperCase();
  if (text.endsWith('XX')) return operation.responses.filter((rule) => rule.status[0] === text[0]);
  return [findResponse(operation, Number(text))].filter((rule) => rule !== undefined);
}

function kindOf({ document }: Contract, { content }: ResponseRule): ReturnType<typeof kindOfBody> {
  const [first] = content;
  if (first === undefined) return 'none';
  if (first.schemaPointer === undefined) return undefined;
  const { type, items, properties, allOf } = asObject(resolveAt(document, first.schemaPointer).value);
  if (type === 'array' || (type === undefined && items !== undefined)) return 'list';
  if (type === 'object' || (type === undefined && properties !== undefined)) return 'object';
  if (typeof type === 'string') return 'other';
  // `allOf` cannot combine parts of a list.
  return type === undefined && Array.isArray(allOf)
    ? kindOfParts(document, first.schemaPointer, allOf.length)
    : undefined;
}

function kindOfParts(document: Contract['document'], at: string, count: number): 'object' | undefined {
  const { pointer } = resolveAt(document, at);
  const parts = Array.from({ length: count }, (_, index) => resolveAt(document, `${pointer}/allOf/${index}`).value);
  return parts.some((part) => asObject(part)['type'] === 'object' || asObject(part)['properties'] !== undefined)
    ? 'object'
    : undefined;
}
