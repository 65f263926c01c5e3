import { error, fetched, many, rex, tom, type CheckExamples } from './check-examples.js';

/** For the checks that scenarios ask for by a keyword. */
export const keywordExamples: Record<string, CheckExamples> = {
  equals: {
    sound: {
      'the same': fetched(rex, { expect: { equals: rex } }),
      'with a field of its own': fetched({ ...rex, views: 2 }, { expect: { equals: rex } }),
      'nothing to compare with': fetched(rex),
    },
    broken: {
      'another category': [
        fetched({ ...rex, categoryId: 8 }, { expect: { equals: rex } }),
        'categoryId body/categoryId',
      ],
      'a text for a number': [fetched({ ...rex, id: '1' }, { expect: { equals: rex } }), 'id body/id'],
    },
  },
  contains: {
    sound: {
      'each one': { body: [tom, rex], expect: { contains: { pets: [rex] } } },
      'each with the status': { body: [rex], expect: { contains: { pets: [rex, tom], status: 'sold' } } },
    },
    broken: {
      'not in a list that is complete': [
        { body: [tom], sent: { query: { limit: 100 } }, expect: { contains: { pets: [rex] } } },
        'present body',
      ],
      'not on a full page': [
        { body: [tom], sent: { query: { limit: 1 } }, expect: { contains: { pets: [rex] } } },
        'needs',
      ],
      'none of which belongs into the list': [
        { body: [rex], expect: { contains: { pets: [rex], status: 'pending' } } },
        'needs',
      ],
      'with another name': [
        { body: [{ ...rex, name: 'Max' }], expect: { contains: { pets: [rex] } } },
        'name body/0/name',
      ],
    },
  },
  page: {
    sound: {
      full: { body: many(2), expect: { page: { limit: 2, of: many(5) } } },
      'as many as there are, when it is to have all': {
        body: many(2),
        expect: { page: { limit: 3, of: many(2), whole: true } },
      },
    },
    broken: {
      'as many as there are, when there are no more than the limit': [
        { body: many(3), expect: { page: { limit: 3, of: many(3) } } },
        'needs',
      ],
      'one too few': [{ body: many(2), expect: { page: { limit: 3, of: many(5) } } }, 'full body (information)'],
      'one too few, strictly': [
        { body: many(2), expect: { page: { limit: 3, of: many(5) } }, strict: true },
        'full body',
      ],
      'no pets at all': [{ body: [], expect: { page: { limit: 3, of: [] } } }, 'needs'],
    },
  },
  covers: {
    sound: {
      'just those': { body: [rex], expect: { covers: { all: [rex, tom], status: 'sold' } } },
      'those of a full page of the whole list': {
        body: [rex],
        sent: { query: { limit: 2 } },
        expect: { covers: { all: [rex, tom], status: 'sold' } },
      },
    },
    broken: {
      'a full page of a longer list': [
        {
          body: [rex],
          sent: { query: { limit: 1 } },
          expect: { covers: { all: [rex, { ...rex, id: 3 }], status: 'sold' } },
        },
        'needs',
      ],
      'one missing': [{ body: [], expect: { covers: { all: [rex, tom], status: 'sold' } } }, 'missing body'],
      'of a full page of others': [
        { body: [], sent: { query: { limit: 1 } }, expect: { covers: { all: [tom], status: 'sold' } } },
        'needs',
      ],
      'one too many': [
        { body: [rex, { ...rex, id: 3 }], expect: { covers: { all: [rex], status: 'sold' } } },
        'surplus body',
      ],
    },
  },
  listed: {
    sound: {
      'one that the list has': fetched(rex, { expect: { listed: { in: [tom, rex], limit: 100 } } }),
      'one that is not there': fetched(error(404), {
        status: 404,
        expect: { status: [200, 404], listed: { in: [tom], limit: 100 } },
      }),
      'no expectation': fetched(rex),
    },
    broken: {
      'one that the list does not have': [
        fetched(rex, { expect: { listed: { in: [tom], limit: 100 } } }),
        'present body/id',
      ],
      'a list that may go on': [fetched(rex, { expect: { listed: { in: [tom], limit: 1 } } }), 'needs'],
      'a list as long as the target serves': [
        fetched(rex, { memory: { servedLimit: 1 }, expect: { listed: { in: [tom], limit: 100 } } }),
        'needs',
      ],
    },
  },
  'left-behind': {
    sound: {
      'the same pets': { body: [rex], expect: { nothingNew: { since: [rex, tom] } } },
      'one that the run created': {
        body: [rex, tom],
        memory: { created: [tom] },
        expect: { nothingNew: { since: [rex] } },
      },
      'one that was created though the contract refuses it': {
        body: [rex, tom],
        memory: { answeredIds: new Set([2]) },
        expect: { nothingNew: { since: [rex] } },
      },
      'one whose creation is under way': {
        body: [rex, tom],
        memory: { sentNames: new Map([['Tom', 1]]) },
        expect: { nothingNew: { since: [rex] } },
      },
      'no pet under an id': fetched(error(404), {
        status: 404,
        expect: { status: [200, 404], nothingNew: { since: [rex] } },
      }),
      'an Error body, whatever its status': fetched(error(404), { expect: { nothingNew: { since: [rex] } } }),
      'a pet whose creation did not say its id': fetched(
        { ...tom, name: 'Cfaab' },
        { memory: { mark: 'Cf', takenNames: new Set(['Cfaab']) }, expect: { nothingNew: { since: [rex] } } },
      ),
    },
    broken: {
      'one that nobody created, under its id': [fetched(tom, { expect: { nothingNew: { since: [rex] } } }), 'new body'],
      'one that nobody created, without its id': [
        fetched({ name: 'Tom' }, { sent: { path: { petId: 2 } }, expect: { nothingNew: { since: [rex] } } }),
        'new body',
      ],
      'a body without a pet': [fetched(null, { expect: { nothingNew: { since: [rex] } } }), 'needs'],
      'one that was refused, under its id': [
        fetched(
          { ...tom, name: 'Cfaab' },
          { memory: { mark: 'Cf', sentNames: new Map([['Cfaab', 1]]) }, expect: { nothingNew: { since: [rex] } } },
        ),
        'new body',
      ],
      'one that nobody created': [{ body: [rex, tom], expect: { nothingNew: { since: [rex] } } }, 'new body/1'],
      'a list that may go on': [
        { body: [rex, tom], sent: { query: { limit: 2 } }, expect: { nothingNew: { since: [rex] } } },
        'needs',
      ],
    },
  },
  'none-refused': {
    sound: {
      'none of them': {
        body: [rex],
        expect: { noRefusedPets: true },
        memory: { refusedNames: new Map([['CfMarkab', 'createPet']]) },
      },
    },
    broken: {
      'one of them': [
        { body: [{ ...rex, name: 'CfMarkab' }], memory: { refusedNames: new Map([['CfMarkab', 'createPet']]) } },
        'refused body/0',
      ],
      'a full page': [
        {
          body: [rex],
          sent: { query: { limit: 1 } },
          expect: { noRefusedPets: true },
          memory: { refusedNames: new Map([['CfMarkab', 'createPet']]) },
        },
        'needs',
      ],
      'nothing was refused': [{ body: [rex], expect: { noRefusedPets: true } }, 'needs'],
    },
  },
};
