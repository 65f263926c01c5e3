import type { SourceDocument } from '../document/document.js';
import { asList, asObject, isObject, asText, define } from '../document/plain.js';
import type { Dialect, Mark } from '../schemas/dialect.js';
import { readDialect, allowsNull, UNREAD_PATTERN, allowedNothing } from '../schemas/dialect.js';
import { keyOfJson } from '../document/json.js';
import { sampleNumber, sampleText, samplePattern } from './sample-scalars.js';
import { nameSingular } from '../resources/words.js';
import { mergeSchemas, type MergedSchema } from '../schemas/merged-schema.js';
import { resolveAt } from '../document/references.js';
import type { SchemaObject } from '../model.js';
import { createContractPattern } from '../schemas/pattern.js';

const CHARACTERS_PER_VALUE = 100;
const DEFAULT_NOW = Date.parse('2026-01-01T00:00:00Z');

/** Always the same: its example, default or first choice, else a plain value of its type. Callers validate it. */
export function sampleValue(
  document: SourceDocument,
  pointer: string | readonly string[],
  options: SampleOptions = {},
): unknown {
  const { accepts = () => true, budget = createBudget() } = options;
  const value = sample([pointer].flat(), {
    index: 0,
    now: DEFAULT_NOW,
    optional: false,
    without: undefined,
    generated: false,
    isKey: false,
    make: undefined,
    onBroken: undefined,
    ...options,
    place: options.place ?? NOWHERE,
    accepts: (at, made) => budget.checks-- <= 0 || accepts(at, made),
    budget,
    document,
    dialect: readDialect(document.root),
    above: [],
    variant: undefined,
  });
  return value === FAILED ? undefined : value;
}

function sample(pointers: readonly string[], sampling: Sampling): unknown {
  const merged = mergeSchemas(sampling.document, sampling.dialect, pointers);
  sampling.budget.left -= 1;
  const given = findGiven(merged, sampling);
  if (given !== undefined) return given;
  const { document, dialect, accepts } = sampling;
  const isNullable = (): boolean =>
    pointers.every((pointer) => {
      const { types, parts, choices } = mergeSchemas(document, dialect, [pointer]);
      const isMarked = parts[0] !== undefined && allowsNull(asObject(document.at(parts[0].pointer)), dialect);
      const isChoice = choices.flat().some((each) => asObject(document.at(each))['type'] === 'null');
      return (types?.includes('null') === true || isMarked || isChoice) && accepts(pointer, null);
    });
  // A chain that null may end ends where it comes back to itself.
  if (isAround(pointers, sampling) && isNullable()) return null;
  const isEndless = sampling.above.length > MAX_DEPTH && isAround(pointers, sampling);
  if (isEndless || sampling.above.length > 4 * MAX_DEPTH || sampling.budget.left < 0)
    return isNullable() ? null : FAILED;
  return sampleBest(pointers, merged, { ...sampling, above: [...sampling.above, locateAll(pointers, sampling)] });
}

function sampleBest(pointers: readonly string[], merged: MergedSchema, sampling: Sampling): unknown {
  if (!merged.isIntricate) return sampleType(merged, sampling);
  let first: unknown = FAILED;
  for (const way of listWays(pointers, merged, sampling)) {
    const value = way();
    if (value === FAILED) continue;
    if (pointers.every((pointer) => sampling.accepts(pointer, value))) return value;
    if (first === FAILED) first = value;
  }
  return first;
}

const MOST_TRIED = 24;

function* listWays(pointers: readonly string[], merged: MergedSchema, sampling: Sampling): Generator<() => unknown> {
  const [first = [], ...others] = merged.choices;
  for (const optional of sampling.optional ? [true, false] : [false, true]) {
    for (const variant of optional === sampling.optional ? [sampling.variant, 1] : [sampling.variant]) {
      const by = { ...sampling, optional, variant };
      if (first.length === 0) yield () => sampleType(merged, by);
      for (const [turn] of first.slice(0, MOST_TRIED).entries()) {
        const chosen = first[(turn + sampling.index) % first.length] ?? '';
        const rest = others.map((list) => list[turn % list.length] ?? '');
        yield () => sampleChosen([...pointers, chosen, ...rest], by);
      }
    }
  }
  for (const chosen of first.slice(0, MOST_TRIED)) yield () => sampleAlone(pointers, chosen, { first, sampling });
}

