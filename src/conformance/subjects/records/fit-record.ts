import { printJson, sameJson } from '../../../contract/document/json.js';
import { asObject } from '../../../contract/document/plain.js';
import { fillUnique } from './unique-texts.js';
import type { Contract } from '../../../contract/contract.js';
import type { SourceDocument } from '../../../contract/document/document.js';
import { resolveAt } from '../../../contract/document/references.js';
import { readValueShape } from '../../../contract/operations/properties.js';
import { sampleValue } from '../../../contract/samples/sample.js';
import { comesFromAnswer } from '../../wire/request/template.js';
import { nextDay } from './place-in-time.js';
import type { Field } from '../subject.js';
import { addExactly, isJsonNumber } from '../../../contract/numbers/decimal.js';

/** Whether an answer with the schema at a pointer may show what is sent: a request may have a name where a record has an object. */
export function isShowable(
  value: unknown,
  { schema }: Field,
  shown: string,
  { document, validate }: Contract,
): boolean {
  if (comesFromAnswer(value) || holdsReference(value) || sameJson(schema, resolveAt(document, shown).value))
    return true;
  const made = typeof value === 'string' ? fillUnique(value) : value;
  if (made === undefined) return true;
  return isMeant(made, shown, document) && validate.value(shown, made).length === 0;
}

/** Whether the run knows only when it sends it what stands in an object or list. */
function holdsReference(value: unknown): boolean {
  return typeof value === 'object' && value !== null && printJson(value).includes('$scenarios.');
}

/**
 * Whether a value is of the type that a schema has in mind. One with `properties` and no `type` allows texts as well
 * (JSON Schema Core 2020-12 section 10.3.2.1), but describes an object.
 */
function isMeant(value: unknown, schemaPointer: string, document: SourceDocument): boolean {
  const { types } = readValueShape(document, schemaPointer, 0);
  return value === null || types.length === 0 || typesOf(value).some((type) => types.includes(type));
}

function typesOf(value: unknown): string[] {
  if (Array.isArray(value)) return ['array'];
  return isJsonNumber(value) ? ['integer', 'number'] : [typeof value];
}

/** A value that both a request and a record may have, if there is one. */
export function fitRecord(value: unknown, field: Field, contract: Contract): unknown {
  const { recordPointer, schemaPointer } = field;
  if (recordPointer === undefined || isShowable(value, field, recordPointer, contract)) return value;
  const accepts = (at: string, each: unknown): boolean =>
    isMeant(each, at, contract.document) && contract.validate.value(at, each).length === 0;
  const found = sampleValue(contract.document, recordPointer, { accepts });
  return found !== undefined && accepts(recordPointer, found) && accepts(schemaPointer, found) ? found : value;
}

/** Other values that a field may have, of which the contract may allow none. */
export function listOthers(value: unknown, schema: Readonly<Record<string, unknown>>): unknown[] {
  const listed = schema['enum'];
  if (Array.isArray(listed)) return [...(listed as unknown[])].reverse();
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') {
    const step = Number(schema['multipleOf'] ?? 2);
    return [...[1, -1, step].map((each) => addExactly(value, each)), value / 2];
  }
  if (typeof value === 'bigint') return [value + 1n, value - 1n];
  if (Array.isArray(value)) return listOtherItems(value, schema);
  if (isPlain(value)) return listOtherMembers(value, schema);
  if (typeof value !== 'string') return [];
  const { format } = schema;
  if (format === 'date' || format === 'date-time') return [nextDay(value, format)];
  return format === undefined && schema['pattern'] === undefined ? [`${value} two`, 'two', 'tw'] : [];
}

/** No number and no template that is kept as an object. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** With another value in one member: what a replacement keeps of an object shows. */
function listOtherMembers(
  value: Readonly<Record<string, unknown>>,
  { properties }: Readonly<Record<string, unknown>>,
): unknown[] {
  const members = Object.entries(value);
  // Of a beginning and an end, the end moves.
  return members
    .toReversed()
    .flatMap(([name, member]) =>
      listApart(member, asObject(asObject(properties)[name])).map((each) => Object.assign({}, value, { [name]: each })),
    );
}

/** With an item less, or with one that differs: what a service keeps of an earlier list shows. */
function listOtherItems(items: readonly unknown[], { items: schema }: Readonly<Record<string, unknown>>): unknown[] {
  const [first, ...rest] = items;
  if (first === undefined) return [];
  if (rest.length > 0) return [rest];
  return listApart(first, asObject(schema)).map((each) => [each]);
}

/** First no text that goes on where the other ends: that may be taken for one that is cut. */
function listApart(value: unknown, schema: Readonly<Record<string, unknown>>): unknown[] {
  return listOthers(value, schema).toReversed();
}
