import { expect, test } from 'vitest';
import { createPet, KEY } from '../../support/started-mock.js';
import { countTokens } from '../support/count-tokens.js';
import { connectClient, type ConnectedClient } from '../support/connect-client.js';

async function startMock(): Promise<ConnectedClient & { url: string }> {
  const connected = await connectClient();
  const { data } = await connected.call('mock', { do: 'start', options: { count: 3 } });
  return { ...connected, url: data.url };
}

test('a request that broke the contract is told with side, place, line and what to send', async () => {
  const { call, url } = await startMock();
  await createPet({ url }, '{"name":"Rex","status":"gone"}');
  const { data, text } = await call('requests', { violations: true });
  const wrong = [
    expect.objectContaining({ at: 'body/categoryId', rule: 'required', mend: 'send body/categoryId' }),
    expect.objectContaining({ at: 'body/status', rule: 'enum', actual: '"gone"' }),
  ];
  const asked = { n: 1, method: 'POST', url: '/v1/pets', status: 400, operationId: 'createPet' };
  expect(data.requests).toEqual([{ ...asked, atFault: 'client', wrong }]);
  expect(data.requests[0].wrong[0].contract).toMatch(/^spec\/petstore\.openapi\.yaml:\d+/);
  expect(text).toContain('#1 POST /v1/pets → 400 createPet  the client is at fault');
});

test('what follows an answer is asked for by its number, oldest first', async () => {
  const { call, url } = await startMock();
  for (let limit = 1; limit <= 5; limit += 1) await fetch(`${url}/pets?limit=${limit}`, { headers: KEY });
  const first = (await call('requests', { since: 0, limit: 2 })).data;
  expect(first).toMatchObject({ total: 5, leftOut: 3, next: 2 });
  await fetch(`${url}/pets?limit=6`, { headers: KEY });
  const rest = (await call('requests', { since: first.next })).data;
  const told = rest.requests.map(({ n, url: at }: { n: number; url: string }) => `${n} ${at.slice(-1)}`);
  expect(told).toEqual(['3 3', '4 4', '5 5', '6 6']);
});

test('requests are chosen by operation and status', async () => {
  const { call, url } = await startMock();
  await fetch(`${url}/pets`, { headers: KEY });
  await fetch(`${url}/pets`);
  expect((await call('requests', { status: 401 })).data.total).toBe(1);
  expect((await call('requests', { operationId: 'createPet' })).data).toEqual({ total: 0 });
});

test('one is shown whole, without its key', async () => {
  const { call, url } = await startMock();
  await createPet({ url }, '{"name":"Rex"}');
  const { text, data } = await call('requests', { show: 1 });
  expect(data.request).toMatchObject({ body: '{"name":"Rex"}', headers: { authorization: '[redacted]' } });
  expect(text).toContain('  | {"name":"Rex"}');
  expect((await call('requests', { show: 9 })).text).toBe('bad-option: there is no request 9; there are 1 to 1.');
});

test('a long body is cut, and says how long it is', async () => {
  const { call, url } = await startMock();
  await createPet({ url }, { name: 'x'.repeat(20_000), categoryId: 1 });
  const { text, data } = await call('requests', { show: 1 });
  expect(data.request.cutFrom).toBeGreaterThan(20_000);
  expect(text).toMatch(/\(the first 1500 of \d+ characters\)/);
});

test('a request of ten thousand violations is told in a few lines', async () => {
  const { call, url } = await startMock();
  const fields = Array.from({ length: 10_000 }, (_, index) => [`f${index}`, index] as const);
  await createPet({ url }, Object.fromEntries(fields));
  const { text, data } = await call('requests');
  expect(countTokens(text + JSON.stringify(data))).toBeLessThan(1000);
});