function sampleAlone(
  pointers: readonly string[],
  chosen: string,
  { first, sampling }: { first: readonly string[]; sampling: Sampling },
): unknown {
  let value = sampleChosen([...pointers, chosen], sampling);
  for (const other of first) {
    if (value === FAILED || other === chosen || !sampling.accepts(other, value)) continue;
    value = tellApart(value, { one: [chosen], other: [other] }, sampling);
  }
  return value;
}

function sampleChosen(pointers: readonly string[], sampling: Sampling): unknown {
  const merged = mergeSchemas(sampling.document, sampling.dialect, pointers);
  const given = findGiven(merged, sampling);
  if (given !== undefined) return given;
  const last = merged.choices.at(-1);
  const deeper = merged.choices.length > pointers.length ? last?.[0] : undefined;
  if (deeper !== undefined && sampling.above.length <= MAX_DEPTH)
    return sampleChosen([...pointers, deeper], { ...sampling, above: [...sampling.above, [deeper]] });
  return sampleType(merged, sampling);
}

/** What the contract shows (`example`, `examples`, `default`) before what it lists (`enum`). */
function findGiven({ parts, isIntricate, properties, rules }: MergedSchema, sampling: Sampling): unknown {
  const { index, variant, accepts, generated } = sampling;
  const isRight = (value: unknown): boolean => parts.every(({ pointer }) => accepts(pointer, value));
  const own = (key: string): Shown[] =>
    parts.flatMap((part) => {
      const value = part.schema[key];
      const pointer = `${part.pointer}/${key}`;
      if (key !== 'examples') return value === undefined ? [] : [{ value, key, part, pointer }];
      const all = asList(value).map((each, place) => ({ value: each, key, part, pointer: `${pointer}/${place}` }));
      return all.flatMap((_, place) => all[(place + index) % all.length] ?? []);
    });
  const shown = ['examples', 'example', 'default'].flatMap(own);
  const lists = parts.flatMap(({ schema }) => [
    ...(schema['const'] === undefined ? [] : [[schema['const']]]),
    ...(Array.isArray(schema['enum']) ? [asList(schema['enum'])] : []),
  ]);
  if (lists.length > 0) {
    const values = new Map(lists[0]?.map((value) => [keyOfJson(value), value]));
    const others = lists.slice(1).map((list) => new Set(list.map(keyOfJson)));
    const keys = [...values.keys()].filter((key) => others.every((list) => list.has(key)));
    const first = shown.map(({ value }) => keyOfJson(value)).filter((key) => keys.includes(key));
    // Null is the last choice unless it is shown.
    const ordered = [...new Set([...first, ...keys.filter((key) => key !== null)])];
    const inTurn = ordered.map((_, turn) => ordered[(turn + (variant ?? index)) % ordered.length]);
    const chosen = [...inTurn, ...keys].find((key) => isRight(values.get(key)));
    return chosen === undefined ? FAILED : values.get(chosen);
  }
  // Only its examples are known to fit a pattern that cannot be read.
  const isGuess = rules[UNREAD_PATTERN] !== undefined;
  if (!isGuess && (generated || variant !== undefined)) return undefined;
  // The default of a list or an object is usually empty, and that of what may be left out is null.
  const worth = shown.filter(
    ({ value, key }) =>
      key !== 'default' || (value !== null && !(typeof value === 'object' && Object.keys(value).length === 0)),
  );
  if (isIntricate && worth.length === 0) return undefined;
  // What one part of an `allOf` shows lacks what the others describe; `sampleObject` puts it together.
  const isWhole = ({ value, part }: Shown): boolean =>
    part === parts[0] || !isObject(value) || [...properties.keys()].every((name) => Object.hasOwn(value, name));
  for (const each of worth) {
    if (isWhole(each) && isRight(each.value)) return each.value;
    if (!accepts(each.part.pointer, each.value)) sampling.onBroken?.(each.pointer);
  }
  return undefined;
}

