// Operations without a resource, such as remote procedure calls, get what can be asked of any operation.
import { describe, expect, test } from 'vitest';
import { content } from '../../support/open-paths.js';
import { object, text } from './support/odd-resource.js';
import { describePaths, fail, judgeStranger, listTold, type Asked, type Serve } from './support/stranger.js';

const ERROR = content(object({ message: text }));
const SUM = { name: 'a', in: 'query', required: true, schema: { type: 'integer', example: 2 } };
const DOCUMENT = describePaths(
  {
    '/sum': {
      get: {
        operationId: 'sum',
        parameters: [SUM],
        responses: { 200: content(object({ sum: { type: 'integer' } }, ['sum'])), 400: ERROR, 401: ERROR },
      },
    },
    '/reindex': {
      post: {
        operationId: 'reindex',
        requestBody: { required: true, ...content(object({ depth: { type: 'integer', example: 1 } }, ['depth'])) },
        responses: { 202: content(object({ job: text }, ['job'])), 400: ERROR, 401: ERROR },
      },
    },
  },
  { components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }, security: [{ token: [] }] },
);

function serve(
  calls: Asked[],
  { isOpen = false, isLenient = false, sum = 5 }: { isOpen?: boolean; isLenient?: boolean; sum?: unknown } = {},
): Serve {
  return (asked) => {
    const { method, path, query, headers } = asked;
    calls.push(asked);
    if (headers['authorization'] !== 'Bearer any' && !(isOpen && method === 'POST')) return fail(401);
    if (path[0] === 'sum' && method === 'GET')
      return isLenient || /^-?\d+$/.test(query.get('a') ?? '') ? { status: 200, body: { sum } } : fail(400);
    if (path[0] === 'reindex' && method === 'POST') return { status: 202, body: { job: 'j1' } };
    return fail(path[0] === 'sum' || path[0] === 'reindex' ? 405 : 404);
  };
}

describe('a call', () => {
  test('with what it requires has an answer of the contract', async () => {
    const told = listTold(await judgeStranger(DOCUMENT, serve([], { sum: 'five' })));
    expect(told).toEqual([expect.stringMatching(/^`sum` .* is text/)]);
  });

  test('that takes a value of another type, or none, is told', async () => {
    const result = await judgeStranger(DOCUMENT, serve([], { isLenient: true }));
    expect(listTold(result).join('\n')).toMatch(/^sum accepts .*`a`/);
    const deviating = result.scenarios.filter(({ verdict }) => verdict === 'deviated').map(({ id }) => id);
    expect(deviating).toContain('operations/refusals/parameter[sum-without-a]');
    expect(deviating).toContainEqual(expect.stringMatching(/^operations\/refusals\/parameter-rule\[sum-/));
  });

  test('that writes and takes no credentials is told', async () => {
    const told = listTold(await judgeStranger(DOCUMENT, serve([], { isOpen: true })));
    expect(told).toEqual([expect.stringMatching(/ reindex serves requests without a key$/)]);
  });

  test('that writes is not sent without consent', async () => {
    const calls: Asked[] = [];
    expect(listTold(await judgeStranger(DOCUMENT, serve(calls), [], { may: ['create'] }))).toEqual([]);
    expect(calls.filter(({ method, path }) => method === 'POST' && path[0] === 'reindex')).toEqual([]);
  });

  test('of a sound service is not told', async () => {
    const result = await judgeStranger(DOCUMENT, serve([]));
    expect(listTold(result)).toEqual([]);
    expect(result.summary.passed).toBeGreaterThan(2);
  });
});
