import { escapePointer } from '../../contract/document/document.js';
import type { Contract } from '../../contract/contract.js';
import { listProperties, hasMark, readProperties } from '../../contract/operations/properties.js';
import type { RecordKey, RoleOperation, AskedRole } from '../../contract/resources/resource.js';
import { withArticle } from '../../contract/resources/words.js';
import type { Row } from '../model/raw-scenario.js';
import type { StatusPattern } from '../model/scenario.js';
import { escape } from '../wire/request/template.js';
import { nameBase } from './found/found.js';
import { referToKeys } from './keys/refer-to-keys.js';
import type { MadeRecords } from './records/made-records.js';
import { isDisputed, readDefault } from './read-default.js';
import { listStatuses } from './statuses.js';
import { isKeyName } from '../../contract/resources/read-resource.js';
import { recordAt, type Subject, type Field } from './subject.js';
import { asObject } from '../../contract/document/plain.js';
import { sameJson } from '../../contract/document/json.js';
import { saysLeft, saysReplaced, saysUpdated } from '../../contract/operations/said-in-words.js';

/** A subject with everything that fills its scenarios. */
export interface Binding {
  subject: Subject;
  made: MadeRecords;
  contract: Contract;
  /** The parameters in every path of the resource, with their values. */
  scope: Readonly<Record<string, string>>;
  /** Scenarios of other resources that create what this one needs. */
  dependsOn: readonly string[];
  /** Of the resource to which its records belong. */
  parent: Binding | undefined;
}

/** What is known when a step is bound. */
export interface BoundStep {
  binding: Binding;
  row: Row | undefined;
  operation: RoleOperation;
  /** A reference to the key of the record that the step creates, where the client chooses it. */
  newKey?: string;
}

/** Something that a scenario needs and a resource lacks. */
export class Inapplicable extends Error {
  override readonly name = 'Inapplicable';
}

export function operationOf(role: AskedRole, { subject }: Binding): RoleOperation {
  const found = subject.roles[role];
  if (found === undefined) throw new Inapplicable(role);
  return found;
}

export function statusesOf(word: string, { operation }: RoleOperation): StatusPattern[] {
  const found = listStatuses(word, operation);
  if (found === undefined) throw new Inapplicable(word);
  return found;
}

/** Replaces words by what the resource has for them, anywhere within a value. */
export function fillWords(value: unknown, bound: BoundStep): unknown {
  return replaceTexts(fillRow(value, bound.row), (text) => fillWord(text, bound));
}

/** Replaces `$case.<name>` by the values of a row. */
export function fillRow(value: unknown, row: Row | undefined): unknown {
  return replaceTexts(value, (text) => {
    const [, name] = /^\$case\.(\w+)$/.exec(text) ?? [];
    return name === undefined ? text : row?.[name];
  });
}

function fillWord(text: string, { binding, operation, newKey }: BoundStep): unknown {
  const { subject } = binding;
  const ofAnswer = fillAnswerWord(text, binding, operation);
  if (ofAnswer !== undefined) return ofAnswer;
  if (newKey !== undefined && (text === '$newKey' || text === '$key')) return newKey;
  const ofSeveral = fillKeyOfSeveral(text, binding);
  if (ofSeveral !== undefined) return ofSeveral;
  if (text === '$followingKeys') return referToKeys('followingKeys', operationOf('create', binding));
  if (text === '$droppable') return fillDroppable(binding);
  if (text === '$defaults') return listDefaults(binding);
  const [, file, scenario, output] = /^\$(records|refusals)\.([\w-]+)\.(\w+)$/.exec(text) ?? [];
  if (file !== undefined) {
    // Nothing is known of what such a record has beside its key.
    if (subject.isFound === true && output !== 'key') throw new Inapplicable('records of its own');
    return `$scenarios.${subject.name}/${nameBase(`${file}/${scenario ?? ''}`, subject)}.outputs.${output ?? ''}`;
  }
  if (text === '$listedKey') return `$response.body#${recordAt(operation) ?? ''}/0/${subject.resource.key.property}`;
  if (text === '$shownCount') return `$run.shown#/${escapePointer(subject.name)}`;
  if (text === '$sent') return `$request.body${pointerTo(operation.requestMember ?? [])}`;
  return text === '$key' ? findKey(binding, operation) : text;
}

