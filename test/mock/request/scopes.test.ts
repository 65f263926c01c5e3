import { onTestFinished, expect, test } from 'vitest';
import { startPetstoreMock } from '../../../src/index.js';
import { DEPOT_SPEC } from '../../conformance/resources/support/judge-service.js';

const credentials = { 'oauth[parcels:read]': 'reader-token', 'oauth[]': 'empty-token' };

async function ask(method: string, path: string, headers: Record<string, string>): Promise<Response> {
  const mock = await startPetstoreMock({ spec: DEPOT_SPEC, credentials, prism: false });
  onTestFinished(() => mock.close());
  const body = method === 'POST' ? { body: JSON.stringify({ carrier: 'Post' }) } : {};
  return fetch(`${mock.url}${path}`, { method, headers: { 'Content-Type': 'application/json', ...headers }, ...body });
}

test.each([
  ['GET', '/parcels', 'petstore-dev-key', 200],
  ['GET', '/parcels', 'reader-token', 200],
  ['GET', '/parcels', 'empty-token', 403],
  ['GET', '/parcels', 'another-token', 401],
  ['POST', '/parcels', 'petstore-dev-key', 201],
  ['POST', '/parcels', 'reader-token', 403],
  // The contract documents 401 alone.
  ['DELETE', '/parcels/1', 'reader-token', 401],
])('%s %s with %s gets %i', async (method, path, token, status) => {
  expect((await ask(method, path, { Authorization: `Bearer ${token}` })).status).toBe(status);
});

test('a token that lacks a scope is told which, as RFC 6750 has it', async () => {
  const answer = await ask('POST', '/parcels', { Authorization: 'Bearer reader-token' });
  expect(answer.headers.get('WWW-Authenticate')).toBe(
    'Bearer realm="depot", error="insufficient_scope", scope="parcels:write"',
  );
  expect(JSON.stringify(await answer.json())).toContain('sendParcel requires parcels:write');
});

test('another scheme that suffices needs no scopes', async () => {
  const both = { 'X-Staff-Key': 'petstore-dev-key', Authorization: 'Bearer empty-token' };
  expect((await ask('GET', '/parcels', both)).status).toBe(200);
});
