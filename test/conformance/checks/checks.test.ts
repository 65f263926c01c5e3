// What a run can hardly show of a check: what it leaves alone, what it cannot tell, and rare forms of what is wrong. Its plain
// faults are those of the mutants, and of `only-check.test.ts` beside this.
import { expect, test } from 'vitest';
import type { CheckOutcome } from '../../../src/conformance/checks/check.js';
import { checks } from '../../../src/conformance/checks/index.js';
import type { CreatedRecord, RecordLedger, Representation } from '../../../src/conformance/ledger/record-ledger.js';
import type { AskedPage, Invented, RecordPlace } from '../../../src/conformance/model/exchange.js';
import { readSubjects, type Subject } from '../../../src/conformance/resources/resource-under-test.js';
import { loadContract } from '../../../src/contract/contract.js';
import { packageFile } from '../../../src/package-files.js';
import { parseContract } from '../../support/parse-contract.js';
import { makeContext, SECRET, tell, type Exchanged } from '../support/check-context.js';

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
const refused = (status: number, more: Exchanged = {}): Exchanged => ({ status, body: error(status), ...more });
const typed = (type: string | undefined, more: Exchanged = {}): Exchanged => ({
  headers: { 'content-type': type },
  ...more,
});
const empty = (status: number, headers: Exchanged['headers'] = {}): Exchanged => ({ status, text: '', headers });

const fields = ['categoryId'];
const needs = 'a category that exists';
const CATEGORY: Invented = { of: 'pets', at: '', fields, references: fields, choices: [], needs };
const uncreated = (more: Exchanged = {}): Exchanged =>
  created(error(400), { status: 400, expect: { status: 201 }, invented: CATEGORY, ...more });

const BODY = `{ content: { application/json: { schema: { type: object, properties: { code: { type: string } } } } } }`;
const STATED = `responses: { '200': { description: In. }, '401': { description: Wrong. } }`;
const LOGIN = parseContract(
  `openapi: 3.0.3
info: { title: T, version: '1' }
security: [{ key: [] }]
paths:
  /sign-in: { post: { operationId: enter, security: [], requestBody: ${BODY}, ${STATED} } }
  /things: { post: { operationId: addThing, requestBody: ${BODY}, ${STATED} } }
components: { securitySchemes: { key: { type: http, scheme: bearer } } }
`,
  { shownAs: 'login.yaml' },
);
/** An operation of the contract with a login that refuses what was sent. */
const notIn = (operation: string, json: object, more: Exchanged): Exchanged =>
  refused(401, { contract: LOGIN, operation, sent: { json }, ...more });

const PLACE: RecordPlace = { at: '', keyProperty: 'id', fields: ['name', 'categoryId', 'status'] };
const DATA: RecordPlace = { ...PLACE, at: '/data' };
/** A record that is fetched, of which rules are asked. */
const got = (body: unknown, rules: object, more: Exchanged = {}): Exchanged => ({
  operation: 'getPet',
  body,
  expect: { record: { ...PLACE, ...rules } },
  ...more,
});
const STATES = { states: { status: 'available' } };

function asPage(page: Partial<AskedPage> = {}, at = ''): AskedPage {
  const walk = { kind: 'offset', parameter: undefined, first: 0, at, length: 5, atMost: 3 } as const;
  return { turn: null, before: [], isLast: false, walk, ...page };
}
/** A list of which rules are asked. */
const listed = (body: unknown, rules: object, more: Exchanged = {}): Exchanged => ({
  body,
  ...more,
  expect: { records: { ...PLACE, ...rules } },
});
/** One that cannot be read on. */
const whole = (body: unknown, rules: object, more: Exchanged = {}): Exchanged =>
  listed(body, { page: asPage(), ...rules }, more);
/** The same below `data`. */
const wholeIn = (body: unknown, rules: object): Exchanged =>
  whole(body, { ...DATA, page: asPage({}, '/data'), ...rules });
const turned = asPage({ isLast: true });
const TURNED = { ...turned, walk: { ...turned.walk, parameter: 'offset' } };
/** What two records of five that are asked for three at a time are. */
const isFull = { full: { limit: 3, of: [many(5)], gap: 'short-pages' } };
/** A text that an operation has rejected. */
const REJECTED: Exchanged = { mark: 'cfmar', knows: ({ texts }) => texts.rejected.set('cfmarkab', 'createPet') };
const noneRefused = 'createPet';
const id = 9223372036854775807n;
const total = { at: '/total' };
const ofRex = { of: [{ data: [rex, tom] }], in: [{ data: [rex] }], field: 'name', value: 'Rex' };

