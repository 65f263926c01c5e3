// Where a field names records of other resources: itself, or in the members of its object or of its items.
import type { Contract } from '../../../contract/contract.js';
import { asObject } from '../../../contract/document/plain.js';
import { resolveAt } from '../../../contract/document/references.js';
import { readProperties } from '../../../contract/operations/properties.js';
import { findReferred, readField, type Field, type Subject } from '../subject.js';

export interface Reference {
  /** The names of the members that lead to it; `*` for each item of a list. Empty for the field itself. */
  path: readonly string[];
  to: Subject;
}

/** What stands deeper is rather a record of its own. */
const DEEPEST = 2;

export function listReferences(
  field: Field,
  own: Subject,
  subjects: readonly Subject[],
  contract: Contract,
  depth = 0,
): Reference[] {
  const to = findReferred(field, own, subjects);
  if (to !== undefined) return [{ path: [], to }];
  if (depth === DEEPEST) return [];
  return listMembers(field, contract).flatMap(({ step, member }) =>
    listReferences(member, own, subjects, contract, depth + 1).map(({ path, to: other }) => {
      return { path: [...step, member.name, ...path], to: other };
    }),
  );
}

function listMembers(
  { type, schemaPointer }: Field,
  { document }: Contract,
): { step: readonly string[]; member: Field }[] {
  const { pointer, value } = resolveAt(document, schemaPointer);
  const isList = type === 'array' && asObject(value)['items'] !== undefined;
  if (!isList && type !== 'object') return [];
  const at = isList ? `${pointer}/items` : pointer;
  return readProperties(document, at).map((each) => ({
    step: isList ? ['*'] : [],
    member: readField(each, document),
  }));
}

/** A value with something else where a path leads; as it is where it has no such member. */
export function putAt(value: unknown, [step, ...rest]: readonly string[], put: (before: unknown) => unknown): unknown {
  if (step === undefined) return put(value);
  if (step === '*') return Array.isArray(value) ? value.map((each) => putAt(each, rest, put)) : value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return value;
  return { ...value, [step]: putAt(asObject(value)[step], rest, put) };
}
