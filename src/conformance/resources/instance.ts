// A resource with everything that fills its scenarios: the words of scenario files, and the keys by which records are asked for.
import type { Contract } from '../../contract/contract.js';
import { escapePointer } from '../../contract/document/document.js';
import { asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { sameJson } from '../../contract/document/json.js';
import type { SchemaObject, Content, Operation } from '../../contract/model.js';
import { listProperties, readProperties, readValueShape } from '../../contract/operations/properties.js';
import { readReplacing } from '../../contract/gaps/gaps-of-contract.js';
import { saysLeft } from '../../contract/operations/said-in-words.js';
import { isKeyName } from '../../contract/resources/read-resource.js';
import type { AskedRole, RoleOperation } from '../../contract/resources/resource.js';
import { plainName, withArticle } from '../../contract/resources/words.js';
import type { Row, StatusPattern, RoleStep } from '../model/scenario.js';
import type { GuessedKey } from '../model/exchange.js';
import { escape } from '../http/template.js';
import { findKeyParameter, nameBase, pick, recordAt, recordSchemaOf } from './resource-under-test.js';
import type { Field, MadeRecords, RecordTemplate, Subject } from './resource-under-test.js';
import { findUniqueKey, isAllowed, listGiven } from './fit-record.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { coversMediaType, recordTypeOf } from '../../contract/media-types.js';
import { requiresTag } from '../../contract/operations/operations.js';

export interface Binding {
  subject: Subject;
  made: MadeRecords;
  contract: Contract;
  scope: Readonly<Record<string, string>>;
  dependsOn: readonly string[];
  parent: Binding | undefined;
}

export type Tables = Readonly<Record<string, (binding: Binding) => readonly Row[]>>;

export function listSent({ subject, made }: Pick<Binding, 'subject' | 'made'>): Field[] {
  return subject.fields.filter(({ name }) => Object.hasOwn(made.full, name));
}

export function listRoles<Role extends AskedRole>(asked: readonly Role[], { subject: { roles } }: Binding) {
  return asked.flatMap((role) => {
    const operation = roles[role]?.operation.id;
    return operation === undefined ? [] : [{ id: role, role, operation }];
  });
}

export function isCreatable(values: object, { subject: { roles }, made, contract }: Binding): boolean {
  return roles.create !== undefined && isAllowed({ ...made.plain, ...values }, roles.create, contract);
}

export function findJsonCreate({ subject: { roles } }: Binding): RoleOperation | undefined {
  return roles.create !== undefined && recordTypeOf(roles.create.operation) === 'application/json'
    ? roles.create
    : undefined;
}

export interface BoundStep {
  binding: Binding;
  row: Row | undefined;
  turn: number; // Which of several header sets or forms of a message it has: the next one in each row.
  operation: RoleOperation;
  newKey?: string; // A reference to the key of the record that the step creates, where the client chooses it.
}

export class Inapplicable extends Error {
  override readonly name = 'Inapplicable';
}

export function present<T extends object>(members: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof T]: Exclude<T[Name], undefined> };
}

export function findOrNone<Found>(find: () => Found): Found | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof Inapplicable) return undefined;
    throw error;
  }
}

/** Throws {@link Inapplicable} for `undefined`. */
export function need<Found>(found: Found | undefined, what: string): Found {
  if (found === undefined) throw new Inapplicable(what);
  return found;
}

export const operationOf = (role: AskedRole, { subject }: Binding): RoleOperation => need(subject.roles[role], role);

export function statusesOf(word: string, { operation }: RoleOperation): StatusPattern[] {
  return need(listStatuses(word, operation), word);
}

export function fillWords(value: unknown, bound: BoundStep): unknown {
  return replaceTexts(fillRow(value, bound.row), (text) => fillWord(text, bound));
}

export function fillRow(value: unknown, row: Row | undefined): unknown {
  return replaceTexts(value, (text) => {
    const [, name] = /^\$case\.(\w+)$/.exec(text) ?? [];
    return name === undefined ? text : row?.[name];
  });
}

