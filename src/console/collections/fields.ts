import type { RecordSchema, KeptRecord } from '../types.js';
import { printExact } from '../exact-json.js';

type FieldKind = 'text' | 'number' | 'choice' | 'json';

export interface Field {
  name: string;
  kind: FieldKind;
  isKey: boolean;
  required: boolean;
  readOnly: boolean;
  choices: readonly unknown[];
  /** What the contract says of it; `''` if it says nothing. */
  hint: string;
  /** How a value is written; `''` if that needs no words. */
  form: string;
}

/** The properties of a record: the key first, then what each record has, then the rest, each in the order of the contract. */
export function listFields({ properties, required }: RecordSchema, key: string | undefined): Field[] {
  const fields = Object.entries(properties).map(([name, property]): Field => {
    const types = (property.type ?? []).filter((type) => type !== 'null');
    const choices = choicesOf(property, types);
    const about = (property.description ?? '').trim().replaceAll(/\s+/g, ' ');
    return {
      name,
      kind: choices.length > 0 ? 'choice' : kindOf(types),
      isKey: name === key,
      required: required.includes(name),
      readOnly: property.readOnly === true,
      choices,
      hint: about.length <= MOST_OF_DESCRIPTION ? about : `${about.slice(0, MOST_OF_DESCRIPTION)}…`,
      form: tellFormat(property.format, types),
    };
  });
  return [...fields.filter(({ isKey }) => isKey), ...rest(fields, true), ...rest(fields, false)];
}

const rest = (fields: readonly Field[], required: boolean): Field[] =>
  fields.filter((field) => !field.isKey && field.required === required);

type Property = RecordSchema['properties'][string];

function choicesOf(property: Property, types: readonly string[]): unknown[] {
  if (property.const !== undefined) return [property.const];
  if (property.enum !== undefined) return property.enum.filter((value) => value !== null);
  return types.length === 1 && types[0] === 'boolean' ? [true, false] : [];
}

/** What may be of several types, or of none that the contract names, is written as JSON. */
function kindOf(types: readonly string[]): FieldKind {
  if (types.length === 0) return 'json';
  if (types.every((type) => type === 'string')) return 'text';
  return types.every((type) => type === 'integer' || type === 'number') ? 'number' : 'json';
}

/** Some contracts describe a property on a page. */
const MOST_OF_DESCRIPTION = 200;

const FORMATS: Readonly<Record<string, string>> = {
  date: 'A date, such as 2030-12-05.',
  'date-time': 'A date and time, such as 2030-12-05T14:30:00Z.',
  time: 'A time, such as 14:30:00Z.',
  uuid: 'A UUID, such as 123e4567-e89b-42d3-a456-426614174000.',
  email: 'An email address.',
  uri: 'A URI, such as https://example.com/.',
};

function tellFormat(format: string | undefined, types: readonly string[]): string {
  const isText = types.includes('string');
  if (isText && format !== undefined)
    return Object.hasOwn(FORMATS, format) ? (FORMATS[format] ?? '') : `Format: ${format}.`;
  if (types.includes('array')) return 'A list, as JSON.';
  return types.includes('object') ? 'An object, as JSON.' : '';
}

export function listColumns(fields: readonly Field[], records: readonly Readonly<Record<string, unknown>>[]): string[] {
  const known = new Set(fields.map(({ name }) => name));
  const others = new Set(records.flatMap((record) => Object.keys(record)).filter((name) => !known.has(name)));
  return [...known, ...[...others].sort()];
}

/** A longer list of choices is for the form. */
const MOST_CHOICES = 30;

export function choicesInTable(fields: readonly Field[]): Map<string, Field> {
  const chosen = fields.filter(
    ({ isKey, readOnly, choices }) => !isKey && !readOnly && choices.length > 1 && choices.length <= MOST_CHOICES,
  );
  return new Map(chosen.map((field) => [field.name, field]));
}

export interface Selection {
  search: string;
  filters: Readonly<Record<string, string>>;
  /** The property to sort by; otherwise the order of the API. */
  sort: { name: string; down: boolean } | undefined;
}

export const EVERYTHING: Selection = { search: '', filters: {}, sort: undefined };
/** The filter for records without the property. No JSON reads so. */
export const NOT_SET = 'not set';

export const isEverything = ({ search, filters }: Selection): boolean =>
  search.trim() === '' && Object.values(filters).every((value) => value === '');

export function selectRecords(all: readonly KeptRecord[], { search, filters, sort }: Selection): readonly KeptRecord[] {
  const wanted = search.trim().toLowerCase();
  const set = Object.entries(filters).filter(([, value]) => value !== '');
  const found = all.filter(({ record }) => {
    const fits = set.every(([name, value]) =>
      value === NOT_SET ? record[name] === undefined || record[name] === null : printExact(record[name]) === value,
    );
    return fits && contains(record, wanted);
  });
  if (sort === undefined) return found;
  const { name, down } = sort;
  return found.toSorted(({ record: one }, { record: other }) => compare(one[name], other[name], down));
}

function contains(value: unknown, wanted: string): boolean {
  if (wanted === '') return true;
  if (typeof value === 'object' && value !== null) return Object.values(value).some((each) => contains(each, wanted));
  return showValue(value).toLowerCase().includes(wanted);
}

export function showValue(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : printExact(value);
}

const TEXTS = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Numbers by their value, however large, before texts; what is not set comes last in both directions. */
function compare(one: unknown, other: unknown, down: boolean): number {
  const [mine, theirs] = [rankOf(one), rankOf(other)];
  if (mine === NOTHING || theirs === NOTHING) return mine - theirs;
  const order = mine === theirs ? compareAlike(one, other) : mine - theirs;
  return down ? -order : order;
}

const [NUMBER, OTHER, NOTHING] = [0, 1, 2];

function rankOf(value: unknown): number {
  if (value === undefined || value === null) return NOTHING;
  return isNumber(value) ? NUMBER : OTHER;
}

/** A number that a `double` does not hold is a function that gives its text. */
const isNumber = (value: unknown): boolean => ['number', 'bigint', 'function'].includes(typeof value);

function compareAlike(one: unknown, other: unknown): number {
  if (!isNumber(one)) return TEXTS.compare(showValue(one), showValue(other));
  const [mine, theirs] = [one, other].map((each) => (typeof each === 'bigint' ? each : Number(printExact(each))));
  if (mine === undefined || theirs === undefined || mine === theirs) return 0;
  return mine < theirs ? -1 : 1;
}

export function nextSort(sort: Selection['sort'], name: string): Selection['sort'] {
  if (sort?.name !== name) return { name, down: false };
  return sort.down ? undefined : { name, down: true };
}

export function widthOf(name: string, all: readonly KeptRecord[]): number {
  let longest = name.length + SIGN;
  for (const { record } of all) longest = Math.max(longest, showValue(record[name]).length);
  return AROUND + Math.min(MOST_CHARACTERS, longest);
}

const MOST_CHARACTERS = 30;
/** The sign of the order beside a name. */
const SIGN = 3;
/** The space around a value. */
const AROUND = 4;
