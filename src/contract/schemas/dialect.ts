import { type SourceDocument, parsePointer, escapePointer, type Notes } from '../document/document.js';
import { shorten, compareNumbers, isJsonNumber, type JsonNumber } from '../document/json.js';
import type { SchemaObject } from '../model.js';
import { asObject, asList, defined, asText, isObject, splitList } from '../document/plain.js';
import { resolveAt, pointerOf, referenceOf, listIn } from '../document/references.js';
import { closest, distance } from 'fastest-levenshtein';
import { isTooLarge, readContractPattern } from './pattern.js';

export interface Dialect {
  name: string;
  /** Whether what stands beside a `$ref` counts (OpenAPI 3.0.3, Reference Object: it does not). */
  readsBesideReference: boolean;
}

/** OpenAPI 3.1 and 3.2 write JSON Schema 2020-12 itself. */
export const JSON_SCHEMA: Dialect = { name: 'OpenAPI 3.1', readsBesideReference: true };
const OPENAPI_3_0: Dialect = { name: 'OpenAPI 3.0', readsBesideReference: false };

export function readDialect(root: unknown): Dialect {
  const version = (root as { openapi?: unknown } | undefined)?.openapi;
  return typeof version === 'string' && version.startsWith('3.0') ? OPENAPI_3_0 : JSON_SCHEMA;
}

const KNOWN_DIALECTS = /^https?:\/\/(?:spec\.openapis\.org\/oas\/|json-schema\.org\/(?:draft|schema))/;

export function noteDialect(document: SourceDocument, notes: Notes): void {
  const dialect = document.at('/jsonSchemaDialect');
  if (dialect === undefined || (typeof dialect === 'string' && KNOWN_DIALECTS.test(dialect))) return;
  notes.add(
    '/jsonSchemaDialect',
    `the jsonSchemaDialect ${shorten(dialect)} is not known; schemas are read as JSON Schema 2020-12.`,
  );
}

/** The same schema in JSON Schema 2020-12, without its subschemas (OpenAPI 3.0.3, Schema Object). */
export function translateSchema(schema: SchemaObject, dialect: Dialect): SchemaObject {
  if (!dialect.readsBesideReference && typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] };
  const { nullable: _nullable, ...rest } = schema;
  const bounded = EXCLUSIVE_BOUNDS.reduce<SchemaObject>((at, [bound, exclusive]) => {
    if (typeof at[exclusive] !== 'boolean') return at;
    // `minimum: 1, exclusiveMinimum: true` is `exclusiveMinimum: 1`.
    const { [bound]: limit, [exclusive]: isExclusive, ...others } = at;
    return limit === undefined ? others : { ...others, [isExclusive === true ? exclusive : bound]: limit };
  }, rest);
  const { items, additionalItems, ...beside } = bounded;
  // A list of `items` is what older drafts call `prefixItems`.
  const listed = Array.isArray(items)
    ? { prefixItems: items, ...defined({ items: additionalItems }), ...beside }
    : bounded;
  // It adds `null` to a type; what it means without one, `allowsNull` says.
  if (!isMarkedNullable(schema) || listed['type'] === undefined) return listed;
  return { ...listed, type: [...new Set([listed['type'], 'null'].flat())] };
}

const EXCLUSIVE_BOUNDS = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;

const isMarkedNullable = ({ nullable, 'x-nullable': marked }: SchemaObject): boolean => (nullable ?? marked) === true;

/** 3.0.3 gives `nullable` a meaning beside a `type` alone; generators write it beside `$ref` and `allOf` as well. */
export const allowsNull = (schema: SchemaObject, { readsBesideReference }: Dialect): boolean =>
  !readsBesideReference && isMarkedNullable(schema);

/** Of `anyOf: [{...}, {type: null}]`, as generators write what may be left out, the one alternative. */
export function readBesideNull(document: SourceDocument, pointer: string): SchemaObject {
  const found = resolveAt(document, pointer);
  const schema = asObject(found.value);
  const name = Array.isArray(schema['anyOf']) ? 'anyOf' : 'oneOf';
  const { [name]: listed, ...beside } = schema;
  if (!Array.isArray(listed)) return schema;
  const ways = listed.map((_, index) => asObject(resolveAt(document, `${found.pointer}/${name}/${index}`).value));
  const [only, ...others] = ways.filter(({ type }) => type !== 'null');
  return only === undefined || others.length > 0 || ways.length < 2 ? schema : { ...only, ...beside };
}

