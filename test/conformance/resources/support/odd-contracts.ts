// Each was, in a contract of a real service, a deviation that a run accused the mock of, or kept it from judging.
import { content, inPath, inQuery } from '../../../support/open-paths.js';
import { creates, failure, integer, lists, object, resource, takes, text, type Schema } from './odd-resource.js';

type Oddities = Record<string, Record<string, Schema>>;

const NAMED = object({ id: integer, name: text });
const NAME = object({ name: text });
const NONE = { 404: { description: 'None.' } };
const MADE = { description: 'Made.' };
const required = (parameter: Schema): Schema => ({ ...parameter, required: true });
const choice = (...values: string[]): Schema => ({ ...text, enum: values });
const wrapped = { properties: { value: text } };
const flag = { type: 'boolean' };
const kind = { kind: text };

const API = 'application/vnd.api+json';
const attributes = object({ title: text, state: { enum: ['draft', 'done'] } });
const article = object({ id: text, type: { enum: ['articles'] }, attributes });
const inApi = { 200: content(object({ data: article }), API), 404: content(object({ errors: {} }), API) };
/** As JSON:API has it: a media type of its own, `data` around records, their fields in `attributes`. */
const articles = {
  '/articles': {
    get: {
      parameters: [inQuery('filter[state]', { enum: ['draft', 'done'] }), inQuery('page[size]', integer)],
      responses: { 200: content(object({ data: { type: 'array', items: article } }), API) },
    },
    post: {
      requestBody: content(object({ data: object({ type: { enum: ['articles'] }, attributes }) }), API),
      responses: { 201: content(object({ data: article }), API), 422: content(object({ errors: {} }), API) },
    },
  },
  '/articles/{id}': {
    get: { parameters: [inPath('id')], responses: inApi },
    patch: {
      parameters: [inPath('id')],
      requestBody: content(object({ data: object({ type: { enum: ['articles'] }, id: text, attributes }) }), API),
      responses: inApi,
    },
  },
};

const tills = resource('tills', { record: object({ tillId: text, name: text }, ['name']), key: text });
const job = object({ jobId: text, name: text });
const jobSent = object({ job: NAME }, []);
const token = object({ tokenId: text, name: text });
const stay = object({ id: integer, roomId: text, name: text });
const ofRoom = [{ ...inPath('roomId'), schema: text }];
const ledger = object({ ledgerId: object({ value: text }), name: text }, ['name']);
/** Records of the same schema. */
const sign = { $ref: '#/paths/~1signs/get/responses/200/content/application~1json/schema/items' };
const paged = object({ texts: { type: 'array', minItems: 1, items: NAMED }, paging: object({ totalCount: integer }) });
const state = choice('new', 'active');

