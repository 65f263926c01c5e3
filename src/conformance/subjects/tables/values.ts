import type { Contract } from '../../../contract/contract.js';
import { asObject } from '../../../contract/document/plain.js';
import { resolveAt } from '../../../contract/document/references.js';
import { sameJson } from '../../../contract/document/same-json.js';
import { hasMark, readProperties } from '../../../contract/operations/properties.js';
import type { RoleOperation } from '../../../contract/resources/resource.js';
import type { Row } from '../../model/raw-scenario.js';
import { readAsOf } from '../grammars/releases.js';
import { isShowable } from '../records/fit-record.js';
import type { RecordTemplate } from '../records/made-records.js';
import { findEdge, findLeast, findNull, fractionOf, zeroOf } from '../records/edges.js';
import { UNIQUE_LENGTH } from '../records/unique-texts.js';
import { FREE_KEY } from '../keys/free-key.js';
import { findViolation } from '../request-body.js';
import { isOneOfAll, type Field, type Subject } from '../subject.js';
import { mixItems } from '../records/mix-items.js';
import { varyItems } from '../records/vary-items.js';
import type { TableSource } from './table-source.js';
import { printJson } from '../../../contract/document/json.js';

/** How many values of an enumeration are tried. */
const MOST_VALUES = 6;

/** Records at both ends of what the contract allows, and with each value of its enumerations. */
export function listValues(source: TableSource): Row[] {
  const { subject, made } = source;
  const fields = subject.fields.filter(({ name }) => Object.hasOwn(made.full, name));
  const pick = (how: (field: Field, own: unknown) => unknown): RecordTemplate => changeFields(fields, how, source);
  const lowest = pick(findLeast);
  const isNow = readAsOf(source.contract.asOf).has('1.1.0');
  const nulls = isNow ? pick(findNull) : {};
  const rows = [
    { id: 'lowest', words: 'with the least that each field may be', changed: lowest },
    { id: 'nulls', words: 'with null in each field that may be null', changed: sameJson(nulls, lowest) ? {} : nulls },
    {
      id: 'zeros',
      words: 'with 0 and empty lists where fields may be that',
      changed: isNow ? pick(zeroOf(source.contract)) : {},
    },
    {
      id: 'highest',
      words: 'with the most that each field may be',
      changed: pick((field, own) => findEdge(field, 'highest', own)),
    },
    { id: 'fraction', words: 'with a fraction where a field may have one', changed: pick(fractionOf(source.contract)) },
    {
      id: 'items',
      words: 'with items in no order',
      changed: pick((field, own) => mixItems(field, own, source.contract)),
    },
    {
      id: 'members',
      words: 'with items that differ in their members',
      changed: isNow ? pick((field, own) => varyItems(field, own, source.contract)) : {},
    },
    ...listChoices(fields, source).map((changed, index) => ({
      id: `values-${index + 1}`,
      words: `with ${Object.entries(changed)
        .map(([name, value]) => `${name} ${printJson(value)}`)
        .join(', ')}`,
      changed,
    })),
  ];
  return [
    ...rows
      .filter(({ changed }) => Object.keys(changed).length > 0)
      .map(({ id, words, changed }) => ({ id, words, record: { ...made.full, ...changed } })),
    ...listOfKinds(source),
  ];
}

function listOfKinds({ made }: TableSource): Row[] {
  return made.kinds.map(({ full }, index) => ({
    id: `kind-${index + 2}`,
    words: `of the kind with ${Object.keys(full)
      .filter((name) => !Object.hasOwn(made.full, name))
      .join(', ')}`,
    record: full,
  }));
}

export function changeFields(
  fields: readonly Field[],
  how: (field: Field, own: unknown) => unknown,
  { made, subject, contract }: TableSource,
): RecordTemplate {
  const { create } = subject.roles;
  const entries = fields.flatMap((field) => {
    const value = field.schema['enum'] === undefined ? how(field, made.full[field.name]) : undefined;
    if (value === undefined || create === undefined || !isOfRecord(value, field, contract)) return [];
    const plain = { ...made.plain, [field.name]: fillIn(value) };
    return findViolation(plain, create, contract) === undefined ? [[field.name, value]] : [];
  });
  return Object.fromEntries(entries) as RecordTemplate;
}

/** A request may take values that no record has. */
function isOfRecord(value: unknown, field: Field, contract: Contract): boolean {
  const { recordPointer } = field;
  return recordPointer === undefined || isShowable(fillIn(value), field, recordPointer, contract);
}

