// What a request takes and a response shows of a record, and values that both may have.
import { formOf, recordTypeOf, MERGE_PATCH } from '../../contract/media-types.js';
import type { Contract } from '../../contract/contract.js';
import type { SourceDocument } from '../../contract/document/document.js';
import { printJson, sameJson, addExactly, isJsonNumber } from '../../contract/document/json.js';
import { asObject, asText } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { findUnwritable, writeForm } from '../../contract/forms.js';
import { hasMark, readProperties, readValueShape } from '../../contract/operations/properties.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import { plainName } from '../../contract/resources/words.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { comesFromAnswer, escape } from '../http/template.js';
import { recordSchemaOf, type Field, type RecordTemplate } from './resource-under-test.js';
import type { SchemaObject } from '../../contract/model.js';
import { makeLike, isSampledUuid } from '../../contract/samples/sample-scalars.js';
import { Literal } from '../model/exchange.js';

/** Whether a null in an update removes a field (RFC 7396). */
export const isMergePatch = ({ operation }: RoleOperation): boolean => recordTypeOf(operation) === MERGE_PATCH;

type Taking = Pick<RoleOperation, 'operation' | 'requestMember'>;

/** Why the contract does not allow a record in a request, or its form cannot have it; `undefined` where it does. */
export function findViolation(record: unknown, taking: Taking, { validate }: Contract): string | undefined {
  const { mediaType, body, form } = readTaking(record, taking);
  const unwritable = form === undefined ? undefined : findUnwritable(asObject(body), form);
  if (unwritable !== undefined) return `nothing says how a form has \`${unwritable}\``;
  return validate.requestBody(taking.operation, mediaType, body)[0]?.message;
}

export function isAllowed(record: unknown, taking: Taking, contract: Contract): boolean {
  return findViolation(record, taking, contract) === undefined;
}

/** Whether what a server reads of a record breaks the contract: in a form, each value is a text. */
export function isInvalid(record: unknown, taking: Taking, { validate }: Contract): boolean {
  const { mediaType, body, form } = readTaking(record, taking);
  const written = form === undefined ? undefined : writeForm(asObject(body), form);
  if (written?.unclear !== undefined) return false;
  return validate.requestBody(taking.operation, mediaType, written?.read ?? body).length > 0;
}

function readTaking(record: unknown, { operation, requestMember }: Taking) {
  const mediaType = recordTypeOf(operation) ?? 'application/json';
  return { mediaType, body: wrap(record, requestMember), form: formOf(operation, mediaType) };
}

export function wrap(record: unknown, member: readonly string[] | undefined): unknown {
  return (member ?? []).reduceRight<unknown>((inside, name) => ({ [name]: inside }), record);
}

export function unwrap(body: unknown, member: readonly string[] | undefined): unknown {
  return (member ?? []).reduce<unknown>((value, name) => asObject(value)[name], body);
}

export function listGiven({ requestPointer = '' }: RoleOperation, { document }: Contract): Set<string> {
  const properties = readProperties(document, requestPointer);
  const given = properties.filter(({ schemaPointer }) => !hasMark(document, schemaPointer, 'readOnly'));
  return new Set(given.map(({ name }) => name));
}

export function isShowable(value: unknown, { schema }: Field, shown: string, { document, validate }: Contract) {
  if (comesFromAnswer(value) || sameJson(schema, resolveAt(document, shown).value)) return true;
  if (typeof value === 'object' && value !== null && printJson(value).includes('$scenarios.')) return true;
  const made = typeof value === 'string' ? fillUnique(value) : value;
  return made === undefined || (isMeant(made, shown, document) && validate.value(shown, made).length === 0);
}

/** One with `properties` and no `type` allows texts as well (JSON Schema Core 2020-12 section 10.3.2.1), but describes an object. */
function isMeant(value: unknown, schemaPointer: string, document: SourceDocument): boolean {
  const { types } = readValueShape(document, schemaPointer, 0);
  const plain = Array.isArray(value) ? ['array'] : isJsonNumber(value) ? ['integer', 'number'] : [typeof value];
  return value === null || types.length === 0 || plain.some((type) => types.includes(type));
}