type Shown = { value: unknown; key: string; part: MergedSchema['parts'][number]; pointer: string };

function sampleType(merged: MergedSchema, sampling: Sampling): unknown {
  const type = merged.types?.find((name) => name !== 'null') ?? inferType(merged);
  if (type === 'object') return sampleObject(merged, sampling);
  if (type === 'array') return sampleList(merged, sampling);
  const { make, place, variant = 1 } = sampling;
  const room = Math.max(sampling.budget.left, 0) * CHARACTERS_PER_VALUE;
  // By its name; one that must differ from others may be so made once.
  if (make !== undefined && variant <= 1 && isScalar(type)) {
    const made = make({ ...place, type, rules: merged.rules, patterns: merged.patterns });
    if (made !== undefined && !(typeof made === 'string' && made.length > room)) return made;
  }
  if (type === 'boolean') return (sampling.variant ?? 0) % 2 === 0;
  if (type === 'string') {
    const text = sampleText(merged.rules, merged.patterns, { ...sampling, room });
    sampling.budget.left -= Math.floor(text.length / CHARACTERS_PER_VALUE);
    return text;
  }
  if (type === 'integer' || type === 'number') {
    const index = sampling.variant ?? sampling.index;
    return sampleNumber(merged.rules, { isInteger: type === 'integer', index });
  }
  if (merged.types?.includes('null') === true) return null;
  return merged.types === undefined ? undefined : FAILED;
}

const isScalar = (type: string | undefined): type is Wanted['type'] =>
  type === 'string' || type === 'integer' || type === 'number' || type === 'boolean';

function inferType(merged: MergedSchema): string | undefined {
  const { properties, required, additional, items, prefixItems, patterns, rules } = merged;
  const has = (...keys: string[]): boolean => keys.some((key) => rules[key] !== undefined);
  if (properties.size > 0 || required.size > 0 || additional === undefined || additional.length > 0) return 'object';
  if (has('minProperties', 'patternProperties', 'propertyNames', 'dependentRequired', 'dependentSchemas'))
    return 'object';
  if (items.length > 0 || prefixItems.length > 0 || has('minItems', 'contains', 'uniqueItems')) return 'array';
  if (patterns.length > 0 || has('minLength', 'maxLength')) return 'string';
  if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return 'number';
  return typeof rules['format'] === 'string' ? 'string' : undefined;
}

function sampleList(merged: MergedSchema, sampling: Sampling): unknown {
  const { rules, prefixItems, items } = merged;
  const wanted = fillsOptional(sampling) && !isAround(items, sampling) && !isHopeless(items, sampling) ? 1 : 0;
  const least = Number(rules['minItems'] ?? 0);
  const most = Math.min(Number(rules['maxItems'] ?? Infinity), Math.max(sampling.budget.left, 0));
  const contains = merged.parts.flatMap(({ schema, pointer }) => {
    if (schema['contains'] === undefined) return [];
    const { minContains = 1, maxContains = Infinity } = schema;
    return [{ pointer: `${pointer}/contains`, least: Number(minContains), most: Number(maxContains) }];
  });
  // What must be contained stands behind what has its place.
  const contained = contains.flatMap((each) => Array<string>(Math.min(each.least, MOST_CONTAINED)).fill(each.pointer));
  const free = prefixItems.length > 0 && items.some((pointer) => sampling.document.at(pointer) === false);
  const offset = free ? 0 : prefixItems.length;
  const length = Math.min(Math.max(least, wanted, prefixItems.length, offset + contained.length), most);
  const inside = { ...sampling, place: { ...sampling.place, name: nameSingular(sampling.place.name) } };
  const list: unknown[] = [];
  const seen = new Set<unknown>();
  const isUnique = rules['uniqueItems'] === true;
  for (let index = 0; list.length < length; index += 1) {
    const of = contained[index - offset];
    const own = [...(prefixItems[index] ?? items), ...(of === undefined ? [] : [of])];
    const at = { ...inside, index: sampling.index + index };
    const full = of === undefined ? contains.filter((each) => each.most <= each.least) : [];
    const item = sampleItem(own, at, { seen: isUnique ? seen : undefined, avoided: full.map((each) => each.pointer) });
    if (item === FAILED) return list.length >= least || sampling.budget.left < 0 ? list : FAILED;
    seen.add(isUnique ? keyOfJson(item) : '');
    list.push(item);
  }
  return list;
}

