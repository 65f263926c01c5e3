// The texts of a run's own in the records that it makes.
import type { Contract } from '../../../contract/contract.js';
import type { SchemaObject } from '../../../contract/model.js';
import { asObject } from '../../../contract/document/plain.js';
import { resolveAt } from '../../../contract/document/references.js';
import { isSampledUuid } from '../../../contract/samples/sample-text.js';
import { plainName } from '../../../contract/resources/words.js';
import { OWN_UUID } from '../../checks/target-memory.js';
import { escape } from '../../scenarios/template.js';
import type { Field } from '../subject.js';
import { isJsonNumber } from '../../../contract/numbers/decimal.js';

type Template = Readonly<Record<string, unknown>>;

/** Fields that usually must be unique, so that a service may refuse equal ones. */
const UNIQUE_NAMES = new Set(
  'name title label username login handle slug sku displayname nickname externalid reference subject email isbn ean gtin upc barcode serial serialnumber vin accountnumber ordernumber invoicenumber'.split(
    ' ',
  ),
);

/** Fields that say anything, in which a run knows its records again that have none of those. */
const WORDY_NAMES = /name$|^(?:comment|description|notes?|remarks?|summary|text|message|content|label|reason|caption)$/;

/** The length of a text that a run makes. */
export const UNIQUE_LENGTH = 7;

/** Texts that sort after all others, so that sorting by them is not mistaken for the order of creation. */
export const BEYOND = 'z';

interface Making {
  fields: readonly Field[];
  key: string;
  prefix: string;
  /** By the user, who says which texts are unique. */
  isGiven: boolean;
  contract: Contract;
}

export function makeUnique(record: Template, { fields, key, prefix, contract, isGiven: isOwn }: Making): Template {
  if (isOwn) return escape(record, isUnique);
  const makeOf = (isNamed: (name: string) => boolean): Template =>
    Object.fromEntries(
      Object.entries(escape(record)).map(([name, value]) => {
        const field = fields.find((each) => each.name === name);
        if (field === undefined) return [name, value];
        if (name === key) return [name, uniqueKey(value, field, contract) ?? value];
        const named = isNamed(plainName(name))
          ? (uniqueText(name, value, narrow(field, contract), prefix) ?? uniqueOfPattern(value, field, contract))
          : undefined;
        return [name, uniqueForm(value, field, contract) ?? named ?? value];
      }),
    );
  const made = makeOf((name) => UNIQUE_NAMES.has(name));
  return Object.values(made).some(isOwnText) ? made : makeOf((name) => WORDY_NAMES.test(name));
}

/** What both request and record allow of a text: one may have a format where the other has none. */
function narrow({ schema, recordPointer }: Field, { document }: Contract): Readonly<Record<string, unknown>> {
  if (recordPointer === undefined) return schema;
  return { ...asObject(resolveAt(document, recordPointer).value), ...schema };
}

/** Keys that no record has, each with one that it may become. */
const KEYS: readonly (readonly [template: string, example: string | number])[] = [
  ['$unique', 'cfabcde'],
  ['$uniqueInteger', 12_345_678],
  ['{$uniqueInteger}', '12345678'],
  ['cf{$uniqueInteger}', 'cf12345678'],
  [`${OWN_UUID}{$uniqueInteger}`, `${OWN_UUID}12345678`],
  ['{$unique}@example.com', 'cfabcde@example.com'],
];

/** A key of a kind that all of some places of the contract allow. */
export function findUniqueKey(
  kind: 'string' | 'number',
  places: readonly string[],
  { validate }: Pick<Contract, 'validate'>,
): string | undefined {
  const allows = (example: unknown): boolean => places.every((at) => validate.value(at, example).length === 0);
  return KEYS.find(([, example]) => typeof example === kind && allows(example))?.[0];
}

