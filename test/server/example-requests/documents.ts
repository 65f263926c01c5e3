import { content, inPath } from '../../support/open-paths.js';

type Schema = Record<string, unknown>;

const text = { type: 'string' };
const integer = { type: 'integer' };

function object(properties: Schema, required = Object.keys(properties)): Schema {
  return { type: 'object', properties, required, additionalProperties: false };
}

const ok = (schema: Schema, status = 200): Schema => ({ [status]: content(schema), 404: { description: 'None.' } });

const list = (items: Schema): Schema => ok({ type: 'array', items });

const sent = (schema: Schema, mediaType?: string): Schema => ({ required: true, ...content(schema, mediaType) });

const required = (name: string, place: string, schema: Schema, more: Schema = {}): Schema => ({
  name,
  in: place,
  required: true,
  schema,
  ...more,
});

const ROOM = object({ id: { type: 'string', format: 'uuid' }, name: text });

/** What a request must have besides a path: lists, objects, a version, and a page that may not be short. */
const demanding = {
  '/rooms': {
    get: {
      parameters: [
        required('of[]', 'query', { type: 'array', items: { enum: ['a', 'b'] }, minItems: 2 }),
        required('place', 'query', object({ city: text, zip: { type: 'integer' } }), { style: 'deepObject' }),
        required('day', 'query', { type: 'string', format: 'date' }, { example: '2026-02-01' }),
        required('X-Tenant', 'header', { type: 'string', enum: ['blue', 'red'] }),
        { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 10 } },
      ],
      responses: list(ROOM),
    },
    post: { requestBody: sent(ROOM), responses: ok(ROOM, 201) },
  },
  '/rooms/{id}': {
    parameters: [inPath('id', 'string'), required('X-Tenant', 'header', { type: 'string', enum: ['blue', 'red'] })],
    get: { responses: ok(ROOM) },
    put: { parameters: [required('If-Match', 'header', text)], requestBody: sent(ROOM), responses: ok(ROOM) },
  },
};

const CUSTOMER = object({ id: text, object: { type: 'string', enum: ['customer'] }, email: text });
const expand = { name: 'expand', in: 'query', style: 'deepObject', schema: { type: 'array', items: text } };
const FORM = 'application/x-www-form-urlencoded';
const fields = object({ email: text, metadata: { type: 'object', additionalProperties: text } }, ['email']);

/** Forms, two ways to show a key, and `expand[]`, as Stripe's document has them; what is easiest needs no record. */
const forms = {
  '/v1/account/{account}': { parameters: [inPath('account', 'string')], get: { responses: ok(CUSTOMER) } },
  '/v1/customers': {
    get: {
      parameters: [expand],
      requestBody: content(object({}), FORM),
      responses: ok(
        object({ object: { enum: ['list'] }, data: { type: 'array', items: CUSTOMER }, has_more: { type: 'boolean' } }),
      ),
    },
    post: { requestBody: sent(fields, FORM), responses: ok(CUSTOMER) },
  },
  '/v1/customers/{customer}': {
    parameters: [inPath('customer', 'string')],
    get: { parameters: [expand], requestBody: content(object({}), FORM), responses: ok(CUSTOMER) },
    post: { requestBody: sent(fields, FORM), responses: ok(CUSTOMER) },
    delete: { responses: ok(object({ id: text, deleted: { type: 'boolean' } })) },
  },
};

const PHOTO = object({ id: integer, title: text });

const form = object({
  title: { type: 'string', example: '@home; "1"' },
  file: { type: 'string', format: 'binary' },
  place: object({ city: text }),
});
const uploads = {
  '/photos': {
    get: { responses: list(PHOTO) },
    post: { requestBody: sent(form, 'multipart/form-data'), responses: ok(PHOTO, 201) },
  },
  '/photos/{id}': { parameters: [inPath('id')], get: { responses: ok(PHOTO) } },
};

const SCHEMES = { basicAuth: { type: 'http', scheme: 'basic' }, bearerAuth: { type: 'http', scheme: 'bearer' } };

const write = (paths: object, more: object = {}): string =>
  JSON.stringify({ openapi: '3.1.0', info: { title: 'Small', version: '1' }, paths, ...more });

/** Documents by what a command of theirs needs. */
export const documents: Readonly<Record<string, string>> = {
  'query and header fields': write(demanding),
  'forms and two schemes': write(forms, {
    components: { securitySchemes: SCHEMES },
    security: [{ basicAuth: [] }, { bearerAuth: [] }],
  }),
  'a form in parts': write(uploads),
};
