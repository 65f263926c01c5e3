import { asObject } from '../../../../contract/document/plain.js';
import type { Contract } from '../../../../contract/contract.js';
import type { Parameter } from '../../../../contract/model.js';
import { areApart, readValueShape } from '../../../../contract/operations/properties.js';
import { readText } from '../../../../contract/read-text.js';
import type { Filter } from '../../../../contract/resources/resource.js';
import type { Row } from '../../../model/raw-scenario.js';
import { fillUnique } from '../../records/unique-texts.js';
import { findViolation, listGiven } from '../../request-body.js';
import type { Field, Subject } from '../../subject.js';
import { escapeFirst } from '../../../wire/request/encode.js';
import { boundLimits, isWalkable, sizeParameter } from './bounds.js';
import type { TableSource } from '../table-source.js';

export function listFilters(source: TableSource): Row[] {
  const { subject } = source;
  const filters = subject.roles.list?.list?.filters ?? [];
  return filters.flatMap((filter) => readFilter(filter, source) ?? []);
}

/** A filter by a field that a record shows as it was sent; other filters are not tried. */
function findField({ property, relation }: Filter, { subject, contract }: TableSource): Field | undefined {
  const [name, ...deeper] = property;
  if (relation !== 'equals' || deeper.length > 0) return undefined;
  return subject.fields.find((field) => field.name === name && field.isShown && hasOneForm(field, contract));
}

/** A record may have a number where a request has a text; which number is up to the service. */
function hasOneForm({ schemaPointer, recordPointer }: Field, { document }: Contract): boolean {
  if (recordPointer === undefined) return true;
  return !areApart(readValueShape(document, schemaPointer, 0), readValueShape(document, recordPointer, 0));
}

/** For texts and moments, the contract does not say whether a part, another case or a range matches. */
function isExact({ type, schema }: Field): boolean {
  if (type === 'boolean' || type === 'integer' || type === 'number') return true;
  return Array.isArray(schema['enum']) || schema['format'] === 'date';
}

/** A filter by a field that the run sets, so that one value matches its record and another does not. */
function readFilter(filter: Filter, source: TableSource): Row | undefined {
  const { subject, made } = source;
  const { parameter } = filter;
  const field = findField(filter, source);
  if (field === undefined || !made.changed.includes(field.name) || !isExact(field)) return undefined;
  const { name } = field;
  const own = ownValue(name, subject);
  const other = made.other[name];
  if (![made.full[name], other].every((value) => isTaken(value, filter, source))) return undefined;
  return {
    id: parameter,
    field: name,
    fitting: { [parameter]: own },
    fittingValue: { [name]: own },
    other: { [parameter]: other },
    otherValue: { [name]: other },
  };
}

function ownValue(name: string, subject: Subject): string {
  return `$scenarios.${subject.name}/records/create-full.outputs.sent#/${name}`;
}

/** However a filter reads a text, the whole text matches; and a key belongs to one record alone. */
export function listFittingFilters(source: TableSource): Row[] {
  const { subject, made } = source;
  return (subject.roles.list?.list?.filters ?? []).flatMap((filter) => {
    if (filter.relation === 'contains') return readItemFilter(filter, source) ?? [];
    const field = findField(filter, source);
    if (field === undefined || !Object.hasOwn(made.full, field.name)) return [];
    const isReference = String(made.full[field.name]).startsWith('$scenarios.');
    const isText = field.type === 'string' && !isExact(field);
    if (!isReference && !isText) return [];
    if (!isTaken(made.full[field.name], filter, source)) return [];
    const own = ownValue(field.name, subject);
    const other = findUnknown(filter, source);
    if (other === undefined) return [];
    const row = { id: filter.parameter, fitting: { [filter.parameter]: own }, other: { [filter.parameter]: other } };
    return [{ ...row, fittingValue: isReference ? { [field.name]: own } : {} }];
  });
}

/** A filter by an item of a list in the record, beside one by another item that the record does not have. */
function readItemFilter(filter: Filter, source: TableSource): Row | undefined {
  const [name = '', ...deeper] = filter.property;
  const { subject, made } = source;
  const field = subject.fields.find((each) => each.name === name && each.isShown);
  const items = made.full[name];
  if (field === undefined || deeper.length > 0 || !Array.isArray(items) || items.length === 0) return undefined;
  const [own] = items as unknown[];
  const listed = findParameter(filter, subject)?.schema['enum'] ?? asObject(field.schema['items'])['enum'];
  const other = Array.isArray(listed) ? listed.find((each) => !items.includes(each)) : findUnknown(filter, source);
  if (typeof own !== 'string' || other === undefined || !isTaken(own, filter, source)) return undefined;
  const { parameter } = filter;
  return {
    id: parameter,
    fitting: { [parameter]: `${ownValue(name, subject)}/0` },
    fittingValue: {},
    other: { [parameter]: other },
  };
}

const UNKNOWN: readonly unknown[] = [1_999_999_973, '3f2b8c4e-9d1a-4e7b-8c55-c0ffee0ddba1', 'no-such-text-cf'];

/** Whether the contract allows a filter the value of a field: a name may be any text, and a filter by it only a UUID. */
function isTaken(value: unknown, filter: Filter, { subject, contract }: TableSource): boolean {
  const parameter = findParameter(filter, subject);
  if (parameter?.schemaPointer === undefined) return true;
  const text = String(value);
  // What a run will have found out is not known yet.
  if (text.startsWith('$scenarios.')) return true;
  const filled = fillUnique(text);
  return (
    filled === undefined || contract.validate.value(parameter.schemaPointer, readText(filled, parameter)).length === 0
  );
}

