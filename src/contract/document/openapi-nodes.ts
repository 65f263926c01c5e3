import type { Notes } from './notes.js';
import { asList, asObject, isObject, splitList } from './plain.js';
import { COMPOSITIONS, referenceOf } from './references.js';
import { escapePointer } from './document.js';

export type NodeType =
  | 'Document'
  | 'Swagger'
  | 'Components'
  | 'Paths'
  | 'PathItem'
  | 'Operation'
  | 'Parameter'
  | 'RequestBody'
  | 'Responses'
  | 'Response'
  | 'Header'
  | 'MediaType'
  | 'Encoding'
  | 'Callback'
  | 'Schema'
  | 'Example'
  | 'Link'
  | 'SecurityScheme';

type Field = readonly [how: 'one' | 'list' | 'map' | 'one or list', type: NodeType];

const CONTENT: Field = ['map', 'MediaType'];
const SCHEMA: Field = ['one', 'Schema'];
const NAMED_SCHEMAS: Field = ['map', 'Schema'];
const PARAMETERS: Field = ['list', 'Parameter'];
const fieldsOf = (field: Field, names: string): Record<string, Field> =>
  Object.fromEntries(splitList(names).map((name) => [name, field]));
const DESCRIBED_VALUE = { schema: SCHEMA, content: CONTENT, examples: ['map', 'Example'] } as const;

/** Fields that hold nodes in OpenAPI 3.0.4, 3.1.1 and 3.2.0, and schemas in JSON Schema 2020-12; all else is data. */
const SHAPES: Readonly<Record<NodeType, Readonly<Record<string, Field>>>> = {
  Document: { paths: ['one', 'Paths'], webhooks: ['map', 'PathItem'], components: ['one', 'Components'] },
  // Swagger 2.0, whose parts have the names of other kinds; a response has a schema of its own.
  Swagger: {
    paths: ['one', 'Paths'],
    definitions: NAMED_SCHEMAS,
    parameters: ['map', 'Parameter'],
    responses: ['map', 'Response'],
  },
  Components: {
    schemas: NAMED_SCHEMAS,
    responses: ['map', 'Response'],
    parameters: ['map', 'Parameter'],
    examples: ['map', 'Example'],
    requestBodies: ['map', 'RequestBody'],
    headers: ['map', 'Header'],
    securitySchemes: ['map', 'SecurityScheme'],
    links: ['map', 'Link'],
    callbacks: ['map', 'Callback'],
    pathItems: ['map', 'PathItem'],
    mediaTypes: CONTENT,
  },
  Paths: {},
  PathItem: {
    ...fieldsOf(['one', 'Operation'], 'get put post delete options head patch trace query'),
    additionalOperations: ['map', 'Operation'],
    parameters: PARAMETERS,
  },
  Operation: {
    parameters: PARAMETERS,
    requestBody: ['one', 'RequestBody'],
    responses: ['one', 'Responses'],
    callbacks: ['map', 'Callback'],
  },
  Parameter: DESCRIBED_VALUE,
  RequestBody: { content: CONTENT },
  Responses: {},
  Response: { schema: SCHEMA, headers: ['map', 'Header'], content: CONTENT, links: ['map', 'Link'] },
  Header: DESCRIBED_VALUE,
  MediaType: {
    schema: SCHEMA,
    itemSchema: SCHEMA,
    examples: ['map', 'Example'],
    encoding: ['map', 'Encoding'],
    itemEncoding: ['one', 'Encoding'],
    prefixEncoding: ['list', 'Encoding'],
  },
  Encoding: { headers: ['map', 'Header'] },
  Callback: {},
  Schema: {
    items: ['one or list', 'Schema'],
    ...fieldsOf(
      SCHEMA,
      `additionalItems additionalProperties unevaluatedItems unevaluatedProperties not if then else contains
        propertyNames contentSchema`,
    ),
    ...fieldsOf(['list', 'Schema'], 'allOf anyOf oneOf prefixItems'),
    ...fieldsOf(NAMED_SCHEMAS, 'properties patternProperties dependentSchemas $defs definitions'),
  },
  Example: {},
  Link: {},
  SecurityScheme: {},
};

/** How each keyword of a schema holds schemas. */
export const HOW_SCHEMAS_HOLD: Readonly<Record<string, Field[0]>> = Object.fromEntries(
  Object.entries(SHAPES.Schema).map(([name, [how]]) => [name, how]),
);

/** Maps with arbitrary names, of which those that begin with x- are extensions (OpenAPI 3.1.1, Specification Extensions). */
const MAPS: Partial<Record<NodeType, NodeType>> = { Paths: 'PathItem', Responses: 'Response', Callback: 'PathItem' };

export interface OpenApiNode {
  type: NodeType;
  value: object;
  pointer: string;
  /** The kind of the node above it; for a node that only a reference leads to, the kind of the referring node. */
  above: NodeType | undefined;
}

/** The nodes directly below a node. Values that are not objects are skipped. */
export function listNodesBelow({ type: above, value, pointer }: Omit<OpenApiNode, 'above'>): OpenApiNode[] {
  const ofMap = MAPS[above];
  const node = (type: NodeType, each: unknown, ...steps: string[]): OpenApiNode[] => {
    const at = pointer + steps.map((step) => `/${escapePointer(step)}`).join('');
    return isObject(each) ? [{ type, value: each, pointer: at, above }] : [];
  };
  return Object.entries(value).flatMap(([key, inside]: [string, unknown]) => {
    const [how, type] = (Object.hasOwn(SHAPES[above], key) ? SHAPES[above][key] : undefined) ?? [];
    if (type === undefined) return ofMap === undefined || key.startsWith('x-') ? [] : node(ofMap, inside, key);
    if (Array.isArray(inside) ? how === 'list' || how === 'one or list' : how === 'map' && isObject(inside))
      return Object.entries(inside as object).flatMap(([name, each]) => node(type, each, key, name));
    return how === 'list' ? [] : node(type, inside, key);
  });
}

