import { request } from 'node:http';
import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { KEY, startMock } from '../../support/started-mock.js';
import { LONG } from '../support/connect-client.js';
import { connectOverHttp, startWithTools } from '../support/start-with-tools.js';

const MODERN = { versionNegotiation: { mode: 'auto' as const } };
/** Scenarios that create nothing, for which nothing is waited. */
const LISTS = { only: ['pets/lists/at-start*'] };
const JSON_TYPE = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

test.each([
  ['2025-11-25', {}],
  ['2026-07-28', MODERN],
])('a client of %s uses the tools of a running mock', async (revision, options) => {
  const { url, tools } = await startWithTools();
  const { client, call } = await connectOverHttp(tools, options);
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  await fetch(`${url}/pets?limit=1000`, { headers: KEY });
  const { data } = await call('requests', { violations: true });
  expect(data.requests).toMatchObject([{ atFault: 'client', wrong: [{ at: 'query/limit' }] }]);
});

test.each([
  ['2025-11-25', {}],
  ['2026-07-28', MODERN],
])('a run over HTTP of %s tells how far it is, and ends when it is cancelled', async (_, options) => {
  const { tools } = await startWithTools({ delay: 5 });
  const { client, call } = await connectOverHttp(tools, options);
  const told: number[] = [];
  const stop = new AbortController();
  const run = { name: 'conformance', arguments: { maxRequests: 5000 } };
  const running = client.callTool(run, {
    ...LONG,
    onprogress: ({ progress }) => told.push(progress),
    signal: stop.signal,
  });
  await Promise.race([eventually(() => expect(told.length).toBeGreaterThan(1)), running]);
  stop.abort();
  await expect(running).rejects.toThrow('abort');
  let before = -1;
  await eventually(async () => {
    const { data } = await call('mock', { do: 'show' });
    const isQuiet = data.requests === before;
    before = data.requests as number;
    expect(isQuiet).toBe(true);
  });
  expect((await call('explain', {})).isError).toBe(true);
});

test('two clients at once share the mock and its runs', async () => {
  const { tools } = await startWithTools();
  const [one, other] = await Promise.all([connectOverHttp(tools), connectOverHttp(tools, MODERN)]);
  const runs = await Promise.all([one, other].map(({ call }) => call('conformance', LISTS)));
  expect(new Set(runs.map(({ data }) => data.run))).toEqual(new Set(['run-1', 'run-2']));
  await one.call('mock', { do: 'fault', fault: { effect: { status: 503 } } });
  expect((await other.call('mock', { do: 'show' })).text).toContain('fault-1');
});

test.each([
  ['mock', { do: 'start' }, 'these tools belong to a running mock and start or find no other'],
  ['mock', { do: 'find', url: 'http://127.0.0.1:1' }, 'these tools belong to a running mock'],
  ['mock', { do: 'stop' }, 'so they do not stop it'],
  ['contract', { spec: 'package.json' }, 'these tools read no files'],
  ['conformance', { target: 'https://staging.example/v1' }, 'may not be used'],
  ['conformance', { keyFrom: 'HOME' }, 'these tools send no key of their own'],
])('%s with %j is refused over HTTP', async (name, given, message) => {
  const { tools } = await startWithTools();
  const { call } = await connectOverHttp(tools);
  expect(await call(name, given)).toMatchObject({ isError: true, text: expect.stringContaining(message) });
});

test('a key of the user tests the mock, and is in no response', async () => {
  const key = 'a-key-of-my-own-12345';
  const { tools } = await startWithTools({ apiKey: key });
  const { call } = await connectOverHttp(tools);
  const shown = await call('mock', { do: 'show' });
  const { data, text } = await call('conformance', LISTS);
  expect(data).not.toHaveProperty('problems');
  expect(JSON.stringify([shown, data, text])).not.toContain(key);
});

test('with a token the tools want it, and a mock that other machines reach tests nothing else', async () => {
  const { tools } = await startWithTools({ adminToken: 'secret-token', host: '0.0.0.0' });
  const refused = await fetch(tools, { method: 'POST', headers: JSON_TYPE, body: '{}' });
  const challenge = 'Bearer realm="petstore-mock admin"';
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, challenge]);
  const target = await startMock();
  const { call } = await connectOverHttp(tools, { headers: { Authorization: 'Bearer secret-token' } });
  expect((await call('conformance', { target: target.url })).text).toContain('they use only the mock');
  expect((await call('conformance', LISTS)).isError).toBe(false);
});

test.each([
  ['another host', { Host: 'evil.example' }],
  ['a page of another site', { Origin: 'https://evil.example' }],
  ['a form', { 'Content-Type': 'text/plain' }],
])('%s is refused', async (_, headers) => {
  const { tools } = await startWithTools();
  const status = await new Promise((resolve) => {
    const init = { method: 'POST', headers: { ...JSON_TYPE, ...headers } };
    request(tools, init, ({ statusCode }) => resolve(statusCode)).end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  });
  expect([403, 415]).toContain(status);
});

test('a message of more than a MiB, one that is no JSON, and a session that is over are refused', async () => {
  const { tools } = await startWithTools();
  const post = (body: string, headers = {}): Promise<Response> =>
    fetch(tools, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body });
  expect((await post(`"${'x'.repeat(1024 * 1024)}"`)).status).toBe(413);
  expect((await post('{')).status).toBe(400);
  const gone = await post('{"jsonrpc":"2.0","id":1,"method":"ping"}', { 'Mcp-Session-Id': 'gone' });
  expect([gone.status, await gone.text()]).toEqual([404, expect.stringContaining('begin another with initialize')]);
});

test('of many sessions those that have been quiet longest end', async () => {
  const { tools } = await startWithTools();
  const first = await connectOverHttp(tools);
  for (let count = 0; count < 64; count += 1) await connectOverHttp(tools);
  await expect(first.client.ping()).rejects.toThrow('no such session');
  const next = await connectOverHttp(tools);
  expect((await next.call('mock', { do: 'show' })).isError).toBe(false);
});