/** As long as the text that a run makes of it. */
function fillIn(value: unknown): unknown {
  return typeof value === 'string' ? value.replace('{$unique}', 'u'.repeat(UNIQUE_LENGTH)) : value;
}

/** Combined into as few records as possible. */
function listChoices(fields: readonly Field[], { made, subject, contract }: TableSource): RecordTemplate[] {
  const { create } = subject.roles;
  const choices = fields.flatMap((field) => {
    // What a service falls back to shows the least.
    const flags = field.schema['default'] === true ? [false, true] : [true, false];
    const listed = field.type === 'boolean' ? flags : field.schema['enum'];
    const fitting =
      Array.isArray(listed) && !isOneOfAll(field)
        ? listed.filter((each: unknown) => isOfRecord(each, field, contract))
        : [];
    return fitting.length > 1 ? [{ name: field.name, listed: fitting }] : [];
  });
  const count = Math.min(MOST_VALUES, Math.max(0, ...choices.map(({ listed }) => listed.length)));
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(choices.map(({ name, listed }) => [name, listed[index % listed.length]])),
  ).filter((changed) => {
    const isNew = Object.entries(changed).some(([name, value]) => !sameJson(made.plain[name], value));
    return (
      isNew && create !== undefined && findViolation({ ...made.plain, ...changed }, create, contract) === undefined
    );
  });
}

/** Records that are created twice, each with another value of what is one of a few. */
export function listEquals(source: TableSource): Row[] {
  const { subject, made } = source;
  const { create } = subject.roles;
  if (create?.success.body !== 'record' || subject.putsNew !== undefined || subject.resource.key.givenBy !== 'service')
    return [];
  const fields = subject.fields.filter(({ name }) => Object.hasOwn(made.full, name));
  return [{}, ...listChoices(fields, source)].slice(0, MOST_EQUAL).map((changed, index) => ({
    id: String(index + 1),
    record: { ...made.full, ...changed },
  }));
}

const MOST_EQUAL = 3;

/** Values that no service would assign on its own. */
const FOREIGN: readonly unknown[] = [
  '2001-02-03T04:05:06Z',
  '2001-02-03',
  '3f2b8c4e-9d1a-4e7b-8c55-c0ffee0ddba2',
  'no-value-of-a-client',
  // Of a number that is counted, the greatest decides what comes next: one below all moves nothing.
  -48_151_623,
];

const SOME_KEY = 12_345_678;

/** How many read-only fields are tried: enough to show whether the service alone sets them. */
const MOST_READ_ONLY = 4;

/**
 * What only the service decides, with a value that a client gives it (JSON Schema Validation 2020-12 section 9.4). A request
 * that describes a field without the mark lets a client give it.
 */
export function listForeign(
  { resource }: Subject,
  { requestPointer = '' }: RoleOperation,
  contract: Contract,
): { name: string; value: unknown; sample: unknown }[] {
  const { document } = contract;
  const given = readProperties(document, requestPointer).filter(
    (each) => !hasMark(document, each.schemaPointer, 'readOnly'),
  );
  const isGiven = new Set(given.map(({ name }) => name));
  const found = readProperties(document, resource.schemaPointer).flatMap(({ name, schemaPointer }) => {
    const schema = asObject(resolveAt(document, schemaPointer).value);
    const isDecided = hasMark(document, schemaPointer, 'readOnly') && !isGiven.has(name);
    if (!isDecided || Array.isArray(schema['enum']) || schema['const'] !== undefined) return [];
    const isAllowed = (each: unknown): boolean => contract.validate.value(schemaPointer, each).length === 0;
    if (name === resource.key.property && resource.key.kind === 'integer')
      return isAllowed(SOME_KEY) ? [{ name, value: FREE_KEY, sample: SOME_KEY }] : [];
    const value = FOREIGN.find(isAllowed);
    return value === undefined ? [] : [{ name, value, sample: value }];
  });
  return found.slice(0, MOST_READ_ONLY);
}

export function listReadOnly({ subject, made, contract }: TableSource): Row[] {
  const { create } = subject.roles;
  if (create === undefined) return [];
  return listForeign(subject, create, contract)
    .filter(({ name, sample }) => findViolation({ ...made.plain, [name]: sample }, create, contract) === undefined)
    .map(({ name, value }) => ({ id: name, record: { ...made.full, [name]: value }, unlike: { [name]: value } }));
}