export function fitRecord(value: unknown, field: Field, contract: Contract): unknown {
  const { recordPointer, schemaPointer } = field;
  if (recordPointer === undefined || isShowable(value, field, recordPointer, contract)) return value;
  const accepts = (at: string, each: unknown): boolean =>
    isMeant(each, at, contract.document) && contract.validate.value(at, each).length === 0;
  const found = sampleValue(contract.document, recordPointer, { accepts });
  return found !== undefined && accepts(recordPointer, found) && accepts(schemaPointer, found) ? found : value;
}

export function listOthers(value: unknown, schema: Readonly<Record<string, unknown>>): unknown[] {
  const { enum: listed, format } = schema;
  if (Array.isArray(listed)) return [...(listed as unknown[])].reverse();
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number')
    return [...[1, -1, Number(schema['multipleOf'] ?? 2)].map((each) => addExactly(value, each)), value / 2];
  if (typeof value === 'bigint') return [value + 1n, value - 1n];
  const listApart = (inside: unknown, of: unknown): unknown[] => listOthers(inside, asObject(of)).toReversed();
  if (Array.isArray(value)) {
    const [first, ...rest] = value as unknown[];
    if (first === undefined) return [];
    return rest.length > 0 ? [rest] : listApart(first, schema['items']).map((each) => [each]);
  }
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    const listWith = ([name, member]: [string, unknown]): unknown[] =>
      listApart(member, asObject(schema['properties'])[name]).map((each) => Object.assign({}, value, { [name]: each }));
    return Object.entries(value).toReversed().flatMap(listWith);
  }
  if (typeof value !== 'string') return [];
  if (format === 'date' || format === 'date-time') return [nextDay(value, format)];
  return format === undefined && schema['pattern'] === undefined ? [`${value} two`, 'two', 'tw'] : [];
}

const DAY_MS = 86_400_000;

const OFFSETS: readonly (readonly [RegExp, days: number])[] = [
  [/birth|born|dob$/, -30 * 365],
  [/created|updated|modified|since|founded|hired|issued|purchased|ordered|paid|last|previous|joined|registered/, -30],
  [/end|until|expir|due|deadline|finish|clos|complet|return|arriv|checkout|(?:^|valid|date|time)to/, 14],
];
const PLANNED_DAYS = 7;

/** A record whose times a service is likely to accept: what is planned lies ahead, and ends after it begins. Examples ahead stay. */
export function placeInTime(
  { made, shown = {} }: { made: RecordTemplate; shown?: RecordTemplate },
  fields: readonly Field[],
  now: number = Date.now(),
): RecordTemplate {
  const record = { ...made, ...shown };
  const times = fields.filter((field) => Object.hasOwn(record, field.name) && isOpenTime(field));
  if (times.every(({ name }) => Date.parse(String(shown[name])) > now)) return record;
  const today = now - (now % DAY_MS); // A run asks for the same all day.
  const [firstMove, ...otherMoves] = times.filter(({ name }) => /arriv|depart|leav/.test(plainName(name)));
  const placed = times.map((field) => {
    const usual = OFFSETS.find(([names]) => names.test(plainName(field.name)))?.[1] ?? PLANNED_DAYS;
    const isFirst = field === firstMove && otherMoves.length > 0;
    const days = isFirst ? PLANNED_DAYS : otherMoves.includes(field) ? 2 * PLANNED_DAYS : usual;
    return [field.name, printTime(today + days * DAY_MS, field.schema['format'])] as const;
  });
  return { ...record, ...Object.fromEntries(placed) };
}

export function isOpenTime({ schema }: Pick<Field, 'schema'>): boolean {
  const isTime = schema['format'] === 'date' || schema['format'] === 'date-time';
  const says = ['enum', 'const', 'example', 'examples', 'default', 'pattern', 'formatMinimum', 'formatMaximum'];
  return isTime && says.every((rule) => schema[rule] === undefined);
}

function printTime(time: number, format: unknown): string {
  const text = new Date(time).toISOString();
  return format === 'date' ? text.slice(0, 10) : text;
}

const SECONDS_MS = 37_000;

export function nextDay(text: string, format: 'date' | 'date-time'): string | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : printTime(time + DAY_MS + (format === 'date' ? 0 : SECONDS_MS), format);
}

