// The tables of scenarios about what the contract leaves open: a row for each request that shows it.
import {
  NAME_CHARACTERS,
  limitOf,
  listEnumFilters,
  listFreeNumbers,
  listFreeTexts,
  type FreeField,
  listUnsent,
} from '../../../contract/gaps/gaps-of-contract.js';
import { statesBothRejections } from '../../../contract/operations/operations.js';
import type { Row } from '../../model/raw-scenario.js';
import { listInvalid } from '../records/invalid-records.js';
import { creatorOf } from '../records/made-records.js';
import { listInvalidChanges } from './changes.js';
import { listNestedUpdates } from './nested.js';
import type { TableSource } from './table-source.js';
import { readText } from '../../../contract/read-text.js';
import type { Filter } from '../../../contract/resources/resource.js';
import type { Field } from '../subject.js';
import { findParameter } from './lists/filters.js';
import { addExactly } from '../../../contract/numbers/decimal.js';

export const GAP_TABLES: Readonly<Record<string, (source: TableSource) => Row[]>> = {
  $limitsBelow: (source) => listBounds(source, 'minimum', -1),
  $limitsAbove: (source) => listBounds(source, 'maximum', 1),
  $limitsBroken: (source) => askLimit(source, [{ id: 'ten', text: 'ten' }]),
  $limitsEmpty: (source) => askLimit(source, [{ id: 'empty', text: '' }]),
  $limitForms: listLimitForms,
  $limitTwice: askTwice,
  $shortLimits: (source) => pickLimits(source, 1).map((limit) => ({ id: `limit-${limit}`, limit })),
  $filterUnknown: (source) => askFilter(source, () => 'no-such-value-cf'),
  $filterEmpty: (source) => askFilter(source, () => ''),
  $filterCase: (source) => askFilter(source, swapCase),
  $lowerBounds: (source) => listRangeBounds('from', source),
  $upperBounds: (source) => listRangeBounds('to', source),
  $nestedUpdates: listNestedUpdates,
  $twiceRefused: listTwiceRefused,
  $unsetFields: listUnsetFields,
  $emptyTexts: (source) => nameTexts(source, 2).map(({ name }) => ({ id: name, with: { [name]: '' } })),
  $blankTexts: (source) => nameTexts(source, 1).map(({ name }) => ({ id: name, with: { [name]: '   ' } })),
  // As many bytes as any text of odd characters has.
  $plainTexts: (source) => nameTexts(source, 1).map(({ name }) => ({ id: name, with: { [name]: '{$unique}xxxx' } })),
  $textKinds: (source) => nameTexts(source, 1).flatMap(({ name }) => listKinds(name)),
  $longTexts: (source) =>
    nameTexts(source, 1).map(({ name }) => ({ id: name, field: name, with: { [name]: '$each#/name' } })),
  $negativeNumbers: (source) => nameNumbers(source).map(({ name }) => ({ id: name, with: { [name]: -1 } })),
  $keyForms: listKeyForms,
  $keysOutOfRange: listKeysOutOfRange,
};

const INTEGER_FORMS = [
  { id: 'fraction', before: '', after: '.0' },
  { id: 'exponent', before: '', after: 'e0' },
  { id: 'plus', before: '+', after: '' },
  { id: 'zeros', before: '0', after: '' },
  { id: 'space', before: ' ', after: '' },
];

function listKeyForms({ subject }: TableSource): Row[] {
  const { id: creator, output } = creatorOf(subject);
  return INTEGER_FORMS.map(({ id, before, after }) => ({
    id,
    key: `${before}{$scenarios.${creator}.outputs.${output}}${after}`,
  }));
}

/** One of the smallest limits, in forms that a service may read as an integer or not. */
function listLimitForms(source: TableSource): Row[] {
  const { name = '' } = limitOf(source.subject.roles) ?? {};
  return pickLimits(source, 1).flatMap((limit) =>
    INTEGER_FORMS.map(({ id, before, after }) => {
      const text = encodeURIComponent(`${before}${limit}${after}`);
      return { id, query: `${name}=${text}`, limit };
    }),
  );
}

