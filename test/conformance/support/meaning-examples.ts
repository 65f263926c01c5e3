import { SECRET } from './check-context.js';
import { error, fetched, rex, tom, type CheckExamples } from './check-examples.js';

/** For the checks on what a message means, beside others of the run. */
export const meaningExamples: Record<string, CheckExamples> = {
  equals: {
    sound: {
      'the same': fetched(rex, { expect: { equals: rex } }),
      'nothing to compare with': fetched(rex),
    },
    broken: {
      'another category': [
        fetched({ ...rex, categoryId: 8 }, { expect: { equals: rex } }),
        'categoryId body/categoryId',
      ],
    },
  },
  'key-echo': {
    sound: { 'no key': { body: [rex], headers: { 'x-request-id': '1' } }, 'no response': { failure: 'dropped' } },
    broken: {
      'in the body': [{ status: 401, body: { ...error(401), message: `not ${SECRET}` } }, 'body body'],
      'in a header field': [{ headers: { 'x-user': `u=${SECRET}` } }, 'header header/x-user'],
    },
  },
  'extra-fields': {
    sound: {
      'the fields of the contract': { body: [rex, tom] },
      'those of an error': { status: 401, body: error(401), strict: true },
      'a path that is not in the contract': { operation: undefined, body: { a: 1 }, strict: true },
    },
    broken: {
      'a field in a list': [{ body: [{ ...rex, owner: 'Ann' }] }, 'owner body/0/owner (information)'],
      'a field, strictly': [fetched({ ...rex, owner: 'Ann' }, { strict: true }), 'owner body/owner'],
    },
  },
  headers: {
    sound: {
      'one that fits': { headers: { sunset: 'Thu' }, expect: { headers: { Sunset: { type: 'string' } } } },
      'none that is wanted': {},
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
    sound: { 'a body that fits': { body: [rex], expect: { body: { minItems: 1 } } }, 'no expectation': { body: [] } },
    broken: {
      'too few': [{ body: [], expect: { body: { minItems: 1 } } }, 'minItems body'],
    },
  },
};