/** How UUIDs begin that a run makes: they have no place for its mark. */
export const OWN_UUID = '00000000-0000-4000-8000-0000';
export const UNIQUE_UUID = `${OWN_UUID}{$uniqueInteger}`;
const UNIQUE_EMAIL = '{$unique}@example.com';

const OWN = ['cfabcde', 'cfzyxwv', 'cfqqqqq']; // Texts as the run makes them: what takes all of these takes any.
const UNIQUE_NAMES =
  /^(?:name|title|label|username|login|handle|slug|sku|displayname|nickname|externalid|identifier|reference|subject|email|isbn|ean|gtin|upc|barcode|serial|serialnumber|vin|accountnumber|ordernumber|invoicenumber)$/;

const WORDY_NAMES = /name$|^(?:comment|description|notes?|remarks?|summary|text|message|content|label|reason|caption)$/;
export const UNIQUE_LENGTH = 7;

/** Texts that sort after all others, so that sorting by them is not mistaken for the order of creation. */
export const BEYOND = 'z';

export type Making = {
  fields: readonly Field[];
  key: string;
  contract: Contract;
  mayDiffer: (name: string) => boolean;
};

/** The record with texts in it that no other has, in the fields that most likely have to be unique, or else in those that say anything. */
export function makeUnique(record: RecordTemplate, making: Making, prefix: string): RecordTemplate {
  const { fields, key, contract, mayDiffer } = making;
  const makeOf = (isMarked: (name: string, isPlain: boolean) => boolean): RecordTemplate =>
    Object.fromEntries(
      Object.entries(escape(record)).map(([name, value]) => {
        const field = fields.find((each) => each.name === name);
        if (field === undefined) return [name, value];
        if (name === key && typeof value === 'string')
          return [name, findUniqueKey('string', listPlaces(field), contract) ?? value];
        if (name === key) return [name, isJsonNumber(value) ? '$uniqueInteger' : value];
        const schema = narrow(field, contract);
        const isPlain = field.type === 'string' && SAYS.every((rule) => schema[rule] === undefined) && mayDiffer(name);
        const own = uniqueText(name, value, schema, prefix);
        const marked = isMarked(plainName(name), isPlain)
          ? (own ?? uniqueOfPattern(value, field, contract))
          : undefined;
        const word = isPlain ? own?.replace('$unique', '$uniqueWord') : undefined;
        return [name, uniqueForm(value, field, contract) ?? marked ?? word ?? value];
      }),
    );
  const byWord = makeOf((name) => WORDY_NAMES.test(name));
  const all = [makeOf((name) => UNIQUE_NAMES.test(name)), byWord, makeOf((_, isPlain) => isPlain)];
  return all.find((made) => Object.values(made).some(isOwnText)) ?? byWord;
}

const SAYS = ['enum', 'const', 'pattern', 'format', 'example', 'examples', 'default'];

function narrow(field: Field, contract: Contract): SchemaObject {
  return { ...recordSchemaOf(field, contract), ...field.schema };
}

const KEYS = ['$unique', '$uniqueInteger', '{$uniqueInteger}', 'cf{$uniqueInteger}', UNIQUE_UUID, UNIQUE_EMAIL];

export function findUniqueKey(kind: 'string' | 'number', places: readonly string[], contract: Contract) {
  const found = KEYS.find((template) => {
    const example = fillDeep(template);
    return typeof example === kind && places.every((at) => contract.validate.value(at, example).length === 0);
  });
  return found ?? (kind === 'string' ? uniqueLike(places, contract) : undefined);
}

const FORMS: Readonly<Record<string, string>> = {
  uuid: UNIQUE_UUID,
  email: UNIQUE_EMAIL,
  hostname: '{$unique}.example.com',
  uri: 'https://example.com/{$unique}',
  url: 'https://example.com/{$unique}',
};

function uniqueForm(value: unknown, field: Field, contract: Contract): string | undefined {
  const schema = narrow(field, contract);
  // Two records with one UUID are one record to a service (RFC 9562 section 1).
  const template = FORMS[isSampledUuid(value) ? 'uuid' : String(schema['format'])];
  const isExample = ['example', 'examples', 'default'].some((rule) => schema[rule] !== undefined);
  if (typeof value !== 'string' || template === undefined || (isExample && /id$/i.test(field.name))) return undefined;
  const isFit = (at: string): boolean => contract.validate.value(at, fillDeep(template)).length === 0;
  return listPlaces(field).every(isFit) ? template : undefined;
}

