// Values of fields: at both ends of what the contract allows, of its lists of values, and what only the service chooses.
import type { Contract } from '../../contract/contract.js';
import { printJson, sameJson } from '../../contract/document/json.js';
import { asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { hasMark, readProperties } from '../../contract/operations/properties.js';
import type { Row } from '../model/scenario.js';
import { isCreatable, listSent, type Binding, type Tables } from '../resources/instance.js';
import { isLikeKey } from '../resources/contract-texts.js';
import { findDigits, findEdge, findFraction, findLeast, findNull, findZero } from '../resources/field-values.js';
import { isAllowed, isShowable, listGiven, UNIQUE_LENGTH } from '../resources/fit-record.js';
import { isOneOfAll, isSet, type Field, type RecordTemplate } from '../resources/resource-under-test.js';
import { listServiceFields } from './lists.js';

const MOST_VALUES = 6;
const MOST_EQUAL = 3;
const MOST_FIELDS = 2;
const MOST_CHOICES = 2;

export function listValues(binding: Binding): Row[] {
  const { made } = binding;
  const change = (how: Choose): RecordTemplate => changeFields(how, binding);
  const [lowest, nulls] = [change(findLeast), change(findNull)];
  const rows: [id: string, words: string, changed: RecordTemplate][] = [
    ['lowest', 'with each field at its minimum', lowest],
    ['nulls', 'with null in each nullable field', sameJson(nulls, lowest) ? {} : nulls],
    ['zeros', 'with 0 and empty lists where the contract allows them', change(findZero)],
    ['highest', 'with each field at its maximum', change((field, own) => findEdge(field, 'highest', own))],
    ['fraction', 'with fractions where the contract allows them', change(findFraction)],
    ['digits', 'with as many digits as the contract allows', change(findDigits)],
    ['items', 'with unsorted items', change(mixItems)],
    ['members', 'with items that differ in their members', change(varyItems)],
    ...combineValues(binding).map((changed, index): [string, string, RecordTemplate] => {
      const words = Object.entries(changed).map(([name, value]) => `${name} ${printJson(value)}`);
      return [`values-${index + 1}`, `with ${words.join(', ')}`, changed];
    }),
  ];
  const ofValues = rows.map(([id, words, changed]) => {
    return { id, words, with: changed, record: { ...made.full, ...changed } };
  });
  const ofKinds = made.kinds.map(({ full }, index) => {
    const own = Object.keys(full).filter((name) => !Object.hasOwn(made.full, name));
    return { id: `kind-${index + 2}`, words: `of the alternative with ${own.join(', ')}`, record: full };
  });
  return [...ofValues.filter((row) => Object.keys(row.with).length > 0), ...ofKinds];
}

export type Choose = (field: Field, own: unknown, contract: Contract) => unknown;

export function changeFields(how: Choose, binding: Binding, fields = listSent(binding)): RecordTemplate {
  const { made, contract } = binding;
  const entries = fields.flatMap((field) => {
    const value = field.schema['enum'] === undefined ? how(field, made.full[field.name], contract) : undefined;
    if (value === undefined || !fitsRecord(value, field, contract)) return [];
    return isCreatable({ [field.name]: fillIn(value) }, binding) ? [[field.name, value] as const] : [];
  });
  return Object.fromEntries(entries);
}

function fitsRecord(value: unknown, field: Field, contract: Contract): boolean {
  const { recordPointer } = field;
  return recordPointer === undefined || isShowable(fillIn(value), field, recordPointer, contract);
}

export function fillTexts(record: RecordTemplate): RecordTemplate {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, fillIn(value)]));
}

function fillIn(value: unknown): unknown {
  return typeof value === 'string' ? value.replace('{$unique}', 'u'.repeat(UNIQUE_LENGTH)) : value;
}

function combineValues(binding: Binding): RecordTemplate[] {
  const { made, contract } = binding;
  const choices = listSent(binding).flatMap((field) => {
    // What a service falls back to shows the least.
    const flags = field.schema['default'] === true ? [false, true] : [true, false];
    const listed = field.type === 'boolean' ? flags : field.schema['enum'];
    const isOpen = Array.isArray(listed) && !isOneOfAll(field);
    const fitting = isOpen ? listed.filter((each: unknown) => fitsRecord(each, field, contract)) : [];
    return fitting.length > 1 ? [{ name: field.name, listed: fitting }] : [];
  });
  const count = Math.min(MOST_VALUES, Math.max(0, ...choices.map(({ listed }) => listed.length)));
  const combine = (index: number): RecordTemplate =>
    Object.fromEntries(choices.map(({ name, listed }) => [name, listed[index % listed.length] as unknown]));
  return Array.from({ length: count }, (_, index) => combine(index)).filter((changed) => {
    const isNew = Object.entries(changed).some(([name, value]) => !sameJson(made.plain[name], value));
    return isNew && isCreatable(changed, binding);
  });
}

function listEquals(binding: Binding): Row[] {
  const { roles, putsNew, resource } = binding.subject;
  const isShown = roles.create?.success.body === 'record';
  if (!isShown || putsNew !== undefined || resource.key.givenBy !== 'service') return [];
  return [{}, ...combineValues(binding)].slice(0, MOST_EQUAL).map((changed, index) => {
    return { id: String(index + 1), record: { ...binding.made.full, ...changed } };
  });
}