export function findParameter(filter: Filter, { roles }: Subject): Parameter | undefined {
  const parameters = roles.list?.operation.parameters ?? [];
  return parameters.find(({ name, in: place }) => name === filter.parameter && place === 'query');
}

/** A value that no record has. */
function findUnknown(filter: Filter, { subject, contract }: TableSource): unknown {
  const pointer = findParameter(filter, subject)?.schemaPointer;
  if (pointer === undefined) return undefined;
  return UNKNOWN.find((value) => contract.validate.value(pointer, value).length === 0);
}

/** Filters by what an update or a replacement changes. */
export function listChangedFilters(role: 'update' | 'replace', source: TableSource): Row[] {
  const { subject, made, contract } = source;
  const change = subject.roles[role];
  if (change === undefined) return [];
  const described = listGiven(change, contract);
  return listFilters(source).flatMap((row) => {
    const name = String(row['field']);
    if (!described.has(name)) return [];
    const record = role === 'replace' ? made.plain : { [name]: made.other[name] };
    if (findViolation(record, change, contract) !== undefined) return [];
    const before = { [row.id]: `$steps.create.outputs.sent#/${name}` };
    return [{ id: row.id, record: { [name]: made.other[name] }, before, after: row['other'] }];
  });
}

/** How many values of an enumeration are tried. */
const MOST_VALUES = 6;

export function listFilterValues(source: TableSource): Row[] {
  const { subject } = source;
  return (subject.roles.list?.list?.filters ?? []).flatMap((filter) => {
    const field = findField(filter, source);
    const listed = field?.type === 'boolean' ? [true, false] : field?.schema['enum'];
    if (field === undefined || !Array.isArray(listed)) return [];
    const { parameter } = filter;
    const values = listed.filter((value) => typeof value === 'string' || typeof value === 'boolean');
    return values.slice(0, MOST_VALUES).map((value) => ({
      id: `${parameter}-${value}`,
      parameter,
      field: field.name,
      value,
      filter: { [parameter]: value },
      every: { [field.name]: value },
    }));
  });
}

/**
 * A filter by a word beside a page that is shorter than what it chooses, or else by what the run's own record has: the total
 * counts what the filter chooses.
 */
export function listTotalFilters(source: TableSource): Row[] {
  const [size] = boundLimits(source, [5]);
  const own = listChoices(source).filter(({ field, value }) => source.made.full[String(field)] === value);
  const ofWords = own.map(({ id, parameter, value, filter, every }) => {
    const words = `${String(parameter)}=${String(value)}`;
    return { id, words, filter, every, size, parameter };
  });
  const ofOwn = [...listFilters(source), ...listFittingFilters(source)].map(({ id, fitting, fittingValue }) => {
    return { id, words: `\`${id}\``, filter: fitting, every: fittingValue, size, parameter: id };
  });
  return [...ofWords, ...ofOwn].slice(0, 1);
}

/** Those by a word: a flag may as well include what is left out without it. */
export function listChoices(source: TableSource): Row[] {
  return listFilterValues(source).filter(({ value }) => typeof value === 'string');
}

/** {@link listChoices} with another value of the same filter: of a list in which all have one, a filter shows nothing. */
export function listChoicesOfSeveral(source: TableSource): Row[] {
  const rows = listChoices(source);
  return rows.flatMap((row, index) => {
    const own = [...rows.slice(index + 1), ...rows.slice(0, index)];
    const other = own.find(({ parameter }) => parameter === row['parameter']);
    return other === undefined ? [] : [{ ...row, others: other['filter'], everyOther: other['every'] }];
  });
}

/** The filters by one of a few values, each by the value that most of the run's records have, in pages shorter than the list. */
export function listPagedFilters(source: TableSource): Row[] {
  const [size] = boundLimits(source, [5, 2]);
  if (size === undefined || !isWalkable(source.subject)) return [];
  const own = listFilterValues(source).filter(({ field, value }) => source.made.full[String(field)] === value);
  return own.map((row) => Object.assign({}, row, { id: String(row['parameter']), size }));
}

/** The first values of a filter beside a limit, the limit behind it too: a service may read only what comes first. */
export function listFilteredLimits(source: TableSource): Row[] {
  const limits = boundLimits(source, [1, 10, 5]);
  const size = sizeParameter(source.subject.roles.list?.list?.paging);
  if (limits.length === 0 || size === undefined) return [];
  return listChoices(source)
    .slice(0, MOST_LIMITED)
    .map((row, index) => {
      const limit = limits[index % limits.length];
      return Object.assign({}, row, { limit, query: `${nameValue(row)}&${encodeURIComponent(size)}=${limit}` });
    });
}

const MOST_LIMITED = 3;

function nameValue({ parameter, value }: Row): string {
  return `${encodeURIComponent(String(parameter))}=${encodeURIComponent(String(value))}`;
}

/** A filter in another spelling of its name or its value, beside one by another value that shows what it leaves out. */
export function listEscapedFilters(source: TableSource): Row[] {
  const all = listChoices(source);
  const row = all.find(({ field, value }) => source.made.full[String(field)] === value);
  const other = all.find(({ parameter, value }) => parameter === row?.['parameter'] && value !== row?.['value']);
  if (row === undefined || other === undefined) return [];
  const [name = '', value = ''] = nameValue(row).split('=');
  const parameter = String(row['parameter']);
  return [
    { ...row, id: `${parameter}-name`, part: 'name', query: `${escapeFirst(name)}=${value}`, others: other['filter'] },
    {
      ...row,
      id: `${parameter}-value`,
      part: 'value',
      query: `${name}=${escapeFirst(value)}`,
      others: other['filter'],
    },
  ];
}