const MOST_CONTAINED = 1000;
const MOST_AVOIDED = 8;

function sampleItem(
  pointers: readonly string[],
  sampling: Sampling,
  { seen, avoided }: { seen: ReadonlySet<unknown> | undefined; avoided: readonly string[] },
): unknown {
  const make = (variant: number | undefined): unknown => {
    const made =
      pointers.length === 0 ? undefined : sample(pointers, variant === undefined ? sampling : { ...sampling, variant });
    return made === undefined ? (variant ?? 'string') : made;
  };
  const isRight = (item: unknown): boolean =>
    item !== FAILED &&
    seen?.has(keyOfJson(item)) !== true &&
    !avoided.some((pointer) => sampling.accepts(pointer, item));
  const first = make(undefined);
  if (first === FAILED || isRight(first)) return first;
  const most = Math.max(seen === undefined ? 0 : seen.size + 1, avoided.length > 0 ? MOST_AVOIDED : 0);
  for (let variant = 1; variant <= most; variant += 1) {
    const other = make(variant);
    if (isRight(other)) return other;
  }
  return seen === undefined ? first : FAILED;
}

const WRONG: readonly unknown[] = [0, 'string', true, [], {}];

function tellApart(
  value: unknown,
  { one, other }: { one: readonly string[]; other: readonly string[] },
  sampling: Sampling,
): unknown {
  const { document, dialect, accepts } = sampling;
  const [mine, theirs] = [one, other].map((pointers) => mergeSchemas(document, dialect, pointers));
  if (mine === undefined || theirs === undefined) return FAILED;
  if (Array.isArray(value)) {
    const [first, ...rest] = value as unknown[];
    const changed = tellApart(first, { one: mine.items, other: theirs.items }, sampling);
    return changed === FAILED ? FAILED : [changed, ...rest];
  }
  if (typeof value !== 'object' || value === null) return FAILED;
  for (const [name, pointers] of theirs.properties) {
    if (mine.properties.has(name) || mine.additional?.length !== 0) continue;
    const wrong = WRONG.find((each) => !pointers.every((pointer) => accepts(pointer, each)));
    if (wrong !== undefined) return { ...value, [name]: wrong };
  }
  for (const [name, within] of Object.entries(value)) {
    const [own, others] = [mine.properties.get(name), theirs.properties.get(name)];
    if (own === undefined || others === undefined) continue;
    const changed = tellApart(within, { one: own, other: others }, sampling);
    if (changed !== FAILED) return { ...value, [name]: changed };
  }
  return FAILED;
}

export interface Wanted {
  name: string;
  subject: string;
  type: 'string' | 'integer' | 'number' | 'boolean';
  rules: SchemaObject;
  patterns: readonly string[];
  holder: Readonly<Record<string, unknown>>;
  siblings: readonly string[];
}

export type ValueMaker = (wanted: Wanted) => unknown;

export interface SampleOptions {
  index?: number;
  /** The time for dates and times, milliseconds since 1970-01-01T00:00:00Z. Default: the start of 2026. */
  now?: number;
  /** Whether to include optional properties, as far as they end. Default: `false`. */
  optional?: boolean;
  /** Properties with this mark are left out. Default: none are. */
  without?: Mark | undefined;
  /** Whether to ignore the values that the contract gives as examples. Default: `false`. */
  generated?: boolean;
  /** Whether each index needs a text of its own, as keys do, rather than a short one. Default: `false`. */
  isKey?: boolean;
  /** Judges a value by the schema at a pointer. Default: every value is valid. */
  accepts?: (pointer: string, value: unknown) => boolean;
  /** Told where an example or a default stands that its own schema does not accept. Default: nobody is. */
  onBroken?: ((pointer: string) => void) | undefined;
  make?: ValueMaker | undefined;
  /** What the value is called, and what it stands in. Default: nothing. */
  place?: Place | undefined;
  /** Which several calls may share. Default: as {@link createBudget} gives it. */
  budget?: Budget;
}

