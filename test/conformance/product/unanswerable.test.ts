import { expect, test } from 'vitest';
import { listUnanswerable } from '../../../src/conformance/product/plan-run.js';
import { content } from '../../support/open-paths.js';
import { parseContract } from '../../support/parse-contract.js';

const link = { type: 'object', properties: { href: { type: 'string' } }, additionalProperties: false };
const broken = { type: 'object', additionalProperties: false, allOf: [link], required: ['href'] };

test('an operation whose every answer breaks the contract is not asked, and the reason says where', () => {
  const paths = {
    '/broken': { get: { operationId: 'broken', responses: { 200: content(broken), 404: content(link) } } },
    '/sound': { get: { operationId: 'sound', responses: { 200: content(link) } } },
    '/either': { get: { operationId: 'either', responses: { 200: content(broken), 204: { description: 'None.' } } } },
    '/text': { get: { operationId: 'text', responses: { 200: content(broken, 'text/csv') } } },
    '/none': { get: { operationId: 'none', responses: { 404: content(broken) } } },
  };
  const [first, ...others] = listUnanswerable(parseContract({ openapi: '3.0.3', paths }, { shownAs: 'links.json' }));
  expect(others).toEqual([]);
  expect(first).toEqual([
    'broken',
    'no response can be valid: `href` is required, but its `additionalProperties: false` (links.json:1, #/paths/~1broken/get/responses/200/content/application~1json/schema) allows only the properties beside it; list it there',
  ]);
});
