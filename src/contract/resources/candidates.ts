import type { Operation } from '../model.js';
import { nameSingular, plainName, stemOf } from './words.js';
import { type SourceDocument, createSource, escapePointer, readDocument, readText } from '../document/document.js';
import { suggest } from '../../suggest.js';
import { packageFile } from '../../package-files.js';
import { checkAgainstSchema, compileFileSchema, compileSchema } from '../check-against-schema.js';
import { asObject, defined, groupBy } from '../document/plain.js';
import { PetstoreMockError, type SourcePlace } from '../../errors.js';
import type { Role } from './resource.js';

/** A path of the contract in a uniform style: without a trailing slash or `.json`. */
export type PathPlace = { path: string; segments: readonly PlaceSegment[]; operations: Operation[] };
export type PlaceSegment = { text: string; parameter: string | undefined };

export interface Candidate {
  item: PathPlace;
  collection: PathPlace | undefined;
  segments: readonly PlaceSegment[];
  collectionPath: string;
  name: string;
  stem: string;
  parameter: string;
}

export function listPlaces(operations: readonly Operation[]): Map<string, PathPlace> {
  const byShape = groupBy(operations, ({ path }) => shapeOf(readSegments(path)));
  const places = [...byShape].map(([shape, same]): [string, PathPlace] => {
    const { path = '' } = same[0] ?? {};
    return [shape, { path, segments: readSegments(path), operations: same }];
  });
  return new Map(places);
}

function readSegments(path: string): PlaceSegment[] {
  const plain = path
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\.json$/i, '')
    // OData has the key in parentheses: Pets('{id}').
    .replace(/\((?:'\{([^{}']+)\}'|\{([^{}]+)\})\)$/, (_, quoted?: string, bare?: string) => `/{${quoted ?? bare}}`);
  return plain
    .split('/')
    .slice(1)
    .map((text) => ({ text, parameter: /^\{([^{}]+)\}$/.exec(text)?.[1] }));
}

export const shapeOf = (segments: readonly PlaceSegment[]): string =>
  segments.map(({ text, parameter }) => (parameter === undefined ? `/${text}` : '/{}')).join('');

function findCollection(segments: readonly PlaceSegment[], places: ReadonlyMap<string, PathPlace>) {
  const own = places.get(shapeOf(segments));
  if (own?.operations.some(({ method }) => method === 'GET') === true) return own;
  const last = segments.at(-1)?.text ?? '';
  const before = shapeOf(segments.slice(0, -1));
  const plurals = [`${last}s`, `${last}es`, last.replace(/y$/, 'ies')].filter((each) => nameSingular(each) === last);
  const shapes = plurals.map((each) => `${before}/${each}`);
  const plural = places.get(shapes.find((each) => places.has(each) && !places.has(`${each}/{}`)) ?? '');
  return plural === undefined ? own : { ...plural, operations: [...plural.operations, ...(own?.operations ?? [])] };
}

export function listParameters(segments: readonly PlaceSegment[]): string[] {
  const saysHow = /^(?:format|ext|extension|(?:api)?version|apiv|lang|language|locale|culture)$/;
  const all = segments.flatMap(({ parameter }) => parameter ?? []);
  return all.filter((parameter) => !saysHow.test(plainName(parameter)));
}

/** Whether a fixed segment names a way of searching, not a resource: `findByStatus`, `by-name`. */
export function isManner(text: string): boolean {
  const begins = /^(?:by|find|search|lookup|look-up|query|get|fetch|filter|with|where)(?:$|[-_.A-Z])/;
  return begins.test(text) || /^(?:ids?|names?)$|(?:By[A-Z]|[-_]by[-_])/.test(text);
}

