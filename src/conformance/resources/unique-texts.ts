// The texts of a run's own in the records that it makes.
import type { Contract } from '../../contract/contract.js';
import { asObject, asText } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import type { SchemaObject } from '../../contract/model.js';
import { isJsonNumber } from '../../contract/document/json.js';
import { plainName } from '../../contract/resources/words.js';
import { makeLike, isSampledUuid } from '../../contract/samples/sample-scalars.js';
import { Literal } from '../model/exchange.js';
import { escape } from '../http/template.js';
import { recordSchemaOf, type Field, type RecordTemplate } from './resource-under-test.js';

/** How UUIDs begin that a run makes: they have no place for its mark. */
export const OWN_UUID = '00000000-0000-4000-8000-0000';

const OWN = ['cfabcde', 'cfzyxwv', 'cfqqqqq']; // Texts as the run makes them: what takes all of these takes any.
const UNIQUE_NAMES = new Set(
  'name title label username login handle slug sku displayname nickname externalid identifier reference subject email isbn ean gtin upc barcode serial serialnumber vin accountnumber ordernumber invoicenumber'.split(
    ' ',
  ),
);

const WORDY_NAMES = /name$|^(?:comment|description|notes?|remarks?|summary|text|message|content|label|reason|caption)$/;

export const UNIQUE_LENGTH = 7;

/** Texts that sort after all others, so that sorting by them is not mistaken for the order of creation. */
export const BEYOND = 'z';

interface Making {
  fields: readonly Field[];
  key: string;
  prefix: string;
  isGiven: boolean;
  contract: Contract;
  mayDiffer: (name: string) => boolean;
}

/** The record with texts in it that no other has, in the fields that most likely have to be unique, or else in those that say anything. */
export function makeUnique(record: RecordTemplate, making: Making): RecordTemplate {
  const { fields, key, prefix, contract, isGiven, mayDiffer } = making;
  if (isGiven) return escape(record, isUnique);
  const makeOf = (isMarked: (name: string, isPlain: boolean) => boolean): RecordTemplate =>
    Object.fromEntries(
      Object.entries(escape(record)).map(([name, value]) => {
        const field = fields.find((each) => each.name === name);
        if (field === undefined) return [name, value];
        if (name === key) return [name, uniqueKey(value, field, contract) ?? value];
        const schema = narrow(field, contract);
        const isPlain = field.type === 'string' && SAYS.every((rule) => schema[rule] === undefined) && mayDiffer(name);
        const own = uniqueText(name, value, schema, prefix);
        const isHere = isMarked(plainName(name), isPlain);
        const marked = isHere ? (own ?? uniqueOfPattern(value, field, contract)) : undefined;
        const word = isPlain ? own?.replace('$unique', '$uniqueWord') : undefined;
        return [name, uniqueForm(value, field, contract) ?? marked ?? word ?? value];
      }),
    );
  const byName = makeOf((name) => UNIQUE_NAMES.has(name));
  const byWord = makeOf((name) => WORDY_NAMES.test(name));
  const all = [byName, byWord, makeOf((_, isPlain) => isPlain)];
  return all.find((made) => Object.values(made).some(isOwnText)) ?? byWord;
}

const SAYS = ['enum', 'const', 'pattern', 'format', 'example', 'examples', 'default'];

function narrow(field: Field, contract: Contract): SchemaObject {
  return { ...recordSchemaOf(field, contract), ...field.schema };
}

const KEYS: readonly (readonly [template: string, example: string | number])[] = [
  ['$unique', 'cfabcde'],
  ['$uniqueInteger', 12_345_678],
  ['{$uniqueInteger}', '12345678'],
  ['cf{$uniqueInteger}', 'cf12345678'],
  [`${OWN_UUID}{$uniqueInteger}`, `${OWN_UUID}12345678`],
  ['{$unique}@example.com', 'cfabcde@example.com'],
];

export function findUniqueKey(kind: 'string' | 'number', places: readonly string[], contract: Contract) {
  const allows = (example: unknown): boolean => places.every((at) => contract.validate.value(at, example).length === 0);
  const found = KEYS.find(([, example]) => typeof example === kind && allows(example))?.[0];
  return found ?? (kind === 'string' ? uniqueLike(places, contract) : undefined);
}

const FORMS: Readonly<Record<string, readonly [template: string, example: string]>> = {
  uuid: [`${OWN_UUID}{$uniqueInteger}`, `${OWN_UUID}12345678`],
  email: ['{$unique}@example.com', 'cfabcde@example.com'],
  hostname: ['{$unique}.example.com', 'cfabcde.example.com'],
  uri: ['https://example.com/{$unique}', 'https://example.com/cfabcde'],
  url: ['https://example.com/{$unique}', 'https://example.com/cfabcde'],
};

function uniqueForm(value: unknown, field: Field, contract: Contract): string | undefined {
  const schema = narrow(field, contract);
  // Two records with one UUID are one record to a service (RFC 9562 section 1).
  const [template, example] = FORMS[isSampledUuid(value) ? 'uuid' : String(schema['format'])] ?? [];
  const isExample = ['example', 'examples', 'default'].some((rule) => schema[rule] !== undefined);
  if (typeof value !== 'string' || (isExample && /id$/i.test(field.name))) return undefined;
  return listPlaces(field).every((at) => contract.validate.value(at, example).length === 0) ? template : undefined;
}

export function uniqueOfPattern(value: unknown, field: Field, contract: Contract): string | undefined {
  const { pattern, format } = narrow(field, contract);
  if (typeof value !== 'string' || pattern === undefined || format !== undefined) return undefined;
  return uniqueLike(listPlaces(field), contract);
}

function listPlaces({ schemaPointer, recordPointer }: Field): string[] {
  return [schemaPointer, recordPointer].filter((at) => at !== undefined);
}

function uniqueKey(value: unknown, field: Field, contract: Contract): string | undefined {
  if (isJsonNumber(value)) return '$uniqueInteger';
  return typeof value === 'string' ? findUniqueKey('string', listPlaces(field), contract) : undefined;
}

function uniqueText(name: string, value: unknown, schema: SchemaObject, prefix: string): string | undefined {
  const isFixed = ['enum', 'const', 'pattern'].some((rule) => schema[rule] !== undefined);
  if (typeof value !== 'string' || isFixed) return undefined;
  const [least, most] = [Number(schema['minLength'] ?? 0), Number(schema['maxLength'] ?? 1000)];
  if (schema['format'] === 'email' || plainName(name) === 'email')
    return most < 30 ? undefined : '{$unique}@example.com';
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

export function isUniqueForCertain(value: unknown): boolean {
  return typeof value === 'string' && /\$unique(?!Word)/.test(value);
}

export const isUnique = (value: unknown): boolean => typeof value === 'string' && value.includes('$unique');

// Texts of a pattern that differ in each record: a key of the client's own must, and so must what a service keeps once.

export function uniqueLike(places: readonly string[], { document, validate }: Pick<Contract, 'document' | 'validate'>) {
  const allows = (text: unknown): boolean => places.every((at) => validate.value(at, text).length === 0);
  const found = places
    .map((at) => resolveAt(document, at))
    .find(({ value }) => asText(asObject(value)['pattern']) !== undefined);
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