export const ODDITIES: Oddities = {
  'a key that clients give': resource('rooms', {
    record: object({ roomId: text, size: integer }, ['roomId']),
    sent: object({ roomId: text }),
    key: text,
  }),
  'a name in the request where the record has an object': resource('accounts', {
    record: object({ id: integer, name: text, currency: object({ code: text }) }, ['id', 'name']),
    sent: object({ name: text, currency: text }),
  }),
  'a list in the request where the record has properties without a type': resource('offices', {
    record: object({ id: integer, name: text, account: { properties: { code: text } } }, ['id', 'name']),
    sent: object({ name: text, account: { type: 'array', items: object({ code: text }) } }, ['name']),
  }),
  'properties without a type in the request where the record has a text': resource('teams', {
    record: object({ id: integer, name: text, motto: text }, ['id', 'name']),
    sent: object({ name: text, motto: wrapped }, ['name']),
  }),
  'a replacement that wants an object by the name of the key': resource('ledgers', {
    record: object({ ledgerId: text, name: text }, ['ledgerId']),
    sent: ledger,
    key: text,
    item: { put: { requestBody: content(ledger), responses: { 204: { description: 'Done.' } } } },
  }),
  'a key that is sent as an object to a create that shows nothing': {
    ...tills,
    '/tills': { ...tills['/tills'], post: creates(object({ tillId: wrapped, name: text }), object({})) },
  },
  'values in the request that no record may have': resource('hooks', {
    record: object({ id: integer, name: text, events: { type: 'array', items: { enum: ['made', 'gone'] } } }),
    sent: object({ name: text, events: { type: 'array', items: text } }),
  }),
  'fields deep inside that no record may have': resource('people', {
    record: object({ id: integer, name: text, contact: object({ phone: text }, [], { additionalProperties: false }) }),
    sent: object({ name: text, contact: object({ phone: text, kind: text }) }),
  }),
  'offsets that count from 1': resource('loans', {
    query: [
      inQuery('limit', { ...integer, minimum: 1, maximum: 50 }),
      inQuery('offset', { ...integer, default: 1, minimum: 1 }),
    ],
  }),
  'a parameter that another operation calls otherwise': {
    ...resource('blocks'),
    '/blocks/{number}': { put: { parameters: [inPath('number')], ...takes(NAME, NAMED, NONE) } },
  },
  'a replacement that takes less than a create': resource('disks', {
    fields: { note: text },
    needed: ['name'],
    item: { put: takes(NAME, object({ id: integer, name: text, note: text }, ['id', 'name'])) },
  }),
  'a text for the key of a record, which is a number': {
    ...resource('folders'),
    ...resource('papers', { record: object({ id: integer, folderId: text }), sent: object({ folderId: text }) }),
  },
  'keys of digits alone': resource('lists', {
    record: object({ id: { ...text, pattern: '^[0-9]{1,19}$', example: '1146654567674912769' }, name: text }),
    sent: NAME,
    key: text,
  }),
  'a filter whose default is the word null': resource('places', {
    fields: kind,
    query: [inQuery('kind', { ...text, default: 'null' })],
  }),
  'a key with a pattern in the path alone': resource('pays', {
    record: object({ id: text, name: text }),
    sent: NAME,
    key: { ...text, pattern: '^[0A1B2C]{8}$' },
  }),
  'a filter with a default': resource('projects', {
    fields: kind,
    query: [inQuery('kind', { ...text, default: 'active' })],
  }),
  'a filter with a default for what the service gives': resource('classes', {
    record: object({ id: integer, name: text, state }, ['id', 'name']),
    sent: NAME,
    query: [inQuery('state', { ...state, default: 'active' })],
  }),
  'a filter that is required, by what the service gives': resource('courses', {
    record: object({ id: integer, name: text, state }),
    sent: NAME,
    query: [required(inQuery('state', choice('active')))],
  }),
  'a filter that is required, by the key of what a record names in an object': resource('locks', {
    fields: { folder: object({ code: text }) },
    query: [required(inQuery('folder_id', text))],
  }),
  'a filter that is required, in brackets': resource('remarks', {
    fields: { about: choice('order', 'part') },
    query: [required(inQuery('filter[about]', { ...text, example: 'part' }))],
  }),
  'words to search for that are required': resource('reviews', {
    query: [required(inQuery('search_term', { ...text, example: 'wheel' }))],
  }),
  'the address of a record in place of its key': {
    ...resource('clients', {
      record: object({ id: { ...text, format: 'uuid' }, name: text }),
      sent: NAME,
      key: { ...text, format: 'uuid' },
    }),
    ...resource('visits', {
      record: object({ id: integer, client: { ...text, format: 'uri' } }),
      sent: object({ client: { ...text, format: 'uri' } }),
    }),
  },
  'a key that clients give in a form of its own': resource('crates', {
    record: object({ crateId: { ...text, pattern: '^[a-zA-Z0-9_-]+$' }, size: integer }),
    key: text,
  }),
  'a record that needs no fields': resource('notes', { needed: [] }),
  'a version that is required': resource('plans', {
    query: [required(inQuery('api-version', choice('2'))), required(inQuery('calendar', choice('iso', 'julian')))],
  }),
  'a filter that takes another form than its field': resource('groups', {
    query: [inQuery('name', { ...text, format: 'uuid' })],
  }),
  'a replacement that creates without a body': resource('logins', {
    item: { put: takes(NAME, NAMED, { 201: { description: 'New.' } }) },
  }),
  'a parameter whose values are no values of the field': resource('bills', {
    fields: { deleted: flag },
    query: [inQuery('deleted', choice('Deleted', 'NotDeleted', 'All'))],
  }),
  'a body described for 204': resource('alerts', {
    item: { delete: { responses: { 204: content({ type: 'object' }) } } },
  }),
  'an example whose key others would have': resource('parts', {
    record: { ...NAMED, example: { id: 4, name: 'Wheel' } },
    sent: NAME,
  }),
  'a response to a create that is no JSON': resource('tokens', {
    record: token,
    key: text,
    all: { post: { requestBody: content(token), responses: { 201: content(text, 'text/plain') } } },
  }),
  'records in attributes, of a media type of their own': articles,
  'records that are created below another, with an address of their own': {
    ...resource('stays', { record: stay, item: { delete: { responses: { 204: { description: 'Gone.' } } } } }),
    '/stays': {},
    '/rooms/{roomId}/stays': {
      parameters: ofRoom,
      get: { responses: { 200: content({ type: 'array', items: stay }), 404: failure } },
      post: { requestBody: content(NAME), responses: { 201: content(stay), 400: failure, 404: failure } },
    },
  },
  'a replacement that shows what it cannot change': resource('drives', {
    record: object({ id: integer, name: text, machine: integer }),
    sent: object({ name: text, machine: integer }, ['name']),
    item: {
      put: takes(
        object({ name: text, machine: { ...integer, readOnly: true } }, ['name']),
        object({ id: integer, name: text, machine: integer }),
        { 404: failure },
      ),
    },
  }),
  'several records that name another by its own text': {
    ...resource('topics', { record: object({ topicId: text, note: text }), key: text }),
    ...resource('posts', { record: object({ id: integer, topicId: text }), sent: object({ topicId: text }) }),
  },
  'records of several kinds': resource('links', {
    record: {
      oneOf: [object({ id: integer, name: text, kind: text }), object({ id: integer, kind: text, speed: integer })],
      discriminator: { propertyName: 'kind' },
    },
    sent: { oneOf: [object({ name: text, kind: text })], discriminator: { propertyName: 'kind' } },
  }),
  'a response to a create that shows the key alone, as a number where records have digits': resource('jobs', {
    record: job,
    all: { post: { requestBody: content(jobSent), responses: { 200: content(object({ jobId: integer })) } } },
    item: { put: takes(jobSent, object({ done: flag })) },
  }),
  'a parameter of the parent with a name of its own in each path': {
    ...resource('areas'),
    '/areas/{id}/signs': { parameters: [inPath('id')], get: lists(sign), post: takes(object({ title: text }), sign) },
    '/areas/{area_id}/signs/{id}': {
      get: { parameters: [inPath('area_id'), inPath('id')], responses: { 200: content(sign) } },
    },
    '/signs': { get: lists(object({ id: integer, area_id: integer, title: text })) },
    '/signs/{id}': { delete: { parameters: [inPath('id')], responses: { 200: content(sign), 404: failure } } },
  },
  'limits from 25 up, or of a few sizes': {
    ...resource('pots', { query: [inQuery('limit', { ...integer, minimum: 25, maximum: 500 })] }),
    ...resource('pans', { query: [inQuery('limit', { ...integer, enum: [10, 20, 50] })] }),
  },
  'pages that are never empty': resource('texts', {
    all: {
      get: {
        parameters: [inQuery('limit', { ...integer, minimum: 1, maximum: 50 }), inQuery('offset', integer)],
        responses: { 200: content(paged) },
      },
      post: creates(NAME, NAMED),
    },
  }),
};