/** Schemas that contain each other describe values without an end, and ways to make them without a number. */
interface Budget {
  left: number;
  /** How many values may still be checked; afterwards the first way counts as the right one. */
  checks: number;
}

export type Place = Pick<Wanted, 'name' | 'subject' | 'holder' | 'siblings'>;

export const NOWHERE: Place = { name: '', subject: '', holder: {}, siblings: [] };
export const createBudget = (): Budget => ({ left: MAX_VALUES, checks: MAX_CHECKS });

interface Sampling extends Required<Omit<SampleOptions, 'without' | 'make' | 'onBroken'>> {
  without: Mark | undefined;
  make: ValueMaker | undefined;
  onBroken: ((pointer: string) => void) | undefined;
  place: Place;
  document: SourceDocument;
  dialect: Dialect;
  above: readonly (readonly string[])[];
  variant: number | undefined;
  /** A value that all schemas at these pointers should allow; {@link FAILED} if there is none. */
}

const FAILED = Symbol('no value');
const MAX_DEPTH = 8;
const OPTIONAL_DEPTH = 5;
const MAX_VALUES = 10_000;
const MAX_CHECKS = 500;
const OPTIONAL_VALUES = 600;

const fillsOptional = ({ optional, above, budget }: Sampling): boolean =>
  optional && above.length <= OPTIONAL_DEPTH && budget.left > MAX_VALUES - OPTIONAL_VALUES;

function isAround(pointers: readonly string[], sampling: Sampling): boolean {
  const own = locateAll(pointers, sampling);
  return sampling.above.some((level) => level.some((pointer) => own.includes(pointer)));
}

const isHopeless = (pointers: readonly string[], { document }: Sampling): boolean =>
  pointers.some((pointer) => allowedNothing(resolveAt(document, pointer).value));

const locateAll = (pointers: readonly string[], { document }: Sampling): string[] =>
  pointers.map((pointer) => resolveAt(document, pointer).pointer);

function sampleObject(merged: MergedSchema, around: Sampling): unknown {
  const value: Record<string, unknown> = {};
  const { rules, properties, required } = merged;
  const siblings = [...properties.keys()];
  const sampling = { ...around, place: { name: '', subject: around.place.name, holder: value, siblings } };
  const most = Number(rules['maxProperties'] ?? Infinity);
  const least = Number(rules['minProperties'] ?? 0);
  const fills = fillsOptional(sampling);
  const { document, without } = around;
  const isMarked = (schema: unknown): boolean => without !== undefined && asObject(schema)[without] === true;
  const isLeftOut = (name: string): boolean =>
    (properties.get(name) ?? []).some((at) => isMarked(document.at(at)) || isMarked(resolveAt(document, at).value));
  for (const name of new Set([...properties.keys(), ...required])) {
    if (isLeftOut(name)) continue;
    const own = properties.get(name) ?? listOther(merged, name);
    if (required.has(name)) {
      const made = own === undefined ? FAILED : sampleNamed(merged, name, own, sampling);
      if (made === FAILED) return FAILED;
      define(value, name, made);
    } else if (
      fills &&
      Object.keys(value).length + [...required].filter((each) => !Object.hasOwn(value, each)).length < most
    ) {
      addOptional(value, name, own ?? [], { merged, sampling });
    }
  }
  const spare = [...properties.keys()].filter((name) => !Object.hasOwn(value, name) && !isLeftOut(name));
  for (const name of spare) {
    if (Object.keys(value).length >= least) break;
    addOptional(value, name, properties.get(name) ?? [], { merged, sampling });
  }
  return addOthers(value, merged, sampling, fills && properties.size === 0 ? Math.max(least, 1) : least);
}