export function replaceTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceTexts(item, change)]));
}

function fillWord(text: string, { binding, operation, newKey }: BoundStep): unknown {
  const { subject, contract } = binding;
  const ofResponse = fillResponseWord(text, binding, operation);
  if (ofResponse !== undefined) return ofResponse;
  if (newKey !== undefined && (text === '$newKey' || text === '$key')) return newKey;
  const [, step, index] = /^\$steps\.([\w-]+)\.keys\.(\d+)$/.exec(text) ?? [];
  if (step !== undefined) {
    const [, at] = /^\$response\.body#(.*)$/.exec(findKey(binding, operationOf('create', binding))) ?? [];
    return `$steps.${step}.responses#/${index}${need(at, 'a response with the key of what is created')}`;
  }
  if (text === '$eachKey') return `$each#/${escapePointer(subject.resource.key.property)}`;
  if (text === '$followingKeys') return referToKeys('followingKeys', operationOf('create', binding));
  if (text === '$droppable') {
    const { replace, create } = subject.roles;
    if (replace === undefined || readReplacing(replace, create, contract.document) !== 'replaced')
      throw new Inapplicable('a replacement of the whole');
    const found = listDroppable(replace, binding);
    if (found.length === 0) throw new Inapplicable('a field that need not be given');
    return found;
  }
  if (text === '$defaults') {
    const stated = subject.fields.flatMap((field) => {
      const value = readDefault(field.schemaPointer, field.schema, contract);
      const isOpen = field.isShown && !Object.hasOwn(binding.made.minimal, field.name);
      return !isOpen || value === undefined || isDisputed(field, value, contract) ? [] : [[field.name, value] as const];
    });
    if (stated.length === 0) throw new Inapplicable('a default');
    return escape(Object.fromEntries(stated));
  }
  const [, file, scenario, output] = /^\$(records|refusals)\.([\w-]+)\.(\w+)$/.exec(text) ?? [];
  if (file !== undefined) {
    if (subject.isFound === true && output !== 'key') throw new Inapplicable('records of its own');
    return `$scenarios.${subject.name}/${nameBase(`${file}/${scenario ?? ''}`, subject)}.outputs.${output ?? ''}`;
  }
  if (text === '$listedKey') return `$response.body#${recordAt(operation) ?? ''}/0/${subject.resource.key.property}`;
  if (text === '$shownCount') return `$run.shown#/${escapePointer(subject.name)}`;
  if (text === '$sent') return `$request.body${pointerTo(operation.requestMember ?? [])}`;
  return text === '$key' ? findKey(binding, operation) : text;
}

function fillResponseWord(text: string, { subject }: Binding, operation: RoleOperation): string | undefined {
  const [, of = '', part = ''] =
    /^\$((?:steps\.[\w-]+\.)?)(response\.(?:records|count|record)|first|second)$/.exec(text) ?? [];
  if (part === '') return undefined;
  const shown = part === 'response.record' ? operation : subject.roles.list;
  const at = shown === undefined ? undefined : recordAt(shown);
  if (at === undefined || (part === 'response.record' && operation.success.body !== 'record'))
    throw new Inapplicable('a response with records');
  if (!part.startsWith('response.')) return `$${of}responses#/${part === 'first' ? 0 : 1}${at}`;
  return `$${of}response.${part === 'response.count' ? 'count' : 'body'}${at === '' ? '' : `#${at}`}`;
}

function isDisputed(field: Field, value: unknown, contract: Contract): boolean {
  const { recordPointer } = field;
  if (recordPointer === undefined) return false;
  const ofRecord = readDefault(recordPointer, recordSchemaOf(field, contract), contract);
  const isOther = ofRecord !== undefined && !sameJson(ofRecord, value);
  return isOther || contract.validate.value(recordPointer, value).length > 0;
}

