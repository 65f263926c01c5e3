import { expect, test } from 'vitest';
import { listStatuses } from '../../../src/conformance/resources/statuses.js';
import { parseContract } from '../../support/parse-contract.js';
import { content } from '../../support/open-paths.js';
import { ODDITIES } from './support/odd-marks.js';
import { runAgainstMock, text } from './support/odd-resource.js';

const contract = parseContract({
  paths: {
    '/any': { get: { responses: { 200: content(text, '*/*'), 406: { description: 'None.' } } } },
    '/none': {
      get: { responses: { 200: content(text), 202: { description: 'Later.' }, 406: { description: 'None.' } } },
    },
    '/json': { get: { responses: { 200: content(text), 406: { description: 'None.' } } } },
    '/put/{key}': { put: { responses: { 200: content(text), 201: content(text), 404: { description: 'None.' } } } },
    '/home': { get: { responses: { 302: { description: 'There.' }, 304: { description: 'Known.' } } } },
    '/keep/{key}': { put: { responses: { 200: content(text), 404: { description: 'None.' } } } },
  },
});

test.each([
  ['/any', '$notAcceptable', undefined],
  ['/none', '$notAcceptable', undefined],
  ['/json', '$notAcceptable', [406]],
  ['/put/{key}', '$goneOrCreated', [404, 201]],
  ['/keep/{key}', '$goneOrCreated', [404]],
  ['/home', '$done', ['2XX', 302]],
])('%s may answer %s by %j', (path, word, statuses) => {
  const operation = contract.operations.find((each) => each.path === path);
  expect(operation && listStatuses(word, operation)).toEqual(statuses);
});

test('what only the service decides, and a Location with a form of its own, are kept by the mock and accused by no run', async () => {
  const names = ['fields of which only the service decides', 'a Location without the base path'];
  const { headlines, tested } = await runAgainstMock(
    names.map((name) => ODDITIES[name] ?? {}),
    ['*/records/*', '*/changes/read-only*'],
  );
  expect(headlines).toEqual([]);
  expect(tested).toEqual(
    expect.arrayContaining(['badges/records/read-only[seal]', 'badges/changes/read-only[seal]', 'spots/records/get']),
  );
});
