// Changes of one member of an object: a merge patch keeps the others (RFC 7396), plain JSON does not say.
import { asObject } from '../../../contract/document/plain.js';
import type { RoleOperation } from '../../../contract/resources/resource.js';
import type { Row } from '../../model/scenario.js';
import type { RecordTemplate } from '../records/made-records.js';
import { findViolation, isMergePatch, listGiven } from '../request-body.js';
import type { TableSource } from './table-source.js';
import { printJson } from '../../../contract/document/json.js';

/** Further fields are assumed to behave like the first two. */
const MOST_FIELDS = 2;

/** By merge patch. */
export function listNestedMerges(source: TableSource): Row[] {
  const { update } = source.subject.roles;
  return update !== undefined && isMergePatch(update) ? listNested(update, source).slice(0, MOST_FIELDS) : [];
}

/** In plain JSON: one shows what the service does. */
export function listNestedUpdates(source: TableSource): Row[] {
  const { update } = source.subject.roles;
  return update === undefined || isMergePatch(update) ? [] : listNested(update, source).slice(0, 1);
}

function listNested(update: RoleOperation, source: TableSource): Row[] {
  const given = listGiven(update, source.contract);
  const fields = source.subject.fields.filter(({ name, isShown }) => isShown && given.has(name));
  return fields.flatMap(({ name }) => changeInside(name, update, source) ?? []);
}

/** The first member that the contract lets a request name alone, beside one that stays. */
function changeInside(field: string, update: RoleOperation, { subject, made, contract }: TableSource): Row | undefined {
  const { fields, roles } = subject;
  const { create } = roles;
  const whole = asObject(made.plain[field]) as RecordTemplate;
  const other = asObject(made.other[field]) as RecordTemplate;
  if (create === undefined || hasReference([made.full[field], made.other[field]])) return undefined;
  const { schema = {} } = fields.find(({ name }) => name === field) ?? {};
  const own = Object.keys(whole);
  const [first] = own;
  // A map takes an entry more.
  const isMap = schema['properties'] === undefined && typeof schema['additionalProperties'] === 'object';
  const names = isMap && first !== undefined ? [...NEW_ENTRIES, ...own] : own.length < 2 ? [] : own;
  const changed = names.find((name) => {
    const part = { [name]: other[name] ?? whole[name] ?? whole[first ?? ''] };
    const merged = { ...made.plain, [field]: { ...whole, ...part } };
    return [findViolation({ [field]: part }, update, contract), findViolation(merged, create, contract)].every(
      (problem) => problem === undefined,
    );
  });
  if (changed === undefined) return undefined;
  const kept = Object.fromEntries(
    own.filter((name) => name !== changed && isPlain(whole[name])).map((name) => [name, whole[name]]),
  );
  if (Object.keys(kept).length === 0) return undefined;
  const record = { [field]: { [changed]: other[changed] ?? whole[changed] ?? whole[first ?? ''] } };
  const stays = { [field]: { type: 'object', required: Object.keys(kept) } };
  return { id: field, member: changed, record, kept: { [field]: kept }, stays };
}

/** Names of which a map takes one. */
const NEW_ENTRIES = ['anotherEntry', 'another_entry', 'another-entry', 'another'];

/** A value that no service chooses by itself. */
function isPlain(value: unknown): boolean {
  return value !== null && value !== '' && typeof value !== 'boolean';
}

function hasReference(values: readonly unknown[]): boolean {
  return printJson(values).includes('$');
}
