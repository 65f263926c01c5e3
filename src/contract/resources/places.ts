import type { Operation } from '../model.js';
import { nameSingular, plainName, stemOf } from './words.js';

/** A path of the contract, in one form whatever its style: without the slash or `.json` at its end. */
export interface Place {
  /** The path as the contract writes it. */
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
  item: Place;
  /** `undefined` where the contract has no operation on it. */
  collection: Place | undefined;
  /** Of the collection. */
  segments: readonly PlaceSegment[];
  collectionPath: string;
  /** The last fixed segment of the collection path. */
  name: string;
  /** Its singular, plain. */
  stem: string;
  parameter: string;
}

/** Every path of the contract. Two that differ in their end alone are one. */
export function listPlaces(operations: readonly Operation[]): Map<string, Place> {
  const places = new Map<string, Place>();
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
    // OData writes the key in brackets: Pets('{id}').
    .replace(/\((?:'\{([^{}']+)\}'|\{([^{}]+)\})\)$/, (_, quoted?: string, bare?: string) => `/{${quoted ?? bare}}`);
  return plain
    .split('/')
    .slice(1)
    .map((text) => ({ text, parameter: IS_ONE_PARAMETER.exec(text)?.[1] }));
}

/** A path whatever its parameters are called. */
export function shapeOf(segments: readonly PlaceSegment[]): string {
  return segments.map(({ text, parameter }) => (parameter === undefined ? `/${text}` : '/{}')).join('');
}

/** Every path that ends in a parameter, after a fixed segment, with the path before it. */
export function listCandidates(places: ReadonlyMap<string, Place>): Candidate[] {
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

/** The path before the parameter; also the same in the plural: `/pets` of `/pet/{petId}`. */
function findCollection(segments: readonly PlaceSegment[], places: ReadonlyMap<string, Place>): Place | undefined {
  const own = places.get(shapeOf(segments));
  if (own?.operations.some(({ method }) => method === 'GET') === true) return own;
  const plural = findPlural(segments, places);
  if (plural === undefined) return own;
  return { ...plural, operations: [...plural.operations, ...(own?.operations ?? [])] };
}

/** The path whose last segment is the plural of this one's, unless it has items of its own. */
function findPlural(segments: readonly PlaceSegment[], places: ReadonlyMap<string, Place>): Place | undefined {
  const last = segments.at(-1)?.text ?? '';
  const before = shapeOf(segments.slice(0, -1));
  const plurals = [`${last}s`, `${last}es`, last.replace(/y$/, 'ies')].filter((each) => nameSingular(each) === last);
  const shape = plurals
    .map((each) => `${before}/${each}`)
    .find((each) => places.has(each) && !places.has(`${each}/{}`));
  return shape === undefined ? undefined : places.get(shape);
}

/** The parameters of a path by which what is there is kept apart, outermost first. */
export function listParameters(segments: readonly PlaceSegment[]): string[] {
  const all = segments.flatMap(({ parameter }) => parameter ?? []);
  return all.filter((parameter) => !SAYS_HOW.test(plainName(parameter)));
}

/** What says in which form something is asked for, not of whom. */
const SAYS_HOW = /^(?:format|ext|extension|(?:api)?version|apiv|lang|language|locale|culture)$/;

/** Whether a fixed segment says how something is looked for, not what: `findByStatus`, `by-name`. */
export function isManner(text: string): boolean {
  return MANNER.test(text);
}

const MANNER =
  /^(?:by|find|search|lookup|look-up|query|get|fetch|filter|with|where)(?:$|[-_.A-Z])|^(?:ids?|names?)$|(?:By[A-Z]|[-_]by[-_])/;