/** The default of a schema, also beside its reference. One that its schema does not allow does not count. */
export function readDefault(pointer: string, schema: SchemaObject, { document, validate }: Contract): unknown {
  const beside = asObject(document.at(pointer))['default'];
  const value = beside === undefined ? schema['default'] : beside;
  return value === undefined || validate.value(pointer, value).length > 0 ? undefined : value;
}

export function fillNouns(text: string, { subject, parent }: Binding): string {
  const nounOf = ({ resource: { singular } }: Subject): string =>
    singular.replaceAll(/(?<=[a-z])(?=[A-Z])|[_-]+/g, ' ').toLowerCase();
  return text
    .replaceAll('{$resource.one}', withArticle(nounOf(subject)))
    .replaceAll('{$resource.noun}', nounOf(subject))
    .replaceAll('{$parent.noun}', parent === undefined ? '' : nounOf(parent.subject));
}

export function listDroppable(operation: RoleOperation, { subject, made, contract }: Binding): string[] {
  const taken = listGiven(operation, contract);
  return Object.keys(made.other).filter((name) => {
    const field = subject.fields.find((each) => each.name === name);
    if (field === undefined || !taken.has(name) || Object.hasOwn(made.minimal, name)) return false;
    const { type, schema } = field;
    const hasForm = type === 'string' && schema['pattern'] !== undefined;
    const value = made.other[name];
    const isText = typeof value === 'string' && !/^(?:\$|\{\$(?:scenarios|run)\.)/.test(value) && /[@/:]/.test(value);
    const isNoDefault = isText || (Array.isArray(value) && value.length > 0);
    if (!made.changed.includes(name) && !isNoDefault && !hasForm) return false;
    const isOneOfFew = type === 'boolean' || Array.isArray(schema['enum']);
    return !sameJson(schema['default'], value) && !isOneOfFew && !saysLeft(schema);
  });
}

type Replacing = Pick<BoundStep, 'binding' | 'operation'>;

/** What replaces a record, with fields that a create does not take, such as its key; `undefined` where the contract allows none. */
export function fitReplacement(record: RecordTemplate, key: unknown, { binding, operation }: Replacing) {
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
  const isKeyed = key !== undefined && takesKey && sampled[property] !== undefined;
  const isFit = isKeyed && isAllowed({ ...shown, [property]: sampled[property] }, operation, contract);
  return isFit ? { ...escape(missing), ...fitting, [property]: key } : undefined;
}

/** Where the key of a record is found after a request. Throws {@link Inapplicable} where nothing shows it. */
export function findKey({ subject, made, contract }: Binding, operation: RoleOperation): string {
  const { key } = subject.resource;
  const givenBy = typeof made.full[key.property] === 'object' ? 'service' : key.givenBy;
  const { body, recordPointer, schemaPointer } = operation.success;
  const shown = recordPointer === undefined ? undefined : listProperties(contract.document, recordPointer);
  const at = body === 'record' && shown?.has(key.property) === true ? recordAt(operation) : undefined;
  if (at !== undefined) return `$response.body#${at}/${key.property}`;
  // In a response without a record, `{orderId: 3}`: by the name that it has there or in paths.
  const members =
    body !== 'other' || schemaPointer === undefined ? [] : [...listProperties(contract.document, schemaPointer)];
  const alone = members.find((name) => isKeyName(name, key));
  if (alone !== undefined) return key.kind === 'text' ? `{$response.body#/${alone}}` : `$response.body#/${alone}`;
  // The address of what was created tells its key (RFC 9110 section 15.3.2); what a 202 says of its progress alone, a run leaves out.
  if (operation.role === 'create' && givenBy !== 'client')
    return key.kind === 'integer' ? '$response.locationNumber' : '$response.location';
  if (givenBy === 'service') throw new Inapplicable('the key of what is created');
  return `$request.body${pointerTo([...(operation.requestMember ?? []), key.sentAs ?? key.property])}`;
}

function pointerTo(member: readonly string[]): string {
  return member.length === 0 ? '' : `#${member.map((name) => `/${name}`).join('')}`;
}

export function referToKeys(of: 'followingKeys' | 'aliasKeys' | 'nextKeys', { operation }: RoleOperation): string {
  return `$run.${of}#/${escapePointer(operation.id)}`;
}

const UNKNOWN = {
  integer: [1_999_999_973],
  uuid: ['3f2b8c4e-9d1a-4e7b-8c55-c0ffee0ddba1'],
  text: ['no-such-record-cf', '3f2b8c4e-9d1a-4e7b-8c55-c0ffee0ddba1', 'c0ffee0ddba1c0ffee0ddba1', '1999999973'],
} as const;

/** `The UUID of the mapping`, or one as the example: what is none, a service may reject as malformed. */
const SAYS_UUID = /\b[ug]uid\b|^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/im;
const LENGTHS = { least: 8, most: 40 };
const OF_ALPHABETS = ['c0ffee0ddba1', 'C0FFEE0DDBA1', '4815162342', 'nosuchrecord', 'NOSUCHRECORD'];
const OF_LENGTHS = Array.from({ length: LENGTHS.most - LENGTHS.least + 1 }, (_, index) =>
  OF_ALPHABETS.map((text) => text.repeat(LENGTHS.most).slice(0, LENGTHS.least + index)),
).flat();

export function bindKey(key: string, { subject, contract }: Binding): unknown {
  if (key !== '$unknownKey') return key;
  const { document, validate } = contract;
  const { kind, schemaPointer } = subject.resource.key;
  const inPath = findKeyParameter(subject);
  const isNumber = inPath?.shape.types.some((type) => type === 'integer' || type === 'number') === true;
  const readAs = (made: unknown) => (isNumber && typeof made === 'string' && /^\d+$/.test(made) ? Number(made) : made);
  const isKey = (made: unknown): boolean =>
    validate.value(schemaPointer, made).length === 0 &&
    (inPath?.schemaPointer === undefined || validate.value(inPath.schemaPointer, readAs(made)).length === 0);
  const schemaAt = (at: string): SchemaObject => asObject(resolveAt(document, at).value);
  const [, prefix = ''] = /^\^([A-Za-z]+[_-])/.exec(String(schemaAt(schemaPointer)['pattern'])) ?? [];
  const any = ['nosuchrecordcf', 'c0ffee0ddba1c0ffee0ddba1', 'NOSUCHRECORDCF', ...(kind === 'text' ? OF_LENGTHS : [])];
  const said = [inPath?.pointer, inPath?.schemaPointer, schemaPointer]
    .filter((at) => at !== undefined)
    .map((at) => [schemaAt(at)['description'], schemaAt(at)['example']].map(String).join('\n'));
  const named = kind === 'text' && said.some((text) => SAYS_UUID.test(text)) ? UNKNOWN.uuid : [];
  const made = any.map((text) => (kind === 'text' ? prefix : '') + text);
  return need([...named, ...UNKNOWN[kind], ...made].find(isKey), 'a key of no record');
}

export function fillKeys(value: unknown, binding: Binding): unknown {
  const named = (text: string): unknown => (text === '$unknownKey' ? bindKey(text, binding) : text);
  return renameKeys(replaceTexts(value, named), binding.subject.resource.key.property);
}

function renameKeys(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name === '$keyName' ? key : name, renameKeys(item, key)]),
  );
}