/** Of what names one thing, a service may take each but once. */
const FORMS: Readonly<Record<string, readonly [template: string, example: string]>> = {
  uuid: [`${OWN_UUID}{$uniqueInteger}`, `${OWN_UUID}12345678`],
  email: ['{$unique}@example.com', 'cfabcde@example.com'],
  hostname: ['{$unique}.example.com', 'cfabcde.example.com'],
  uri: ['https://example.com/{$unique}', 'https://example.com/cfabcde'],
  url: ['https://example.com/{$unique}', 'https://example.com/cfabcde'],
};

/** A text of the format that request and record have, but for what may name another record. */
function uniqueForm(value: unknown, field: Field, contract: Contract): string | undefined {
  const { schemaPointer, recordPointer } = field;
  const schema = narrow(field, contract);
  // Two records with one UUID are one record to a service (RFC 9562 section 1).
  const [template, example] = FORMS[isSampledUuid(value) ? 'uuid' : String(schema['format'])] ?? [];
  const isExample = ['example', 'examples', 'default'].some((rule) => schema[rule] !== undefined);
  if (typeof value !== 'string' || (isExample && /id$/i.test(field.name))) return undefined;
  const places = [schemaPointer, recordPointer].filter((at) => at !== undefined);
  return places.every((at) => contract.validate.value(at, example).length === 0) ? template : undefined;
}

/** A text of a pattern that takes any small letters. */
function uniqueOfPattern(value: unknown, field: Field, contract: Contract): string | undefined {
  const { pattern, format } = narrow(field, contract);
  if (typeof value !== 'string' || pattern === undefined || format !== undefined) return undefined;
  const places = [field.schemaPointer, field.recordPointer].filter((at) => at !== undefined);
  const isAllowed = places.every((at) => contract.validate.value(at, fillUnique('$unique')).length === 0);
  return isAllowed ? '$unique' : undefined;
}

/** A key in a form that request and record allow. */
function uniqueKey(value: unknown, { schemaPointer, recordPointer }: Field, contract: Contract): string | undefined {
  if (isJsonNumber(value)) return '$uniqueInteger';
  if (typeof value !== 'string') return undefined;
  const places = [schemaPointer, recordPointer].filter((at) => at !== undefined);
  return findUniqueKey('string', places, contract);
}

function uniqueText(name: string, value: unknown, schema: SchemaObject, prefix: string): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (schema['enum'] !== undefined || schema['const'] !== undefined || schema['pattern'] !== undefined)
    return undefined;
  const [least, most] = [Number(schema['minLength'] ?? 0), Number(schema['maxLength'] ?? 1000)];
  if (schema['format'] === 'email' || plainName(name) === 'email')
    return most < 30 ? undefined : '{$unique}@example.com';
  if (schema['format'] !== undefined || least > UNIQUE_LENGTH || most < UNIQUE_LENGTH) return undefined;
  return prefix === '' || most < UNIQUE_LENGTH + prefix.length ? '$unique' : `${prefix}{$unique}`;
}

/** A text as a run may fill it in. */
export function fillUnique(text: string): string {
  return text.replaceAll(/\{?\$uniqueInteger\}?/g, '12345678').replaceAll(/\{?\$unique\}?/g, 'cfabcde');
}

/** Whether it has letters by which the run knows its own. */
export function isOwnText(value: unknown): boolean {
  return typeof value === 'string' && /\$unique(?!Integer)/.test(value);
}

/** Without UUIDs that are made up for what may be another name of the record: what replaces it need not rename it. */
export function leaveUuids(
  record: Template,
  isAlias: (name: string) => boolean,
  isAllowed: (record: Template) => boolean,
): Template {
  const kept = Object.entries(record).filter(([name, value]) => !isSampledUuid(value) || !isAlias(name));
  const without = Object.fromEntries(kept);
  return isAllowed(without) ? without : record;
}

/** Whether it is of the run's own. */
export function isUnique(value: unknown): boolean {
  return typeof value === 'string' && value.includes('$unique');
}
