import { readOnce } from '../../contract/read-once.js';
// The resources to which scenarios that speak of roles are bound, with what a run needs to know about each.
import type { Contract } from '../../contract/contract.js';
import { asList, asObject } from '../../contract/document/plain.js';
import type { SourceDocument } from '../../contract/document/document.js';
import { saysAssigned, saysTidied } from '../../contract/operations/said-in-words.js';
import { resolveAt } from '../../contract/document/references.js';
import type { SchemaObject } from '../../contract/model.js';
import { readBesideNull } from '../../contract/schemas/nullable.js';
import { hasMark, listProperties, readProperties, type Property } from '../../contract/operations/properties.js';
import { isKeyName } from '../../contract/resources/find-key.js';
import { inferResources } from '../../contract/resources/infer-resources.js';
import {
  choosePlainRoles,
  nameInIds,
  nestWhereCreated,
  type PlainRoles,
} from '../../contract/resources/plain-roles.js';
import type { RecordKey, Resource, RoleOperation } from '../../contract/resources/resource.js';
import { plainName } from '../../contract/resources/words.js';
import { findPut, type PutsNew } from './keys/find-put.js';

/** A resource as scenarios speak of it. */
export interface Subject {
  /** The name in the ids of its scenarios: `orders`, `users-orders`. */
  name: string;
  resource: Resource;
  /** The operations at the resource's own paths whose body is JSON, or that have none. */
  roles: PlainRoles;
  /** The fields of a create; empty without one. */
  fields: readonly Field[];
  parent: Subject | undefined;
  /** Whether its create is a PUT or POST at a new key; `undefined` if it has another. */
  putsNew: PutsNew | undefined;
  /** Whether a run creates none of its records and reads those that are there. */
  isFound?: true;
}

/** A property of a record that a client may send. */
export interface Field {
  name: string;
  required: boolean;
  schemaPointer: string;
  /** The schema after following its reference. */
  schema: SchemaObject;
  type: string | undefined;
  isNullable: boolean;
  /** Whether an answer shows it: it is not `writeOnly`, and the record has it. */
  isShown: boolean;
  /** JSON Pointer to its schema in the record; `undefined` where that does not have it. */
  recordPointer: string | undefined;
}

/** Whether a successful request leaves a record behind. */
export function isCreate(operation: { id: string } | undefined, contract: Contract): boolean {
  return readSubjects(contract).some(
    ({ roles }) => roles.create?.operation.id === operation?.id && operation !== undefined,
  );
}

/** The resources of a contract that can be tested, parents before what belongs to them. */
export const readSubjects = readOnce(listSubjects);

function listSubjects(contract: Contract): readonly Subject[] {
  const found: Subject[] = [];
  const shown = inferResources(contract).resources;
  const resources = shown.map(nestWhereCreated).map((resource) => keyWithClient(resource, contract));
  for (const resource of resources.toSorted((one, other) => one.scope.length - other.scope.length)) {
    const own = choosePlainRoles(resource);
    const put = findPut(own, resource);
    const roles = put === undefined ? own : { ...own, create: put.create };
    if (Object.keys(roles).length === 0) continue;
    const parent = found.find((each) => each.resource.name === resource.parent?.resource);
    found.push({
      name: nameInIds(resource),
      resource,
      roles,
      fields: readFields(contract, resource, roles.create),
      parent,
      putsNew: put?.putsNew,
    });
  }
  return found;
}

/** A key that a client may give, and that the response to a create does not show, is one that the run gives. */
function keyWithClient(resource: Resource, { document }: Contract): Resource {
  const { key, operations } = resource;
  const create = operations.find(({ role }) => role === 'create');
  const { body, schemaPointer } = create?.success ?? {};
  if (create === undefined || body !== 'other' || schemaPointer === undefined) return resource;
  if (key.givenBy !== 'either' || key.kind !== 'text') return resource;
  const isLocated = create.operation.responses.some(({ headers }) =>
    headers.some(({ name }) => /^location$/i.test(name)),
  );
  const isShown = [...listProperties(document, schemaPointer)].some((name) => isKeyName(name, key));
  return isLocated || isShown ? resource : { ...resource, key: { ...key, givenBy: 'client' } };
}

function readFields(contract: Contract, resource: Resource, create: RoleOperation | undefined): Field[] {
  if (create?.requestPointer === undefined) return [];
  const { document } = contract;
  const shown = new Map(readProperties(document, resource.schemaPointer).map((each) => [each.name, each]));
  const assigned = new Set(resource.assigned.map(({ name }) => name));
  return readProperties(document, create.requestPointer).flatMap(({ name, required, schemaPointer }) => {
    const field = readField({ name, required, schemaPointer }, document);
    if (hasMark(document, schemaPointer, 'readOnly') || (assigned.has(name) && !required)) return [];
    if (!required && saysAssigned(field.schema)) return [];
    const recordPointer = shown.get(name)?.schemaPointer;
    const isShown = field.isShown && recordPointer !== undefined && !hasMark(document, recordPointer, 'writeOnly');
    return [{ ...field, recordPointer, isShown }];
  });
}

const ONE_OF_ALL = new Set('default primary main preferred'.split(' ').flatMap((name) => [name, `is${name}`]));

