import { groupBy } from '../group-by.js';
import { listTemplateNames } from '../operations/path-template.js';
import { refuse, type Correction } from './corrections/correction.js';
import { areRelated, isAnyKeyName, plainName } from './words.js';
import { shapeOf, type PlaceSegment } from './places.js';
import type { Draft, Reading } from './read-resource.js';
import type { ParentRecord, Resource, Within } from './resource.js';
import type { SchemaView } from './schema-view.js';

/**
 * Sets the parent of each nested collection. If the records of one have a shorter path as well, moves its operations
 * there (`/users/{userId}/orders/{orderId}` and `/orders/{orderId}`). Returns the remaining resources.
 */
export function findParents(drafts: readonly Draft[], { view, notes }: Reading): Draft[] {
  const byItem = new Map(drafts.map((draft) => [shapeOf(draft.candidate.item.segments), draft]));
  for (const { resource, candidate, correction } of drafts) {
    const parent = findParent(candidate.segments, byItem);
    if (typeof correction.parent === 'string' && correction.parent !== parent?.name) refuseParent(correction, parent);
    if (parent !== undefined && correction.parent !== false) resource.parent = describeParent(view, resource, parent);
  }
  // Large contracts have too many to look through for each.
  const withoutScope = drafts.filter(({ resource }) => resource.scope.length === 0);
  const byRecord = groupBy(withoutScope, ({ resource }) => resource.schemaPointer);
  return drafts.filter((draft) => {
    const other = draft.resource.scope.length === 0 ? undefined : findSame(draft, byRecord);
    if (other === undefined) return true;
    const within = describeWithin(view, draft.resource, other.resource);
    if (within === undefined) {
      const message = `${draft.resource.collectionPath} is stateless: it lists records of ${other.resource.collectionPath}, but no property says which of them.`;
      notes.push({ message, pointer: draft.resource.operations[0]?.operation.pointer ?? '' });
      return false;
    }
    for (const role of draft.resource.operations) {
      // An operation may have a name of its own for the parameter.
      const [parameter = ''] = listTemplateNames(role.operation.path);
      other.resource.operations.push({ ...role, within: [{ ...within, parameter }] });
    }
    return false;
  });
}

function refuseParent(correction: Correction, parent: Resource | undefined): never {
  const own = parent === undefined ? 'its path names none' : `by its path it belongs to ${parent.name}`;
  return refuse(correction, 'parent', `the collection cannot belong to ${String(correction.parent)}: ${own}.`);
}

/** The resource whose item path is the longest prefix of a path. */
export function findParent(
  segments: readonly PlaceSegment[],
  byItem: ReadonlyMap<string, Draft>,
): Resource | undefined {
  const last = segments.findLastIndex(({ parameter }) => parameter !== undefined);
  return last === -1 ? undefined : byItem.get(shapeOf(segments.slice(0, last + 1)))?.resource;
}

export function describeParent(
  view: SchemaView,
  { scope, schemaPointer }: Pick<Resource, 'scope' | 'schemaPointer'>,
  parent: Resource,
): ParentRecord {
  const parameter = scope.at(-1) ?? '';
  return { resource: parent.name, parameter, property: findParentProperty(view, schemaPointer, parameter, parent) };
}

/** The property of a record that holds its parent's key: named like the parameter, or after the parent. */
function findParentProperty(
  view: SchemaView,
  record: string,
  parameter: string,
  parent: Resource | undefined,
): string | undefined {
  const stem = parent === undefined ? '' : plainName(parent.singular);
  const names = [
    ...(isAnyKeyName(parameter) ? [] : [parameter]),
    ...(stem === '' ? [] : [`${stem}${plainName(parent?.key.property ?? 'id')}`, `${stem}id`]),
  ];
  for (const name of names) {
    const property = view.findProperty(record, name);
    const types = property === undefined ? [] : view.types(property.schemaPointer);
    if (property !== undefined && types.some((type) => type !== 'object' && type !== 'array' && type !== 'boolean')) {
      return property.name;
    }
  }
  return undefined;
}

/** The resource with the same records and the same name, but without a scope. */
function findSame({ resource, candidate }: Draft, byRecord: ReadonlyMap<string, Draft[]>): Draft | undefined {
  return byRecord.get(resource.schemaPointer)?.find((other) => areRelated(other.candidate.stem, candidate.stem));
}

/** How a path's parameters select records of a resource; `undefined` if they do not. */
export function describeWithin(
  view: SchemaView,
  { scope, parent }: Pick<Resource, 'scope' | 'parent'>,
  { schemaPointer }: Resource,
  parentResource?: Resource,
): Within | undefined {
  const [parameter] = scope;
  if (parameter === undefined || scope.length > 1) return undefined;
  const property = parent?.property ?? findParentProperty(view, schemaPointer, parameter, parentResource);
  return property === undefined ? undefined : { parameter, resource: parent?.resource, property };
}
