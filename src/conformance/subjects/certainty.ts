import { asList } from '../../contract/document/plain.js';
import { saysDependent } from '../../contract/operations/said-in-words.js';
import { sameJson } from '../../contract/document/json.js';
import { listTemplateNames } from '../../contract/operations/match.js';
import { readOnce } from '../../contract/document/document.js';
import { plainName } from '../../contract/resources/words.js';
import type { Invented } from '../model/record-rules.js';
import type { Contract } from '../../contract/contract.js';
import { isOpenTime } from './records/place-in-time.js';
import { findReferred, listForms, readSubjects, type Field, type Subject } from './subject.js';

/**
 * The fields of a record with a value that a service may have a reason of its own to refuse: a text may have to be a
 * currency, a key may have to be that of a record, a number may be more than there is. The contract does not say so, and a
 * refusal that it documents then proves nothing by itself.
 */
export function listInvented(
  record: Readonly<Record<string, unknown>>,
  { subject, contract }: { subject: Subject; contract: Contract },
): Pick<Invented, 'fields' | 'references' | 'choices'> {
  const subjects = readSubjects(contract);
  const namedInPaths = listNamedInPaths(contract);
  const given = subject.fields.filter(({ name }) => Object.hasOwn(record, name));
  const isReference = (field: Field): boolean =>
    field.name !== subject.resource.key.property &&
    (LIKE_A_KEY.test(field.name) ||
      isOfUuids(field) ||
      namedInPaths.has(plainName(field.name)) ||
      findReferred(field, subject, subjects) !== undefined);
  const open = given.filter((field) => !isReferenceMade(record[field.name]));
  const references = open.filter(isReference).map(({ name }) => name);
  const isSure = (field: Field): boolean => isClosed(field, record[field.name]) && !isDependent(field, subject);
  const others = open.filter((field) => !references.includes(field.name) && !isSure(field));
  const choices = open.filter(({ schema }) => Array.isArray(schema['enum'])).map(({ name }) => name);
  return { references, choices, fields: [...references, ...others.map(({ name }) => name)] };
}

/** Whether the contract says in words that it depends on another field which values one may have. */
function isDependent(field: Field, { fields }: Subject): boolean {
  const others = fields.filter((each) => each !== field);
  const named = others.flatMap(({ name, schema }) => [name].concat(asList(schema['enum']).map(String)));
  return saysDependent(field.schema, new Set(named));
}

/** What paths name by a key: `project` of `{projectId}`, whether or not the contract says more of projects. */
const listNamedInPaths = readOnce(({ operations }: Contract): ReadonlySet<string> => {
  const names = operations.flatMap(({ path }) => listTemplateNames(path));
  return new Set(names.flatMap((name) => /^(.{2,}?)[_-]?(?:id|uuid|key|slug)$/i.exec(name)?.[1] ?? []).map(plainName));
});

/** What is no record's own key names another record (RFC 9562), also where that may stand in its place, or where there are several. */
function isOfUuids({ schema }: Field): boolean {
  return listForms(schema).some(({ format }) => format === 'uuid');
}

/** Whether a name says that a field is the key of some record. */
export function isLikeKey(name: string): boolean {
  return LIKE_A_KEY.test(name);
}

const LIKE_A_KEY = /(?:^|[a-z_-])(?:id|ids|key|uuid)$/i;

/** A record that the run created does exist. */
function isReferenceMade(value: unknown): boolean {
  return typeof value === 'string' && /^\{?\$scenarios\./.test(value);
}

/** The values that the contract shows: of others that it allows, it does not say that every service takes them. */
function listShown({ example, examples, default: usual }: Field['schema']): unknown[] {
  return [example, ...asList(examples), usual].filter((each) => each !== undefined);
}

/** Fields that people fill in, for which any text will do. */
const FREE = new Set(
  'description notes note comment comments text body message summary bio about content remark remarks'.split(' '),
);

export function isFreeText(name: string): boolean {
  return FREE.has(plainName(name));
}

function isFraction(value: unknown): boolean {
  return typeof value === 'number' && !Number.isInteger(value);
}

/** Many a contract says `number` of what is counted in whole ones. */
function saysFraction({ format, examples, ...rules }: Field['schema']): boolean {
  const named = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'example', 'default'];
  const values = [...named.map((name) => rules[name]), ...asList(examples)];
  return format !== undefined || values.some(isFraction);
}

/** Whether the contract says that every service takes the value. */
function isClosed({ name, type, schema }: Field, value: unknown): boolean {
  if (Array.isArray(schema['enum']) || schema['const'] !== undefined || type === 'boolean') return true;
  const says = (...rules: string[]): boolean => rules.some((rule) => schema[rule] !== undefined);
  if (isFraction(value)) return saysFraction(schema);
  if (type === 'integer' || type === 'number')
    return says('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'example', 'examples', 'default');
  // A booking may have to lie ahead, a birthday behind; an example lay so when it was written.
  if (type !== 'string' || isOpenTime({ schema }) || /^date(?:-time)?$/.test(String(schema.format))) return false;
  return isFreeText(name) || listShown(schema).some((each) => sameJson(each, value));
}