function askLimit({ subject }: TableSource, forms: readonly { id: string; text: string }[]): Row[] {
  const limit = limitOf(subject.roles);
  return limit === undefined ? [] : forms.map(({ id, text }) => ({ id, query: `${limit.name}=${text}` }));
}

function listBounds(source: TableSource, rule: 'minimum' | 'maximum', step: number): Row[] {
  const bound = limitOf(source.subject.roles)?.schema[rule];
  if (typeof bound !== 'number') return [];
  const beyond = String(bound + step);
  const [row] = askLimit(source, [{ id: beyond, text: beyond }]);
  return row === undefined ? [] : [{ ...row, bound }];
}

/** The smallest limits that the contract allows, from 2 up, since most lists have more than one record. */
function pickLimits({ subject, contract: { validate } }: TableSource, count: number): number[] {
  const limit = limitOf(subject.roles);
  if (limit === undefined) return [];
  const { schema, schemaPointer: pointer } = limit;
  const { minimum, enum: listed } = schema;
  const least = Math.max(2, typeof minimum === 'number' ? minimum : 0);
  const following = Array.from({ length: count }, (_, index) => least + index);
  const few = Array.isArray(listed) ? listed.filter((each) => typeof each === 'number' && each >= 2) : following;
  const found = few.filter((each) => pointer === undefined || validate.value(pointer, each).length === 0);
  return found.length < count ? [] : found.slice(0, count);
}

function askTwice(source: TableSource): Row[] {
  const name = limitOf(source.subject.roles)?.name ?? '';
  const [first, last] = pickLimits(source, 2);
  if (first === undefined || last === undefined) return [];
  return [{ id: name, query: `${name}=${first}&${name}=${last}`, first, last }];
}

function askFilter({ subject }: TableSource, change: (value: string) => string): Row[] {
  return listEnumFilters(subject.roles.list)
    .slice(0, 1)
    .flatMap(({ name, schema }) => {
      const values = schema['enum'] as string[];
      const [value = ''] = values;
      const other = change(value);
      if (values.includes(other)) return [];
      const query = (text: string): string => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
      const all = { items: { properties: { [fieldOf(name, subject)]: { const: value } } } };
      return [{ id: name, query: query(other), exact: query(value), unknown: query('no-such-value-cf'), all }];
    });
}

/** The field by which a filter chooses. */
function fieldOf(parameter: string, { roles }: TableSource['subject']): string {
  const filter = roles.list?.list?.filters.find((each) => each.parameter === parameter);
  return filter?.property.at(-1) ?? parameter;
}

function swapCase(value: string): string {
  return value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase();
}

/** Texts that a record certainly has come first, so that a refusal can only be about them. */
function nameTexts({ subject, made, contract }: TableSource, most: number): FreeField[] {
  const free = listFreeTexts(subject.roles.create, subject.resource, contract);
  return free.filter(({ name }) => Object.hasOwn(made.full, name) && isOwnText(made.full[name])).slice(0, most);
}

/** A reference to another record is not a text to vary. */
function isOwnText(value: unknown): boolean {
  return typeof value === 'string' && !value.startsWith('$scenarios.');
}

function nameNumbers({ subject, made, contract }: TableSource): FreeField[] {
  const free = listFreeNumbers(subject.roles.create, subject.resource, contract);
  return free.filter(({ name }) => typeof made.full[name] === 'number').slice(0, 1);
}

const OF_KINDS: Readonly<Record<string, string>> = {
  astral: '{$unique}\u{1F43E}',
  'non-ascii': '{$unique}é',
  control: '{$unique}\u0007',
  markup: '{$unique}<i',
  'outer-spaces': ' {$unique} ',
};

function listKinds(name: string): Row[] {
  return Object.keys(NAME_CHARACTERS).map((id) => ({ id, with: { [name]: OF_KINDS[id] } }));
}

const BEYOND: Readonly<Record<string, string>> = { int32: '2147483648', int64: '9223372036854775808' };

