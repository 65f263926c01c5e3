import type { Contract } from '../../../contract/contract.js';
import { resolveAt } from '../../../contract/document/references.js';
import { listUnique, saysLeft, saysReplaced } from '../../../contract/operations/said-in-words.js';
import { asObject } from '../../../contract/document/plain.js';
import { sampleValue } from '../../../contract/samples/sample.js';
import { comesFromAnswer } from '../../wire/request/template.js';
import { Inapplicable } from '../binding.js';
import { fitReplacement } from '../records/fit-replacement.js';
import { readProperties } from '../../../contract/operations/properties.js';
import { formOf, recordTypeOf, type RoleOperation } from '../../../contract/resources/resource.js';
import type { Row } from '../../model/raw-scenario.js';
import { listInvalid, spend, type InvalidRecord } from '../records/invalid-records.js';
import type { MadeRecords, RecordTemplate } from '../records/made-records.js';
import { isOfOneRecord } from '../records/unique-texts.js';
import { findViolation, isInvalid, isMergePatch, listGiven } from '../request-body.js';
import type { Subject } from '../subject.js';
import type { TableSource } from './table-source.js';
import { listForeign } from './values.js';

/** Updates of further fields are assumed to behave like those of the first. */
const MOST_CHANGES = 6;

export function listChanges({ subject, made, contract }: TableSource): Row[] {
  const update = subject.roles.update;
  if (update === undefined) return [];
  const described = listGiven(update, contract);
  const single = made.changed.filter(
    (name) => described.has(name) && isAllowed({ [name]: made.plain[name] }, update, contract),
  );
  const areAll = made.changed.every((name) => described.has(name));
  const whole = withoutKey(made.plain, subject);
  if (single.length === 0 && made.changed.length > 0 && areAll && isAllowed(whole, update, contract))
    return [{ id: 'everything', names: made.changed, record: withoutKey(made.other, subject) }];
  const kept = new Set(
    single.toSorted((one, other) => placeOf(one, single, made) - placeOf(other, single, made)).slice(0, MOST_CHANGES),
  );
  // Of what a change leaves out, nothing is looked at where it may replace the whole.
  const changed = mayReplace(update, contract) ? Object.keys(made.full) : undefined;
  return single
    .filter((name) => kept.has(name))
    .map((name) => ({ id: name, names: changed ?? [name], record: { [name]: made.other[name] } }));
}

/** Whether an update may take the place of the whole record: one that is said to replace, or a POST that says nothing. */
function mayReplace({ operation, requestPointer = '' }: RoleOperation, { document }: Contract): boolean {
  const said = asObject(document.at(operation.pointer));
  if (saysReplaced(operation.id, said)) return true;
  const isPartial = readProperties(document, requestPointer).every(({ required }) => !required);
  return operation.method !== 'PATCH' && !isPartial && !saysLeft(said);
}

/** A field of each type comes before the second of any. */
function placeOf(name: string, names: readonly string[], { other }: MadeRecords): number {
  const typeOf = (each: string): string => (Array.isArray(other[each]) ? 'array' : typeof other[each]);
  return names.filter((each) => typeOf(each) === typeOf(name)).indexOf(name);
}

/** Each change that takes a body. */
export function listChangesOfBodies({ subject: { roles } }: TableSource): Row[] {
  return (['update', 'replace'] as const).flatMap((role) => {
    const { operation } = roles[role] ?? {};
    return operation === undefined || formOf(operation, recordTypeOf(operation)) !== undefined
      ? []
      : [{ id: role, role, operation: operation.id }];
  });
}

/** An update with another key would update another record. */
function withoutKey(record: RecordTemplate, { resource: { key } }: Subject): RecordTemplate {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key.property));
}

function isAllowed(record: unknown, operation: RoleOperation, contract: Contract): boolean {
  return findViolation(record, operation, contract) === undefined;
}

/** How many refused changes of a role are tried, with a look at the record behind each. */
export const MOST_INVALID_CHANGES = 80;