const shop = loadContract(packageFile('test/conformance/resources/shop.openapi.yaml'));
const customers = readSubjects(shop).find(({ name }) => name === 'customers') as Subject;
const ann = { id: '3f2b8c4e-9d1a-4e7b-8c55-000000000001', name: 'Ann', tier: 'basic', points: 3, tags: ['a', 'b'] };
const zoe = { ...ann, name: 'cfxyabc' };
const OWN: CreatedRecord = { key: ann.id, sent: ann, kept: new Set(['name', 'points', 'tags']), since: 0 };

/** The run has created Ann. */
function create(ledger: RecordLedger, expected: CreatedRecord): void {
  const entry = ledger.entryOf(customers, { customerId: ann.id }, ann.id);
  ledger.notePresent(entry);
  ledger.noteExpected(entry, expected);
}
/** At the customers of a shop, of whom the run has created one. */
function inShop(data: object, more: Exchanged = {}): Exchanged {
  const knows = (ledger: RecordLedger): void => create(ledger, OWN);
  return { contract: shop, operation: 'browseCustomers', knows, body: { data }, ...more };
}
/** Of whom the run has created one with a text of its own, which it has sent so many times, or which is the key of another. */
const withText = (times: number, isKey = false): Exchanged =>
  inShop([zoe, { ...zoe, id: '3f2b8c4e-9d1a-4e7b-8c55-000000000002' }], {
    mark: 'cfxy',
    knows: (ledger) => {
      create(ledger, { ...OWN, sent: zoe });
      ledger.texts.noteSent(zoe.name, times);
      if (isKey) ledger.notePresent(ledger.entryOf(customers, {}, zoe.name));
    },
  });

type Wire = NonNullable<Exchanged['wire']>;
const wire: Wire = { target: '/pets/1', headers: { Accept: 'application/json' }, body: undefined };
const NAME = '/pets/1\naccept: application/json';
const WHOLE = 'abcdefghij';
const etag = '"1"';
function knowsWhole({ representations }: RecordLedger): void {
  const shown: Representation = { digest: '', value: undefined, bytes: Buffer.from(WHOLE) };
  representations.set(`${NAME}\n${etag}`, shown).set(NAME, shown);
}
/** A part of the whole that comes when a range is asked for. */
const part = (range: string, text: string, shown: string): Exchanged => ({
  wire: { ...wire, headers: { ...wire.headers, Range: `bytes=${range}` } },
  knows: knowsWhole,
  status: 206,
  text,
  headers: { etag, 'content-range': `bytes ${shown}/10` },
});
const asksFor = (member: string, message: string): Exchanged =>
  refused(400, {
    wire: { ...wire, body: Buffer.from(`{"${member}":1}`) },
    body: { ...(error(400) as { message: string }), message },
  });

