// The resources to which scenarios that speak of roles are bound, with what a run needs to know about each.
import type { Contract } from '../../contract/contract.js';
import { readOnce, readDocument, type SourceDocument } from '../../contract/document/document.js';
import { asList, asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import type { Operation, SchemaObject } from '../../contract/model.js';
import { hasMark, listProperties, readProperties, type Property } from '../../contract/operations/properties.js';
import { saysAssigned, saysTidied } from '../../contract/operations/said-in-words.js';
import { isKeyName } from '../../contract/resources/read-resource.js';
import { inferResources } from '../../contract/resources/infer-resources.js';
import { chooseCreateAtItem, choosePlainRoles, nameInIds } from '../../contract/resources/resource.js';
import {
  nestWhereCreated,
  type PlainRoles,
  type Resource,
  type RoleOperation,
} from '../../contract/resources/resource.js';
import { plainName } from '../../contract/resources/words.js';
import { readBesideNull } from '../../contract/schemas/dialect.js';
import type { SourcePlace } from '../../errors.js';
import { listGapsNamed, listGapsOf, type ContractGaps } from '../../contract/gaps/gaps-of-contract.js';
import { loadGapEntries, type Gap } from '../../contract/gaps/gaps.js';
import { packageFile } from '../../package-files.js';

/**
 * How records are created at a key of the client's choice. `stated`: by a PUT with 201. `open`: the contract does not say that a
 * PUT creates (201), nor that it does not (404). `posted`: by a POST on the item.
 */
type PutsNew = 'stated' | 'open' | 'posted';

export interface Subject {
  name: string; // The name in the ids of its scenarios: `orders`, `users-orders`.
  resource: Resource;
  roles: PlainRoles; // The operations at the resource's own paths whose body is JSON, or that have none.
  fields: readonly Field[]; // The fields of a create; empty without one.
  parent: Subject | undefined;
  putsNew: PutsNew | undefined; // Whether its create is a PUT or POST at a new key; `undefined` if it has another.
  isFound?: true; // Whether a run creates none of its records and reads those that are there.
}

export interface Field {
  name: string;
  required: boolean;
  schemaPointer: string;
  schema: SchemaObject;
  type: string | undefined;
  isNullable: boolean;
  isShown: boolean; // Whether a response shows it: it is not `writeOnly`, and the record has it.
  recordPointer: string | undefined;
}

export type RecordTemplate = Readonly<Record<string, unknown>>;

export interface MadeRecords {
  minimal: RecordTemplate;
  full: RecordTemplate;
  plain: RecordTemplate; // Like `full`, but without references.
  other: RecordTemplate; // Like `full`, with another value wherever the contract allows one.
  kinds: { full: RecordTemplate; plain: RecordTemplate }[];
  changed: string[]; // The fields in which `other` certainly differs from `full`.
  dependsOn: string[];
  givenAt?: SourcePlace | undefined;
}

export function pick(record: RecordTemplate, names: readonly string[]): RecordTemplate {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]]));
}

/** The resources of a contract that can be tested, parents before what belongs to them. */
export const readSubjects = readOnce((contract: Contract): readonly Subject[] => {
  const found: Subject[] = [];
  const shown = inferResources(contract).resources;
  const resources = shown.map(nestWhereCreated).map((resource) => keyWithClient(resource, contract));
  for (const resource of resources.toSorted((one, other) => one.scope.length - other.scope.length)) {
    const own = choosePlainRoles(resource);
    const put = findPut(own, resource);
    const roles = put === undefined ? own : { ...own, create: put.create };
    if (Object.keys(roles).length === 0) continue;
    const parent = found.find((each) => each.resource.name === resource.parent?.resource);
    const fields = readFields(contract, resource, roles.create);
    found.push({ name: nameInIds(resource), resource, roles, fields, parent, putsNew: put?.putsNew });
  }
  return found;
});

export function isCreate(operation: { id: string } | undefined, contract: Contract): boolean {
  return (
    operation !== undefined && readSubjects(contract).some(({ roles }) => roles.create?.operation.id === operation.id)
  );
}

function keyWithClient(resource: Resource, { document }: Contract): Resource {
  const { key, operations } = resource;
  const create = operations.find(({ role }) => role === 'create');
  const { body, schemaPointer } = create?.success ?? {};
  if (create === undefined || body !== 'other' || schemaPointer === undefined) return resource;
  if (key.givenBy !== 'either' || key.kind !== 'text') return resource;
  const headers = create.operation.responses.flatMap((response) => response.headers);
  const isLocated = headers.some(({ name }) => /^location$/i.test(name));
  const isShown = [...listProperties(document, schemaPointer)].some((name) => isKeyName(name, key));
  return isLocated || isShown ? resource : { ...resource, key: { ...key, givenBy: 'client' } };
}

