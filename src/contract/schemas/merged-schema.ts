import { escapePointer, type SourceDocument, readOnce } from '../document/document.js';
import { compareNumbers, isJsonNumber } from '../document/json.js';
import { asList, asObject, asText, splitList, groupBy } from '../document/plain.js';
import { listIn, pointerOf, referenceOf, resolveAt } from '../document/references.js';
import type { SchemaObject } from '../model.js';
import { translateSchema, type Dialect } from './dialect.js';

export interface MergedSchema {
  types: readonly string[] | undefined;
  parts: readonly Part[];
  /** The narrowest of each bound; of keywords that cannot be narrowed, the first. */
  rules: SchemaObject;
  patterns: readonly string[];
  required: ReadonlySet<string>;
  properties: ReadonlyMap<string, readonly string[]>;
  patternProperties: readonly (readonly [pattern: string, pointer: string])[];
  additional: readonly string[] | undefined;
  items: readonly string[];
  prefixItems: readonly (readonly string[])[];
  choices: readonly (readonly string[])[];
  isIntricate: boolean;
}

type Part = { schema: SchemaObject; pointer: string };

const NARROWER: Readonly<Record<string, 1 | -1>> = Object.fromEntries([
  ...splitList('minimum exclusiveMinimum minLength minItems minProperties').map((name) => [name, 1] as const),
  ...splitList('maximum exclusiveMaximum maxLength maxItems maxProperties').map((name) => [name, -1] as const),
]);

const INTRICATE = splitList('oneOf anyOf not if dependentRequired dependentSchemas contains unevaluatedProperties');

export function mergeSchemas(document: SourceDocument, dialect: Dialect, pointers: readonly string[]): MergedSchema {
  const kept = mergedOf(document);
  const key = pointers.join('\n');
  const known = kept.get(key);
  if (known !== undefined) return known;
  if (kept.size === MOST_KEPT) kept.clear();
  const merged = merge(document, dialect, pointers);
  kept.set(key, merged);
  return merged;
}

const mergedOf = readOnce((_document: SourceDocument) => new Map<string, MergedSchema>());
const MOST_KEPT = 2000;

function merge(document: SourceDocument, dialect: Dialect, pointers: readonly string[]): MergedSchema {
  const found = new Map<string, Part>();
  const ahead = [...pointers].toReversed();
  for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
    const source = asObject(document.at(at));
    const target = pointerOf(referenceOf(source) ?? '');
    const pointer = target === undefined || dialect.readsBesideReference ? at : resolveAt(document, at).pointer;
    if (found.has(pointer)) continue;
    const schema = translateSchema(asObject(document.at(pointer)), dialect);
    found.set(pointer, { schema, pointer });
    const further = listIn(schema, pointer, ['allOf']);
    if (pointer === at && target !== undefined) further.unshift(target);
    ahead.push(...further.toReversed());
  }
  const parts = [...found.values()];
  const inside = (key: string): string[] =>
    parts.flatMap(({ schema, pointer }) => (schema[key] === undefined ? [] : [`${pointer}/${key}`]));
  const below = (key: string): [name: string, pointer: string][] =>
    parts.flatMap(({ schema, pointer }) =>
      Object.keys(asObject(schema[key])).map(
        (name) => [name, `${pointer}/${key}/${escapePointer(name)}`] as [string, string],
      ),
    );
  const properties = groupBy(below('properties'), ([name]) => name);
  const stated = parts.flatMap(({ schema }) =>
    schema['type'] === undefined ? [] : [[schema['type']].flat().map(String)],
  );
  const isNumeric = (name: string): boolean => name === 'integer' || name === 'number';
  const rules: Record<string, unknown> = {};
  for (const [key, value] of parts.flatMap(({ schema }) => Object.entries(schema))) {
    const known = rules[key];
    const narrower = Object.hasOwn(NARROWER, key) ? NARROWER[key] : undefined;
    if (known === undefined) rules[key] = value;
    else if (narrower !== undefined && isJsonNumber(known) && isJsonNumber(value))
      rules[key] = narrower * compareNumbers(value, known) > 0 ? value : known;
  }
  return {
    parts,
    types: stated.slice(1).reduce<string[] | undefined>((types = [], own) => {
      const isInteger = types.some(isNumeric);
      return own.flatMap((name) => (types.includes(name) ? [name] : isNumeric(name) && isInteger ? ['integer'] : []));
    }, stated[0]),
    rules: rules,
    patterns: [...new Set(parts.flatMap(({ schema }) => asText(schema['pattern']) ?? []))],
    required: new Set(parts.flatMap(({ schema }) => asList(schema['required']).map(String))),
    properties: new Map([...properties].map(([name, same]) => [name, same.map(([, pointer]) => pointer)])),
    patternProperties: below('patternProperties'),
    additional: parts.some(({ schema }) => schema['additionalProperties'] === false)
      ? undefined
      : inside('additionalProperties'),
    items: inside('items').filter((pointer) => !Array.isArray(document.at(pointer))),
    prefixItems: listPrefixes(parts, document),
    choices: parts.flatMap(({ schema, pointer }) =>
      ['oneOf', 'anyOf'].map((key) => listIn(schema, pointer, [key])).filter((list) => list.length > 0),
    ),
    isIntricate: parts.some(({ schema }) => INTRICATE.some((key) => schema[key] !== undefined)),
  };
}

function listPrefixes(parts: readonly Part[], document: SourceDocument): string[][] {
  const lists = parts.flatMap(({ pointer }) =>
    ['prefixItems', 'items'].map((key) => listIn(asObject(document.at(pointer)), pointer, [key])),
  );
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list[index] ?? []));
}
