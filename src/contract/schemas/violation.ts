import type { ErrorObject } from 'ajv';
import type { SourcePlace } from '../../errors.js';
import { escapePointer, type SourceDocument, readOnce } from '../document/document.js';
import {
  COMPOSITIONS,
  listIn,
  splitPointer,
  showPointer,
  pointerOf,
  referenceOf,
  resolveAt,
} from '../document/references.js';
import { printJson, shorten } from '../document/json.js';
import { asObject, asList, groupBy, remember } from '../document/plain.js';
import { SOURCE_POINTER } from './dialect.js';

export type MessagePart = 'path' | 'query' | 'header' | 'cookie' | 'body' | 'status';

/** One thing in a request or a response that breaks the contract. */
export interface Violation {
  /** Part and JSON Pointer (RFC 6901) in one: `body/categoryId`, `query/limit`. */
  at: string;
  part: MessagePart;
  /** JSON Pointer into the part: `/categoryId`; `''` for the whole of it. */
  pointer: string;
  rule: string;
  /** What the contract requires, in words. */
  expected: string;
  /** What was found, as JSON, shortened. */
  actual: string;
  /** The whole as a sentence without a full stop: `body/categoryId is required`. */
  message: string;
  contract: ContractPlace;
  /** How many more of the same kind the message has, which are not listed; absent if there are none. */
  more?: number;
}

export interface ContractPlace extends SourcePlace {
  /** JSON Pointer into the file. */
  pointer: string;
}

export function createViolation(
  document: SourceDocument,
  { contractPointer, ...broken }: Omit<Violation, 'at' | 'contract' | 'more'> & { contractPointer: string },
): Violation {
  return { at: `${broken.part}${broken.pointer}`, ...broken, contract: placeIn(document, contractPointer) };
}

export function placeIn(document: SourceDocument, pointer: string): ContractPlace {
  return { ...document.placeOf(pointer), pointer: splitPointer(pointer).within };
}

/** How many errors of one rule are listed, since a list of thousands may break it as often. */
const MOST_ALIKE = 20;

export function collectErrors(document: SourceDocument): {
  /** `from` is how many items of a list stand before those that were validated. */
  add(errors: readonly ErrorObject[], from?: number): void;
  translate(at: { part: MessagePart; pointer: string }): Violation[];
} {
  const kept: ErrorObject[] = [];
  const counts = new Map<string, number>();
  const lasts = new Map<ErrorObject, string>();
  // What of an alternative is for null alone, and what only repeats others, says nothing.
  const saysNothing = ({ keyword, schema, schemaPath }: ErrorObject): boolean =>
    keyword === 'if' ||
    keyword === 'propertyNames' ||
    (schema === 'null' && /\/(?:anyOf|oneOf)\/\d+\/type$/.test(schemaPath));
  return {
    add(errors, from = 0) {
      const telling = errors.filter((error) => !saysNothing(error));
      const reported = reportByDiscriminator(telling, document);
      for (const error of reported.length > 0 ? reported : errors) {
        const rule = `${error.schemaPath} ${missingIn(error)}`;
        const count = (counts.get(rule) ?? 0) + 1;
        counts.set(rule, count);
        if (count > MOST_ALIKE) continue;
        if (count === MOST_ALIKE) lasts.set(error, rule);
        if (from > 0)
          error.instancePath = error.instancePath.replace(/^\/(\d+)/, (_, index: string) => `/${Number(index) + from}`);
        kept.push(error);
      }
    },
    translate: ({ part, pointer: outer }) =>
      kept.map((error) => {
        const { rule, at, expected, actual } = translateFinding(error);
        const pointer = outer + at;
        const where = `${part}${pointer}`;
        const message = rule === 'required' ? `${where} is required` : `${where} must be ${expected}, but is ${actual}`;
        const source = error.parentSchema?.[SOURCE_POINTER] as unknown;
        const contractPointer = typeof source === 'string' ? `${source}/${escapePointer(rule)}` : '';
        const found = { part, pointer, rule, expected, actual, message, contractPointer };
        const more = (counts.get(lasts.get(error) ?? '') ?? 0) - MOST_ALIKE;
        return Object.assign(createViolation(document, found), more > 0 ? { more } : {});
      }),
  };
}

function missingIn({ params }: ErrorObject): string {
  return String((params as { missingProperty?: string }).missingProperty);
}

