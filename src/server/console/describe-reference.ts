import type { Contract } from '../../contract/contract.js';
import { printJson } from '../../contract/document/json.js';
import { asList, asObject, asText } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import type { Content, Operation, Parameter, ResponseHeader, SecurityScheme } from '../../contract/model.js';
import { readDialect } from '../../contract/schemas/dialect.js';
import { listPlacedExamples } from '../../contract/schemas/examples.js';
import { mergeSchemas, type MergedSchema } from '../../contract/schemas/merged-schema.js';
import { cutExcerpt, type Excerpt } from './describe-mock.js';

interface Reference {
  operationId: string;
  method: string;
  path: string;
  summary: string | undefined;
  description: string | undefined;
  deprecated: boolean;
  sunset: string | undefined;
  successor: string | undefined;
  tags: string[];
  security: NeededScheme[][];
  parameters: ReferenceField[];
  body: { required: boolean; description: string | undefined; contents: ReferenceContent[] } | undefined;
  responses: ReferenceResponse[];
  excerpt: Excerpt | undefined;
}

interface NeededScheme {
  name: string;
  sent: string;
  scopes: readonly string[];
}

interface ReferenceField {
  name: string;
  in: string;
  required: boolean;
  deprecated: boolean;
  description: string | undefined;
  line: number | undefined;
  schema: SchemaNode | undefined;
}

interface ReferenceContent {
  mediaType: string;
  schema: SchemaNode | undefined;
  examples: { name: string; text: string }[];
}

interface ReferenceResponse {
  status: string;
  description: string | undefined;
  line: number | undefined;
  headers: ReferenceField[];
  contents: ReferenceContent[];
}

/** A schema as a tree, as deep as {@link DEPTH}; what is below is asked for. */
export interface SchemaNode {
  /** JSON Pointers to the schemas that it is made of, to ask for what is below. */
  at: readonly string[];
  /** The last word of its reference: `Pet`. */
  name: string | undefined;
  types: readonly string[];
  description: string | undefined;
  /** What else a value must keep, in words: `1 to 100`, `matches ^a`. */
  limits: string[];
  /** The only values, as JSON. */
  choices: string[];
  default: string | undefined;
  example: string | undefined;
  marks: string[];
  line: number | undefined;
  /** Whether there is more below than is here. */
  isCut: boolean;
  below: SchemaBranch[];
}

interface SchemaBranch {
  name: string;
  kind: 'property' | 'items' | 'others' | 'alternative';
  required: boolean;
  schema: SchemaNode;
}

const DEPTH = 3;
const MOST_OF_TEXT = 2000;

export function describeReference(operation: Operation, contract: Contract): Reference {
  const { document } = contract;
  const { id, method, path, deprecated, sunset, successor, pointer, requestBody, responses } = operation;
  return {
    operationId: id,
    method,
    path: `${contract.basePath}${path}`,
    summary: document.textAt(`${pointer}/summary`),
    description: document.textAt(`${pointer}/description`),
    deprecated,
    sunset,
    successor,
    tags: asList(document.at(`${pointer}/tags`)).filter((tag) => typeof tag === 'string'),
    security: operation.security.map((needed, index) =>
      needed.map((scheme) => describeScheme(scheme, operation, index)),
    ),
    parameters: operation.parameters.map((each) => describeField(each, each.in, contract)),
    body:
      requestBody === undefined
        ? undefined
        : {
            required: requestBody.required,
            description: document.textAt(`${requestBody.pointer}/description`),
            contents: requestBody.content.map((each) => describeContent(each, requestBody, contract)),
          },
    responses: responses.map((response) => ({
      status: response.status,
      description: document.textAt(`${response.pointer}/description`),
      line: document.placeOf(response.pointer).line,
      headers: response.headers.map((each) => describeField(each, 'header', contract)),
      contents: response.content.map((each) => describeContent(each, response, contract)),
    })),
    excerpt: cutExcerpt(document.placeOf(pointer), contract),
  };
}

const SENT: Readonly<Record<SecurityScheme['kind'], (at: string) => string>> = {
  bearer: () => 'Authorization: Bearer …',
  basic: () => 'Authorization: Basic …',
  word: (at) => `Authorization: ${at} …`,
  header: (at) => `${at}: …`,
  query: (at) => `?${at}=…`,
  cookie: (at) => `Cookie: ${at}=…`,
};

function describeScheme({ name, kind, at }: SecurityScheme, { scopes }: Operation, index: number): NeededScheme {
  return { name, sent: SENT[kind](at), scopes: scopes[index]?.[name] ?? [] };
}

function describeField(
  { name, required, pointer, schemaPointer }: Parameter | ResponseHeader,
  place: string,
  contract: Contract,
): ReferenceField {
  const stated = asObject(resolveAt(contract.document, pointer).value);
  return {
    name,
    in: place,
    required,
    deprecated: stated['deprecated'] === true,
    description: asText(stated['description']),
    line: contract.document.placeOf(pointer).line,
    schema: schemaPointer === undefined ? undefined : describeSchema([schemaPointer], contract),
  };
}