export function listGuessed({ key, expect }: RoleStep, { binding, newKey }: BoundStep): { guessed?: GuessedKey[] } {
  const isInPath = newKey === undefined && key !== undefined && key !== '$unknownKey';
  const { has, distinct } = expect?.records ?? {};
  const above: Binding[] = [];
  for (let each = binding.parent; each !== undefined; each = each.parent) above.push(each);
  const own = [distinct !== undefined, isInPath].filter((isAsked) => isAsked && isGuessed(binding));
  const listed = has !== undefined && isSentKey(binding) ? [binding] : [];
  const guessed = [...own.map(() => binding), ...listed, ...above.filter(isGuessed)].map(({ subject }) => {
    return { of: subject.name, property: subject.resource.key.property };
  });
  return guessed.length === 0 ? {} : { guessed };
}

/** `{tokenKey}` may not be the `id` that a response shows; `{petId}` and `{pet}` are. */
function isGuessed(binding: Binding): boolean {
  const { resource, roles, isFound } = binding.subject;
  const { key, singular } = resource;
  const [parameter = '', property = '', stem = ''] = [key.parameter, key.property, singular].map(plainName);
  const isNamed = parameter.endsWith(property) || (parameter === stem && property.endsWith('id'));
  return (!isNamed && (roles.create !== undefined || isFound === true)) || isSentKey(binding);
}