export function describeViolation({ message, more }: Violation): string {
  return more === undefined ? message : `${message} (and ${more} more of this kind)`;
}

/** What one of Ajv's errors says, independently of any document: the rule, where in the value, what was expected and found. */
export function translateFinding(error: ErrorObject): { rule: string; at: string; expected: string; actual: string } {
  const params = error.params as Record<string, unknown>;
  const rule = typeof params['rule'] === 'string' ? params['rule'] : error.keyword;
  const undefinedName = {
    additionalProperties: params['additionalProperty'],
    unevaluatedProperties: params['unevaluatedProperty'],
  }[error.keyword];
  const name = error.keyword === 'required' ? params['missingProperty'] : undefinedName;
  const shown: unknown = typeof undefinedName === 'string' ? asObject(error.data)[undefinedName] : error.data;
  const described = DESCRIPTIONS[error.keyword]?.(params) ?? (error.message ?? error.keyword).replace(/^must be /, '');
  return {
    rule,
    at: error.instancePath + (typeof name === 'string' ? `/${escapePointer(name)}` : ''),
    expected: error.propertyName === undefined ? described : `an object of which each name is ${described}`,
    actual: rule === 'required' ? 'nothing' : shorten(shown),
  };
}

const UNDEFINED = ['additionalProperties', 'unevaluatedProperties'];
const DESCRIPTIONS: Record<string, (params: Record<string, unknown>) => string> = {
  required: () => 'present',
  type: ({ type }) =>
    [type]
      .flat()
      .map((name) => (name === 'null' ? 'null' : `${/^[aeio]/.test(String(name)) ? 'an' : 'a'} ${String(name)}`))
      .join(' or '),
  enum: ({ allowedValues }) => `one of ${(allowedValues as unknown[]).map(printJson).join(', ')}`,
  const: ({ allowedValue }) => printJson(allowedValue),
  exactNumber: ({ expected }) => String(expected),
  minimum: ({ limit }) => `at least ${String(limit)}`,
  maximum: ({ limit }) => `at most ${String(limit)}`,
  minLength: ({ limit }) => `at least ${String(limit)} characters long`,
  maxLength: ({ limit }) => `at most ${String(limit)} characters long`,
  minItems: ({ limit }) => `an array of at least ${String(limit)} items`,
  maxItems: ({ limit }) => `an array of at most ${String(limit)} items`,
  uniqueItems: () => 'an array without equal items',
  contains: ({ minContains }) => `an array with at least ${String(minContains)} of the items that it must contain`,
  minProperties: ({ limit }) => `an object of at least ${String(limit)} fields`,
  maxProperties: ({ limit }) => `an object of at most ${String(limit)} fields`,
  dependentRequired: ({ property, missingProperty }) =>
    `an object that has ${String(missingProperty)} if it has ${String(property)}`,
  pattern: ({ pattern }) => `a text that matches ${String(pattern)}`,
  format: ({ format }) => `a valid ${String(format)}`,
  oneOf: ({ passingSchemas }) =>
    passingSchemas === null
      ? 'a value that one of its alternatives describes'
      : 'a value that exactly one of its alternatives describes',
  anyOf: () => 'a value that one of its alternatives describes',
  not: () => 'something else',
  ...Object.fromEntries(UNDEFINED.map((name) => [name, () => 'absent, since the contract does not define it'])),
};

type Alternative = { parts: ReadonlySet<string>; names: string[] };

/** One violation for the alternative that a discriminator names (OpenAPI 3.1.1, Discriminator Object). */
function reportByDiscriminator(errors: readonly ErrorObject[], document: SourceDocument): ErrorObject[] {
  const reported: ErrorObject[] = [];
  for (const error of errors) {
    const { keyword, parentSchema, instancePath } = error;
    if ((keyword !== 'oneOf' && keyword !== 'anyOf') || parentSchema?.['discriminator'] === undefined) {
      reported.push(error);
      continue;
    }
    // Ajv reports what is wrong inside the alternatives right before them, so no error is looked at for each of a list.
    let start = reported.length;
    while (start > 0 && reported[start - 1]?.instancePath.startsWith(instancePath) === true) start -= 1;
    for (const each of reportChosen([...reported.splice(start), error], error, document)) reported.push(each);
  }
  return reported;
}

