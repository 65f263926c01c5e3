import type { SourceDocument } from '../document/document.js';
import { resolveAt } from '../document/references.js';
import type { Dialect, Mark } from '../schemas/dialect.js';
import { allowedNothing } from '../schemas/keywords.js';
import type { SchemaObject } from '../model.js';
import { asObject, asText, define } from '../document/plain.js';
import { createContractPattern } from '../schemas/pattern.js';
import { samplePattern } from './sample-scalars.js';
import type { MergedSchema } from '../schemas/merged-schema.js';

export interface Wanted {
  name: string;
  subject: string;
  type: 'string' | 'integer' | 'number' | 'boolean';
  rules: SchemaObject;
  patterns: readonly string[];
  /** The object that it will be in, as far as it is made. */
  holder: Readonly<Record<string, unknown>>;
  siblings: readonly string[];
}

/** Makes a value by its name; `undefined` where that says nothing. */
export type ValueMaker = (wanted: Wanted) => unknown;

export interface SampleOptions {
  /** Which of several possible values to take, such as those of an enumeration. Default: 0, the first. */
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
  /** Makes scalars by their names. Default: they are plain values of their type. */
  make?: ValueMaker | undefined;
  /** What the value is called, and what it stands in. Default: nothing. */
  place?: Place | undefined;
  /** Which several calls may share. Default: as {@link createBudget} gives it. */
  budget?: Budget;
}

/** Schemas that contain each other describe values without an end, and ways to make them without a number. */
interface Budget {
  /** How many values may still be made; texts count by their length. */
  left: number;
  /** How many values may still be checked; afterwards the first way counts as the right one. */
  checks: number;
}

/** What the name of a value is, and what it stands in. */
export type Place = Pick<Wanted, 'name' | 'subject' | 'holder' | 'siblings'>;

export const NOWHERE: Place = { name: '', subject: '', holder: {}, siblings: [] };

export function createBudget(): Budget {
  return { left: MAX_VALUES, checks: MAX_CHECKS };
}

export interface Sampling extends Required<Omit<SampleOptions, 'without' | 'make' | 'onBroken'>> {
  without: Mark | undefined;
  make: ValueMaker | undefined;
  onBroken: ((pointer: string) => void) | undefined;
  place: Place;
  document: SourceDocument;
  dialect: Dialect;
  above: readonly (readonly string[])[];
  variant: number | undefined;
  /** A value that all schemas at these pointers should allow; {@link FAILED} if there is none. */
  sample(pointers: readonly string[], sampling: Sampling): unknown;
}

export const FAILED = Symbol('no value');

/** Below this depth, a schema that contains itself ends. */
export const MAX_DEPTH = 8;
const OPTIONAL_DEPTH = 5;
/** A schema may require a billion items, or contain itself ten times over. */
const MAX_VALUES = 10_000;
const MAX_CHECKS = 500;
const OPTIONAL_VALUES = 600;

export function fillsOptional({ optional, above, budget }: Sampling): boolean {
  return optional && above.length <= OPTIONAL_DEPTH && budget.left > MAX_VALUES - OPTIONAL_VALUES;
}

export function isAround(pointers: readonly string[], sampling: Sampling): boolean {
  const own = locateAll(pointers, sampling);
  return sampling.above.some((level) => level.some((pointer) => own.includes(pointer)));
}

/** Whether optional parts are better left out, since other attempts may find no valid value. */
export function isHopeless(pointers: readonly string[], { document }: Sampling): boolean {
  return pointers.some((pointer) => allowedNothing(resolveAt(document, pointer).value));
}

export function locateAll(pointers: readonly string[], { document }: Sampling): string[] {
  return pointers.map((pointer) => resolveAt(document, pointer).pointer);
}

export function sampleObject(merged: MergedSchema, around: Sampling): unknown {
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

/** A property without a schema becomes a text; so does that by which a discriminator chooses the schema. */
function sampleNamed(merged: MergedSchema, name: string, pointers: readonly string[], sampling: Sampling): unknown {
  const place = { ...sampling.place, name };
  // What each part of an `allOf` shows of its own members.
  const shown = sampling.generated ? [] : merged.parts.map(({ schema }) => asObject(schema['example']));
  const own = merged.parts.length === 1 ? undefined : shown.findLast((each) => Object.hasOwn(each, name))?.[name];
  if (own !== undefined && pointers.every((pointer) => sampling.accepts(pointer, own))) return own;
  const made = sampling.sample([...pointers, ...listByPattern(merged, name)], { ...sampling, place });
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

function listOther(merged: MergedSchema, name: string): readonly string[] | undefined {
  return listByPattern(merged, name).length > 0 ? [] : merged.additional;
}

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
      const name = sampling.sample([`${ruled.pointer}/propertyNames`], by);
      return typeof name === 'string' ? name : `property${index + 1}`;
    };
  }
  if (pattern !== undefined && merged.additional?.length !== 0) return (index) => samplePattern(pattern, index, bounds);
  return (index) => (index === 0 && pattern !== undefined ? samplePattern(pattern, 0, bounds) : `property${index + 1}`);
}
