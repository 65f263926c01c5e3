// What one piece of a service's code does for all of its records, such as reading JSON: tried on the first resource that can show it.
import { printJson } from '../../../contract/document/json.js';
import { asList, asObject } from '../../../contract/document/plain.js';
import { isJsonNumber } from '../../../contract/numbers/decimal.js';
import { formOf, recordTypeOf } from '../../../contract/resources/resource.js';
import type { Row } from '../../model/raw-scenario.js';
import { escape } from '../../wire/request/template.js';
import { isLikeKey } from '../certainty.js';
import { findViolation, isInvalid, wrap } from '../request-body.js';
import type { RecordTemplate } from '../records/made-records.js';
import { isOwnText } from '../records/unique-texts.js';
import type { Field } from '../subject.js';
import { readCases, type CaseRow } from './data.js';
import type { TableSource } from './table-source.js';
import { isAnyText, readTexts } from './texts.js';
import { listChoices } from './lists/filters.js';
import { changeFields } from './values.js';

/** What is made of a value that a field may have, where no text says it. */
const MADE: Readonly<Record<'capitals' | 'capital' | 'wide', (own: string) => string>> = {
  capitals: (own) => own.toUpperCase(),
  capital: (own) => `${own.slice(0, 1).toUpperCase()}${own.slice(1)}`,
  wide: (own) => own.replace(/[a-z]/i, (letter) => String.fromCodePoint(letter.charCodeAt(0) + FULLWIDTH)),
};
const FULLWIDTH = 0xfee0;

function makeOdd({ value, write, as }: CaseRow<'odd-values'>, own: unknown): unknown {
  if (write !== undefined) return write.replace('{own}', String(own));
  if (as === undefined) return value;
  return as === 'list' ? [own] : MADE[as](String(own));
}

/** Records that break the contract in ways that a reader of values may let pass, each of the first field of its kind. */
export function listOddlyInvalid({ subject, made, contract }: TableSource): Row[] {
  const { create } = subject.roles;
  if (create === undefined) return [];
  const given = subject.fields.filter(({ name }) => Object.hasOwn(made.full, name));
  const isChoice = ({ type, schema }: Field): boolean => type === 'string' && Array.isArray(schema['enum']);
  const fields: Readonly<Record<CaseRow<'odd-values'>['of'], Field | undefined>> = {
    text: given.find((field) => field.type === 'string' && !isChoice(field)),
    number: given.find((field) => isOwnNumber(field, made.full) && field.schema['enum'] === undefined),
    choice: given.find(isChoice),
  };
  const rows = readCases('odd-values').flatMap((row) => {
    const { name } = fields[row.of] ?? {};
    if (name === undefined) return [];
    const change = (record: RecordTemplate): RecordTemplate => ({ ...record, [name]: makeOdd(row, record[name]) });
    return [{ id: row.id, words: `whose \`${name}\` ${row.words}`, change }];
  });
  const nothing = { id: 'nothing', words: 'without any field', change: (): RecordTemplate => ({}) };
  return [...rows, ...respell(given), nothing]
    .filter(({ change }) => isInvalid(change(made.plain), create, contract))
    .map(({ id, words, change }) => ({ id, words, record: change(made.full) }));
}

/**
 * A required field by another spelling of its name (RFC 8259 section 8.3): it is missing. Many a program reads names in whatever case
 * they are sent: that is no row.
 */
function respell(
  fields: readonly Field[],
): { id: string; words: string; change: (record: RecordTemplate) => RecordTemplate }[] {
  const field = fields.find(({ name, required }) => required && spell(name) !== name);
  if (field === undefined) return [];
  const { name } = field;
  const change = ({ [name]: value, ...record }: RecordTemplate): RecordTemplate => ({
    ...record,
    [spell(name)]: value,
  });
  return [{ id: 'another-spelling', words: `with \`${spell(name)}\` in place of \`${name}\``, change }];
}

/** `categoryId` as `category_id`, and the other way round. */
function spell(name: string): string {
  return name.includes('_')
    ? name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    : name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Whether it is no key of another record, which only that can have. */
function isOwnNumber({ name, type }: Field, record: RecordTemplate): boolean {
  return type === 'integer' && typeof record[name] === 'number';
}

/** A document that says `int64` says which numbers there are; another need not mean all of them. */
function isWide(field: Field, record: RecordTemplate): boolean {
  return isOwnNumber(field, record) && field.schema['format'] === 'int64';
}

/** Bodies that are no record, though a record is in them, or no JSON, though nearly. */
export function listOddBodies({ subject, made, contract }: TableSource): Row[] {
  const { create } = subject.roles;
  if (create === undefined || formOf(create.operation, recordTypeOf(create.operation)) !== undefined) return [];
  const json = writeTemplate(wrap(quoteTexts(made.minimal, made.plain), create.requestMember));
  const shapes = [
    { id: 'a-list', words: 'a list with a record', text: `[${json}]`, value: [made.plain] },
    { id: 'an-empty-list', words: 'an empty list', text: '[]', value: [] },
    { id: 'a-record-in-a-text', words: 'a record as a JSON string', text: JSON.stringify(json), value: '{}' },
    { id: 'null', words: '`null`', text: 'null', value: null },
    {
      id: 'a-record-in-a-record',
      words: 'a record nested in an object',
      text: `{"noSuchField":${json}}`,
      value: { noSuchField: made.plain },
    },
  ].filter(({ value }) => findViolation(value, { ...create, requestMember: undefined }, contract) !== undefined);
  const texts = [
    // A body that need not be there may be left out.
    ...(create.operation.requestBody?.required === true ? [{ id: 'nothing', words: 'empty', text: '' }] : []),
    { id: 'a-word', words: 'a word', text: 'word' },
    { id: 'a-part', words: 'a truncated record', text: json.slice(0, -1) },
    { id: 'something-behind', words: 'a record followed by a word', text: `${json} word` },
    // A comma too many and single quotes, a parser may read (RFC 8259 section 9).
  ].filter(({ text }) => text !== json);
  return [...shapes, ...texts].map(({ id, words, text }) => ({ id, words, body: { text } }));
}

/** JSON in which templates stand as they do in a file: a number's without quotes. */
export function writeTemplate(value: unknown): string {
  return printJson(value).replaceAll(/"(\$\w[^"{}]*)"/g, '{$1}');
}

