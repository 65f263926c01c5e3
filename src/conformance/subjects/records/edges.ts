// What a field may be at the ends of what the contract allows, and where values are easily taken for others.
import type { Contract } from '../../../contract/contract.js';
import type { SourceDocument } from '../../../contract/document/document.js';
import { asObject } from '../../../contract/document/plain.js';
import { resolveAt } from '../../../contract/document/references.js';
import { readProperties } from '../../../contract/operations/properties.js';
import { comesFromAnswer } from '../../http/template.js';
import { isFreeText } from '../certainty.js';
import type { Field } from '../subject.js';
import { isOwnText, UNIQUE_LENGTH } from './unique-texts.js';

/** Longer texts would test how much a server accepts, not the rule: where more is allowed, as much as this is. */
const LONGEST = 5000;

/** Where a field may be null, that is the least. */
export function findLeast(field: Field, own: unknown): unknown {
  return findEdge(field, 'lowest', own) ?? findNull(field, own);
}

/** What a program may take for nothing, where the contract says that it may be that, in the members of objects too. */
export function zeroOf({ document }: Contract): (field: Field, own: unknown) => unknown {
  return ({ type, schema, schemaPointer }, own) =>
    type === 'object' ? zeroMembers(schemaPointer, own, document) : findZero({ type, schema }, own);
}

function findZero({ type, schema }: Pick<Field, 'type' | 'schema'>, own: unknown): unknown {
  if (schema['default'] !== undefined || comesFromAnswer(own)) return undefined;
  if (type === 'integer' || type === 'number') return Number(schema['minimum']) < 0 ? 0 : undefined;
  return type === 'array' && schema['minItems'] === 0 ? [] : undefined;
}

function zeroMembers(schemaPointer: string, own: unknown, document: SourceDocument): unknown {
  if (typeof own !== 'object' || own === null || Array.isArray(own)) return undefined;
  const zeros = readProperties(document, schemaPointer).flatMap(({ name, schemaPointer: at }) => {
    const schema = asObject(resolveAt(document, at).value);
    const type = [schema['type']].flat().find((each) => each !== 'null');
    const value = Object.hasOwn(own, name) ? findZero({ type: String(type), schema }, asObject(own)[name]) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return zeros.length === 0 ? undefined : { ...own, ...Object.fromEntries(zeros) };
}

/** What a null becomes where the contract has a default, it does not say. */
export function findNull({ type, isNullable, schema }: Field, own: unknown): unknown {
  const isReference = typeof own === 'string' && own.startsWith('$scenarios.');
  // Beside a list without null, `nullable` may mean nothing to a service.
  const isListed = !Array.isArray(schema['enum']) || schema['enum'].includes(null);
  const isOpen = type !== undefined && isNullable && isListed && schema['default'] === undefined;
  return isOpen && !isReference ? null : undefined;
}

/** A value that halves and hundredths show exactly, if the contract allows one and the record has none already. */
export function fractionOf({ validate }: Contract): (field: Field, own: unknown) => unknown {
  return ({ type, schemaPointer, schema: { minimum, multipleOf } }, own) => {
    if (type !== 'number' || (typeof own === 'number' && !Number.isInteger(own))) return undefined;
    const least = typeof minimum === 'number' ? Math.ceil(minimum) : 1;
    const all = [least + 0.5, least + 0.25, ...(typeof multipleOf === 'number' ? [multipleOf] : [])];
    return all.find((each) => !Number.isInteger(each) && validate.value(schemaPointer, each).length === 0);
  };
}

export function findEdge({ name, type, schema }: Field, end: 'lowest' | 'highest', own: unknown): unknown {
  const isLow = end === 'lowest';
  if (type === 'integer' || type === 'number') {
    const bound = isLow ? schema['minimum'] : schema['maximum'];
    const beyond = isLow ? schema['exclusiveMinimum'] : schema['exclusiveMaximum'];
    if (typeof bound === 'number') return bound;
    return type === 'integer' && typeof beyond === 'number' ? beyond + (isLow ? 1 : -1) : undefined;
  }
  if (type === 'object') return isLow ? emptyMap(schema) : addEntry(own, schema);
  if (type === 'array' && !isLow && Array.isArray(own) && typeof own[0] === 'string') return [own[0], `${own[0]} 2`];
  const { minLength = 0, maxLength, format, pattern } = schema;
  if (type !== 'string' || format !== undefined || pattern !== undefined) return undefined;
  if (!isLow && typeof maxLength !== 'number') return undefined;
  const length = Math.min(LONGEST, isLow ? Math.max(1, Number(minLength)) : Number(maxLength));
  if (isOwnText(own)) return length < UNIQUE_LENGTH ? undefined : `{$unique}${'x'.repeat(length - UNIQUE_LENGTH)}`;
  return isFreeText(name) ? 'x'.repeat(length) : undefined;
}

/** What an object without a member becomes where the contract describes its members, it does not say. */
function emptyMap({ properties, allOf, oneOf, anyOf }: Field['schema']): unknown {
  return [properties, allOf, oneOf, anyOf].every((each) => each === undefined) ? {} : undefined;
}

/** A map has another entry, whose name has small letters and capitals. */
function addEntry(own: unknown, { properties, additionalProperties }: Field['schema']): unknown {
  const [value] = Object.values(asObject(own));
  const isMap = properties === undefined && typeof additionalProperties === 'object';
  return isMap && value !== undefined ? { ...asObject(own), anotherKey: value } : undefined;
}
