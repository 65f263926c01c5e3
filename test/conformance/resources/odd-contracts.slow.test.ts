import { expect, test } from 'vitest';
import { content, inPath } from '../../support/open-paths.js';
import { words } from '../../support/words.js';
import { MARKS, ODDITIES } from './support/odd-contracts.js';
import { integer, lists, object, resource, runAgainstMock, takes, text } from './support/odd-resource.js';

/** So many resources take minutes on a slow machine. */
const PATIENT_MS = 900_000;

test(
  'the mock keeps state for what is odd in a contract, and a run has nothing to say against it',
  async () => {
    const { headlines, tested } = await runAgainstMock(Object.values(ODDITIES));
    expect(headlines).toEqual([]);
    // A service may show a lock only to those who name its folder.
    expect(tested).not.toContain('locks/records/list');
    const passed = words`
    locks/records/get notes/records/create crates/records/created-alone plans/records/list logins/changes/replace-new
    articles/refusals/malformed stays/records/list jobs/records/get signs/records/create-full texts/lists/pages[3]
    pots/records/list
  `;
    expect(passed.filter((id) => !tested.includes(id))).toEqual([]);
    // Five of them have two resources.
    expect(new Set(tested.map((id) => id.slice(0, id.indexOf('/')))).size).toBe(Object.keys(ODDITIES).length + 5);
  },
  PATIENT_MS,
);

const ASKED = words`
  */records/* */changes/read-only* */changes/update* */changes/replace* keys/lists/pages* */requests/sent-again*
  */lists/filter* */parents/replace-apart
`;

/** What proves that the mock keeps what it is asked for. */
const PASSED = words`
  badges/records/read-only[seal] badges/changes/read-only[seal] labels/changes/update[name] logins/records/write-only
  peers/records/defaults stays/lists/filter[paid] spots/records/get funds/records/get
  profiles/records/values[values-1] calls/records/list guests/records/get sales/records/created-alone
  bills/records/get-full keys/lists/pages[3] users/changes/replace orders/requests/sent-again[Idempotency-Key]
  fields/parents/replace-apart points/records/get points/changes/replace
`;

/** What a contract leaves open. */
const NOT_ASKED = words`
  labels/records/read-only[org] payers/records/write-only lines/records/defaults texts/records/defaults
  stays/lists/filter[start] labels/changes/update[org] profiles/records/values[values-2]
`;

test('marks, defaults and media types of odd contracts are kept by the mock, and accused by no run', async () => {
  const { headlines, tested } = await runAgainstMock(Object.values(MARKS), ASKED);
  expect(headlines).toEqual([]);
  expect(PASSED.filter((id) => !tested.includes(id))).toEqual([]);
  expect(tested.filter((id) => NOT_ASKED.includes(id))).toEqual([]);
});

test('odd keys are sent as they are, and those that a request may not have are no reason to accuse the target', async () => {
  /** The keys of services have no form of their own, and what refers to them has. */
  const refersTo = (name: string, pattern: string): object =>
    resource(name, {
      record: object({ id: integer, title: text, serviceId: text }),
      sent: object({ title: text, serviceId: { ...text, pattern } }),
    });
  const services = resource('services', {
    record: object({ id: text, name: text }),
    sent: object({ name: text }),
    key: text,
  });
  const locale = object({ localeId: integer, name: text });
  const form = { 'application/json': { schema: locale }, 'application/x-www-form-urlencoded': { schema: locale } };
  const created = {
    requestBody: { required: true, content: form },
    responses: { 201: content({ ...integer, minimum: 1 }) },
  };
  const locales = {
    '/locales': { get: lists(locale), post: created },
    '/locales/{localeId}': { get: { parameters: [inPath('localeId')], responses: { 200: content(locale) } } },
  };
  const { headlines, tested, reasons } = await runAgainstMock(
    [locales, services, refersTo('calls', '^GA[0-9]{4}$'), refersTo('chats', '^CH[0-9]{4}$')],
    ['*/records/create', 'locales/requests/media-type*'],
  );
  expect(headlines).toEqual([]);
  expect(tested).toContain('locales/requests/media-type[application/x-www-form-urlencoded]');
  expect(reasons[0]).toBe(
    'it needs a key that body/serviceId may have (a text that matches ^GA[0-9]{4}$); the target makes keys such as "service-7": the contract should state the same form for both',
  );
});

test('a number that is called like its own resource is no reference to another of its kind', async () => {
  const asn = object({ id: integer, asn: integer, note: text });
  const sent = object({ asn: integer, note: text });
  const asns = resource('asns', { record: asn, sent, item: { patch: takes(sent, asn) } });
  const { headlines, tested } = await runAgainstMock([asns], ['asns/changes/update[everything]']);
  expect([headlines, tested]).toEqual([[], expect.arrayContaining(['asns/changes/update[everything]'])]);
});
