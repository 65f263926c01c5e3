// Values that break one rule of a field each.
import { createContractPattern } from '../../../contract/schemas/pattern.js';
import { readContractPattern } from '../../../contract/schemas/read-contract-pattern.js';
import { isJsonNumber, addExactly, timesStep } from '../../../contract/numbers/decimal.js';
import { readCases } from '../tables/data.js';
import { swapCase } from '../../wire/request/present-key.js';
import type { Field } from '../subject.js';
import type { SchemaObject } from '../../../contract/model.js';

export interface BadValue {
  /** After the field's name: `that-is-null`, `with-a-fraction`. */
  id: string;
  value: unknown;
  /** Others that break the same rule: a value that breaks two at once proves neither. */
  others?: readonly unknown[];
}

/** The id in words, to follow what has the value: `is null`, `has a fraction`. */
export function describeBadValue(id: string): string {
  const words = id.replace(/^that-/, '').replace(/^(?=with-|below-|above-|past-|in-|without-)/, 'is ');
  const plain = words.replaceAll('-', ' ').replace('is with a', 'has a');
  return IN_PLAIN_WORDS[plain] ?? plain.replace(/^is no /, 'is not a valid ');
}

/** Where an id, which stays, is not how one would say it. */
const IN_PLAIN_WORDS: Readonly<Record<string, string>> = {
  'is not in its list': 'is not in its enum',
  'is a text': 'is a string',
  'is in a text': 'is in quotation marks',
  'is no multiple': 'is not a multiple of its `multipleOf`',
  'is a day no month has': 'is a day that no month has',
  'is past its format': 'is outside the range of its format',
  'has a line behind it': 'is followed by another line',
  'has a field that there is not': 'has a field that the contract does not allow',
};

/** `own` is a value that the contract allows; `items` is the schema of the items of a list. */
export function listBadValues({ type, schema, isNullable }: Field, own: unknown, items: SchemaObject = {}): BadValue[] {
  return [
    ...(isNullable ? [] : [{ id: 'that-is-null', value: null }]),
    ...listStated(type),
    ...(Array.isArray(schema['enum']) ? [{ id: 'that-is-not-in-its-list', value: 'no-such-value' }] : []),
    ...listBeyondBounds(schema, type),
    ...listBeyondLengths(schema, type, own),
    ...(type === 'string' && schema['format'] !== undefined ? listStated(type, schema['format']) : []),
    ...listBeyondCounts(schema, own, items),
    ...listNearMisses(schema, type, own),
  ];
}

/** Those of the table for a type, and those for a format of it. */
function listStated(type: string | undefined, format?: unknown): BadValue[] {
  return readCases('bad-values').filter((row) => row.type === type && row.format === format);
}