function describeContent(
  { mediaType, schemaPointer, itemPointer }: Content,
  of: { pointer: string },
  contract: Contract,
): ReferenceContent {
  const at = schemaPointer ?? itemPointer;
  const examples = listPlacedExamples(contract.document, of, { mediaType, name: undefined });
  return {
    mediaType,
    schema: at === undefined ? undefined : describeSchema([at], contract),
    examples: examples.map(({ value, pointer, text }) => ({
      name: /\/examples\/([^/]+)$/.exec(pointer)?.[1] ?? '',
      text: text ?? (typeof value === 'string' ? value : printJson(value)),
    })),
  };
}

/** The schema that several make together, down to a depth. */
export function describeSchema(at: readonly string[], contract: Contract, depth = DEPTH): SchemaNode {
  const { document } = contract;
  const merged = mergeSchemas(document, readDialect(document.root), at);
  const { rules } = merged;
  const branches = depth === 0 ? [] : listBranches(merged);
  const choices = [...asList(rules['enum']), ...(rules['const'] === undefined ? [] : [rules['const']])];
  return {
    at,
    name: nameSchema(at, contract),
    types: merged.types ?? [],
    description: asText(rules['description'])?.slice(0, MOST_OF_TEXT),
    limits: describeLimits(merged),
    choices: choices.map(print),
    default: rules['default'] === undefined ? undefined : print(rules['default']),
    example: showExample(rules),
    marks: MARKS.filter((mark) => rules[mark] === true),
    line: document.placeOf(at[0] ?? '').line,
    isCut: depth === 0 && listBranches(merged).length > 0,
    below: branches.map(({ name, kind, required, at: inner }) => ({
      name,
      kind,
      required,
      schema: describeSchema(inner, contract, depth - 1),
    })),
  };
}

const MARKS = ['readOnly', 'writeOnly', 'deprecated', 'nullable', 'uniqueItems'];

function listBranches(merged: MergedSchema): (Omit<SchemaBranch, 'schema'> & { at: readonly string[] })[] {
  const { properties, required, items, prefixItems, patternProperties, additional, choices, rules } = merged;
  const says = rules['additionalProperties'];
  const hasOthers = additional !== undefined && additional.length > 0 && typeof says === 'object' && says !== null;
  return [
    ...[...properties].map(([name, at]) => ({ name, kind: 'property' as const, required: required.has(name), at })),
    ...patternProperties.map(([pattern, at]) => ({
      name: pattern,
      kind: 'others' as const,
      required: false,
      at: [at],
    })),
    ...(hasOthers ? [{ name: '*', kind: 'others' as const, required: false, at: additional }] : []),
    ...prefixItems.map((at, index) => ({ name: `[${index}]`, kind: 'items' as const, required: false, at })),
    ...(items.length > 0 ? [{ name: '[]', kind: 'items' as const, required: false, at: items }] : []),
    ...choices.flat().map((at) => ({ name: 'or', kind: 'alternative' as const, required: false, at: [at] })),
  ];
}

function nameSchema(at: readonly string[], { document }: Contract): string | undefined {
  const [pointer = ''] = at;
  const reference = asText(asObject(document.at(pointer))['$ref']);
  const [, name] = /\/(?:schemas|definitions|\$defs)\/([^/]+)$/.exec(reference ?? pointer) ?? [];
  return at.length === 1 ? name : undefined;
}

const BOUNDS = [
  ['minimum', 'maximum', ''],
  ['minLength', 'maxLength', ' characters'],
  ['minItems', 'maxItems', ' items'],
  ['minProperties', 'maxProperties', ' properties'],
] as const;

function describeLimits({ rules, patterns }: MergedSchema): string[] {
  const bounds = BOUNDS.flatMap(([least, most, unit]) => {
    const [from, to] = [rules[least], rules[most]];
    if (from === undefined && to === undefined) return [];
    const range =
      to === undefined
        ? `at least ${print(from)}`
        : from === undefined
          ? `at most ${print(to)}`
          : `${print(from)} to ${print(to)}`;
    return [`${range}${unit}`];
  });
  const one = (name: string, say: (value: string) => string): string[] =>
    rules[name] === undefined || typeof rules[name] === 'boolean' ? [] : [say(print(rules[name]))];
  return [
    ...(typeof rules['format'] === 'string' ? [rules['format']] : []),
    ...bounds,
    ...one('exclusiveMinimum', (value) => `more than ${value}`),
    ...one('exclusiveMaximum', (value) => `less than ${value}`),
    ...one('multipleOf', (value) => `a multiple of ${value}`),
    ...patterns.map((pattern) => `matches ${pattern}`),
    ...(rules['additionalProperties'] === false ? ['no other properties'] : []),
  ];
}

function showExample({ example, examples }: MergedSchema['rules']): string | undefined {
  const [first] = asList(examples);
  const shown = example ?? first;
  return shown === undefined ? undefined : print(shown).slice(0, MOST_OF_TEXT);
}

function print(value: unknown): string {
  return typeof value === 'string' ? value : printJson(value);
}