export function listInvalidChanges(role: 'update' | 'replace', source: TableSource): Row[] {
  const rows = spend(listAllInvalidChanges(role, source), MOST_INVALID_CHANGES);
  return spread(rows).map(({ id, words, record }) => ({ id, words, record }));
}

/** The first of them, beside a valid change of another field. */
export function listPartlyInvalidChanges(source: TableSource): Row[] {
  const valid = listChanges(source);
  const [row] = listInvalidChanges('update', source).flatMap(({ id, words, record }) => {
    const names = Object.keys(record as RecordTemplate);
    const beside = valid.find((each) => !names.includes(each.id));
    if (names.length !== 1 || beside === undefined) return [];
    return [{ id, words, beside: beside.id, record: { ...(beside['record'] as object), ...(record as object) } }];
  });
  return row === undefined ? [] : [row];
}

/** All that the contract does not allow of a change, of which a run spends its budget on some. */
export function listAllInvalidChanges(role: 'update' | 'replace', source: TableSource): InvalidRecord[] {
  const { subject, contract } = source;
  const change = subject.roles[role];
  if (change === undefined) return [];
  const fit = fitTo(source, change);
  const single = listInvalid(source).flatMap((row) => {
    const { field, record } = row;
    if (role === 'replace') return fit === undefined ? [] : [{ ...row, record: fit(row) }];
    return Object.hasOwn(record, field) ? [{ ...row, record: { [field]: record[field] } }] : [];
  });
  const none = { id: 'nothing', words: 'of nothing', field: '', path: '', record: {} };
  const kept = listRequired(subject, contract);
  // In a merge patch, null removes a field: what every record has cannot be removed.
  const isRemoval = ({ id, field, path }: InvalidRecord): boolean =>
    isMergePatch(change) && id.endsWith('-that-is-null') && !(path === field && kept.has(field));
  return [...single, ...(role === 'update' ? [none] : [])].filter(
    (row) => !isRemoval(row) && isInvalid(showKey(row.record, source, change), change, contract),
  );
}

/**
 * What makes of an invalid record one that breaks nothing else where it replaces another: the key is that of the record in the
 * path, and it has what a replacement has besides; `undefined` where nothing valid can replace one.
 */
function fitTo(
  { subject, made, contract }: TableSource,
  operation: RoleOperation,
): ((row: InvalidRecord) => RecordTemplate) | undefined {
  const { property } = subject.resource.key;
  const whole = tryFit(made.plain, victimOf(subject), { binding: { subject, made, contract }, operation });
  if (whole === undefined) return undefined;
  const isOwn = (name: string): boolean => Object.hasOwn(made.plain, name) && name !== property;
  return ({ field, record }) => {
    const added = Object.entries(whole).filter(([name]) => !isOwn(name) && name !== field);
    const named = Object.entries(record).filter(
      ([name]) => name === field || Object.hasOwn(whole, name) || !Object.hasOwn(made.plain, name),
    );
    return { ...Object.fromEntries(named), ...Object.fromEntries(added) };
  };
}

/** With a key that the contract allows in place of one that only the run will know. */
function showKey(
  record: RecordTemplate,
  { subject, made, contract }: TableSource,
  { requestPointer = '' }: RoleOperation,
): RecordTemplate {
  const { property } = subject.resource.key;
  if (!comesFromAnswer(record[property])) return record;
  const sampled = asObject(sampleValue(contract.document, requestPointer, { without: 'readOnly' }));
  return { ...record, [property]: made.plain[property] ?? sampled[property] };
}

/** The key of the record that invalid changes are sent to. */
function victimOf({ name }: Subject): string {
  return `$scenarios.${name}/refusals/victim.outputs.key`;
}

function tryFit(...given: Parameters<typeof fitReplacement>): RecordTemplate | undefined {
  try {
    return fitReplacement(...given);
  } catch (error) {
    if (error instanceof Inapplicable) return undefined;
    throw error;
  }
}

