// What a request takes and a response shows of a record, and values that both may have.
import type { Contract } from '../../contract/contract.js';
import type { SourceDocument } from '../../contract/document/document.js';
import { printJson, sameJson, addExactly, isJsonNumber } from '../../contract/document/json.js';
import { asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { findUnwritable, writeForm } from '../../contract/forms.js';
import { hasMark, readProperties, readValueShape } from '../../contract/operations/properties.js';
import { formOf, MERGE_PATCH, recordTypeOf, type RoleOperation } from '../../contract/resources/resource.js';
import { plainName } from '../../contract/resources/words.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { comesFromAnswer, escape } from '../http/template.js';
import { Inapplicable, type Binding } from './instance.js';
import { pick, type Field, type RecordTemplate } from './resource-under-test.js';
import { fillUnique } from './unique-texts.js';

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
  if (typeof value === 'number') {
    return [...[1, -1, Number(schema['multipleOf'] ?? 2)].map((each) => addExactly(value, each)), value / 2];
  }
  if (typeof value === 'bigint') return [value + 1n, value - 1n];
  const listApart = (inside: unknown, of: unknown): unknown[] => listOthers(inside, asObject(of)).toReversed();
  if (Array.isArray(value)) {
    const [first, ...rest] = value as unknown[];
    if (first === undefined) return [];
    return rest.length > 0 ? [rest] : listApart(first, schema['items']).map((each) => [each]);
  }
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    const properties = asObject(schema['properties']);
    return Object.entries(value)
      .toReversed()
      .flatMap(([name, member]) =>
        listApart(member, properties[name]).map((each) => Object.assign({}, value, { [name]: each })),
      );
  }
  if (typeof value !== 'string') return [];
  if (format === 'date' || format === 'date-time') return [nextDay(value, format)];
  return format === undefined && schema['pattern'] === undefined ? [`${value} two`, 'two', 'tw'] : [];
}

/** What replaces a record, with fields that a create does not take, such as its key. Throws {@link Inapplicable} where there is none. */
export function fitReplacement(
  record: RecordTemplate,
  key: unknown,
  { binding, operation }: { binding: Pick<Binding, 'subject' | 'made' | 'contract'>; operation: RoleOperation },
): RecordTemplate {
  const { contract, subject, made } = binding;
  const { property } = subject.resource.key;
  const pointer = operation.requestPointer ?? '';
  const described = listGiven(operation, contract);
  const own = readProperties(contract.document, pointer).find(({ name }) => name === property);
  const { types } = readValueShape(contract.document, own?.schemaPointer, 0);
  const takesKey = types.length === 0 || !types.every((type) => type === 'object' || type === 'array');
  const named = Object.entries(record)
    .filter(([name]) => (takesKey || name !== property) && described.has(name))
    .map(([name, value]) => [name, name === property ? (key ?? value) : value]);
  const fitting = Object.fromEntries(named) as RecordTemplate;
  const sampled = asObject(sampleValue(contract.document, pointer, { without: 'readOnly' }));
  const isMissing = ([name]: [string, unknown]): boolean => !Object.hasOwn(record, name) && name !== property;
  const missing = Object.fromEntries(Object.entries(sampled).filter(isMissing));
  const shown = { ...missing, ...pick(made.plain, Object.keys(fitting)) };
  if (isAllowed(shown, operation, contract)) return { ...escape(missing), ...fitting };
  const keyed = { ...shown, [property]: sampled[property] };
  if (key === undefined || !takesKey || sampled[property] === undefined || !isAllowed(keyed, operation, contract))
    throw new Inapplicable('a replacement');
  return { ...escape(missing), ...fitting, [property]: key };
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
    const isMove = otherMoves.length > 0 && (field === firstMove || otherMoves.includes(field));
    const usual = OFFSETS.find(([names]) => names.test(plainName(field.name)))?.[1] ?? PLANNED_DAYS;
    const days = isMove ? (field === firstMove ? PLANNED_DAYS : 2 * PLANNED_DAYS) : usual;
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
