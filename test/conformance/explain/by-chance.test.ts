import { expect, test } from 'vitest';
import type { ScenarioResult } from '../../../src/conformance/model/result.js';
import { makeExchange, makeFinding, makeScenario } from '../../report/results.js';
import { headlines, status } from './answers.js';

const { request } = makeExchange();

/** Lists by these queries, some of which fail. */
function ask(...asked: [query: string, code: number][]): ScenarioResult {
  const crash = makeFinding({ ...status('a status below 500', '503'), check: 'server-error' });
  const exchanges = asked.map(([query, code]) =>
    makeExchange({
      operationId: 'listPets',
      request: { ...request, path: `/pets${query}` },
      response: { status: code, headers: {}, body: '[]' },
      findings: code >= 500 ? [crash] : [],
    }),
  );
  return makeScenario('list/asked', 'deviated', { steps: [{ id: 'list', exchanges }] });
}

test('what only the failing requests have is the condition', () => {
  expect(headlines(ask(['?limit=9', 503], ['?limit=9', 503], ['?limit=8', 200], ['', 200]))).toEqual([
    'listPets fails with 503 with limit=9',
  ]);
});

test('what requests that were served have too is none: so many of so many failed', () => {
  expect(headlines(ask(['?limit=9', 503], ['?limit=9', 503], ['?limit=9', 200], ['', 200]))).toEqual([
    'listPets fails with 503 for 2 of 4 requests',
  ]);
  expect(headlines(ask(['?limit=9', 503], ['', 503], ['?limit=9', 200]))).toEqual([
    'listPets fails with 503 for 2 of 3 requests',
  ]);
});

test('where all requests fail, there is nothing to count', () => {
  expect(headlines(ask(['?limit=9', 503], ['', 503]))).toEqual(['listPets fails with 503']);
});