/** Neither rising nor falling, nor that of either turned round: the order of an array is a part of it (RFC 8259 section 5). */
function mixItems(field: Field, own: unknown, contract: Contract): unknown[] | undefined {
  if (field.type !== 'array' || !Array.isArray(own) || isSet(field, contract)) return undefined;
  const [least, middle, most] = listSorted(own[0], field, contract);
  const mixed = [
    [middle, most, least],
    [most, least],
    [middle, least],
  ];
  const isPossible = (items: unknown[]): boolean =>
    items.every((each) => each !== undefined) && contract.validate.value(field.schemaPointer, items).length === 0;
  return mixed.find(isPossible);
}

function listSorted(first: unknown, { schemaPointer }: Field, { document }: Contract): readonly unknown[] {
  const { pointer, value } = resolveAt(document, schemaPointer);
  if (asObject(value)['items'] === undefined) return [];
  const { enum: listed } = asObject(resolveAt(document, `${pointer}/items`).value);
  if (Array.isArray(listed))
    return listed.every((each) => typeof each === 'string') ? listed.toSorted().slice(0, 3) : [];
  if (typeof first === 'number') return [first, first + 1, first + 2];
  return typeof first === 'string' ? [`${first} a`, `${first} b`, `${first} c`] : [];
}

/** A service may store what the first item has, or one value of each member. Texts rise, so that sorting changes nothing. */
function varyItems({ type, schemaPointer }: Field, own: unknown, contract: Contract): unknown[] | undefined {
  const { document, validate } = contract;
  const [first] = Array.isArray(own) ? (own as unknown[]) : [];
  const isObject = typeof first === 'object' && first !== null && !Array.isArray(first);
  // What refers to a record of the run's own is made as it is.
  if (type !== 'array' || !isObject || printJson(first).includes('$')) return undefined;
  const items = `${resolveAt(document, schemaPointer).pointer}/items`;
  const members = readProperties(document, items).filter(({ name }) => Object.hasOwn(first, name));
  const isItem = (item: RecordTemplate): boolean => validate.value(items, item).length === 0;
  const vary = (turn: number): RecordTemplate => {
    let item = first as RecordTemplate;
    for (const { name, schemaPointer: at } of members) {
      const next = { ...item, [name]: varyValue(asObject(first)[name], asObject(resolveAt(document, at).value), turn) };
      item = isItem(next) ? next : item;
    }
    return item;
  };
  const required = new Set(members.filter((each) => each.required).map(({ name }) => name));
  const least = Object.fromEntries(Object.entries(vary(3)).filter(([name]) => required.has(name)));
  const all = [first as RecordTemplate, vary(1), vary(2), least];
  // Two items of one key may be one to a service.
  const several = members.some(({ name }) => isLikeKey(name)) ? [[vary(1)]] : [all, all.slice(0, 3), all.slice(0, 2)];
  const isNew = (list: readonly RecordTemplate[]): boolean =>
    list.every((each, index) => !list.slice(0, index).some((before) => sameJson(before, each)));
  return several.find(
    (list) =>
      !sameJson(list, own) && isNew(list) && list.every(isItem) && validate.value(schemaPointer, list).length === 0,
  );
}

function varyValue(own: unknown, schema: Record<string, unknown>, turn: number): unknown {
  const { enum: listed, format, pattern, maximum, multipleOf } = schema;
  if (Array.isArray(listed)) {
    const others = listed.filter((each) => each !== null && !sameJson(each, own));
    return others[(turn - 1) % Math.max(1, others.length)] ?? own;
  }
  if (typeof own === 'boolean') return turn % 2 === 1 ? !own : own;
  if (typeof own === 'string') return format === undefined && pattern === undefined ? `${own} ${turn + 1}` : own;
  if (typeof own !== 'number') return own;
  if (turn === 2 && typeof maximum === 'number') return maximum;
  return schema['type'] === 'number' && multipleOf === undefined ? own + turn / 4 : own + turn;
}

/** A value that only the service chooses, as a client sends it (JSON Schema Validation 2020-12 section 9.4). */
function listReadOnlyChoices(role: 'create' | 'update', binding: Binding): Row[] {
  const { subject, made, contract } = binding;
  const asked = subject.roles[role];
  if (asked === undefined) return [];
  const given = listGiven(asked, contract);
  const isReadOnly = ({ schemaPointer }: Field): boolean => hasMark(contract.document, schemaPointer, 'readOnly');
  const [plain, full] = role === 'create' ? [made.plain, made.full] : [{}, {}];
  return listServiceFields(binding)
    .filter((field) => field.type === 'string' && isReadOnly(field) && !given.has(field.name))
    .slice(0, MOST_FIELDS)
    .flatMap(({ name, values }) => values.slice(0, MOST_CHOICES).map((value) => ({ name, unlike: { [name]: value } })))
    .filter(({ unlike }) => isAllowed({ ...plain, ...unlike }, asked, contract))
    .map(({ name, unlike }) => {
      return { id: `${name}-${String(unlike[name])}`, field: name, record: { ...full, ...unlike }, unlike };
    });
}

export const VALUE_TABLES: Tables = {
  $values: listValues,
  $equals: listEquals,
  $equalPair: (binding) => listEquals(binding).slice(0, 1),
  $readOnlyChoices: (binding) => listReadOnlyChoices('create', binding),
  $readOnlyChoicesOfChanges: (binding) => listReadOnlyChoices('update', binding),
};
