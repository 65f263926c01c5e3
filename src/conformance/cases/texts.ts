// What one piece of a service's code does for all of its records, such as reading JSON: tried on the first three resources that can show it.
import { formOf, recordTypeOf } from '../../contract/media-types.js';
import { printJson, isJsonNumber } from '../../contract/document/json.js';
import { asList, asObject } from '../../contract/document/plain.js';
import { readDialect } from '../../contract/schemas/dialect.js';
import { plainName } from '../../contract/resources/words.js';
import type { Row } from '../model/scenario.js';
import { escape } from '../http/template.js';
import { writeJson } from '../http/write-json.js';
import { findJsonCreate, listSent, type Binding, type Tables } from '../resources/instance.js';
import { isFreeText, isLikeKey } from '../resources/contract-texts.js';
import { readCases, type CaseRow } from '../resources/field-values.js';
import { isAllowed, isInvalid, listGiven, wrap, isOwnText, UNIQUE_LENGTH } from '../resources/fit-record.js';
import { pick, type Field, type RecordTemplate } from '../resources/resource-under-test.js';
import { listAllInvalidChanges, listBodiesOfChanges } from './changes.js';
import { listChoices } from './lists.js';
import { changeFields, fillTexts, listValues, type Choose } from './values.js';

export function readTexts(of: CaseRow<'texts'>['of']): CaseRow<'texts'>[] {
  return readCases('texts', of).map((row) => {
    const { text, repeat = '', times = 0, end = '' } = row;
    return Object.assign({}, row, { text: `${text}${repeat.repeat(times)}${end}` });
  });
}

function changeFull(row: Row, how: Choose, binding: Binding, fields?: Field[]): Row[] {
  const changed = changeFields(how, binding, fields);
  const record = { ...binding.made.full, ...changed };
  return Object.keys(changed).length === 0 ? [] : [Object.assign(row, { with: changed, record })];
}

function listTexts(binding: Binding): Row[] {
  const texts = listWith('texts', binding);
  return [...(texts.length > 0 ? texts : listAccents(binding)), ...listZones(binding)];
}

const NAMES = /^(?:(?:first|last|given|family|middle|full|display)?name|surname|city|town|street|title|label)$/;
const ACCENTS = 'Zo\u00EB \u00C5ngstr\u00F6m';

/** Where no field may have any text, a name of a person or a place may have accents: no letter of ASCII, and two bytes each. */
function listAccents(binding: Binding): Row[] {
  const write = ({ name, type }: Field, own: unknown): string | undefined =>
    type === 'string' && typeof own === 'string' && NAMES.test(plainName(name)) ? ACCENTS : undefined;
  return changeFull({ id: 'accents', words: 'with accents in names' }, write, binding);
}

const ZONE = { name: '+05:30', ms: 19_800_000 };

/** The same times, as clocks elsewhere show them (RFC 3339 section 4.2). */
function listZones(binding: Binding): Row[] {
  const move = ({ schema: { format } }: Field, own: unknown): string | undefined => {
    const time = format === 'date-time' && typeof own === 'string' ? Date.parse(own) : Number.NaN;
    return Number.isNaN(time) ? undefined : new Date(time + ZONE.ms).toISOString().replace('Z', ZONE.name);
  };
  return changeFull({ id: 'zones', words: 'with times in another time zone' }, move, binding);
}

const USUAL_LENGTH = 250;
/** A longer one would test how much a service accepts. */
const LONGEST = 1000;

function listWith(of: CaseRow<'texts'>['of'], binding: Binding): Row[] {
  return readTexts(of).flatMap(({ id, words, text, fill }, index) => {
    const write = (field: Field, own: unknown): string | undefined => {
      // In turns, so that a field in which a service has no such text does not keep the others from being looked at.
      if (!isAnyText(field, own) && !(index % 2 === 1 && isPlainText(field, own))) return undefined;
      // Up to the longest that the contract allows, `longest-text` fills it.
      if (fill !== undefined && field.schema['maxLength'] !== undefined) return undefined;
      return text + (fill?.repeat(USUAL_LENGTH - UNIQUE_LENGTH - 1) ?? '');
    };
    return changeFull({ id, words }, write, binding);
  });
}

