import { asObject, asText } from '../document/plain.js';
import { resolveAt } from '../document/references.js';
import { createContractPattern } from '../schemas/patterns/pattern.js';
import { samplePattern } from './sample-pattern.js';
import { FAILED, fillsOptional, isAround, isHopeless, type Sampling } from './sampling.js';
import type { MergedSchema } from '../schemas/merged-schema.js';

/** An object with its required properties, and more if wanted or if a number of properties is required. */
export function sampleObject(merged: MergedSchema, around: Sampling): unknown {
  const value: Record<string, unknown> = {};
  const { rules, properties, required } = merged;
  const siblings = [...properties.keys()];
  const sampling = { ...around, place: { name: '', subject: around.place.name, holder: value, siblings } };
  const most = Number(rules['maxProperties'] ?? Infinity);
  const least = Number(rules['minProperties'] ?? 0);
  const fills = fillsOptional(sampling);
  const isLeftOut = (name: string): boolean => isMarked(properties.get(name) ?? [], sampling);
  for (const name of new Set([...properties.keys(), ...required])) {
    if (isLeftOut(name)) continue;
    const own = properties.get(name) ?? listOther(merged, name);
    if (required.has(name)) {
      const made = own === undefined ? FAILED : sampleNamed(merged, name, own, sampling);
      if (made === FAILED) return FAILED;
      define(value, name, made);
    } else if (fills && Object.keys(value).length + countMissing(required, value) < most) {
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

function countMissing(required: ReadonlySet<string>, value: object): number {
  return [...required].filter((name) => !Object.hasOwn(value, name)).length;
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

/**
 * A required property without a schema becomes a text; so does the property by which a discriminator chooses the
 * schema.
 */
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

/** The schemas of a property that is not described by name; `undefined` if there may be none. */
function listOther(merged: MergedSchema, name: string): readonly string[] | undefined {
  if (listByPattern(merged, name).length > 0) return [];
  return merged.additional;
}

function listByPattern({ patternProperties }: MergedSchema, name: string): string[] {
  return patternProperties
    .filter(([pattern]) => createContractPattern(pattern, 'u').test(name))
    .map(([, pointer]) => pointer);
}

/** Unnamed properties, until there are enough. */
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
/** No service has a response with so many members. */
const MOST_MADE = 10_000;

function listFreeNames(merged: MergedSchema, sampling: Sampling): (index: number) => string | undefined {
  const ruled = merged.parts.find(({ schema }) => schema['propertyNames'] !== undefined);
  const [pattern] = merged.patternProperties[0] ?? [];
  const bounds = { least: 0, most: Infinity };
  if (ruled !== undefined) {
    return (index) => {
      const name = sampling.sample([`${ruled.pointer}/propertyNames`], {
        ...sampling,
        variant: index === 0 ? undefined : index,
      });
      return typeof name === 'string' ? name : `property${index + 1}`;
    };
  }
  if (pattern !== undefined && merged.additional?.length !== 0) return (index) => samplePattern(pattern, index, bounds);
  return (index) => (index === 0 && pattern !== undefined ? samplePattern(pattern, 0, bounds) : `property${index + 1}`);
}

/** Whether this side's messages leave a property out. */
function isMarked(pointers: readonly string[], { document, without }: Sampling): boolean {
  if (without === undefined) return false;
  return pointers.some(
    (pointer) =>
      asObject(document.at(pointer))[without] === true ||
      asObject(resolveAt(document, pointer).value)[without] === true,
  );
}

/** Keeps a name such as `__proto__` an ordinary property. */
function define(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
}