const decided = { ...text, readOnly: true };
const sealed = object({ id: integer, name: text, seal: decided }, ['id', 'name']);
const many = { type: 'array', items: text };
const field = object({ id: text, name: text });
const counted = object({
  count: { type: 'number', example: '100' },
  size: { type: 'number', example: 'ten' },
  _embedded: object({ calls: { type: 'array', items: NAMED } }),
});
const located = (schema: Schema): Schema => ({
  post: { requestBody: content(NAME), responses: { 201: { ...MADE, headers: { Location: { schema } } } } },
});
const repeatable = (sent: Schema, record: Schema, isRequired = false): Schema => ({
  post: creates(sent, record, {
    parameters: [{ name: 'Idempotency-Key', in: 'header', required: isRequired, schema: text }],
  }),
});
const address = { ...text, format: 'email' };
const noted = object({ note: text }, []);
const point = object({ name: text, depth: { ...integer, minimum: 0 } }, ['name']);
const keyAlone = { id: { ...text, format: 'uuid' } };

/** Marks, defaults, media types and keys. */
export const MARKS = {
  'fields of which only the service decides': resource('badges', {
    record: object({ id: integer, name: text, seal: decided, grade: decided }, ['name']),
    item: { patch: takes(object({ name: text, seal: decided }, []), sealed) },
  }),
  'a field that a request gives and a record has as read only': resource('labels', {
    record: object({ id: integer, name: text, org: decided }, ['id', 'name']),
    sent: object({ name: text, org: text }),
    item: { patch: takes(object({ name: text, org: decided }, []), object({})) },
  }),
  'a field that a request has as write only and a record shows': resource('payers', {
    record: object({ id: integer, name: text, account: text }, ['id', 'name']),
    sent: object({ name: text, account: { ...text, writeOnly: true } }),
  }),
  'a field that only the record has as write only': resource('logins', {
    record: object({ id: integer, name: text, secret: { ...text, writeOnly: true } }, ['id', 'name']),
    sent: object({ name: text, secret: text }),
  }),
  'a default of the request for what every record has': resource('peers', {
    record: object({ id: integer, name: text, sites: many }),
    sent: object({ name: text, sites: { ...many, default: [] } }, ['name']),
  }),
  'a request and a record with different defaults': resource('lines', {
    record: object({ id: integer, name: text, calm: { ...flag, default: true } }),
    sent: object({ name: text, calm: { ...flag, default: false } }, ['name']),
  }),
  'a filter that is an object of comparisons': resource('stays', {
    fields: { start: { ...text, format: 'date' }, paid: flag },
    query: [{ ...inQuery('start', { type: 'object' }), style: 'deepObject' }, inQuery('paid', flag)],
  }),
  'a Location without the base path': resource('spots', { all: located({ ...text, pattern: '^/spots/[0-9]+$' }) }),
  'a Location that is a whole URL': resource('funds', { all: located({ ...text, format: 'uri' }) }),
  'a create that may be sent again': resource('orders', { all: repeatable(NAME, NAMED) }),
  'a required key by which creates are known again': resource('sales', {
    record: object({ id: integer, note: integer }),
    all: repeatable(object({ note: integer }), object({ id: integer, note: integer }), true),
  }),
  'responses of any media type, and a status for media types that are none of them': resource('sheets', {
    item: { get: { responses: { 200: content(NAMED, '*/*'), 406: { description: 'None.' } } } },
  }),
  'a replacement that creates below another': {
    ...resource('farms'),
    '/farms/{farmId}/fields': { parameters: [inPath('farmId')], post: creates(NAME, field) },
    '/farms/{farmId}/fields/{fieldId}': {
      parameters: [inPath('farmId'), inPath('fieldId', 'string')],
      get: { responses: { 200: content(field), 404: failure } },
      put: takes(NAME, field, { 201: content(field), 404: failure }),
    },
  },
  'a response that may have no property at all': {
    '/batches': {
      get: lists(NAMED),
      post: creates(NAME, {
        ...object({}),
        allOf: [object({ id: integer, name: text }, [], { additionalProperties: false })],
        additionalProperties: false,
      }),
    },
    '/batches/{batchId}': { get: { parameters: [inPath('batchId')], responses: { 200: content(NAMED) } } },
  },
  'values in the request that no record has': resource('profiles', {
    record: object({ id: integer, name: text, version: { enum: ['1', '2'] } }),
    sent: object({ name: text, version: { enum: ['1', '2', '3'] } }),
  }),
  'a count above an envelope, with an example that its schema refuses': resource('calls', {
    all: {
      get: { parameters: [inQuery('limit', integer)], responses: { 200: content(counted) } },
      post: creates(NAME, NAMED),
    },
  }),
  'a form without a required field': resource('trips', {
    record: object({ id: integer, note: text }, ['id']),
    all: {
      post: creates(noted, object({ id: integer, note: text }, ['id']), {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: noted }, 'application/x-www-form-urlencoded': { schema: noted } },
        },
      }),
    },
  }),
  'a default of the request that no record has': resource('texts', {
    record: object({ id: integer, name: text, licence: object({ code: integer }) }, ['id', 'name']),
    sent: object({ name: text, licence: { ...integer, default: 0 } }, ['name']),
  }),
  'pages whose next is an address alone': resource('keys', {
    all: {
      get: {
        parameters: [inQuery('limit', integer), inQuery('after_id', text)],
        responses: { 200: content(object({ next_url: text, results: { type: 'array', items: NAMED } }, ['results'])) },
      },
      post: creates(NAME, NAMED),
    },
  }),
  'a replacement that need not name what every record has': resource('actions', {
    record: object({ id: integer, name: text, config: object(kind) }),
    sent: object({ name: text, config: object(kind) }, ['name']),
    item: {
      put: takes(
        object({ name: text, config: object(kind) }, ['name']),
        object({ id: integer, name: text, config: object(kind) }),
        { 400: failure, 404: failure },
      ),
    },
  }),
  'a text that a record has as an address': resource('users', {
    record: object({ id: integer, login: address }),
    sent: object({ login: text }),
    item: { put: takes(object({ login: text }), object({ id: integer, login: address }), { 400: failure }) },
  }),
  'a key that is a text in a record and a number in a path': resource('guests', {
    record: object({ id: text, name: text }),
    sent: NAME,
    key: { type: 'number' },
  }),
  'a key that a client may give as a text, and a number in a path': resource('bills', {
    record: object({ id: text, name: text }, ['name']),
  }),
  'a key that clients give, by a pattern of which the run knows one value': resource('domains', {
    record: object({ domainId: { ...text, pattern: '^a[.]c$' }, note: text }, ['domainId']),
    key: text,
  }),
  'a key that no record shows: a list has records by their keys, and a create responds with the key alone': {
    '/points': {
      get: { responses: { 200: content({ type: 'object', additionalProperties: point }) } },
      post: creates(point, object({ state: text, ...keyAlone }), {
        responses: { 201: content(object({ state: text, ...keyAlone })), 400: { description: 'Wrong.' } },
      }),
    },
    '/points/{id}': {
      parameters: [inPath('id', 'string')],
      get: { responses: { 200: content(point), ...NONE } },
      put: { summary: 'Add / update a point', ...takes(point, object(keyAlone), { 400: { description: 'Wrong.' } }) },
      delete: { responses: { 204: { description: 'Gone.' }, ...NONE } },
    },
  },
} satisfies Oddities;
