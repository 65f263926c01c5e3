import { expect, test } from 'vitest';
import { content, inPath, inQuery } from '../../support/open-paths.js';
import { failure, integer, object, resource, runAgainstMock, text, type Schema } from './support/odd-resource.js';

const account = object({ id: integer, name: text, currency: object({ code: text }) }, ['id', 'name']);
const other = { ...inPath('number'), schema: integer };

const wrapped = { properties: { value: text } };
const tills = resource('tills', { record: object({ tillId: text, name: text }, ['name']), key: text });

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

const stay = object({ id: integer, roomId: text, name: text });

/** Each was, in a contract of a real service, a deviation that a run accused the mock of. */
const ODDITIES: Record<string, Record<string, Schema>> = {
  'a key that clients give': resource('rooms', {
    record: object({ roomId: text, size: integer }, ['roomId']),
    sent: object({ roomId: text }),
    key: text,
  }),
  'a name in the request where the record has an object': resource('accounts', {
    record: account,
    sent: object({ name: text, currency: text }),
  }),
  'a list in the request where the record has properties without a type': resource('offices', {
    record: object({ id: integer, name: text, account: { properties: { code: text } } }, ['id', 'name']),
    sent: object({ name: text, account: { type: 'array', items: object({ code: text }) } }, ['name']),
  }),
  'properties without a type in the request where the record has a text': resource('teams', {
    record: object({ id: integer, name: text, motto: text }, ['id', 'name']),
    sent: object({ name: text, motto: { properties: { value: text } } }, ['name']),
  }),
  'a replacement that wants an object by the name of the key': resource('ledgers', {
    record: object({ ledgerId: text, name: text }, ['ledgerId']),
    sent: object({ ledgerId: object({ value: text }), name: text }, ['name']),
    key: text,
    item: {
      put: {
        parameters: [{ ...inPath('ledgerId'), schema: text }],
        requestBody: content(object({ ledgerId: object({ value: text }), name: text }, ['name'])),
        responses: { 204: { description: 'Done.' } },
      },
    },
  }),
  'a key that is sent as an object to a create that shows nothing': {
    ...tills,
    '/tills': {
      ...tills['/tills'],
      post: { requestBody: content(object({ tillId: wrapped, name: text })), responses: { 201: content(object({})) } },
    },
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
    '/blocks/{number}': {
      put: {
        parameters: [other],
        requestBody: content(object({ name: text })),
        responses: { 200: content(object({ id: integer, name: text })), 404: { description: 'None.' } },
      },
    },
  },
  'a replacement that takes less than a create': resource('disks', {
    record: object({ id: integer, name: text, note: text }, ['id', 'name']),
    sent: object({ name: text, note: text }, ['name']),
    item: {
      put: {
        parameters: [inPath('diskId')],
        requestBody: content(object({ name: text })),
        responses: { 200: content(object({ id: integer, name: text, note: text }, ['id', 'name'])) },
      },
    },
  }),
  'a text for the key of a record, which is a number': {
    ...resource('folders'),
    ...resource('papers', { record: object({ id: integer, folderId: text }), sent: object({ folderId: text }) }),
  },
  'keys of digits alone': resource('lists', {
    record: object({ id: { ...text, pattern: '^[0-9]{1,19}$', example: '1146654567674912769' }, name: text }),
    sent: object({ name: text }),
    key: text,
  }),
  'a filter whose default is the word null': resource('places', {
    record: object({ id: integer, name: text, kind: text }),
    sent: object({ name: text, kind: text }),
    query: [inQuery('kind', { ...text, default: 'null' })],
  }),
  'a key with a pattern in the path alone': resource('pays', {
    record: object({ id: text, name: text }),
    sent: object({ name: text }),
    key: { ...text, pattern: '^[0A1B2C]{8}$' },
  }),
  'a filter with a default': resource('projects', {
    record: object({ id: integer, name: text, kind: text }),
    sent: object({ name: text, kind: text }),
    query: [inQuery('kind', { ...text, default: 'active' })],
  }),
  'a filter with a default for what the service gives': resource('classes', {
    record: object({ id: integer, name: text, state: { ...text, enum: ['new', 'active'] } }, ['id', 'name']),
    sent: object({ name: text }),
    query: [inQuery('state', { ...text, enum: ['new', 'active'], default: 'active' })],
  }),
  'a filter that is required, by what the service gives': resource('courses', {
    record: object({ id: integer, name: text, state: { ...text, enum: ['new', 'active'] } }, ['id', 'name', 'state']),
    sent: object({ name: text }),
    query: [{ ...inQuery('state', { ...text, enum: ['active'] }), required: true }],
  }),
  'a filter that is required, by the key of what a record names in an object': resource('locks', {
    record: object({ id: integer, name: text, folder: object({ code: text }) }),
    sent: object({ name: text, folder: object({ code: text }) }),
    query: [{ ...inQuery('folder_id', text), required: true }],
  }),
  'a filter that is required, in brackets': resource('remarks', {
    record: object({ id: integer, name: text, about: { ...text, enum: ['order', 'part'] } }),
    sent: object({ name: text, about: { ...text, enum: ['order', 'part'] } }),
    query: [{ ...inQuery('filter[about]', { ...text, example: 'part' }), required: true }],
  }),
  'words to search for that are required': resource('reviews', {
    query: [{ ...inQuery('search_term', { ...text, example: 'wheel' }), required: true }],
  }),
  'the address of a record in place of its key': {
    ...resource('clients', {
      record: object({ id: { ...text, format: 'uuid' }, name: text }),
      sent: object({ name: text }),
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
  'a record that needs no fields': resource('notes', {
    record: object({ id: integer, name: text }, ['id']),
    sent: object({ name: text }, []),
  }),
  'a version that is required': resource('plans', {
    query: [
      { ...inQuery('api-version', { ...text, enum: ['2'] }), required: true },
      { ...inQuery('calendar', { ...text, enum: ['iso', 'julian'] }), required: true },
    ],
  }),
  'a filter that takes another form than its field': resource('groups', {
    query: [inQuery('name', { ...text, format: 'uuid' })],
  }),
  'a replacement that creates without a body': resource('logins', {
    item: {
      put: {
        parameters: [inPath('loginId')],
        requestBody: content(object({ name: text })),
        responses: { 200: content(object({ id: integer, name: text })), 201: { description: 'New.' } },
      },
    },
  }),
  'a parameter whose values are no values of the field': resource('bills', {
    record: object({ id: integer, name: text, deleted: { type: 'boolean' } }),
    sent: object({ name: text, deleted: { type: 'boolean' } }),
    query: [inQuery('deleted', { ...text, enum: ['Deleted', 'NotDeleted', 'All'] })],
  }),
  'a body described for 204': resource('alerts', {
    item: { delete: { parameters: [inPath('alertId')], responses: { 204: content({ type: 'object' }) } } },
  }),
  'an example whose key others would have': resource('parts', {
    record: { ...object({ id: integer, name: text }), example: { id: 4, name: 'Wheel' } },
    sent: object({ name: text }),
  }),
  'an answer to a create that is no JSON': {
    ...resource('tokens', { record: object({ tokenId: text, name: text }), key: text }),
    '/tokens': {
      get: { responses: { 200: content({ type: 'array', items: object({ tokenId: text, name: text }) }) } },
      post: {
        requestBody: content(object({ tokenId: text, name: text })),
        responses: { 201: content(text, 'text/plain') },
      },
    },
  },
  'records in attributes, of a media type of their own': articles,
  'records that are created below another, with an address of their own': {
    ...resource('stays', {
      record: stay,
      item: { delete: { parameters: [inPath('stayId')], responses: { 204: { description: 'Gone.' } } } },
    }),
    '/stays': {},
    '/rooms/{roomId}/stays': {
      get: {
        parameters: [{ ...inPath('roomId'), schema: text }],
        responses: { 200: content({ type: 'array', items: stay }), 404: failure },
      },
      post: {
        parameters: [{ ...inPath('roomId'), schema: text }],
        requestBody: content(object({ name: text })),
        responses: { 201: content(stay), 400: failure, 404: failure },
      },
    },
  },
  'a replacement that shows what it cannot change': resource('drives', {
    record: object({ id: integer, name: text, machine: integer }),
    sent: object({ name: text, machine: integer }, ['name']),
    item: {
      put: {
        parameters: [inPath('driveId')],
        requestBody: content(object({ name: text, machine: { ...integer, readOnly: true } }, ['name'])),
        responses: { 200: content(object({ id: integer, name: text, machine: integer })), 404: failure },
      },
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
};

test('the mock keeps state for what is odd in a contract, and a run has nothing to say against it', async () => {
  const { headlines, tested } = await runAgainstMock(Object.values(ODDITIES));
  expect(headlines).toEqual([]);
  // A service may show a lock only to those who name its folder.
  expect(tested).not.toContain('locks/records/list');
  expect(tested).toContain('locks/records/get');
  expect(tested).toContain('notes/records/create');
  expect(tested).toContain('crates/records/created-alone');
  expect(tested).toContain('plans/records/list');
  expect(tested).toContain('logins/changes/replace-new');
  expect(tested).toContain('articles/refusals/malformed');
  expect(tested).toContain('stays/records/list');
  // Three of them have two resources.
  expect(new Set(tested.map((id) => id.slice(0, id.indexOf('/')))).size).toBe(Object.keys(ODDITIES).length + 3);
});