/** A file takes precedence over the contract's own statements, and both over inference. */
export function applyCorrections(
  { document, operations }: { document: SourceDocument; operations: readonly Operation[] },
  places: ReadonlyMap<string, PathPlace>,
  given: Corrections | undefined,
): { candidates: Candidate[]; correct: (candidate: Candidate) => Correction } {
  const found = new Map<string, Correction>();
  for (const { path, pointer } of operations) {
    const at = `${pointer.slice(0, pointer.lastIndexOf('/'))}/${FIELD}`;
    if (found.has(path) || document.at(at) === undefined) continue;
    const part = createSource(document.file, document.at(at), (inside) => document.placeOf(`${at}${inside}`));
    const { $defs } = JSON.parse(readText(packageFile(SCHEMA_FILE))) as { $defs: object };
    checkAgainstSchema(part, compileSchema({ $defs, $ref: '#/$defs/resource' }), 'unusable-contract');
    found.set(path, readCorrection(document, at));
  }
  const said = new Map([...found, ...(given?.byPath ?? [])]);
  const candidates = [...places.values()].flatMap((item) => {
    const segments = item.segments.slice(0, -1);
    const [parameter, last] = [item.segments.at(-1)?.parameter, segments.at(-1)];
    if (parameter === undefined || last === undefined || last.parameter !== undefined) return [];
    if (last.text === '' || last.text.includes('{')) return [];
    const collection = findCollection(segments, places);
    const collectionPath = collection?.path ?? `/${segments.map(({ text }) => text).join('/')}`;
    return [{ item, collection, segments, collectionPath, name: last.text, stem: stemOf(last.text), parameter }];
  });
  if (said.size === 0) return { candidates, correct: () => NO_CORRECTION };
  const known = candidates.flatMap(({ collectionPath, item }) => [collectionPath, item.path]);
  const pair = (path: string, correction: Correction): Candidate => {
    const { item: itemPath = '' } = correction;
    const [segments, itemSegments] = [readSegments(path), readSegments(itemPath)];
    const item = places.get(shapeOf(itemSegments));
    const parameter = itemSegments.findLast((each) => each.parameter !== undefined)?.parameter;
    const paths = [...places.values()].map((place) => place.path);
    if (item === undefined)
      return reject(correction, 'item', `the contract has no path ${itemPath}${suggest(itemPath, paths)}`);
    if (parameter === undefined) return reject(correction, 'item', `${itemPath} has no parameter to name an item.`);
    const name = segments.findLast((each) => each.parameter === undefined)?.text ?? '';
    const collection = places.get(shapeOf(segments));
    return { item, collection, segments, collectionPath: path, name, stem: stemOf(name), parameter };
  };
  const byShape = new Map<string, Correction>();
  const own: Candidate[] = [];
  for (const [path, correction] of said) {
    const shape = shapeOf(readSegments(path));
    const paired = correction.item === undefined ? undefined : pair(path, correction);
    if (paired !== undefined) own.push(paired);
    else if (!known.some((each) => shapeOf(readSegments(each)) === shape)) {
      reject(correction, '', `the contract has no collection at ${path}${suggest(path, known)}`);
    }
    const ids = operations.map(({ id }) => id);
    for (const id of Object.keys(correction.operations ?? {}).filter((each) => !ids.includes(each)))
      reject(correction, `operations/${id}`, `the contract has no operation ${id}${suggest(id, ids)}`);
    byShape.set(shape, correction);
  }
  const items = new Set(own.map(({ item }) => item));
  return {
    candidates: [...candidates.filter(({ item }) => !items.has(item)), ...own],
    correct: ({ segments, item }) =>
      byShape.get(shapeOf(segments)) ?? byShape.get(shapeOf(item.segments)) ?? NO_CORRECTION,
  };
}

const SCHEMA_FILE = 'spec/resources.schema.json';
const FIELD = 'x-petstore-resource';

/** Reads a file of resources. Throws a {@link PetstoreMockError} (`unusable-resources`) with file and line for an invalid statement. */
export function loadCorrections(path: string): Corrections {
  const document = readDocument(path, { code: 'unusable-resources', kind: 'resources' });
  checkAgainstSchema(document, compileFileSchema(SCHEMA_FILE), 'unusable-resources');
  const paths = Object.keys(asObject(document.at('/resources')));
  const entries = paths.map((each) => [each, readCorrection(document, `/resources/${escapePointer(each)}`)] as const);
  return { byPath: new Map(entries) };
}

function readCorrection(document: SourceDocument, at: string): Correction {
  const raw = document.at(at);
  const placeOf: Correction['placeOf'] = (part) => document.placeOf(part === '' ? at : `${at}/${part}`);
  if (raw === false) return { isResource: false, placeOf };
  const { members, ...rest } = asObject(raw);
  const { record, list } = asObject(members);
  const readMember = (value: unknown): string[] | undefined =>
    typeof value === 'string' ? value.split('.') : (value as string[] | undefined);
  const found = defined({ record: readMember(record), list: readMember(list) });
  return { isResource: true, ...(rest as Partial<Correction>), members: found, placeOf };
}

export interface Correction {
  isResource?: boolean;
  name?: string;
  item?: string;
  key?: string;
  members?: { record?: readonly string[]; list?: readonly string[] };
  parent?: string | false;
  /** The roles of operations, by id; `false` for an operation that keeps no state. */
  operations?: Readonly<Record<string, Role | false>>;
  placeOf(part: string): SourcePlace | undefined;
}

export type Corrections = { byPath: ReadonlyMap<string, Correction> };

const NO_CORRECTION: Correction = { placeOf: () => undefined };

/** Throws a {@link PetstoreMockError} for a statement that contradicts the contract. */
export function reject(correction: Correction, part: string, message: string): never {
  throw new PetstoreMockError('unusable-resources', message, correction.placeOf(part));
}