/** A length is in characters (JSON Schema Validation section 6.3.1): as many as ASCII texts may have, which the service takes. */
function listLongestTexts(binding: Binding): Row[] {
  return readTexts('longest').flatMap(({ id, words, text }, index) => {
    const write = (sign: string, most = LONGEST) => {
      return (field: Field, own: unknown): string | undefined => {
        const { maxLength } = field.schema;
        if (!isAnyText(field, own) && !(index === 0 && isPlainText(field, own))) return undefined;
        if (typeof maxLength !== 'number' || maxLength < UNIQUE_LENGTH) return undefined;
        return `{$unique}${sign.repeat(Math.min(maxLength, most) - UNIQUE_LENGTH)}`;
      };
    };
    const [plain, short] = [write('x'), write(text, UNIQUE_LENGTH + 1)].map((how) => changeFields(how, binding));
    return changeFull({ id, words, plain, short }, write(text), binding);
  });
}

/** What stands in addresses, where letters are lowered and signs are left out. */
const IN_ADDRESSES = new Set('slug handle username login domain host hostname subdomain email'.split(' '));

function isAnyText({ name, type, schema: { format } }: Field, own: unknown): boolean {
  const isOpen = (isOwnText(own) && !IN_ADDRESSES.has(plainName(name))) || isFreeText(name);
  return type === 'string' && format === undefined && isOpen;
}

/** Of which the contract says no more than that it is a text: a service may know of more. */
function isPlainText({ type }: Field, own: unknown): boolean {
  return type === 'string' && typeof own === 'string' && own.includes('$uniqueWord');
}

/** Two texts that are one to a reader who folds letters, behind the same text of the run's own. */
function listEqualTexts(binding: Binding): Row[] {
  const { made, subject } = binding;
  if (subject.roles.create?.success.body !== 'record') return [];
  const put = (text: string) => (field: Field, own: unknown) =>
    isOwnText(own) && isAnyText(field, own) ? text : undefined;
  return readCases('equal-texts').flatMap(({ id, words, one, other }) => {
    const second = changeFields(put(`{$steps.first.outputs.unique} ${other}`), binding);
    if (Object.keys(second).length === 0) return [];
    return changeFull({ id, words, second: { ...made.full, ...second } }, put(`{$unique} ${one}`), binding);
  });
}

/** Beside a text by which the run finds the record for removal; in turns also in its place, where the response has the key. */
function listWords(binding: Binding): Row[] {
  const { full } = binding.made;
  const { create } = binding.subject.roles;
  const known = listSent(binding).find(({ name }) => isOwnText(full[name]));
  const isAny = (field: Field): boolean => isAnyText(field, full[field.name]);
  const others = listSent(binding).filter((field) => field !== known && isAny(field));
  const plain = listSent(binding).filter((field) => isPlainText(field, full[field.name]));
  const alone = create?.success.body === 'record' && known !== undefined && isAny(known) ? [known] : [];
  const texts = [others, plain, alone].filter((fields) => fields.length > 0);
  if (known === undefined || texts.length === 0) return [];
  // By different values of a filter: a list of few shows what is far back in a long one.
  const chosen = listChoices(binding).map(({ field, value }) => ({ [String(field)]: value }));
  return readTexts('words').flatMap(({ id, text }, index) => {
    const changed = changeFields(() => text, binding, texts[index % texts.length]);
    if (Object.keys(changed).length === 0) return [];
    const written = escape(changed);
    const record = { ...full, ...chosen[index % chosen.length], ...written };
    return [{ id, words: `with the text \`${text}\``, with: written, record }];
  });
}