export function uniqueOfPattern(value: unknown, field: Field, contract: Contract): string | undefined {
  const { pattern, format } = narrow(field, contract);
  if (typeof value !== 'string' || pattern === undefined || format !== undefined) return undefined;
  return uniqueLike(listPlaces(field), contract);
}

function listPlaces({ schemaPointer, recordPointer }: Field): string[] {
  return [schemaPointer, recordPointer].filter((at) => at !== undefined);
}

function uniqueText(name: string, value: unknown, schema: SchemaObject, prefix: string): string | undefined {
  const isFixed = ['enum', 'const', 'pattern'].some((rule) => schema[rule] !== undefined);
  if (typeof value !== 'string' || isFixed) return undefined;
  const [least, most] = [Number(schema['minLength'] ?? 0), Number(schema['maxLength'] ?? 1000)];
  if (schema['format'] === 'email' || plainName(name) === 'email') return most < 30 ? undefined : UNIQUE_EMAIL;
  if (schema['format'] !== undefined || least > 100 || most < UNIQUE_LENGTH) return undefined;
  if (least > UNIQUE_LENGTH) return `${prefix}{$unique}${'x'.repeat(least - UNIQUE_LENGTH - prefix.length)}`;
  return prefix === '' || most < UNIQUE_LENGTH + prefix.length ? '$unique' : `${prefix}{$unique}`;
}

const FILLED: Readonly<Record<string, string>> = { '': 'cfabcde', Integer: '12345678', Word: 'edcbafc' };

export function fillUnique(text: string): string | undefined {
  if (text.startsWith('$uniqueLike')) return undefined;
  return text.replaceAll(/\{?\$unique(Integer|Word)?\}?/g, (_, kind: string | undefined) => FILLED[kind ?? ''] ?? '');
}

export function fillRecord(record: RecordTemplate): RecordTemplate {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, fillDeep(value)]));
}

function fillDeep(value: unknown): unknown {
  if (value === '$uniqueInteger') return Number(FILLED['Integer']);
  if (typeof value === 'string') return fillUnique(value) ?? value;
  if (Array.isArray(value)) return value.map(fillDeep);
  if (typeof value !== 'object' || value === null || value instanceof Literal || isJsonNumber(value)) return value;
  return fillRecord(value as RecordTemplate);
}

export function isOwnText(value: unknown): boolean {
  return typeof value === 'string' && /\$unique(?!Integer|Like|Word)/.test(value);
}

export function isUniqueForSure(value: unknown): boolean {
  return typeof value === 'string' && /\$unique(?!Word)/.test(value);
}

export const isUnique = (value: unknown): boolean => typeof value === 'string' && value.includes('$unique');

// Texts of a pattern that differ in each record: a key of the client's own must, and so must what a service keeps once.

export function uniqueLike(places: readonly string[], { document, validate }: Pick<Contract, 'document' | 'validate'>) {
  const allows = (text: unknown): boolean => places.every((at) => validate.value(at, text).length === 0);
  const resolved = places.map((at) => resolveAt(document, at));
  const found = resolved.find(({ value }) => asText(asObject(value)['pattern']) !== undefined);
  const sample = found === undefined ? undefined : makeLike(found.value, 0);
  if (found === undefined || sample === undefined) return undefined;
  const starts = Array.from({ length: Math.max(0, sample.length - UNIQUE_LENGTH + 1) }, (_, at) => at);
  const around = starts.map((at) => [sample.slice(0, at), sample.slice(at + UNIQUE_LENGTH)] as const);
  for (const [before, after] of [['', ''] as const, ...around]) {
    if (!/[${}]/.test(before + after) && OWN.every((own) => allows(`${before}${own}${after}`)))
      return before + after === '' ? '$unique' : `${before}{$unique}${after}`;
  }
  const drawn = [10_000_000, 13_579_135, 21_881_375].map((number) => makeLike(found.value, number));
  return new Set(drawn).size === drawn.length && drawn.every(allows) ? `$uniqueLike#${found.pointer}` : undefined;
}