type CreateAtItem = { putsNew: PutsNew; create: RoleOperation };

function findPut({ create, get, replace }: PlainRoles, resource: Resource): CreateAtItem | undefined {
  if (create !== undefined || get === undefined) return undefined;
  const posted = chooseCreateAtItem(resource);
  if (posted !== undefined) return { putsNew: 'posted', create: posted };
  if (replace === undefined || resource.operations.some(({ role }) => role === 'create')) return undefined;
  const has = (status: string): boolean => replace.operation.responses.some((rule) => rule.status === status);
  const isOpen = !has('201');
  if (isOpen && (has('404') || has('410'))) return undefined;
  return { putsNew: isOpen ? 'open' : 'stated', create: { ...replace, role: 'create' } };
}

function readFields(contract: Contract, resource: Resource, create: RoleOperation | undefined): Field[] {
  if (create?.requestPointer === undefined) return [];
  const { document } = contract;
  const shown = new Map(readProperties(document, resource.schemaPointer).map((each) => [each.name, each]));
  const assigned = new Set(resource.assigned.map(({ name }) => name));
  return readProperties(document, create.requestPointer).flatMap((property) => {
    const { name, required, schemaPointer } = property;
    const field = readField(property, document);
    if (hasMark(document, schemaPointer, 'readOnly') || (assigned.has(name) && !required)) return [];
    if (!required && saysAssigned(field.schema)) return [];
    const recordPointer = shown.get(name)?.schemaPointer;
    const isShown = field.isShown && recordPointer !== undefined && !hasMark(document, recordPointer, 'writeOnly');
    return [{ ...field, recordPointer, isShown }];
  });
}

export function readField({ name, required, schemaPointer }: Property, document: SourceDocument): Field {
  const schema = readBesideNull(document, schemaPointer);
  const types = [schema['type'] ?? []].flat().map(String);
  const plain = types.filter((type) => type !== 'null');
  const isOpen = types.length === 0 || plain.length > 1;
  const type = isOpen ? undefined : plain[0];
  const isBesideNull = asObject(resolveAt(document, schemaPointer).value) !== schema;
  const isNullable = isBesideNull || isOpen || schema['nullable'] === true || types.includes('null');
  const isShown = !hasMark(document, schemaPointer, 'writeOnly');
  return { name, required, schemaPointer, schema, isShown, recordPointer: undefined, type, isNullable };
}

/** Whether a service sets it of one record alone: set of another, it is taken away from the one that had it. */
export function isOneOfAll({ name, type }: Pick<Field, 'name' | 'type'>): boolean {
  return type === 'boolean' && /^(?:is)?(?:default|primary|main|preferred)$/.test(plainName(name));
}

export function recordSchemaOf({ recordPointer }: Field, { document }: Pick<Contract, 'document'>): SchemaObject {
  return recordPointer === undefined ? {} : asObject(resolveAt(document, recordPointer).value);
}

export function isSet(field: Field, contract: Contract): boolean {
  return field.schema['uniqueItems'] === true || recordSchemaOf(field, contract)['uniqueItems'] === true;
}

export function isTidied(field: Field, contract: Contract): boolean {
  return [field.schema, asObject(field.schema['items']), recordSchemaOf(field, contract)].some(saysTidied);
}

/** The subject whose record a field of `own` names, `petId` or `pet_uuid`, if its keys are of the field's type. */
type Typed = Pick<Field, 'name' | 'type' | 'schema'>;

export function findReferred({ name, type, schema }: Typed, own: Subject, subjects: readonly Subject[]) {
  const plain = plainName(name);
  return subjects.find((subject) => {
    const { singular, key, scope } = subject.resource;
    const word = plainName(singular);
    const isNamed = plain === `${word}id` || plain === `${word}${plainName(key.property)}`;
    const wanted = key.kind === 'integer' ? 'integer' : 'string';
    // Of what may be a record or its key, the key: `oneOf: [{type: string, format: uuid}, {$ref: ...}]`.
    const form = type === undefined ? listForms(schema).find((each) => each['type'] === wanted) : undefined;
    const held = form === undefined ? { type, schema } : { type: wanted, schema: form };
    const isUuid = held.schema.format === 'uuid';
    const isOfKind = isUuid ? key.kind === 'uuid' : !OTHER_FORMATS.has(String(held.schema.format));
    if (scope.length > 0 || !isOfKind) return false;
    if (isNamed) return key.kind === 'integer' ? held.type !== 'array' : held.type === 'string';
    if (subject === own) return false;
    return plain === word && held.type === wanted && held.schema['enum'] === undefined;
  });
}