/** What is filled in for a text stays within its quotes: `{$unique}`. */
export function quoteTexts(template: unknown, plain: unknown): unknown {
  if (typeof template === 'string')
    return typeof plain === 'string' ? template.replace(/^\$\w[^{}]*$/, '{$&}') : template;
  if (Array.isArray(template)) return template.map((each, index) => quoteTexts(each, asList(plain)[index]));
  if (typeof template !== 'object' || template === null || isJsonNumber(template)) return template;
  const inside = asObject(plain);
  return Object.fromEntries(Object.entries(template).map(([name, each]) => [name, quoteTexts(each, inside[name])]));
}

/**
 * Beside a text by which the run knows the record again, though its answer be lost: one that it does not know, it cannot
 * remove. Where nothing can be removed, the answer's key tells which record stays, and a word may be the only text.
 */
export function listWords(source: TableSource): Row[] {
  const { full } = source.made;
  const { create, remove } = source.subject.roles;
  const given = source.subject.fields.filter(({ name }) => Object.hasOwn(full, name));
  const known = given.find(({ name }) => isOwnText(full[name]));
  const isAny = (field: Field): boolean => isAnyText(field, full[field.name]);
  const others = given.filter((field) => field !== known && isAny(field));
  const mayBeAlone = remove === undefined && create?.success.body === 'record' && known !== undefined && isAny(known);
  const texts = others.length === 0 && mayBeAlone ? [known] : others;
  if (known === undefined || texts.length === 0) return [];
  // By different values of a filter: a list of few shows what is far back in a long one.
  const chosen = listChoices(source).map(({ field, value }) => ({ [String(field)]: value }));
  return readTexts('words').flatMap(({ id, text }, index) => {
    const changed = changeFields(texts, () => text, source);
    if (Object.keys(changed).length === 0) return [];
    const record = { ...full, ...chosen[index % chosen.length], ...escape(changed) };
    return [{ id, words: `with the text \`${text}\``, record }];
  });
}

export function listTidied(source: TableSource): Row[] {
  const { full } = source.made;
  // What it has made of a text, the answer to a create says.
  if (source.subject.roles.create?.success.body !== 'record') return [];
  const given = source.subject.fields.filter(({ name }) => Object.hasOwn(full, name));
  return readTexts('tidied').flatMap(({ id, words, text, isWhole = false }) => {
    const changed = changeFields(given, (field, own) => (isAnyText(field, own) ? text : undefined), source);
    const names = Object.keys(changed);
    return names.length === 0 ? [] : [{ id, words, record: { ...full, ...changed }, names: isWhole ? [] : names }];
  });
}

export function listWideNumbers(source: TableSource): Row[] {
  const { subject, made } = source;
  const wide = subject.fields.filter((field) => isWide(field, made.full));
  // One that may be the key of another record would be refused, and all with it.
  const own = wide.filter(({ name }) => !isLikeKey(name));
  const fields = own.length > 0 ? own : wide;
  return readNumbers('wide').flatMap(({ id, value }) => {
    const changed = changeFields(fields, () => value, source);
    const words = `whose numbers are ${value}`;
    return Object.keys(changed).length === 0 ? [] : [{ id, words, record: { ...made.full, ...changed } }];
  });
}

function readNumbers(of: CaseRow<'numbers'>['of']): CaseRow<'numbers'>[] {
  return readCases('numbers').filter((row) => row.of === of);
}

/** The full record, in which one number is a text that costs a reader of numbers time. */
export function listCostlyNumbers({ subject, made }: TableSource): Row[] {
  const { create } = subject.roles;
  const field = subject.fields.find(({ name }) => isJsonNumber(made.full[name]));
  if (create === undefined || field === undefined || recordTypeOf(create.operation) !== 'application/json') return [];
  const whole = { ...(quoteTexts(made.full, made.plain) as RecordTemplate), [field.name]: PLACE };
  const json = writeTemplate(wrap(whole, create.requestMember));
  return readNumbers('costly').map(({ id, words, text, digit = '', times = 0 }) => ({
    id,
    words: `whose \`${field.name}\` is a number ${String(words)}`,
    body: { text: json.replace(`"${PLACE}"`, text ?? digit.repeat(times)) },
  }));
}

const PLACE = '<number>';