/** Values that a create takes, in a change: of what it names, in an update, or with the rest of the record, in a replacement. */
function listChanged(rowsOf: (binding: Binding) => readonly Row[], binding: Binding): Row[] {
  const { subject, made, contract } = binding;
  const rows = rowsOf(binding).filter((row) => row['with'] !== undefined);
  return listBodiesOfChanges(binding).flatMap(({ role }) => {
    const change = subject.roles[role];
    if (change === undefined || role === 'remove') return [];
    const given = listGiven(change, contract);
    const { property } = subject.resource.key;
    // An update to 0 or false may stand for a removal, as in a line without a quantity: `changes/update-to-nothing` asks for that.
    const mayRemove = (value: unknown): boolean =>
      role === 'update' && (value === 0 || value === 0n || value === false);
    const isFit = ([name, value]: [string, unknown]): boolean =>
      given.has(name) && name !== property && !mayRemove(value);
    const fit = (changed: unknown): RecordTemplate =>
      Object.fromEntries(Object.entries(asObject(changed)).filter(isFit));
    const [base, plain] = role === 'replace' ? ['$full', pick(made.plain, [...given])] : [{}, {}];
    const isTaken = (changed: RecordTemplate): boolean =>
      Object.keys(changed).length > 0 && isAllowed({ ...plain, ...fillTexts(changed) }, change, contract);
    return rows.flatMap(({ id, words, with: whole, plain: usual, short }) => {
      const changed = fit(whole);
      const beside = usual === undefined ? {} : { plain: fit(usual), short: fit(short) };
      return isTaken(changed) ? [{ id: `${role}-${id}`, role, words, base, with: changed, ...beside }] : [];
    });
  });
}

function listTidied(binding: Binding): Row[] {
  // What it has made of a text, the response to a create says.
  if (binding.subject.roles.create?.success.body !== 'record') return [];
  return readTexts('tidied').flatMap(({ id, words, text, isWhole = false }) => {
    const write = (field: Field, own: unknown): string | undefined => (isAnyText(field, own) ? text : undefined);
    const names = isWhole ? [] : Object.keys(changeFields(write, binding));
    return changeFull({ id, words, names }, write, binding);
  });
}

function listWideNumbers(binding: Binding): Row[] {
  const { full } = binding.made;
  // A document that says `int64` says which numbers there are; another need not mean all of them.
  const wide = binding.subject.fields.filter((field) => isOwnNumber(field, full) && field.schema['format'] === 'int64');
  // One that may be the key of another record would be rejected, and all with it.
  const own = wide.filter(({ name }) => !isLikeKey(name));
  return readCases('numbers', 'wide').flatMap(({ id, value }) => {
    return changeFull({ id, words: `whose numbers are ${value}` }, () => value, binding, own.length > 0 ? own : wide);
  });
}

function isOwnNumber({ name, type }: Field, record: RecordTemplate): boolean {
  return type === 'integer' && typeof record[name] === 'number';
}

type Changed = Row & { words: string; field: string; change: (record: RecordTemplate) => RecordTemplate };

const FULLWIDTH = 0xfee0;
const MADE: Readonly<Record<'capitals' | 'capital' | 'wide', (own: string) => string>> = {
  capitals: (own) => own.toUpperCase(),
  capital: (own) => `${own.slice(0, 1).toUpperCase()}${own.slice(1)}`,
  wide: (own) => own.replace(/[a-z]/i, (letter) => String.fromCodePoint(letter.charCodeAt(0) + FULLWIDTH)),
};

function makeEdge({ value, write, as }: CaseRow<'odd-values'>, own: unknown): unknown {
  if (write !== undefined) return write.replace('{own}', String(own));
  if (as === undefined) return value;
  return as === 'list' ? [own] : MADE[as](String(own));
}

function listNearlyValid(binding: Binding): Row[] {
  const { made, contract, subject } = binding;
  const { create } = subject.roles;
  if (create === undefined) return [];
  const nothing: Changed = { id: 'nothing', words: 'without any field', field: '', change: () => ({}) };
  return [...listOdd(listSent(binding), binding), nothing]
    .filter(({ change }) => isInvalid(change(made.plain), create, contract))
    .map(({ id, words, change }) => ({ id, words, record: change(made.full) }));
}

