import { FORM, MULTIPART } from '../forms/media-types.js';
import { bareMediaType } from '../media-types.js';
import type { Content, Operation, Parameter } from '../model.js';
import { isTagName, showsTag } from '../operations/entity-tags.js';
import type { Resource, Role, RoleOperation } from './resource.js';

/** A role whose requests need only a key and a record. */
export type AskedRole = Exclude<Role, 'action'>;

export type PlainRoles = Readonly<Partial<Record<AskedRole, RoleOperation>>>;

/**
 * The first operation of each role that needs nothing besides key, record, and parameters with one value for every
 * request, with a body of JSON, a form, or none. Where records are created only among those of another (`POST /rooms/{roomId}/bookings`
 * beside `/bookings/{id}`), that create, and the list there.
 */
export function choosePlainRoles({ operations }: Pick<Resource, 'operations'>): PlainRoles {
  const roles = chooseFirst(operations.filter((each) => each.within === undefined));
  if (roles.create !== undefined) return roles;
  const { create, list } = chooseFirst(operations.filter(({ within }) => within?.length === 1));
  if (create === undefined) return roles;
  const isBeside = list?.within?.[0]?.resource === create.within?.[0]?.resource;
  return { ...(isBeside ? { list } : {}), ...roles, create };
}

function chooseFirst(operations: readonly RoleOperation[]): PlainRoles {
  const roles: Partial<Record<AskedRole, RoleOperation>> = {};
  const isTagged = operations.some(({ role, operation }) => role === 'get' && showsTag(operation));
  for (const each of operations) {
    const { role } = each;
    if (role === 'action' || roles[role] !== undefined || !isPlain(each, isTagged)) continue;
    roles[role] = each;
  }
  return roles;
}

/** `POST /users/{name}`, which creates that user of a body or of nothing, where it needs nothing else. */
export function chooseCreateAtItem({ operations }: Pick<Resource, 'operations'>): RoleOperation | undefined {
  return operations.find(({ keyIn, ...each }) => {
    if (each.role !== 'create' || keyIn !== 'path') return false;
    return each.operation.requestBody === undefined ? !needsMore(each.operation, false) : isPlain(each, false);
  });
}

/** The resource as one that is nested, if its records are created only among those of another. */
export function nestWhereCreated(resource: Resource): Resource {
  const [owner] = choosePlainRoles(resource).create?.within ?? [];
  if (owner?.resource === undefined) return resource;
  const { parameter, resource: parent, property } = owner;
  return { ...resource, scope: [parameter], parent: { resource: parent, parameter, property } };
}

function isPlain(each: RoleOperation, isTagged: boolean): boolean {
  const { role, operation, keyIn, many, patch, queryFields, ...rest } = each;
  const isOther = [keyIn, many, patch, queryFields].some((part) => part !== undefined) || rest.success.body === 'map';
  const takesBody = role === 'create' || role === 'replace' || role === 'update';
  const hasType = recordTypeOf(operation) !== undefined;
  return !isOther && !needsMore(operation, isTagged) && (!takesBody || (hasType && rest.requestPointer !== undefined));
}

function needsMore({ parameters }: Operation, isTagged: boolean): boolean {
  return parameters.some((parameter) => parameter.required && !isPlainParameter(parameter, isTagged));
}

/**
 * Whether one value fits every request; of a condition, it depends on the record (RFC 9110 section 13), and is known
 * where the record is shown with its ETag.
 */
function isPlainParameter({ in: place, name, shape: { types } }: Parameter, isTagged: boolean): boolean {
  if (place === 'path') return true;
  const isSimple = !types.includes('array') && !types.includes('object');
  const isKnown = !/^if-/i.test(name) || (isTagged && isTagName(name));
  return isSimple && (place === 'query' || (place === 'header' && isKnown));
}

export const MERGE_PATCH = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';

/** The media type in which an operation takes a record, JSON before a form; `undefined` without one. */
export function recordTypeOf({ requestBody }: Operation): string | undefined {
  const types = requestBody?.content.map(({ mediaType }) => mediaType) ?? [];
  return (
    ['application/json', MERGE_PATCH].find((type) => types.includes(type)) ??
    types.find((type) => /^application\/(?:json$|[^*]*\+json$)/.test(bareMediaType(type)) && type !== JSON_PATCH) ??
    [FORM, MULTIPART].find((type) => types.includes(type))
  );
}

/** The form in which an operation takes a record of a media type; `undefined` if it is none. */
export function formOf({ requestBody }: Operation, mediaType: string | null | undefined): Content | undefined {
  if (mediaType !== FORM && mediaType !== MULTIPART) return undefined;
  return requestBody?.content.find((each) => each.mediaType === mediaType);
}

/** The name that the ids of scenarios and gaps use: `orders`, `users-orders`. */
export function nameInIds({ name }: Pick<Resource, 'name'>): string {
  return name.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '');
}