function addOptional(
  value: Record<string, unknown>,
  name: string,
  pointers: readonly string[],
  { merged, sampling }: { merged: MergedSchema; sampling: Sampling },
): void {
  if (isAround(pointers, sampling) || isHopeless(pointers, sampling)) return;
  const made = sampleNamed(merged, name, pointers, sampling);
  if (made !== FAILED) define(value, name, made);
}

function sampleNamed(merged: MergedSchema, name: string, pointers: readonly string[], sampling: Sampling): unknown {
  const place = { ...sampling.place, name };
  // What each part of an `allOf` shows of its own members.
  const shown = sampling.generated ? [] : merged.parts.map(({ schema }) => asObject(schema['example']));
  const own = merged.parts.length === 1 ? undefined : shown.findLast((each) => Object.hasOwn(each, name))?.[name];
  if (own !== undefined && pointers.every((pointer) => sampling.accepts(pointer, own))) return own;
  const made = sample([...pointers, ...listByPattern(merged, name)], { ...sampling, place });
  if (made === undefined) return 'string';
  return typeof made === 'string' ? (nameByDiscriminator(merged, name, pointers, sampling) ?? made) : made;
}

function nameByDiscriminator(
  { parts }: MergedSchema,
  name: string,
  pointers: readonly string[],
  { accepts }: Sampling,
): string | undefined {
  const holder = parts.find(({ schema }) => asObject(schema['discriminator'])['propertyName'] === name);
  if (holder === undefined) return undefined;
  const mapping = Object.entries(asObject(asObject(holder.schema['discriminator'])['mapping']));
  const named = parts.flatMap(({ pointer }) => {
    const own = pointer.split('/').at(-1) ?? '';
    if (parts.length > 1 && pointer === holder.pointer) return [];
    const mapped = mapping.find(([, target]) => asText(target)?.split('/').at(-1) === own)?.[0];
    return mapped ?? (/^\/components\/schemas\/[^/]+$/.test(pointer) ? own : []);
  });
  return named.find((each) => pointers.every((pointer) => accepts(pointer, each)));
}

const listOther = (merged: MergedSchema, name: string): readonly string[] | undefined =>
  listByPattern(merged, name).length > 0 ? [] : merged.additional;

function listByPattern({ patternProperties }: MergedSchema, name: string): string[] {
  return patternProperties
    .filter(([pattern]) => createContractPattern(pattern, 'u').test(name))
    .map(([, pointer]) => pointer);
}

function addOthers(value: Record<string, unknown>, merged: MergedSchema, sampling: Sampling, least: number): unknown {
  if (least > MOST_MADE) return FAILED;
  const names = listFreeNames(merged, sampling);
  let count = Object.keys(value).length;
  for (let tried = 0; count < least && tried < least + MOST_NAMES; tried += 1) {
    const name = names(tried);
    const pointers = name === undefined || Object.hasOwn(value, name) ? undefined : listOther(merged, name);
    if (name === undefined || pointers === undefined || isAround(pointers, sampling)) continue;
    if (pointers.length === 0 && merged.additional?.length !== 0 && listByPattern(merged, name).length === 0) continue;
    const made = sampleNamed(merged, name, pointers, sampling);
    if (made === FAILED) continue;
    define(value, name, made);
    count += 1;
  }
  return count >= Number(merged.rules['minProperties'] ?? 0) ? value : FAILED;
}

const MOST_NAMES = 20;
const MOST_MADE = 10_000;

function listFreeNames(merged: MergedSchema, sampling: Sampling): (index: number) => string | undefined {
  const ruled = merged.parts.find(({ schema }) => schema['propertyNames'] !== undefined);
  const [pattern] = merged.patternProperties[0] ?? [];
  const bounds = { least: 0, most: Infinity };
  if (ruled !== undefined) {
    return (index) => {
      const by = { ...sampling, variant: index === 0 ? undefined : index };
      const name = sample([`${ruled.pointer}/propertyNames`], by);
      return typeof name === 'string' ? name : `property${index + 1}`;
    };
  }
  if (pattern !== undefined && merged.additional?.length !== 0) return (index) => samplePattern(pattern, index, bounds);
  return (index) => (index === 0 && pattern !== undefined ? samplePattern(pattern, 0, bounds) : `property${index + 1}`);
}