function listOddChanges(binding: Binding): Row[] {
  const { subject, made, contract } = binding;
  return (['update', 'replace'] as const).flatMap((role) => {
    const change = subject.roles[role];
    const given = change === undefined ? undefined : listGiven(change, contract);
    const fields = listSent(binding).filter(({ name }) => given?.has(name) && name !== subject.resource.key.property);
    // An update needs none of them; by another spelling, all are unknown.
    const asked = role === 'update' ? fields.map((field) => ({ ...field, required: true })) : fields;
    const odd = listOdd(asked, binding).map(({ id, words, field, change: write }) => {
      return { id, words, field, path: field, record: write(made.full) };
    });
    const rows = listAllInvalidChanges(role, binding, odd);
    return rows.map(({ id, words, record }) => ({ id: `${role}-${id}`, role, words, record }));
  });
}

function listOdd(given: readonly Field[], { made }: Binding): Changed[] {
  const isChoice = ({ type, schema }: Field): boolean => type === 'string' && Array.isArray(schema['enum']);
  const fields: Readonly<Record<CaseRow<'odd-values'>['of'], Field | undefined>> = {
    text: given.find((field) => field.type === 'string' && !isChoice(field)),
    number: given.find((field) => isOwnNumber(field, made.full) && field.schema['enum'] === undefined),
    choice: given.find(isChoice),
  };
  const rows = readCases('odd-values').flatMap((row): Changed[] => {
    const { name } = fields[row.of] ?? {};
    if (name === undefined) return [];
    const change: Changed['change'] = (record) => ({ ...record, [name]: makeEdge(row, record[name]) });
    return [{ id: row.id, words: `whose \`${name}\` ${row.words}`, field: name, change }];
  });
  return [...rows, ...respell(given)];
}

/** A required field by another spelling is missing (RFC 8259 section 8.3). In another case, many a program reads it. */
function respell(fields: readonly Field[]): Changed[] {
  // `categoryId` as `category_id`, and the other way round.
  const spell = (name: string): string => {
    if (name.includes('_')) return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  };
  const capitalize = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  return Object.entries({ 'another-spelling': spell, 'another-case': capitalize }).flatMap(([id, way]) => {
    const { name } = fields.find((field) => field.required && way(field.name) !== field.name) ?? {};
    if (name === undefined) return [];
    const change: Changed['change'] = ({ [name]: value, ...record }) => ({ ...record, [way(name)]: value });
    return [{ id, words: `with \`${way(name)}\` in place of \`${name}\``, field: way(name), change }];
  });
}

function writeTemplate(value: unknown): string {
  return printJson(value).replaceAll(/"(\$\w[^"{}]*)"/g, '{$1}');
}

/** What is filled in for a text stays within its quotes: `{$unique}`. */
function quoteTexts(template: unknown, plain: unknown): unknown {
  if (typeof template === 'string')
    return typeof plain === 'string' ? template.replace(/^\$\w[^{}]*$/, '{$&}') : template;
  if (Array.isArray(template)) return template.map((each, index) => quoteTexts(each, asList(plain)[index]));
  if (typeof template !== 'object' || template === null || isJsonNumber(template)) return template;
  const inside = asObject(plain);
  return Object.fromEntries(Object.entries(template).map(([name, each]) => [name, quoteTexts(each, inside[name])]));
}

function listBadBodies({ subject, made, contract }: Binding): Row[] {
  const { create } = subject.roles;
  if (create === undefined || formOf(create.operation, recordTypeOf(create.operation)) !== undefined) return [];
  const json = writeTemplate(wrap(quoteTexts(made.minimal, made.plain), create.requestMember));
  const shapes: [id: string, words: string, text: string, value: unknown][] = [
    ['a-list', 'a list with a record', `[${json}]`, [made.plain]],
    ['an-empty-list', 'an empty list', '[]', []],
    ['a-record-in-a-text', 'a record as a JSON string', JSON.stringify(json), '{}'],
    ['null', '`null`', 'null', null],
    ['a-record-in-a-record', 'a record nested in an object', `{"noSuchField":${json}}`, { noSuchField: made.plain }],
  ];
  const wrong = shapes.filter(([, , , value]) => !isAllowed(value, { ...create, requestMember: undefined }, contract));
  // A comma too many and single quotes, a parser may read (RFC 8259 section 9).
  const texts: [id: string, words: string, text: string][] = [
    ['a-word', 'a word', 'word'],
    ['a-part', 'a truncated record', json.slice(0, -1)],
    ['something-behind', 'a record followed by a word', `${json} word`],
  ];
  if (create.operation.requestBody?.required === true) texts.unshift(['nothing', 'empty', '']);
  return [...wrong, ...texts].map(([id, words, text]) => ({ id, words, body: { text } }));
}

