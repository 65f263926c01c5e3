import { refuse } from './corrections/correction.js';
import type { Operation } from '../model.js';
import { readAnswer } from './bodies/answers.js';
import { addActions } from './find-actions.js';
import { describeParent, describeWithin } from './find-parents.js';
import { locateList } from './bodies/find-record.js';
import { readAs, readCreate, readList, readMany } from './find-roles.js';
import { isManner, listParameters, shapeOf, type PathPlace } from './places.js';
import type { Draft, Reading } from './read-resource.js';
import type { Resource, RoleOperation } from './resource.js';
import { stemOf } from './words.js';

/** Adds the operations of other paths to resources: `/pet/findByStatus`, `/users/{userId}/orders`, `/orders/{id}/cancel`. */
export function addViews(drafts: readonly Draft[], places: ReadonlyMap<string, PathPlace>, reading: Reading): void {
  addAsSaid(drafts, reading.operations);
  const taken = new Set(drafts.flatMap(({ resource }) => resource.operations.map(({ operation }) => operation)));
  const byItem = new Map(drafts.map((draft) => [shapeOf(draft.candidate.item.segments), draft]));
  // Nested paths may refer to resources without a scope as well.
  const byStem = new Map(
    drafts.filter(({ resource }) => resource.scope.length === 0).map((draft) => [draft.candidate.stem, draft]),
  );
  const byCollection = new Map(drafts.map((draft) => [shapeOf(draft.candidate.segments), draft]));
  for (const place of places.values()) {
    const before = shapeOf(place.segments.slice(0, -1));
    const last = place.segments.at(-1);
    const open = place.operations.filter((operation) => !taken.has(operation));
    if (last === undefined || last.parameter !== undefined || open.length === 0) continue;
    const [of, on] = [byCollection.get(before), byItem.get(before)];
    for (const operation of open.filter(
      (each) => of?.finder.roleOf(each) !== false && on?.finder.roleOf(each) !== false,
    )) {
      const found = of === undefined ? undefined : readBesideItems(operation, last.text, of);
      if (found !== undefined && of !== undefined) of.resource.operations.push(found);
      else if (on !== undefined) addActions(operation, last.text, on);
    }
    if (on === undefined) continue;
    // An action on a record has no other role: `POST /charges/{id}/refund`.
    const left = open.filter((each) => !on.resource.operations.some(({ operation }) => operation === each));
    addNested(place, { parent: on.resource, of: byStem.get(stemOf(last.text)), open: left, reading });
  }
}

/** The operations at other paths to which the user assigns a role. */
function addAsSaid(drafts: readonly Draft[], operations: readonly Operation[]): void {
  for (const { resource, finder, correction } of drafts) {
    for (const [id, role] of Object.entries(correction.operations ?? {})) {
      const operation = operations.find((each) => each.id === id);
      const isThere = resource.operations.some((each) => each.operation === operation);
      if (operation === undefined || role === false || isThere) continue;
      const found = readAs(role, operation, finder);
      if (found === undefined)
        refuse(
          correction,
          `operations/${id}`,
          `${id} cannot ${role} ${resource.name}: its request or response is not such a record.`,
        );
      else resource.operations.push(found);
    }
  }
}

/** An operation at a fixed path below a collection: a filtered list, or a create of several records. */
function readBesideItems(operation: Operation, text: string, draft: Draft): RoleOperation | undefined {
  const { finder, resource } = draft;
  const has = (role: RoleOperation['role']): boolean => resource.operations.some((each) => each.role === role);
  if (operation.method === 'GET') {
    const found = readSame(operation, draft);
    if (found?.list === undefined) return undefined;
    if (/^(?:list|all|index)$/i.test(text) && !has('list')) return found;
    const filters = found.list.filters.length > 0 && found.list.unused.length === 0;
    const isAsked =
      isManner(text) &&
      operation.parameters.some(({ required, name }) => required || text.toLowerCase().includes(name.toLowerCase()));
    if (filters && isAsked) return found;
    finder.note(operation, `it is unclear which records of ${resource.collectionPath} it lists`);
    return undefined;
  }
  if (operation.method !== 'POST') return undefined;
  if (/^(?:create|add|new)$/i.test(text) && !has('create')) return readCreate(operation, finder);
  return /array|list|batch|bulk|many|multiple|import/i.test(text) ? readMany(operation, finder) : undefined;
}

/** A list whose records have exactly the resource's schema. */
function readSame(operation: Operation, { finder }: Draft): RoleOperation | undefined {
  const body = readAnswer(operation)?.schemaPointer;
  const { judge } = finder.record;
  const located = body === undefined ? undefined : locateList(finder.view, body, finder.record.stem, judge);
  return located !== undefined && judge(located.pointer) === 'same' ? readList(operation, finder) : undefined;
}

interface Nesting {
  parent: Resource;
  /** The resource with a name. */
  of: Draft | undefined;
  /** The operations of the path that have no role yet. */
  open: readonly Operation[];
  reading: Reading;
}

/** `/users/{userId}/orders` without item paths, if `/orders` is a resource. */
function addNested({ segments }: PathPlace, { parent, of, open, reading }: Nesting): void {
  const scope = listParameters(segments);
  if (of === undefined || scope.length !== 1) return;
  const { finder, resource } = of;
  const described = describeParent(reading.view, { scope, schemaPointer: resource.schemaPointer }, parent);
  const within = describeWithin(reading.view, { scope, parent: described }, resource);
  for (const operation of open) {
    const found = readNested(operation, of);
    if (found === undefined) continue;
    if (within !== undefined) resource.operations.push({ ...found, within: [within] });
    else finder.note(operation, `no property of ${resource.name} refers to its ${parent.name}`);
  }
}

function readNested(operation: Operation, of: Draft): RoleOperation | undefined {
  if (operation.method === 'GET') return readSame(operation, of);
  const found = operation.method === 'POST' ? readCreate(operation, of.finder) : undefined;
  return found?.success.body === 'record' ? found : undefined;
}
