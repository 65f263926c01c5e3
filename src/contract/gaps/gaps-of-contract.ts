import { recordTypeOf } from '../media-types.js';
import type { Contract } from '../contract.js';
import { asksForCredentials } from '../security.js';
import { inferResources, type Described } from '../resources/infer-resources.js';
import { escapePointer, type SourceDocument } from '../document/document.js';
import type { Resource, PlainRoles, Filter, RoleOperation } from '../resources/resource.js';
import { nameInIds, choosePlainRoles, readSortTerm } from '../resources/resource.js';
import { fillTexts, PETS, wordsOf, type GapWords, type Gap, type GapEntry } from './gaps.js';
import { asObject } from '../document/plain.js';
import { resolveAt } from '../document/references.js';
import type { Operation, Parameter } from '../model.js';
import { readProperties, hasMark, type Property, isNullable } from '../operations/properties.js';
import { saysKept, saysLeft, saysReplaced, saysUpdated } from '../operations/said-in-words.js';
import { statesBothRejections } from '../operations/operations.js';
import { plainName } from '../resources/words.js';
import { parseNumberLiteral, type Int64 } from '../document/json.js';

export interface ContractGaps {
  asked: Gap[];
  /** What a profile may answer: also a general gap under its plain id, for every resource at once. */
  known: Gap[];
}

type Read = Described & Pick<Contract, 'security'>;

export function listGapsOf(contract: Read, entries: readonly GapEntry[]): ContractGaps {
  const { resources } = inferResources(contract);
  // Of the resource whose places `gaps.yaml` names, gaps have plain ids.
  const own = resources.find(({ collectionPath }) => {
    const within = `#/paths/${escapePointer(collectionPath)}/`;
    return entries.some(({ contract: at, each }) => each !== undefined && at?.startsWith(within) === true);
  });
  const plain = entries.map((entry) => {
    const found = own === undefined || entry.each === undefined ? undefined : findPart(entry.each.of, own, contract);
    const part = found === undefined ? undefined : `#${found}`;
    const isOther = (place: string): boolean =>
      part !== undefined && PARAMETER.test(place) && PARAMETER.exec(place)?.[0] !== PARAMETER.exec(part)?.[0];
    const { contract: at } = entry;
    const isFitting = at !== undefined && isThere(at, contract) && !isOther(at);
    const gap = fillGap(entry, isFitting ? at : (part ?? ANYWHERE), PETS);
    return own === undefined || isOfService(entry, contract) ? gap : { ...gap, resource: nameInIds(own) };
  });
  const dotted = resources.filter((each) => each !== own).flatMap((resource) => listOf(resource, contract, entries));
  const parts = new Set(own === undefined ? [] : listOf(own, contract, entries).map(({ of }) => of?.gap));
  const isAsked = (entry: GapEntry): boolean =>
    isOfService(entry, contract) || parts.has(entry.id) || (own !== undefined && isThere(entry.contract, contract));
  const ids = new Set(entries.filter(isAsked).map(({ id }) => id));
  return { asked: [...plain.filter(({ id }) => ids.has(id)), ...dotted], known: [...plain, ...dotted] };
}

const isThere = (pointer: string | undefined, { document }: Described): boolean =>
  pointer !== undefined && document.at(pointer.slice(1)) !== undefined;

const PARAMETER = /^.*\/parameters\/\d+/;
const ANYWHERE = '#/paths';

function listOf(resource: Resource, contract: Read, entries: readonly GapEntry[]): Gap[] {
  const name = nameInIds(resource);
  return entries.flatMap((entry) => {
    const at = entry.each === undefined ? undefined : findPart(entry.each.of, resource, contract);
    if (at === undefined || entry.each === undefined) return [];
    const filled = fillGap({ ...entry, question: entry.each.question }, `#${at}`, wordsOf(resource));
    return [{ ...filled, id: `${name}.${entry.each.id}`, resource: name, of: { resource: name, gap: entry.id } }];
  });
}

const fillGap = ({ each: _each, ...entry }: GapEntry, contract: string, words: GapWords): Gap =>
  fillTexts({ ...entry, contract }, words);

function isOfService({ each }: GapEntry, { security, operations }: Read): boolean {
  if (each?.of === 'service') return true;
  const all = [security, ...operations.filter(({ secured }) => secured).map((operation) => operation.security)];
  return each?.of === 'bearer' && all.some((one) => asksForCredentials(one));
}

