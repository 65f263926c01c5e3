// The tables of scenarios that the contract fills: a row for each limit, filter, field, credentials, and for each gap that a request shows.
import {
  limitOf,
  listEnumFilters,
  listFreeNumbers,
  listFreeTexts,
  listUnsent,
} from '../../contract/gaps/gaps-of-contract.js';
import { addExactly } from '../../contract/document/json.js';
import { statesBothRejections } from '../../contract/operations/operations.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import type { Row } from '../model/scenario.js';
import type { Binding, Tables } from '../resources/instance.js';
import { listInvalid, MOST_INVALID, spend } from '../resources/invalid-records.js';
import { readCases } from '../resources/field-values.js';
import type { Field } from '../resources/resource-under-test.js';
import { ACCESS_TABLES } from './access.js';
import { CHANGE_TABLES, listInvalidChanges } from './changes.js';
import { CREDENTIAL_TABLES } from './credentials.js';
import { KEY_TABLES } from './keys.js';
import { boundLimits, LIST_TABLES, takes } from './lists.js';
import { OTHER_TABLES } from './other-operations.js';
import { PARAMETER_TABLES } from './parameters.js';
import { readTexts, TEXT_TABLES } from './texts.js';
import { VALUE_TABLES } from './values.js';

function listLimitForms(binding: Binding): Row[] {
  return pickLimits(binding, 1).flatMap((limit) =>
    readCases('numbers', 'forms').flatMap(({ id, text = '' }) => {
      const written = encodeURIComponent(text.replace('{own}', String(limit)));
      return askLimit(binding, id, written).map((row) => Object.assign(row, { limit }));
    }),
  );
}

function askLimit({ subject }: Binding, id: string, text = id): Row[] {
  const limit = limitOf(subject.roles);
  return limit === undefined ? [] : [{ id, query: `${limit.name}=${text}` }];
}

function listBounds(binding: Binding, rule: 'minimum' | 'maximum', step: number): Row[] {
  const bound = limitOf(binding.subject.roles)?.schema[rule];
  if (typeof bound !== 'number') return [];
  return askLimit(binding, String(bound + step)).map((row) => Object.assign(row, { bound }));
}

function pickLimits(binding: Binding, count: number): number[] {
  const limit = limitOf(binding.subject.roles);
  const { minimum, enum: listed } = limit?.schema ?? {};
  const least = Math.max(2, typeof minimum === 'number' ? minimum : 0);
  const few = Array.isArray(listed)
    ? listed.filter((each) => typeof each === 'number' && each >= 2)
    : [least, least + 1];
  const found = limit === undefined ? [] : boundLimits(binding, few);
  return found.length < count ? [] : found.slice(0, count);
}

function askLimitTwice(binding: Binding): Row[] {
  const name = limitOf(binding.subject.roles)?.name ?? '';
  const [first, last] = pickLimits(binding, 2);
  if (first === undefined || last === undefined) return [];
  return [{ id: name, query: `${name}=${first}&${name}=${last}`, first, last }];
}

function askFilter({ subject: { roles } }: Binding, change: (value: string) => string): Row[] {
  const [filter] = listEnumFilters(roles.list);
  if (filter === undefined) return [];
  const { name, schema } = filter;
  const values = schema['enum'] as string[];
  const [value = ''] = values;
  const other = change(value);
  if (values.includes(other)) return [];
  const query = (text: string): string => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
  const field = roles.list?.list?.filters.find(({ parameter }) => parameter === name)?.property.at(-1) ?? name;
  const all = { items: { properties: { [field]: { const: value } } } };
  return [{ id: name, query: query(other), exact: query(value), unknown: query('no-such-value-cf'), all }];
}

const RECORDS = [
  { made: 'plain', key: '$records.create-full.key' },
  { made: 'other', key: '$records.created-alone.key' },
] as const;

/** Beside, at and beyond the value of a record that the run has created, of the first parameter that is such a bound. */
function listRangeBounds(relation: 'from' | 'to', binding: Binding): Row[] {
  const { subject, made } = binding;
  const filters = subject.roles.list?.list?.filters ?? [];
  const filter = filters.find((each) => each.relation === relation);
  const opposite = filters.find(
    ({ relation: other, property }) =>
      other === (relation === 'from' ? 'to' : 'from') && property.join('.') === filter?.property.join('.'),
  );
  const field = subject.fields.find(({ name, isShown }) => isShown && name === filter?.property[0]);
  if (filter === undefined || field === undefined || filter.property.length > 1) return [];
  const { parameter } = filter;
  const isTaken = (value: unknown, by: { parameter: string }): boolean =>
    (typeof value === 'number' || typeof value === 'string') && takes(value, by, binding);
  // Fewer records share the values of the other one, and a page of many may not have it.
  const records = made.plain[field.name] === made.other[field.name] ? RECORDS : RECORDS.toReversed();
  const rows = records.flatMap(({ made: record, key }) => {
    const value = made[record][field.name];
    const [below, above] = [-1, 1].map((step) => stepFrom(value, step, field));
    const [inside, outside] = relation === 'from' ? [below, above] : [above, below];
    if (![inside, value, outside].every((each) => isTaken(each, filter))) return [];
    // A short list has the record on its first page.
    const isNarrow = opposite !== undefined && isTaken(above, opposite) && isTaken(below, opposite);
    const beside = isNarrow ? { [opposite.parameter]: relation === 'from' ? above : below } : {};
    const ask = (bound: unknown): Row['filter'] => ({ [parameter]: bound, ...beside });
    return [{ id: parameter, key, inside: ask(inside), at: ask(value), outside: ask(outside) }];
  });
  return rows.slice(0, 1);
}

