import type { OwnRecord } from '../../../src/conformance/judge/target-memory.js';
import { loadContract } from '../../../src/contract/contract.js';
import { packageFile } from '../../../src/package-files.js';
import type { Exchanged } from './check-context.js';
import { many, type CheckExamples } from './check-examples.js';

const ann = { id: '3f2b8c4e-9d1a-4e7b-8c55-000000000001', name: 'Ann', tier: 'basic', points: 3, tags: ['a', 'b'] };
const OTHER_ID = '3f2b8c4e-9d1a-4e7b-8c55-000000000002';
const OWN: OwnRecord = { key: ann.id, sent: ann, kept: new Set(['name', 'points', 'tags']), since: 0 };

/** At the customers of a shop, of whom the run has created one. */
function inShop(exchanged: Exchanged): Exchanged {
  const own = new Map([[`customers\n${ann.id}`, OWN]]);
  return { contract: shop, operation: 'browseCustomers', memory: { own }, ...exchanged };
}

const zoe = { ...ann, name: 'cfxyabc' };

/** Of whom the run has created one with a text of its own, which it has sent so many times. */
function withText(times: number, other: object, isChanged = false): Exchanged {
  const name = `customers\n${zoe.id}`;
  const own = new Map(isChanged ? [] : [[name, { ...OWN, sent: zoe }]]);
  return inShop({
    body: { data: [zoe, { ...zoe, id: OTHER_ID, ...other }] },
    memory: { mark: 'cfxy', own, created: new Set([name]), sentTexts: new Map([[zoe.name, times]]) },
  });
}

const shop = loadContract(packageFile('test/conformance/subjects/shop.openapi.yaml'));

/** Answers that show a record of the run's own, whoever asked for them. */
export const ownRecordExamples: Record<string, CheckExamples> = {
  'own-records': {
    sound: {
      'as it was sent': inShop({ body: { data: [ann], nextCursor: null } }),
      'a change of what the service may have moved on': inShop({ body: { data: [{ ...ann, tier: 'gold' }] } }),
      'a record that somebody else created': inShop({ body: { data: [{ ...ann, id: OTHER_ID, name: 'Bob' }] } }),
      'another record with a text that was sent twice': withText(2, {}),
      'another record with another text': withText(1, { name: 'Bob' }),
      'another record with the text elsewhere': withText(1, { name: 'Bob', nickname: zoe.name }),
      'an answer to what was asked before it was created': inShop({
        body: { data: [{ ...ann, name: 'An' }] },
        memory: { own: new Map([[`customers\n${ann.id}`, { ...OWN, since: 2000 }]]) },
      }),
      'items of a set in another order': inShop({ body: { data: [{ ...ann, tags: ['b', 'a'] }] } }),
      'as many as asked for': { body: many(3), sent: { query: { limit: 3 } } },
      'as many as the default': { body: many(20) },
      'more than the maximum, where the limit is odd': { body: many(101), sent: { validParameters: false } },
      'another key': inShop({
        operation: 'signUp',
        status: 201,
        body: { data: { ...ann, id: OTHER_ID } },
        sent: { json: ann },
      }),
    },
    broken: {
      'another value in a list': [inShop({ body: { data: [{ ...ann, name: 'Ann Lee' }] } }), 'name body/data/0/name'],
      'another value in a fetch': [
        inShop({
          operation: 'readCustomer',
          body: { data: { ...ann, points: 4 } },
          sent: { path: { customerId: ann.id } },
        }),
        'points body/data/points',
      ],
      'a record twice': [inShop({ body: { data: [ann, ann] } }), 'distinct body/data/1/id'],
      'another record with a text that was sent once': [withText(1, {}), 'once body/data/1/name'],
      'another record with a text that was sent once, in a change': [withText(1, {}, true), 'once body/data/1/name'],
      'one more than asked for': [{ body: many(4), sent: { query: { limit: 3 } } }, 'limit body'],
      'one more than the default': [{ body: many(21) }, 'limit body'],
      'the key of another record': [
        inShop({
          operation: 'signUp',
          status: 201,
          body: { data: ann },
          sent: { json: { name: 'Bob', tier: 'basic' } },
        }),
        'new-key body/data/id',
      ],
    },
  },
};
