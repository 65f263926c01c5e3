import { content, inPath, inQuery } from '../../../support/open-paths.js';
import { failure, integer, object, resource, text, type Schema } from './odd-resource.js';

const decided = { ...text, readOnly: true };
const closed = object({ id: integer, name: text }, [], { additionalProperties: false });

/** Each was, in a contract of a real service, a deviation that a run accused the mock of. */
export const ODDITIES: Record<string, Record<string, Schema>> = {
  'fields of which only the service decides': resource('badges', {
    record: object({ id: integer, name: text, seal: decided, grade: decided }, ['name']),
    item: {
      patch: {
        parameters: [inPath('badgeId')],
        requestBody: content(object({ name: text, seal: decided }, [])),
        responses: { 200: content(object({ id: integer, name: text, seal: decided }, ['id', 'name'])) },
      },
    },
  }),
  'a field that a request gives and a record has as read only': resource('labels', {
    record: object({ id: integer, name: text, org: decided }, ['id', 'name']),
    sent: object({ name: text, org: text }),
    item: {
      patch: {
        parameters: [inPath('labelId')],
        requestBody: content(object({ name: text, org: decided }, [])),
        responses: { 200: content(object({})) },
      },
    },
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
    record: object({ id: integer, name: text, sites: { type: 'array', items: text } }),
    sent: object({ name: text, sites: { type: 'array', items: text, default: [] } }, ['name']),
  }),
  'a request and a record with different defaults': resource('lines', {
    record: object({ id: integer, name: text, calm: { type: 'boolean', default: true } }),
    sent: object({ name: text, calm: { type: 'boolean', default: false } }, ['name']),
  }),
  'a filter that is an object of comparisons': resource('stays', {
    record: object({ id: integer, name: text, start: { ...text, format: 'date' }, paid: { type: 'boolean' } }),
    sent: object({ name: text, start: { ...text, format: 'date' }, paid: { type: 'boolean' } }),
    query: [{ ...inQuery('start', { type: 'object' }), style: 'deepObject' }, inQuery('paid', { type: 'boolean' })],
  }),
  'a Location without the base path': {
    ...resource('spots'),
    '/spots': {
      get: { responses: { 200: content({ type: 'array', items: object({ id: integer, name: text }) }) } },
      post: {
        requestBody: content(object({ name: text })),
        responses: {
          201: { description: 'Made.', headers: { Location: { schema: { ...text, pattern: '^/spots/[0-9]+$' } } } },
        },
      },
    },
  },
  'a create that may be sent again': {
    ...resource('orders'),
    '/orders': {
      post: {
        parameters: [{ name: 'Idempotency-Key', in: 'header', schema: text }],
        requestBody: content(object({ name: text })),
        responses: { 201: content(object({ id: integer, name: text })) },
      },
    },
  },
  'answers of any media type, and a status for media types that are none of them': {
    ...resource('sheets'),
    '/sheets/{sheetId}': {
      get: {
        parameters: [inPath('sheetId')],
        responses: { 200: content(object({ id: integer, name: text }), '*/*'), 406: { description: 'None.' } },
      },
    },
  },
  'a replacement that creates below another': {
    ...resource('farms'),
    '/farms/{farmId}/fields': {
      parameters: [inPath('farmId')],
      post: {
        requestBody: content(object({ name: text })),
        responses: { 201: content(object({ id: text, name: text })) },
      },
    },
    '/farms/{farmId}/fields/{fieldId}': {
      parameters: [inPath('farmId'), inPath('fieldId', 'string')],
      get: { responses: { 200: content(object({ id: text, name: text })), 404: failure } },
      put: {
        requestBody: content(object({ name: text })),
        responses: {
          200: content(object({ id: text, name: text })),
          201: content(object({ id: text, name: text })),
          404: failure,
        },
      },
    },
  },
  'a Location that is a whole URL': {
    ...resource('funds'),
    '/funds': {
      get: { responses: { 200: content({ type: 'array', items: object({ id: integer, name: text }) }) } },
      post: {
        requestBody: content(object({ name: text })),
        responses: { 201: { description: 'Made.', headers: { Location: { schema: { ...text, format: 'uri' } } } } },
      },
    },
  },
  'an answer that may have no property at all': {
    '/batches': {
      get: { responses: { 200: content({ type: 'array', items: object({ id: integer, name: text }) }) } },
      post: {
        requestBody: content(object({ name: text })),
        responses: { 201: content({ ...object({}), allOf: [closed], additionalProperties: false }) },
      },
    },
    '/batches/{batchId}': {
      get: { parameters: [inPath('batchId')], responses: { 200: content(object({ id: integer, name: text })) } },
    },
  },
  'values in the request that no record has': resource('profiles', {
    record: object({ id: integer, name: text, version: { enum: ['1', '2'] } }),
    sent: object({ name: text, version: { enum: ['1', '2', '3'] } }),
  }),
  'a count above an envelope, with an example that its schema refuses': {
    ...resource('calls'),
    '/calls': {
      get: {
        parameters: [inQuery('limit', integer)],
        responses: {
          200: content(
            object({
              count: { type: 'number', example: '100' },
              size: { type: 'number', example: 'ten' },
              _embedded: object({ calls: { type: 'array', items: object({ id: integer, name: text }) } }),
            }),
          ),
        },
      },
      post: {
        requestBody: content(object({ name: text })),
        responses: { 201: content(object({ id: integer, name: text })) },
      },
    },
  },
  'a form without a required field': {
    ...resource('trips', { record: object({ id: integer, note: text }, ['id']), sent: object({ note: text }, []) }),
    '/trips': {
      post: {
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: object({ note: text }, []) },
            'application/x-www-form-urlencoded': { schema: object({ note: text }, []) },
          },
        },
        responses: { 201: content(object({ id: integer, note: text }, ['id'])) },
      },
    },
  },
  'a default of the request that no record has': resource('texts', {
    record: object({ id: integer, name: text, licence: object({ code: integer }) }, ['id', 'name']),
    sent: object({ name: text, licence: { ...integer, default: 0 } }, ['name']),
  }),
  'pages whose next is an address alone': {
    ...resource('keys'),
    '/keys': {
      get: {
        parameters: [inQuery('limit', integer), inQuery('after_id', text)],
        responses: {
          200: content(
            object({ next_url: text, results: { type: 'array', items: object({ id: integer, name: text }) } }, [
              'results',
            ]),
          ),
        },
      },
      post: {
        requestBody: content(object({ name: text })),
        responses: { 201: content(object({ id: integer, name: text })) },
      },
    },
  },
  'a replacement that need not name what every record has': resource('actions', {
    record: object({ id: integer, name: text, config: object({ kind: text }) }),
    sent: object({ name: text, config: object({ kind: text }) }, ['name']),
    item: {
      put: {
        parameters: [inPath('actionId')],
        requestBody: content(object({ name: text, config: object({ kind: text }) }, ['name'])),
        responses: {
          200: content(object({ id: integer, name: text, config: object({ kind: text }) })),
          400: failure,
          404: failure,
        },
      },
    },
  }),
  'a text that a record has as an address': resource('users', {
    record: object({ id: integer, login: { ...text, format: 'email' } }),
    sent: object({ login: text }),
    item: {
      put: {
        parameters: [inPath('userId')],
        requestBody: content(object({ login: text })),
        responses: { 200: content(object({ id: integer, login: { ...text, format: 'email' } })), 400: failure },
      },
    },
  }),
  'a key that is a text in a record and a number in a path': resource('guests', {
    record: object({ id: text, name: text }),
    sent: object({ name: text }),
    key: { type: 'number' },
  }),
  'a key that a client may give as a text, and a number in a path': resource('bills', {
    record: object({ id: text, name: text }, ['name']),
    key: integer,
  }),
  'a required key by which creates are known again': {
    ...resource('sales', { record: object({ id: integer, note: integer }), sent: object({ note: integer }) }),
    '/sales': {
      post: {
        parameters: [{ name: 'Idempotency-Key', in: 'header', required: true, schema: text }],
        requestBody: content(object({ note: integer })),
        responses: { 201: content(object({ id: integer, note: integer })) },
      },
    },
  },
  'a key that clients give, by a pattern of which the run knows one value': resource('domains', {
    record: object({ domainId: { ...text, pattern: '^a[.]c$' }, note: text }, ['domainId']),
    sent: object({ domainId: { ...text, pattern: '^a[.]c$' }, note: text }, ['domainId']),
    key: text,
  }),
};
