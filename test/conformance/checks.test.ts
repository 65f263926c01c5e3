import { describe, expect, test } from 'vitest';
import { checks } from '../../src/conformance/checks/index.js';
import { makeContext, SECRET, type Exchanged } from './support/check-context.js';

const rex = { id: 1, name: 'Rex', categoryId: 7, status: 'sold' };
const tom = { id: 2, name: 'Tom', categoryId: 7 };
const error = (status: number): object => ({ code: 'some_code', message: 'A message.', status });
const many = (count: number): object[] => Array.from({ length: count }, (_, index) => ({ ...tom, id: index + 1 }));
const created = (body: object, more: Exchanged = {}): Exchanged => ({
  operation: 'createPet',
  status: 201,
  body,
  sent: { json: { name: 'Rex', categoryId: 7, status: 'sold' } },
  ...more,
});
const fetched = (body: unknown, more: Exchanged = {}): Exchanged => ({
  operation: 'getPet',
  body,
  sent: { path: { petId: 1 } },
  ...more,
});

interface Trial {
  sound: Record<string, Exchanged>;
  /** With what the check says: `rule at`, or `needs`. */
  faulty: Record<string, [exchanged: Exchanged, ...says: string[]]>;
}

const trials: Record<string, Trial> = {
  answered: {
    sound: { 'an answer': {}, 'an exchange that the run itself gave up': { failure: 'interrupted' } },
    faulty: {
      'no answer in time': [{ failure: 'timeout' }, 'timeout response'],
      'a dropped connection': [{ failure: 'dropped' }, 'dropped response'],
      'half a body': [{ failure: 'incomplete' }, 'incomplete response'],
      'a body that never ends': [{ failure: 'too-large' }, 'too-large response'],
      'a coding that it is not': [{ failure: 'bad-encoding' }, 'bad-encoding response'],
    },
  },
  'server-error': {
    sound: { '200': {}, '404': fetched(error(404), { status: 404 }), 'no answer': { failure: 'timeout' } },
    faulty: {
      '500': [{ status: 500, body: error(500) }, 'no-5xx status'],
      '503 where anything goes': [{ status: 503, body: error(503), open: true }, 'no-5xx status'],
    },
  },
  status: {
    sound: {
      'the one that is expected': { expect: { status: 200 } },
      'one of several': fetched(error(404), { status: 404, expect: { status: [200, 404] } }),
      'one of a range': fetched(error(404), { status: 404, expect: { status: '4XX' } }),
      'none that is expected': { status: 418, body: error(418) },
      'any, where the contract leaves it open': { status: 422, body: error(422), open: true },
      'a 401 to a wrong key, where it is open': {
        status: 401,
        body: error(401),
        open: true,
        sent: { authorized: false },
      },
      'no answer': { failure: 'timeout', expect: { status: 200 } },
    },
    faulty: {
      'another one': [{ status: 206, expect: { status: 200 } }, 'expected status'],
      'a refusal of what is valid': [{ status: 400, body: error(400), expect: { status: 200 } }, 'expected status'],
      'another range': [{ status: 301, text: '', expect: { status: '4XX' } }, 'expected status'],
      'a valid key refused, where it is open': [{ status: 401, body: error(401), open: true }, 'key-refused status'],
      'a valid key forbidden, where it is open': [{ status: 403, body: error(403), open: true }, 'key-refused status'],
      'a create refused while no category is known': [
        created(error(400), { status: 400, expect: { status: 201 } }),
        'needs',
      ],
      'a create refused with a category that was seen': [
        created(error(400), {
          status: 400,
          expect: { status: 201 },
          memory: { category: { id: 7, source: 'seen' } },
        }),
        'expected status',
      ],
    },
  },
  'content-type': {
    sound: {
      'application/json': { body: [] },
      'in capitals, with UTF-8': { headers: { 'content-type': 'Application/JSON; Charset="UTF-8"' } },
      'US-ASCII, a part of UTF-8': { headers: { 'content-type': 'application/json;charset=us-ascii' } },
      'none without a body': { status: 204, text: '', headers: { 'content-type': undefined } },
      'anything for a path that is not in the contract': {
        operation: undefined,
        headers: { 'content-type': 'text/html' },
      },
    },
    faulty: {
      'text/html': [{ headers: { 'content-type': 'text/html' } }, 'media-type header/content-type'],
      'application/problem+json for an error': [
        fetched(error(404), { status: 404, headers: { 'content-type': 'application/problem+json' } }),
        'media-type header/content-type',
      ],
      absent: [{ headers: { 'content-type': undefined } }, 'media-type header/content-type'],
      'another charset': [
        { headers: { 'content-type': 'application/json; charset=latin1' } },
        'charset header/content-type',
      ],
    },
  },
  json: {
    sound: { 'a list': { body: [rex] }, 'white space around': { text: ' [] \n' }, 'no body': { text: '' } },
    faulty: {
      'something after it': [{ text: '[] 0' }, 'well-formed body'],
      'something before it': [{ text: ")]}',\n[]" }, 'well-formed body'],
      'a comma too many': [{ text: '[1,]' }, 'well-formed body'],
      'half of it': [{ text: '[{"id":1' }, 'well-formed body'],
      HTML: [{ text: '<html></html>' }, 'well-formed body'],
    },
  },
  body: {
    sound: {
      'a list': { body: [rex, tom] },
      'an int64': fetched({ ...rex, id: 9223372036854775807n, categoryId: -9223372036854775808n }),
      'fields beyond the contract': { body: [{ ...rex, owner: null }] },
      'an error': { status: 401, body: {} },
      'no body to HEAD': { method: 'HEAD', text: '' },
    },
    faulty: {
      'an object for a list': [{ body: { data: [] } }, 'type body'],
      'no body': [{ text: '' }, 'present body'],
      'no id': [fetched({ name: 'Rex', categoryId: 7 }), 'required body/id'],
      'an id that is a text': [fetched({ ...rex, id: '1' }), 'type body/id'],
      'a fraction': [fetched({ ...rex, categoryId: 1.5 }), 'type body/categoryId'],
      'past int64': [fetched({ ...rex, id: 9223372036854775808n }), 'format body/id'],
      'null for a status': [created({ ...rex, status: null }), 'type body/status', 'enum body/status'],
      'an unknown status': [{ body: [tom, { ...rex, status: 'SOLD' }] }, 'enum body/1/status'],
    },
  },
  'error-body': {
    sound: {
      'a 404': fetched(error(404), { status: 404 }),
      'a 500': { status: 500, body: error(500) },
      'a 418, which nobody documented': { status: 418, body: error(418) },
      'a success': { body: [rex] },
      'a 401 to HEAD': { method: 'HEAD', status: 401, text: '' },
    },
    faulty: {
      'no body': [{ status: 401, text: '' }, 'present body'],
      'no code': [{ status: 401, body: { message: 'No.', status: 401 } }, 'required body/code'],
      'a message that is null': [{ status: 401, body: { ...error(401), message: null } }, 'type body/message'],
      'the status as a text': [{ status: 401, body: { ...error(401), status: '401' } }, 'type body/status'],
      'another status': [{ status: 401, body: error(403) }, 'status body/status'],
      'a list of errors': [created([error(400)], { status: 400 }), 'type body'],
    },
  },
  'no-body': {
    sound: {
      '204 with nothing': { status: 204, text: '' },
      '204 with a length of 0': { status: 204, text: '', headers: { 'content-length': '0' } },
      '304 with the length of what it stands for': { status: 304, text: '', headers: { 'content-length': '12' } },
    },
    faulty: {
      '204 with a length': [{ status: 204, text: '', headers: { 'content-length': '2' } }, 'no-content body'],
      '204 in chunks': [{ status: 204, text: '', headers: { 'transfer-encoding': 'chunked' } }, 'no-content body'],
    },
  },
  'unique-ids': {
    sound: { 'two animals': { body: [rex, tom] }, 'two without an id': { body: [{}, {}] } },
    faulty: {
      'one animal twice': [{ body: [rex, tom, rex] }, 'unique body/2/id'],
      'a large id twice': [
        {
          body: [
            { ...rex, id: 9223372036854775807n },
            { ...tom, id: 9223372036854775807n },
          ],
        },
        'unique body/1/id',
      ],
    },
  },
  'stored-once': {
    sound: {
      'as often as it was sent': {
        body: [
          { ...rex, name: 'CfMarkaa' },
          { ...tom, name: 'CfMarkaa' },
        ],
        memory: { sentNames: new Map([['CfMarkaa', 2]]) },
      },
      'names of others': { body: [rex, { ...rex, id: 3 }] },
    },
    faulty: {
      'twice, sent once': [
        {
          body: [
            { ...rex, name: 'CfMarkaa' },
            { ...tom, name: 'CfMarkaa' },
          ],
          memory: { sentNames: new Map([['CfMarkaa', 1]]) },
        },
        'once body/1',
      ],
    },
  },
  limit: {
    sound: {
      'as many as asked for': { body: many(3), sent: { query: { limit: 3 } } },
      'as many as the default': { body: many(20) },
      'as many as the maximum, where the limit is odd': { body: many(100), sent: { validParameters: false } },
      'one animal': fetched(rex),
    },
    faulty: {
      'one more than asked for': [{ body: many(4), sent: { query: { limit: 3 } } }, 'asked body'],
      'one more than the default': [{ body: many(21) }, 'default body'],
      'one more than the maximum': [{ body: many(101), sent: { validParameters: false } }, 'maximum body'],
    },
  },
  filter: {
    sound: {
      'those asked for': { body: [rex], sent: { query: { status: 'sold' } } },
      'no filter': { body: [rex, tom] },
      'an odd filter': { body: [rex], sent: { query: { status: 'x' }, validParameters: false } },
    },
    faulty: {
      'another status': [{ body: [rex], sent: { query: { status: 'pending' } } }, 'status body/0/status'],
      'no status': [{ body: [rex, tom], sent: { query: { status: 'sold' } } }, 'status body/1/status'],
      'the status in capitals': [
        { body: [{ ...rex, status: 'SOLD' }], sent: { query: { status: 'sold' } } },
        'status body/0/status',
      ],
    },
  },
  'right-animal': {
    sound: {
      'the one asked for': fetched(rex),
      'not found': fetched(error(404), { status: 404 }),
      'no id': fetched({}),
    },
    faulty: {
      'another one': [fetched(tom), 'id body/id'],
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
      'an animal that is fetched': fetched(tom, { sent: { json: rex } }),
    },
    faulty: {
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
    },
    faulty: {
      'an id that was seen before': [created(rex, { memory: { seenIds: new Map([[1, 999]]) } }), 'unique body/id'],
    },
  },
  'same-animal': {
    sound: {
      'as it was created': { body: [rex, tom], memory: { created: [rex, tom] } },
      'one of somebody else': { body: [rex], memory: { created: [tom] } },
      'one with a field of its own': fetched({ ...rex, views: 2 }, { memory: { created: [rex] } }),
    },
    faulty: {
      'another name in a list': [
        { body: [tom, { ...rex, name: 'REX' }], memory: { created: [rex] } },
        'name body/1/name',
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
    faulty: {
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
    },
    faulty: {
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
    faulty: {
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
    faulty: {
      'too few': [{ body: [], expect: { body: { minItems: 1 } } }, 'minItems body'],
      'another value': [
        fetched(rex, { expect: { body: { properties: { status: { const: 'pending' } } } } }),
        'const body/status',
      ],
    },
  },
  equals: {
    sound: {
      'the same': fetched(rex, { expect: { equals: rex } }),
      'with a field of its own': fetched({ ...rex, views: 2 }, { expect: { equals: rex } }),
      'nothing to compare with': fetched(rex),
    },
    faulty: {
      'another category': [
        fetched({ ...rex, categoryId: 8 }, { expect: { equals: rex } }),
        'categoryId body/categoryId',
      ],
      'a text for a number': [fetched({ ...rex, id: '1' }, { expect: { equals: rex } }), 'id body/id'],
    },
  },
  contains: {
    sound: {
      'each one': { body: [tom, rex], expect: { contains: { animals: [rex] } } },
      'each with the status': { body: [rex], expect: { contains: { animals: [rex, tom], status: 'sold' } } },
    },
    faulty: {
      'not in a list that is complete': [
        { body: [tom], sent: { query: { limit: 100 } }, expect: { contains: { animals: [rex] } } },
        'present body',
      ],
      'not on a full page': [
        { body: [tom], sent: { query: { limit: 1 } }, expect: { contains: { animals: [rex] } } },
        'needs',
      ],
      'with another name': [
        { body: [{ ...rex, name: 'Max' }], expect: { contains: { animals: [rex] } } },
        'name body/0/name',
      ],
    },
  },
  page: {
    sound: {
      full: { body: many(2), expect: { page: { limit: 2, of: many(5) } } },
      'as many as there are': { body: many(2), expect: { page: { limit: 3, of: many(2) } } },
    },
    faulty: {
      'one too few': [{ body: many(2), expect: { page: { limit: 3, of: many(5) } } }, 'full body'],
      'no animals at all': [{ body: [], expect: { page: { limit: 3, of: [] } } }, 'needs'],
    },
  },
  covers: {
    sound: {
      'just those': { body: [rex], expect: { covers: { all: [rex, tom], status: 'sold' } } },
      'a full page': {
        body: [rex],
        sent: { query: { limit: 1 } },
        expect: { covers: { all: [rex, { ...rex, id: 3 }], status: 'sold' } },
      },
    },
    faulty: {
      'one missing': [{ body: [], expect: { covers: { all: [rex, tom], status: 'sold' } } }, 'missing body'],
      'one too many': [
        { body: [rex, { ...rex, id: 3 }], expect: { covers: { all: [rex], status: 'sold' } } },
        'surplus body',
      ],
    },
  },
  'none-refused': {
    sound: {
      'none of them': { body: [rex], expect: { noneRefused: true }, memory: { refusedNames: new Set(['CfMarkab']) } },
    },
    faulty: {
      'one of them': [
        { body: [{ ...rex, name: 'CfMarkab' }], memory: { refusedNames: new Set(['CfMarkab']) } },
        'refused body/0',
      ],
      'a full page': [{ body: [rex], sent: { query: { limit: 1 } }, expect: { noneRefused: true } }, 'needs'],
    },
  },
};

function judge(id: string, exchanged: Exchanged): string[] {
  const outcomes = checks.find((check) => check.id === id)?.run(makeContext(exchanged)) ?? [];
  return outcomes.map((outcome) => {
    if ('needs' in outcome) return 'needs';
    return `${outcome.rule} ${outcome.at}${outcome.severity === 'information' ? ' (information)' : ''}`;
  });
}

test('every check is tried on sound and on faulty exchanges', () => {
  expect(Object.keys(trials).toSorted()).toEqual(checks.map(({ id }) => id).toSorted());
  for (const { sound, faulty } of Object.values(trials)) {
    expect(Object.keys(sound)).not.toHaveLength(0);
    expect(Object.keys(faulty)).not.toHaveLength(0);
  }
});

describe.each(Object.entries(trials))('the check %s', (id, { sound, faulty }) => {
  test.each(Object.entries(sound))('finds nothing wrong: %s', (_, exchanged) => {
    expect(judge(id, exchanged)).toEqual([]);
  });

  test.each(Object.entries(faulty))('is red: %s', (_, [exchanged, ...says]) => {
    expect(judge(id, exchanged)).toEqual(says);
  });

  test('gives the same outcomes for the same exchange', () => {
    for (const [exchanged] of Object.values(faulty)) {
      const context = makeContext(exchanged);
      const check = checks.find((each) => each.id === id);
      expect(check?.run(context)).toEqual(check?.run(context));
    }
  });

  test('names a rule that the contract has, where it names one', () => {
    for (const [exchanged] of Object.values(faulty)) {
      const context = makeContext(exchanged);
      for (const outcome of checks.find((each) => each.id === id)?.run(context) ?? []) {
        if ('needs' in outcome || outcome.contractPointer === undefined) continue;
        expect(context.contract.document.at(outcome.contractPointer), outcome.contractPointer).toBeDefined();
      }
    }
  });
});
