import type { Operation } from '../model.js';
import { nameSingular, plainName, stemOf } from './words.js';

/** A path of the contract in a uniform style: without a trailing slash or `.json`. */
export interface PathPlace {
  /** The path as in the contract. */
  path: string;
  segments: readonly PlaceSegment[];
  operations: Operation[];
}

/** A fixed text, or one parameter. */
export interface PlaceSegment {
  text: string;
  parameter: string | undefined;
}

/** A collection path with its item path. */
export interface Candidate {
  item: PathPlace;
  /** `undefined` if the contract has no operation on it. */
  collection: PathPlace | undefined;
  /** The collection's path. */
  segments: readonly PlaceSegment[];
  collectionPath: string;
  /** The last fixed segment of the collection path. */
  name: string;
  /** Its plain singular. */
  stem: string;
  parameter: string;
}

/** All paths of the contract. Paths that differ only in a trailing slash or `.json` are merged. */
export function listPlaces(operations: readonly Operation[]): Map<string, PathPlace> {
  const places = new Map<string, PathPlace>();
  for (const operation of operations) {
    const segments = readSegments(operation.path);
    const shape = shapeOf(segments);
    const known = places.get(shape);
    if (known === undefined) places.set(shape, { path: operation.path, segments, operations: [operation] });
    else known.operations.push(operation);
  }
  return places;
}

const IS_ONE_PARAMETER = /^\{([^{}]+)\}$/;

export function readSegments(path: string): PlaceSegment[] {
  const plain = path
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\.json$/i, '')
    // OData has the key in parentheses: Pets('{id}').
    .replace(/\((?:'\{([^{}']+)\}'|\{([^{}]+)\})\)$/, (_, quoted?: string, bare?: string) => `/{${quoted ?? bare}}`);
  return plain
    .split('/')
    .slice(1)
    .map((text) => ({ text, parameter: IS_ONE_PARAMETER.exec(text)?.[1] }));
}

/** A path without the names of its parameters. */
export function shapeOf(segments: readonly PlaceSegment[]): string {
  return segments.map(({ text, parameter }) => (parameter === undefined ? `/${text}` : '/{}')).join('');
}

/** Every path that ends in a fixed segment and a parameter, with the path before the parameter. */
export function listCandidates(places: ReadonlyMap<string, PathPlace>): Candidate[] {
  return [...places.values()].flatMap((item) => {
    const segments = item.segments.slice(0, -1);
    const [parameter, last] = [item.segments.at(-1)?.parameter, segments.at(-1)];
    if (parameter === undefined || last === undefined || last.parameter !== undefined) return [];
    if (last.text === '' || last.text.includes('{')) return [];
    const collection = findCollection(segments, places);
    const collectionPath = collection?.path ?? `/${segments.map(({ text }) => text).join('/')}`;
    return [{ item, collection, segments, collectionPath, name: last.text, stem: stemOf(last.text), parameter }];
  });
}

/** The path before the parameter, or its plural: `/pets` for `/pet/{petId}`. */
function findCollection(
  segments: readonly PlaceSegment[],
  places: ReadonlyMap<string, PathPlace>,
): PathPlace | undefined {
  const own = places.get(shapeOf(segments));
  if (own?.operations.some(({ method }) => method === 'GET') === true) return own;
  const plural = findPlural(segments, places);
  if (plural === undefined) return own;
  return { ...plural, operations: [...plural.operations, ...(own?.operations ?? [])] };
}

/** The path whose last segment is the plural of this one's, unless it has its own item path. */
function findPlural(segments: readonly PlaceSegment[], places: ReadonlyMap<string, PathPlace>): PathPlace | undefined {
  const last = segments.at(-1)?.text ?? '';
  const before = shapeOf(segments.slice(0, -1));
  const plurals = [`${last}s`, `${last}es`, last.replace(/y$/, 'ies')].filter((each) => nameSingular(each) === last);
  const shape = plurals
    .map((each) => `${before}/${each}`)
    .find((each) => places.has(each) && !places.has(`${each}/{}`));
  return shape === undefined ? undefined : places.get(shape);
}

/** The parameters of a path that select the collection, outermost first. */
export function listParameters(segments: readonly PlaceSegment[]): string[] {
  const all = segments.flatMap(({ parameter }) => parameter ?? []);
  return all.filter((parameter) => !SAYS_HOW.test(plainName(parameter)));
}

/** Parameters that state the form of the answer, not an owner. */
const SAYS_HOW = /^(?:format|ext|extension|(?:api)?version|apiv|lang|language|locale|culture)$/;

/** Whether a fixed segment names a way of searching, not a resource: `findByStatus`, `by-name`. */
export function isManner(text: string): boolean {
  return MANNER.test(text);
}

const MANNER =
  /^(?:by|find|search|lookup|look-up|query|get|fetch|filter|with|where)(?:$|[-_.A-Z])|^(?:ids?|names?)$|(?:By[A-Z]|[-_]by[-_])/;
