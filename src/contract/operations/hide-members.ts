import { escapePointer, type SourceDocument } from '../document/document.js';
import { asList, asObject } from '../document/plain.js';
import { resolveAt } from '../document/references.js';
import { hasMark } from './properties.js';

/** A value without the members that only requests have; the value itself if it has none of them. */
export type Hide = (value: unknown) => unknown;

/**
 * What an answer must not show, at any depth: members that its schema marks `writeOnly` (JSON Schema Validation 2020-12
 * section 9.4), and those that a request's schema marks so and the answer's does not describe. `undefined` if there are
 * none. A schema may contain itself.
 */
export function readHide(document: SourceDocument, answer: string, requests: readonly string[]): Hide | undefined {
  const root = readShape([[answer], requests], { document, known: new Map() });
  return hidesAny(root, new Set()) ? (value) => hide(value, root) : undefined;
}

/** JSON Pointers to the schemas of one value: in answers, and in requests. */
type Places = readonly [shown: readonly string[], sent: readonly string[]];

/** What a value is made of; its parts are read when they are asked for. */
interface Shape {
  hidden: ReadonlySet<string>;
  members: ReadonlyMap<string, () => Shape>;
  /** Members without a schema of their own. */
  others: () => Shape;
  items: () => Shape;
}

interface Shapes {
  document: SourceDocument;
  known: Map<string, Shape>;
}

function readShape(places: Places, shapes: Shapes): Shape {
  const { document, known } = shapes;
  const [shown, sent] = [listParts(places[0], document), listParts(places[1], document)];
  const id = `${shown.join(' ')}\n${sent.join(' ')}`;
  const found = known.get(id);
  if (found !== undefined) return found;
  const [ofShown, ofSent] = [listMembers(shown, document), listMembers(sent, document)];
  const names = [...new Set([...ofShown.keys(), ...ofSent.keys()])];
  const isMarked = (at: string): boolean => hasMark(document, at, 'writeOnly');
  const placesOf = (name: string): Places => [ofShown.get(name) ?? [], ofSent.get(name) ?? []];
  const placesBelow = (keywords: readonly string[]): Places => [
    listBelow(shown, keywords, document),
    listBelow(sent, keywords, document),
  ];
  const shape: Shape = {
    hidden: new Set(names.filter((name) => (ofShown.get(name) ?? ofSent.get(name))?.some(isMarked))),
    members: new Map(names.map((name) => [name, () => readShape(placesOf(name), shapes)])),
    others: () => readShape(placesBelow(OF_MEMBERS), shapes),
    items: () => readShape(placesBelow(OF_ITEMS), shapes),
  };
  known.set(id, shape);
  return shape;
}

const OF_MEMBERS = ['additionalProperties', 'unevaluatedProperties', 'patternProperties'];
const OF_ITEMS = ['items', 'prefixItems', 'unevaluatedItems', 'contains'];
const PARTS = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas'];

/** The schemas at these pointers, and those that they are made of. */
function listParts(pointers: readonly string[], document: SourceDocument): string[] {
  const parts = new Set<string>();
  const visit = (at: string): void => {
    const { value, pointer } = resolveAt(document, at);
    if (parts.has(pointer) || typeof value !== 'object' || value === null) return;
    parts.add(pointer);
    for (const part of listBelow([pointer], PARTS, document)) visit(part);
  };
  for (const pointer of pointers) visit(pointer);
  return [...parts];
}

function listMembers(parts: readonly string[], document: SourceDocument): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const part of parts) {
    for (const name of Object.keys(asObject(asObject(document.at(part))['properties']))) {
      places.set(name, [...(places.get(name) ?? []), `${part}/properties/${escapePointer(name)}`]);
    }
  }
  return places;
}

/** The schemas under keywords: one, a list, or several by name. */
function listBelow(parts: readonly string[], keywords: readonly string[], document: SourceDocument): string[] {
  return parts.flatMap((part) =>
    keywords.flatMap((keyword) => {
      const value = asObject(document.at(part))[keyword];
      if (typeof value !== 'object' || value === null) return [];
      const at = `${part}/${keyword}`;
      if (Array.isArray(value)) return asList(value).map((_, index) => `${at}/${index}`);
      const isMap = keyword === 'patternProperties' || keyword === 'dependentSchemas';
      return isMap ? Object.keys(value).map((name) => `${at}/${escapePointer(name)}`) : [at];
    }),
  );
}

function hidesAny(shape: Shape, visited: Set<Shape>): boolean {
  if (visited.has(shape)) return false;
  visited.add(shape);
  if (shape.hidden.size > 0) return true;
  return [...shape.members.values(), shape.others, shape.items].some((read) => hidesAny(read(), visited));
}

function hide(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => hide(item, shape.items()));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  // A number past a double is no object of JSON.
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const before = Object.entries(value) as [string, unknown][];
  const after = before
    .filter(([name]) => !shape.hidden.has(name))
    .map(([name, member]): [string, unknown] => [name, hide(member, (shape.members.get(name) ?? shape.others)())]);
  const isSame = after.length === before.length && after.every(([, member], index) => member === before[index]?.[1]);
  return isSame ? value : Object.fromEntries(after);
}