/** The rules of a schema of its own that would refuse null, so that they do not. */
export function addNull(schema: SchemaObject): SchemaObject {
  const { type, enum: listed } = schema;
  return {
    ...schema,
    ...(type === undefined ? {} : { type: [...new Set([type, 'null'].flat())] }),
    ...(Array.isArray(listed) && !listed.includes(null) ? { enum: [...(listed as unknown[]), null] } : {}),
  };
}

/** The same of a prepared schema's references and alternatives: each keeps its place, and null is one more. */
export function addNullAlternative(prepared: Record<string, unknown>, pointer: string): Record<string, unknown> {
  const isNull = { type: 'null', [SOURCE_POINTER]: pointer };
  const { $ref, anyOf, oneOf, ...rest } = prepared;
  if ($ref !== undefined) return { if: isNull, else: { $ref, [SOURCE_POINTER]: pointer } };
  return {
    ...rest,
    ...(Array.isArray(anyOf) ? { anyOf: [...(anyOf as unknown[]), isNull] } : {}),
    // Of several that fit, null would be one too many.
    ...(Array.isArray(oneOf)
      ? { oneOf: [...(oneOf as unknown[]), { ...isNull, not: { anyOf: oneOf as unknown[] } }] }
      : {}),
  };
}

/** The keyword that says that a property occurs only in answers (`readOnly`) or only in requests (`writeOnly`). */
export type Mark = 'readOnly' | 'writeOnly';

/** A read-only property is required only in responses, a write-only one in requests (OpenAPI 3.0.3, Schema Object). */
export function relaxRequired(prepared: Record<string, unknown>, mark: Mark): Record<string, unknown> {
  const follow = (schema: unknown): unknown => {
    const pointer = pointerOf(referenceOf(schema) ?? '');
    const steps = pointer === undefined ? undefined : parsePointer(pointer);
    return steps === undefined ? schema : steps.reduce<unknown>((at, key) => asObject(at)[key], prepared);
  };
  const listMarked = (schema: SchemaObject, visited = new Set<unknown>()): string[] => {
    if (visited.has(schema)) return [];
    visited.add(schema);
    const own = Object.entries(asObject(schema['properties'])).filter(
      ([, property]) => asObject(property)[mark] === true || asObject(follow(property))[mark] === true,
    );
    const parts = [...asList(schema['allOf']), ...(referenceOf(schema) === undefined ? [] : [follow(schema)])];
    return [...own.map(([name]) => name), ...parts.flatMap((part) => listMarked(asObject(part), visited))];
  };
  const relax = (node: unknown, above: ReadonlySet<string>): unknown => {
    if (Array.isArray(node)) return node.map((item) => relax(item, above));
    if (typeof node !== 'object' || node === null) return node;
    const marked = new Set([...above, ...listMarked(node as SchemaObject)]);
    const entries = Object.entries(node).map(([key, value]) => {
      if (key === 'required' && Array.isArray(value)) return [key, value.filter((name) => !marked.has(String(name)))];
      // The parts of an `allOf` describe the same object; any other subschema describes another.
      return [key, relax(value, key === 'allOf' ? marked : new Set())];
    });
    return Object.fromEntries(entries) as unknown;
  };
  return relax(prepared, new Set()) as Record<string, unknown>;
}

export const SOURCE_POINTER = '$source';

interface Keyword {
  /** Reads after "must be". */
  expected: string;
  accepts(value: unknown): boolean;
}