type Schema = Record<string, unknown>;

interface Step {
  schema: Schema;
  parts: readonly (readonly [keyword: string, part: Schema])[];
  next: number;
}

/** The keywords by which a schema says something of the same value by others. */
export const IN_PLACE = ['$ref', ...COMPOSITIONS, 'not', 'if', 'then', 'else', 'dependentSchemas'];
const ALTERNATIVES = ['anyOf', 'oneOf'];

interface CutOptions {
  targetOf: (schema: object) => unknown;
  notes: Notes;
}

/** Cuts `$ref`s by which schemas contain themselves for one value (JSON Schema 2020-12 Core, section 9.4.1). */
export function cutCircles(nodes: readonly OpenApiNode[], options: CutOptions): boolean {
  const schemas = nodes.filter(({ type }) => type === 'Schema');
  const cut = new Set<Schema>();
  let before = -1;
  // What replaces a reference may be in another circle.
  while (cut.size > before) {
    before = cut.size;
    const done = new Set<Schema>();
    for (const { value } of schemas) {
      searchFrom(value as Schema, done, options, (circle) => cutOne(circle, cut, schemas, options));
    }
  }
  return cut.size > 0;
}

function searchFrom(start: Schema, done: Set<Schema>, options: CutOptions, onCircle: (circle: Step[]) => void): void {
  if (done.has(start)) return;
  const open = new Map<Schema, number>();
  const steps: Step[] = [];
  const enter = (schema: Schema): void => {
    open.set(schema, steps.length);
    steps.push({ schema, parts: listParts(schema, options), next: 0 });
  };
  enter(start);
  for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
    const part = step.parts[step.next]?.[1];
    if (part === undefined) {
      steps.pop();
      open.delete(step.schema);
      done.add(step.schema);
      const above = steps.at(-1);
      if (above !== undefined) above.next += 1;
      continue;
    }
    const at = open.get(part);
    if (at === undefined && !done.has(part)) {
      enter(part);
      continue;
    }
    if (at !== undefined) onCircle(steps.slice(at));
    step.next += 1;
  }
}

export function listParts(schema: Schema, { targetOf }: Pick<CutOptions, 'targetOf'>): (readonly [string, Schema])[] {
  const found = IN_PLACE.flatMap((keyword): [string, unknown][] => {
    const value = schema[keyword];
    if (keyword === '$ref') return referenceOf(schema) === undefined ? [] : [[keyword, targetOf(schema)]];
    const list = COMPOSITIONS.includes(keyword) ? asList(value) : [value];
    const parts = keyword === 'dependentSchemas' ? Object.values(asObject(value)) : list;
    return parts.map((part) => [keyword, part]);
  });
  return found.filter((each): each is [string, Schema] => typeof each[1] === 'object' && each[1] !== null);
}

function cutOne(circle: Step[], cut: Set<Schema>, schemas: readonly OpenApiNode[], { notes }: CutOptions): void {
  const keywordOf = (index: number): string => {
    const { parts, next } = circle.at(index % circle.length) as Step;
    return parts[next]?.[0] ?? '';
  };
  const references = [...circle.keys()].filter((index) => keywordOf(index) === '$ref');
  // A circle that was cut elsewhere is none any more.
  if (references.some((index) => cut.has((circle[index] as Step).schema))) return;
  const ofBase = references.find(
    (index) => ALTERNATIVES.includes(keywordOf(index + 1)) && !ALTERNATIVES.includes(keywordOf(index - 1)),
  );
  const index = ofBase ?? references.at(-1) ?? 0;
  const holder = (circle[index] as Step).schema;
  const text = String(holder['$ref']);
  cut.add(holder);
  delete holder['$ref'];
  const where = `${schemas.find(({ value }) => value === holder)?.pointer ?? ''}/$ref`;
  if (ofBase !== undefined) {
    const keyword = keywordOf(index + 1);
    const { [keyword]: _, ...rest } = (circle[(index + 1) % circle.length] as Step).schema;
    if (Object.keys(holder).length === 0) Object.assign(holder, rest);
    else holder['allOf'] = [...((holder['allOf'] as unknown[] | undefined) ?? []), rest];
    notes.add(where, `$ref ${text} refers to a schema that has this one in its ${keyword}; that part is ignored.`);
    return;
  }
  const keyword = keywordOf(index - 1);
  const above = (circle.at((index - 1) % circle.length) as Step).schema;
  const list = above[keyword];
  if (keyword === 'not' || keyword === 'if') delete above[keyword];
  else if (ALTERNATIVES.includes(keyword) && Array.isArray(list)) {
    holder['not'] ??= {};
    if (list.every((each) => cut.has(each as Schema))) delete above[keyword];
  }
  const keywords = [...new Set([...circle.keys()].map(keywordOf))].filter((each) => each !== '$ref').join(', ');
  notes.add(
    where,
    `$ref ${text} refers to the schema that contains it (${keywords}), in an endless circle; it is ignored.`,
  );
}