function isSentKey(binding: Binding): boolean {
  const { create } = binding.subject.roles;
  if (create === undefined || binding.subject.putsNew !== undefined) return false;
  return findOrNone(() => findKey(binding, create))?.startsWith('$request.') === true;
}

export function findNewKey({ subject, contract }: Binding): string | undefined {
  const { key } = subject.resource;
  const inPath = findKeyParameter(subject, subject.roles.get ?? subject.roles.replace);
  const places = [key.schemaPointer, inPath?.schemaPointer].filter((at) => at !== undefined);
  const isText = places.every((at) =>
    readValueShape(contract.document, at, 0).types.every((each) => each === 'string'),
  );
  return findUniqueKey(key.kind === 'integer' && !isText ? 'number' : 'string', places, contract);
}

type Patterns = StatusPattern[];

export function listStatuses(word: string, operation: Operation): Patterns | undefined {
  return WORDS[word]?.(new Set(operation.responses.map(({ status }) => status.toUpperCase())), operation);
}

const WORDS: Readonly<Record<string, (stated: ReadonlySet<string>, operation: Operation) => Patterns | undefined>> = {
  $doneOrRefused: (stated) => [...listDone(stated), '4XX'],
  $doneOrInvalid: (stated) => [...listDone(stated), 400, 422],
  $doneOrTaken: (stated) => [...listDone(stated), 409],
  /** Without a length, a body may be rejected (RFC 9110 section 15.5.12). */
  $doneOrLengthRequired: (stated) => [...listDone(stated), 411],
  /** Who sends no 100 may say so: a 417 merely means that somebody on the way knows no expectations (RFC 9110 section 10.1.1). */
  $doneOrUnmetExpectation: (stated) => [...listDone(stated), 417],
  /** That there is a new record, a 201 alone says (RFC 9110 section 15.3.2): a 200 may show one that was there. */
  $created: (stated) => findStated(stated, 201) ?? listDone(stated),
  $conflict: (stated) => findStated(stated, 409),
  $doneOrConflict: (stated) => (stated.has('409') ? [...listDone(stated), '4XX'] : undefined),
  $notModified: (stated) => findStated(stated, 304),
  $doneOrNotModified: (stated) => [...listDone(stated), 304],
  /** Whoever returns no parts returns the whole (RFC 9110 section 14.2). */
  $doneOrPart: (stated) => [...listDone(stated), 206],
  $doneOrNoPart: (stated) => [...listDone(stated), 416],
  $preconditionFailed: (stated) => findStated(stated, 412),
  $unsupportedType: (stated, { requestBody }) =>
    includesAny(requestBody?.content ?? []) ? undefined : findStated(stated, 415),
  $unsupportedText: (stated, { requestBody }) =>
    includesAny(requestBody?.content ?? [], 'text/plain') ? undefined : findStated(stated, 415),
  $notAcceptable: (stated, { responses }) => {
    const successes = responses.filter(({ status }) => status.startsWith('2'));
    const isAlwaysFine = successes.some(({ content }) => content.length === 0 || includesAny(content));
    return isAlwaysFine ? undefined : findStated(stated, 406);
  },
  $done: listDone,
  $notFound: (stated) => hide(stated, [404]),
  $gone: (stated, operation) => hide(stated, listGone(operation)),
  $noParent: (stated) =>
    hide(stated, [404, 410])?.concat([400, 409, 422].filter((status) => stated.has(String(status)))),
  /** A `PUT` that creates may do so where its key is another's elsewhere (RFC 9110 section 9.3.4). */
  $goneOrCreated: (stated) => hide(stated, [404, 410])?.concat(findStated(stated, 201) ?? []),
  /** A removal of what is not there may count as done (the gap `remove-gone`); what is there must stay. */
  $goneOrDone: (stated, operation) => hide(stated, listGone(operation))?.concat(listDone(stated)),
  $refused: () => ['4XX'],
  $invalid: (stated) => choose(stated, [400, 422]),
  /** What is no JSON may be invalid in either way, whichever the contract has for it (the gap `malformed-json`). */
  $malformed: (stated) => {
    const found = choose(stated, [400, 422]);
    return found?.includes('4XX') === false ? [400, 422] : found;
  },
  // A contract without them leaves open what a page or a choice is that there is not (the gap `limit-above-maximum`).
  $invalidPage: (stated) => (stated.has('400') || stated.has('422') ? choose(stated, [400, 422]) : undefined),
  // Without the condition that it requires (RFC 6585 section 3), or as if that did not hold.
  $unconditioned: (stated) => choose(stated, [400, 412, 422, 428]),
  // A value that the contract names may need a right of its own, or show other records alone: those in the bin.
  $doneOrForbidden: (stated) => [...listDone(stated), 403, ...(stated.has('404') ? [404] : [])],
  $unauthorized: listUnauthorized,
  // A token without a scope (RFC 6750 section 3.1); a service may hide what a client must not see (RFC 9110 section 15.5.4).
  // Which of them a contract documents says what its author thought of, not that the others would be wrong.
  // What cannot be read as credentials at all may be a bad request (RFC 6750 section 3.1).
  $unauthorizedOrBad: (stated) => [...listUnauthorized(stated), 400],
  $unauthorizedOrOther: (stated) => [...listUnauthorized(stated), 400, 403, 404, 409, 410, 415, 422],
  $forbidden: (stated) => (choose(stated, [401, 403])?.includes('4XX') === false ? [401, 404, 403] : ['4XX']),
};

