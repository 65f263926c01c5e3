// Updates and replacements: of each field, to what a program takes for nothing, of one member, and those that the contract does not allow.
import { formOf, recordTypeOf } from '../../contract/media-types.js';
import { escapePointer } from '../../contract/document/document.js';
import { printJson, sameJson } from '../../contract/document/json.js';
import { asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { hasMark, readProperties } from '../../contract/operations/properties.js';
import { readReplacing } from '../../contract/gaps/gaps-of-contract.js';
import { listUnique, saysLeft, saysReplaced } from '../../contract/operations/said-in-words.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import { plainName } from '../../contract/resources/words.js';
import { sampleValue } from '../../contract/samples/sample.js';
import type { Row } from '../model/scenario.js';
import { comesFromAnswer } from '../http/template.js';
import { isCreatable, listDroppable, listRoles, listSent, readDefault, fitReplacement } from '../resources/instance.js';
import type { Binding, Tables } from '../resources/instance.js';
import { isAllowed, isInvalid, isMergePatch, listGiven, isUniqueForSure, isUnique } from '../resources/fit-record.js';
import { listInvalid, spend, takeTurns, type InvalidRecord } from '../resources/invalid-records.js';
import { listExampleBodies } from '../resources/instantiate-resources.js';
import { isOneOfAll, pick, type RecordTemplate } from '../resources/resource-under-test.js';

const MOST_CHANGES = 6;
const MOST_READ_ONLY = 4;
const MOST_REPLACEMENTS = 2;

function listChanges(binding: Binding): Row[] {
  const { subject, made, contract } = binding;
  const { update } = subject.roles;
  if (update === undefined) return [];
  const described = listGiven(update, contract);
  const isSingle = (name: string): boolean => isAllowed({ [name]: made.plain[name] }, update, contract);
  const single = made.changed.filter((name) => described.has(name) && isSingle(name));
  const areAll = made.changed.every((name) => described.has(name));
  // An update with another key would update another record.
  const { [subject.resource.key.property]: _own, ...whole } = made.plain;
  const { [subject.resource.key.property]: _other, ...record } = made.other;
  if (single.length === 0 && made.changed.length > 0 && areAll && isAllowed(whole, update, contract))
    return [{ id: 'everything', names: made.changed, record }];
  const typeOf = (name: string): string => (Array.isArray(made.other[name]) ? 'array' : typeof made.other[name]);
  const first = new Set(takeTurns(single, typeOf).slice(0, MOST_CHANGES));
  // Of what a change leaves out, nothing is looked at where it may replace the whole: one that is said to, or a POST that says nothing.
  const { operation, requestPointer = '' } = update;
  const said = asObject(contract.document.at(operation.pointer));
  const isPartial = readProperties(contract.document, requestPointer).every(({ required }) => !required);
  const mayReplace =
    saysReplaced(operation.id, said) || (operation.method !== 'PATCH' && !isPartial && !saysLeft(said));
  const changed = mayReplace ? Object.keys(made.full) : undefined;
  return single
    .filter((name) => first.has(name))
    .map((name) => {
      const before = lengthen(name, binding);
      return { id: name, names: changed ?? [name], before, record: { [name]: made.other[name] } };
    });
}

/** A list that an update makes shorter: what merges lists by their places keeps the rest. */
function lengthen(name: string, binding: Binding): RecordTemplate | undefined {
  const [own, other] = [binding.made.full[name], binding.made.other[name]] as [unknown, unknown];
  if (!Array.isArray(own) || !Array.isArray(other) || own.length > other.length) return undefined;
  const longer = { [name]: [...(other as unknown[]), ...(own as unknown[])] };
  return isCreatable(longer, binding) ? longer : undefined;
}

function listChangesOfBodies(binding: Binding): Row[] {
  return listRoles(['update', 'replace'], binding).filter(({ role }) => {
    const { operation } = binding.subject.roles[role] ?? {};
    return operation !== undefined && formOf(operation, recordTypeOf(operation)) === undefined;
  });
}

function mergeChanges(binding: Binding): Row[] {
  const rows = listChanges(binding);
  const { update } = binding.subject.roles;
  if (rows.length === 0 || update === undefined) return [];
  const record = Object.assign({}, ...rows.map((row) => row['record'])) as RecordTemplate;
  const plain = Object.fromEntries(Object.keys(record).map((name) => [name, binding.made.plain[name]]));
  return isAllowed(plain, update, binding.contract) ? [{ id: 'all', record }] : rows.slice(0, 1);
}

/** The roles that change a record, each with what it sends of one. */
export function listBodiesOfChanges(binding: Binding) {
  const [change] = mergeChanges(binding);
  return listRoles(['replace', 'update', 'remove'], binding).flatMap((row) => {
    const record = row.role === 'update' ? change?.['record'] : '$other';
    return record === undefined ? [] : [{ ...row, record }];
  });
}

/** How many rejected changes of a role are tried, with a look at the record behind each. */
export const MOST_INVALID_CHANGES = 80;

export function listInvalidChanges(role: 'update' | 'replace', binding: Binding): InvalidRecord[] {
  return takeTurns(spend(listAllInvalidChanges(role, binding), MOST_INVALID_CHANGES), ({ path }) => path);
}

function listPartlyInvalidChanges(binding: Binding): Row[] {
  // A state, a service may move on by itself.
  const isChoice = ({ id }: Row): boolean =>
    binding.subject.fields.some(({ name, schema }) => name === id && schema['enum'] !== undefined);
  const valid = listChanges(binding).toSorted((one, other) => Number(isChoice(one)) - Number(isChoice(other)));
  const rows = listInvalidChanges('update', binding).flatMap(({ id, words, record }) => {
    const names = Object.keys(record);
    const beside = valid.find((each) => !names.includes(each.id));
    if (names.length !== 1 || beside === undefined) return [];
    return [{ id, words, beside: beside.id, record: { ...(beside['record'] as object), ...record } }];
  });
  const [first] = rows;
  const second = rows.find(({ id, beside }) => beside !== first?.beside || id.split('-')[0] !== first.id.split('-')[0]);
  return [first, second].filter((row) => row !== undefined);
}

const NOTHING: InvalidRecord = { id: 'nothing', words: 'of nothing', field: '', path: '', record: {} };

export function listAllInvalidChanges(
  role: 'update' | 'replace',
  binding: Binding,
  rows: readonly InvalidRecord[] = [...listInvalid(binding), NOTHING],
): InvalidRecord[] {
  const { subject, made, contract } = binding;
  const change = subject.roles[role];
  if (change === undefined) return [];
  const fit = role === 'replace' ? fitTo(binding, change) : undefined;
  const single = rows.flatMap((row) => {
    const { field, record } = row;
    if (row === NOTHING) return role === 'update' ? [NOTHING] : [];
    if (role === 'replace') return fit === undefined ? [] : [{ ...row, record: fit(row) }];
    return Object.hasOwn(record, field) ? [{ ...row, record: { [field]: record[field] } }] : [];
  });
  const properties = readProperties(contract.document, subject.resource.schemaPointer);
  const required = new Set(properties.filter((each) => each.required).map(({ name }) => name));
  // In a merge patch, null removes a field: what every record has cannot be removed.
  const isRemoval = ({ id, field, path }: InvalidRecord): boolean =>
    isMergePatch(change) && id.endsWith('-that-is-null') && !(path === field && required.has(field));
  // With a key that the contract allows in place of one that only the run will know.
  const { property } = subject.resource.key;
  const showKey = (record: RecordTemplate): RecordTemplate => {
    if (!comesFromAnswer(record[property])) return record;
    const sampled = asObject(sampleValue(contract.document, change.requestPointer ?? '', { without: 'readOnly' }));
    return { ...record, [property]: made.plain[property] ?? sampled[property] };
  };
  return single.filter((row) => !isRemoval(row) && isInvalid(showKey(row.record), change, contract));
}

/** Makes of an invalid record one that breaks nothing else where it replaces another; `undefined` where nothing valid can. */
function fitTo(binding: Binding, operation: RoleOperation) {
  const { subject, made } = binding;
  const victim = `$scenarios.${subject.name}/refusals/victim.outputs.key`;
  const whole = fitReplacement(made.plain, victim, { binding, operation });
  if (whole === undefined) return undefined;
  const isOwn = (name: string): boolean => Object.hasOwn(made.plain, name) && name !== subject.resource.key.property;
  return ({ field, record }: InvalidRecord): RecordTemplate => {
    const added = Object.entries(whole).filter(([name]) => !isOwn(name) && name !== field);
    const named = Object.entries(record).filter(
      ([name]) => name === field || Object.hasOwn(whole, name) || !Object.hasOwn(made.plain, name),
    );
    return { ...Object.fromEntries(named), ...Object.fromEntries(added) };
  };
}

const FOREIGN: readonly unknown[] = [
  '2001-02-03T04:05:06Z',
  '2001-02-03',
  '3f2b8c4e-9d1a-4e7b-8c55-c0ffee0ddba2',
  'no-value-of-a-client',
  // Of a number that is counted, the greatest decides what comes next: one below all moves nothing.
  -48_151_623,
];

const SOME_KEY = 12_345_678;

/** What only the service decides (JSON Schema Validation 2020-12 section 9.4). A replacement may name the key, that of its path. */
function listReadOnly(role: 'create' | 'update' | 'replace', { subject, made, contract }: Binding): Row[] {
  const asked = subject.roles[role];
  if (asked === undefined) return [];
  const { document, validate } = contract;
  const { property, kind } = subject.resource.key;
  const given = listGiven(asked, contract);
  const plain = role === 'update' ? {} : made.plain;
  const found = readProperties(document, subject.resource.schemaPointer).flatMap(({ name, schemaPointer }) => {
    const schema = asObject(resolveAt(document, schemaPointer).value);
    const isDecided = hasMark(document, schemaPointer, 'readOnly') && !given.has(name);
    if (!isDecided || Array.isArray(schema['enum']) || schema['const'] !== undefined) return [];
    const isValid = (each: unknown): boolean => validate.value(schemaPointer, each).length === 0;
    if (name === property && kind === 'integer')
      return isValid(SOME_KEY) ? [{ name, value: '$freeKey', sample: SOME_KEY }] : [];
    const value = FOREIGN.find(isValid);
    return value === undefined ? [] : [{ name, value, sample: value }];
  });
  return found
    .slice(0, MOST_READ_ONLY)
    .filter(({ name }) => role !== 'replace' || name !== property)
    .filter(({ name, sample }) => isAllowed({ ...plain, [name]: sample }, asked, contract))
    .slice(0, role === 'replace' ? MOST_REPLACEMENTS : MOST_READ_ONLY)
    .map(({ name, value }) => {
      const record = { ...(role === 'create' ? made.full : {}), [name]: value };
      return { id: name, record, unlike: { [name]: value } };
    });
}

function listOtherKeys({ subject, made, contract }: Binding): Row[] {
  const { replace } = subject.roles;
  const { property } = subject.resource.key;
  const isSaid = replace !== undefined && listGiven(replace, contract).has(property);
  return isSaid && Object.hasOwn(made.full, property) ? [{ id: property }] : [];
}

/** The run's texts that a change may set, as another record has them; those that a service is found to want are known only then. */
function listTakenTexts({ subject, made, contract }: Binding): Row[] {
  const { create, update, replace } = subject.roles;
  const changes = [update ?? [], replace ?? []].flat();
  if (create === undefined || changes.length === 0 || subject.resource.key.givenBy === 'client') return [];
  const described = changes.map((each) => listGiven(each, contract));
  const names = Object.keys(made.full).filter(
    (name) => isUniqueForSure(made.full[name]) && described.every((given) => given.has(name)),
  );
  return [{ id: 'texts', names, texts: sendAgain(names, subject.name) }];
}

/** {@link listTakenTexts}, where the contract says of the 409 of a create which of them another has. */
function listUniqueTexts({ subject, made, contract: { document } }: Binding): Row[] {
  const { create } = subject.roles;
  const conflict = create === undefined ? {} : resolveAt(document, `${create.operation.pointer}/responses/409`).value;
  const own = Object.keys(made.full).filter((name) => isUniqueForSure(made.full[name]));
  const names = subject.resource.key.givenBy === 'client' ? [] : listUnique(asObject(conflict), own);
  return names.length === 0 ? [] : [{ id: 'texts', texts: sendAgain(names, subject.name) }];
}

function sendAgain(names: readonly string[], resource: string): Record<string, string> {
  const sent = `$scenarios.${resource}/records/create-full.outputs.sent#/`;
  return Object.fromEntries(names.map((name) => [name, sent + name]));
}

/** Places among others: what comes first moves all that follow. */
const PLACES = /^(?:position|order|rank|index|priority|sort|sequence|weight)/;

/** A flag that is on is turned off, a number becomes 0: where an update may say so, and a new record may have either. */
function listChangesToNothing(binding: Binding): Row[] {
  const { subject, made, contract } = binding;
  const { update } = subject.roles;
  if (update === undefined) return [];
  const described = listGiven(update, contract);
  const fitting = subject.fields.flatMap((field) => {
    const { name, type, isShown } = field;
    // What is set of one record is taken from another.
    if (isOneOfAll(field) || PLACES.test(plainName(name)) || !isShown || !described.has(name)) return [];
    const [before, after] = type === 'boolean' ? [true, false] : [made.plain[name], 0];
    const isNumber = typeof before === 'number' && before !== 0 && made.changed.includes(name);
    if ((type !== 'boolean' && !isNumber) || !isAllowed({ [name]: after }, update, contract)) return [];
    const areNew = [before, after].every((each) => isCreatable({ [name]: each }, binding));
    return areNew ? [{ name, before, after }] : [];
  });
  const names = fitting.map(({ name }) => name);
  if (names.length === 0) return [];
  const before = Object.fromEntries(fitting.map((each) => [each.name, each.before]));
  const record = Object.fromEntries(fitting.map((each) => [each.name, each.after]));
  const further = listChanges(binding).find(({ id }) => !names.includes(id))?.['record'] ?? record;
  return [{ id: 'all', before, record, ...nameBeside(names, further) }];
}

function nameBeside(names: readonly string[], further: unknown) {
  const furtherNames = Object.keys(asObject(further));
  return { words: names.join(', '), further, furtherNames, besideNames: [...names, ...furtherNames] };
}

function listOffDefaults(binding: Binding): Row[] {
  const { subject, made, contract } = binding;
  if (subject.roles.update === undefined) return [];
  const found = subject.fields.flatMap((field) => {
    const { name, schemaPointer, recordPointer, schema, type } = field;
    const ofRecord = () => (recordPointer === undefined ? undefined : readDefault(recordPointer, {}, contract));
    const usual = readDefault(schemaPointer, schema, contract) ?? ofRecord();
    if (usual === undefined || !field.isShown || isOneOfAll(field)) return [];
    const listed = Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : [];
    const others = [made.full[name], made.other[name], ...listed, ...(type === 'boolean' ? [true, false] : [])];
    const isOther = (each: unknown): boolean => each !== undefined && each !== null && !sameJson(each, usual);
    const value = others.find((each) => isOther(each) && isCreatable({ [name]: each }, binding));
    return value === undefined ? [] : [{ name, value, isChoice: schema['enum'] !== undefined }];
  });
  return [true, false].flatMap((isChoice) => {
    const own = found.filter((each) => each.isChoice === isChoice);
    const names = own.map(({ name }) => name);
    const further = listChanges(binding).find(({ id }) => !names.includes(id))?.['record'];
    if (names.length === 0 || further === undefined) return [];
    const record = Object.fromEntries(own.map(({ name, value }) => [name, value]));
    return [{ id: isChoice ? 'choices' : 'defaults', record, ...nameBeside(names, further) }];
  });
}

// Changes of one member of an object: a merge patch keeps the others (RFC 7396), plain JSON does not say.

const NEW_ENTRIES = ['anotherEntry', 'another_entry', 'another-entry', 'another'];

function listNested(isMerge: boolean, binding: Binding): Row[] {
  const { subject, made, contract } = binding;
  const { update } = subject.roles;
  if (update === undefined || isMergePatch(update) !== isMerge) return [];
  const given = listGiven(update, contract);
  return subject.fields.flatMap(({ name: field, isShown, schema }) => {
    if (!isShown || !given.has(field) || printJson([made.full[field], made.other[field]]).includes('$')) return [];
    const whole = asObject(made.plain[field]);
    const other = asObject(made.other[field]);
    const own = Object.keys(whole);
    const [first = ''] = own;
    // A map takes an entry more.
    const isMap = schema['properties'] === undefined && typeof schema['additionalProperties'] === 'object';
    const names = isMap && own.length > 0 ? [...NEW_ENTRIES, ...own] : own.length < 2 ? [] : own;
    const change = (name: string): RecordTemplate => ({ [name]: other[name] ?? whole[name] ?? whole[first] });
    const member = names.find((name) => {
      const isNew = isCreatable({ [field]: { ...whole, ...change(name) } }, binding);
      return isNew && isAllowed({ [field]: change(name) }, update, contract);
    });
    // What no service chooses by itself.
    const isTelling = (value: unknown): boolean => value !== null && value !== '' && typeof value !== 'boolean';
    const staying = own.filter((name) => name !== member && isTelling(whole[name]));
    if (member === undefined || staying.length === 0) return [];
    const stays = { [field]: { type: 'object', required: staying } };
    return [{ id: field, member, record: { [field]: change(member) }, kept: { [field]: pick(whole, staying) }, stays }];
  });
}

/** An object that no record of the required fields has: one member, and null for those that it need not have. */
function listMergesIntoNothing({ subject, made, contract }: Binding): Row[] {
  const { update } = subject.roles;
  if (update === undefined || !isMergePatch(update)) return [];
  const given = listGiven(update, contract);
  const rows = subject.fields.flatMap(({ name, isShown }) => {
    const whole = Object.entries(asObject(made.plain[name])).filter(([, value]) => value !== null);
    if (!isShown || !given.has(name) || Object.hasOwn(made.minimal, name) || whole.length < 2) return [];
    return whole.flatMap((own) => {
      const kept = { [name]: Object.fromEntries([own]) };
      const others = whole.filter(([each]) => each !== own[0]).map(([each]) => [each, null]);
      const record = { [name]: Object.fromEntries([own, ...others]) };
      return isAllowed(record, update, contract) ? [{ id: name, record, kept }] : [];
    });
  });
  return rows.slice(0, 1);
}

/** What a request without optional fields may remove or leave, where the contract does not say which. */
function listLeftOut(binding: Binding): Row[] {
  const { subject, made, contract } = binding;
  const { create, replace, update } = subject.roles;
  const change = [replace, update].find(
    (each) => each !== undefined && readReplacing(each, create, contract.document) === 'open',
  );
  if (change === undefined || (change === update && !isAllowed(made.minimal, update, contract))) return [];
  const shown = subject.fields.filter(({ isShown }) => isShown);
  const names = listDroppable(change, binding).filter((name) => shown.some((field) => field.name === name));
  if (names.length === 0) return [];
  const each = (valueOf: (name: string) => unknown) => Object.fromEntries(names.map((name) => [name, valueOf(name)]));
  const stays = each((name) => ({ const: `$steps.before.outputs.shown#/${escapePointer(name)}` }));
  const usual = each((name) => {
    const stated = shown.filter((field) => field.name === name);
    const defaults = stated.map(({ schema, schemaPointer }) => readDefault(schemaPointer, schema, contract));
    return { enum: [null, '', 0, false, [], {}, ...defaults] };
  });
  return [{ id: change.role, role: change.role, words: names.join(', '), names, stays, usual }];
}

/** A null removes in a merge patch (RFC 7396), elsewhere where an example shows it. Further fields should behave like the first. */
function listRemovals(binding: Binding): Row[] {
  const { made, contract } = binding;
  const { update } = binding.subject.roles;
  if (update === undefined) return [];
  const given = listGiven(update, contract);
  const examples = isMergePatch(update) ? undefined : listExampleBodies(update, contract);
  const field = listSent(binding).find(({ name, isShown, required }) => {
    const own = made.full[name];
    const isTelling = isUnique(own) || (typeof own === 'object' && own !== null && Object.keys(own).length > 0);
    const isText = typeof own === 'string' && own !== '' && !own.startsWith('$');
    const mayRemove = examples?.some((each) => each[name] === null) ?? true;
    if (required || !isShown || !given.has(name) || !mayRemove || !(isTelling || isText)) return false;
    return isAllowed({ [name]: null }, update, contract);
  });
  return field === undefined ? [] : [{ id: field.name, record: { [field.name]: null }, dropped: [field.name] }];
}

export const CHANGE_TABLES: Tables = {
  $changes: listChanges,
  $allChanges: mergeChanges,
  $changesOfBodies: listChangesOfBodies,
  $invalidChanges: (binding) => listInvalidChanges('update', binding),
  $invalidReplacements: (binding) => listInvalidChanges('replace', binding),
  $partlyInvalidChanges: listPartlyInvalidChanges,
  $readOnly: (binding) => listReadOnly('create', binding),
  $readOnlyChanges: (binding) => listReadOnly('update', binding),
  $readOnlyReplacements: (binding) => listReadOnly('replace', binding),
  $otherKeys: listOtherKeys,
  $takenTexts: listTakenTexts,
  $uniqueTexts: listUniqueTexts,
  $toNothing: listChangesToNothing,
  $offDefaults: listOffDefaults,
  // Further fields are assumed to behave like the first two; in plain JSON, one shows what the service does.
  $nestedMerges: (binding) => listNested(true, binding).slice(0, 2),
  $mergesIntoNothing: listMergesIntoNothing,
  $nestedUpdates: (binding) => listNested(false, binding).slice(0, 1),
  $leftOut: listLeftOut,
  $nulls: listRemovals,
};