/** The key of one of the records that a step creates at once. */
function fillKeyOfSeveral(text: string, binding: Binding): string | undefined {
  const [, step, index] = /^\$steps\.([\w-]+)\.keys\.(\d+)$/.exec(text) ?? [];
  if (step === undefined) return undefined;
  const [, place] = /^\$response\.body#(.*)$/.exec(findKey(binding, operationOf('create', binding))) ?? [];
  if (place === undefined) throw new Inapplicable('an answer with the key of what is created');
  return `$steps.${step}.responses#/${index}${place}`;
}

/** The records of a list, how many they are, or the record of an answer. */
function fillAnswerWord(text: string, { subject }: Binding, operation: RoleOperation): string | undefined {
  const [, of = '', part = ''] =
    /^\$((?:steps\.[\w-]+\.)?)(response\.(?:records|count|record)|first|second)$/.exec(text) ?? [];
  if (part === '') return undefined;
  const shown = part === 'response.record' ? operation : subject.roles.list;
  const at = shown === undefined ? undefined : recordAt(shown);
  if (at === undefined || (part === 'response.record' && operation.success.body !== 'record'))
    throw new Inapplicable('an answer with records');
  if (part === 'first') return `$${of}responses#/0${at}`;
  if (part === 'second') return `$${of}responses#/1${at}`;
  const inBody = at === '' ? '' : `#${at}`;
  return part === 'response.count' ? `$${of}response.count${inBody}` : `$${of}response.body${inBody}`;
}

function fillDroppable({ subject, made, contract }: Binding): string[] {
  if (!replacesWhole(subject, contract)) throw new Inapplicable('a replacement of the whole');
  const found = listDroppable(subject, made, contract);
  if (found.length === 0) throw new Inapplicable('a field that need not be given');
  return found;
}

/** What the contract says about fields that the smallest record does not name. */
function listDefaults({ subject, made, contract }: Binding): Record<string, unknown> {
  const found = subject.fields
    .filter(({ name, isShown }) => isShown && !Object.hasOwn(made.minimal, name))
    .filter((field) => !isDisputed(field, contract))
    .map(({ name, schemaPointer, schema }) => [name, readDefault(schemaPointer, schema, contract)] as const)
    .filter(([, value]) => value !== undefined);
  if (found.length === 0) throw new Inapplicable('a default');
  return escape(Object.fromEntries(found));
}

export function findKey(
  {
    subject: {
      resource: { key },
    },
    made,
    contract,
  }: Binding,
  operation: RoleOperation,
): string {
  // A request may wrap what the record shows plain: a key is no object.
  const givenBy = typeof made.full[key.property] === 'object' ? 'service' : key.givenBy;
  const { body, recordPointer } = operation.success;
  const shown = recordPointer === undefined ? undefined : listProperties(contract.document, recordPointer);
  const at = body === 'record' && shown?.has(key.property) === true ? recordAt(operation) : undefined;
  if (at !== undefined) return `$response.body#${at}/${key.property}`;
  const alone = findKeyAlone(operation, key, contract);
  if (alone !== undefined) {
    const shownAlone = `$response.body#/${alone}`;
    // It may be a number where records have digits.
    return key.kind === 'text' ? `{${shownAlone}}` : shownAlone;
  }
  // The address of what was created tells its key (RFC 9110 section 15.3.2); what a 202 says of its progress alone, a run leaves out.
  if (operation.role === 'create' && givenBy !== 'client')
    return key.kind === 'integer' ? '$response.locationNumber' : '$response.location';
  if (givenBy === 'service') throw new Inapplicable('the key of what is created');
  return `$request.body${pointerTo([...(operation.requestMember ?? []), key.sentAs ?? key.property])}`;
}