function listDone(stated: ReadonlySet<string>): Patterns {
  const toPattern = (status: string): StatusPattern => (/^\d+$/.test(status) ? Number(status) : status);
  const successes = [...stated].filter((status) => status.startsWith('2')).map(toPattern);
  const redirects = [...stated].filter((status) => status.startsWith('3') && status !== '304').map(toPattern);
  return successes.length === 0 ? ['2XX', ...redirects] : successes;
}

/** Nothing is there that could match a condition (RFC 9110 section 13.1.1). */
function listGone(operation: Operation): number[] {
  return requiresTag(operation) ? [404, 410, 412] : [404, 410];
}

/** If the contract secures an operation, HTTP says how it rejects (RFC 9110 section 15.5.2). */
function listUnauthorized(stated: ReadonlySet<string>): Patterns {
  return stated.has('401') && !stated.has('403') ? [401] : [401, 403];
}

function includesAny(content: readonly Content[], type = 'application/x-no-such-type'): boolean {
  return content.some(({ mediaType }) => coversMediaType(mediaType, type));
}

function choose(stated: ReadonlySet<string>, wanted: readonly number[]): Patterns | undefined {
  const found = wanted.filter((status) => stated.has(String(status)));
  if (stated.has('DEFAULT') || (found.length === 0 && stated.has('4XX'))) return ['4XX'];
  return found.length === 0 ? undefined : found;
}

/** What a client must not see may be rejected as what is not there is, so that neither can be told (RFC 9110 section 15.5.4). */
function hide(stated: ReadonlySet<string>, wanted: readonly number[]): Patterns | undefined {
  return choose(stated, wanted)?.concat(stated.has('403') ? [403] : []);
}

function findStated(stated: ReadonlySet<string>, status: number): Patterns | undefined {
  return stated.has(String(status)) ? [status] : undefined;
}
