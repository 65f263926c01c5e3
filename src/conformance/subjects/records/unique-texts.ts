// The texts of a run's own in the records that it makes.
import type { Contract } from '../../../contract/contract.js';
import type { SchemaObject } from '../../../contract/model.js';
import { asObject } from '../../../contract/document/plain.js';
import { resolveAt } from '../../../contract/document/references.js';
import { plainName } from '../../../contract/resources/words.js';
import { escape } from '../../scenarios/template.js';
import type { Field } from '../subject.js';

type Template = Readonly<Record<string, unknown>>;

/** Fields that usually must be unique, so that a service may refuse equal ones. */
const UNIQUE_NAMES = new Set(
  'name title label username login handle slug sku displayname nickname externalid reference subject email'.split(' '),
);

/** The length of a text that a run makes. */
export const UNIQUE_LENGTH = 7;

/** Texts that sort after all others, so that sorting by them is not mistaken for the order of creation. */
export const BEYOND = 'Z';

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
  const entries = Object.entries(escape(record)).map(([name, value]) => {
    const field = fields.find((each) => each.name === name);
    if (field === undefined) return [name, value];
    const own =
      name === key ? uniqueKey(value, field, contract) : uniqueText(name, value, narrow(field, contract), prefix);
    return [name, own ?? value];
  });
  return Object.fromEntries(entries) as Template;
}

/** What both request and record allow of a text: one may have a format where the other has none. */
function narrow({ schema, recordPointer }: Field, { document }: Contract): Readonly<Record<string, unknown>> {
  if (recordPointer === undefined) return schema;
  return { ...asObject(resolveAt(document, recordPointer).value), ...schema };
}

/** Keys that no record has, each with one that it may become. */
const KEYS: readonly (readonly [template: string, example: string | number])[] = [
  ['$unique', 'Cfabcde'],
  ['$uniqueInteger', 12_345_678],
  ['{$uniqueInteger}', '12345678'],
  ['cf{$uniqueInteger}', 'cf12345678'],
  ['00000000-0000-4000-8000-0000{$uniqueInteger}', '00000000-0000-4000-8000-000012345678'],
  ['{$unique}@example.com', 'Cfabcde@example.com'],
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

/** A key in a form that request and record allow. */
function uniqueKey(value: unknown, { schemaPointer, recordPointer }: Field, contract: Contract): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return '$uniqueInteger';
  if (typeof value !== 'string') return undefined;
  const places = [schemaPointer, recordPointer].filter((at) => at !== undefined);
  return findUniqueKey('string', places, contract);
}

function uniqueText(name: string, value: unknown, schema: SchemaObject, prefix: string): string | undefined {
  if (typeof value !== 'string' || !UNIQUE_NAMES.has(plainName(name))) return undefined;
  if (schema['enum'] !== undefined || schema['const'] !== undefined || schema['pattern'] !== undefined)
    return undefined;
  const [least, most] = [Number(schema['minLength'] ?? 0), Number(schema['maxLength'] ?? 1000)];
  if (schema['format'] === 'email' || plainName(name) === 'email')
    return most < 30 ? undefined : '{$unique}@example.com';
  if (schema['format'] !== undefined || least > UNIQUE_LENGTH || most < UNIQUE_LENGTH) return undefined;
  return prefix === '' || most < UNIQUE_LENGTH + prefix.length ? '$unique' : `${prefix}{$unique}`;
}

/** Whether it is of the run's own. */
export function isUnique(value: unknown): boolean {
  return typeof value === 'string' && value.includes('$unique');
}
