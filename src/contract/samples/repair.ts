import { asList, asObject, splitList, define, remember } from '../document/plain.js';
import { escapePointer, parsePointer, type SourceDocument } from '../document/document.js';
import { copyJson, keyOfJson } from '../document/json.js';
import { createContractPattern } from '../schemas/pattern.js';
import { mergeSchemas } from '../schemas/merged-schema.js';
import { readDialect } from '../schemas/dialect.js';
import type { SchemaObject, Content, Operation, ResponseRule } from '../model.js';
import { listNearNumbers } from './sample-scalars.js';
import { sampleValue, type SampleOptions } from './sample.js';
import type { Contract } from '../contract.js';
import { pointerOf, referenceOf, COMPOSITIONS, listIn } from '../document/references.js';
import { listExternalExamples, listPlacedExamples, type PlacedExample } from '../schemas/examples.js';
import { describeViolation, type Violation } from '../schemas/violation.js';
import { isJsonMediaType } from '../media-types.js';
import { formatPlace } from '../../errors.js';

type Breach = Pick<Violation, 'rule' | 'pointer'>;

interface RepairOptions extends SampleOptions {
  check: (pointer: string, value: unknown) => readonly Breach[];
}

const MOST_CHECKED = 300;
const MOST_FAULTS = 4;
const MOST_IN_TURN = 60;

/** With its optional parts where possible; else the first that was tried, with what is wrong with it. */
export function makeValue<Found extends Breach>(
  document: SourceDocument,
  pointer: string,
  { check, ...options }: SampleOptions & { check: (pointer: string, value: unknown) => readonly Found[] },
): { value: unknown; faults: readonly Found[] } {
  const by = { ...options, accepts: (at: string, value: unknown) => check(at, value).length === 0 };
  const starts: unknown[] = [];
  for (const generated of options.generated === true ? [true] : [false, true])
    for (const optional of [true, false]) {
      const value = sampleValue(document, pointer, { ...by, optional, generated });
      if (value !== undefined && check(pointer, value).length === 0) return { value, faults: [] };
      starts.push(value);
    }
  const repaired = repairValue(document, pointer, starts, { ...by, check });
  if (repaired !== undefined) return { value: repaired, faults: [] };
  // Schemas that together allow no property are kept by an object without any, and so is one that says nothing.
  const value = starts[0] === undefined ? {} : starts[0];
  return { value, faults: check(pointer, value) };
}

/** Found by changing the nearest values where the validator says they are wrong: the same each time, in limited steps. */
export function repairValue(
  document: SourceDocument,
  pointer: string,
  starts: readonly unknown[],
  options: RepairOptions,
): unknown {
  const places = createPlaces(document, pointer, options);
  const seen = new Set<unknown>();
  // What is wrong deeper inside costs less, since it leaves more of the value as it is.
  const states: { cost: number; changes: Iterator<unknown> }[] = [];
  let checked = 0;
  const look = (value: unknown): boolean => {
    const key = keyOfJson(value);
    if (value === undefined || seen.has(key)) return false;
    seen.add(key);
    checked += 1;
    const faults = options.check(pointer, value);
    const cost = faults.reduce((sum, { pointer: at }) => sum + 4 ** -parsePointer(at).length, 0);
    // Nothing inside makes a value one of another type.
    const isOfType = !faults.some((each) => each.rule === 'type' && each.pointer === '');
    if (faults.length > 0 && isOfType) states.push({ cost, changes: listChanges(value, faults, places) });
    return faults.length === 0;
  };
  const search = (most: number): unknown => {
    const isOver = (): boolean => checked >= most || states.length === 0;
    while (!isOver()) {
      states.sort((one, other) => one.cost - other.cost);
      const state = states[0] as (typeof states)[number];
      for (let tried = 0; tried < MOST_IN_TURN && !isOver(); tried += 1) {
        const { value, done } = state.changes.next();
        if (done === true) states.splice(states.indexOf(state), 1);
        else if (look(value)) return value;
        const cost = states.at(-1)?.cost ?? Infinity;
        if (done === true || cost < state.cost) break;
        if (tried === MOST_IN_TURN - 1) states.push(...states.splice(states.indexOf(state), 1));
      }
    }
    return undefined;
  };
  // What is given is changed first, and made anew only where that leads nowhere.
  for (const [list, most] of [
    [() => starts, MOST_CHECKED / 2],
    [() => places.listValues([]), MOST_CHECKED],
  ] as const) {
    const made = list().slice(0, MOST_IN_TURN);
    const at = made.findIndex(look);
    const found = at >= 0 ? made[at] : search(most);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Path = readonly string[];
type Places = { listValues(path: Path): unknown[]; listNames(path: Path): string[] };

function* listChanges(value: unknown, faults: readonly Breach[], places: Places): Generator {
  for (const { pointer } of faults.slice(0, MOST_FAULTS)) {
    const path = parsePointer(pointer);
    const wrong = readAt(value, path);
    if (wrong === undefined || typeof wrong !== 'object' || wrong === null) {
      yield* places.listValues(path).map((other) => put(value, path, other));
    } else yield* listInside(value, path, wrong, places);
    if (path.length > 0) yield put(value, path, undefined);
    // What is wrong may be what stands beside it, or around it.
    if (path.length > 0 && typeof wrong !== 'object') {
      const around = path.slice(0, -1);
      yield* listInside(value, around, readAt(value, around), places);
    }
    yield* places.listValues(path).map((other) => put(value, path, other));
  }
}

function* listInside(value: unknown, path: Path, holder: unknown, places: Places): Generator {
  if (typeof holder !== 'object' || holder === null) return;
  const own = Object.keys(holder);
  if (Array.isArray(holder)) {
    const next = [...path, String(holder.length)];
    yield* places.listValues(next).map((item) => put(value, next, item));
  } else {
    const missing = places.listNames(path).filter((name) => !Object.hasOwn(holder, name));
    for (const turn of [0, 1, 2])
      for (const name of missing) {
        const other = places.listValues([...path, name])[turn];
        if (other !== undefined) yield put(value, [...path, name], other);
      }
  }
  for (const name of own.toReversed()) yield put(value, [...path, name], undefined);
  for (const name of own) yield* places.listValues([...path, name]).map((other) => put(value, [...path, name], other));
}

function readAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as never)[name] : undefined),
    value,
  );
}

