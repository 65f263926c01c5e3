import type { Contract } from '../../../contract/contract.js';
import { asObject } from '../../../contract/document/plain.js';
import { resolveAt } from '../../../contract/document/references.js';
import { sameJson, printJson } from '../../../contract/document/json.js';
import { hasMark, readProperties } from '../../../contract/operations/properties.js';
import type { RoleOperation } from '../../../contract/resources/resource.js';
import type { Row } from '../../model/raw-scenario.js';
import { isShowable } from '../records/fit-record.js';
import type { RecordTemplate } from '../records/made-records.js';
import { findEdge, findLeast, findNull, fractionOf, zeroOf } from '../records/edges.js';
import { UNIQUE_LENGTH } from '../records/unique-texts.js';
import { FREE_KEY } from '../keys/free-key.js';
import { findViolation } from '../request-body.js';
import { isOneOfAll, type Field, type Subject, isSet } from '../subject.js';
import type { TableSource } from './table-source.js';
import { isLikeKey } from '../certainty.js';

/** How many values of an enumeration are tried. */
const MOST_VALUES = 6;

/** Records at both ends of what the contract allows, and with each value of its enumerations. */
export function listValues(source: TableSource): Row[] {
  const { subject, made } = source;
  const fields = subject.fields.filter(({ name }) => Object.hasOwn(made.full, name));
  const pick = (how: (field: Field, own: unknown) => unknown): RecordTemplate => changeFields(fields, how, source);
  const lowest = pick(findLeast);
  const nulls = pick(findNull);
  const rows = [
    { id: 'lowest', words: 'with each field at its minimum', changed: lowest },
    { id: 'nulls', words: 'with null in each nullable field', changed: sameJson(nulls, lowest) ? {} : nulls },
    {
      id: 'zeros',
      words: 'with 0 and empty lists where the contract allows them',
      changed: pick(zeroOf(source.contract)),
    },
    {
      id: 'highest',
      words: 'with each field at its maximum',
      changed: pick((field, own) => findEdge(field, 'highest', own)),
    },
    {
      id: 'fraction',
      words: 'with fractions where the contract allows them',
      changed: pick(fractionOf(source.contract)),
    },
    {
      id: 'items',
      words: 'with unsorted items',
      changed: pick((field, own) => mixItems(field, own, source.contract)),
    },
    {
      id: 'members',
      words: 'with items that differ in their members',
      changed: pick((field, own) => varyItems(field, own, source.contract)),
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
    words: `of the alternative with ${Object.keys(full)
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

/**
 * Items in an order that is neither the one nor the other, nor that of either turned round: what sorts a list or turns it shows.
 * The order of an array is a part of it (RFC 8259 section 5), unless its items are there once each.
 */
function mixItems(field: Field, own: unknown, contract: Contract): unknown[] | undefined {
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

type Item = Readonly<Record<string, unknown>>;

/**
 * Items of a list of objects that differ in what each of their members may be, optional ones too, and one that has none of those: a
 * service may keep what the first item has, or one value of each member. Texts rise, so that a list that is sorted by them is as it was.
 */
function varyItems({ type, schemaPointer }: Field, own: unknown, contract: Contract): unknown[] | undefined {
  const [first] = Array.isArray(own) ? (own as unknown[]) : [];
  // What refers to a record of the run's own is made as it is.
  if (type !== 'array' || !isObject(first) || printJson(first).includes('$')) return undefined;
  const items = `${resolveAt(contract.document, schemaPointer).pointer}/items`;
  const members = readProperties(contract.document, items).filter(({ name }) => Object.hasOwn(first, name));
  const isAllowed = (item: Item): boolean => contract.validate.value(items, item).length === 0;
  const vary = (turn: number): Item => {
    let item = first;
    for (const { name, schemaPointer: at } of members) {
      const { value } = resolveAt(contract.document, at);
      const next = { ...item, [name]: varyValue(first[name], asObject(value), turn) };
      item = isAllowed(next) ? next : item;
    }
    return item;
  };
  const required = new Set(members.filter((each) => each.required).map(({ name }) => name));
  const least = Object.fromEntries(Object.entries(vary(3)).filter(([name]) => required.has(name)));
  // Two items of one key may be one to a service.
  const several = members.some(({ name }) => isLikeKey(name))
    ? [[vary(1)]]
    : [
        [first, vary(1), vary(2), least],
        [first, vary(1), vary(2)],
        [first, vary(1)],
      ];
  const isNew = (list: readonly Item[]): boolean =>
    list.every((each, index) => !list.slice(0, index).some((before) => sameJson(before, each)));
  return several.find(
    (list) =>
      !sameJson(list, own) &&
      isNew(list) &&
      list.every(isAllowed) &&
      contract.validate.value(schemaPointer, list).length === 0,
  );
}

function isObject(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Another value of a member in each turn, as far as its schema is plain about that. */
function varyValue(own: unknown, schema: Record<string, unknown>, turn: number): unknown {
  const { enum: listed, format, pattern, maximum, multipleOf } = schema;
  if (Array.isArray(listed)) {
    const others = listed.filter((each) => each !== null && !sameJson(each, own));
    return others[(turn - 1) % Math.max(1, others.length)] ?? own;
  }
  if (typeof own === 'boolean') return turn % 2 === 1 ? !own : own;
  if (typeof own === 'string') return format === undefined && pattern === undefined ? `${own} ${turn + 1}` : own;
  if (typeof own !== 'number') return own;
  if (turn === 2 && typeof maximum === 'number') return maximum;
  return schema['type'] === 'number' && multipleOf === undefined ? own + turn / 4 : own + turn;
}
