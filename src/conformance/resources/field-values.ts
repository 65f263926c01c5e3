// Values of a field: those that break one rule each, those at the ends of what the contract allows, and the rows of tables that are data.
import type { Contract } from '../../contract/contract.js';
import { readDocument } from '../../contract/document/document.js';
import { asObject, isObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import type { SchemaObject, SecurityScheme } from '../../contract/model.js';
import { addExactly, timesStep, isJsonNumber } from '../../contract/document/json.js';
import { readProperties } from '../../contract/operations/properties.js';
import { createContractPattern, readContractPattern } from '../../contract/schemas/pattern.js';
import { packageFile } from '../../package-files.js';
import type { Row, AuthForm } from '../model/scenario.js';
import type { JsonForm, MessageForm } from '../model/exchange.js';
import { swapCase } from '../http/request-credentials.js';
import { comesFromAnswer } from '../http/template.js';
import { isFreeText } from './contract-texts.js';
import type { Field } from './resource-under-test.js';
import { isOwnText, UNIQUE_LENGTH } from './fit-record.js';

export interface BadValue {
  id: string; // After the field's name: `that-is-null`, `with-a-fraction`.
  value: unknown;
  others?: readonly unknown[]; // Others that break the same rule: a value that breaks two at once proves neither.
}

/** The id in words, to follow what has the value: `is null`, `has a fraction`. */
export function describeBadValue(id: string): string {
  const words = id.replace(/^that-/, '').replace(/^(?=with-|below-|above-|past-|in-|without-)/, 'is ');
  const plain = words.replaceAll('-', ' ').replace('is with a', 'has a');
  return IN_PLAIN_WORDS[plain] ?? plain.replace(/^is no /, 'is not a valid ');
}

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

function listStated(type: string | undefined, format?: unknown): BadValue[] {
  return readCases('bad-values').filter((row) => row.type === type && row.format === format);
}

function listBeyondBounds(schema: SchemaObject, type: string | undefined): BadValue[] {
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

const LONGEST = 5000;

function listBeyondLengths(schema: SchemaObject, type: string | undefined, own: unknown): BadValue[] {
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

function fill(length: number, own: unknown): Pick<BadValue, 'value' | 'others'> {
  const text = typeof own === 'string' && own !== '' ? own : 'x';
  const repeated = ['X', '0', text].map((each) => each.repeat(Math.ceil(length / each.length)).slice(0, length));
  const url = `https://example.com/${'x'.repeat(Math.max(0, length - 20))}`;
  const others = [...repeated, `x@${nameHost(length - 2)}`, nameHost(length), url];
  return { value: 'x'.repeat(length), others: others.filter((each) => each.length === length) };
}

/** The name of a host, whose labels have at most 63 letters (RFC 1123 section 2.1). */
function nameHost(length: number): string {
  const letters = Array.from({ length: Math.max(1, length - '.com'.length) }, (_, at) => (at % 60 === 59 ? '.' : 'x'));
  return `${letters.join('').replace(/\.$/, 'x')}.com`;
}

function missPattern({ pattern, maxLength }: SchemaObject, own: unknown): string {
  const longer = `${String(own)}~`;
  const fits = (text: string): boolean => createContractPattern(String(pattern), 'u').test(text);
  const isNear = typeof own === 'string' && longer.length <= Number(maxLength ?? LONGEST);
  const isRead = isNear && readContractPattern(String(pattern)) !== undefined;
  return isRead && fits(own) && !fits(longer) ? longer : '~ no fit ~';
}

function listBeyondCounts(schema: SchemaObject, own: unknown, items: SchemaObject): BadValue[] {
  if (!Array.isArray(own)) return [];
  const { minItems, maxItems, uniqueItems } = schema;
  const [first] = own as unknown[];
  const isFew = typeof minItems === 'number' && minItems > 0;
  const isMany = typeof maxItems === 'number' && maxItems <= LONGEST && first !== undefined;
  return [
    ...(isFew ? [{ id: 'that-has-too-few-items', value: own.slice(0, minItems - 1) }] : []),
    ...(isMany ? [{ id: 'that-has-too-many-items', ...listMany(first, maxItems + 1, items) }] : []),
    ...(uniqueItems === true && first !== undefined ? [{ id: 'that-has-an-item-twice', value: [first, first] }] : []),
  ];
}

function listMany(first: unknown, count: number, { enum: listed }: SchemaObject): Pick<BadValue, 'value' | 'others'> {
  const make = (item: (index: number) => unknown) => Array.from({ length: count }, (_, index) => item(index));
  const texts = make((index) => (typeof first === 'string' && index > 0 ? `${first} ${index}` : first));
  const choices = Array.isArray(listed) ? [make((index) => listed[index % listed.length] as unknown)] : [];
  const numbers = typeof first === 'number' ? [make((index) => first + index), make((index) => first - index)] : [];
  return { value: texts, others: [...choices, ...numbers, make(() => first)] };
}

function listNearMisses({ format, pattern }: SchemaObject, type: string | undefined, own: unknown): BadValue[] {
  const inText = typeof own === 'boolean' || isJsonNumber(own) ? [{ id: 'that-is-in-a-text', value: String(own) }] : [];
  if (type === 'boolean') return inText;
  if (type === 'integer' || type === 'number')
    return [...(format === undefined ? [] : listStated('number', format)), ...inText];
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

export function findLeast(field: Field, own: unknown): unknown {
  return findEdge(field, 'lowest', own) ?? findNull(field, own);
}

type Typed = Pick<Field, 'type' | 'schema' | 'schemaPointer'>;

export function findZero({ type, schema, schemaPointer }: Typed, own: unknown, contract: Contract): unknown {
  if (type === 'object') {
    const inside = isObject(own) ? own : {};
    const members = readProperties(contract.document, schemaPointer).filter(({ name }) => Object.hasOwn(inside, name));
    const zeros = members.flatMap(({ name, schemaPointer: at }) => {
      const of = asObject(resolveAt(contract.document, at).value);
      const inType = [of['type']].flat().find((each) => each !== 'null');
      const member = { type: String(inType), schema: of, schemaPointer: at };
      const value = inType === 'object' ? undefined : findZero(member, inside[name], contract);
      return value === undefined ? [] : [[name, value] as const];
    });
    return zeros.length === 0 ? undefined : { ...inside, ...Object.fromEntries(zeros) };
  }
  if (schema['default'] !== undefined || comesFromAnswer(own)) return undefined;
  if (type === 'integer' || type === 'number') return Number(schema['minimum']) < 0 ? 0 : undefined;
  return type === 'array' && schema['minItems'] === 0 ? [] : undefined;
}

export function findNull({ type, isNullable, schema }: Field, own: unknown): unknown {
  const isReference = typeof own === 'string' && own.startsWith('$scenarios.');
  // Beside a list without null, `nullable` may mean nothing to a service.
  const isListed = !Array.isArray(schema['enum']) || schema['enum'].includes(null);
  const isOpen = type !== undefined && isNullable && isListed && schema['default'] === undefined;
  return isOpen && !isReference ? null : undefined;
}

/** A great value with as many digits as the contract states (`multipleOf`), which a reader of 32 bits rounds. */
export function findDigits({ type, schemaPointer, schema }: Field, _own: unknown, { validate }: Contract): unknown {
  const { maximum, multipleOf } = schema;
  if (type !== 'number' || typeof maximum !== 'number' || typeof multipleOf !== 'number') return undefined;
  const value = addExactly(maximum, -multipleOf);
  return !Number.isInteger(value) && validate.value(schemaPointer, value).length === 0 ? value : undefined;
}

export function findFraction({ type, schemaPointer, schema }: Field, own: unknown, { validate }: Contract): unknown {
  const { minimum, multipleOf } = schema;
  if (type !== 'number' || (typeof own === 'number' && !Number.isInteger(own))) return undefined;
  const least = typeof minimum === 'number' ? Math.ceil(minimum) : 1;
  // Where the contract says how many digits there are, all of them.
  const exact = typeof multipleOf === 'number' ? [least + multipleOf, multipleOf] : [];
  const all = [...exact, least + 0.5, least + 0.25];
  return all.find((each) => !Number.isInteger(each) && validate.value(schemaPointer, each).length === 0);
}

export function findEdge({ name, type, schema }: Field, end: 'lowest' | 'highest', own: unknown): unknown {
  const isLow = end === 'lowest';
  if (type === 'integer' || type === 'number') {
    const bound = isLow ? schema['minimum'] : schema['maximum'];
    const beyond = isLow ? schema['exclusiveMinimum'] : schema['exclusiveMaximum'];
    if (typeof bound === 'number') return bound;
    return type === 'integer' && typeof beyond === 'number' ? beyond + (isLow ? 1 : -1) : undefined;
  }
  if (type === 'object') {
    const { properties, additionalProperties } = schema;
    // What an object without a member becomes where the contract describes its members, it does not say.
    const rules = ['properties', 'allOf', 'oneOf', 'anyOf'];
    if (isLow) return rules.every((rule) => schema[rule] === undefined) ? {} : undefined;
    const [value] = Object.values(asObject(own));
    const isMap = properties === undefined && typeof additionalProperties === 'object';
    return isMap && value !== undefined ? { ...asObject(own), anotherKey: value } : undefined;
  }
  if (type === 'array' && !isLow && Array.isArray(own) && typeof own[0] === 'string') return [own[0], `${own[0]} 2`];
  const { minLength = 0, maxLength, format, pattern } = schema;
  if (type !== 'string' || format !== undefined || pattern !== undefined) return undefined;
  if (!isLow && typeof maxLength !== 'number') return undefined;
  const length = Math.min(LONGEST, isLow ? Math.max(1, Number(minLength)) : Number(maxLength));
  if (isOwnText(own)) return length < UNIQUE_LENGTH ? undefined : `{$unique}${'x'.repeat(length - UNIQUE_LENGTH)}`;
  return isFreeText(name) ? 'x'.repeat(length) : undefined;
}

// Tables that are data: `scenarios/cases/<name>.yaml`. Each row has the rule that it rests on as well, for its readers.

interface CaseColumns {
  'bad-values': { type: string; format?: string; value: unknown };
  clients: {
    words: string;
    headers: Readonly<Record<string, string | null>>;
    isNegotiated?: true; // Sent with a key that no record has, too: services write errors elsewhere.
    opens?: true; // Sent without credentials, too: some service takes it for a reason to ask for none.
    mayForbid?: true; // A service may reject it by a policy of its own.
  };
  credentials: {
    auth: AuthForm;
    of?: readonly SecurityScheme['kind'][]; // The kinds of schemes that have the form. Default: all.
    notInAuthorization?: true;
    ofEach?: true; // Each operation may take it. Default: services read credentials in one place.
    isMalformed?: true;
  };
  'equal-texts': { words: string; one: string; other: string };
  // `such` is one of the kind, of what a key may be. Default: the contract must allow digits alone.
  keys: { key?: number | bigint; words?: string; such?: number };
  'json-forms': { id: JsonForm; of: readonly ('create' | 'riding')[]; words: string };
  'lenient-json': { words: string; pattern: string; as: string };
  messages: { of: 'reading' | 'creating'; words: string; form?: MessageForm; query?: string; status?: string };
  numbers: {
    of: 'wide' | 'costly' | 'forms';
    value?: number | bigint;
    words?: string;
    text?: string;
    digit?: string; // So many `times`, in place of a text.
    times?: number;
  };
  'odd-values': {
    of: 'text' | 'number' | 'choice';
    words: string;
    value?: unknown;
    write?: string;
    as?: 'list' | 'capitals' | 'capital' | 'wide';
  };
  'own-keys': { of: 'written' | 'reserved' | 'folded'; words?: string; text: string; other?: string };
  'real-clients': {
    headers: Readonly<Record<string, string | null>>;
    opens?: true;
    ignored?: 'Origin' | 'X-Forwarded';
    ofRejected?: true;
  };
  texts: {
    of: 'texts' | 'rareTexts' | 'longest' | 'tidied' | 'words' | 'kinds';
    words: string;
    text: string;
    repeat?: string; // Behind the text, so many `times`, and then the `end`.
    times?: number;
    end?: string;
    fill?: string; // Up to a usual length, where the contract has none.
    isWhole?: true; // A service may trim it, but shows the whole.
  };
}

type Table = keyof CaseColumns;
export type CaseRow<Name extends Table> = Row & CaseColumns[Name];

const tables = new Map<Table, readonly Row[]>();

type Of<Name extends Table> = CaseColumns[Name] extends { of: infer Kind extends string } ? Kind : never;

export function readCases<Name extends Table>(name: Name, of?: Of<Name>): readonly CaseRow<Name>[] {
  let rows = tables.get(name);
  if (rows === undefined) {
    const shownAs = `scenarios/cases/${name}.yaml`;
    const { root } = readDocument(packageFile(shownAs), { code: 'unusable-scenario', shownAs });
    ({ rows } = root as { rows: Row[] });
    tables.set(name, rows);
  }
  return (of === undefined ? rows : rows.filter((row) => row['of'] === of)) as readonly CaseRow<Name>[];
}
