import { define, asObject, isObject, defined, remember } from '../document/plain.js';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction, KeywordCxt, CodeKeywordDefinition } from 'ajv';
import { type OpenApiNode, IN_PLACE, listParts, HOW_SCHEMAS_HOLD } from '../document/openapi-nodes.js';
import { type SourceDocument, escapePointer, parsePointer, stepInto, type Notes } from '../document/document.js';
import { loadAjv, loadAjvFormats } from '../document/load-when-needed.js';
import {
  readDialect,
  relaxRequired,
  SOURCE_POINTER,
  translateSchema,
  type Dialect,
  addNull,
  addNullAlternative,
  allowsNull,
  type Mark,
  isAnnotation,
  isRule,
} from './dialect.js';
import { createContractPattern } from './pattern.js';
import { PetstoreMockError } from '../../errors.js';
import type { SchemaObject } from '../model.js';
import { pointerOf, referenceOf } from '../document/references.js';
import { createRequire } from 'node:module';
import {
  isMultipleOf,
  compareNumbers,
  isJsonNumber,
  isWhole,
  type JsonNumber,
  holdsExactNumber,
  INT64_MAX,
  INT64_MIN,
  printJson,
  sameJson,
  keyOfJson,
} from '../document/json.js';

export interface Compiler {
  ajv: Ajv2020;
  /** A schema that cannot be compiled allows anything, and a note says so. */
  compile(pointer: string): ValidateFunction;
}

/** The same for both unless properties are read-only or write-only. Made when needed: one takes seconds for 47 MB. */
export type Compilers = Readonly<Record<'requests' | 'answers', Compiler>>;

interface CompilersOptions {
  document: SourceDocument;
  nodes: readonly OpenApiNode[];
  notes: Notes;
  /** Keeps the code of what is compiled, so that it can be written to a file. Default: `false`. */
  source?: boolean;
}

type PreparedSchema = SchemaObject & { readonly [SOURCE_POINTER]: string };

export function createCompilers(options: CompilersOptions): Compilers {
  const prepared = prepareSchemas(options.nodes, readDialect(options.document.root));
  const schemas = listSchemas(prepared);
  const sideOf = remember((mark: Mark | undefined): Compiler => {
    if (mark === undefined) return createCompiler(prepared, schemas, options);
    const isMarked = schemas.some((schema) => schema[mark] === true);
    return isMarked ? createCompiler(relaxRequired(prepared, mark), schemas, options) : sideOf(undefined);
  });
  return {
    get requests() {
      return sideOf('readOnly');
    },
    get answers() {
      return sideOf('writeOnly');
    },
  };
}

function createCompiler(
  prepared: Record<string, unknown>,
  schemas: readonly PreparedSchema[],
  { document, notes, source = false }: CompilersOptions,
): Compiler {
  // The shipped contract is written to a file, and has no schema that contains itself.
  if (!source)
    limitWays(prepared, schemas, (schema) => {
      const at = schema[SOURCE_POINTER];
      notes.add(
        typeof at === 'string' ? at : '',
        'too many other schemas apply to one value here (allOf, oneOf, $ref); they are ignored.',
      );
    });
  const isCircular = !source && markCircles(prepared);
  const ajv = createAjv(prepared, schemas, source);
  const compile = remember((pointer: string) => {
    const validate = compileAt(ajv, document, pointer, notes);
    if (isCircular) bounded.add(validate);
    return validate;
  });
  return { ajv, compile };
}

const REG_EXP = Object.assign(createContractPattern, { code: 'createContractPattern' });

