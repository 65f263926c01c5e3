// Records that differ in one respect from one that the contract allows, so that a refusal has no other reason.
import type { Contract } from '../../contract/contract.js';
import { escape, wrap, type MadeRecords, type RecordTemplate } from './make-records.js';
import type { Field, Subject } from './subject.js';

/** A row in a table of scenarios. */
export interface InvalidRecord {
  id: string;
  /** The difference in words, to follow `a pet`. */
  words: string;
  /** The field that breaks the contract. */
  field: string;
  record: RecordTemplate;
}

/** Further fields are assumed to behave like these. */
const MOST_FIELDS = 25;

/** Every way in which one field can break the contract, judged by the contract itself. */
export function listInvalid(subject: Subject, { plain, full }: MadeRecords, contract: Contract): InvalidRecord[] {
  const { create } = subject.roles;
  if (create === undefined) return [];
  const isRefused = (record: RecordTemplate): boolean =>
    contract.validate.requestBody(create.operation, 'application/json', wrap(record, create.requestMember)).length > 0;
  const fields = subject.fields.filter(({ name }) => Object.hasOwn(plain, name)).slice(0, MOST_FIELDS);
  return fields.flatMap((field) =>
    listCases(field)
      .filter(({ change }) => isRefused(change(plain)))
      .map(({ id, words, change }) => ({
        id: id.replaceAll(/[^\w.-]+/g, '-'),
        words,
        field: field.name,
        record: change(full),
      })),
  );
}

interface Change {
  id: string;
  words: string;
  change: (record: RecordTemplate) => RecordTemplate;
}

function listCases(field: Field): Change[] {
  const { name, required } = field;
  const leaveOut = ({ [name]: _left, ...rest }: RecordTemplate): RecordTemplate => rest;
  return [
    ...(required ? [{ id: `without-${name}`, words: `without \`${name}\``, change: leaveOut }] : []),
    ...listValues(field).map(({ id, value }) => ({
      id: `${name}-${id}`,
      words: `whose \`${name}\` ${id
        .replace(/^that-/, '')
        .replace(/^(?=with-|below-|above-)/, 'is ')
        .replaceAll('-', ' ')
        .replace('is with a', 'has a')}`,
      change: (record: RecordTemplate) => ({ ...record, ...escape({ [name]: value }) }),
    })),
  ];
}

interface BadValue {
  id: string;
  value: unknown;
}

function listValues({ type, schema, isNullable }: Field): BadValue[] {
  return [
    ...(isNullable ? [] : [{ id: 'that-is-null', value: null }]),
    ...listOfAnotherType(type),
    ...(Array.isArray(schema['enum']) ? [{ id: 'that-is-not-in-its-list', value: 'no-such-value' }] : []),
    ...listBeyondBounds(schema, type),
    ...listBeyondLengths(schema, type),
    ...listBeyondCounts(schema, type),
  ];
}

const OF_ANOTHER_TYPE: Readonly<Record<string, readonly BadValue[]>> = {
  string: [
    { id: 'that-is-a-number', value: 48_151_623 },
    { id: 'that-is-an-object', value: { value: 'text' } },
  ],
  integer: [
    { id: 'that-is-a-word', value: 'one' },
    { id: 'with-a-fraction', value: 1.5 },
  ],
  number: [{ id: 'that-is-a-word', value: 'one' }],
  boolean: [{ id: 'that-is-a-word', value: 'maybe' }],
  array: [{ id: 'that-is-a-text', value: 'text' }],
  object: [{ id: 'that-is-a-text', value: 'text' }],
};

function listOfAnotherType(type: string | undefined): readonly BadValue[] {
  return type === undefined ? [] : (OF_ANOTHER_TYPE[type] ?? []);
}

function listBeyondBounds(schema: Field['schema'], type: string | undefined): BadValue[] {
  if (type !== 'integer' && type !== 'number') return [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const below = typeof minimum === 'number' ? minimum - 1 : exclusiveMinimum;
  const above = typeof maximum === 'number' ? maximum + 1 : exclusiveMaximum;
  return [
    ...(typeof below === 'number' ? [{ id: 'below-its-minimum', value: below }] : []),
    ...(typeof above === 'number' ? [{ id: 'above-its-maximum', value: above }] : []),
  ];
}

/** Longer ones would test how much a server accepts, not the rule. */
const LONGEST = 5000;

function listBeyondLengths({ minLength, maxLength, pattern }: Field['schema'], type: string | undefined): BadValue[] {
  if (type !== 'string') return [];
  const isShort = typeof minLength === 'number' && minLength > 0;
  const isLong = typeof maxLength === 'number' && maxLength <= LONGEST;
  return [
    ...(isShort ? [{ id: 'that-is-too-short', value: 'x'.repeat(minLength - 1) }] : []),
    ...(isLong ? [{ id: 'that-is-too-long', value: 'x'.repeat(maxLength + 1) }] : []),
    ...(typeof pattern === 'string' ? [{ id: 'that-does-not-fit-its-pattern', value: '~ no fit ~' }] : []),
  ];
}

function listBeyondCounts({ minItems }: Field['schema'], type: string | undefined): BadValue[] {
  return type === 'array' && typeof minItems === 'number' && minItems > 0
    ? [{ id: 'that-has-too-few-items', value: [] }]
    : [];
}