const DAY_MS = 86_400_000;

/** `undefined` of what has no neighbours that every service orders in the same way. */
function stepFrom(value: unknown, step: number, { schema }: Field): unknown {
  if (typeof value === 'number') return addExactly(value, step * Math.max(1, Number(schema['multipleOf'] ?? 1)));
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time) || !String(schema['format']).startsWith('date')) return undefined;
  const text = new Date(time + step * DAY_MS).toISOString();
  return schema['format'] === 'date' ? text.slice(0, 'yyyy-mm-dd'.length) : text;
}

/** Texts that a record certainly has come first, so that a rejection can only be about them; a reference to another record is none. */
function listTextsWith(text: string, { subject, made, contract }: Binding, most = 1, id?: string): Row[] {
  const isOwnText = (value: unknown): boolean => typeof value === 'string' && !value.startsWith('$scenarios.');
  const free = listFreeTexts(subject.roles.create, subject.resource, contract);
  const own = free.filter(({ name }) => Object.hasOwn(made.full, name) && isOwnText(made.full[name]));
  return own.slice(0, most).map(({ name }) => ({ id: id ?? name, with: { [name]: text } }));
}

function listNegativeNumbers({ subject, made, contract }: Binding): Row[] {
  const free = listFreeNumbers(subject.roles.create, subject.resource, contract);
  const own = free.filter(({ name }) => typeof made.full[name] === 'number');
  return own.slice(0, 1).map(({ name }) => ({ id: name, with: { [name]: -1 } }));
}

function listTwiceRejected(binding: Binding): Row[] {
  const { create, replace } = binding.subject.roles;
  const isOpen = (each: RoleOperation | undefined) => each !== undefined && statesBothRejections(each.operation);
  const role = isOpen(create) ? 'create' : 'replace';
  const ofReplace = isOpen(replace) ? listInvalidChanges('replace', binding) : [];
  const [row] = isOpen(create) ? listInvalid(binding) : ofReplace;
  return row === undefined ? [] : [{ ...row, role }];
}

function listUnsetFields({ subject, made, contract }: Binding): Row[] {
  const unsent = listUnsent(subject.roles.create, subject.resource, contract.document);
  const lacking = unsent.filter(({ name }) => !Object.hasOwn(made.minimal, name));
  return lacking.slice(0, 1).map(({ name }) => ({ id: name, names: [name], isNull: { [name]: { type: 'null' } } }));
}

const GAP_TABLES: Tables = {
  $limitsBelow: (binding) => listBounds(binding, 'minimum', -1),
  $limitsAbove: (binding) => listBounds(binding, 'maximum', 1),
  $limitsBroken: (binding) => askLimit(binding, 'ten'),
  $limitsEmpty: (binding) => askLimit(binding, 'empty', ''),
  $limitForms: listLimitForms,
  $limitTwice: askLimitTwice,
  $shortLimits: (binding) => pickLimits(binding, 1).map((limit) => ({ id: `limit-${limit}`, limit })),
  $filterUnknown: (binding) => askFilter(binding, () => 'no-such-value-cf'),
  $filterEmpty: (binding) => askFilter(binding, () => ''),
  $filterCase: (binding) =>
    askFilter(binding, (own) => (own === own.toUpperCase() ? own.toLowerCase() : own.toUpperCase())),
  $lowerBounds: (binding) => listRangeBounds('from', binding),
  $upperBounds: (binding) => listRangeBounds('to', binding),
  $twiceRefused: listTwiceRejected,
  $unsetFields: listUnsetFields,
  $emptyTexts: (binding) => listTextsWith('', binding, 2),
  $blankTexts: (binding) => listTextsWith('   ', binding),
  // As many bytes as any text of special characters has.
  $plainTexts: (binding) => listTextsWith('{$unique}xxxx', binding),
  $textKinds: (binding) => readTexts('kinds').flatMap(({ id, text }) => listTextsWith(text, binding, 1, id)),
  $longTexts: (binding) => listTextsWith('$each#/name', binding).map((row) => Object.assign(row, { field: row.id })),
  $negativeNumbers: listNegativeNumbers,
};

export const TABLES: Tables = {
  ...GAP_TABLES,
  ...ACCESS_TABLES,
  ...CHANGE_TABLES,
  ...CREDENTIAL_TABLES,
  ...KEY_TABLES,
  ...LIST_TABLES,
  ...OTHER_TABLES,
  ...PARAMETER_TABLES,
  ...TEXT_TABLES,
  ...VALUE_TABLES,
  $invalid: (binding) => spend(listInvalid(binding), MOST_INVALID),
};