function createAjv(prepared: Record<string, unknown>, schemas: readonly PreparedSchema[], source: boolean): Ajv2020 {
  checkCodeGeneration();
  const { Ajv2020 } = loadAjv();
  const isInherited = (name: string): boolean => name in Object.prototype;
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    // Whatever is not a rule was left out, and noted, when the schemas were prepared.
    strict: false,
    validateSchema: false,
    // Checking for own properties costs half as much again, so it is done only where a property could be inherited.
    ownProperties: schemas.some(
      ({ properties, required }) =>
        Object.keys(properties ?? {}).some(isInherited) || (Array.isArray(required) && required.some(isInherited)),
    ),
    logger: false,
    // Large documents compile in a fifth of the time and the memory when each schema is a function of its own.
    inlineRefs: source,
    code: source
      ? { source }
      : {
          optimize: false,
          regExp: REG_EXP,
          process: (code) =>
            code.replaceAll(
              /vErrors === null \? ([\w.]+)\.errors : vErrors\.concat\(\1\.errors\)/g,
              'vErrors === null ? $1.errors : $1.errors.reduce((all, each) => (all.push(each), all), vErrors)',
            ),
        },
  });
  addFormats(ajv);
  // An unknown format is an annotation (JSON Schema 2020-12 validation, section 7.2.3).
  for (const format of new Set(schemas.map((schema) => schema['format']))) {
    if (typeof format === 'string' && ajv.formats[format] === undefined) ajv.addFormat(format, true);
  }
  ajv.addVocabulary([SOURCE_POINTER, 'discriminator']);
  ajv.addKeyword(createExactNumberKeyword());
  ajv.removeKeyword('uniqueItems').addKeyword(createUniqueItemsKeyword());
  const { _ } = loadAjv();
  const takeStep = (): void => {
    left -= 1;
    if (left < 0) throw new OutOfSteps();
  };
  const code = ({ gen }: KeywordCxt): void => {
    gen.code(_`${gen.scopeValue('func', { ref: takeStep })}()`);
  };
  ajv.addKeyword({ keyword: STEPS, before: '$ref', code });
  ajv.addSchema(prepared, PREPARED, false, false);
  return ajv;
}

function compileAt(ajv: Ajv2020, document: SourceDocument, pointer: string, notes: Notes): ValidateFunction {
  const schema = document.at(pointer);
  // A schema that allows everything or nothing has no place of its own among the prepared schemas.
  if (typeof schema !== 'object') return ajv.compile(schema !== false);
  try {
    return ajv.compile(referTo(pointer));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The one of these that Ajv throws is an overflow of the stack.
    const why = error instanceof RangeError ? 'what it refers to is nested too deeply' : error.message;
    notes.add(pointer, `this schema cannot be used: ${why}; any value is accepted there.`);
    return ajv.compile(true);
  }
}

/** Throws a {@link PetstoreMockError} if Node was told not to make code from text, which is how Ajv makes validators. */
export function checkCodeGeneration(): void {
  const { Ajv2020 } = loadAjv();
  try {
    new Ajv2020({ logger: false, meta: false, validateSchema: false }).compile({});
  } catch (error) {
    if (!(error instanceof EvalError)) throw error;
    throw new PetstoreMockError(
      'bad-option',
      'Node runs with --disallow-code-generation-from-strings. Under that flag petstore-mock can only serve the shipped contract; --spec, --check, petstore-conformance and admin calls with a body or parameters must compile validators first, so run them without it.',
    );
  }
}

/** JSON Schema 2020-12 whatever the document's version, with pointers into it, `exactNumber`, and nothing but rules. */
function prepareSchemas(nodes: readonly OpenApiNode[], dialect: Dialect): Record<string, unknown> {
  const prepared: Record<string, unknown> = {};
  const schemas = nodes
    .filter(({ type }) => type === 'Schema')
    .map((node) => ({ node, path: parsePointer(node.pointer) }));
  for (const { node, path } of schemas.sort((a, b) => a.path.length - b.path.length)) {
    if (asObject(path.reduce<unknown>(stepInto, prepared))[SOURCE_POINTER] !== undefined) continue;
    let at: unknown = prepared;
    for (const key of path.slice(0, -1)) {
      const below = stepInto(at, key);
      if (!isObject(below) && !Array.isArray(below)) define(at as object, key, {});
      at = stepInto(at, key);
    }
    define(at as object, path.at(-1) ?? '', prepareSchema(node.value, node.pointer, { dialect }));
  }
  return prepared;
}

const PREPARED = 'contract';
export const referTo = (pointer: string): { $ref: string } => ({ $ref: `${PREPARED}#${encodeURI(pointer)}` });

function listSchemas(node: unknown, found: PreparedSchema[] = []): PreparedSchema[] {
  if (typeof node !== 'object' || node === null) return found;
  for (const inside of Object.values(node)) listSchemas(inside, found);
  if (typeof (node as SchemaObject)[SOURCE_POINTER] === 'string') found.push(node as PreparedSchema);
  return found;
}

/** Not a rule, but kept: with it, a violation of several alternatives is reported as one of the alternative that was meant. */
const TELLING = 'discriminator';