const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];
const isNumber = (value: unknown): value is JsonNumber => typeof value === 'number' || isJsonNumber(value);
const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isObject(value);
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'string');
const NUMBER: Keyword = { expected: 'a number', accepts: isNumber };
const COUNT: Keyword = {
  expected: 'a whole number from 0',
  accepts: (value) => isNumber(value) && compareNumbers(value, 0) >= 0 && Number.isInteger(Number(value)),
};
const FLAG: Keyword = { expected: 'true or false', accepts: (value) => typeof value === 'boolean' };
const TEXT: Keyword = { expected: 'a text', accepts: (value) => typeof value === 'string' };
const SCHEMA: Keyword = { expected: 'a schema', accepts: isSchema };
const SCHEMAS: Keyword = {
  expected: 'a list of schemas',
  accepts: (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
};
const SCHEMA_MAP: Keyword = { expected: 'schemas by name', accepts: isObject };
const BOUND: Keyword = { expected: 'a number', accepts: (value) => isNumber(value) || typeof value === 'boolean' };

/** The rules of JSON Schema 2020-12, and those that OpenAPI 3.0 writes differently. */
const RULES: Readonly<Record<string, Keyword>> = {
  $ref: TEXT,
  type: {
    expected: `one of ${TYPES.join(', ')}, or a list of these`,
    accepts: (value) => [value].flat().length > 0 && [value].flat().every((type) => TYPES.includes(type as string)),
  },
  enum: { expected: 'a list of at least one value', accepts: (value) => Array.isArray(value) && value.length > 0 },
  const: { expected: 'a value', accepts: () => true },
  multipleOf: { expected: 'a number above 0', accepts: (value) => isNumber(value) && compareNumbers(value, 0) > 0 },
  ...ofKind(NUMBER, 'maximum minimum'),
  ...ofKind(BOUND, 'exclusiveMaximum exclusiveMinimum'),
  ...ofKind(COUNT, 'maxLength minLength'),
  pattern: { ...TEXT, expected: 'a regular expression' },
  ...ofKind(COUNT, 'maxItems minItems maxContains minContains'),
  uniqueItems: FLAG,
  ...ofKind(COUNT, 'maxProperties minProperties'),
  required: { expected: 'a list of names', accepts: isTexts },
  dependentRequired: {
    expected: 'lists of names by name',
    accepts: (value) => isObject(value) && Object.values(value).every(isTexts),
  },
  format: TEXT,
  ...ofKind(FLAG, 'nullable readOnly writeOnly'),
  items: { expected: 'a schema', accepts: (value) => [value].flat().every(isSchema) },
  ...ofKind(
    SCHEMA,
    'contains additionalProperties unevaluatedItems unevaluatedProperties propertyNames not if then else',
  ),
  ...ofKind(SCHEMAS, 'allOf anyOf oneOf prefixItems'),
  properties: SCHEMA_MAP,
  patternProperties: { ...SCHEMA_MAP, expected: 'schemas by regular expression' },
  ...ofKind(SCHEMA_MAP, 'dependentSchemas $defs definitions'),
};

function ofKind(keyword: Keyword, names: string): Record<string, Keyword> {
  return Object.fromEntries(splitList(names).map((name) => [name, keyword]));
}

const ANNOTATIONS = new Set(
  splitList(`title description default example examples deprecated discriminator xml externalDocs $id id $schema $anchor
    $comment $vocabulary $dynamicRef $dynamicAnchor contentEncoding contentMediaType contentSchema
    additionalItems dependencies collectionFormat allowEmptyValue optional divisibleBy extends`),
);

export const isRule = (name: string): boolean => Object.hasOwn(RULES, name);
export const isAnnotation = (name: string): boolean => ANNOTATIONS.has(name) || name.startsWith('x-');

/** Removes and notes keywords whose value is of the wrong kind; a misspelt one is noted, since it does nothing. */
export function repairSchema(
  schema: Record<string, unknown>,
  pointer: string,
  { notes, dialect }: { notes: Notes; dialect: Dialect },
): void {
  // Swagger's type for files.
  if (schema['type'] === 'file') Object.assign(schema, { type: 'string', format: 'binary' });
  if (dialect.readsBesideReference && schema['nullable'] === true) {
    const remedy = "write the type as a list, such as type: [string, 'null']";
    notes.add(`${pointer}/nullable`, `OpenAPI 3.1 has no keyword nullable; it is read as in OpenAPI 3.0; ${remedy}.`);
  }
  for (const name of ['exclusiveMinimum', 'exclusiveMaximum']) {
    if (!dialect.readsBesideReference || typeof schema[name] !== 'boolean') continue;
    // In older drafts, it is a boolean.
    if (/json-schema\.org\/draft-0[34]\//.test(String(schema['$schema']))) continue;
    notes.add(`${pointer}/${name}`, `${name} must be a number in OpenAPI 3.1; it is read as in OpenAPI 3.0.`);
  }
  const leaveOut = (holder: Record<string, unknown>, name: string, { expected }: Keyword, at: string): void => {
    notes.add(at, `${name} must be ${expected}, not ${shorten(holder[name])}; it is ignored.`);
    delete holder[name];
  };
  for (const [name, value] of Object.entries(schema)) {
    const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
    const at = `${pointer}/${escapePointer(name)}`;
    if (OLD.has(name)) notes.add(at, `${name} is a keyword of an older JSON Schema and has no effect.`);
    if (rule === undefined) {
      const meant = isAnnotation(name) || name.length < 4 ? name : closest(name, Object.keys(RULES));
      if (meant !== name && distance(name, meant) <= 2)
        notes.add(at, `there is no keyword ${name}; did you mean ${meant}? As written, it has no effect.`);
    }
    // Its meaning is open: one document means a tuple, the next a choice.
    else if (name === 'items' && Array.isArray(value) && !dialect.readsBesideReference)
      leaveOut(schema, name, SCHEMA, at);
    else if (!rule.accepts(value)) leaveOut(schema, name, rule, at);
    else if (rule.accepts === isObject && isObject(value))
      for (const part of Object.keys(value).filter((each) => !isSchema(value[each])))
        leaveOut(value, part, SCHEMA, `${at}/${escapePointer(part)}`);
  }
  repairPatterns(schema, pointer, notes);
  const { enum: choices, type } = schema;
  if (Array.isArray(choices) && type !== undefined) {
    // Texts such as `1 (Blob)` beside `type: integer` would allow no value at all.
    const types = [type].flat() as string[];
    const isPossible = choices.some((each) => each === null || types.some((name) => isOfType(each, name)));
    const why = `no value of enum is of type ${types.join(' or ')}, so no value would be valid; enum is ignored.`;
    if (!isPossible) {
      notes.add(`${pointer}/enum`, why);
      delete schema['enum'];
      withoutValues.add(schema);
    }
  }
  for (const [low, high, isOpen] of BOUNDS) {
    const [least, most] = [schema[low], schema[high]];
    if (!isNumber(least) || !isNumber(most)) continue;
    const order = compareNumbers(least, most);
    if (order > 0 || (order === 0 && isOpen))
      notes.add(`${pointer}/${high}`, `no value satisfies both ${low} ${shorten(least)} and ${high} ${shorten(most)}.`);
  }
  const { format } = schema;
  if (typeof format === 'string' && !KNOWN_FORMATS.has(format))
    notes.add(`${pointer}/format`, `the format ${shorten(format)} is unknown and not checked.`);
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return isNumber(value) && Number.isInteger(Number(value));
  if (type === 'number') return isNumber(value);
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isObject(value) : typeof value === type;
}

const BOUNDS: readonly [low: string, high: string, isOpen: boolean][] = [
  ['minimum', 'maximum', false],
  ['exclusiveMinimum', 'maximum', true],
  ['minimum', 'exclusiveMaximum', true],
  ['exclusiveMinimum', 'exclusiveMaximum', true],
  ['minLength', 'maxLength', false],
  ['minItems', 'maxItems', false],
  ['minProperties', 'maxProperties', false],
  ['minContains', 'maxContains', false],
];

/** Those of JSON Schema, of ajv-formats and of the OpenAPI Format Registry, some of which say nothing that can be judged. */
const KNOWN_FORMATS = new Set(
  splitList(`date time date-time iso-time iso-date-time duration uri uri-reference uri-template url email hostname ipv4
    ipv6 regex uuid json-pointer json-pointer-uri-fragment relative-json-pointer byte int32 int64 float double password
    binary idn-email idn-hostname iri iri-reference int8 int16 uint8 uint16 uint32 uint64 double-int decimal decimal128
    single-precision char base64url commonmark html http-date media-range google-datetime google-duration
    google-fieldmask sf-binary sf-boolean sf-decimal sf-integer sf-string sf-token string text date-time-local
    time-local unixtime unix-time timestamp`),
);

/** Keywords of older drafts, which mean nothing today (JSON Schema 2020-12, appendix). */
const OLD = new Set(['dependencies', 'divisibleBy', 'extends', 'disallow', 'optional']);
const withoutValues = new WeakSet<object>();

export const allowedNothing = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && withoutValues.has(schema);

/** Stands in a schema in place of a pattern that cannot be read: only its examples are known to fit. */
export const UNREAD_PATTERN = 'x-unread-pattern';

function repairPatterns(schema: Record<string, unknown>, pointer: string, notes: Notes): void {
  const { pattern, patternProperties } = schema;
  if (typeof pattern === 'string' && !notePattern(pattern, `${pointer}/pattern`, notes)) {
    delete schema['pattern'];
    schema[UNREAD_PATTERN] = pattern;
  }
  if (!isObject(patternProperties)) return;
  const at = `${pointer}/patternProperties`;
  const unread = Object.keys(patternProperties).filter(
    (name) => !notePattern(name, `${at}/${escapePointer(name)}`, notes),
  );
  for (const name of unread) Reflect.deleteProperty(patternProperties, name);
  // Which names are left over for these is not known.
  for (const rest of unread.length === 0 ? [] : ['additionalProperties', 'unevaluatedProperties']) {
    if (schema[rest] === undefined) continue;
    notes.add(`${pointer}/${rest}`, `${rest} depends on a pattern that is not checked; it is ignored.`);
    delete schema[rest];
  }
}

function notePattern(pattern: string, at: string, notes: Notes): boolean {
  const read = readContractPattern(pattern);
  const show = (text: string): string => shorten(text).replaceAll('\\\\', '\\');
  if (read === undefined && isTooLarge(pattern))
    notes.add(at, `the pattern ${show(pattern)} is too long, or has too many nested brackets; it is not checked.`);
  else if (read === undefined)
    notes.add(at, `pattern must be a regular expression of ECMA-262, not ${show(pattern)}; it is not checked.`);
  else if (read.isTranslated)
    notes.add(at, `the pattern ${show(pattern)} is not one of ECMA-262; it is read as ${show(read.source)}.`);
  return read !== undefined;
}

export type Contradiction = { name: string; pointer: string };

/** `additionalProperties: false` knows only properties beside it, not those of an `allOf` (Core 2020-12, 10.3.2.3). */
export function findContradiction(document: SourceDocument, pointer: string): Contradiction | undefined {
  const seen = new Set<string>();
  const has = ({ schema }: Part, name: string): boolean => Object.hasOwn(asObject(schema['properties']), name);
  const findIn = (pointers: readonly string[]): Contradiction | undefined => {
    const parts = pointers.flatMap((each) => listParts(each, document));
    const isObjects = parts.some(({ schema }) => schema['type'] === 'object');
    const isNullable = parts.some(({ schema }) => schema['nullable'] === true);
    if (!isObjects || isNullable || parts.every((part) => seen.has(part.pointer))) return undefined;
    for (const part of parts) seen.add(part.pointer);
    const required = parts.flatMap(({ schema }) => asList(schema['required']).flatMap((each) => asText(each) ?? []));
    for (const name of new Set(required)) {
      const own = parts
        .filter((part) => has(part, name))
        .map((part) => `${part.pointer}/properties/${escapePointer(name)}`);
      // What is write only need not be in an answer.
      if (own.some((at) => asObject(resolveAt(document, at).value)['writeOnly'] === true)) continue;
      const closed = parts.find((part) => {
        const { additionalProperties, patternProperties } = part.schema;
        return additionalProperties === false && patternProperties === undefined && !has(part, name);
      });
      const found = closed === undefined ? findIn(own) : { name, pointer: closed.pointer };
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return findIn([pointer]);
}

type Part = { pointer: string; schema: Readonly<Record<string, unknown>> };

function listParts(pointer: string, document: SourceDocument, known = new Set<string>()): Part[] {
  const { pointer: settled, value } = resolveAt(document, pointer);
  if (known.has(settled)) return [];
  known.add(settled);
  const schema = asObject(value);
  const below = listIn(schema, settled, ['allOf']).flatMap((part) => listParts(part, document, known));
  return [{ pointer: settled, schema }, ...below];
}