function listRequired({ resource }: Subject, { document }: Contract): Set<string> {
  const properties = readProperties(document, resource.schemaPointer);
  return new Set(properties.filter(({ required }) => required).map(({ name }) => name));
}

/** The first row of each member, then the second of each. */
function spread(rows: readonly InvalidRecord[]): InvalidRecord[] {
  const turns = new Map<string, number>();
  const placed = rows.map((row) => {
    const turn = turns.get(row.path) ?? 0;
    turns.set(row.path, turn + 1);
    return { row, turn };
  });
  return placed.toSorted((one, other) => one.turn - other.turn).map(({ row }) => row);
}

/** All changes in one, so that each list or filter is requested once. */
export function mergeChanges(source: TableSource): Row[] {
  const rows = listChanges(source);
  const { update } = source.subject.roles;
  if (rows.length === 0 || update === undefined) return [];
  const record = Object.assign({}, ...rows.map((row) => row['record'])) as RecordTemplate;
  const plain = Object.fromEntries(Object.keys(record).map((name) => [name, source.made.plain[name]]));
  return isAllowed(plain, update, source.contract) ? [{ id: 'all', record }] : rows.slice(0, 1);
}

/** Updates of fields that only the service sets. */
export function listReadOnlyChanges({ subject, contract }: TableSource): Row[] {
  const { update } = subject.roles;
  if (update === undefined) return [];
  return listForeign(subject, update, contract)
    .filter(({ name, sample }) => isAllowed({ [name]: sample }, update, contract))
    .map(({ name, value }) => ({ id: name, record: { [name]: value }, unlike: { [name]: value } }));
}

/** Replacements that name what only the service sets, but for the key: that of the path is meant. */
export function listReadOnlyReplacements({ subject, made, contract }: TableSource): Row[] {
  const { replace } = subject.roles;
  if (replace === undefined) return [];
  return listForeign(subject, replace, contract)
    .filter(({ name }) => name !== subject.resource.key.property)
    .filter(({ name, sample }) => isAllowed({ ...made.plain, [name]: sample }, replace, contract))
    .slice(0, MOST_REPLACEMENTS)
    .map(({ name, value }) => ({ id: name, record: { [name]: value }, unlike: { [name]: value } }));
}

const MOST_REPLACEMENTS = 2;

/** {@link listTakenTexts}, where the contract says of the 409 of a create which of them another has. */
export function listUniqueTexts({ subject, made, contract: { document } }: TableSource): Row[] {
  const { create } = subject.roles;
  const conflict = create === undefined ? {} : resolveAt(document, `${create.operation.pointer}/responses/409`).value;
  if (subject.resource.key.givenBy === 'client') return [];
  const names = listUnique(
    asObject(conflict),
    Object.keys(made.full).filter((name) => isOfOneRecord(made.full[name])),
  );
  const texts = Object.fromEntries(names.map((name) => [name, sentWhole(subject, name)]));
  return names.length === 0 ? [] : [{ id: 'texts', texts }];
}

/**
 * The texts of the run's own that a change may set, as those of another record. Where a service is found to want some, they are
 * known only then.
 */
export function listTakenTexts({ subject, made, contract }: TableSource): Row[] {
  const { create, update, replace } = subject.roles;
  const changes = [update ?? [], replace ?? []].flat();
  if (create === undefined || changes.length === 0 || subject.resource.key.givenBy === 'client') return [];
  const described = changes.map((each) => listGiven(each, contract));
  const names = Object.keys(made.full).filter(
    (name) => isOfOneRecord(made.full[name]) && described.every((given) => given.has(name)),
  );
  return [
    {
      id: 'texts',
      names,
      texts: Object.fromEntries(names.map((name) => [name, sentWhole(subject, name)])),
    },
  ];
}

function sentWhole({ name: resource }: Subject, name: string): string {
  return `$scenarios.${resource}/records/create-full.outputs.sent#/${name}`;
}