function reportChosen(errors: ErrorObject[], error: ErrorObject, document: SourceDocument): ErrorObject[] {
  const { parentSchema = {}, keyword, data } = error;
  const { propertyName, mapping } = asObject(parentSchema['discriminator']);
  const alternatives = readAlternatives(
    asList(parentSchema[keyword]).filter((each) => asObject(each)['type'] !== 'null'),
    asObject(mapping),
    document,
  );
  if (typeof propertyName !== 'string' || alternatives === undefined) return errors;
  const name = asObject(data)[propertyName];
  const chosen = alternatives.find(({ names }) => names.some((each) => each === name));
  const isOfAnother = (other: ErrorObject): boolean =>
    other.instancePath.startsWith(error.instancePath) &&
    alternatives.some((each) => each !== chosen && isBelow(other, each)) &&
    !(chosen !== undefined && isBelow(other, chosen));
  // What several alternatives refer to is validated in each of them.
  const own = errors.filter((other) => other !== error && !isOfAnother(other));
  const byRule = groupBy(own, (each) =>
    [each.instancePath, each.keyword, missingIn(each), String(each.parentSchema?.[SOURCE_POINTER])].join('\n'),
  );
  const left = [...byRule.values()].flatMap(([first]) => first ?? []);
  if (chosen !== undefined && left.some((other) => isBelow(other, chosen))) return left;
  if (chosen !== undefined) return [...left, error];
  if (name === undefined)
    return [...left, { ...error, keyword: 'required', params: { missingProperty: propertyName } }];
  const instancePath = `${error.instancePath}/${escapePointer(propertyName)}`;
  const params = { allowedValues: alternatives.flatMap((each) => each.names) };
  return [...left, { ...error, keyword: 'enum', instancePath, data: name, params }];
}

function readAlternatives(
  list: readonly unknown[],
  mapping: Record<string, unknown>,
  document: SourceDocument,
): Alternative[] | undefined {
  const pointers = list.map((schema) => pointerOf(referenceOf(schema) ?? '') ?? '');
  if (pointers.includes('')) return undefined;
  return pointers.map((pointer) => {
    const shown = showPointer(pointer).replace(/#$/, '');
    // A mapping names a schema by its bare name, or as a reference would.
    const isNamed = (target: string): boolean => {
      const reference = target.replace(/^\.\//, '');
      if (pointer.endsWith(`/schemas/${escapePointer(target)}`)) return true;
      // Only a whole name counts: `bobcat.yaml` does not end with the name `cat.yaml`.
      return shown === reference || shown.endsWith(reference.startsWith('#') ? reference : `/${reference}`);
    };
    const mapped = Object.keys(mapping).filter((name) => typeof mapping[name] === 'string' && isNamed(mapping[name]));
    const names = mapped.length > 0 ? mapped : [pointer.split('/').at(-1) ?? ''];
    return { parts: partsOf(document)(JSON.stringify([pointer, ...pointers])), names };
  });
}

function isBelow({ parentSchema }: ErrorObject, { parts }: Alternative): boolean {
  const source = parentSchema?.[SOURCE_POINTER] as unknown;
  if (typeof source !== 'string') return false;
  return [...parts].some((part) => source === part || source.startsWith(`${part}/`));
}

const MOST_PARTS = 200;

/** Of an alternative and all of them: without the others, to which it may refer by a schema that they share. */
const partsOf = readOnce((document: SourceDocument) =>
  remember((names: string): ReadonlySet<string> => {
    const [pointer = '', ...alternatives] = JSON.parse(names) as string[];
    const parts = new Set([pointer]);
    const addReferences = (value: unknown): void => {
      const target = pointerOf(referenceOf(value) ?? '') ?? '';
      if (target !== '' && !alternatives.includes(target)) parts.add(target);
      if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) addReferences(each);
    };
    for (const part of parts) if (parts.size < MOST_PARTS) addReferences(document.at(part));
    return parts;
  }),
);

/** The properties that tell alternatives apart, in a schema and in the schemas that it consists of. */
export function listDiscriminators(document: SourceDocument, at: string, visited = new Set<string>()): string[] {
  const { value, pointer } = resolveAt(document, at);
  if (visited.has(pointer)) return [];
  visited.add(pointer);
  const schema = asObject(value);
  const { propertyName } = asObject(schema['discriminator']);
  const inside = listIn(schema, pointer, COMPOSITIONS).flatMap((part) => listDiscriminators(document, part, visited));
  return [...(typeof propertyName === 'string' ? [propertyName] : []), ...inside];
}