function listBeyondBounds(schema: Field['schema'], type: string | undefined): BadValue[] {
  if (type !== 'integer' && type !== 'number') return [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  // In OpenAPI 3.0, `true` says that the bound itself is none of the values.
  const below = typeof minimum === 'number' ? minimum - (exclusiveMinimum === true ? 0 : 1) : exclusiveMinimum;
  const above = typeof maximum === 'number' ? maximum + (exclusiveMaximum === true ? 0 : 1) : exclusiveMaximum;
  const least = typeof minimum === 'number' ? minimum : 0;
  const apart = type === 'number' && Number(multipleOf) <= 1 ? Number(multipleOf) / 2 : 1;
  return [
    ...(typeof below === 'number' ? [{ id: 'below-its-minimum', value: below }] : []),
    ...(typeof above === 'number' ? [{ id: 'above-its-maximum', value: above }] : []),
    ...(typeof multipleOf === 'number' && multipleOf > 0 && apart < multipleOf
      ? [{ id: 'that-is-no-multiple', value: addExactly(timesStep(Math.ceil(least / multipleOf), multipleOf), apart) }]
      : []),
  ];
}

/** Longer ones would test how much a server accepts, not the rule. */
const LONGEST = 5000;

function listBeyondLengths(schema: Field['schema'], type: string | undefined, own: unknown): BadValue[] {
  if (type !== 'string') return [];
  const { minLength, maxLength, pattern } = schema;
  const isShort = typeof minLength === 'number' && minLength > 0;
  const isLong = typeof maxLength === 'number' && maxLength <= LONGEST;
  return [
    ...(isShort ? [{ id: 'that-is-too-short', ...fill(minLength - 1, own) }] : []),
    ...(isLong ? [{ id: 'that-is-too-long', ...fill(maxLength + 1, own) }] : []),
    ...(typeof pattern === 'string' ? [{ id: 'that-does-not-fit-its-pattern', value: missPattern(schema, own) }] : []),
  ];
}

/** A text of a length, of letters that many a pattern or format takes. */
function fill(length: number, own: unknown): Pick<BadValue, 'value' | 'others'> {
  const text = typeof own === 'string' && own !== '' ? own : 'x';
  const repeated = ['X', '0', text].map((each) => each.repeat(Math.ceil(length / each.length)).slice(0, length));
  const formed = [
    `x@${nameHost(length - 2)}`,
    nameHost(length),
    `https://example.com/${'x'.repeat(Math.max(0, length - 20))}`,
  ];
  return { value: 'x'.repeat(length), others: [...repeated, ...formed].filter((each) => each.length === length) };
}

/** The name of a host, whose labels have at most 63 letters (RFC 1123 section 2.1). */
function nameHost(length: number): string {
  const letters = Array.from({ length: Math.max(1, length - '.com'.length) }, (_, index) =>
    index % 60 === 59 ? '.' : 'x',
  );
  return `${letters.join('').replace(/\.$/, 'x')}.com`;
}

/** A valid text with one letter too many shows whether all of a text is looked at. */
function missPattern({ pattern, maxLength }: Field['schema'], own: unknown): string {
  const longer = `${String(own)}~`;
  const fits = (text: string): boolean => createContractPattern(String(pattern), 'u').test(text);
  const isNear = typeof own === 'string' && longer.length <= Number(maxLength ?? LONGEST);
  return isNear && readContractPattern(String(pattern)) !== undefined && fits(own) && !fits(longer)
    ? longer
    : '~ no fit ~';
}

function listBeyondCounts(
  { minItems, maxItems, uniqueItems }: Field['schema'],
  own: unknown,
  items: SchemaObject,
): BadValue[] {
  if (!Array.isArray(own)) return [];
  const [first] = own as unknown[];
  const isFew = typeof minItems === 'number' && minItems > 0;
  const isMany = typeof maxItems === 'number' && maxItems <= LONGEST && first !== undefined;
  return [
    ...(isFew ? [{ id: 'that-has-too-few-items', value: own.slice(0, minItems - 1) }] : []),
    ...(isMany ? [{ id: 'that-has-too-many-items', ...listMany(first, maxItems + 1, items) }] : []),
    ...(uniqueItems === true && first !== undefined ? [{ id: 'that-has-an-item-twice', value: [first, first] }] : []),
  ];
}

/** Different items where the contract allows some: those of its list, any texts, any numbers. */
function listMany(first: unknown, count: number, { enum: listed }: SchemaObject): Pick<BadValue, 'value' | 'others'> {
  const make = (item: (index: number) => unknown): unknown[] =>
    Array.from({ length: count }, (_, index) => item(index));
  const texts = make((index) => (typeof first === 'string' && index > 0 ? `${first} ${index}` : first));
  const choices = Array.isArray(listed) ? [make((index) => listed[index % listed.length] as unknown)] : [];
  const numbers = typeof first === 'number' ? [make((index) => first + index), make((index) => first - index)] : [];
  return { value: texts, others: [...choices, ...numbers, make(() => first)] };
}

/** What is all but valid: what a reader of dates, numbers or letters that means well lets pass. */
function listNearMisses({ format, pattern }: SchemaObject, type: string | undefined, own: unknown): BadValue[] {
  if (type === 'boolean') return inText(own);
  if (type === 'integer' || type === 'number')
    return [...(format === undefined ? [] : listStated('number', format)), ...inText(own)];
  if (type !== 'string') return [];
  const near = listNearTimes(format, own);
  if (typeof pattern !== 'string' || typeof own !== 'string') return near;
  return [
    ...near,
    { id: 'in-another-case', value: swapCase(own) },
    { id: 'with-a-letter-before-it', value: `~${own}` },
    { id: 'with-a-line-behind-it', value: `${own}\nx` },
  ];
}

/** As forms and spreadsheets send it. */
function inText(own: unknown): BadValue[] {
  const isPlain = typeof own === 'boolean' || isJsonNumber(own);
  return isPlain ? [{ id: 'that-is-in-a-text', value: String(own) }] : [];
}

/** RFC 3339: a day of the calendar, a time with its zone; in the year of a value that is taken, so that nothing else is wrong. */
function listNearTimes(format: unknown, own: unknown): BadValue[] {
  const [, year = '2027', time = 'T10:00:00Z'] = /^(\d{4})-\d\d-\d\d(T\S+)?$/.exec(String(own)) ?? [];
  const noDay = { id: 'that-is-a-day-no-month-has', value: `${year}-02-30` };
  if (format === 'date') return [noDay, { id: 'with-a-time', value: `${year}-02-03T00:00:00Z` }];
  if (format !== 'date-time') return [];
  return [
    { id: 'without-a-zone', value: `${year}-02-03T10:00:00` },
    { ...noDay, value: `${year}-02-30${time}` },
    { id: 'without-a-time', value: `${year}-02-03` },
  ];
}
