import { expect, test } from 'vitest';
import { content, inPath } from '../../support/open-paths.js';
import { integer, object, resource, runAgainstMock, text, type Schema } from './support/odd-resource.js';

/** The keys of services have no form of their own, and what refers to them has. */
function refersTo(name: string, pattern: string): Record<string, Schema> {
  return resource(name, {
    record: object({ id: integer, title: text, serviceId: text }),
    sent: object({ title: text, serviceId: { ...text, pattern } }),
  });
}

const services = resource('services', {
  record: object({ id: text, name: text }),
  sent: object({ name: text }),
  key: text,
});

const locale = object({ localeId: integer, name: text });
const form = { 'application/json': { schema: locale }, 'application/x-www-form-urlencoded': { schema: locale } };
const locales = {
  '/locales': {
    get: { responses: { 200: content({ type: 'array', items: locale }) } },
    post: { requestBody: { required: true, content: form }, responses: { 201: content({ ...integer, minimum: 1 }) } },
  },
  '/locales/{localeId}': { get: { parameters: [inPath('localeId')], responses: { 200: content(locale) } } },
};

test('odd keys are sent as they are, and those that a request may not have are no reason to accuse the target', async () => {
  const both = [refersTo('calls', '^GA[0-9]{4}$'), refersTo('chats', '^CH[0-9]{4}$')];
  const asked = ['*/records/create', 'locales/requests/media-type*'];
  const { headlines, tested, reasons } = await runAgainstMock([locales, services, ...both], asked);
  expect(headlines).toEqual([]);
  expect(tested).toContain('locales/requests/media-type[application/x-www-form-urlencoded]');
  expect(reasons[0]).toBe(
    'it needs a key that body/serviceId may have (a text that matches ^GA[0-9]{4}$); the target makes keys such as "service-7": the contract should state the same form for both',
  );
});

test('a number that is called like its own resource is no reference to another of its kind', async () => {
  const asn = object({ id: integer, asn: integer, note: text });
  const sent = object({ asn: integer, note: text });
  const parameters = [{ ...inPath('asnId'), schema: integer }];
  const patch = { parameters, requestBody: content(sent), responses: { 200: content(asn) } };
  const asns = resource('asns', { record: asn, sent, item: { patch } });
  const { headlines, tested } = await runAgainstMock([asns], ['asns/changes/update[everything]']);
  expect(headlines).toEqual([]);
  expect(tested).toContain('asns/changes/update[everything]');
});
