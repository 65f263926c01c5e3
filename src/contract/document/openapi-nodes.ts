/** The kinds of objects in an OpenAPI document. */
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

/** The content of a field: a node, a list of nodes, a map of nodes by name, or one of these, depending on the value. */
type Field = readonly [how: 'one' | 'list' | 'map' | 'one or list', type: NodeType];

interface NodeShape {
  fields: Readonly<Record<string, Field>>;
  /** The content of all other names, for maps of nodes such as the paths. */
  others?: NodeType;
}

const CONTENT: Field = ['map', 'MediaType'];
const SCHEMA: Field = ['one', 'Schema'];
const SCHEMAS: Field = ['list', 'Schema'];
const NAMED_SCHEMAS: Field = ['map', 'Schema'];
const OPERATION: Field = ['one', 'Operation'];
const PARAMETERS: Field = ['list', 'Parameter'];
const DESCRIBED_VALUE = { schema: SCHEMA, content: CONTENT, examples: ['map', 'Example'] } as const;

/**
 * Where nodes are: the fields of OpenAPI 3.0.4, 3.1.1 and 3.2.0 that hold nodes, and those of JSON Schema 2020-12 that
 * hold schemas. Everything else is data or text, in which `$ref` has no meaning and a name that begins with `x-` is an
 * ordinary name.
 */
const SHAPES: Readonly<Record<NodeType, NodeShape>> = {
  Document: {
    fields: { paths: ['one', 'Paths'], webhooks: ['map', 'PathItem'], components: ['one', 'Components'] },
  },
  // Swagger 2.0, whose parts have the names of other kinds; a response has a schema of its own.
  Swagger: {
    fields: {
      paths: ['one', 'Paths'],
      definitions: NAMED_SCHEMAS,
      parameters: ['map', 'Parameter'],
      responses: ['map', 'Response'],
    },
  },
  Components: {
    fields: {
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
  },
  Paths: { fields: {}, others: 'PathItem' },
  PathItem: {
    fields: {
      get: OPERATION,
      put: OPERATION,
      post: OPERATION,
      delete: OPERATION,
      options: OPERATION,
      head: OPERATION,
      patch: OPERATION,
      trace: OPERATION,
      query: OPERATION,
      additionalOperations: ['map', 'Operation'],
      parameters: PARAMETERS,
    },
  },
  Operation: {
    fields: {
      parameters: PARAMETERS,
      requestBody: ['one', 'RequestBody'],
      responses: ['one', 'Responses'],
      callbacks: ['map', 'Callback'],
    },
  },
  Parameter: { fields: DESCRIBED_VALUE },
  RequestBody: { fields: { content: CONTENT } },
  Responses: { fields: {}, others: 'Response' },
  Response: { fields: { schema: SCHEMA, headers: ['map', 'Header'], content: CONTENT, links: ['map', 'Link'] } },
  Header: { fields: DESCRIBED_VALUE },
  MediaType: {
    fields: {
      schema: SCHEMA,
      itemSchema: SCHEMA,
      examples: ['map', 'Example'],
      encoding: ['map', 'Encoding'],
      itemEncoding: ['one', 'Encoding'],
      prefixEncoding: ['list', 'Encoding'],
    },
  },
  Encoding: { fields: { headers: ['map', 'Header'] } },
  Callback: { fields: {}, others: 'PathItem' },
  Schema: {
    fields: {
      items: ['one or list', 'Schema'],
      additionalItems: SCHEMA,
      additionalProperties: SCHEMA,
      unevaluatedItems: SCHEMA,
      unevaluatedProperties: SCHEMA,
      not: SCHEMA,
      if: SCHEMA,
      // oxlint-disable-next-line no-thenable -- a keyword of JSON Schema; nobody awaits a schema
      then: SCHEMA,
      else: SCHEMA,
      contains: SCHEMA,
      propertyNames: SCHEMA,
      contentSchema: SCHEMA,
      allOf: SCHEMAS,
      anyOf: SCHEMAS,
      oneOf: SCHEMAS,
      prefixItems: SCHEMAS,
      properties: NAMED_SCHEMAS,
      patternProperties: NAMED_SCHEMAS,
      dependentSchemas: NAMED_SCHEMAS,
      $defs: NAMED_SCHEMAS,
      definitions: NAMED_SCHEMAS,
    },
  },
  Example: { fields: {} },
  Link: { fields: {} },
  SecurityScheme: { fields: {} },
};

/** A node, and its kind. */
export interface TypedNode {
  type: NodeType;
  value: object;
  /** The steps from the node above it: `['parameters', '0']`. */
  path: readonly string[];
}

/** The nodes directly below a node. Values that are not objects are skipped. */
export function listNodesBelow(type: NodeType, value: object): TypedNode[] {
  const { fields, others } = SHAPES[type];
  return Object.entries(value).flatMap(([key, inside]) => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field !== undefined) return listField(field, key, inside);
    // In a map with arbitrary names, those that begin with x- are extensions (OpenAPI 3.1.1, Specification Extensions).
    if (others === undefined || key.startsWith('x-')) return [];
    return isNode(inside) ? [{ type: others, value: inside, path: [key] }] : [];
  });
}

function listField([how, type]: Field, key: string, inside: unknown): TypedNode[] {
  if (Array.isArray(inside)) {
    if (how !== 'list' && how !== 'one or list') return [];
    return inside.flatMap((value: unknown, index) => (isNode(value) ? [{ type, value, path: [key, `${index}`] }] : []));
  }
  if (!isNode(inside)) return [];
  if (how === 'map') {
    return Object.entries(inside).flatMap(([name, value]) =>
      isNode(value) ? [{ type, value, path: [key, name] }] : [],
    );
  }
  return how === 'list' ? [] : [{ type, value: inside, path: [key] }];
}

function isNode(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A node of a document, wherever it is. */
export interface OpenApiNode {
  type: NodeType;
  value: object;
  /** JSON Pointer into the whole document. */
  pointer: string;
  /** The kind of the node above it; for a node that only a reference leads to, the kind of the referring node. */
  above: NodeType | undefined;
}
