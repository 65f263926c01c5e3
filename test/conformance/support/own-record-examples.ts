import type { CreatedRecord, RecordLedger } from '../../../src/conformance/ledger/record-ledger.js';
import { readSubjects, type Subject } from '../../../src/conformance/resources/resource-under-test.js';
import { loadContract } from '../../../src/contract/contract.js';
import { packageFile } from '../../../src/package-files.js';
import type { Exchanged } from './check-context.js';
import { many, type CheckExamples } from './check-examples.js';

const shop = loadContract(packageFile('test/conformance/resources/shop.openapi.yaml'));
const customers = readSubjects(shop).find(({ name }) => name === 'customers') as Subject;
const ann = { id: '3f2b8c4e-9d1a-4e7b-8c55-000000000001', name: 'Ann', tier: 'basic', points: 3, tags: ['a', 'b'] };
const OTHER_ID = '3f2b8c4e-9d1a-4e7b-8c55-000000000002';
const OWN: CreatedRecord = { key: ann.id, sent: ann, kept: new Set(['name', 'points', 'tags']), since: 0 };

/** At the customers of a shop, of whom the run has created one. */
function inShop(exchanged: Exchanged): Exchanged {
  return { contract: shop, operation: 'browseCustomers', knows: (ledger) => create(ledger, OWN), ...exchanged };
}

const signedUp = (data: object, json: object): Exchanged =>
  inShop({ operation: 'signUp', status: 201, body: { data }, sent: { json } });

const zoe = { ...ann, name: 'cfxyabc' };

/** Of whom the run has created one with a text of its own, which it has sent so many times. */
function withText(times: number, other: object, { isChanged = false, isKey = false } = {}): Exchanged {
  return inShop({
    body: { data: [zoe, { ...zoe, id: OTHER_ID, ...other }] },
    mark: 'cfxy',
    knows: (ledger) => {
      create(ledger, isChanged ? undefined : { ...OWN, sent: zoe });
      ledger.texts.noteSent(zoe.name, times);
      // The text is the key of another record that the run has created, such as a parent.
      if (isKey) ledger.notePresent(ledger.entryOf(customers, {}, zoe.name));
    },
  });
}

/** The run has created Ann, and changed her since where it expects nothing of her. */
function create(ledger: RecordLedger, expected: CreatedRecord | undefined): void {
  const entry = ledger.entryOf(customers, { customerId: ann.id }, ann.id);
  ledger.notePresent(entry);
  ledger.noteExpected(entry, expected);
}

/** Answers that show a record of the run's own, whoever asked for them. */
export const ownRecordExamples: Record<string, CheckExamples> = {
  'own-records': {
    sound: {
      'as it was sent': inShop({ body: { data: [ann], nextCursor: null } }),
      'a change of what the service may have moved on': inShop({ body: { data: [{ ...ann, tier: 'gold' }] } }),
      'another record with a text that was sent twice': withText(2, {}),
      'another record with a text that is the key of a created record': withText(1, {}, { isKey: true }),
      'another record with another text': withText(1, { name: 'Bob' }),
      'an answer to what was asked before it was created': inShop({
        body: { data: [{ ...ann, name: 'An' }] },
        knows: (ledger) => create(ledger, { ...OWN, since: 2000 }),
      }),
      'items of a set in another order': inShop({ body: { data: [{ ...ann, tags: ['b', 'a'] }] } }),
      'as many as the default': { body: many(20) },
      'more than the maximum, where the limit is odd': { body: many(101), sent: { validParameters: false } },
    },
    broken: {
      'another value in a list': [inShop({ body: { data: [{ ...ann, name: 'Ann Lee' }] } }), 'name body/data/0/name'],
      'a record twice': [inShop({ body: { data: [ann, ann] } }), 'distinct body/data/1/id'],
      'another record with a text that was sent once': [withText(1, {}), 'once body/data/1/name'],
      'one more than asked for': [{ body: many(4), sent: { query: { limit: 3 } } }, 'limit body'],
      'the key of another record': [signedUp(ann, { name: 'Bob', tier: 'basic' }), 'new-key body/data/id'],
    },
  },
};
