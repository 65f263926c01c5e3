// A document with every keyword and media type whose cost could grow faster than the length of a request.

const json = (schema) => ({ content: { 'application/json': { schema } } });
const refTo = (name) => ({ $ref: `#/components/schemas/${name}` });
export const FORM = 'application/x-www-form-urlencoded';
const list = (items, more = {}) => ({ type: 'array', items, ...more });
const object = (properties, more = {}) => ({ type: 'object', properties, ...more });

/** The schemas of the bodies, by the name of their operation's path. */
const SCHEMAS = {
  unique: list({ type: 'object' }, { uniqueItems: true }),
  'unique-numbers': list({ type: 'integer' }, { uniqueItems: true }),
  'unique-nested': list(list(list({}, { uniqueItems: true }), { uniqueItems: true }), { uniqueItems: true }),
  contains: list({}, { contains: object({ a: { const: 1 } }, { required: ['a'] }), minContains: 1 }),
  names: { type: 'object', propertyNames: { pattern: '^[a-z]+[0-9]*$', maxLength: 20 } },
  patterns: {
    type: 'object',
    patternProperties: { '^a': { type: 'integer' }, z$: { type: 'string' } },
    additionalProperties: { type: 'string' },
  },
  closed: object({ a: {} }, { additionalProperties: false }),
  unevaluated: { allOf: [object({ a: {} }), { patternProperties: { '^k1': {} } }], unevaluatedProperties: false },
  'unevaluated-items': {
    allOf: [{ prefixItems: [{}] }, { contains: { type: 'string' } }],
    unevaluatedItems: { type: 'integer' },
  },
  dependent: {
    type: 'object',
    dependentSchemas: { k1: { minProperties: 1 }, k2: { maxProperties: 9 } },
    dependentRequired: { k1: ['k2'] },
  },
  choices: list({
    oneOf: [
      object({ a: { type: 'integer' } }, { required: ['a'] }),
      object({ b: { type: 'integer' } }, { required: ['b'] }),
    ],
  }),
  told: list({ oneOf: [refTo('Cat'), refTo('Dog')], discriminator: { propertyName: 'kind' } }),
  tree: refTo('Tree'),
  'two-trees': refTo('TwoTrees'),
  enums: list({ enum: [{ a: 1 }, { b: [1, 2] }, 'x', 3] }),
  types: list({ type: 'integer' }),
  text: object({ text: { type: 'string', maxLength: 9, pattern: '^(a+)+$' } }),
  anything: {},
  numbers: list({ type: 'number', multipleOf: 0.01, minimum: 0 }),
};

export const FORMATS =
  'date date-time time email hostname ipv4 ipv6 uri uri-reference uri-template url uuid json-pointer regex byte duration iso-time'.split(
    ' ',
  );

/** An OpenAPI document with a path for each. */
export function describeApi() {
  const done = { 200: { description: 'Done.' }, 400: { description: 'No.' } };
  const post = (requestBody, more = {}) => ({ post: { requestBody, responses: done, ...more } });
  const paths = Object.entries(SCHEMAS).map(([name, schema]) => [`/${name}`, post(json(schema))]);
  const formats = FORMATS.map((format) => [
    `/format-${format}`,
    post(json(object({ text: { type: 'string', format } }))),
  ]);
  const fields = object({ tags: list({ type: 'string' }), o: { type: 'object' }, plain: { type: 'string' } });
  const form = {
    content: {
      [FORM]: { schema: fields, encoding: { o: { style: 'deepObject', explode: true } } },
      'multipart/form-data': { schema: fields },
    },
  };
  const item = object(
    {
      id: { type: 'integer' },
      name: { type: 'string' },
      parts: list(object({ size: { type: 'integer' }, unit: { type: 'string' } }, { required: ['size', 'unit'] })),
    },
    { required: ['id', 'name'] },
  );
  const loose = object({ name: { type: 'string' }, parts: list({ type: 'object' }) }, { required: ['name'] });
  const query = (name, schema, more = {}) => ({ name, in: 'query', schema, ...more });
  const parameters = [
    query('name', list({ type: 'string' })),
    query('sort', { type: 'string' }),
    query('o', { type: 'object' }, { style: 'deepObject', explode: true }),
    { name: 'X-List', in: 'header', schema: list({ type: 'integer' }) },
    { name: 'c', in: 'cookie', schema: { type: 'string' } },
  ];
  const stored = { description: 'One.', ...json(item) };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  return {
    openapi: '3.1.0',
    info: { title: 'Lengths', version: '1' },
    paths: {
      ...Object.fromEntries([...paths, ...formats]),
      '/form': post(form),
      '/items': {
        get: { parameters, responses: { 200: { description: 'All.', ...json(list(item)) } } },
        ...post(json(loose), { responses: { 201: stored, 400: { description: 'No.' } } }),
      },
      '/items/{id}': {
        parameters: [id],
        get: { responses: { 200: stored } },
        patch: {
          requestBody: {
            content: {
              'application/json-patch+json': { schema: list({ type: 'object' }) },
              'application/merge-patch+json': { schema: { type: 'object' } },
            },
          },
          responses: { 200: stored, 400: { description: 'No.' } },
        },
      },
    },
    components: {
      schemas: {
        Cat: object({ kind: { const: 'Cat' }, lives: { type: 'integer' } }, { required: ['kind'] }),
        Dog: object({ kind: { const: 'Dog' }, bark: { type: 'integer' } }, { required: ['kind'] }),
        Tree: object({ left: refTo('Tree'), right: refTo('Tree'), items: list(refTo('Tree')) }),
        TwoTrees: {
          oneOf: [
            object({ in: refTo('TwoTrees'), a: { type: 'integer' } }),
            object({ in: refTo('TwoTrees'), b: { type: 'integer' } }),
          ],
        },
      },
    },
  };
}