export function listForms(schema: SchemaObject): SchemaObject[] {
  const inside = [...asList(schema['oneOf']), ...asList(schema['anyOf']), schema['items'] ?? []].flat();
  return [schema, ...inside.flatMap((each) => listForms(asObject(each)))];
}

const OTHER_FORMATS = new Set(['uri', 'uri-reference', 'url', 'date', 'date-time', 'time', 'email', 'ipv4', 'ipv6']);

export function recordAt({ success }: RoleOperation): string | undefined {
  if (success.body !== 'record' && success.body !== 'list') return undefined;
  return (success.envelope?.member ?? []).map((name) => `/${name}`).join('');
}

export function isGiven(name: string, subject: Subject): boolean {
  const { key } = subject.resource;
  if (name !== key.property || subject.putsNew !== undefined || key.givenBy === 'client') return true;
  const types = findKeyParameter(subject)?.shape.types ?? [];
  return key.givenBy === 'either' && key.kind === 'text' && (types.length === 0 || types.includes('string'));
}

export function findKeyParameter({ resource, roles }: Subject, written: RoleOperation | undefined = roles.get) {
  return written?.operation.parameters.find(({ in: at, name }) => at === 'path' && name === resource.key.parameter);
}

export function creatorOf({ name, isFound }: Subject): string {
  return `${name}/${isFound === true ? FOUND : 'records/create'}`;
}

const FOUND = 'records/found';
const CREATORS = ['records/create', 'records/create-full', 'records/created-alone'];

export function nameBase(id: string, { isFound }: Subject): string {
  return isFound === true && CREATORS.includes(id) ? FOUND : id;
}

export function hasBase(id: string, { isFound, roles }: Subject): boolean {
  return isFound !== true || roles.list !== undefined || !CREATORS.includes(id);
}

const NO_RECORDS = { minimal: {}, full: {}, plain: {}, other: {}, kinds: [] };
export const NONE_MADE: MadeRecords = { ...NO_RECORDS, changed: [], dependsOn: [] };

export function readAsFound(subject: Subject, { document }: Contract): Subject | undefined {
  const { list, get } = subject.roles;
  if (list === undefined || recordAt(list) === undefined) return undefined;
  const fields = readProperties(document, subject.resource.schemaPointer)
    .filter(({ schemaPointer }) => !hasMark(document, schemaPointer, 'writeOnly'))
    .map((property) => Object.assign(readField(property, document), { recordPointer: property.schemaPointer }));
  return { ...subject, roles: get === undefined ? { list } : { list, get }, fields, putsNew: undefined, isFound: true };
}

/** What is left of a contract beside its resources: the operations that none of them has, to be asked as they stand. */
export function readRest(subjects: readonly Subject[], { operations }: Contract): Subject | undefined {
  const asked = new Set(subjects.flatMap(({ roles }) => Object.values(roles).map(({ operation }) => operation.id)));
  const rest = operations.filter(({ id }) => !asked.has(id));
  if (rest.length === 0) return undefined;
  const isFree = (each: string): boolean => subjects.every((subject) => subject.name !== each);
  const name = ['operations', 'other-operations'].find(isFree) ?? 'rest';
  const resource: Resource = {
    name,
    singular: 'operation',
    collectionPath: '',
    itemPath: '',
    schemaPointer: '',
    key: { property: '', parameter: '', kind: 'text', givenBy: 'service', schemaPointer: '' },
    operations: rest.map(asAction),
    scope: [],
    parent: undefined,
    assigned: [],
    notes: [],
  };
  return { name, resource, roles: {}, fields: [], parent: undefined, putsNew: undefined, isFound: true };
}

export function asAction(operation: Operation): RoleOperation {
  const success = { status: 200, mediaType: undefined, body: undefined } as unknown as RoleOperation['success'];
  return { role: 'action', operation, success, requestMember: undefined, requestPointer: undefined };
}

const SHIPPED = 'spec/gaps.yaml';

export const readGapsOf = readOnce((contract: Contract): ContractGaps =>
  listGapsOf(contract, loadGapEntries(packageFile(SHIPPED), SHIPPED)),
);

export function listAskedGaps(contract: Contract, hasSecond: boolean): Gap[] {
  return readGapsOf(contract).asked.filter(({ id, of }) => hasSecond || (of?.gap ?? id) !== 'second-key');
}

export function readGapsNamed(profiles: readonly string[]): Gap[] {
  const ids = profiles.flatMap((path) =>
    Object.keys(asObject(asObject(readDocument(path, { code: 'unusable-profile', kind: 'profile' }).root)['gaps'])),
  );
  return listGapsNamed(new Set(ids), loadGapEntries(packageFile(SHIPPED), SHIPPED));
}
