import { parseJson } from '../../../src/contract/document/json.js';
import { shippedContract } from '../../support/shipped.js';
import { SECRET } from './check-context.js';
import { created, error, fetched, rex, tom, type CheckExamples } from './check-examples.js';

function parse(text: string): Record<string, unknown> {
  const result = parseJson(text);
  return result.ok ? (result.value as Record<string, unknown>) : {};
}

/** For the checks on what a message means, beside others of the run. */
export const meaningExamples: Record<string, CheckExamples> = {
  'right-pet': {
    sound: {
      'the one asked for': fetched(rex),
      'not found': fetched(error(404), { status: 404 }),
      'no id': fetched({}),
      'a record within it': fetched({ petId: 1, category: { id: 7, name: 'Dogs' } }),
    },
    broken: {
      'another one': [fetched(tom), 'id body/id'],
      'another one, in a list of its own': [fetched([tom]), 'id body/0/id'],
      'another one, in a text': [fetched(JSON.stringify(tom)), 'id body/id'],
      'one whose id is rounded': [
        fetched({ ...rex, id: 9007199254740992 }, { sent: { path: { petId: 9007199254740993n } } }),
        'id body/id',
      ],
    },
  },
  echo: {
    sound: {
      'every field': created(rex),
      'a status that was not sent': created(rex, { sent: { json: { name: 'Rex', categoryId: 7 } } }),
      'a refusal': created(error(400), { status: 400 }),
      'a pet that is fetched': fetched(tom, { sent: { json: rex } }),
      'a number that is written otherwise': created(parse('{"id":1,"name":"Rex","categoryId":1e+300}'), {
        sent: { json: parse('{"name":"Rex","categoryId":1e300}') },
      }),
      'a number that was sent as a text, and should have been refused': created(rex, {
        sent: {
          json: { name: 'Rex', categoryId: '7', status: 'sold' },
          violations: shippedContract.validate.value('/components/schemas/NewPet', { name: 'Rex', categoryId: '7' }),
        },
      }),
    },
    broken: {
      'another name': [created({ ...rex, name: 'rex' }), 'name body/name'],
      'another status': [created({ ...rex, status: 'available' }), 'status body/status'],
      'no status': [created({ id: 1, name: 'Rex', categoryId: 7 }), 'status body/status'],
      'a rounded category': [
        created(
          { ...tom, categoryId: 9007199254740992 },
          { sent: { json: { name: 'Tom', categoryId: 9007199254740993n } } },
        ),
        'categoryId body/categoryId',
      ],
    },
  },
  'new-id': {
    sound: {
      'an id never seen': created(rex),
      'an id that a list showed meanwhile': created(rex, { memory: { seenIds: new Map([[1, 1001]]) } }),
      'no id': created({ name: 'Rex' }),
      'an id that is null, as another one': created(
        { ...rex, id: null },
        { memory: { created: [{ ...tom, id: null }] } },
      ),
      'an id that no other pet was given': created(rex, { memory: { created: [tom] } }),
    },
    broken: {
      'an id that was given before': [created(rex, { memory: { created: [rex] } }), 'given-twice body/id'],
      'such an id in an envelope': [created({ data: rex }, { memory: { created: [rex] } }), 'given-twice body/data/id'],
      'an id that was seen before': [created(rex, { memory: { seenIds: new Map([[1, 999]]) } }), 'unique body/id'],
    },
  },
  'same-pet': {
    sound: {
      'as it was created': { body: [rex, tom], memory: { created: [rex, tom] } },
      'one of somebody else': { body: [rex], memory: { created: [tom] } },
      'two whose ids are null': fetched({ ...rex, id: null }, { memory: { created: [{ ...tom, id: null }] } }),
      'either of two with one id': { body: [rex, { ...tom, id: 1 }], memory: { created: [rex, { ...tom, id: 1 }] } },
      'one with a field of its own': fetched({ ...rex, views: 2 }, { memory: { created: [rex] } }),
      'a number that is written otherwise': fetched(parse('{"id":1,"name":"Rex","categoryId":1e+300}'), {
        memory: { created: [parse('{"id":1,"name":"Rex","categoryId":1e300}')] },
      }),
    },
    broken: {
      'another name of a pet whose id nothing holds exactly': [
        fetched(parse('{"id":1e+300,"name":"REX"}'), { memory: { created: [parse('{"id":1e300,"name":"Rex"}')] } }),
        'name body/name',
      ],
      'another name in a list': [
        { body: [tom, { ...rex, name: 'REX' }], memory: { created: [rex] } },
        'name body/1/name',
      ],
      'neither of two with one id': [
        fetched({ ...rex, name: 'REX' }, { memory: { created: [{ ...tom, id: 1 }, rex] } }),
        'name body/name',
      ],
      'a status gone': [
        fetched({ id: 1, name: 'Rex', categoryId: 7 }, { memory: { created: [rex] } }),
        'status body/status',
      ],
      'a status come': [fetched({ ...tom, status: 'sold' }, { memory: { created: [tom] } }), 'status body/status'],
    },
  },
  'key-echo': {
    sound: { 'no key': { body: [rex], headers: { 'x-request-id': '1' } }, 'no answer': { failure: 'dropped' } },
    broken: {
      'in the body': [{ status: 401, body: { ...error(401), message: `not ${SECRET}` } }, 'body body'],
      'in a header field': [{ headers: { 'x-user': `u=${SECRET}` } }, 'header header/x-user'],
      'in a body that is no JSON': [{ text: `<p>${SECRET}</p>` }, 'body body'],
    },
  },
  'extra-fields': {
    sound: {
      'the fields of the contract': { body: [rex, tom] },
      'those of an error': { status: 401, body: error(401), strict: true },
      'a path that is not in the contract': { operation: undefined, body: { a: 1 }, strict: true },
      'an object in place of a list': { body: { 7: rex }, strict: true },
    },
    broken: {
      'a field in a list': [{ body: [{ ...rex, owner: 'Ann' }] }, 'owner body/0/owner (information)'],
      'a field, strictly': [fetched({ ...rex, owner: 'Ann' }, { strict: true }), 'owner body/owner'],
      'a field of an error, strictly': [
        { status: 401, body: { ...error(401), path: '/' }, strict: true },
        'path body/path',
      ],
    },
  },
  headers: {
    sound: {
      'one that fits': { headers: { sunset: 'Thu' }, expect: { headers: { Sunset: { type: 'string' } } } },
      'none that is wanted': {},
      'one that must be absent': { expect: { headers: { Sunset: { type: 'null' } } } },
    },
    broken: {
      'one that does not fit': [
        { headers: { sunset: 'Thu' }, expect: { headers: { Sunset: { pattern: '^Fri' } } } },
        'pattern header/sunset',
      ],
      'one that is missing': [{ expect: { headers: { Sunset: { type: 'string' } } } }, 'type header/sunset'],
    },
  },
  'expected-body': {
    sound: {
      'a body that fits': { body: [rex], expect: { body: { minItems: 1 } } },
      'no expectation': { body: [] },
    },
    broken: {
      'too few': [{ body: [], expect: { body: { minItems: 1 } } }, 'minItems body'],
      'another value': [
        fetched(rex, { expect: { body: { properties: { status: { const: 'pending' } } } } }),
        'const body/status',
      ],
    },
  },
};