function put(value: unknown, path: Path, other: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return other;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list = [...(value as unknown[])];
    const item = rest.length === 0 ? other : put(list[Number(name)], rest, other);
    if (item === undefined) list.splice(Number(name), 1);
    else list[Number(name)] = item;
    return list;
  }
  const changed = { ...value } as Record<string, unknown>;
  const own = Object.hasOwn(value, name) ? changed[name] : undefined;
  const member = rest.length === 0 ? other : put(own, rest, other);
  if (member === undefined) Reflect.deleteProperty(changed, name);
  else define(changed, name, member);
  return changed;
}

type Schemas = Record<'certain' | 'possible', readonly string[]>;

function createPlaces(document: SourceDocument, root: string, options: RepairOptions): Places {
  const dialect = readDialect(document.root);
  const partsOf = (pointers: readonly string[]): { schema: SchemaObject; pointer: string }[] =>
    pointers.flatMap((pointer) => mergeSchemas(document, dialect, [pointer]).parts);
  // Those that apply in any case, and those that may, such as the parts of `if` and `not`.
  const find = (path: Path): Schemas => findSchemas(JSON.stringify(path));
  const findSchemas = remember((key: string): Schemas => {
    const path = JSON.parse(key) as Path;
    const name = path.at(-1);
    const outer = name === undefined ? undefined : find(path.slice(0, -1));
    const inside = (pointers: readonly string[]): string[] =>
      partsOf(pointers).flatMap((part) => listInsideSchema(part, name ?? '', document));
    const certain = outer === undefined ? [root] : inside(outer.certain);
    const contains = partsOf([...(outer?.certain ?? []), ...(outer?.possible ?? [])]).flatMap(({ schema, pointer }) =>
      schema['contains'] === undefined ? [] : [`${pointer}/contains`],
    );
    const possible = new Set(outer === undefined ? [] : [...inside(outer.possible), ...contains]);
    for (const pointer of [...certain, ...possible]) {
      const waiting = [pointer];
      for (let at = waiting.pop(); at !== undefined && possible.size < MOST_POSSIBLE; at = waiting.pop())
        for (const { schema, pointer: own } of partsOf([at])) {
          const conditional = ['if', 'then', 'else', 'not'].filter((each) => schema[each] !== undefined);
          const dependent = Object.keys(asObject(schema['dependentSchemas'])).map(escapePointer);
          const alternatives = [
            ...listIn(schema, own, ['anyOf', 'oneOf']),
            ...conditional.map((each) => `${own}/${each}`),
            ...dependent.map((each) => `${own}/dependentSchemas/${each}`),
          ].filter((each) => !possible.has(each));
          for (const each of alternatives) possible.add(each);
          waiting.push(...alternatives);
        }
    }
    return { certain, possible: [...possible] };
  });
  const listValues = remember((key: string) =>
    listCandidates(find(JSON.parse(key) as Path), document, { ...options, partsOf }),
  );
  return {
    listNames(path) {
      const { certain, possible } = find(path);
      const schemas = partsOf([...certain, ...possible]).map(({ schema }) => schema);
      const merged = mergeSchemas(document, dialect, certain);
      const required = schemas.flatMap((schema) =>
        [schema['required'], ...Object.values(asObject(schema['dependentRequired']))].flatMap(asList).map(String),
      );
      const described = schemas.flatMap((schema) => Object.keys(asObject(schema['properties'])));
      const free = merged.additional === undefined ? [] : ['property1', 'property2'];
      return [...new Set([...required, ...described, ...free])];
    },
    listValues: (path) => listValues(JSON.stringify(path)),
  };
}