export function listGapsNamed(ids: ReadonlySet<string>, entries: readonly GapEntry[]): Gap[] {
  const asked = entries.filter(({ id, contract }) => contract !== undefined || ids.has(id));
  const plain = asked.map((entry) => fillGap(entry, entry.contract ?? ANYWHERE, PETS));
  const named = [...ids].flatMap((id) => {
    const [, resource = '', general = ''] = /^([A-Za-z0-9-]+)\.([a-z-]+)$/.exec(id) ?? [];
    const entry = entries.find(({ each }) => each?.id === general);
    if (entry?.each === undefined) return [];
    const words = { record: 'record', records: 'records', text: 'text', number: 'number' };
    const filled = fillGap({ ...entry, question: entry.each.question }, ANYWHERE, words);
    return [{ ...filled, id, of: { resource, gap: entry.id } }];
  });
  return [...plain, ...named];
}

type HasDocument = Pick<Contract, 'document'>;

/** JSON Pointers; `undefined` if there is no such part, or if the contract leaves nothing open. */
const PARTS: Readonly<
  Record<string, (asked: { resource: Resource; roles: PlainRoles; contract: HasDocument }) => string | undefined>
> = {
  list: ({ roles }) => roles.list?.operation.pointer,
  'own-list': ({ roles }) => (roles.create === undefined ? undefined : roles.list?.operation.pointer),
  // Of what nobody has to show a key for, no key is another.
  'own-records': ({ roles: { create, get, list } }) =>
    create?.operation.secured === true && (get ?? list) !== undefined ? create.operation.pointer : undefined,
  limit: ({ roles }) => limitOf(roles)?.pointer,
  'unstated-limit': ({ roles }) => (statesRejection(roles.list) ? undefined : limitOf(roles)?.pointer),
  minimum: ({ roles }) => boundOf(roles, 'minimum'),
  maximum: ({ roles }) => boundOf(roles, 'maximum'),
  filter: ({ roles }) => (statesRejection(roles.list) ? undefined : listEnumFilters(roles.list)[0]?.pointer),
  'open-create': ({ roles, contract }) => (isClosed(roles, contract) ? undefined : roles.create?.operation.pointer),
  'media-type': ({ roles: { create } }) =>
    create === undefined || states(create.operation, ['415']) ? undefined : create.operation.pointer,
  'unstated-body': ({ roles }) => (statesRejection(roles.create) ? undefined : roles.create?.operation.pointer),
  'two-refusals': ({ roles: { create, replace } }) =>
    [create, replace].find((each) => each !== undefined && statesBothRejections(each.operation))?.operation.pointer,
  'unset-field': ({ roles, resource, contract }) =>
    listUnsent(roles.create, resource, contract.document)[0]?.schemaPointer,
  location: ({ roles: { create }, resource }) => {
    if (create === undefined || resource.scope.length > 0) return undefined;
    const rule = create.operation.responses.find(({ status }) => status === String(create.success.status));
    const isStated = rule?.headers.some(({ name }) => name.toLowerCase() === 'location') === true;
    return isStated ? undefined : create.operation.pointer;
  },
  'given-key': ({ roles, resource: { key }, contract }) =>
    isClosed(roles, contract) || key.givenBy !== 'service' ? undefined : key.schemaPointer,
  'malformed-key': ({ roles, resource: { key } }) =>
    key.kind === 'integer' && !statesRejection(roles.get) ? keyOf(roles.get, key.parameter)?.pointer : undefined,
  'integer-key': ({ roles, resource: { key } }) =>
    key.kind === 'integer' ? keyOf(roles.get, key.parameter)?.pointer : undefined,
  'key-range': ({ roles, resource: { key } }) => {
    const parameter = keyOf(roles.get, key.parameter);
    const hasRange = parameter !== undefined && /^int(?:32|64)$/.test(String(parameter.schema['format']));
    return key.kind === 'integer' && hasRange && !statesRejection(roles.get) ? parameter.pointer : undefined;
  },
  text: ({ roles, resource, contract }) => listFreeTexts(roles.create, resource, contract)[0]?.schemaPointer,
  number: ({ roles, resource, contract }) => listFreeNumbers(roles.create, resource, contract)[0]?.schemaPointer,
  fields: ({ resource, roles }) =>
    roles.get === undefined && roles.list === undefined ? undefined : resource.schemaPointer,
  lower: ({ roles }) => boundBy('from', roles)?.pointer,
  upper: ({ roles }) => boundBy('to', roles)?.pointer,
  sort: ({ roles, resource, contract }) => openSort(roles.list, resource, contract)?.pointer,
  // An object in an update by plain JSON; a merge patch says what becomes of what is in it (RFC 7396).
  'nested-update': ({ roles: { update }, contract: { document } }) => {
    if (update?.requestPointer === undefined || recordTypeOf(update.operation) !== 'application/json') return undefined;
    const fields = readProperties(document, update.requestPointer);
    return fields.find(({ schemaPointer }) => readProperties(document, schemaPointer).length > 1)?.schemaPointer;
  },
  update: ({ roles: { update }, contract: { document } }) => {
    if (update?.requestPointer === undefined) return undefined;
    const isRequired = readProperties(document, update.requestPointer).some(({ required }) => required);
    const schema = asObject(resolveAt(document, update.requestPointer).value);
    return isRequired || schema['minProperties'] !== undefined ? undefined : update.operation.pointer;
  },
  'open-replace': ({ roles: { create, replace, update }, contract: { document } }) =>
    [replace, update].find((each) => each !== undefined && readReplacing(each, create, document) === 'open')?.operation
      .pointer,
  replace: ({ roles: { replace }, resource: { key } }) =>
    replace === undefined || key.givenBy === 'client' || states(replace.operation, ['201', '404'])
      ? undefined
      : replace.operation.pointer,
  remove: ({ roles }) => (roles.get === undefined ? undefined : roles.remove?.operation.pointer),
  gone: ({ roles }) => {
    const isStated = roles.update === undefined || states(roles.update.operation, ['404', '410']);
    return isStated || roles.remove === undefined ? undefined : roles.update?.operation.pointer;
  },
};