/** The member that is the key in an answer without a record: `{orderId: 3}`, by the name that it has there or in paths. */
function findKeyAlone(
  { success: { body, schemaPointer } }: RoleOperation,
  key: RecordKey,
  contract: Contract,
): string | undefined {
  if (body !== 'other' || schemaPointer === undefined) return undefined;
  return [...listProperties(contract.document, schemaPointer)].find((name) => isKeyName(name, key));
}

function pointerTo(member: readonly string[]): string {
  return member.length === 0 ? '' : `#${member.map((name) => `/${name}`).join('')}`;
}

/** A sentence with the name of one record filled in. */
export function fillNouns(text: string, { subject, parent }: Binding): string {
  const noun = nounOf(subject);
  return text
    .replaceAll('{$resource.one}', withArticle(noun))
    .replaceAll('{$resource.noun}', noun)
    .replaceAll('{$parent.noun}', parent === undefined ? '' : nounOf(parent.subject));
}

/** The name of one record in words: `order`, `store order`. */
function nounOf({ resource: { singular } }: Subject): string {
  return singular
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase();
}

export function replaceTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceTexts(item, change)]));
}

// What a replacement of a whole record takes away.

/**
 * What a replacement does not name is gone only where nothing else is said of it (RFC 9110 section 9.3.4). A PUT that is called an
 * update, or that need not have what a create must, may merge.
 */
function replacesWhole({ roles: { replace, create } }: Subject, { document }: Contract): boolean {
  const { id = '', pointer = '' } = replace?.operation ?? {};
  const said = asObject(document.at(pointer));
  const countRequired = (at: string | undefined): number =>
    at === undefined ? 0 : readProperties(document, at).filter(({ required }) => required).length;
  const isPartial =
    countRequired(create?.requestPointer) > 0 &&
    countRequired(replace?.requestPointer) === 0 &&
    !saysReplaced(id, said);
  return !saysLeft(said) && !saysUpdated(id, said) && !isPartial;
}

/** What the smallest replacement removes; a default of the contract may take its place. */
function listDroppable({ roles, fields }: Subject, made: MadeRecords, { document }: Contract): string[] {
  const named = readProperties(document, roles.replace?.requestPointer ?? '');
  const taken = new Set(
    named.filter(({ schemaPointer }) => !hasMark(document, schemaPointer, 'readOnly')).map(({ name }) => name),
  );
  const isTelling = (name: string): boolean =>
    made.changed.includes(name) || isNoDefault(made.other[name]) || isOfForm(fields, name);
  const optional = Object.keys(made.other).filter(
    (name) => taken.has(name) && !Object.hasOwn(made.minimal, name) && isTelling(name),
  );
  return optional.filter((name) =>
    fields.some(
      (field) =>
        field.name === name &&
        // What a record gets by default tells nothing only where it had that before.
        !sameJson(field.schema['default'], made.other[name]) &&
        !isOneOfFew(field) &&
        !saysLeft(field.schema),
    ),
  );
}

/** A value that no service chooses by itself: an address, a list with something in it. */
function isNoDefault(value: unknown): boolean {
  // A reference, also within a text.
  const isReference = typeof value === 'string' && /^(?:\$|\{\$(?:scenarios|run)\.)/.test(value);
  return (
    !isReference && ((Array.isArray(value) && value.length > 0) || (typeof value === 'string' && /[@/:]/.test(value)))
  );
}

/** A text of a form of its own, such as a serial number. */
function isOfForm(fields: readonly Field[], name: string): boolean {
  return fields.some(
    (field) => field.name === name && field.type === 'string' && field.schema['pattern'] !== undefined,
  );
}

/** A default that the service chooses could be any of them. */
function isOneOfFew({ type, schema }: Field): boolean {
  return type === 'boolean' || Array.isArray(schema['enum']);
}