/** One schema, ready for Ajv; `pointer` is where it stands. A part of one that null fits allows null as well. */
export function prepareSchema(
  schema: unknown,
  pointer: string,
  /** `keepsUnknown` keeps fields that are neither rule nor annotation, so that Ajv refuses them. Default: `false`. */
  by: { dialect: Dialect; keepsUnknown?: boolean },
  isOfNullable = false,
): unknown {
  if (!isObject(schema)) return schema;
  const isNullable = isOfNullable || allowsNull(schema, by.dialect);
  const translated = translateSchema(schema, by.dialect);
  const isKept = (name: string): boolean =>
    isRule(name) || (by.keepsUnknown === true ? !isAnnotation(name) : name === TELLING);
  const rules: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(isNullable ? addNull(translated) : translated)) {
    if (value === undefined || !isKept(name)) continue;
    const at = `${pointer}/${escapePointer(name)}`;
    const isPart = isNullable && name === 'allOf';
    rules[name] = mapKeyword(name, value, (part, below) => prepareSchema(part, at + below, by, isPart));
  }
  // Ajv sees what `if` evaluates only beside `then` (JSON Schema 2020-12 Core, section 10.2.2.1, for unevaluatedProperties).
  // oxlint-disable-next-line no-thenable -- a keyword of JSON Schema; nobody awaits a schema
  if (rules['if'] !== undefined) rules['then'] ??= rules['if'];
  const prepared = isNullable ? addNullAlternative(rules, pointer) : rules;
  const { rest, rules: exactNumber } = splitNumberRules(prepared) ?? { rest: prepared, rules: undefined };
  return { ...rest, ...defined({ exactNumber }), [SOURCE_POINTER]: pointer };
}

export function mapSubschemas(schema: SchemaObject, change: (part: unknown) => unknown): Record<string, unknown> {
  const changed = {};
  for (const [name, value] of Object.entries(schema)) define(changed, name, mapKeyword(name, value, change));
  return changed;
}

/** `change` gets each subschema, and its JSON Pointer below the keyword. */
function mapKeyword(name: string, value: unknown, change: (part: unknown, at: string) => unknown): unknown {
  const how = isRule(name) ? HOW_SCHEMAS_HOLD[name] : undefined;
  if (how === 'one' || how === 'one or list') return change(value, '');
  if (how === 'list' && Array.isArray(value)) return value.map((part, index) => change(part, `/${index}`));
  if (how !== 'map' || !isObject(value)) return value;
  const changed = {};
  for (const [key, part] of Object.entries(value)) define(changed, key, change(part, `/${escapePointer(key)}`));
  return changed;
}

/** A schema in two alternatives of its own judges 2^63 times for 600 bytes, so steps are limited by the value. */
const STEPS = 'steps';
const FREE_STEPS = 100_000;
const STEPS_PER_VALUE = 20;

class OutOfSteps extends Error {}

let left = Infinity;
const bounded = new WeakSet<ValidateFunction>();

/** Whether a value is valid; `undefined` if that takes more steps than its size justifies. */
export function validateWithinSteps(validate: ValidateFunction, value: unknown): boolean | undefined {
  if (!bounded.has(validate)) return validate(value);
  const countValues = (each: unknown): number =>
    typeof each !== 'object' || each === null
      ? 1
      : Object.values(each).reduce<number>((sum, inside) => sum + countValues(inside), 1);
  left = FREE_STEPS + STEPS_PER_VALUE * countValues(value);
  try {
    return validate(value);
  } catch (error) {
    // The only way out of generated code.
    if (error instanceof OutOfSteps) return undefined;
    throw error;
  } finally {
    left = Infinity;
  }
}

function targetIn(prepared: unknown, schema: object): unknown {
  const pointer = pointerOf(referenceOf(schema) ?? '');
  return pointer ? parsePointer(pointer).reduce<unknown>(stepInto, prepared) : undefined;
}

function markCircles(prepared: Record<string, unknown>): boolean {
  const done = new Set<unknown>();
  const above = new Set<unknown>();
  let isMarked = false;
  // Without recursion, since a chain of references may be longer than the stack.
  const open: { node: object; next: unknown[] }[] = [];
  const enter = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || done.has(node)) return;
    if (above.has(node)) {
      Object.assign(node, { [STEPS]: true });
      isMarked = true;
      return;
    }
    above.add(node);
    open.push({ node, next: [targetIn(prepared, node), ...Object.values(node)].reverse() });
  };
  enter(prepared);
  for (let step = open.at(-1); step !== undefined; step = open.at(-1)) {
    if (step.next.length > 0) {
      enter(step.next.pop());
      continue;
    }
    open.pop();
    above.delete(step.node);
    done.add(step.node);
  }
  return isMarked;
}

/** `S: {oneOf: [A, A]}`, `A: {oneOf: [B, B]}` and so on double at each level; a real document has some hundreds. */
const MOST_WAYS = 100_000;