/** An exchange, and what the check says of it, as `rule at` or `needs`: nothing where it is sound. */
const EXAMPLES: Record<string, [does: string, exchanged: Exchanged, ...says: string[]][]> = {
  answered: [
    ['an exchange that the run itself gave up', { failure: 'interrupted' }],
    ['a body that is shorter than announced, but whole JSON', { cutOff: true, body: [rex] }, 'incomplete response'],
    ['a body that is longer than the run reads', { failure: 'too-large' }, 'needs'],
  ],
  'server-error': [
    ['no response', { failure: 'timeout' }],
    ['503 where anything goes', refused(503, { open: true }), 'no-5xx status'],
  ],
  status: [
    ['one of a range', fetched(error(404), { status: 404, expect: { status: '4XX' } })],
    ['any, where the contract leaves it open', refused(422, { open: true })],
    [
      'a 401 about the body, of an operation that asks for no credentials',
      notIn('enter', { user: 'ann' }, { expect: { status: 200 } }),
      'needs',
    ],
    ['a 401 beside a valid key', notIn('addThing', {}, { open: true }), 'key-refused status'],
    ['a valid key forbidden, where it is open', refused(403, { open: true }), 'needs'],
    ['a create refused with a category that was made up', uncreated(), 'needs'],
    [
      'a create refused with a category that was taken before',
      uncreated({ knows: ({ learned }) => learned.taken.set('pets', new Set(['categoryId 7'])) }),
      'expected status',
    ],
  ],
  'unasked-credentials': [
    ['a path that is not in the contract', { operation: undefined }],
    ['served with those that were given alone', { withoutCredentials: 401 }, 'unasked-credentials request/credentials'],
  ],
  'content-type': [
    ['none without a body', empty(204, { 'content-type': undefined })],
    ['anything for a path that is not in the contract', typed('text/html', { operation: undefined })],
    ['absent', typed(undefined), 'media-type header/content-type'],
  ],
  json: [
    ['what a service nests deeper than others do', { text: `${'['.repeat(300)}${']'.repeat(300)}` }],
    ['something after it', { text: '[] 0' }, 'well-formed body'],
  ],
  body: [
    ['fields beyond the contract', { body: [{ ...rex, owner: null }] }],
    ['no body to HEAD', { method: 'HEAD', text: '' }],
    ['a list in an envelope', { body: { data: [] } }, 'envelope body/data'],
    ['past int64', fetched({ ...rex, id: 9223372036854775808n }), 'format body/id'],
  ],
  'error-body': [
    ['a 418, which nobody documented', refused(418)],
    ['a 401 to HEAD', { method: 'HEAD', status: 401, text: '' }],
    ['another status', { status: 401, body: error(403) }, 'status body/status'],
    ['a list of errors', created([error(400)], { status: 400 }), 'type body'],
  ],
  'no-body': [
    ['304 with the length of what it stands for', empty(304, { 'content-length': '12' })],
    ['204 with a length', empty(204, { 'content-length': '2' }), 'no-content body'],
    ['204 in chunks', empty(204, { 'transfer-encoding': 'chunked' }), 'no-content body'],
  ],
  equals: [
    ['nothing to compare with', fetched(rex)],
    ['another category', fetched(rex, { expect: { equals: { ...rex, categoryId: 8 } } }), 'categoryId body/categoryId'],
  ],
  'key-echo': [['in a header field', { headers: { 'x-user': `u=${SECRET}` } }, 'header header/x-user']],
  'extra-fields': [
    ['a path that is not in the contract', { operation: undefined, body: { a: 1 }, strict: true }],
    ['a field in a list', { body: [{ ...rex, owner: 'Ann' }] }, 'owner body/0/owner (information)'],
    ['a field, strictly', fetched({ ...rex, owner: 'Ann' }, { strict: true }), 'owner body/owner'],
  ],
  headers: [
    ['one that is missing', { expect: { headers: { Sunset: { type: 'string' } } } }, 'type header/sunset'],
    [
      'one that does not fit',
      { headers: { sunset: 'Thu' }, expect: { headers: { Sunset: { pattern: '^Fri' } } } },
      'pattern header/sunset',
    ],
  ],
  'expected-body': [['too few', { body: [], expect: { body: { minItems: 1 } } }, 'minItems body']],
  record: [
    ['a field that is not compared', got(rex, { like: { name: 'Tom' }, except: ['name'] })],
    [
      'a value of its own in what is read only',
      got({ ...rex, status: 'available' }, { unlike: { id: 48 }, ...STATES }),
    ],
    [
      'a field that is left out, since it has its default',
      got(tom, { like: { status: 'available' }, defaults: { status: 'available' } }),
    ],
    ['a key that another has', got(rex, { notKey: 1 }, { operation: 'createPet', status: 201 }), 'new-key body/id'],
    ['a read only field that a client made', got(rex, { unlike: { name: 'Rex' } }), 'name read only body/name'],
    ['none of the fields that have a default', got({ id: 1 }, STATES), 'needs'],
  ],
  records: [
    ['a record on an earlier page', listed([tom], { has: [{ key: 1 }], page: asPage({ before: [rex] }) })],
    ['as many as it says, and on another page', wholeIn({ total: 2, data: [rex, tom] }, { total, covers: ofRex })],
    ['a page beyond the last that has the last again', whole([rex, tom], { pages: [[rex], [tom], [tom]] })],
    ['nothing of what was refused', listed([rex], { noneRefused }, REJECTED)],
    ['what was refused', listed([{ ...tom, name: 'cfmarkab' }], { noneRefused }, REJECTED), 'refused body/0/name'],
    ['a list that goes on', listed([tom], { has: [{ key: 1 }], page: TURNED }), 'needs'],
    [
      'a large key twice',
      listed(
        [
          { ...rex, id },
          { ...tom, id },
        ],
        { distinct: true },
      ),
      'distinct body/1/id',
    ],
    ['other records than before', whole([rex], { same: [[rex, tom]] }), 'same body'],
    ['a page that is shorter than its limit, strictly', listed(many(2), isFull, { strict: true }), 'full body'],
    [
      'another number than a header field says',
      whole([rex], { total: { header: 'X-Total-Count' } }, { headers: { 'x-total-count': '2' } }),
      'total header/x-total-count',
    ],
    ['no number of all records', wholeIn({ data: [rex] }, { total }), 'needs'],
    [
      'a filtered list of several pages that lacks a record, while others write',
      whole([rex], { covers: { of: [[rex, tom]], in: [[tom], [tom]], field: 'name', value: 'Rex' } }),
      'needs',
    ],
    [
      'nothing that fits in the whole list',
      whole([], { covers: { of: [[rex]], in: [[]], field: 'name', value: 'Tom' } }),
      'needs',
    ],
  ],
  'own-records': [
    ['a change of what the service may have moved on', inShop([{ ...ann, tier: 'gold' }])],
    ['another record with a text that was sent twice', withText(2)],
    ['another record with a text that is the key of a created record', withText(1, true)],
    [
      'an answer to what was asked before it was created',
      inShop([{ ...ann, name: 'An' }], { knows: (ledger) => create(ledger, { ...OWN, since: 2000 }) }),
    ],
    ['items of a set in another order', inShop([{ ...ann, tags: ['b', 'a'] }])],
    ['as many as the default', { body: many(20) }],
    ['more than the maximum, where the limit is odd', { body: many(101), sent: { validParameters: false } }],
    ['another value in a list', inShop([{ ...ann, name: 'Ann Lee' }]), 'name body/data/0/name'],
    ['another record with a text that was sent once', withText(1), 'once body/data/1/name'],
    [
      'the key of another record',
      inShop(ann, { operation: 'signUp', status: 201, sent: { json: { name: 'Bob', tier: 'basic' } } }),
      'new-key body/data/id',
    ],
  ],
  validators: [
    ['the last octets', part('-2', 'ij', '8-9')],
    ['the first octets in place of the last', part('-2', 'ab', '0-1'), 'range header/content-range'],
    ['other octets', part('0-3', 'abcX', '0-3'), 'octets body'],
    ['a part beyond the end', part('99-', 'j', '9-9'), 'range status'],
    ['no part, though it is there', { ...part('0-3', '', ''), ...refused(416), headers: {} }, 'range status'],
  ],
  'error-leak': [
    ['an error of its own member', asksFor('noSuchField', 'noSuchField')],
    ['an error of a member that another request had', asksFor('name', 'name, noSuchField'), 'leak body'],
  ],
};

