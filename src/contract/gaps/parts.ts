// The parts of a resource that a general gap needs, and the place of the contract that leaves the gap open.
import type { Contract } from '../contract.js';
import { asObject } from '../document/plain.js';
import { resolveAt } from '../document/references.js';
import type { Operation, Parameter } from '../model.js';
import { readProperties } from '../operations/properties.js';
import { choosePlainRoles, recordTypeOf, type PlainRoles } from '../resources/plain-roles.js';
import type { Filter, Resource, RoleOperation } from '../resources/resource.js';
import { statesBothRefusals } from '../operations/states-both-refusals.js';
import { readSortTerm } from '../resources/sort-term.js';
import { plainName } from '../resources/words.js';
import { listUnsent } from './unset-fields.js';

type Described = Pick<Contract, 'document'>;

interface Asked {
  resource: Resource;
  roles: PlainRoles;
  contract: Described;
}

/** JSON Pointers; `undefined` if there is no such part, or if the contract leaves nothing open. */
const PARTS: Readonly<Record<string, (asked: Asked) => string | undefined>> = {
  list: ({ roles }) => roles.list?.operation.pointer,
  'own-list': ({ roles }) => (roles.create === undefined ? undefined : roles.list?.operation.pointer),
  limit: ({ roles }) => limitOf(roles)?.pointer,
  'unstated-limit': ({ roles }) => openLimit(roles)?.pointer,
  minimum: ({ roles }) => boundOf(roles, 'minimum'),
  maximum: ({ roles }) => boundOf(roles, 'maximum'),
  filter: ({ roles }) => (statesRefusal(roles.list) ? undefined : listEnumFilters(roles.list)[0]?.pointer),
  'open-create': ({ roles, contract }) => (isClosed(roles, contract) ? undefined : roles.create?.operation.pointer),
  'media-type': ({ roles: { create } }) =>
    create === undefined || states(create.operation, ['415']) ? undefined : create.operation.pointer,
  'unstated-body': ({ roles }) => (statesRefusal(roles.create) ? undefined : roles.create?.operation.pointer),
  'two-refusals': ({ roles: { create, replace } }) =>
    [create, replace].find((each) => each !== undefined && statesBothRefusals(each.operation))?.operation.pointer,
  'unset-field': ({ roles, resource, contract }) =>
    listUnsent(roles.create, resource, contract.document)[0]?.schemaPointer,
  location: ({ roles: { create }, resource }) =>
    create === undefined || resource.scope.length > 0 || statesLocation(create) ? undefined : create.operation.pointer,
  'given-key': ({ roles, resource: { key }, contract }) =>
    isClosed(roles, contract) || key.givenBy !== 'service' ? undefined : key.schemaPointer,
  'malformed-key': ({ roles, resource: { key } }) =>
    key.kind === 'integer' && !statesRefusal(roles.get) ? keyOf(roles.get, key.parameter)?.pointer : undefined,
  'integer-key': ({ roles, resource: { key } }) =>
    key.kind === 'integer' ? keyOf(roles.get, key.parameter)?.pointer : undefined,
  'key-range': ({ roles, resource: { key } }) => {
    const parameter = keyOf(roles.get, key.parameter);
    const hasRange = parameter !== undefined && /^int(?:32|64)$/.test(String(parameter.schema['format']));
    return key.kind === 'integer' && hasRange && !statesRefusal(roles.get) ? parameter.pointer : undefined;
  },
  text: ({ roles, resource, contract }) => listFreeTexts(roles.create, resource, contract)[0]?.schemaPointer,
  number: ({ roles, resource, contract }) => listFreeNumbers(roles.create, resource, contract)[0]?.schemaPointer,
  fields: ({ resource, roles }) =>
    roles.get === undefined && roles.list === undefined ? undefined : resource.schemaPointer,
  lower: ({ roles }) => boundBy('from', roles)?.pointer,
  upper: ({ roles }) => boundBy('to', roles)?.pointer,
  sort: ({ roles, resource, contract }) => openSort(roles.list, resource, contract)?.pointer,
  'nested-update': ({ roles: { update }, contract }) => findNested(update, contract),
  update: ({ roles: { update }, contract }) => (mayBeEmpty(update, contract) ? update?.operation.pointer : undefined),
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

/** The place that leaves a general gap open for a resource; `undefined` if it is none there. */
export function findPart(of: string, resource: Resource, contract: Described): string | undefined {
  return PARTS[of]?.({ resource, roles: choosePlainRoles(resource), contract });
}

/** The query parameter with the length of a page, if it is an integer. */
export function limitOf({ list }: PlainRoles): Parameter | undefined {
  const paging = list?.list?.paging;
  const name = paging?.kind === 'page' ? paging.size : paging?.limit;
  const found = list?.operation.parameters.find((each) => each.in === 'query' && each.name === name);
  return found?.shape.types.includes('integer') === true ? found : undefined;
}

/** A place where the contract does not say how invalid values are refused. */
function openLimit(roles: PlainRoles): Parameter | undefined {
  return statesRefusal(roles.list) ? undefined : limitOf(roles);
}

function boundOf(roles: PlainRoles, rule: 'minimum' | 'maximum'): string | undefined {
  const limit = openLimit(roles);
  return typeof limit?.schema[rule] === 'number' ? limit.pointer : undefined;
}

/** The query parameters of a list that select records by one of a few values. */
export function listEnumFilters(list: RoleOperation | undefined): Parameter[] {
  const equal = (list?.list?.filters ?? []).filter(({ relation }) => relation === 'equals');
  const names = new Set(equal.map(({ parameter }) => parameter));
  return (list?.operation.parameters ?? []).filter(
    ({ in: place, name, schema }) => place === 'query' && names.has(name) && isListOfTexts(schema['enum']),
  );
}

/** The first query parameter of a list that is a bound of a range. */
function boundBy(relation: Filter['relation'], { list }: PlainRoles): Parameter | undefined {
  const filter = list?.list?.filters.find((each) => each.relation === relation);
  const name = filter?.parameter ?? '';
  return list?.operation.parameters.find(
    (each) => each.in === 'query' && (each.name === name || name.startsWith(`${each.name}[`)),
  );
}

/** The query parameter that names a field to sort by, and no direction: where none has a default. */
function openSort(
  list: RoleOperation | undefined,
  { schemaPointer }: Pick<Resource, 'schemaPointer'>,
  { document }: Described,
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

/** An object in an update by plain JSON; a merge patch says what becomes of what is in it (RFC 7396). */
function findNested(update: RoleOperation | undefined, { document }: Described): string | undefined {
  if (update?.requestPointer === undefined || recordTypeOf(update.operation) !== 'application/json') return undefined;
  return readProperties(document, update.requestPointer).find(
    ({ schemaPointer }) => readProperties(document, schemaPointer).length > 1,
  )?.schemaPointer;
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
}

function keyOf(get: RoleOperation | undefined, name: string): Parameter | undefined {
  return get?.operation.parameters.find((each) => each.in === 'path' && each.name === name);
}

/** Whether the contract says how an invalid request is answered. */
function statesRefusal(of: RoleOperation | undefined): boolean {
  return of !== undefined && states(of.operation, ['400', '422']);
}

function states({ responses }: Operation, wanted: readonly string[]): boolean {
  return responses.some(({ status }) => wanted.includes(status));
}

function statesLocation({ operation, success }: RoleOperation): boolean {
  const rule = operation.responses.find(({ status }) => status === String(success.status));
  return rule?.headers.some(({ name }) => name.toLowerCase() === 'location') === true;
}

/** Whether no record can be created, or none with a field that the contract does not define. */
function isClosed({ create }: PlainRoles, { document }: Described): boolean {
  if (create?.requestPointer === undefined) return true;
  return asObject(resolveAt(document, create.requestPointer).value)['additionalProperties'] === false;
}

function mayBeEmpty(update: RoleOperation | undefined, { document }: Described): boolean {
  if (update?.requestPointer === undefined) return false;
  const isRequired = readProperties(document, update.requestPointer).some(({ required }) => required);
  const schema = asObject(resolveAt(document, update.requestPointer).value);
  return !isRequired && schema['minProperties'] === undefined;
}

/** A field that a client may give. */
export interface FreeField {
  name: string;
  schemaPointer: string;
}

/** The texts of a new record about which the contract says only that they are texts. */
export function listFreeTexts(
  create: RoleOperation | undefined,
  resource: Pick<Resource, 'key'>,
  contract: Described,
): FreeField[] {
  const bounds = ['enum', 'const', 'format', 'pattern', 'minLength', 'maxLength', 'readOnly'];
  return listFields(create, resource, contract, (schema) => schema['type'] === 'string' && isFree(schema, bounds));
}

/** The numbers of a new record that the contract allows to be negative. */
export function listFreeNumbers(
  create: RoleOperation | undefined,
  resource: Pick<Resource, 'key'>,
  contract: Described,
): FreeField[] {
  const isNumber = ({ type }: Record<string, unknown>): boolean => type === 'integer' || type === 'number';
  const bounds = ['enum', 'const', 'minimum', 'exclusiveMinimum', 'readOnly'];
  return listFields(create, resource, contract, (schema) => isNumber(schema) && isFree(schema, bounds)).filter(
    ({ name }) => !/(?:^|[a-z_-])(?:id|key)$/i.test(name),
  );
}

function isFree(schema: Readonly<Record<string, unknown>>, bounds: readonly string[]): boolean {
  return bounds.every((rule) => schema[rule] === undefined);
}

function listFields(
  create: RoleOperation | undefined,
  { key }: Pick<Resource, 'key'>,
  { document }: Described,
  test: (schema: Record<string, unknown>) => boolean,
): FreeField[] {
  if (create?.requestPointer === undefined) return [];
  return readProperties(document, create.requestPointer).filter(
    ({ name, schemaPointer }) =>
      name !== key.property && test({ ...asObject(resolveAt(document, schemaPointer).value) }),
  );
}
