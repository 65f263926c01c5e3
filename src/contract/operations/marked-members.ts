import type { Contract } from '../contract.js';
import { escapePointer, type SourceDocument, readOnce } from '../document/document.js';
import { asList, asObject } from '../document/plain.js';
import { resolveAt } from '../document/references.js';
import type { Mark } from '../schemas/dialect.js';
import { hasMark } from './properties.js';

interface MarkedMember {
  at: string;
  name: string;
  schemaPointer: string;
}

const MOST_FOUND = 20;

/** Members that the schema marks, at any depth, in all alternatives that fit (OpenAPI 3.0.3, Schema Object). */
export function findMarked(contract: Contract, schemaPointer: string, value: unknown, mark: Mark): MarkedMember[] {
  return findAll(contract, schemaPointer, value, mark).slice(0, MOST_FOUND);
}

/** A value without the members that {@link findMarked} finds in it. */
export function leaveOutMarked(contract: Contract, schemaPointer: string, value: unknown, mark: Mark): unknown {
  const found = findAll(contract, schemaPointer, value, mark);
  return found.length === 0 ? value : leaveOut(value, '', new Set(found.map(({ at }) => at)));
}

function leaveOut(value: unknown, at: string, places: ReadonlySet<string>): unknown {
  if (![...places].some((place) => place.startsWith(`${at}/`))) return value;
  if (Array.isArray(value)) return value.map((each, index) => leaveOut(each, `${at}/${index}`, places));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, each]) => [name, `${at}/${escapePointer(name)}`, each] as const);
  const left = members.filter(([, place]) => !places.has(place));
  return Object.fromEntries(left.map(([name, place, each]) => [name, leaveOut(each, place, places)]));
}

function findAll(contract: Contract, schemaPointer: string, value: unknown, mark: Mark): MarkedMember[] {
  const search = { contract, mark, mayHave: HOLDERS[mark](contract.document) };
  return [...walk({ schemaPointer, value, at: '' }, search)];
}

interface Search {
  contract: Contract;
  mark: Mark;
  mayHave: (schemaPointer: string) => boolean;
}

interface Place {
  schemaPointer: string;
  value: unknown;
  at: string;
}

function* walk({ schemaPointer, value, at }: Place, search: Search): Generator<MarkedMember> {
  if (typeof value !== 'object' || value === null || !search.mayHave(schemaPointer)) return;
  const { pointer, value: schema } = resolveAt(search.contract.document, schemaPointer);
  for (const [name, member, within] of listMembers(asObject(schema), pointer, value)) {
    const place = { schemaPointer: within, value: member, at: `${at}/${escapePointer(name)}` };
    if (member !== null && hasMark(search.contract.document, within, search.mark)) {
      yield { at: place.at, name, schemaPointer: within };
    } else yield* walk(place, search);
  }
  for (const index of asList(asObject(schema)['allOf']).keys())
    yield* walk({ schemaPointer: `${pointer}/allOf/${index}`, value, at }, search);
  for (const keyword of ['anyOf', 'oneOf'])
    yield* walkAlternatives({ schemaPointer: pointer, value, at }, keyword, search);
}

function* listMembers(
  schema: Readonly<Record<string, unknown>>,
  pointer: string,
  value: object,
): Generator<[string, unknown, string]> {
  if (Array.isArray(value)) {
    const placed = asList(schema['prefixItems']).length;
    for (const [index, item] of value.entries())
      yield [String(index), item, index < placed ? `${pointer}/prefixItems/${index}` : `${pointer}/items`];
    return;
  }
  const properties = asObject(schema['properties']);
  for (const [name, member] of Object.entries(value)) {
    const isNamed = Object.hasOwn(properties, name);
    yield [name, member, `${pointer}/${isNamed ? `properties/${escapePointer(name)}` : 'additionalProperties'}`];
  }
}

function* walkAlternatives(place: Place, keyword: string, search: Search): Generator<MarkedMember> {
  const { document, validate } = search.contract;
  const fitting = asList(asObject(document.at(place.schemaPointer))[keyword])
    .map((_, index) => `${place.schemaPointer}/${keyword}/${index}`)
    .filter((each) => validate.value(each, place.value).length === 0)
    .map((schemaPointer) => Array.from(walk({ schemaPointer, value: place.value, at: place.at }, search)));
  const [first = [], ...others] = fitting;
  yield* first.filter((found) => others.every((each) => each.some(({ at }) => at === found.at)));
}

const HOLDERS: Readonly<Record<Mark, (document: SourceDocument) => (schemaPointer: string) => boolean>> = {
  readOnly: readOnce((document) => createFinder(document, 'readOnly')),
  writeOnly: readOnce((document) => createFinder(document, 'writeOnly')),
};

/** Whether a schema, or one that it is made of, marks anything: most have nothing to look for in long lists. */
function createFinder(document: SourceDocument, mark: Mark): (schemaPointer: string) => boolean {
  const known = new Map<string, boolean>();
  return (schemaPointer) => {
    const found = known.get(schemaPointer) ?? reaches(document, schemaPointer, mark);
    known.set(schemaPointer, found);
    return found;
  };
}

function reaches(document: SourceDocument, from: string, mark: Mark): boolean {
  const visited = new Set<string>();
  const waiting = [from];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (hasMark(document, at, mark)) return true;
    const { pointer, value } = resolveAt(document, at);
    if (visited.has(pointer)) continue;
    visited.add(pointer);
    const schema = asObject(value);
    for (const keyword of ['allOf', 'anyOf', 'oneOf', 'prefixItems'])
      waiting.push(...[...asList(schema[keyword]).keys()].map((index) => `${pointer}/${keyword}/${index}`));
    for (const name of Object.keys(asObject(schema['properties'])))
      waiting.push(`${pointer}/properties/${escapePointer(name)}`);
    for (const keyword of ['items', 'additionalProperties'])
      if (typeof schema[keyword] === 'object') waiting.push(`${pointer}/${keyword}`);
  }
  return false;
}

/** A value without the members that only requests have; the value itself if it has none of them. */
export type Hide = (value: unknown) => unknown;

/** What no response may show: members marked `writeOnly`, also those that only the request's schema describes. */
export function readHide(document: SourceDocument, answer: string, requests: readonly string[]): Hide | undefined {
  const root = readShape([[answer], requests], { document, known: new Map() });
  return hidesAny(root, new Set()) ? (value) => hide(value, root) : undefined;
}

/** JSON Pointers to the schemas of one value: in answers, and in requests. */
type Places = readonly [shown: readonly string[], sent: readonly string[]];

interface Shape {
  hidden: ReadonlySet<string>;
  members: ReadonlyMap<string, () => Shape>;
  /** Members without a schema of their own. */
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
  for (const part of parts) {
    for (const name of Object.keys(asObject(asObject(document.at(part))['properties']))) {
      places.set(name, [...(places.get(name) ?? []), `${part}/properties/${escapePointer(name)}`]);
    }
  }
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