/** Whether a service sets it of one record alone: set of another, it is taken away from the one that had it. */
export function isOneOfAll({ name, type }: Pick<Field, 'name' | 'type'>): boolean {
  return type === 'boolean' && ONE_OF_ALL.has(plainName(name));
}

/** A property as what a client may send. */
export function readField({ name, required, schemaPointer }: Property, document: SourceDocument): Field {
  const schema = readBesideNull(document, schemaPointer);
  const whole = asObject(resolveAt(document, schemaPointer).value);
  return {
    name,
    required,
    schemaPointer,
    schema,
    isShown: !hasMark(document, schemaPointer, 'writeOnly'),
    recordPointer: undefined,
    ...readType(schema),
    ...(whole === schema ? {} : { isNullable: true }),
  };
}

function readType(schema: SchemaObject): Pick<Field, 'type' | 'isNullable'> {
  const types = [schema['type'] ?? []].flat().map(String);
  const plain = types.filter((type) => type !== 'null');
  const isOpen = types.length === 0 || plain.length > 1;
  return {
    type: isOpen ? undefined : plain[0],
    isNullable: isOpen || schema['nullable'] === true || types.includes('null'),
  };
}

/** Whether the items of a list are each there once, in the request or in the record. */
export function isSet({ schema, recordPointer }: Field, { document }: Contract): boolean {
  const ofRecord = recordPointer === undefined ? {} : asObject(resolveAt(document, recordPointer).value);
  return schema['uniqueItems'] === true || ofRecord['uniqueItems'] === true;
}

/** Whether the contract says in words that a service keeps texts in a form of its own, in the request or in the record. */
export function isTidied({ schema, recordPointer }: Field, { document }: Contract): boolean {
  const ofRecord = recordPointer === undefined ? {} : asObject(resolveAt(document, recordPointer).value);
  return [schema, asObject(schema['items']), ofRecord].some(saysTidied);
}

/** The subject whose record a field of `own` names, `petId` or `pet_uuid`, if its keys are of the field's type. */
export function findReferred(
  { name, type, schema }: Pick<Field, 'name' | 'type' | 'schema'>,
  own: Subject,
  subjects: readonly Subject[],
): Subject | undefined {
  const plain = plainName(name);
  return subjects.find((subject) => {
    const { singular, key, scope } = subject.resource;
    const word = plainName(singular);
    const isNamed = plain === `${word}id` || plain === `${word}${plainName(key.property)}`;
    const wanted = key.kind === 'integer' ? 'integer' : 'string';
    const held = type === undefined ? findForm(schema, wanted) : { type, schema };
    if (scope.length > 0 || !mayHold(held.schema, key)) return false;
    if (isNamed) return key.kind === 'integer' ? held.type !== 'array' : held.type === 'string';
    // The `domain` of a domain is what it is called itself.
    if (subject === own) return false;
    // `customer: cus_4f`: any text, where it is none.
    return plain === word && held.type === wanted && held.schema['enum'] === undefined;
  });
}

/** Of a field that may be a record or its key, what it is as a key: `oneOf: [{type: string, format: uuid}, {$ref: ...}]`. */
function findForm(schema: SchemaObject, type: string): Pick<Field, 'schema'> & { type: string | undefined } {
  const found = listForms(schema).find((each) => each['type'] === type);
  return found === undefined ? { type: undefined, schema } : { type, schema: found };
}

/** What a field may be: itself, the items of a list, and each alternative. */
export function listForms(schema: SchemaObject): SchemaObject[] {
  const inside = [...asList(schema['oneOf']), ...asList(schema['anyOf']), schema['items'] ?? []].flat();
  return [schema, ...inside.flatMap((each) => listForms(asObject(each)))];
}

/** Formats of which the key of a record is none. */
const OTHER_FORMATS = new Set(['uri', 'uri-reference', 'url', 'date', 'date-time', 'time', 'email', 'ipv4', 'ipv6']);

/** `client: https://example.com/clients/4` names a record, but not by its key. */
function mayHold({ format }: SchemaObject, { kind }: RecordKey): boolean {
  return format === 'uuid' ? kind === 'uuid' : !OTHER_FORMATS.has(String(format));
}

/** A pointer to the record within the body of an answer; `undefined` if there is none. */
export function recordAt({ success }: RoleOperation): string | undefined {
  if (success.body !== 'record' && success.body !== 'list') return undefined;
  return (success.envelope?.member ?? []).map((name) => `/${name}`).join('');
}

/** The service assigns the key if it can, or if a text of the run's own would not be a valid one. */
export function isGiven(name: string, subject: Subject): boolean {
  const { key } = subject.resource;
  return (
    name !== key.property ||
    subject.putsNew !== undefined ||
    key.givenBy === 'client' ||
    (key.givenBy === 'either' && takesText(subject))
  );
}

/** Whether keys are texts in records and in paths. */
function takesText({ resource: { key }, roles: { get } }: Subject): boolean {
  const inPath = get?.operation.parameters.find((each) => each.in === 'path' && each.name === key.parameter);
  const types = inPath?.shape.types ?? [];
  return key.kind === 'text' && (types.length === 0 || types.includes('string'));
}
