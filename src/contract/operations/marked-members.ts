import type { Contract } from '../contract.js';
import { escapePointer, type SourceDocument, readOnce } from '../document/document.js';
import { asList, asObject, remember } from '../document/plain.js';
import { COMPOSITIONS, listIn, resolveAt } from '../document/references.js';
import type { Mark } from '../schemas/dialect.js';
import { hasMark } from './properties.js';

type MarkedMember = { at: string; name: string; schemaPointer: string };

const MOST_FOUND = 20;

/** Members that the schema marks, at any depth, in all alternatives that fit (OpenAPI 3.0.3, Schema Object). */
export const findMarked = (contract: Contract, schemaPointer: string, value: unknown, mark: Mark): MarkedMember[] =>
  findAll(contract, schemaPointer, value, mark).slice(0, MOST_FOUND);

export function leaveOutMarked(contract: Contract, schemaPointer: string, value: unknown, mark: Mark): unknown {
  const found = findAll(contract, schemaPointer, value, mark);
  return found.length === 0 ? value : leaveOut(value, '', new Set(found.map(({ at }) => at)));
}

function leaveOut(value: unknown, at: string, places: ReadonlySet<string>): unknown {
  if (![...places].some((place) => place.startsWith(`${at}/`))) return value;
  if (Array.isArray(value)) return value.map((each, index) => leaveOut(each, `${at}/${index}`, places));
  const members = Object.entries(asObject(value)).flatMap(([name, each]) => {
    const place = `${at}/${escapePointer(name)}`;
    return places.has(place) ? [] : [[name, leaveOut(each, place, places)] as const];
  });
  return Object.fromEntries(members);
}

function findAll({ document, validate }: Contract, root: string, whole: unknown, mark: Mark): MarkedMember[] {
  const mayHave = HOLDERS[mark](document);
  const walk = (schemaPointer: string, value: unknown, at: string): MarkedMember[] => {
    if (typeof value !== 'object' || value === null || !mayHave(schemaPointer)) return [];
    const { pointer, value: found } = resolveAt(document, schemaPointer);
    const schema = asObject(found);
    const members = listMembers(schema, pointer, value).flatMap(([name, member, within]) => {
      const place = `${at}/${escapePointer(name)}`;
      const isMarked = member !== null && hasMark(document, within, mark);
      return isMarked ? [{ at: place, name, schemaPointer: within }] : walk(within, member, place);
    });
    const parts = listIn(schema, pointer, ['allOf']).flatMap((part) => walk(part, value, at));
    const alternatives = ['anyOf', 'oneOf'].flatMap((keyword) => {
      const fitting = listIn(schema, pointer, [keyword]).filter((each) => validate.value(each, value).length === 0);
      const [first = [], ...others] = fitting.map((each) => walk(each, value, at));
      return first.filter((one) => others.every((each) => each.some((other) => other.at === one.at)));
    });
    return [...members, ...parts, ...alternatives];
  };
  return walk(root, whole, '');
}

function listMembers(schema: Record<string, unknown>, pointer: string, value: object): [string, unknown, string][] {
  if (Array.isArray(value)) {
    const placed = asList(schema['prefixItems']).length;
    return value.map((item, index) => [
      String(index),
      item,
      index < placed ? `${pointer}/prefixItems/${index}` : `${pointer}/items`,
    ]);
  }
  const properties = asObject(schema['properties']);
  return Object.entries(value).map(([name, member]) => {
    const isNamed = Object.hasOwn(properties, name);
    return [name, member, `${pointer}/${isNamed ? `properties/${escapePointer(name)}` : 'additionalProperties'}`];
  });
}

const createFinder = (mark: Mark): ((document: SourceDocument) => (schemaPointer: string) => boolean) =>
  readOnce((document: SourceDocument) =>
    remember((from: string) => {
      const visited = new Set<string>();
      const waiting = [from];
      for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
        if (hasMark(document, at, mark)) return true;
        const { pointer, value } = resolveAt(document, at);
        if (visited.has(pointer)) continue;
        visited.add(pointer);
        const schema = asObject(value);
        waiting.push(...listIn(schema, pointer, [...COMPOSITIONS, 'prefixItems']));
        for (const name of Object.keys(asObject(schema['properties'])))
          waiting.push(`${pointer}/properties/${escapePointer(name)}`);
        for (const keyword of ['items', 'additionalProperties'])
          if (typeof schema[keyword] === 'object') waiting.push(`${pointer}/${keyword}`);
      }
      return false;
    }),
  );
const HOLDERS = { readOnly: createFinder('readOnly'), writeOnly: createFinder('writeOnly') };

/** A value without the members that only requests have; the value itself if it has none of them. */
export type Hide = (value: unknown) => unknown;

export function readHide(document: SourceDocument, answer: string, requests: readonly string[]): Hide | undefined {
  const root = readShape([[answer], requests], { document, known: new Map() });
  return hidesAny(root, new Set()) ? (value) => hide(value, root) : undefined;
}

/** JSON Pointers to the schemas of one value: in answers, and in requests. */
type Places = readonly [shown: readonly string[], sent: readonly string[]];

interface Shape {
  hidden: ReadonlySet<string>;
  members: ReadonlyMap<string, () => Shape>;
  others: () => Shape;
  items: () => Shape;
}

function readShape(places: Places, shapes: { document: SourceDocument; known: Map<string, Shape> }): Shape {
  const { document, known } = shapes;
  const [shown, sent] = [listParts(places[0], document), listParts(places[1], document)];
  const id = `${shown.join(' ')}\n${sent.join(' ')}`;
  const found = known.get(id);
  if (found !== undefined) return found;
  const [ofShown, ofSent] = [mapMembers(shown, document), mapMembers(sent, document)];
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

function mapMembers(parts: readonly string[], document: SourceDocument): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const part of parts)
    for (const name of Object.keys(asObject(asObject(document.at(part))['properties'])))
      places.set(name, [...(places.get(name) ?? []), `${part}/properties/${escapePointer(name)}`]);
  return places;
}

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