function limitWays(
  prepared: Record<string, unknown>,
  schemas: readonly Record<string, unknown>[],
  onLimited: (schema: Record<string, unknown>) => void,
): void {
  const targetOf = (schema: object): unknown => targetIn(prepared, schema);
  const ways = new Map<Record<string, unknown>, number>();
  for (const start of schemas) {
    const open = [start];
    for (let schema = open.at(-1); schema !== undefined; schema = open.at(-1)) {
      const parts = ways.has(schema) ? [] : listParts(schema, { targetOf }).map(([, part]) => part);
      const next = parts.filter((part) => !ways.has(part));
      // There are no circles any more, but for what could not be cut.
      if (next.length > 0 && open.length <= schemas.length) {
        open.push(...next);
        continue;
      }
      open.pop();
      if (ways.has(schema)) continue;
      const sum = parts.reduce((total, part) => total + (ways.get(part) ?? 0), 1);
      ways.set(schema, sum > MOST_WAYS ? 1 : sum);
      if (sum <= MOST_WAYS) continue;
      onLimited(schema);
      for (const keyword of IN_PLACE) delete schema[keyword];
    }
  }
}

const EXACT_NUMBER_MODULE = 'exact-number';
const requireModule = createRequire(import.meta.url);

export function requireForValidators(name: string): unknown {
  if (name === UNIQUE_ITEMS_MODULE) return { findRepeated };
  return name === EXACT_NUMBER_MODULE ? { findBrokenRule } : requireModule(name);
}

export function createExactNumberKeyword(): CodeKeywordDefinition {
  const { _ } = loadAjv();
  return {
    keyword: 'exactNumber',
    error: {
      message: ({ params }) => _`"must be " + ${params['broken']}.expected`,
      params: ({ params }) => _`${params['broken']}`,
    },
    code(context: KeywordCxt) {
      const { gen, data, schemaValue: rules } = context;
      const code = _`require(${EXACT_NUMBER_MODULE}).findBrokenRule`;
      const find = gen.scopeValue('func', { ref: findBrokenRule, code });
      const found = gen.const('broken', _`${find}(${data}, ${rules})`);
      context.setParams({ broken: found });
      context.fail(_`${found} !== undefined`);
    },
  };
}

/** Ajv's keywords are not exact: `int64` accepts 1e300, 0.07 is no multiple of 0.01. So one of ours owns them all. */
export interface NumberRules {
  /** Only whole numbers; `1.0` and `1e2` are whole (JSON Schema 2020-12 validation, section 6.1.1). */
  integer: boolean;
  otherTypes?: string[];
  format?: keyof typeof RANGES;
  minimum?: JsonNumber;
  maximum?: JsonNumber;
  exclusiveMinimum?: JsonNumber;
  exclusiveMaximum?: JsonNumber;
  multipleOf?: JsonNumber;
  enum?: unknown[];
  const?: unknown;
}

type BrokenNumberRule = { rule: string; expected: string };

const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const;

/** Splits a schema into its numeric rules and the rest; `undefined` if it has none. */
export function splitNumberRules(schema: SchemaObject): { rules: NumberRules; rest: SchemaObject } | undefined {
  const types = [schema['type'] ?? []].flat();
  const isNumeric = types.includes('integer') || types.includes('number');
  // Also one of any type or of others that chooses among values with numbers that Ajv cannot hold.
  const isBare = schema['type'] === undefined && BOUNDS.some((name) => schema[name] !== undefined);
  if (!isNumeric && !isBare && !holdsExactNumber([schema['enum'], schema['const']])) return undefined;
  const { type, format, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, ...others } = schema;
  const { enum: values, const: constant, ...rest } = others;
  const given = { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, enum: values, const: constant };
  const isBounded = isNumeric && typeof format === 'string' && Object.hasOwn(RANGES, format);
  const rules = {
    integer: isNumeric && !types.includes('number'),
    ...(isNumeric ? { otherTypes: types.filter((name) => name !== 'integer' && name !== 'number') } : {}),
    ...(isBounded ? { format } : {}),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  } as NumberRules;
  // What is of another type is left to Ajv, and so is its format.
  const ofOthers = isNumeric ? {} : { type, format };
  const kept = Object.entries(ofOthers).filter(([, value]) => value !== undefined);
  return { rules, rest: { ...rest, ...Object.fromEntries(kept) } };
}

export function findBrokenRule(value: unknown, rules: NumberRules): BrokenNumberRule | undefined {
  if (isJsonNumber(value))
    return rules.integer && !isWhole(value) ? broken('type', 'an integer') : findBrokenBound(value, rules);
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  if (rules.otherTypes === undefined || rules.otherTypes.includes(type)) return findBrokenChoice(value, rules);
  const names = [rules.integer ? 'an integer' : 'a number', ...rules.otherTypes];
  return broken('type', names.join(' or '));
}

