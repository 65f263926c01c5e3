import type { Contract } from '../../contract/contract.js';
import { printJson } from '../../contract/document/json.js';
import { asList, asObject, asText } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import type { Content, Operation, Parameter, ResponseHeader, SecurityScheme } from '../../contract/model.js';
import { readDialect } from '../../contract/schemas/dialect.js';
import { listPlacedExamples } from '../../contract/schemas/examples.js';
import { mergeSchemas, type MergedSchema } from '../../contract/schemas/merged-schema.js';
import { cutExcerpt } from './describe-mock.js';

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
  isCut: boolean;
  /** Properties, the items of a list (`[]`), any other property (`*`), and alternatives (`or`). */
  below: { name: string; kind: Branch['kind']; required: boolean; schema: SchemaNode }[];
}

const DEPTH = 3;
const MOST_OF_TEXT = 2000;

/** What the contract says of one operation. The page has the types (`console/`). */
export function describeReference(operation: Operation, contract: Contract) {
  const { document } = contract;
  const { id, method, path, deprecated, sunset, successor, pointer, requestBody, responses } = operation;
  const describe = ({ pointer: at }: { pointer: string }): string | undefined => document.textAt(`${at}/description`);
  return {
    operationId: id,
    method,
    path: `${contract.basePath}${path}`,
    summary: document.textAt(`${pointer}/summary`),
    description: describe(operation),
    deprecated,
    sunset,
    successor,
    tags: asList(document.at(`${pointer}/tags`)).filter((tag) => typeof tag === 'string'),
    // Alternatives, each a combination of what is needed together.
    security: operation.security.map((needed, index) =>
      needed.map(({ name, kind, at }) => ({
        name,
        sent: SENT[kind](at),
        scopes: operation.scopes[index]?.[name] ?? [],
      })),
    ),
    parameters: operation.parameters.map((each) => describeField(each, each.in, contract)),
    body: requestBody && {
      required: requestBody.required,
      description: describe(requestBody),
      contents: requestBody.content.map((each) => describeContent(each, requestBody, contract)),
    },
    responses: responses.map((response) => ({
      status: response.status,
      description: describe(response),
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

function describeField(
  { name, required, pointer, schemaPointer }: Parameter | ResponseHeader,
  place: string,
  contract: Contract,
) {
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
) {
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

export function describeSchema(at: readonly string[], contract: Contract, depth = DEPTH): SchemaNode {
  const { document } = contract;
  const merged = mergeSchemas(document, readDialect(document.root), at);
  const { rules } = merged;
  const branches = listBranches(merged);
  const [pointer = ''] = at;
  const reference = asText(asObject(document.at(pointer))['$ref']) ?? pointer;
  const [, name] = /\/(?:schemas|definitions|\$defs)\/([^/]+)$/.exec(reference) ?? [];
  const example = rules['example'] ?? asList(rules['examples'])[0];
  const choices = [...asList(rules['enum']), ...(rules['const'] === undefined ? [] : [rules['const']])];
  return {
    at,
    name: at.length === 1 ? name : undefined,
    types: merged.types ?? [],
    description: asText(rules['description'])?.slice(0, MOST_OF_TEXT),
    limits: describeLimits(merged),
    choices: choices.map(print),
    default: rules['default'] === undefined ? undefined : print(rules['default']),
    example: example === undefined ? undefined : print(example).slice(0, MOST_OF_TEXT),
    marks: MARKS.filter((mark) => rules[mark] === true),
    line: document.placeOf(pointer).line,
    isCut: depth === 0 && branches.length > 0,
    below: (depth === 0 ? [] : branches).map((branch) => ({
      name: branch.name,
      kind: branch.kind,
      required: branch.kind === 'property' && merged.required.has(branch.name),
      schema: describeSchema(branch.at, contract, depth - 1),
    })),
  };
}

const MARKS = ['readOnly', 'writeOnly', 'deprecated', 'nullable', 'uniqueItems'];

type Branch = { name: string; kind: 'property' | 'items' | 'others' | 'alternative'; at: readonly string[] };

function listBranches(merged: MergedSchema): Branch[] {
  const { properties, items, prefixItems, patternProperties, additional = [], choices, rules } = merged;
  const says = rules['additionalProperties'];
  const hasOthers = additional.length > 0 && typeof says === 'object' && says !== null;
  return [
    ...[...properties].map(([name, at]): Branch => ({ name, kind: 'property', at })),
    ...patternProperties.map(([name, at]): Branch => ({ name, kind: 'others', at: [at] })),
    ...(hasOthers ? [{ name: '*', kind: 'others', at: additional } as const] : []),
    ...prefixItems.map((at, index): Branch => ({ name: `[${index}]`, kind: 'items', at: [at].flat() })),
    ...(items.length > 0 ? [{ name: '[]', kind: 'items', at: items } as const] : []),
    ...choices.flat().map((at): Branch => ({ name: 'or', kind: 'alternative', at: [at] })),
  ];
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

function print(value: unknown): string {
  return typeof value === 'string' ? value : printJson(value);
}