function writeFull(binding: Binding, changed: RecordTemplate = {}): string | undefined {
  const { full, plain } = binding.made;
  const create = findJsonCreate(binding);
  const whole = { ...(quoteTexts(full, plain) as RecordTemplate), ...changed };
  return create === undefined ? undefined : writeTemplate(wrap(whole, create.requestMember));
}

function listLenientJson(binding: Binding): Row[] {
  const json = writeFull(binding);
  if (json === undefined) return [];
  return readCases('lenient-json').flatMap(({ id, words, pattern, as }) => {
    const text = json.replace(new RegExp(pattern), as);
    return text === json ? [] : [{ id, words, body: { text } }];
  });
}

/** Digits behind the point of a decimal, which the range of a double holds (RFC 8259 section 6); whole ones in an integer. */
function listCostlyNumbers(binding: Binding): Row[] {
  const { subject, made } = binding;
  const numbers = subject.fields.filter(({ name }) => isJsonNumber(made.full[name]));
  const place = '<number>';
  return readCases('numbers', 'costly').flatMap(({ id, words, text, digit = '', times = 0 }) => {
    const field = numbers.find(({ type }) => (type === 'integer') === (text !== undefined)) ?? numbers[0];
    if (field === undefined || (text !== undefined && field.type !== 'integer')) return [];
    const number = text ?? `${field.type === 'integer' ? '' : '0.'}${digit.repeat(times)}`;
    const body = { text: writeFull(binding, { [field.name]: place })?.replace(`"${place}"`, number) };
    return body.text === undefined ? [] : [{ id, words: `whose \`${field.name}\` is a number ${String(words)}`, body }];
  });
}

function listJsonForms(binding: Binding): Row[] {
  const { other } = binding.made;
  const dialect = readDialect(binding.contract.document.root);
  const forms = findJsonCreate(binding) === undefined ? [] : readCases('json-forms');
  return forms.filter(({ id, of }) => of.includes('create') && writeJson(other, id, dialect) !== printJson(other));
}

export const TEXT_TABLES: Tables = {
  $texts: listTexts,
  $rareTexts: (binding) => listWith('rareTexts', binding),
  $lettersOfScripts: (binding) => listTexts(binding).slice(0, 1),
  // In JSON that has no letter beyond ASCII.
  $escapedLetters: (binding) => (findJsonCreate(binding) === undefined ? [] : listTexts(binding).slice(0, 1)),
  $longestTexts: listLongestTexts,
  $changedValues: (binding) => listChanged(listValues, binding),
  $changedTexts: (binding) =>
    listChanged(
      (of) => [...listTexts(of), ...listWith('rareTexts', of), ...listWideNumbers(of), ...listWords(of)],
      binding,
    ),
  $changedLongest: (binding) => listChanged(listLongestTexts, binding),
  $equalTexts: listEqualTexts,
  $words: listWords,
  $tidied: listTidied,
  $wideNumbers: listWideNumbers,
  $costlyNumbers: listCostlyNumbers,
  $lenientJson: listLenientJson,
  $oddlyInvalid: listNearlyValid,
  $oddlyInvalidChanges: listOddChanges,
  $oddBodies: listBadBodies,
  $jsonForms: listJsonForms,
  $readingMessages: () => readCases('messages', 'reading'),
  $changingMessages: (binding) => listBodiesOfChanges(binding).filter(({ role }) => role !== 'remove'),
  $creatingMessages: () => readCases('messages', 'creating'),
};