/** What a check says of an exchange. */
const judge = (check: string, exchanged: Exchanged): CheckOutcome[] =>
  checks.find((each) => each.id === check)?.run(makeContext(exchanged)) ?? [];

test('every check is tried', () =>
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(checks.map((each) => each.id).toSorted()));

const rows = Object.entries(EXAMPLES).flatMap(([check, all]) =>
  all.map(([does, ...rest]) => [check, does, rest] as const),
);
test.each(rows)('the check %s judges %s', (check, _, [exchanged, ...says]) => {
  const outcomes = judge(check, exchanged);
  expect(tell(outcomes)).toEqual(says);
  // Where it names a rule, the contract has it.
  const { document } = makeContext(exchanged).contract;
  const pointers = outcomes.flatMap((each) =>
    'needs' in each ? [] : (each.contract?.pointer ?? each.contractPointer ?? []),
  );
  expect(pointers.filter((pointer) => document.at(pointer) === undefined)).toEqual([]);
});

test.each([
  [{ equals: rex }, { equals: rex }, '"Rex", as the scenario states'],
  [{ equals: rex }, { equals: '$steps.create.response.body' }, '"Rex", as in the previous response'],
])('what equals expects is told by where it comes from: %j stated as %j', (expected, stated, told) => {
  const exchanged = { operation: 'getPet', body: { ...rex, name: 'Max' }, expect: expected, stated };
  expect(judge('equals', exchanged)[0]).toMatchObject({ at: 'body/name', expected: told, actual: '"Max"' });
});