const findPart = (of: string, resource: Resource, contract: HasDocument): string | undefined =>
  PARTS[of]?.({ resource, roles: choosePlainRoles(resource), contract });

export type Replacing = 'replaced' | 'merged' | 'open';

/** What a PUT or POST leaves out: a PUT replaces (RFC 9110 section 9.3.4) unless it is called an update. */
export function readReplacing(
  { role, operation, requestPointer }: RoleOperation,
  create: RoleOperation | undefined,
  document: SourceDocument,
): Replacing {
  const said = asObject(document.at(operation.pointer));
  const hasRequired = (at: string | undefined): boolean =>
    at !== undefined && readProperties(document, at).some(({ required }) => required);
  const isPartial = !hasRequired(requestPointer);
  if (role === 'update' && (operation.method === 'PATCH' || isPartial)) return 'merged';
  const isReplaced = saysReplaced(operation.id, said);
  // What says both, or modifies, says neither.
  if (saysLeft(said)) return saysKept(said) && !isReplaced ? 'merged' : 'open';
  if (isReplaced) return 'replaced';
  const isOpen =
    role === 'update' || saysUpdated(operation.id, said) || (isPartial && hasRequired(create?.requestPointer));
  return isOpen ? 'open' : 'replaced';
}

export function limitOf({ list }: PlainRoles): Parameter | undefined {
  const paging = list?.list?.paging;
  const name = paging?.kind === 'page' ? paging.size : paging?.limit;
  const found = list?.operation.parameters.find((each) => each.in === 'query' && each.name === name);
  return found?.shape.types.includes('integer') === true ? found : undefined;
}

function boundOf(roles: PlainRoles, rule: 'minimum' | 'maximum'): string | undefined {
  const limit = statesRejection(roles.list) ? undefined : limitOf(roles);
  return typeof limit?.schema[rule] === 'number' ? limit.pointer : undefined;
}

export function listEnumFilters(list: RoleOperation | undefined): Parameter[] {
  const equal = (list?.list?.filters ?? []).filter(({ relation }) => relation === 'equals');
  const names = new Set(equal.map(({ parameter }) => parameter));
  return (list?.operation.parameters ?? []).filter(
    ({ in: place, name, schema }) =>
      place === 'query' &&
      names.has(name) &&
      Array.isArray(schema['enum']) &&
      schema['enum'].length > 0 &&
      schema['enum'].every((each) => typeof each === 'string'),
  );
}

function boundBy(relation: Filter['relation'], { list }: PlainRoles): Parameter | undefined {
  const filter = list?.list?.filters.find((each) => each.relation === relation);
  const name = filter?.parameter ?? '';
  return list?.operation.parameters.find(
    (each) => each.in === 'query' && (each.name === name || name.startsWith(`${each.name}[`)),
  );
}

function openSort(
  list: RoleOperation | undefined,
  { schemaPointer }: Pick<Resource, 'schemaPointer'>,
  { document }: HasDocument,
): Parameter | undefined {
  const { parameter, direction } = list?.list?.sort ?? {};
  const find = (name: string | undefined): Parameter | undefined =>
    list?.operation.parameters.find((each) => each.in === 'query' && each.name === name);
  const names = new Set(readProperties(document, schemaPointer).map(({ name }) => plainName(name)));
  const found = find(parameter);
  const listed: unknown[] = Array.isArray(found?.schema['enum']) ? found.schema['enum'] : [];
  const isOpen = listed
    .map((value) => readSortTerm(String(value)))
    .some(({ name, sign }) => sign === undefined && names.has(plainName(name)));
  return isOpen && find(direction)?.schema['default'] === undefined ? found : undefined;
}