const MOST_POSSIBLE = 200;

function listInsideSchema(
  { schema, pointer }: { schema: SchemaObject; pointer: string },
  name: string,
  document: SourceDocument,
): string[] {
  const patterns = Object.keys(asObject(schema['patternProperties'])).filter((each) =>
    createContractPattern(each, 'u').test(name),
  );
  const named = [
    ...(Object.hasOwn(asObject(schema['properties']), name) ? [`${pointer}/properties/${escapePointer(name)}`] : []),
    ...patterns.map((each) => `${pointer}/patternProperties/${escapePointer(each)}`),
  ];
  const isPlaced = Number(name) < asList(schema['prefixItems']).length;
  const others = ['additionalProperties', 'unevaluatedProperties'].map((key) => `${pointer}/${key}`);
  const items = isPlaced ? [`${pointer}/prefixItems/${name}`] : [`${pointer}/items`, `${pointer}/unevaluatedItems`];
  const within = [...(named.length > 0 ? named : others), ...(/^\d+$/.test(name) ? items : [])];
  return within.filter((each) => typeof document.at(each) === 'object' && !Array.isArray(document.at(each)));
}

const MOST_CANDIDATES = 120;
const PLAIN: readonly unknown[] = ['string', 1, true, false, 0, -1, 1.5, 'a', '', [], {}, null];

function listCandidates(
  { certain, possible }: Schemas,
  document: SourceDocument,
  { check, partsOf, ...rest }: RepairOptions & { partsOf: (pointers: readonly string[]) => { schema: SchemaObject }[] },
): unknown[] {
  const accepts = (pointer: string, value: unknown): boolean => check(pointer, value).length === 0;
  const sample = (pointers: readonly string[], more: SampleOptions): unknown =>
    pointers.length === 0 ? undefined : sampleValue(document, pointers, { ...rest, accepts, ...more });
  const schemas = partsOf([...certain, ...possible]).map(({ schema }) => schema);
  const groups = [certain, ...possible.map((each) => [...certain, each]), ...possible.map((each) => [each])];
  const stated = schemas.flatMap((schema) => [
    ...asList(schema['enum']),
    ...['const', 'example', 'default'].flatMap((key) => (schema[key] === undefined ? [] : [schema[key]])),
    ...[schema['minLength'], schema['maxLength']].flatMap((bound) =>
      typeof bound === 'number' && bound <= 10_000
        ? [bound, bound + 1, bound - 1].filter((length) => length >= 0).map((length) => 'g'.repeat(length))
        : [],
    ),
  ]);
  const made = [
    ...groups.slice(0, 24).map((each) => sample(each, {})),
    ...stated,
    ...listNearNumbers(schemas),
    ...[1, 2, 3].map((index) => sample(certain, { generated: true, index })),
    ...PLAIN,
  ].filter((value) => value !== undefined);
  const distinct = [...new Map(made.map((value) => [keyOfJson(value), value])).values()];
  const first = distinct.filter((value) => certain.every((pointer) => accepts(pointer, value)));
  return [...first, ...distinct.filter((value) => !first.includes(value))].slice(0, MOST_CANDIDATES).map(copyJson);
}