/** The formats of numbers that state a range (OpenAPI Format Registry). */
const RANGES = {
  int32: {
    holds: (value: JsonNumber) => isWithin(value, -2_147_483_648, 2_147_483_647),
    expected: 'an int32, -2147483648 to 2147483647',
  },
  int64: {
    // `<` between number and bigint compares the exact mathematical values, which is slow.
    holds: (value: JsonNumber) => Number.isSafeInteger(value) || isWithin(value, INT64_MIN, INT64_MAX),
    expected: `an int64, ${INT64_MIN} to ${INT64_MAX}`,
  },
  float: {
    holds: (value: JsonNumber) => Number.isFinite(Math.fround(Number(value))),
    expected: 'a float, -3.4028235e+38 to 3.4028235e+38',
  },
  double: {
    holds: (value: JsonNumber) => typeof value === 'number' || Number.isFinite(Number(value)),
    expected: `a double, ${-Number.MAX_VALUE} to ${Number.MAX_VALUE}`,
  },
};

const isWithin = (value: JsonNumber, least: JsonNumber, most: JsonNumber): boolean =>
  compareNumbers(value, least) >= 0 && compareNumbers(value, most) <= 0;

function findBrokenBound(value: JsonNumber, rules: NumberRules): BrokenNumberRule | undefined {
  const range = rules.format === undefined ? undefined : RANGES[rules.format];
  if (range?.holds(value) === false) return broken('format', range.expected);
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = rules;
  if (minimum !== undefined && compareNumbers(value, minimum) < 0)
    return broken('minimum', `at least ${String(minimum)}`);
  if (maximum !== undefined && compareNumbers(value, maximum) > 0)
    return broken('maximum', `at most ${String(maximum)}`);
  if (exclusiveMinimum !== undefined && compareNumbers(value, exclusiveMinimum) <= 0)
    return broken('exclusiveMinimum', `more than ${String(exclusiveMinimum)}`);
  if (exclusiveMaximum !== undefined && compareNumbers(value, exclusiveMaximum) >= 0)
    return broken('exclusiveMaximum', `less than ${String(exclusiveMaximum)}`);
  if (multipleOf !== undefined && !isMultipleOf(value, multipleOf))
    return broken('multipleOf', `a multiple of ${String(multipleOf)}`);
  return findBrokenChoice(value, rules);
}

function findBrokenChoice(value: unknown, rules: NumberRules): BrokenNumberRule | undefined {
  if (rules.enum !== undefined && !rules.enum.includes(value) && !rules.enum.some((each) => sameJson(each, value)))
    return broken('enum', `one of ${rules.enum.map(printJson).join(', ')}`);
  if ('const' in rules && !sameJson(rules.const, value)) return broken('const', printJson(rules.const));
  return undefined;
}

const broken = (rule: string, expected: string): BrokenNumberRule => ({ rule, expected });

/** The places of two equal items of a list; `undefined` if it has none. Takes time in proportion to the list's length. */
export function findRepeated(list: readonly unknown[]): { i: number; j: number } | undefined {
  const places = new Map<unknown, number>();
  for (const [i, item] of list.entries()) {
    const key = keyOfJson(item);
    const j = places.get(key);
    if (j !== undefined) return { i, j };
    places.set(key, i);
  }
  return undefined;
}

const UNIQUE_ITEMS_MODULE = 'unique-items';

/** JSON Schema Validation 2020-12 section 6.4.3; Ajv's compares every item with every other one. */
export function createUniqueItemsKeyword(): CodeKeywordDefinition {
  const { _ } = loadAjv();
  return {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must not have equal items', params: ({ params }) => _`${params['found']}` },
    code(context: KeywordCxt) {
      const { gen, data, schema } = context;
      if (schema !== true) return;
      const code = _`require(${UNIQUE_ITEMS_MODULE}).findRepeated`;
      const find = gen.scopeValue('func', { ref: findRepeated, code });
      const found = gen.const('repeated', _`${find}(${data})`);
      context.setParams({ found });
      context.fail(_`${found} !== undefined`);
    },
  };
}

/** Without `url` of `ajv-formats`, which takes hours for a megabyte: here it is what browsers take (WHATWG URL). */
export function addFormats(ajv: Ajv2020): void {
  loadAjvFormats()(ajv);
  ajv.addFormat('url', (text: string) => /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text));
}
