import { expect, test } from 'vitest';
import type { Operation } from '../../../src/contract/model.js';
import { listStatuses } from '../../../src/conformance/resources/instance.js';
import { content } from '../../support/open-paths.js';
import { parseContract } from '../../support/parse-contract.js';
import { text } from './support/odd-resource.js';

/** An operation with responses of these statuses, whose success has a body of a media type. */
function responding(statuses: readonly string[], mediaType = 'application/json'): Operation {
  const one = (status: string): object =>
    /^20[01]|2XX/.test(status) ? content(text, mediaType) : { description: 'No.' };
  const responses = Object.fromEntries(statuses.map((status) => [status, one(status)]));
  const [operation] = parseContract({ paths: { '/any': { get: { responses } } } }).operations;
  if (operation === undefined) throw new Error('no operation');
  return operation;
}

test.each([
  ['$created', ['200', '201', '400'], [201]],
  ['$created', ['200', '400'], [200]],
  ['$created', ['2XX'], ['2XX']],
  ['$doneOrConflict', ['200', '409'], ['200', '4XX']],
  ['$doneOrConflict', ['200'], undefined],
  ['$notAcceptable', ['200', '202', '406'], undefined],
  ['$notAcceptable', ['200', '406'], [406]],
  ['$goneOrCreated', ['200', '201', '404'], [404, 201]],
  ['$goneOrCreated', ['200', '404'], [404]],
  ['$done', ['302', '304'], ['2XX', 302]],
])('%s of an operation with %j is %j', (word, stated, wanted) => {
  expect(listStatuses(word, responding(stated))?.map(String)).toEqual(wanted?.map(String));
});

test('where any media type may be sent, none is unacceptable', () => {
  expect(listStatuses('$notAcceptable', responding(['200', '406'], '*/*'))).toBeUndefined();
});