/** Why a mock can make no first success, and which examples break their schema: sentences without a full stop. */
export function findUnmade({ document, validate }: Contract, operation: Operation): string[] {
  const [rule, content] = findSuccess(operation);
  const pointer = content?.schemaPointer;
  if (rule === undefined || content === undefined || pointer === undefined) return [];
  const { mediaType } = content;
  const isJson = isJsonMediaType(mediaType);
  const accepts = (value: unknown): boolean => validate.value(pointer, value).length === 0;
  // What a text of another media type stands for is not known.
  const isSent = ({ value, text }: PlacedExample): boolean =>
    (!isJson && (text !== undefined || typeof value === 'string')) || accepts(value);
  const shown = listPlacedExamples(document, rule, { mediaType, name: undefined });
  const broken = new Set(shown.filter((each) => !isSent(each)).map((each) => each.pointer));
  const isShown = shown.some(isSent);
  const options = { check: validate.value, onBroken: (at: string) => broken.add(at), without: 'writeOnly' as const };
  const [fault] = isShown ? [] : makeValue(document, pointer, options).faults;
  const shownAt = (at: string): string => `the example at ${formatPlace(document.placeOf(at))}`;
  const examples = [...broken].map((at) => `${shownAt(at)} breaks its schema and is not sent`);
  const why = fault && `${describeViolation(fault)} (${formatPlace(fault.contract)})`;
  const reasons = why === undefined ? [] : [`no response that the contract allows could be made: ${why}`];
  const external = listExternalExamples(document, rule, mediaType).map(
    (at) => `${shownAt(at)} is in a file of its own (externalValue), which is not read`,
  );
  return [...reasons, ...examples, ...external].map((each) => `${operation.id}: ${each}`);
}

function findSuccess({ responses }: Operation): [ResponseRule | undefined, Content | undefined] {
  const rule = responses
    .filter(({ status }) => status.startsWith('2'))
    .toSorted((a, b) => (a.status < b.status ? -1 : 1))[0];
  const content = rule?.content.find(({ mediaType }) => isJsonMediaType(mediaType)) ?? rule?.content[0];
  return [rule, content];
}

const HARD = splitList('not if contains dependentSchemas dependentRequired unevaluatedProperties unevaluatedItems');
const MOST_LOOKED_AT = 3000;

export function listDoubtful({ document, operations }: Contract, most: number): Operation[] {
  const visited = new Map<string, boolean>();
  const doubtful: Operation[] = [];
  for (const operation of operations) {
    if (doubtful.length === most || visited.size > MOST_LOOKED_AT) break;
    const pointer = findSuccess(operation)[1]?.schemaPointer;
    if (pointer !== undefined && isHard(document, pointer, { visited, above: [] })) doubtful.push(operation);
  }
  return doubtful;
}

function isHard(
  document: SourceDocument,
  pointer: string,
  { visited, above }: { visited: Map<string, boolean>; above: readonly string[] },
): boolean {
  if (above.includes(pointer)) return true;
  const known = visited.get(pointer);
  if (known !== undefined) return known;
  visited.set(pointer, false);
  const schema = asObject(document.at(pointer));
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const isReversed = (least: unknown, most: unknown): boolean => Number(least) > Number(most);
  const parts = asList(schema['allOf']);
  const targetOf = (part: unknown): string | undefined => pointerOf(referenceOf(part) ?? '');
  const isClosing = (part: unknown): boolean => {
    const at = targetOf(part);
    return asObject(at === undefined ? part : document.at(at))['additionalProperties'] === false;
  };
  const isClosed = parts.length > 1 && [schema, ...parts].some(isClosing);
  const target = targetOf(schema);
  const same = [
    ...(target === undefined ? [] : [target]),
    ...listIn(schema, pointer, [...COMPOSITIONS, 'prefixItems']),
  ];
  const required = asList(schema['required']).map((name) => `${pointer}/properties/${escapePointer(String(name))}`);
  const items = Number(minItems ?? 0) > 0 ? [`${pointer}/items`] : [];
  const isFound =
    isReversed(minimum, maximum) ||
    isReversed(minLength, maxLength) ||
    isReversed(minItems, maxItems) ||
    isClosed ||
    HARD.some((key) => schema[key] !== undefined) ||
    // What need not be there is left out where it cannot be made.
    [...same, ...required, ...items].some((at) => isHard(document, at, { visited, above: [pointer, ...above] }));
  visited.set(pointer, isFound);
  return isFound;
}
