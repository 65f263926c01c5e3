import { expect, test } from 'vitest';
import { errorBodyCheck } from '../../../src/conformance/checks/response.js';
import { parseContract } from '../../support/parse-contract.js';
import { makeContext } from '../support/check-context.js';

test.each([
  ['text/plain', 'name must be a text, but is {"value":1}', []],
  ['application/json', 'Warning: x {"value":1}', [expect.objectContaining({ rule: 'type' })]],
])('JSON that a text quotes is judged where an error is %s', (mediaType, text, findings) => {
  const contract = parseContract({
    openapi: '3.0.3',
    paths: {
      '/a': {
        get: {
          operationId: 'getA',
          responses: { 400: { description: 'Bad.', content: { [mediaType]: { schema: { type: 'string' } } } } },
        },
      },
    },
  });
  const context = makeContext({
    contract,
    operation: 'getA',
    status: 400,
    text,
    headers: { 'content-type': mediaType },
  });
  expect(errorBodyCheck.run(context)).toEqual(findings);
});