function listKeysOutOfRange({ subject: { roles, resource } }: TableSource): Row[] {
  const { key } = resource;
  const parameter = roles.get?.operation.parameters.find(({ in: at, name }) => at === 'path' && name === key.parameter);
  const beyond = BEYOND[String(parameter?.schema['format'])];
  return beyond === undefined ? [] : [{ id: beyond, key: beyond }];
}

/** A record that an operation with both 400 and 422 refuses. */
function listTwiceRefused(source: TableSource): Row[] {
  const { create, replace } = source.subject.roles;
  const isOpen = (each: typeof create): boolean => each !== undefined && statesBothRejections(each.operation);
  const rows = isOpen(create) ? listInvalid(source) : isOpen(replace) ? listInvalidChanges('replace', source) : [];
  const role = isOpen(create) ? 'create' : 'replace';
  return rows.slice(0, 1).map(({ id, words, record }) => ({ id, role, words, record }));
}

/** A field that may be null and that the shortest record lacks. */
function listUnsetFields({ subject, made, contract }: TableSource): Row[] {
  const unsent = listUnsent(subject.roles.create, subject.resource, contract.document);
  const lacking = unsent.filter(({ name }) => !Object.hasOwn(made.minimal, name));
  return lacking.slice(0, 1).map(({ name }) => ({ id: name, names: [name], isNull: { [name]: { type: 'null' } } }));
}

// Bounds of ranges, beside, at and beyond the value of a record that the run has created.

/** The records that scenarios create, whose fields nothing changes. */
const RECORDS = [
  { made: 'plain', key: '$records.create-full.key' },
  { made: 'other', key: '$records.created-alone.key' },
] as const;

/** Of the first parameter that is such a bound: one shows what the service does. */
function listRangeBounds(relation: 'from' | 'to', source: TableSource): Row[] {
  const filters = source.subject.roles.list?.list?.filters ?? [];
  const filter = filters.find((each) => each.relation === relation);
  const opposite = filters.find(
    ({ relation: other, property }) =>
      other === (relation === 'from' ? 'to' : 'from') && property.join('.') === filter?.property.join('.'),
  );
  const field = source.subject.fields.find(({ name, isShown }) => isShown && name === filter?.property[0]);
  if (filter === undefined || field === undefined || filter.property.length > 1) return [];
  const { plain, other } = source.made;
  // Fewer records share the values of the other one, and a page of many may not have it.
  const records = plain[field.name] === other[field.name] ? RECORDS : RECORDS.toReversed();
  return records
    .flatMap(({ made, key }) => {
      const value = source.made[made][field.name];
      const [below, above] = [-1, 1].map((step) => stepFrom(value, step, field));
      const [inside, outside] = relation === 'from' ? [below, above] : [above, below];
      if (![inside, value, outside].every((each) => isTaken(each, filter, source))) return [];
      const { parameter } = filter;
      // A short list has the record on its first page.
      const narrow = opposite !== undefined && isTaken(above, opposite, source) && isTaken(below, opposite, source);
      const beside = narrow ? { [opposite.parameter]: relation === 'from' ? above : below } : {};
      const ask = (bound: unknown): Row['filter'] => ({ [parameter]: bound, ...beside });
      return [{ id: parameter, key, inside: ask(inside), at: ask(value), outside: ask(outside) }];
    })
    .slice(0, 1);
}

const DAY_MS = 86_400_000;

/** `undefined` of what has no neighbours that every service orders in the same way. */
function stepFrom(value: unknown, step: number, { schema }: Field): unknown {
  if (typeof value === 'number') return addExactly(value, step * Math.max(1, Number(schema['multipleOf'] ?? 1)));
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time) || !String(schema['format']).startsWith('date')) return undefined;
  const text = new Date(time + step * DAY_MS).toISOString();
  return schema['format'] === 'date' ? text.slice(0, 'yyyy-mm-dd'.length) : text;
}

function isTaken(value: unknown, filter: Filter, { subject, contract }: TableSource): boolean {
  if (typeof value !== 'number' && typeof value !== 'string') return false;
  const parameter = findParameter(filter, subject);
  if (parameter?.schemaPointer === undefined) return true;
  return contract.validate.value(parameter.schemaPointer, readText(String(value), parameter)).length === 0;
}