const keyOf = (get: RoleOperation | undefined, name: string): Parameter | undefined =>
  get?.operation.parameters.find((each) => each.in === 'path' && each.name === name);

const statesRejection = (of: RoleOperation | undefined): boolean =>
  of !== undefined && states(of.operation, ['400', '422']);

const states = ({ responses }: Operation, wanted: readonly string[]): boolean =>
  responses.some(({ status }) => wanted.includes(status));

function isClosed({ create }: PlainRoles, { document }: HasDocument): boolean {
  if (create?.requestPointer === undefined) return true;
  return asObject(resolveAt(document, create.requestPointer).value)['additionalProperties'] === false;
}

export type FreeField = { name: string; schemaPointer: string };

export function listFreeTexts(
  create: RoleOperation | undefined,
  resource: Pick<Resource, 'key'>,
  contract: HasDocument,
): FreeField[] {
  const rules = ['enum', 'const', 'format', 'pattern', 'minLength', 'maxLength', 'readOnly'];
  return listFree(create, resource, contract, { types: ['string'], rules });
}

export function listFreeNumbers(
  create: RoleOperation | undefined,
  resource: Pick<Resource, 'key'>,
  contract: HasDocument,
): FreeField[] {
  const rules = ['enum', 'const', 'minimum', 'exclusiveMinimum', 'readOnly'];
  const found = listFree(create, resource, contract, { types: ['integer', 'number'], rules });
  return found.filter(({ name }) => !/(?:^|[a-z_-])(?:id|key)$/i.test(name));
}

function listFree(
  create: RoleOperation | undefined,
  { key }: Pick<Resource, 'key'>,
  { document }: HasDocument,
  { types, rules }: { types: readonly unknown[]; rules: readonly string[] },
): FreeField[] {
  if (create?.requestPointer === undefined) return [];
  return readProperties(document, create.requestPointer).filter(({ name, schemaPointer }) => {
    const schema = asObject(resolveAt(document, schemaPointer).value);
    const isFree = types.includes(schema['type']) && rules.every((rule) => schema[rule] === undefined);
    return isFree && name !== key.property;
  });
}

/** The fields of a record that may be missing, and may be null: which of both is an unset one? */
export function listUnsettable(document: SourceDocument, record: string): Property[] {
  return readProperties(document, record).filter(
    ({ required, schemaPointer }) =>
      !required && isNullable(document, schemaPointer) && !hasMark(document, schemaPointer, 'writeOnly'),
  );
}

export function listUnsent(
  create: RoleOperation | undefined,
  { schemaPointer: record }: { schemaPointer: string },
  document: SourceDocument,
): Property[] {
  if (create?.requestPointer === undefined || create.success.body !== 'record') return [];
  const shown = new Set(listUnsettable(document, create.success.recordPointer ?? record).map(({ name }) => name));
  return readProperties(document, create.requestPointer).filter(
    ({ name, required, schemaPointer }) =>
      shown.has(name) &&
      !required &&
      asObject(resolveAt(document, schemaPointer).value)['default'] === undefined &&
      !hasMark(document, schemaPointer, 'readOnly'),
  );
}

/** By the names in the gaps `limit-forms` and `pet-id-forms`. JSON takes the first two (JSON Schema, section 6.1.1). */
const INTEGER_FORMS: Readonly<Record<string, RegExp>> = {
  fraction: /^-?(?:0|[1-9]\d*)\.0+$/,
  exponent: /^-?(?:0|[1-9]\d*)(?:\.\d+)?e\+?\d+$/i,
  plus: /^\+(?:0|[1-9]\d*)$/,
  zeros: /^-?0+\d+$/,
  space: /^\s+-?(?:0|[1-9]\d*)\s*$|^-?(?:0|[1-9]\d*)\s+$/,
};

export function readIntegerForm(text: string, forms: readonly string[] = Object.keys(INTEGER_FORMS)) {
  if (!forms.some((form) => INTEGER_FORMS[form]?.test(text) === true)) return undefined;
  const literal = text
    .trim()
    .replace(/^\+/, '')
    .replace(/^(-?)0+(?=\d)/, '$1');
  const value = parseNumberLiteral(literal);
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? (value as Int64) : undefined;
}

export const NAME_CHARACTERS: Readonly<Record<string, RegExp>> = {
  astral: /[\u{10000}-\u{10FFFF}]/u,
  'non-ascii': /[\u0080-\u{10FFFF}]/u,
  control: /\p{Cc}/u,
  markup: /[<>]/,
  'outer-spaces': /^\s+\S|\S\s+$/,
};
